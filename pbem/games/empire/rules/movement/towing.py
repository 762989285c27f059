"""Barges, rolling stock and sailplanes on the tow of what pulls them (E2.3, E9.9)."""

from __future__ import annotations

from pbem.core.refusal import Illegal
from pbem.core.seat import Seat
from pbem.games.empire.rules.ground.terrain import stands
from pbem.games.empire.rules.ground.who import absent, unit_of
from pbem.games.empire.rules.orders import Release, Tow
from pbem.games.empire.rules.state import Unit
from pbem.games.empire.rules.world import World


def tow(w: World, player: Seat, order: Tow) -> None:
    carrier = unit_of(w, player, order.carrier)
    tows = w.kind(carrier).tows
    for name in order.units:
        unit = unit_of(w, player, name)
        if unit.kind not in tows:
            raise Illegal("carry.barred", carrier=carrier.id, what=unit.id)
        pulled = sum(1 for other in w.aboard(carrier.id) if other.towed and other.kind == unit.kind)
        if pulled >= tows[unit.kind]:
            raise Illegal("carry.full", carrier=carrier.id, room=tows[unit.kind], needs=pulled + 1)
        if unit.at != carrier.at or unit.aboard is not None:
            absent(name, w.map.shown(carrier.at))
        if w.kind(unit).must_be_towed and not stands(w, carrier.at, "airport"):
            raise Illegal("air.airport", unit=unit.id, square=w.map.shown(carrier.at))
        w.change(unit.id, aboard=carrier.id, towed=True)
        w.note("towed", carrier.owner, unit=carrier.id, tow=unit.id)


def release(w: World, player: Seat, order: Release) -> None:
    for name in order.units:
        unit = unit_of(w, player, name)
        pulled = [other for other in w.aboard(unit.id) if other.towed and order.carrier is None]
        for each in pulled or [unit]:
            _let_go(w, player, order, each)


def _let_go(w: World, player: Seat, order: Release, unit: Unit) -> None:
    if unit.aboard is None or not unit.towed or order.carrier not in (None, unit.aboard):
        absent(unit.id, order.carrier)
    carrier = unit_of(w, player, unit.aboard)
    in_air = w.kind(unit).must_be_towed and unit.state == "ground"  # it was pulled up (E9.9)
    w.change(unit.id, aboard=None, towed=False, state="up" if in_air else unit.state)
    w.note("released", carrier.owner, unit=carrier.id, tow=unit.id)
