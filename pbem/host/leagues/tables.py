"""The tables of a season: each is a game like any other, begun without invitations and ended by time at the latest."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from msgspec.structs import replace

from pbem.core.chance import commitment
from pbem.core.seat import Seat
from pbem.host.clock.slots import note
from pbem.host.lobby.gathering import begin
from pbem.host.lobby.invitations import enter_game
from pbem.host.lobby.invitees import free_name
from pbem.host.lobby.whereabouts import away
from pbem.host.ports import Member, Person, SeasonTable
from pbem.host.reporting.publish import publish
from pbem.host.session.actors import CLOCK
from pbem.host.session.acts import Dealt, Ended
from pbem.host.session.season import SeasonDesk
from pbem.host.session.terms import Terms
from pbem.host.session.unit_of_work import UnitOfWork
from pbem.league.acts import Begun, Noted
from pbem.league.state import Table

QUIET = "mine"  # which reports whoever leads the league gets of its tables: they are many


def begin_table(work: UnitOfWork, desk: SeasonDesk, number: int, now: int) -> None:
    """Enter the game of a table and begin it: who enters a league has said yes to its tables."""
    table = desk.season.tables[number]
    chairs = _chairs(work, desk.terms, table, now)
    terms = replace(desk.terms, setup=replace(desk.terms.setup, seats=tuple(Seat(seat) for seat in chairs)))
    leading = [Member(person=each, seat="", reports=QUIET) for each in organisers(work, desk, table)]
    game = enter_game(work, terms, [member for member, _, _ in chairs.values()], now, leading)
    work.repository.add_table(SeasonTable(game=game.id, season=desk.tag, number=number))
    people = {seat: chair for seat, (_, chair, _) in chairs.items()}
    positions = {seat: position for seat, (_, _, position) in chairs.items() if position}
    begin(work, game, now, Dealt(by=CLOCK, season=desk.tag, table=number, people=people, positions=positions))
    desk.enter(now, CLOCK, Begun(table=number, game=game.id, commitment=commitment(game.secret)))


def _chairs(work: UnitOfWork, terms: Terms, table: Table, now: int) -> Mapping[str, tuple[Member, int, str]]:
    """By the name of the seat: who sits there, whose chair it is by the draw, and its position."""
    assert table.drawn is not None, "what is sealed does not begin"
    found: dict[str, tuple[Member, int, str]] = {}
    for chair in table.drawn.chairs:
        holder = table.holders.get(chair.person, chair.person)
        person = None if holder is None else work.repository.person(holder)
        assert person is not None, "a table begins when somebody is there for each chair"
        seat = free_name(terms, person.address, [*found], work.games.secrets)
        found[seat] = (Member(person=person, seat=seat, joined=now), chair.person, chair.position)
    return found


def organisers(work: UnitOfWork, desk: SeasonDesk, table: Table | None = None) -> list[Person]:
    """Who leads the league, and may lead this table: nobody leads one of their own group."""
    season = desk.season
    group = season.groups.get(table.drawn.group, ()) if table and table.drawn else ()
    own = {*group, *(table.seated if table else ())}
    known = [work.repository.person(number) for number in season.leaders]
    return [person for person in known if person is not None and person.id not in own]


def end_table(work: UnitOfWork, desk: SeasonDesk, number: int, now: int) -> None:
    """Its time is over. A game that runs ends, and its result is noted with that; one that has not begun is void."""
    table = desk.season.tables[number]
    if not table.game:
        desk.enter(now, CLOCK, Noted(table=number, how="time", seats=(), void=True, rated=False))
        return
    game = work.game(table.game)
    note(work.session(game), now, Ended(by=CLOCK))
    publish(work, game, now)


def absent(work: UnitOfWork, people: Iterable[int], now: int) -> dict[int, int]:
    """Until when those of them are away who are now."""
    spans = {person: away(work, person, now) for person in sorted(people)}
    return {person: span.end for person, span in spans.items() if span is not None and span.start <= now}
