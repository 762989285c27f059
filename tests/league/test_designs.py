"""Sizes of tables, groups and divisions; fixed tables; positions."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.core.refusal import Illegal
from pbem.league.designs import base_block, cyclic_tables, meetings
from pbem.league.positions import drawn_positions, fixed_positions
from pbem.league.sizes import division_sizes, group_sizes, table_sizes
from tests.league.vectors import VECTORS, by_number

# -- sizes ---


def test_tables_of_a_round() -> None:
    told = {10: "4 3 3", 11: "4 4 3", 13: "5 4 4", 16: "4 4 4 4", 17: "5 4 4 4", 18: "4 4 4 3 3", 19: "4 4 4 4 3"}
    for players, sizes in {**told, 21: "5 4 4 4 4", 22: "4 4 4 4 3 3"}.items():
        assert table_sizes(players, 4, (3, 4, 5)) == tuple(map(int, sizes.split()))
    for players, sizes in by_number(VECTORS["sizes"]).items():
        found = table_sizes(players, 4, (3, 4, 5))
        assert [*found] == sizes
        assert sum(found) == players
        assert {*found} <= {3, 4, 5}


def test_where_no_size_fits_the_nearest_numbers_are_named() -> None:
    with pytest.raises(Illegal) as refused:
        table_sizes(13, 5, (5, 6))
    assert (refused.value.code, refused.value.facts) == ("league.sizes", {"players": 13, "fewer": 12, "more": 15})
    with pytest.raises(Illegal) as refused:
        table_sizes(2, 4, (3, 4))
    assert refused.value.facts == {"players": 2, "fewer": None, "more": 3}
    with pytest.raises(Illegal) as refused:
        group_sizes(9, 7, 6, 8)
    assert refused.value.facts == {"players": 9, "fewer": 8, "more": 12}


def test_groups_as_even_as_can_be() -> None:
    told = {10: (10,), 11: (11,), 12: (6, 6), 20: (7, 7, 6), 60: (7,) * 6 + (6,) * 3}
    assert {players: group_sizes(players, 7, 6, 11) for players in told} == told
    assert len(group_sizes(2000, 7, 6, 11)) == 286
    for players, sizes in by_number(VECTORS["groups"]).items():
        assert [*group_sizes(players, 7, 6, 11)] == sizes


def test_divisions_double_downwards() -> None:
    assert division_sizes((7,) * 3, (1, 2, 4)) == ((7,), (7, 7))
    groups = group_sizes(60, 7, 6, 11)
    assert division_sizes(groups, (2, 3, 4)) == ((7, 7), (7, 7, 7), (7, 6, 6, 6))
    assert [len(each) for each in division_sizes((6,) * 40, (1, 2, 4))] == [1, 2, 4, 8, 16, 9]


# -- designs ---


def test_base_blocks() -> None:
    for name, block in VECTORS["blocks"].items():
        assert [*base_block(*map(int, name.split()))] == block
    met = {(5, 4): {3: 10}, (6, 4): {2: 9, 3: 6}, (7, 4): {2: 21}, (8, 4): {1: 8, 2: 20}, (9, 4): {1: 18, 2: 18},
           (13, 4): {1: 78}, (20, 4): {0: 70, 1: 120}, (7, 3): {1: 21}, (11, 5): {2: 55}, (21, 5): {1: 210},
           (7, 6): {5: 21}}  # fmt: skip
    for (group, seats), pairs in met.items():
        times = meetings(cyclic_tables(range(group), seats))
        found = Counter(times.get((a, b), 0) for a in range(group) for b in range(a + 1, group))
        assert dict(found) == pairs


def test_everybody_plays_alike() -> None:
    for group in range(6, 22):
        for seats in range(3, 7):
            if seats < group:
                tables = cyclic_tables(range(100, 100 + group), seats)
                for player in range(100, 100 + group):
                    assert sorted(table.index(player) for table in tables if player in table) == [*range(seats)]


# -- positions ---


def test_positions_of_the_reference() -> None:
    for case in VECTORS["positions"]:
        assert fixed_positions(case["tables"], case["count"]) == case["dealt"]
    for case in VECTORS["deals"]:
        had = {player: by_number(times) for player, times in by_number(case["had"]).items()}
        purpose = f"positions {VECTORS['deals'].index(case)}"
        assert drawn_positions(case["table"], 6, had, case["key"].encode(), purpose) == case["dealt"]


@st.composite
def schedules(draw: st.DrawFn) -> tuple[list[list[int]], int]:
    """Tables without more seats, of players without more tables, than there are positions."""
    count = draw(st.integers(2, 7))
    left = dict.fromkeys(range(draw(st.integers(2, 14))), count)
    tables: list[list[int]] = []
    for _ in range(draw(st.integers(1, 14))):
        free = sorted(player for player in left if left[player])
        if len(free) < 2:
            break
        table = draw(st.lists(st.sampled_from(free), min_size=2, max_size=count, unique=True))
        tables.append(table)
        for player in table:
            left[player] -= 1
    return tables, count


@given(schedules())
def test_nobody_has_a_position_twice(schedule: tuple[list[list[int]], int]) -> None:
    tables, count = schedule
    dealt = fixed_positions(tables, count)
    own = Counter((player, position) for table, deal in zip(tables, dealt, strict=True) for player, position in zip(table, deal, strict=True))  # fmt: skip
    assert max(own.values()) == 1
    assert all(len({*deal}) == len(deal) for deal in dealt)
    often = Counter(position for deal in dealt for position in deal)
    assert max(often[position] for position in range(count)) - min(often[position] for position in range(count)) <= 1


def test_more_than_there_is_can_not_be_dealt() -> None:
    with pytest.raises(ValueError, match="than there are positions"):
        fixed_positions([[1, 2], [1, 2], [1, 3]], 2)
