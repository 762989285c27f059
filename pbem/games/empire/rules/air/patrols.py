"""Combat air patrols, and landing (E15.16 to E15.20)."""

from __future__ import annotations

from pbem.core.refusal import Illegal
from pbem.core.seat import Seat
from pbem.games.empire.geography.grid import distance, square_of
from pbem.games.empire.rules.accounts import debts
from pbem.games.empire.rules.air import ack_ack, airways, missions
from pbem.games.empire.rules.ground.who import known_square, unit_of
from pbem.games.empire.rules.orders import Patrol
from pbem.games.empire.rules.pieces import traffic
from pbem.games.empire.rules.pieces.losing import lose
from pbem.games.empire.rules.state import Unit
from pbem.games.empire.rules.world import World


def patrol(w: World, player: Seat, order: Patrol) -> None:
    square = known_square(w, order.at)
    units = [unit_of(w, player, name) for name in dict.fromkeys(order.units)]
    for unit in units:
        missions.check_ready(w, unit)
        if unit.kind not in airways.CARRIER_AIR or unit.holds:
            raise Illegal("air.up", unit=unit.id)
        base = airways.base_of(w, unit)
        if not _is_near_a_base(w, unit, base, square):
            raise Illegal("air.range", unit=unit.id, left=str(w.tables.bta - unit.used), home=w.map.shown(base),
                          needs=str(w.kind(unit).bta * distance(square_of(base), square)))  # fmt: skip
        airways.check_range(w, unit, distance(square_of(base), square), base)
        traffic.take_off(w, unit)
    missions.pay_oil(w, units)
    up = [unit.id for unit in units if _went_up(w, unit, square)]
    w.note("patrols", units[0].owner, units=up, at=square)


def _is_near_a_base(w: World, unit: Unit, base: str, square: str) -> bool:
    """Is an airport or a carrier that it could use in range, be it another one (E15.16)?"""
    squares = int(w.tables.air["cap_range"])
    near = distance(square_of(base), square) <= squares
    return near or airways.nearest_base(w, unit, w.kind(unit).bta * squares, square) is not None


def _went_up(w: World, unit: Unit, square: str) -> bool:
    squares = airways.path(w, unit.owner, unit.at, square)
    turned = ack_ack.pass_over(w, squares, unit.id)
    if unit.id not in w.units:
        return False
    far = squares.index(turned) + 1 if turned else 0
    used = unit.used + w.kind(unit).bta * (2 * far if turned else len(squares))
    if turned:
        w.change(unit.id, used=min(used, w.tables.bta), fought=w.state.turn, done="flown")
        return False
    at = airways.over_square(w, square)
    w.change(unit.id, at=at, state="up", base=unit.aboard or unit.at, aboard=None, used=used)
    return True


def land_all(w: World, player: Seat) -> None:
    """In a forced roll-out what must land goes to its base, or the nearest, or crashes (E4.5, E15.4)."""
    for unit in _due(w, player):
        home = airways.own_base(w, unit) or airways.nearest_base(w, unit, w.tables.bta - unit.used)
        if home is None:
            lose(w, unit, "crashed")
            continue
        start, price = unit.at, w.kind(unit).bta * distance(square_of(unit.at), square_of(home))
        squares = airways.path(w, unit.owner, start, home)
        table = "low" if w.kind(unit).military else "non_combat"
        ack_ack.pass_over(w, squares, unit.id, table)
        if unit.id not in w.units:
            continue
        if w.kind(unit).military and unit.flew != w.now:
            debts.enter(w, unit.owner, "oil", debts.rate(w, "flight"))
        airways.put_down(w, unit, home, used=unit.used + price, flew=w.now)
        w.note("flew", unit.owner, unit=unit.id, start=w.map.shown(start), way=[w.map.shown(home)], bta=str(price))


def crash_lost(w: World, player: Seat) -> None:
    """At the roll-out what had to land and has no airport in reach crashes (E15.4)."""
    for unit in _due(w, player):
        lose(w, unit, "crashed")


def _due(w: World, player: Seat) -> list[Unit]:
    """Patrols of an earlier slot, and what may not stay up."""
    up = [unit for country in w.countries_of(player) for unit in w.units_of(country) if unit.state == "up"]
    return [unit for unit in up if must_land(w, unit)]


def must_land(w: World, unit: Unit) -> bool:
    if unit.kind in airways.CARRIER_AIR:
        return unit.flew != w.now
    return not w.kind(unit).stays_up
