"""Capturing under capture rules (E7.15)."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from pbem.core.refusal import Illegal
from pbem.core.seat import Seat
from pbem.games.empire.geography.grid import distance, square_of
from pbem.games.empire.rules.accounts import debts
from pbem.games.empire.rules.accounts.inflation import is_inflated
from pbem.games.empire.rules.countries import force
from pbem.games.empire.rules.countries.force import Prey
from pbem.games.empire.rules.ground import secrets
from pbem.games.empire.rules.ground.who import absent, any_part, incomplete, units_of
from pbem.games.empire.rules.held import chosen
from pbem.games.empire.rules.orders import Capture
from pbem.games.empire.rules.people.capturing import in_force
from pbem.games.empire.rules.people.owners import pass_crew, pass_goods, pass_unit
from pbem.games.empire.rules.pieces.carrying import PEOPLE
from pbem.games.empire.rules.state import Unit
from pbem.games.empire.rules.world import World


def capture(w: World, player: Seat, order: Capture) -> None:
    """What is confronted with superior force passes. Raises `Illegal`."""
    units = units_of(w, player, order.units)
    country = units[0].owner
    for unit in units:
        _check_taker(w, unit)
    prey = _prey(w, player, order)
    _check_rules(w, player, prey)
    mine = force.of(w, prey, units)
    theirs = force.against(w, prey, units)
    if mine <= theirs:
        raise Illegal("capture.weak", force=str(mine), against=str(theirs))
    _fly(w, prey, units)
    w.finality("taken")
    _pass(w, prey, country, order.item.count)
    at, by = w.map.shown(prey.at), [unit.id for unit in units]
    w.note("captured", prey.owner, to=country, thing=prey.name, count=order.item.count, at=at, by=by)


def _check_taker(w: World, unit: Unit) -> None:
    if is_inflated(w, unit.owner):
        raise Illegal("inflation.barred", country=unit.owner)


def _check_rules(w: World, player: Seat, prey: Prey) -> None:
    if w.player(prey.owner) in (None, player) or not in_force(w, prey.owner):
        raise Illegal("capture.none", country=prey.owner)


# -- what is meant ---


def _prey(w: World, player: Seat, order: Capture) -> Prey:
    """Raises `Illegal`."""
    what, at = order.item.what, order.at
    if what in w.units:
        return _of_unit(w, player, w.units[what], at)
    if at is None:
        if what in w.tables.goods or what in PEOPLE:
            incomplete(what, "SQUARE")
        absent(what)
    if what in w.tables.kinds and what not in PEOPLE:
        there = [u for u in _around(w, at) if u.kind == what and w.player(u.owner) != player]
        if len(there) > 1:
            raise Illegal("unit.which", square=at, units=[unit.id for unit in there])
        if not there:
            absent(what, at)
        return _of_unit(w, player, there[0], at)
    return _of_pile(w, player, order, any_part(w, at))


def _around(w: World, at: str) -> list[Unit]:
    return w.in_square(square_of(at)) if square_of(at) in w.map.squares else []


def _of_unit(w: World, player: Seat, unit: Unit, at: str | None) -> Prey:
    there = at is None or square_of(at) == square_of(unit.at)
    if not there or not secrets.Sight(w, player).unit(unit):
        absent(unit.id, at)
    bearer = unit
    while bearer.aboard is not None:
        bearer = w.units[bearer.aboard]
    return Prey(name=unit.id, owner=unit.owner, at=unit.at, unit=unit, bearer=bearer)


def _of_pile(w: World, player: Seat, order: Capture, part: str) -> Prey:
    """People or goods of the first country there under capture rules that has enough."""
    what = order.item.what
    if what == "governor":
        raise Illegal("seize.barred", unit=what, why="governor")
    there = [each for each in w.part(part).held if w.player(each) not in (None, player) and _has(w, each, part, what)]
    under = [each for each in there if in_force(w, each)]
    if there and not under:
        raise Illegal("capture.none", country=there[0])
    needs = order.item.count or 1
    best = max(under, key=lambda each: _has(w, each, part, what), default=None)
    has = _has(w, best, part, what) if best is not None else Fraction(0)
    if best is None or has < needs:
        if what in PEOPLE:
            raise Illegal("workers.short", square=part, has=int(has), needs=needs)
        raise Illegal("goods.short", where=part, has=str(has), good=what, needs=str(needs))
    return Prey(name=what, owner=best, at=part)


def _has(w: World, country: str, part: str, what: str) -> Fraction:
    held = w.held(part, country)
    return Fraction(held.people(what)) if what in PEOPLE else held.amount(what)


# -- and done ---


def _fly(w: World, prey: Prey, units: Sequence[Unit]) -> None:
    """Aircraft fly there and back: BTA and oil, no bombs."""
    for unit in units:
        if w.kind(unit).class_ == "air":
            if unit.flew != w.now:
                debts.owe(w, unit.owner, "oil", debts.rate(w, "flight"))
            far = 2 * distance(square_of(unit.at), prey.square) * w.kind(unit).bta
            w.change(unit.id, used=unit.used + far, flew=w.now)


def _pass(w: World, prey: Prey, country: str, count: int | None) -> None:
    if prey.unit is not None:
        if prey.unit.aboard is not None:
            w.change(prey.unit.id, aboard=None, towed=False)
        pass_unit(w, prey.unit.id, country, with_load=True)
    elif prey.name in PEOPLE:
        for crew in chosen(w.held(prey.at, prey.owner), count or 1, prey.name):
            pass_crew(w, prey.at, prey.owner, country, crew)
    else:
        pass_goods(w, prey.at, prey.owner, country, prey.name, count)
