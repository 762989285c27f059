"""Disarming: one step down, with the arms put on the ground (E12.3)."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from pbem.core.refusal import Illegal
from pbem.core.seat import Seat
from pbem.games.empire.rules.ground.who import units_of
from pbem.games.empire.rules.ground.zones import over
from pbem.games.empire.rules.held import Crew
from pbem.games.empire.rules.orders import Disarm
from pbem.games.empire.rules.pieces.becoming import become, enlist
from pbem.games.empire.rules.pieces.carrying import aboard, check_fits
from pbem.games.empire.rules.state import Unit
from pbem.games.empire.rules.tables import Arming
from pbem.games.empire.rules.world import World


def disarm(w: World, player: Seat, order: Disarm) -> None:
    for unit in units_of(w, player, order.units):
        _disarm_one(w, unit)


def _disarm_one(w: World, unit: Unit) -> None:
    recipe = w.tables.arming.get(unit.kind)
    if recipe is None or recipe.disarm == "never":
        why = "for_ever" if recipe is not None else "no_arms"
        raise Illegal("arm.barred", square=w.map.shown(unit.at), unit=unit.id, why=why)
    if unit.aboard is None and unit.at in w.map.land and over(w, unit.at, unit.owner):
        raise Illegal("disarm.zoc", unit=unit.id)
    bta = Fraction(recipe.disarm)
    if unit.used + bta > w.tables.bta:
        raise Illegal("arm.bta", unit=unit.id, left=str(w.tables.bta - unit.used), needs=str(bta))
    used = unit.used + bta
    _check_room(w, unit, recipe)
    parts = {what: Fraction(much, recipe.makes) for what, much in recipe.inputs.items()}
    place = unit.aboard or unit.at
    for what, much in parts.items():
        if what in w.tables.goods:
            w.put_goods(place, unit.owner, what, much, used)
    left = _become_less(w, unit, parts, place, used)
    w.note("disarmed", unit.owner, unit=unit.id, kind=unit.kind, at=place, left=left, parts=_told(parts))


def _check_room(w: World, unit: Unit, recipe: Arming) -> None:
    """Aboard, the parts must fit where the unit did. Raises `Illegal` (`carry.full`)."""
    if unit.aboard is None:
        return
    ship = w.units[unit.aboard]
    load = aboard(w, ship)
    load[unit.kind] -= 1
    adding = {what: Fraction(much, recipe.makes) for what, much in recipe.inputs.items()}
    check_fits(w, ship.kind, ship.id, load, adding)


def _become_less(w: World, unit: Unit, parts: Mapping[str, Fraction], place: str, used: Fraction) -> str | None:
    """The id of what it is then; None: a worker again."""
    if "worker" not in parts:
        return become(w, unit, next(what for what in parts if what in w.tables.kinds), used=used)
    for owner, held in unit.holds.items():
        w.merge(place, owner, held)
    w.change(unit.id, holds={})
    w.remove(unit.id)
    w.join(place, unit.owner, Crew(used=used, hungry=unit.hungry, thirsty=unit.thirsty))
    enlist(w, unit.owner, [unit.id], [])
    return None


def _told(parts: Mapping[str, Fraction]) -> dict[str, str]:
    return {what: str(much) for what, much in parts.items()}
