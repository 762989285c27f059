"""How many of the answers that somebody was asked for came in time, over all their games of a year."""

from __future__ import annotations

from typing import NamedTuple

from pbem.host.calendar.zones import DAY
from pbem.host.clock.time_sheet import sheet
from pbem.host.ports import Game
from pbem.host.season.hands import last_seated
from pbem.host.session.actors import BOT
from pbem.host.session.unit_of_work import UnitOfWork

YEAR = 365 * DAY
LEAST = 20  # answers; with fewer nothing is said of anybody


class Reliability(NamedTuple):
    in_time: int
    asked: int

    @property
    def percent(self) -> int | None:
        """None of who was asked for too few answers."""
        return 100 * self.in_time // self.asked if self.asked >= LEAST else None


def reliability(work: UnitOfWork, person: int, now: int) -> Reliability:
    in_time = asked = 0
    for game in work.repository.games_of(person):
        for late in _answers(work, game, person, now - YEAR):
            asked += 1
            in_time += not late
    return Reliability(in_time, asked)


def _answers(work: UnitOfWork, game: Game, person: int, since: int) -> list[bool]:
    """Was each of their own seat's answers late? Those of who sat there before them are not theirs."""
    seats = {member.seat for member in game.members if member.person.id == person}
    done = work.session(game).position.done if game.status in ("running", "finished") else ()
    first = {seat: came.seq if (came := last_seated(done, seat)) else -1 for seat in seats}
    rows = (row for row in sheet(done) if row.seat in seats and row.seq > first[row.seat])
    return [bool(row.late) for row in rows if row.end >= since and not row.void and row.by != BOT]
