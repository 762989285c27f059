"""All that has happened in a game, for somebody who plays it from here on."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from pbem.core.log import Entry
from pbem.host.archive.record_play import play_file
from pbem.host.builder.occasion import Addressed
from pbem.host.messages import letters
from pbem.host.reporting.answers import on_file
from pbem.host.reporting.chapters import Stretch, is_sealed, turn, whole
from pbem.host.reporting.tallies import register, remarks, still_open
from pbem.host.session.unit_of_work import read_entries


def substitute(to: Addressed) -> letters.Message:
    agreed = to.work.games.load(to.game)
    entries = read_entries(agreed.rules, to.work.repository, to.game.id)
    run = whole(agreed, entries)
    after = run.begun.after
    loaded = to.at(after)
    shown = run.shown(loaded.rules, to.eyes)
    hidden = loaded.rules.hides(after.state) or any(is_sealed(loaded.rules, after.state, each) for each in entries)
    return letters.Substitute(
        **to.asked(loaded, after),
        title=agreed.terms.setup.game,
        edition=agreed.terms.setup.edition,
        players=tuple(agreed.terms.setup.seats),
        turns=tuple(turn(agreed, chapter) for chapter in shown.over[1:]),
        after=loaded.rules.view(after.state, to.eyes),
        policy=loaded.terms.policy,
        grace_hours=loaded.terms.grace_hours,
        on_file=on_file(to.session, to.member.seat),
        record=None if hidden else play_file(to.game.id, agreed, _told_of(run, entries)),
        petitions=still_open(after.done),
        rulings=register(after.done),
        remarks=remarks(after.done),
    )


def _told_of(run: Stretch, entries: Sequence[Entry[Any, Any]]) -> Sequence[Entry[Any, Any]]:
    """The log without what has been answered in the chapter under way: that may be sealed."""
    first = run.begun.entries[0].seq if run.begun.entries else len(entries)
    return entries[:first]
