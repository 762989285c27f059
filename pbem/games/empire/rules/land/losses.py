"""What an attacker loses in an exchange (E12.12, E17.1, E17.2)."""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil

from msgspec.structs import replace

from pbem.games.empire.rules.combat import helping, wrecks
from pbem.games.empire.rules.land.engagement import Engagement
from pbem.games.empire.rules.pieces.losing import lose
from pbem.games.empire.rules.state import Unit
from pbem.games.empire.rules.world import World


def exchange(w: World, found: Engagement, exposed: Sequence[Unit], against: int) -> int:
    """Units with printed AF of at least the printed DF lost, then steps of ships and guns. What aircraft owe."""
    both = w.options["land_exchange"] == "both"
    chosen = list(exposed) if both else chosen_losses(w, exposed, against, found.lose)
    left = max(0, against - sum(w.kind(unit).af for unit in chosen))
    for unit in chosen:
        lose(w, unit, "eliminated")
    naval = min(left, ceil(helping.of_ships(w, found.help, found.part)))
    _steps(w, found, naval)
    return left - naval


def _steps(w: World, found: Engagement, count: int) -> None:
    """A step for each BF: on the ship with most BF left, ties by number; then on guns."""
    for _ in range(count):
        ships = [w.units[id_] for id_ in found.help.ships if id_ in w.units]
        able = [unit for unit in ships if helping.naval_factor(w, unit) > 0]
        if able:
            wrecks.damage(w, max(able, key=lambda unit: (helping.naval_factor(w, unit), -int(unit.id[3:]))), 1)
        elif found.help.guns:
            _gun_step(w, found.help.guns[0])


def _gun_step(w: World, part: str) -> None:
    guns = list(w.part(part).guns)
    for place, gun in enumerate(guns):
        if gun.kind == "naval_gun":
            hit = replace(gun, steps=gun.steps + 1)
            guns[place : place + 1] = [hit] if hit.steps < int(w.tables.naval["steps"]["naval_gun"]) else []
            break
    w.change_part(part, guns=tuple(guns))


def chosen_losses(w: World, units: Sequence[Unit], against: int, wish: Sequence[str]) -> list[Unit]:
    """Those that are named, as far as they are needed; the rest by default."""
    chosen: list[Unit] = []
    left = against
    for id_ in wish:
        unit = next((each for each in units if each.id == id_ and each not in chosen), None)
        if unit is not None and left > 0:
            chosen.append(unit)
            left -= w.kind(unit).af
    rest = [unit for unit in units if unit not in chosen]
    return [*chosen, *smallest(w, rest, left)] if left > 0 else chosen


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
