"""Who sits at a table of a season: its chairs are those of the draw, whoever holds them now."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec import Struct

from pbem.host.clock.time_sheet import lateness, sheet
from pbem.host.ports import Game
from pbem.host.session.absences import held
from pbem.host.session.actors import CLOCK, petition_number
from pbem.host.session.acts import Done, Ejected, Seated, dealt
from pbem.host.session.petitions import about_seat, petitions
from pbem.host.session.season import SeasonDesk
from pbem.host.session.session import Session
from pbem.host.session.unit_of_work import UnitOfWork
from pbem.league.acts import ChangedHands, Late, SeatSought
from pbem.league.state import Table

Chairs = Mapping[str, int]  # by seat: whose chair it was by the draw


class AtTable(Struct, frozen=True):
    """A game in its season."""

    desk: SeasonDesk
    number: int

    @property
    def table(self) -> Table:
        return self.desk.season.tables[self.number]


def table_of(work: UnitOfWork, game: Game) -> AtTable | None:
    """None for a game of no league, and for one that is played anew under another id."""
    row = work.repository.table_of(game.id)
    if row is None:
        return None
    found = AtTable(work.season(row.season), row.number)
    return found if row.number in found.desk.season.tables and found.table.game == game.id else None


def rivals(work: UnitOfWork, game: Game) -> frozenset[int]:
    """Who plays for a line of the same group: none of them may gain by a seat there."""
    found = table_of(work, game)
    group = found.table.drawn.group if found and found.table.drawn else ""
    return frozenset(found.desk.season.groups.get(group, ()) if found else ())


def chairs_of(session: Session) -> Chairs:
    found = dealt(session.position.done)
    return found.people if found else {}


def note_hands(work: UnitOfWork, game: Game, now: int) -> None:
    """Enter whose seats somebody else holds than the season knows of, and by how much who left them was late."""
    found = table_of(work, game)
    if found is None or found.table.is_over:
        return
    session = work.session(game)
    holders = holders_of(game, session)
    for seat, chair in chairs_of(session).items():
        before = found.table.holders.get(chair, chair)
        if holders[seat] != before:
            _changed(found, session, seat, chair, holders[seat], now)


def note_search(work: UnitOfWork, game: Game, now: int) -> None:
    """Enter for which seats others were asked, and for which nobody is looked any more."""
    found = table_of(work, game)
    if found is None or found.table.is_over:
        return
    known = found.table.searches
    sought = {each.number: len(each.offered) for each in about_seat(work.session(game).position.done)}
    for number in sorted({*known, *sought}):
        asked = sought.get(number, 0)
        before = known[number].asked if number in known else 0
        if number in sought and asked != before:
            found.desk.enter(now, CLOCK, SeatSought(table=found.number, search=number, asked=asked))
        elif number not in sought and not known[number].filled:
            found.desk.enter(now, CLOCK, SeatSought(table=found.number, search=number, asked=before, filled=True))


def holders_of(game: Game, session: Session) -> Mapping[str, int | None]:
    """By seat; None where a bot answers, or nobody."""
    done = session.position.done
    empty = {*held(done), *ejected(done)}
    sitting = {member.seat: member.person.id for member in game.members if member.seat not in empty}
    return {seat: sitting.get(seat) for seat in session.terms.setup.seats}


def ejected(done: Sequence[Done]) -> frozenset[str]:
    """The seats whose players have lost them, and that nobody has taken yet."""
    gone: set[str] = set()
    for each in done:
        if isinstance(each.act, Ejected):
            gone.add(each.act.seat)
        elif isinstance(each.act, Seated):
            gone.discard(each.act.seat)
    return frozenset(gone)


def _changed(found: AtTable, session: Session, seat: str, chair: int, comes: int | None, now: int) -> None:
    done = session.position.done
    changed = _last_changed(done, seat)
    leaves = found.table.holders.get(chair, chair)
    if changed is not None and leaves is not None:
        before = [each for each in done if each.seq < changed.seq]
        _late(found, leaves, lateness(before).get(seat, 0), now)
    act = ChangedHands(
        table=found.number,
        seat=chair,
        leaves=leaves,
        comes=comes,
        leave=changed is not None and _is_by_hand(changed),
        silent=changed is not None and _is_for_silence(session, changed),
        entry=session.position.count.last,
    )
    found.desk.enter(now, CLOCK, act)


def last_seated(done: Sequence[Done], seat: str) -> Done | None:
    """Since when somebody else than at the beginning sits there."""
    mine = (each for each in reversed(done) if isinstance(each.act, Seated) and each.act.seat == seat)
    return next(mine, None)


def _last_changed(done: Sequence[Done], seat: str) -> Done | None:
    """Since when who sat there sits there no more."""
    mine = (each for each in reversed(done) if isinstance(each.act, Seated | Ejected) and each.act.seat == seat)
    return next(mine, None)


def answered_half(session: Session, seat: str) -> bool:
    """Did who sits there now answer at least half of what was asked there since?"""
    seated = last_seated(session.position.done, seat)
    since = seated.seq if seated else 0
    rows = [row for row in sheet(session.position.done) if row.seat == seat and row.seq > since]
    return 2 * sum(row.by == seat for row in rows) >= len(rows)


def _is_by_hand(changed: Done) -> bool:
    """Did whoever leads the game replace them?"""
    return isinstance(changed.act, Seated) and petition_number(changed.act.by) is None


def _is_for_silence(session: Session, changed: Done) -> bool:
    """Have the others replaced them since the host asked for it?"""
    number = petition_number(changed.act.by)
    known = (each for each in petitions(session.position.done) if each.number == number)
    return any(each.asked.by == CLOCK and not each.asked.is_vacancy for each in known)


def note_late(work: UnitOfWork, game: Game, now: int) -> None:
    """Enter by how much those were late who sit there at the end of the table."""
    found = table_of(work, game)
    if found is None:
        return
    session = work.session(game)
    late, holders = lateness(session.position.done), holders_of(game, session)
    for seat in chairs_of(session):
        _late(found, holders[seat], late.get(seat, 0), now)


def _late(found: AtTable, person: int | None, periods: int, now: int) -> None:
    if person is not None and periods:
        found.desk.enter(now, CLOCK, Late(person=person, table=found.number, periods=periods))
