"""Damage to ships, their cargo, and naval guns (E14.2, E14.21)."""

from __future__ import annotations

from msgspec.structs import replace

from pbem.games.empire.rules.ground import pirate
from pbem.games.empire.rules.held import Held
from pbem.games.empire.rules.pieces import naval_table
from pbem.games.empire.rules.pieces.carrying import PEOPLE
from pbem.games.empire.rules.pieces.losing import lose
from pbem.games.empire.rules.questions import rulings
from pbem.games.empire.rules.state import Unit
from pbem.games.empire.rules.world import World


def damage(w: World, ship: Unit, steps: int) -> bool:
    """So many steps; is it sunk?"""
    now = w.units[ship.id]
    if _sinks(w, now, steps):
        sink(w, now)
        return True
    steps = min(steps, w.kind(now).steps - now.steps - 1)
    if steps:
        w.finality("damaged")
        w.change(now.id, steps=now.steps + steps)
        w.note("damaged", now.owner, unit=now.id, at=w.map.shown(now.at), steps=now.steps + steps)
    return False


def _sinks(w: World, ship: Unit, steps: int) -> bool:
    """By its steps, or as the moderator rules; one that stays bears no more than its last step before [G-2]."""
    usual = ship.steps + steps >= w.kind(ship).steps
    if not steps or not rulings.is_asked(w, "naval_steps") or not naval_table.is_ship(w, ship):
        return usual
    said = "sinks" if usual else "stays"
    facts = {"unit": ship.id, "steps": steps, "at": w.map.shown(ship.at)}
    return rulings.ruled(w, "naval_steps", ship.id, said, [ship.owner], **facts) == "sinks"


def sink(w: World, ship: Unit, how: str = "sunk") -> None:
    """It is gone with all aboard."""
    is_pirates = ship.kind == pirate.SHIP
    lose(w, ship, how)
    if is_pirates:
        with pirate.told_to_all(w):
            w.note("pirate_sunk")


def destroy_cargo(w: World, ship: Unit) -> None:
    """Goods and all units aboard are gone; workers and officials live, and what is on its tow."""
    now = w.units[ship.id]
    w.finality("killed")
    for unit in w.aboard(now.id):
        if not unit.towed:
            lose(w, unit, "with_cargo")
    holds = {country: Held(crews=held.crews) for country, held in now.holds.items() if held.people(*PEOPLE)}
    w.change(now.id, holds=holds)
    w.note("cargo_destroyed", now.owner, unit=now.id, at=w.map.shown(now.at))


def suffer(w: World, ship: Unit, effect: str) -> None:
    """An effect of the bombing table: sunk destroyed cargo steps_1 steps_3 none."""
    if effect in ("sunk", "destroyed"):
        sink(w, ship)
    elif effect == "cargo":
        destroy_cargo(w, ship)
    elif effect.startswith("steps_"):
        damage(w, ship, int(effect.removeprefix("steps_")))


def damage_gun(w: World, part: str, index: int, steps: int) -> bool:
    """So many steps of an installed naval gun; is it destroyed?"""
    guns = list(w.part(part).guns)
    total = guns[index].steps + steps
    w.finality("damaged")
    destroyed = total >= int(w.tables.naval["steps"]["naval_gun"])
    if destroyed:
        del guns[index]
    else:
        guns[index] = replace(guns[index], steps=total)
    w.change_part(part, guns=tuple(guns))
    w.note("gun_destroyed" if destroyed else "gun_damaged", at=part, steps=total)
    return destroyed
