"""A seat changes hands: points, services and ratings in each way that it can."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import pytest

from pbem.league import acts
from pbem.league.figures import charges, group_standings, rated_table, services
from pbem.league.ratings import RatedSeat
from pbem.league.settings import Groups, Leaving
from tests.league.played import Play, noted, settings

SIX = settings(format="series", groups=Groups(size=6, least=6), leaving=Leaving(cost=2))
ZOE, YVES = 71, 72  # who play for no line
Hands = Sequence[tuple[int | None, bool]]  # who comes, and was it by leave


class Way(NamedTuple):
    hands: Hands
    line: int  # hundredths of who sat there first
    played: int
    off: int  # hundredths that it costs
    services: Sequence[tuple[int, int]]  # person, hundredths
    rated: RatedSeat | None  # of the seat; None: as it was drawn


WAYS = {  # the seat comes first at its table: 10 points
    "nobody leaves": Way((), 1000, 1, 0, (), None),
    "with leave": Way([(ZOE, True)], 0, 0, 0, [(ZOE, 1000)], RatedSeat(person=ZOE, place=1, how="upwards")),
    "without leave": Way([(ZOE, False)], 0, 1, 200, [(ZOE, 1000)], RatedSeat(person=ZOE, place=1, how="upwards", leaver=1)),
    "to a bot": Way([(None, False)], 0, 1, 200, (), RatedSeat(person=None, place=1, how="upwards", leaver=1)),
    "to one after the other": Way(
        [(ZOE, False), (YVES, True)], 0, 1, 200, [(ZOE, 500), (YVES, 1000)],
        RatedSeat(person=YVES, place=1, how="upwards", leaver=1),
    ),
    "to a bot, and then to somebody": Way(
        [(None, False), (ZOE, True)], 0, 1, 200, [(ZOE, 1000)], RatedSeat(person=ZOE, place=1, how="upwards", leaver=1)
    ),
}  # fmt: skip


def played(hands: Hands, *, half: bool = True) -> tuple[Play, int, int]:
    """A season with one table over; its number, and whose seat it was."""
    play = Play(SIX, 6)
    play.play(lambda what: what.what == "warn")
    table = next(each for each in play.season.tables.values() if each.begun is not None)
    first = holder = table.people[0]
    for comes, leave in hands:
        play.do(acts.ChangedHands(table=table.number, seat=first, leaves=holder, comes=comes, leave=leave))
        holder = comes  # type: ignore[assignment]
    table = play.season.tables[table.number]
    scores = {person: 60 - 10 * place for place, person in enumerate(table.people)}
    act = noted(play.season, table, scores)
    seats = tuple(acts.SeatResult(**{**_fields(seat), "half": half}) for seat in act.seats)
    play.do(acts.Noted(table=act.table, how=act.how, seats=seats))
    return play, table.number, first


def _fields(seat: acts.SeatResult) -> dict[str, object]:
    return {name: getattr(seat, name) for name in seat.__struct_fields__}


@pytest.mark.parametrize("way", WAYS.values(), ids=WAYS)
def test_who_gets_what_for_a_seat(way: Way) -> None:
    play, number, first = played(way.hands)
    season = play.season
    row = next(row for row in group_standings(season, "1a") if row.line == first)
    assert (row.points + way.off, row.played) == (way.line, way.played)
    assert charges(season, season.people[first]).off == way.off
    assert [(person, worth) for person, table, worth in services(season) if table == number] == [*way.services]
    seat = rated_table(season, season.tables[number]).seats[0]
    wanted = way.rated or RatedSeat(person=first, place=1)
    assert seat == RatedSeat(
        person=wanted.person, place=1, how=wanted.how, leaver=first if wanted.leaver is not None else None
    )
    others = [row for row in group_standings(season, "1a") if row.line in season.tables[number].people[1:]]
    assert sorted(row.points for row in others) == [100, 300, 600]  # nobody gains by it


def test_who_answered_less_than_half_is_not_rated_for_it() -> None:
    play, number, _ = played([(ZOE, True)], half=False)
    assert rated_table(play.season, play.season.tables[number]).seats[0].how == "not"


def test_an_excuse_takes_all_costs_back() -> None:
    play, number, first = played([(ZOE, False)])
    play.do(acts.Excused(person=first))
    season = play.season
    assert charges(season, season.people[first]).off == 0
    assert next(row.played for row in group_standings(season, "1a") if row.line == first) == 0
    assert rated_table(season, season.tables[number]).seats[0].leaver is None
