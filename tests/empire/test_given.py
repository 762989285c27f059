"""Positions that can't be: each `given` line is refused with a reason before anything is played."""

from __future__ import annotations

import pytest

from pbem.games import GAMES
from pbem.host.archive.playfile import PlayFileError
from pbem.host.archive.replay import Replay
from tests.empire.test_empire_plays import HEAD, words


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ("unit anton INF2 K6", "terrain.barred"),  # a lake
        ("unit anton TRK1 F3", "terrain.barred"),
        ("workers anton F3 2", "terrain.barred"),
        ("goods anton K6 2 steel", "terrain.barred"),
        ("governor anton F3", "terrain.barred"),
        ("unit anton FTR1 F3", "air.airport"),
        ("unit anton CGO1 C6", "square.absent"),  # no water
        ("road C3 - E3", "way.none"),
        ("road Z9 - Z8", "square.absent"),
        ("damaged road C3 - E3", "way.none"),
        ("damaged BSH1", "unit.absent"),
    ],
)
def test_a_position_that_can_t_be_is_refused(line: str, code: str) -> None:
    with pytest.raises(PlayFileError, match=code):
        Replay(f"{HEAD.text}\ngiven {line}\nanton> births C3 off\n", GAMES, words).run()


def test_what_stands_aboard_a_ship_or_flies_may_be_over_water() -> None:
    lines = ("unit anton CGO1 F3", "unit anton INF1 F3", "aboard CGO1 INF1", "unit anton FTR1 F3 up")
    given = "\n".join(f"given {line}" for line in lines)
    Replay(f"{HEAD.text}\n{given}\nanton> births C3 off\n  = units.INF1.aboard CGO1\n", GAMES, words).run()
