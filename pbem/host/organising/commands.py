"""The table of all powers of an organiser; each stands in its module with its words and what it does."""

from __future__ import annotations

from pbem.host.organising.course import (
    announce,
    beacon,
    call_off,
    close_entries,
    draw,
    end_season,
    extend_season,
    extend_table,
    forward,
    open_entries,
    pause,
    preview_draw,
    redraw,
    resume,
    rewind,
    set_,
)
from pbem.host.organising.entrants import (
    admit,
    apart,
    enter,
    excuse,
    expel,
    forgive,
    hand_over,
    move,
    penalise,
    promote,
    refuse,
    same,
)
from pbem.host.organising.objections import dismiss, reject, uphold
from pbem.host.organising.tables import begin, end, replace, replay, score, void
from pbem.language.moderators import ModeratorCommands

ORGANISER_COMMANDS = ModeratorCommands(
    (
        *(open_entries, close_entries, call_off, preview_draw, draw, redraw, beacon),
        *(pause, resume, extend_season, extend_table, end_season, set_, announce, rewind, forward),
        *(enter, admit, refuse, expel, same, excuse, penalise, forgive, apart, move, promote, hand_over),
        *(begin, end, replay, replace, score, void, uphold, dismiss, reject),
    )
)
