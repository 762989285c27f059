"""Seizure: what stands about is anybody's who is there alone (E5.8 to E5.10)."""

from __future__ import annotations

from typing import NoReturn

from pbem.core.refusal import Illegal
from pbem.core.seat import Seat
from pbem.games.empire.geography.grid import square_of
from pbem.games.empire.rules.ground import secrets
from pbem.games.empire.rules.ground.sides import LAND, controls, is_hostile, is_land_unit
from pbem.games.empire.rules.ground.terrain import group
from pbem.games.empire.rules.ground.who import absent, country_for, unit_of
from pbem.games.empire.rules.ground.zones import over
from pbem.games.empire.rules.orders import Act, Seize
from pbem.games.empire.rules.people.owners import pass_unit
from pbem.games.empire.rules.pieces.naval_table import is_ship
from pbem.games.empire.rules.state import Unit
from pbem.games.empire.rules.world import World

WORKER = "worker"
FLOATS = ("barge", "raft", "sailboat", "yacht", "luxury_liner")  # what a cargo ship may seize (E5.9)


def seize(w: World, player: Seat, order: Seize) -> None:
    """Raises `Illegal`."""
    target = _target(w, player, order)
    by = None if order.by == WORKER else unit_of(w, player, order.by)
    why, country = _why_not(w, player, order, target, by)
    if why is not None:
        _refuse(target.id, why)
    old = target.owner
    _let_go(w, target)
    w.finality("taken")
    pass_unit(w, target.id, country, with_load=False)
    w.note("seized", old, to=country, thing=target.id, at=w.map.shown(target.at), by=order.by)


def _refuse(unit: str, why: str) -> NoReturn:
    raise Illegal("seize.barred", unit=unit, why=why)


def _target(w: World, player: Seat, order: Seize) -> Unit:
    sight = secrets.Sight(w, player)
    if order.target in w.units:
        unit = w.units[order.target]
        if not sight.unit(unit) or (order.at is not None and square_of(unit.at) != square_of(order.at)):
            absent_there(order.target)
        if w.player(unit.owner) == player:
            _refuse(unit.id, "own")
        return unit
    if order.at is None or square_of(order.at) not in w.map.squares:
        absent(order.target, order.at)
    there = [u for u in w.in_square(square_of(order.at)) if u.kind == order.target and sight.unit(u)]
    there = [u for u in there if w.player(u.owner) != player]
    if len(there) > 1:
        raise Illegal("unit.which", square=order.at, units=[unit.id for unit in there])
    if not there:
        absent_there(order.target)
    return there[0]


def absent_there(unit: str) -> NoReturn:
    raise Illegal("seize.barred", unit=unit, why="not_there")


def _let_go(w: World, target: Unit) -> None:
    """It is on no tow and aboard nothing any more; what it tows is its owner's still."""
    if target.aboard is not None:
        w.change(target.id, aboard=None, towed=False)
    for other in w.aboard(target.id):
        if other.towed:
            w.change(other.id, aboard=None, towed=False)


# -- who may ---


def _why_not(w: World, player: Seat, order: Act, target: Unit, by: Unit | None) -> tuple[str | None, str]:
    """Why it can't be seized, and for which country it would be. Raises `Illegal`."""
    aboard = _seizer_aboard(w, player, order, target, by)
    if aboard is not None:
        return _why_not_aboard(w, target, aboard, by), aboard
    if by is not None and w.kind(by).class_ == "ship":
        return _why_not_by_ship(w, target, by), by.owner
    places = _places(w, target)
    if by is not None:
        stands = is_land_unit(w, by) and by.aboard is None and by.state == "ground"
        here = [part for part in places if stands and part in group(w, by.at)]
        country = by.owner
    else:
        country = country_for(w, player, order, lambda each: any(w.held(part, each).workers for part in places))
        here = [part for part in places if w.held(part, country).workers]
    if not here:
        return "nobody", country
    reasons = [why_not_taken(w, country, part, by) for part in here]
    why = (None if None in reasons else reasons[0]) or _why_not_free(w, target, country)
    return why or _why_not_aboard(w, target, country, by), country


def _places(w: World, target: Unit) -> tuple[str, ...]:
    """Parts in which it is: of a ship all land of its square (R-1)."""
    if target.at in w.map.land:
        return group(w, target.at)
    return w.map.squares[square_of(target.at)].land


def _why_not_free(w: World, target: Unit, country: str) -> str | None:
    """What is in a warehouse is anyone's who controls it, also military (E11.5)."""
    class_ = w.kind(target).class_
    dead = w.player(target.owner) is None
    if target.aboard is not None and not target.towed and not dead:
        return "aboard"
    if target.state == "stored":
        return None if controls(w, country, target.at) else "others"
    if class_ in LAND and not dead:
        return "military"
    if target.kind == "sea_serpent":
        return "military"
    if is_ship(w, target) and target.state not in ("docked", "beached"):
        return "at_sea"
    if class_ == "air" and target.state != "ground":
        return "in_air"
    return None


def why_not_taken(w: World, country: str, part: str, by: Unit | None) -> str | None:
    """Conditions of E5.8 on a part: hostile_zoc hostile_workers; a dead country hinders nobody (E5.12)."""
    if any(w.player(unit.owner) is not None for unit in over(w, part, country)):
        return "hostile_zoc"
    if by is not None:
        return None
    hostile = [each for each in w.countries if w.player(each) is not None and is_hostile(w, each, country, part)]
    if any(w.held(place, each).workers for place in group(w, part) for each in hostile):
        return "hostile_workers"
    return None


# -- aboard, and by ships (E5.9) ---


def _seizer_aboard(w: World, player: Seat, order: Act, target: Unit, by: Unit | None) -> str | None:
    """The country of who seizes a ship aboard which he is."""
    if w.kind(target).class_ != "ship":
        return None
    if by is not None:
        return by.owner if by.aboard == target.id and is_land_unit(w, by) else None
    mine = [each for each in w.countries_of(player) if each in target.holds and target.holds[each].workers]
    if order.country is not None:
        return order.country if order.country in mine else None
    return mine[0] if mine else None


def _why_not_aboard(w: World, target: Unit, country: str, by: Unit | None) -> str | None:
    """Hostile land units aboard keep everybody out, hostile workers only workers."""
    army = [u for u in w.aboard(target.id) if is_land_unit(w, u) and is_hostile(w, u.owner, country, target.at)]
    if any(w.player(unit.owner) is not None for unit in army):
        return "aboard_land"
    if by is not None:
        return None
    hostile = [each for each in target.holds if w.player(each) is not None and is_hostile(w, each, country, target.at)]
    return "aboard_worker" if any(target.holds[each].workers for each in hostile) else None


def _why_not_by_ship(w: World, target: Unit, by: Unit) -> str | None:
    if by.kind not in ("cargo_ship", "super_cargo_ship") or target.kind not in FLOATS:
        return "nobody"
    if square_of(by.at) != square_of(target.at):
        return "not_there"
    if target.kind == "barge":
        return "in_tow" if target.towed else None
    empty = not target.holds and not w.aboard(target.id)
    return None if empty else "not_empty"
