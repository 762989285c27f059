"""What a battle at sea costs either side: steps, torpedoes, heavy arms on the shore, bombers (E14.7, E17.1, E17.4)."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from pbem.games.empire.geography.grid import square_of
from pbem.games.empire.rules.air import air_help, hits
from pbem.games.empire.rules.air.missions import Mission
from pbem.games.empire.rules.combat import wrecks
from pbem.games.empire.rules.combat.battle_context import has_attacked
from pbem.games.empire.rules.pieces import naval_table
from pbem.games.empire.rules.sea.guns import Battery
from pbem.games.empire.rules.sea.sea_force import Force
from pbem.games.empire.rules.sea.sea_zones import torpedoes
from pbem.games.empire.rules.state import Unit
from pbem.games.empire.rules.world import World

THIRDS = 3  # of a heavy arms unit


def spend(w: World, force: Force) -> None:
    """Each has made its one attack; a submarine has fired."""
    for id_ in (*force.ships, *force.land):
        if id_ in w.units:
            has_attacked(w, id_)
            use_torpedo(w, w.units[id_])
    for battery in force.guns:
        _mark(w, battery, fought=w.state.turn)


def use_torpedo(w: World, ship: Unit) -> None:
    if torpedoes(ship):
        country = next(country for country, held in ship.holds.items() if held.amount("torpedo") >= 1)
        w.take_goods(ship.id, country, "torpedo", 1)


def gun_attacked(w: World, battery: Battery) -> None:
    _mark(w, battery, attacked=w.now)


def _mark(w: World, battery: Battery, **fields: object) -> None:
    guns = list(w.part(battery.part).guns)
    if battery.place < len(guns):
        guns[battery.place] = replace(guns[battery.place], **fields)
        w.change_part(battery.part, guns=tuple(guns))


def of_defenders(w: World, part: str, ships: Sequence[Unit], steps: int) -> None:
    """Steps by the owner's standing order for the square, else one by one (E14.7)."""
    now = [w.units[ship.id] for ship in ships if ship.id in w.units]
    wish: list[str] = []
    for player in dict.fromkeys(w.player(ship.owner) for ship in now):
        orders = [order for order in w.standing(player, "lose") if order.at and square_of(order.at) == square_of(part)]
        wish += [id_ for order in orders[:1] for id_ in order.units]
    _deal(w, now, steps, wish)


def _deal(w: World, ships: Sequence[Unit], steps: int, wish: Sequence[str]) -> int:
    """How many steps there was nothing left to take."""
    dealt = naval_table.dealt(w, ships, steps, wish)
    for ship in ships:
        if ship.id in dealt:
            wrecks.damage(w, ship, dealt[ship.id])
    return steps - sum(dealt.values())


def of_attackers(w: World, force: Force, steps: int, wish: Sequence[str], mission: Mission | None, air: int) -> None:
    """Ships first; what they can't take, heavy arms on the shore take, then bombers. Submarines and guns take none."""
    ships = [w.units[id_] for id_ in force.ships if id_ in w.units and w.units[id_].kind != "submarine"]
    left = _deal(w, ships, steps, wish)
    for id_ in sorted(force.land, key=lambda each: wish.index(each) if each in wish else len(wish)):
        while left and id_ in w.units and w.kind(w.units[id_]).hau:
            left -= 1
            wear(w, w.units[id_])
    if left and air:
        air_help.lose(w, mission, min(left, air), wish)


def wear(w: World, unit: Unit) -> None:
    """A third of a heavy arms unit is gone: a brigade becomes a regiment, artillery at the third one."""
    if w.kind(unit).hau == 1 and unit.steps + 1 < THIRDS:
        w.change(unit.id, steps=unit.steps + 1)
        w.note("worn", unit.owner, unit=unit.id, thirds=unit.steps + 1)
        return
    hits.reduced(w, w.units[unit.id], "infantry_regiment")
