"""What an attacker loses in an exchange (E12.12, E17.1, E17.2)."""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil

from msgspec.structs import replace

from pbem.games.empire.geography.grid import square_of
from pbem.games.empire.rules.combat import helping, wrecks
from pbem.games.empire.rules.land.engagement import Engagement
from pbem.games.empire.rules.pieces.losing import lose
from pbem.games.empire.rules.state import Unit
from pbem.games.empire.rules.world import World


def exchange(w: World, found: Engagement, exposed: Sequence[Unit], against: int) -> int:
    """Units with printed AF of at least the printed DF lost, then steps of ships and guns. What aircraft owe.

    First those that the order names, in its order, as far as they are needed.
    """
    both = w.options["land_exchange"] == "both"
    steps = ceil(helping.of_ships(w, found.help, found.part))  # a step for each BF of theirs
    left, there = against, {unit.id: unit for unit in exposed}
    for name in () if both else found.lose:
        if name in there and left > 0:
            left -= _eliminated(w, [there.pop(name)])
        elif left > 0:
            taken = _steps(w, found, min(left, steps), [name])
            left, steps = left - taken, steps - taken
    rest = list(there.values())
    left = max(0, left - _eliminated(w, rest if both else smallest(w, rest, left) if left > 0 else []))
    return left - _steps(w, found, min(left, steps), [*found.help.ships, *map(helping.GUN.__add__, found.help.guns)])


def _eliminated(w: World, units: Sequence[Unit]) -> int:
    """Their printed AF."""
    for unit in units:
        lose(w, unit, "eliminated")
    return sum(w.kind(unit).af for unit in units)


def _steps(w: World, found: Engagement, count: int, names: Sequence[str]) -> int:
    """One by one on the ship with most BF left, ties by number, then on guns; how many were taken."""
    where = [name.removeprefix(helping.GUN) for name in names if name.startswith(helping.GUN)]
    guns = [part for part in found.help.guns if part in where or square_of(part) in where]
    for taken in range(count):
        ships = [w.units[id_] for id_ in names if id_ in w.units]
        able = [unit for unit in ships if helping.naval_factor(w, unit) > 0]
        if able:
            wrecks.damage(w, max(able, key=lambda unit: (helping.naval_factor(w, unit), -int(unit.id[3:]))), 1)
        elif guns:
            _gun_step(w, guns[0])
        else:
            return taken
    return count


def _gun_step(w: World, part: str) -> None:
    guns = list(w.part(part).guns)
    for place, gun in enumerate(guns):
        if gun.kind == "naval_gun":
            hit = replace(gun, steps=gun.steps + 1)
            guns[place : place + 1] = [hit] if hit.steps < int(w.tables.naval["steps"]["naval_gun"]) else []
            break
    w.change_part(part, guns=tuple(guns))


def smallest(w: World, units: Sequence[Unit], against: int) -> list[Unit]:
    """The set with the smallest sufficient sum, then fewest units, then lowest numbers; all, if that is not enough."""
    ordered = sorted(units, key=lambda unit: (int(unit.id[3:]), w.unit_order(unit)))
    best: dict[int, tuple[int, tuple[int, ...]]] = {0: (0, ())}  # by sum: how many, their places
    for place, unit in enumerate(ordered):
        for total, (count, places) in list(best.items()):
            new = total + w.kind(unit).af, (count + 1, (*places, place))
            if new[0] not in best or new[1] < best[new[0]]:
                best[new[0]] = new[1]
    enough = [total for total in best if total >= against]
    return [ordered[place] for place in best[min(enough)][1]] if enough else list(units)
