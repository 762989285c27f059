"""The wind of a slot, and the die for a direction (E9.5)."""

from __future__ import annotations

from collections.abc import Iterator

from pbem.core.chance import Withheld
from pbem.core.refusal import DieNeeded
from pbem.games.empire.rules.tables import Tables
from pbem.games.empire.rules.world import World

_WIND = "wind"


class _Blown(Withheld):
    """Chance while an order is only tried, and the wind is known."""

    def __init__(self, face: int) -> None:
        super().__init__()
        self._face = face

    def pick(self, purpose: str, among: int) -> int:
        return self._face if _is_wind(purpose) else super().pick(purpose, among)


def _is_wind(purpose: str) -> bool:
    return purpose.split(" ")[1] == _WIND  # behind the slot


def is_thrown(needed: DieNeeded) -> bool:
    """Is it the die for the wind that is needed?"""
    return _is_wind(str(needed.facts["purpose"]))


def every(tables: Tables) -> Iterator[Withheld]:
    """Chance that tells nothing but the wind, for each face of its die."""
    return map(_Blown, range(int(tables.dice["faces"])))


def blow(w: World) -> None:
    """One die for the slot, before the first thing that sails with it moves."""
    if w.state.wind is None:
        w.set(wind=direction(w, _WIND))


def direction(w: World, purpose: str) -> str:
    """One die: 1 N, 2 E … It is told as `to_N`, since other results have letters, too."""
    named = {face: f"to_{side}" for face, side in w.tables.dice["wind"].items()}
    face = w.die(purpose, named)
    w.rolled(purpose, [face], named[str(face)])
    return str(w.tables.dice["wind"][str(face)])
