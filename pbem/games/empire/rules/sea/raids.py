"""Pirate ships raid cargo ships and shoot at them (E14.15, E14.16)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from math import floor

from pbem.core.refusal import Illegal
from pbem.core.seat import Seat
from pbem.games.empire.rules.accounts.inflation import is_inflated
from pbem.games.empire.rules.combat import convoys, wrecks
from pbem.games.empire.rules.combat.battle_context import has_attacked
from pbem.games.empire.rules.ground import pirate
from pbem.games.empire.rules.ground.sides import is_land_unit
from pbem.games.empire.rules.ground.who import unit_of
from pbem.games.empire.rules.orders import Item, Raid, Shoot, Standing
from pbem.games.empire.rules.pieces.carrying import aboard, size
from pbem.games.empire.rules.pieces.enmity import provoked
from pbem.games.empire.rules.pieces.naval_table import factor
from pbem.games.empire.rules.questions import asking
from pbem.games.empire.rules.state import Unit
from pbem.games.empire.rules.world import World

RAIDERS = ("pirate_ship", pirate.SHIP)


def raid(w: World, player: Seat, order: Raid) -> None:
    raider, target = _checked(w, player, order)
    if any(is_land_unit(w, unit) for unit in w.aboard(target.id)):
        raise Illegal("pirate.target", unit=target.id, why="aboard_land")
    _check_items(w, target, order.take)
    _begin(w, raider, target)
    if _scuttles(w, target):
        wrecks.sink(w, target, "scuttled")
        return
    taken = dict(_take(w, raider, target, order.take))
    w.finality("taken")
    victim = w.player(target.owner)
    with pirate.about(w, [raider], target.owner):
        w.note("raided", raider.owner, unit=raider.id, target=target.id, player=victim,
               taken={good: str(amount) for good, amount in taken.items()}, at=w.map.shown(target.at))  # fmt: skip


def shoot(w: World, player: Seat, order: Shoot) -> None:
    raider, target = _checked(w, player, order)
    _begin(w, raider, target)
    purpose = f"shoot {target.id}"
    faces = {face: str(what) for face, what in w.tables.naval["raid"].items()}
    w.note("odds", odds="", column=target.id, faces=faces)
    face = w.die(purpose, faces, column=target.id)
    result = str(w.tables.naval["raid"][str(face)])
    with pirate.told_to_all(w):
        w.rolled(purpose, [face], result)
        if result == "sunk":
            wrecks.sink(w, target)
        elif result == "cargo_destroyed":
            wrecks.destroy_cargo(w, target)


def _checked(w: World, player: Seat, order: Raid | Shoot) -> tuple[Unit, Unit]:
    """Pirate ship and victim. Raises `Illegal`."""
    raider = unit_of(w, player, order.unit)
    if raider.kind not in RAIDERS:
        raise Illegal("pirate.target", unit=order.target, why="no_pirate")
    if raider.state != "sea" or not factor(w, raider):
        raise Illegal("battle.reach", unit=raider.id, target=order.target, square=w.map.shown(raider.at))
    target = _target(w, player, order.target, raider)
    if why := why_not(w, raider, target):
        raise Illegal("pirate.target", unit=target.id, why=why)
    if is_inflated(w, raider.owner):
        raise Illegal("inflation.barred", country=raider.owner)
    if raider.fought == w.state.turn:
        raise Illegal("battle.used", unit=raider.id, done=raider.done or "attacked")
    if target.attacked == w.now:
        raise Illegal("battle.used", unit=target.id, done="been_attacked")
    convoys.check(w, raider.owner, target)
    return raider, target


def _target(w: World, player: Seat, name: str, raider: Unit) -> Unit:
    """Raises `Illegal` (`unit.absent`, `unit.which`)."""
    there = [unit for unit in w.at(raider.at) if unit.kind == name and w.player(unit.owner) != player]
    there = [unit for unit in there if not pirate.hides(w, unit, player)]
    if len(there) > 1:
        raise Illegal("unit.which", square=w.map.shown(raider.at), units=[unit.id for unit in there])
    found = there[0] if there else w.units.get(name)
    if found is None or pirate.hides(w, found, player):
        raise Illegal("unit.absent", unit=name, at="")
    return found


def why_not(w: World, raider: Unit, target: Unit) -> str:
    """Why it can't be raided or shot at; empty where it can."""
    if target.kind != "cargo_ship":
        return "not_cargo_ship"
    if w.player(target.owner) == w.player(raider.owner):
        return "own"
    if target.at != raider.at:
        return "not_there"
    return ""


def _begin(w: World, raider: Unit, target: Unit) -> None:
    """It is the one attack of the one and on the other; a hidden raider is seen by the victim first (E18.3)."""
    has_attacked(w, raider.id, "raided")
    w.change(raider.id, used=Fraction(w.tables.bta))
    w.change(target.id, attacked=w.now)
    provoked(w, raider.owner, target.owner)
    victim = w.player(target.owner)
    if pirate.is_in_ship(w, raider) and victim is not None:
        pirate.sight(w, victim, w.map.water[raider.at].square)


def _scuttles(w: World, target: Unit) -> bool:
    """By standing order, or as the owner answers; else the cargo is yielded."""
    owner = w.player(target.owner)
    orders = list(w.standing(owner, "raid"))[:1]
    if not orders:
        said = asking.of_owner(w, "raid", target.id, owner, Standing(what="raid", says="yield"), unit=target.id)
        orders = [said] if said is not None else []
    return any(order.says == "scuttle" for order in orders)


# -- what is taken ---


def _check_items(w: World, target: Unit, items: Sequence[Item]) -> None:
    """Raises `Illegal` (`goods.short`, `unit.absent`)."""
    load = aboard(w, target)
    there = {unit.id for unit in w.aboard(target.id) if not unit.towed}
    for item in items:
        if item.what in w.tables.goods:
            has, needs = load.get(item.what, Fraction(0)), item.count or 1
            if has < needs:
                raise Illegal("goods.short", where=target.id, has=str(has), good=item.what, needs=needs)
        elif item.what not in there and item.what not in load:
            raise Illegal("unit.absent", unit=item.what, at=target.id)


def _take(w: World, raider: Unit, target: Unit, items: Sequence[Item]) -> Iterator[tuple[str, Fraction]]:
    """In the order named, else goods by list order, as far as they fit."""
    for item in items or [Item(good) for good in w.tables.goods]:
        if item.what in w.tables.goods:
            amount = _take_goods(w, raider, target, item)
            if amount:
                yield item.what, amount
        else:
            yield from _take_units(w, raider, target, item)


def room(w: World, raider: Unit) -> Fraction | None:
    """Objects that it still holds; None: any number."""
    holds = w.kind(raider).holds["objects"]
    if holds == "infinite":
        return None
    load = aboard(w, w.units[raider.id])
    return Fraction(int(holds)) - sum((size(w, what) * much for what, much in load.items()), Fraction(0))


def _take_goods(w: World, raider: Unit, target: Unit, item: Item) -> Fraction:
    total = Fraction(0)
    for country in list(w.units[target.id].holds):
        there = w.held(target.id, country).amount(item.what)
        wanted = there if item.count is None else min(there, item.count - total)
        free = room(w, raider)
        if free is not None and size(w, item.what) * wanted > free:
            wanted = Fraction(floor(free / size(w, item.what)))
        if wanted > 0:
            lots = w.take_goods(target.id, country, item.what, wanted)
            w.put_lots(raider.id, raider.owner, item.what, lots)
            total += wanted
    return total


def _take_units(w: World, raider: Unit, target: Unit, item: Item) -> Iterator[tuple[str, Fraction]]:
    """Vehicles and aircraft aboard."""
    able = [u for u in w.aboard(target.id) if item.what in (u.id, u.kind) and not u.towed and not is_land_unit(w, u)]
    for unit in able[: item.count]:
        free = room(w, raider)
        if free is None or free >= size(w, unit.kind):
            w.change(unit.id, owner=raider.owner, aboard=raider.id)
            yield unit.id, Fraction(1)
