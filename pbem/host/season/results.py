"""What a table of a season came to is noted in the transaction that ends its game, and from its log alone.

See docs/reference/procedure.md on the move order sheet, from which lateness and waiting are taken.
"""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct

from pbem.core.outcome import ranks
from pbem.core.seat import Seat
from pbem.host.clock.time_sheet import sheet
from pbem.host.clock.timing import timing_of
from pbem.host.ports import Game
from pbem.host.season.hands import AtTable, answered_half, chairs_of, note_hands, note_late, table_of
from pbem.host.season.telling import tell
from pbem.host.session.actors import CLOCK, petition_number
from pbem.host.session.acts import Ended
from pbem.host.session.petitions import petitions
from pbem.host.session.session import Session
from pbem.host.session.unit_of_work import UnitOfWork
from pbem.league.acts import How, Noted, SeatResult
from pbem.league.endings import places_by_time
from pbem.league.points import points
from pbem.league.settings import Settings
from pbem.league.state import Season, Table


class Outcome(Struct, frozen=True, kw_only=True):
    """How a game ended, and who came where; without places it counts for nobody."""

    how: How
    places: Mapping[Seat, int] = {}
    scores: Mapping[Seat, int] | None = None


def note_result(work: UnitOfWork, game: Game, now: int) -> None:
    """Enter what the game came to, if it is a table whose result nobody knows yet."""
    found = table_of(work, game)
    if found is None or found.table.is_over:
        return
    note_hands(work, game, now)
    note_late(work, game, now)
    outcome = outcome_of(work, game, found.desk.season.settings, now)
    found.desk.enter(now, CLOCK, _noted(found, outcome, work.session(game)))
    tell(work, found.desk, now)


def _noted(found: AtTable, outcome: Outcome, session: Session) -> Noted:
    entry, digest = session.position.count.last, session.position.prev
    if not outcome.places:
        return Noted(table=found.number, how=outcome.how, seats=(), entry=entry, digest=digest, void=True, rated=False)
    scoring, holders = found.desk.season.settings.scoring, found.table.holders
    worth = points(scoring.system, outcome.places, outcome.scores, scoring.places)
    seats = tuple(
        SeatResult(
            seat=chair,
            person=holders.get(chair, chair),
            place=outcome.places[seat],
            score=outcome.scores[seat] if outcome.scores else None,
            points=worth[seat],
            half=answered_half(session, seat),
        )
        for seat, chair in ((seat, chairs_of(session)[seat]) for seat in session.terms.setup.seats)
    )
    return Noted(table=found.number, how=outcome.how, seats=seats, entry=entry, digest=digest)


# -- how it ended ---


def outcome_of(work: UnitOfWork, game: Game, settings: Settings, now: int) -> Outcome:
    """What a game that is over came to, as a season counts it."""
    session = work.session(game)
    ended = next((each.act for each in reversed(session.position.done) if isinstance(each.act, Ended)), None)
    result = session.rules.result(session.state)
    if result is not None:
        agreed = ended is not None or _was_agreed(session)
        return Outcome(how="agreed" if agreed else "played", places=result.places, scores=result.scores)
    if ended is None or ended.by != CLOCK:
        by_petition = ended is not None and petition_number(ended.by) is not None
        return Outcome(how="aborted" if by_petition else "fault")
    return _by_time(work, game, settings, now)


def _was_agreed(session: Session) -> bool:
    known = petitions(session.position.done)
    return any(each.asked.kind == "finish" and each.status == "passed" for each in known)


def _by_time(work: UnitOfWork, game: Game, settings: Settings, now: int) -> Outcome:
    """The standing after the last turn that is complete; the one under way is not closed by force."""
    session = work.session(game)
    scores = _standing(work, game, session)
    if scores is None or settings.limits.unfinished != "standing":
        return Outcome(how="time")
    return Outcome(
        how="time", places=places_by_time(scores, waited(session, now), settings.limits.stall), scores=scores
    )


def _standing(work: UnitOfWork, game: Game, session: Session) -> Mapping[Seat, int] | None:
    """After the last turn that is complete; None in a game without scores."""
    before = work.games.positions(work.repository, game)[session.position.since]
    return session.rules.standing(before.state)


def running_points(work: UnitOfWork, season: Season) -> dict[int, dict[int, int]]:
    """By table that runs: hundredths of each line as it stands now. Those at which a seat has not moved yet are left
    out, and games without scores."""
    found: dict[int, dict[int, int]] = {}
    for table in season.tables.values():
        if table.game and not table.is_over:
            game = work.game(table.game)
            session = work.session(game)
            standing = _standing(work, game, session) if _all_moved(session) else None
            if standing is not None:
                found[table.number] = _worth(season.settings, table, session, standing)
    return found


def _all_moved(session: Session) -> bool:
    moved = {row.seat for row in sheet(session.position.done) if not row.void}
    return moved >= {*session.terms.setup.seats}


def _worth(settings: Settings, table: Table, session: Session, standing: Mapping[Seat, int]) -> dict[int, int]:
    """By line; who has left their seat has nothing there."""
    scoring, chairs = settings.scoring, chairs_of(session)
    worth = points(scoring.system, ranks(standing, ()), standing, scoring.places)
    lines = {chairs[seat]: here for seat, here in worth.items()}
    return {person: here for person, here in lines.items() if table.holders.get(person, person) == person}


def waited(session: Session, now: int) -> dict[Seat, int]:
    """The counted seconds that each seat has taken; time for which somebody is away by right does not count."""
    found = dict.fromkeys(session.terms.setup.seats, 0)
    for row in sheet(session.position.done):
        found[Seat(row.seat)] += 0 if row.void else row.counted
    timing = timing_of(session)
    for slot in session.record.slots():
        if slot.seat in found and slot.started is not None:
            found[Seat(slot.seat)] += timing.counted(slot, now)
    return found
