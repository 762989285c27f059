"""Ships that go aboard ships: rafts, and whatever the Pirate's ship takes out of the water (E2.3, E18.2)."""

from __future__ import annotations

from pbem.core.refusal import Illegal
from pbem.games.empire.rules.ground.who import absent
from pbem.games.empire.rules.orders import Item
from pbem.games.empire.rules.pieces.naval_table import is_ship
from pbem.games.empire.rules.state import Unit
from pbem.games.empire.rules.world import World

ABOARD = "stored"  # its state: at sea it has a zone, and is met


def hoist(w: World, carrier: Unit, ship: Unit) -> None:
    """Out of the water in which both are, with all that is aboard and without what it tows. Raises `Illegal`."""
    if ship.at != carrier.at:
        raise Illegal("load.place", ship=carrier.id, why="other_water")
    if ship.state == "dived":
        raise Illegal("sub.state", unit=ship.id, state="dived")
    for other in w.aboard(ship.id):
        if other.towed:
            w.change(other.id, aboard=None, towed=False)
    w.change(ship.id, aboard=carrier.id, state=ABOARD)


def ships(w: World, carrier: Unit, item: Item) -> list[Unit]:
    """Those of that name, or kind, that are aboard."""
    aboard = (unit for unit in w.aboard(carrier.id) if not unit.towed and unit.state == ABOARD)
    return [unit for unit in aboard if item.what in (unit.id, unit.kind) and is_ship(w, unit)]


def launch(w: World, carrier: Unit, item: Item) -> None:
    """Into the water in which its carrier is. Raises `Illegal`."""
    found = ships(w, carrier, item)
    if (item.count or 1) > len(found):
        absent(item.what, carrier.id)
    for ship in found[: item.count or 1]:
        w.change(ship.id, aboard=None, state="sea", sailed=w.kind(ship).class_ == "ship")
