"""Points, standings with every word that breaks ties, and movement between divisions."""

from __future__ import annotations

from fractions import Fraction
from itertools import permutations
from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.core.outcome import ranks
from pbem.core.refusal import Illegal
from pbem.league.movement import cut, moved, parted, snake
from pbem.league.points import MEAN, System, is_fair, points
from pbem.league.ranking import Charges, Finish, Row, Table, Tie, across, standings
from tests.league.vectors import NAMES, NUMBER, STANDINGS, VECTORS, WORKED, by_number

LISTS = {2: [8, 2], 3: [9, 5, 1], 4: [10, 6, 3, 1], 5: [11, 7, 4, 2, 1], 6: [12, 8, 5, 3, 1, 1]}
TIES: tuple[Tie, ...] = ("wins", "direct", "seconds", "strength", "share", "late", "lot")
SYSTEMS: tuple[System, ...] = get_args(System)


def of(system: System, scores: dict[str, int], winners: set[str]) -> list[int]:
    return [*points(system, ranks(scores, winners), scores, LISTS).values()]


# -- points ---


def test_points_to_the_letter() -> None:
    four, won = {"anton": 62, "bert": 55, "claudia": 55, "daniel": 31}, {"anton"}
    assert of("places", four, won) == [1000, 450, 450, 100]
    assert of("share", four, won) == [3054, 2709, 2709, 1527]
    assert of("squares", four, won) == [3541, 2786, 2786, 885]
    assert of("winner", four, won) == [2000, 0, 0, 0]
    assert of("tribute", four, won) == [862, 444, 444, 250]
    six = dict(zip("abcdef", (62, 62, 40, 31, 30, 12), strict=True))
    assert of("places", six, {"a"}) == [1200, 800, 500, 300, 100, 100]
    assert of("winner", six, {"a"}) == [3000, 0, 0, 0, 0, 0]
    assert of("places", six, {"a", "b"}) == [1000, 1000, 500, 300, 100, 100]
    assert of("winner", six, {"a", "b"}) == [1500, 1500, 0, 0, 0, 0]
    three = dict(zip("abc", (48, 44, 9), strict=True))
    told = {"places": [900, 500, 100], "share": [3564, 3267, 668], "squares": [3999, 3360, 140], "winner": [1500, 0, 0]}
    for system, worth in {**told, "tribute": [947, 459, 94]}.items():
        assert of(system, three, {"a"}) == worth  # type: ignore[arg-type]


def test_points_of_the_reference() -> None:
    for case in VECTORS["points"]:
        scores, winners = case["scores"], {*case["winners"]}
        places = ranks(scores, winners)
        assert places == case["places"]
        assert points("places", places, scores, LISTS) == case["places_points"]
        for system in SYSTEMS[1:]:
            assert points(system, places, scores, LISTS) == case[system]


SCORES = st.lists(st.integers(0, 90), min_size=2, max_size=6).map(lambda each: dict(enumerate(each)))


@given(SCORES)
def test_every_seat_has_the_same_mean_and_a_better_place_never_gets_less(scores: dict[int, int]) -> None:
    winners = {seat for seat, score in scores.items() if score == max(scores.values())}
    places = ranks(scores, winners)
    for system in SYSTEMS:
        worth = points(system, places, scores, LISTS)
        assert 0 <= MEAN[system] * len(scores) - sum(worth.values()) < len(scores)
        for one, other in permutations(scores, 2):
            assert places[one] >= places[other] or worth[one] >= worth[other]
        named = {f"s{seat}": score for seat, score in reversed(scores.items())}
        renamed = points(system, ranks(named, {f"s{seat}" for seat in winners}), named, LISTS)
        assert renamed == {f"s{seat}": each for seat, each in worth.items()}


def test_a_game_without_scores_has_places_and_winners_only() -> None:
    places = {"a": 2, "b": 1, "c": 2}
    assert points("places", places, None, LISTS) == {"a": 300, "b": 900, "c": 300}
    assert points("winner", places, None, LISTS) == {"a": 0, "b": 1500, "c": 0}
    with pytest.raises(ValueError, match="needs scores"):
        points("share", places, None, LISTS)


def test_lists_are_fair_where_their_means_are_the_same() -> None:
    assert is_fair(LISTS)
    assert not is_fair({**LISTS, 3: [9, 5, 2]})


# -- standings ---


def test_the_standings_to_the_letter() -> None:
    tables = []
    for seats in WORKED:
        scores = {NUMBER[name]: score for name, _, score, _ in seats}
        places = ranks(scores, [seat for seat, score in scores.items() if score == max(scores.values())])
        worth = points("places", places, scores, LISTS)
        assert [*worth.values()] == [each[3] for each in seats]
        tables.append([Finish(line=one, place=places[one], points=worth[one], score=scores[one]) for one in scores])
    charges = {NUMBER["emil"]: Charges(off=100), NUMBER["bert"]: Charges(late=2)}
    rows = standings([*NUMBER.values()], tables, TIES, {n: -n for n in NUMBER.values()}, charges)
    found = [(NAMES[row.line - 1], row.played, *told(row)) for row in rows]
    assert found == STANDINGS
    assert [row.place for row in rows] == [*range(1, 8)]


def told(row: Row) -> tuple[int, ...]:
    return row.points, row.wins, row.direct, row.seconds, row.strength, row.share, row.late


def test_standings_of_the_reference() -> None:
    for case in VECTORS["standings"]:
        tables = []
        for plain in case["tables"]:
            scores = by_number(plain)
            places = ranks(scores, {seat for seat, score in scores.items() if score == max(scores.values())})
            worth = points("places", places, scores, LISTS)
            tables.append([Finish(line=one, place=places[one], points=worth[one], score=scores[one]) for one in scores])
        late, off = by_number(case["late"]), by_number(case["off"])
        charges = {line: Charges(off=off[line], late=late[line]) for line in off}
        rows = standings([*off], tables, TIES, by_number(case["lots"]), charges)
        assert [[row.line, row.played, *told(row)] for row in rows] == case["rows"]


def table(*seats: tuple[int | None, int | None, int] | tuple[int | None, int | None, int, int]) -> Table:
    return [Finish(line=s[0], place=s[1], points=s[2], score=s[3] if len(s) == 4 else None) for s in seats]


def first(tables: list[Table], tie: Tie, late: int = 0) -> int:
    """Who is first by this word and then by lot, which is for 2."""
    ties = dict.fromkeys((tie, "lot"))
    charges = {2: Charges(late=late)}
    return standings([1, 2, 3, 4], tables, [*ties], {1: 3, 2: 0, 3: 1, 4: 2}, charges)[0].line  # type: ignore[list-item]


def test_each_word_decides() -> None:
    twice: list[Table] = [table((1, 1, 600), (3, 2, 0)), table((2, 2, 300), (4, 3, 0)), table((2, 2, 300), (4, 3, 0))]
    met: list[Table] = [table((1, 1, 500), (2, 2, 100)), table((2, 1, 400), (3, 2, 0))]
    strong: list[Table] = [table((1, 3, 500), (3, 2, 100)), table((2, 3, 500), (4, 4, 50))]
    shared: list[Table] = [table((1, 2, 500, 60), (3, 1, 0, 60)), table((2, 2, 500, 50), (4, 1, 0, 60))]
    assert first(twice, "lot") == 2
    assert first(twice, "wins") == 1
    assert first(met, "lot") == 2
    assert first(met, "direct") == 1
    assert first([table((1, 2, 500), (3, 3, 0)), table((2, 3, 500), (4, 4, 0))], "seconds") == 1
    assert first(strong, "strength") == 1
    assert first(shared, "share") == 1
    assert first(strong, "late", late=1) == 1
    assert first(strong, "late") == 2
    assert {"wins", "direct", "seconds", "strength", "share", "late", "lot"} == {*get_args(Tie)}


def test_what_a_shared_win_and_a_seat_of_nobody_count() -> None:
    rows = standings([1, 2], [table((1, 1, 800), (None, 1, 800), (2, 3, 300))], TIES, {1: 0, 2: 1})
    assert [(row.line, row.wins, row.strength) for row in rows] == [(1, 30, 300), (2, 0, 800)]


def test_who_left_has_played_and_the_best_so_many_count() -> None:
    tables = [
        table((1, None, 0), (None, 1, 1000), (2, 2, 600)),
        table((1, 1, 900), (2, 2, 500)),
        table(
            (2, 2, 400),
        ),
    ]
    rows = standings([1, 2], tables, TIES, {1: 0, 2: 1}, counted=2)
    assert [(row.line, row.points, row.played, row.direct) for row in rows] == [(2, 1100, 3, 0), (1, 900, 2, 0)]


def test_places_of_different_groups_compare_by_the_mean() -> None:
    def row(line: int, place: int, played: int, points: int, **more: int) -> Row:
        rest = dict.fromkeys(("wins", "direct", "seconds", "strength", "share", "late"), 0)
        return Row(line=line, place=place, played=played, points=points, **{**rest, **more})

    groups = [[row(1, 1, 4, 2000), row(2, 2, 4, 1500)], [row(3, 1, 3, 1600), row(4, 2, 3, 1125, wins=60)]]
    assert [each.line for each in across(groups, {line: line for line in range(5)})] == [3, 1, 4, 2]
    assert row(1, 1, 3, 1000).mean[0] == Fraction(1000, 3)


# -- movement ---

LEVELS = [[f"{level}{number}" for number in range(1, size + 1)] for level, size in (("a", 7), ("b", 14), ("c", 12))]
PEOPLE = [person for level in LEVELS for person in level]


def names(numbers: list[int]) -> str:
    return " ".join(PEOPLE[number] for number in numbers)


def after(gone: str) -> list[str]:
    levels = [[PEOPLE.index(person) for person in level] for level in LEVELS]
    return [names(level) for level in moved(levels, [2, 4], {PEOPLE.index(each) for each in gone.split()}, [])]


def test_movement_to_the_letter() -> None:
    assert after("")[0] == "a1 a2 a3 a4 a5 b1 b2"
    assert after("")[1] == "a6 a7 b3 b4 b5 b6 b7 b8 b9 b10 c1 c2 c3 c4"
    assert after("")[2] == "b11 b12 b13 b14 c5 c6 c7 c8 c9 c10 c11 c12"
    one = after("a3")
    assert one[0] == "a1 a2 a4 a5 a6 b1 b2"
    assert one[1] == "a7 b3 b4 b5 b6 b7 b8 b9 b10 b11 c1 c2 c3 c4"
    assert one[2].startswith("b12 b13 b14 c5")
    three = after("a3 a5 b9")
    assert three[0] == "a1 a2 a4 a6 b1 b2 b3"
    assert three[1] == "a7 b4 b5 b6 b7 b8 b10 b11 b12 c1 c2 c3 c4 c5"


def test_movement_of_the_reference() -> None:
    for case in VECTORS["movement"]:
        assert moved(case["levels"], case["swap"], {*case["gone"]}, case["new"]) == case["next"]


@given(
    st.lists(st.integers(4, 12), min_size=1, max_size=4),
    st.sets(st.integers(0, 47)),
    st.integers(0, 9),
    st.integers(1, 3),
)
def test_sizes_above_the_lowest_stay_and_nobody_is_lost(sizes: list[int], gone: set[int], new: int, swap: int) -> None:
    people = iter(range(100))
    levels = [[next(people) for _ in range(size)] for size in sizes]
    newcomers = [*range(100, 100 + new)]
    made = moved(levels, [swap] * (len(sizes) - 1), gone, newcomers)
    stayed = [person for level in levels for person in level if person not in gone]
    assert sorted(person for level in made for person in level) == sorted([*stayed, *newcomers])
    for number, size in enumerate(sizes[:-1]):
        below = [person for level in made[number + 1 :] for person in level if person < 100]
        assert len(made[number]) == size or not below


def test_the_order_is_cut_and_dealt_as_a_snake() -> None:
    assert cut(range(10), [(2, 2), (3, 3)]) == [[0, 1, 2, 3], [4, 5, 6, 7, 8, 9]]
    assert snake(range(7), (3, 2, 2)) == [[0, 5, 6], [1, 4], [2, 3]]
    assert snake((), (0,)) == [[]]


@given(st.integers(2, 4), st.sets(st.tuples(st.integers(0, 23), st.integers(0, 23)), max_size=4))
def test_who_is_kept_apart_comes_into_different_groups(groups: int, wishes: set[tuple[int, int]]) -> None:
    apart = {(a, b) for a, b in wishes if a < b < groups * 6}
    order = [*range(groups * 6)]
    made = parted(snake(order, [6] * groups), order, apart)
    assert sorted(map(len, made)) == [6] * groups
    assert not any({*two} <= {*group} for two in apart for group in made)


def test_a_division_of_one_group_can_not_keep_them_apart() -> None:
    with pytest.raises(Illegal) as refused:
        parted([[1, 2, 3]], [1, 2, 3], {(1, 3)})
    assert (refused.value.code, refused.value.facts) == ("league.apart", {"people": (1, 3)})
    assert parted([[1, 2], [3, 4]], [1, 2, 3, 4], {(1, 2)}) == [[1, 3], [2, 4]]
