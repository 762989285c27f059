"""The simulation of whole seasons: the same seed gives the same game, whatever reports the players want."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from typing import Any

import pytest


@pytest.fixture(scope="module")
def season() -> Any:
    found = importlib.util.spec_from_file_location("season", Path(__file__).parents[1] / "bench" / "season.py")
    assert found is not None
    assert found.loader is not None
    module = importlib.util.module_from_spec(found)
    found.loader.exec_module(module)
    return module


@pytest.mark.slow
def test_orders_come_early_and_stand(season: Any) -> None:
    played = season.play((3, season.WAYS[2], "all", 5))
    assert played.causes["advance"] > 0
    assert played.causes["standing"] > 0


@pytest.mark.slow
def test_the_reports_change_nothing_but_the_number_of_letters(season: Any) -> None:
    """The same seed gives the same game."""
    games = [season.play((3, season.WAYS[0], mode, 5)) for mode in season.MODES]
    assert len({(game.days, game.turns, game.written, game.got["asked"]) for game in games}) == 1
    everything, by_round, mine, daily = (game.got["reports"] + game.got["daily"] for game in games)
    assert everything > by_round > 1 >= mine > 0  # the final one, which may come with the answer to the last order
    assert everything > daily > mine
