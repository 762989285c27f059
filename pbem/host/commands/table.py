"""All commands of a letter, in the order of help and manual. A new one is a module, and a line here."""

from __future__ import annotations

from pbem.host.commands import (
    address,
    advance,
    away,
    board,
    calendar,
    cancel,
    clock,
    draft,
    games,
    history,
    language,
    moderator,
    petition,
    petitions,
    play,
    press,
    preview,
    records,
    remark,
    reports,
    rules,
    show,
    standing,
    status,
    vote,
    zone,
)
from pbem.host.commands import (
    help as help_,
)
from pbem.host.commands.requests import REQUEST_COMMANDS
from pbem.host.moderation.commands import MODERATOR_COMMANDS
from pbem.language.command import Commands

COMMANDS = Commands(
    (
        moderator.COMMAND,
        draft.COMMAND,
        preview.COMMAND,
        play.PLAY,
        play.ROLLOUT,
        show.SHOW,
        show.ORDERS,
        cancel.COMMAND,
        standing.STANDING,
        standing.NONE,
        advance.COMMAND,
        help_.COMMAND,
        status.COMMAND,
        board.COMMAND,
        history.COMMAND,
        rules.COMMAND,
        petitions.COMMAND,
        petition.COMMAND,
        vote.COMMAND,
        remark.COMMAND,
        records.RECORDS,
        records.MOVE_ORDER,
        clock.COMMAND,
        language.COMMAND,
        address.COMMAND,
        zone.COMMAND,
        away.COMMAND,
        press.COMMAND,
        games.COMMAND,
        reports.COMMAND,
        calendar.COMMAND,
    ),
    MODERATOR_COMMANDS,
    REQUEST_COMMANDS,
)
