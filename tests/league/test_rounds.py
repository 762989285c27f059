"""Drawn tables: the seasons of the reference draw by draw, apart, meetings, and the pool."""

from __future__ import annotations

from collections.abc import Set
from itertools import combinations
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from pbem.core.chance import draw
from pbem.league.lots import chain, key_of
from pbem.league.points import by_places
from pbem.league.pool import MILLION, Matching, Waiting, match
from pbem.league.rounds import Drawn, Field, pair, round_tables
from pbem.league.sizes import table_sizes
from tests.league.vectors import VECTORS, by_number

PLACES = {3: (9, 5, 1), 4: (10, 6, 3, 1), 5: (11, 7, 4, 2, 1), 6: (12, 8, 5, 3, 1, 1)}


class Season:
    """Draw after draw; results follow half from a fixed strength, half from lots, as in the reference."""

    def __init__(self, players: int, seed: str, **kept: Any) -> None:
        self.links = chain(seed, 64)
        self.by_lot = kept.pop("by_lot", False)
        sizes = table_sizes(players, kept.get("wanted", 4), kept.pop("allowed", (3, 4, 5)))
        nothing = dict.fromkeys(range(players), 0)
        self.field = Field(players=(*nothing,), sizes=sizes, score=nothing, **{"wanted": 4, **kept})
        self.strength = {player: draw(b"strength", str(player), 1000) for player in nothing}
        self.again: list[int] = []

    def next(self) -> Drawn:
        number = len(self.again) + 1
        seen = replace(self.field, score=dict.fromkeys(self.field.players, 0)) if self.by_lot else self.field
        drawn = round_tables(seen, key_of(self.links[number], {"draw": number}))
        assert sorted(player for table in drawn.tables for player in table) == [*self.field.players]
        pairs = [pair(*two) for table in drawn.tables for two in combinations(table, 2)]
        self.again.append(sum(two in self.field.met for two in pairs))
        self._play(number, drawn, pairs)
        return drawn

    def _play(self, number: int, drawn: Drawn, pairs: list[tuple[int, int]]) -> None:
        met, short, score = {**self.field.met}, {**self.field.short}, {**self.field.score}
        for two in pairs:
            met[two] = met.get(two, 0) + 1
        for table in drawn.tables:
            for player in table if len(table) < self.field.wanted else ():
                short[player] = short.get(player, 0) + 1
            worth = {each: self.strength[each] + draw(b"results", f"{number} {each}", 1000) for each in table}
            order = sorted(table, key=lambda each: (-worth[each], each))
            for player, points in by_places(
                {each: place for place, each in enumerate(order, 1)}, PLACES[len(table)]
            ).items():
                score[player] += points
        self.field = replace(self.field, met=met, short=short, score=score)


@pytest.mark.slow
def test_the_seasons_of_the_reference_draw_by_draw() -> None:
    for case in VECTORS["rounds"]:
        hours = by_number(case["hours"]) if case["hours"] else {}
        apart = frozenset(pair(*two) for two in case["apart"])
        season = Season(
            case["players"],
            case["seed"],
            wanted=case["wanted"],
            allowed=case["allowed"],
            apart=apart,
            hours=hours,
            by_lot=case["lots"],
        )
        for told in case["draws"]:
            drawn = season.next()
            assert (drawn.cost, drawn.attempt, drawn.tables) == (told["cost"], told["attempt"], told["tables"])


def test_nobody_meets_again_in_three_draws_from_eighteen_players_on() -> None:
    for number in range(26):  # each number of players twice
        season = Season(18 + number % 13, f"{number:02x}" * 32)
        for _ in range(3):
            season.next()
        assert season.again == [0, 0, 0]


def can_part(left: tuple[int, ...], sizes: list[int], met: Set[tuple[int, int]], tries: list[int]) -> bool | None:
    """Can they be seated with nobody met before? By trying all there is; None where that takes too long."""
    if not left:
        return True
    tries[0] -= 1
    others = [each for each in left[1:] if pair(left[0], each) not in met]
    for size in dict.fromkeys(sizes):
        rest = [*sizes]
        rest.remove(size)
        for chosen in combinations(others, size - 1):
            if tries[0] < 0:
                return None
            if not any(pair(*two) in met for two in combinations(chosen, 2)):
                behind = tuple(each for each in left[1:] if each not in chosen)
                if (found := can_part(behind, rest, met, tries)) is not False:
                    return found
    return False


@pytest.mark.parametrize("players", range(16, 25))
def test_nobody_meets_again_where_an_exhaustive_search_finds_a_way(players: int) -> None:
    """A second opinion: where all that can be was looked at, and it can be, so it is drawn.

    The contract's own calculation misses a way in a third draw now and then: 5 of 720 second and third draws.
    """
    found, missed = 0, []
    for number in range(6):
        season = Season(players, f"{players:02x}{number:02x}" * 16)
        for draws in (1, 2, 3):
            met = {*season.field.met}
            able = can_part((*range(players),), [*season.field.sizes], met, [4_000])
            season.next()
            found += able is True
            missed += [draws] if able and season.again[-1] else []
    assert found >= 6  # of eighteen: a search that always gives up would prove nothing
    assert missed in ([], [3])


@given(
    st.integers(16, 30), st.sets(st.tuples(st.integers(0, 29), st.integers(0, 29)), max_size=8), st.binary(min_size=1)
)
def test_who_is_kept_apart_never_meets(players: int, wishes: set[tuple[int, int]], key: bytes) -> None:
    apart = frozenset(pair(*two) for two in wishes if two[0] != two[1] and max(two) < players)
    season = Season(players, "ab" * 32, apart=apart)
    for _ in range(2):
        for table in season.next().tables:
            assert not {pair(*two) for two in combinations(table, 2)} & apart


def test_the_order_in_which_things_are_handed_over_changes_nothing() -> None:
    season = Season(23, "42" * 32)
    season.next(), season.next()
    turned = replace(
        season.field, met=dict(reversed(season.field.met.items())), score=dict(reversed(season.field.score.items()))
    )
    assert round_tables(turned, b"k") == round_tables(season.field, b"k")
    other = replace(season.field, score={**season.field.score, 3: season.field.score[3] + 5})
    assert key_of("ab", {"scores": [*other.score.items()]}) != key_of("ab", {"scores": [*season.field.score.items()]})


def test_one_of_each_pot_sits_at_a_table() -> None:
    strength = {player: 40.0 - player for player in range(22)}
    field = Field(
        players=(*range(22),),
        sizes=table_sizes(22, 4, (3, 4, 5)),
        wanted=4,
        score=dict.fromkeys(range(22), 0),
        strength=strength,
        apart=frozenset([(0, 7)]),
    )
    drawn = round_tables(field, b"pots")
    for table in drawn.tables:
        assert sorted(player // 6 for player in table) == [*range(len(table))]
        assert not {0, 7} <= {*table}


# -- the pool ---

RULES = Matching(wanted=4, allowed=(3, 4, 5), spread=8 * MILLION, wait_days=10)


def waiting(*people: tuple[int, int, float]) -> list[Waiting]:
    return [Waiting(person=person, days=days, mu=round(mu * MILLION)) for person, days, mu in people]


def test_who_waits_longest_sits_down_with_the_nearest() -> None:
    people = waiting((1, 0, 20.0), (2, 3, 25.0), (3, 0, 26.0), (4, 1, 31.0), (5, 0, 24.5))
    assert match(people, RULES, (), b"k") == [2, 5, 3, 1]
    assert match(people, RULES, [(2, 5)], b"k") == [2, 3, 1, 4]


def test_who_met_lately_does_not_meet() -> None:
    people = waiting((1, 5, 25.0), (2, 0, 25.0), (3, 0, 25.0), (4, 0, 25.0))
    people[0] = replace(people[0], lately=frozenset([3]))
    assert match(people, RULES, (), b"k") is None
    assert match([replace(people[0], days=10), *people[1:]], RULES, (), b"k") in ([1, 2, 4], [1, 4, 2])


def test_the_spread_grows_by_a_quarter_each_day() -> None:
    others = ((2, 0, 35.0), (3, 0, 35.0), (4, 0, 35.0))
    assert match(waiting((1, 0, 25.0), *others), RULES, (), b"k") is None
    assert sorted(match(waiting((1, 1, 25.0), *others), RULES, (), b"k") or ()) == [1, 2, 3, 4]


def test_nobody_waits_or_too_few_do() -> None:
    assert match([], RULES, (), b"k") is None
    assert match(waiting((1, 50, 25.0), (2, 50, 25.0)), RULES, (), b"k") is None
