"""Arithmetic of war on land that a second, plainer way of counting can look after."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations
from types import SimpleNamespace
from typing import Any, cast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.games.empire.data.editions import tables
from pbem.games.empire.rules.combat.odds import NOBODY, Odds, column, is_automatic, is_legal, odds, results
from pbem.games.empire.rules.land.losses import smallest
from pbem.games.empire.rules.state import Unit
from pbem.games.empire.rules.world import World

KINDS = {"INF": "infantry_regiment", "BRI": "infantry_brigade", "ARM": "armored_brigade", "ART": "artillery_brigade"}


def world() -> World:
    """As much of one as the arithmetic looks at."""
    found = SimpleNamespace(tables=tables())
    found.kind = lambda unit: tables().kinds[unit.kind]
    found.unit_order = lambda unit: (tables().places[unit.kind], int(unit.id[3:]))
    return cast("World", found)


@given(st.lists(st.sampled_from(sorted(KINDS)), min_size=1, max_size=9), st.integers(1, 14))
def test_the_default_loss_is_the_smallest_sufficient_set(codes: list[str], against: int) -> None:
    w = world()
    units = [Unit(id=f"{code}{n}", kind=KINDS[code], owner="anton", at="C3") for n, code in enumerate(codes, 1)]
    sets = [chosen for count in range(1, len(units) + 1) for chosen in combinations(units, count)]
    enough = [each for each in sets if _force(w, each) >= against]
    if not enough:
        assert smallest(w, units, against) == units
        return
    best = min(enough, key=lambda each: (_force(w, each), len(each), [int(unit.id[3:]) for unit in each]))
    assert smallest(w, units, against) == list(best)


def _force(w: World, units: Any) -> int:
    return sum(w.kind(unit).af for unit in units)


@pytest.mark.parametrize(
    ("attack", "defense", "expected"),
    [
        ("2", "1", "2-1"),
        ("3", "2", "1-1"),  # rounded against the attacker
        ("7", "2", "3-1"),
        ("4/3", "1", "1-1"),  # fractions of ships are summed, then rounded down
        ("8/3", "1", "2-1"),
        ("2", "7", "1-4"),
        ("1", "4/3", "1-2"),
        ("1", "6", "1-6"),
    ],
)
def test_odds(attack: str, defense: str, expected: str) -> None:
    assert str(odds(Fraction(attack), Fraction(defense))) == expected


def test_worse_than_one_to_six_is_no_attack() -> None:
    assert is_legal(world(), odds(Fraction(1), Fraction(6)))
    assert not is_legal(world(), odds(Fraction(1), Fraction(7)))
    assert not is_legal(world(), odds(Fraction(1, 3), Fraction(1)))


def test_what_needs_no_die() -> None:
    w = world()
    assert is_automatic(w, Odds(7, 1), retreat=True)
    assert not is_automatic(w, Odds(6, 1), retreat=True)
    assert is_automatic(w, Odds(5, 1), retreat=False)
    assert not is_automatic(w, Odds(4, 1), retreat=False)
    assert is_automatic(w, NOBODY, retreat=True)


def test_columns_end_at_the_edges_of_the_table() -> None:
    assert column(world(), Odds(9, 1)) == "6-1"
    assert column(world(), Odds(1, 8)) == "1-6"
    assert results(world(), "1-1") == {"1": "AE", "2": "AR", "3": "EX", "4": "DR", "5": "DR", "6": "DE"}
