"""Somebody is silent: after some forced closes in a row the host asks for a substitute.

See docs/reference/procedure.md, section 4.
"""

from __future__ import annotations

from pbem.host.calendar.zones import DAY
from pbem.host.clock.time_sheet import forced_in_a_row, sheet
from pbem.host.governance import asking
from pbem.host.governance.substitutes import dismiss_bot, drop_search, hold, sought
from pbem.host.session.actors import CLOCK
from pbem.host.session.acts import dealt
from pbem.host.session.petitions import about_seat
from pbem.host.session.session import Session


def notice(session: Session, seat: str, at: int) -> None:
    """The time of this seat was ended once more: is a substitute to be looked for?"""
    done, limit = session.position.done, _limit(session, seat)
    times = forced_in_a_row(done, seat)
    if session.has_ended or not limit or not times:
        return
    if not times % limit and not about_seat(done, seat):
        closes = at + asking.OPEN_DAYS * DAY
        asking.open_petition(session, sought(session, seat, closes, session.seats), at)
    if times >= limit:
        hold(session, seat, at)


def _limit(session: Session, seat: str) -> int:
    """At a table of a league the first silence is enough: who has not even begun is not waited for twice."""
    done, agreed = session.position.done, session.terms.forced_limit
    if not agreed or dealt(done) is None:
        return agreed
    own = [row for row in sheet(done) if row.seat == seat and not row.void]
    return 1 if len(own) == 1 else agreed


def reconsider(session: Session, at: int) -> None:
    """Some of what the move order sheet told does not count any more: nor does what the host did because of it."""
    done = session.position.done
    for seat in session.seats:
        limit = _limit(session, seat)
        if not limit or forced_in_a_row(done, seat) < limit:
            drop_search(session, seat, at, by=CLOCK)


def broken(session: Session, seat: str, at: int) -> None:
    """The silent one has written: what the host has asked for is not needed any more, nor is a bot."""
    drop_search(session, seat, at, by=CLOCK)
    dismiss_bot(session, seat, at, by=seat)
