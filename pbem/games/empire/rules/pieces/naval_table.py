"""Factors of ships, odds, the table in which a die is read, and how steps are divided (E14.1, E14.2, E14.6, E14.7)."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import ceil, floor

from pbem.games.empire.rules.held import NOTHING
from pbem.games.empire.rules.state import Unit
from pbem.games.empire.rules.world import World

STEPS = {"s": 3, "h": 2, "l": 1}
NOBODY = "undefended"


def swims(w: World, kind: str) -> bool:
    """Ships, and barges: they share what happens to ships."""
    return w.tables.kinds[kind].class_ == "ship" or kind == "barge"


def is_ship(w: World, unit: Unit) -> bool:
    return swims(w, unit.kind)


def factor(w: World, ship: Unit) -> Fraction:
    """What a ship fights with as it is now."""
    full = Fraction(w.options["naval_destroyer"]) if ship.kind == "destroyer" else w.kind(ship).nbf
    return max(NOTHING, full - ship.steps)


def defense(w: World, ship: Unit) -> Fraction:
    """A dived submarine defends itself, too."""
    if ship.kind == "submarine" and ship.state == "dived":
        return Fraction(w.tables.naval["factors"]["submarine_submerged"])
    return factor(w, ship)


# -- odds ---


def odds(attack: Fraction, against: Fraction) -> str:
    """As text, `3-1` or `1-2`."""
    if against <= 0:
        return NOBODY
    if attack >= against:
        return f"{floor(attack / against)}-1"
    return f"1-{ceil(against / attack)}" if attack > 0 else "0-1"


def is_legal(w: World, found: str) -> bool:
    """No worse than 1-3."""
    if found == NOBODY:
        return True
    attack, against = found.split("-")
    worst = str(w.tables.naval["worst_odds"]).split("-")[1]
    return attack != "0" and int(against) <= int(worst)


def is_automatic(w: World, found: str) -> bool:
    """Does everything sink without a die?"""
    return found == NOBODY or int(found.split("-", 1)[0]) >= int(w.tables.naval["automatic"])


def result(w: World, found: str, face: int) -> str:
    """The cell of the table: As to Dl, or miss."""
    return w.tables.naval_crt[str(face)][list(w.tables.naval_crt["odds"]).index(found)]


def steps(cell: str, side: str) -> int:
    """How many steps that side (A or D) loses by it."""
    return STEPS[cell[1]] if cell[0] == side else 0


# -- losses ---


def left(w: World, ship: Unit) -> int:
    """How many steps sink it."""
    return w.kind(ship).steps - ship.steps


def dealt(w: World, ships: Sequence[Unit], count: int, first: Sequence[str] = ()) -> dict[str, int]:
    """So many steps, one by one: in turn to those named first, else to the ship with most BF left, ties by number."""
    taken = {ship.id: 0 for ship in ships}
    for _ in range(count):
        afloat = [ship for ship in ships if taken[ship.id] < left(w, ship)]
        if not afloat:
            break
        named = [ship for ship in afloat if ship.id in first]
        if named:
            hit = min(named, key=lambda ship: (taken[ship.id], first.index(ship.id)))
        else:
            hit = min(afloat, key=lambda ship: (taken[ship.id] - factor(w, ship), w.unit_order(ship)))
        taken[hit.id] += 1
    return {id_: lost for id_, lost in taken.items() if lost}
