"""Ratings: the table of the contract, openskill, orders of seats, corrections, seats that changed hands."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace
from openskill.models import BradleyTerryFull

from pbem.league.ratings import NEW, RatedSeat, RatedTable, Rating, Strength, after, counted, listed

STRENGTHS = st.lists(st.tuples(st.floats(0, 50), st.floats(1, 9)), min_size=2, max_size=6)
MODEL = BradleyTerryFull()


def shown(strengths: list[Strength]) -> list[tuple[float, float]]:
    return [(round(each.mu, 4), round(each.sigma, 4)) for each in strengths]


def test_the_table_from_new() -> None:
    sigma = {2: 8.066, 3: 7.789, 4: 7.502, 5: 7.203, 6: 6.891}
    mu = [38.177, 35.542, 32.906, 30.271, 27.635, 25.000, 22.365, 19.729, 17.094, 14.458, 11.823]
    for seats, left in sigma.items():
        found = after([NEW] * seats, range(1, seats + 1))
        assert [round(each.mu, 3) for each in found] == mu[6 - seats : 5 + seats : 2]
        assert {round(each.sigma, 3) for each in found} == {left}
    tied = after([NEW] * 4, (1, 2, 2, 4))
    assert [round(each.mu, 3) for each in tied] == [32.906, 25.0, 25.0, 17.094]


def test_the_mixed_table() -> None:
    before = [Strength(29.2, 5.1), NEW, Strength(27.4, 6.0), Strength(22.8, 4.2)]
    told = [(30.0145, 4.8437), (34.6602, 7.0368), (21.6880, 5.5330), (22.5924, 4.0768)]
    assert shown(after(before, (2, 1, 4, 3))) == told


@given(STRENGTHS, st.randoms(use_true_random=False))
def test_it_is_openskill_and_the_order_of_seats_does_not_matter(own: list[tuple[float, float]], luck: object) -> None:
    before = [Strength(*each) for each in own]
    places = [1 + n // 2 * 2 for n in range(len(own))]
    luck.shuffle(places)  # type: ignore[attr-defined]
    found = after(before, places)
    teams = [[MODEL.rating(mu=mu, sigma=sigma)] for mu, sigma in before]
    for (theirs,), ours in zip(MODEL.rate(teams, ranks=[float(p) for p in places]), found, strict=True):
        assert (theirs.mu, theirs.sigma) == pytest.approx(ours, abs=1e-9)
    for ours, turned in zip(found, after(before[::-1], places[::-1])[::-1], strict=True):
        assert ours == pytest.approx(turned, abs=1e-9)


# -- all games ---


def table(end: int, *seats: RatedSeat) -> RatedTable:
    return RatedTable(end=end, game=f"imp-{end}", seats=seats)


def seat(person: int, place: int, **more: object) -> RatedSeat:
    return RatedSeat(person=person, place=place, **more)  # type: ignore[arg-type]


WAS = {1: Rating(mu=27.0, sigma=5.5, games=9), 2: Rating(mu=23.0, sigma=6.5), 3: Rating(mu=24.0, sigma=6.0), 4: Rating(mu=26.0, sigma=5.0)}  # fmt: skip


def test_a_seat_that_changed_hands() -> None:
    """The substitute is 2, whose rating rises; who left is 5, and new."""
    now = counted(WAS, [table(1, seat(1, 2), seat(2, 1, how="upwards", leaver=5), seat(3, 3), seat(4, 4))])
    told = {
        1: (28.0536, 5.1459),
        2: (29.9114, 5.8798),
        3: (22.7280, 5.5192),
        4: (21.9226, 4.7461),
        5: (16.2849, 7.0835),
    }
    assert {person: (round(each.mu, 4), round(each.sigma, 4)) for person, each in now.items()} == told
    assert {each.games for each in now.values()} == {1, 10}


def test_a_substitute_only_rises() -> None:
    lost = table(1, seat(1, 1), seat(2, 4, how="upwards"), seat(3, 2), seat(4, 3))
    mostly_away = table(1, seat(1, 2), seat(2, 1, how="not"), seat(3, 3), seat(4, 4))
    for each in (lost, mostly_away):
        now = counted(WAS, [each])
        assert now[2] == WAS[2]
        assert now[1] != WAS[1]


def test_alone_nobody_is_rated() -> None:
    assert counted(WAS, [table(1, seat(1, 1))]) == WAS


@given(st.lists(st.permutations([1, 2, 3, 4]), min_size=2, max_size=6), st.integers(0, 5))
def test_a_correction_equals_counting_anew(results: list[list[int]], wrong: int) -> None:
    tables = [
        table(end, *(seat(person, place) for person, place in enumerate(places))) for end, places in enumerate(results)
    ]
    wrong %= len(tables)
    right = replace(tables[wrong], seats=tables[wrong].seats[::-1])
    mended = [*tables[:wrong], right, *tables[wrong + 1 :]]
    assert counted(counted({}, tables[:wrong]), mended[wrong:]) == counted({}, mended[::-1])


def test_the_list_has_the_settled_first_and_those_who_play() -> None:
    year = 365 * 24 * 3600
    ratings = {
        1: Rating(mu=20.0, sigma=2.0, games=8, last=0),
        2: Rating(mu=40.0, sigma=2.0, games=7, last=0),
        3: Rating(mu=30.0, sigma=2.0, games=8, last=-1),
        4: Rating(mu=25.0, sigma=2.0, games=9, last=0),
    }
    assert [person for person, _ in listed(ratings, year)] == [4, 1, 2]
    assert ratings[1].rounded() == ratings[1]
    assert math.isclose(Rating(mu=1 / 3).rounded().mu, 0.333333333, abs_tol=0)


def test_who_left_a_seat_to_a_bot_is_read_as_last_of_the_others() -> None:
    now = counted({}, [table(1, seat(1, 1), RatedSeat(person=None, place=2, leaver=5), seat(3, 3))])
    two, three = after([NEW] * 2, (1, 2)), after([NEW] * 3, (1, 4, 3))
    assert [now[person].strength for person in (1, 3, 5)] == [*two, three[1]]
