"""Somebody will be away for a large part of a season: they are told what may be done, and nothing happens by itself."""

from __future__ import annotations

from pbem.host.calendar.zones import DAY
from pbem.host.ports import Game
from pbem.host.season.hands import holders_of, table_of
from pbem.host.season.telling import tell_absent
from pbem.host.session.absences import absences
from pbem.host.session.acts import Away
from pbem.host.session.unit_of_work import UnitOfWork

LONG = 21 * DAY  # of all absences in a season


def note_absences(work: UnitOfWork, game: Game, now: int) -> None:
    """Of those who have just said so at a table of a season."""
    session = work.session(game)
    seats = {step.act.by for step in session.steps if isinstance(step.act, Away)}
    found = table_of(work, game) if seats else None
    if found is None:
        return
    since, holders = found.desk.season.calendar.closes, holders_of(game, session)
    for seat in sorted(seats & holders.keys()):
        days = sum(one.end - max(one.start, since) for one in absences(session.position.done) if one.seat == seat)
        person = holders[seat]
        if person is not None and days > LONG:
            tell_absent(work, found.desk, person, days // DAY, now)
