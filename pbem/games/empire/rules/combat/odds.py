"""Odds of land battles, and the table in which a die is read (E12.9 to E12.11)."""

from __future__ import annotations

from fractions import Fraction
from math import ceil, floor
from typing import NamedTuple

from pbem.games.empire.rules.world import World


class Odds(NamedTuple):
    """To one, or one to so many; `against` 0: nobody defends."""

    attack: int
    against: int

    def __str__(self) -> str:
        return f"{self.attack}-{self.against}"


NOBODY = Odds(1, 0)


def odds(attack: Fraction, defense: Fraction) -> Odds:
    """Sums as they are; the attack is rounded down first."""
    force = floor(attack)
    if defense <= 0:
        return NOBODY
    if force <= 0:
        return Odds(0, 1)
    if force >= defense:
        return Odds(floor(force / defense), 1)
    return Odds(1, ceil(defense / force))


def is_legal(w: World, found: Odds) -> bool:
    """No worse than 1-6."""
    worst = int(str(w.tables.land["worst_odds"]).split("-")[1])
    return found.attack > 0 and found.against <= worst


def is_automatic(w: World, found: Odds, *, retreat: bool) -> bool:
    """Are the defenders eliminated without a die (E12.10)?"""
    if found == NOBODY:
        return True
    needs = w.tables.land["automatic" if retreat else "automatic_without_retreat"]
    return found.against == 1 and found.attack >= int(needs)


def column(w: World, found: Odds) -> str:
    """The head of the column that is read: the nearest one."""
    heads = w.tables.land_crt["odds"]
    if str(found) in heads:
        return str(found)
    return heads[-1] if found.attack > found.against else heads[0]


def results(w: World, head: str) -> dict[str, str]:
    """By die."""
    place = list(w.tables.land_crt["odds"]).index(head)
    return {die: cells[place] for die, cells in w.tables.land_crt.items() if die != "odds"}
