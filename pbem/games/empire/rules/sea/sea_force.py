"""Who fights at sea, and with how much: ships, torpedoes, guns, land units on the shore, aircraft (E17.1, E17.4)."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import floor

from msgspec import Struct
from msgspec.structs import replace

from pbem.core.refusal import Illegal
from pbem.core.seat import Seat
from pbem.games.empire.geography.grid import square_of
from pbem.games.empire.rules.accounts import debts
from pbem.games.empire.rules.accounts.inflation import is_inflated
from pbem.games.empire.rules.combat.battle_context import Context
from pbem.games.empire.rules.combat.helping import BOMBERS, GUN, bombs
from pbem.games.empire.rules.ground import pirate
from pbem.games.empire.rules.ground.sides import is_hostile, is_land_unit, stands_there
from pbem.games.empire.rules.ground.who import unit_of, water_part
from pbem.games.empire.rules.pieces.naval_table import defense, factor, is_ship
from pbem.games.empire.rules.sea import guns, serpents
from pbem.games.empire.rules.sea.guns import Battery
from pbem.games.empire.rules.sea.sea_zones import torpedoes
from pbem.games.empire.rules.state import Unit
from pbem.games.empire.rules.world import World


class Force(Struct, frozen=True, kw_only=True):
    """What was named on the attacking side."""

    ships: tuple[str, ...] = ()  # also submarines, each with a torpedo
    guns: tuple[Battery, ...] = ()
    land: tuple[str, ...] = ()
    air: tuple[str, ...] = ()

    def countries(self, w: World) -> list[str]:
        units = [w.units[id_].owner for id_ in (*self.ships, *self.land, *self.air) if id_ in w.units]
        return list(dict.fromkeys([*units, *(battery.owner for battery in self.guns)]))


# -- what is named ---


def water_of(w: World, at: str, ships: Sequence[Unit]) -> str:
    """The water part that is meant: that of the attacking ships in this square. Raises `Illegal`."""
    here = list(dict.fromkeys(ship.at for ship in ships if square_of(ship.at) == square_of(at)))
    if len(here) == 1 and at in (here[0], square_of(at)):
        return here[0]
    return water_part(w, at)


def ships_named(w: World, player: Seat, names: Sequence[str], at: str | None) -> list[Unit]:
    """Those of the attackers that are ships. Raises `Illegal`."""
    found = [unit_of(w, player, name, at if name in w.tables.kinds else None)
             for name in dict.fromkeys(names) if not name.startswith(GUN.strip())]  # fmt: skip
    for unit in found:
        if not is_ship(w, unit):
            raise Illegal("battle.reach", unit=unit.id, target=at or w.map.shown(unit.at), square=w.map.shown(unit.at))
    return found


def force(w: World, player: Seat, names: Sequence[str], support: Sequence[str], part: str, ctx: Context) -> Force:
    """The attacking side. Raises `Illegal` for whoever can't fight there."""
    square = square_of(part)
    found = Force()
    for ship in ships_named(w, player, names, square):
        check_ship(w, ship, part)
        ctx.use(w, ship)
        found = replace(found, ships=(*found.ships, ship.id))
    for name in dict.fromkeys(names):
        if name.startswith(GUN.strip()):
            found = replace(found, guns=(*found.guns, *_guns(w, player, name, part, ctx)))
    for name in dict.fromkeys(support):
        found = _supported(w, player, name, part, ctx, found)
    return found


def check_ship(w: World, ship: Unit, part: str) -> None:
    """Raises `Illegal`."""
    if ship.at != part or ship.aboard is not None:
        raise Illegal("battle.reach", unit=ship.id, target=w.map.shown(part), square=w.map.shown(ship.at))
    if is_inflated(w, ship.owner):
        raise Illegal("inflation.barred", country=ship.owner)
    if ship.kind == "submarine":
        check_torpedo(w, ship)
    elif ship.state != "sea" or not factor(w, ship):
        raise Illegal("battle.reach", unit=ship.id, target=w.map.shown(part), square=w.map.shown(ship.at))


def check_torpedo(w: World, ship: Unit) -> None:
    """Raises `Illegal` (`sub.state`, `goods.short`)."""
    if ship.state not in ("sea", "dived"):
        raise Illegal("sub.state", unit=ship.id, state=ship.state)
    if ship.surfaced == w.now:
        raise Illegal("sub.state", unit=ship.id, state="surfaced")
    if not torpedoes(ship):
        raise Illegal("goods.short", where=ship.id, has=0, good="torpedo", needs=1)


def _guns(w: World, player: Seat, name: str, part: str, ctx: Context) -> list[Battery]:
    where = name.removeprefix(GUN.strip()).strip()
    near = [battery for battery in guns.near(w, part) if where in (battery.part, square_of(battery.part))]
    mine = [battery for battery in near if w.player(battery.owner) == player]
    if not mine:
        raise Illegal("battle.reach", unit=name, target=w.map.shown(part), square=where)
    free = [battery for battery in mine if guns.gun(w, battery).fought != w.state.turn]
    if not free:
        raise Illegal("battle.used", unit=name, done="attacked")
    ctx.use_thing(GUN + free[0].part)
    for battery in free:
        if is_inflated(w, battery.owner):
            raise Illegal("inflation.barred", country=battery.owner)
    return free


def _supported(w: World, player: Seat, name: str, part: str, ctx: Context, found: Force) -> Force:
    """Aircraft with bombs, and land units with heavy arms on the shore. Raises `Illegal`."""
    if name.startswith(GUN.strip()):
        return replace(found, guns=(*found.guns, *_guns(w, player, name, part, ctx)))
    unit = unit_of(w, player, name)
    if is_inflated(w, unit.owner):
        raise Illegal("inflation.barred", country=unit.owner)
    if unit.kind in BOMBERS and bombs(unit):
        ctx.use(w, unit)
        return replace(found, air=(*found.air, unit.id))
    if is_land_unit(w, unit) and w.kind(unit).hau and stands_there(unit) and square_of(unit.at) == square_of(part):
        ctx.use(w, unit)
        return replace(found, land=(*found.land, unit.id))
    if is_ship(w, unit):
        check_ship(w, unit, part)
        ctx.use(w, unit)
        return replace(found, ships=(*found.ships, unit.id))
    raise Illegal("battle.reach", unit=unit.id, target=w.map.shown(part), square=w.map.shown(unit.at))


def targets(w: World, player: Seat, names: Sequence[str], part: str, *, every: bool) -> list[Unit]:
    """The ships that are attacked: those named, else every hostile warship there, with `every` all ships.

    Raises `Illegal` (`unit.absent`, `unit.which`).
    """
    there = [ship for ship in w.at(part) if is_ship(w, ship) and not pirate.hides(w, ship, player)]
    there = [ship for ship in there if not serpents.is_asleep(ship)]
    there = [ship for ship in there if w.player(ship.owner) != player or not ship.owner]
    if names:
        return [_target(w, name, part, there) for name in dict.fromkeys(names)]
    mine = w.countries_of(player)
    hostile = [ship for ship in there if ship.aboard is None and any(is_hostile(w, ship.owner, c, part) for c in mine)]
    return [ship for ship in hostile if every or (factor(w, ship) and ship.state == "sea")]


def _target(w: World, name: str, part: str, there: Sequence[Unit]) -> Unit:
    found = [ship for ship in there if name in (ship.id, ship.kind)]
    if len(found) > 1:
        raise Illegal("unit.which", square=w.map.shown(part), units=[ship.id for ship in found])
    if not found:
        raise Illegal("unit.absent", unit=name, at=w.map.shown(part))
    return found[0]


# -- how much ---


def by_sea(w: World, found: Force, part: str) -> Fraction:
    """BF of ships and guns; a torpedo counts 1."""
    ships = [w.units[id_] for id_ in found.ships if id_ in w.units]
    one = Fraction(w.tables.naval["factors"]["torpedo"])
    force_ = sum((one * (torpedoes(s) > 0) if s.kind == "submarine" else factor(w, s) for s in ships), Fraction(0))
    standing = [battery for battery in found.guns if battery.place < len(w.part(battery.part).guns)]
    return force_ + sum((guns.factor(w, battery, square_of(part)) for battery in standing), Fraction(0))


def by_land(w: World, found: Force) -> int:
    """BF of whole heavy arms units on the shore, at most 3."""
    heavy = sum((w.kind(w.units[id_]).hau for id_ in found.land if id_ in w.units), Fraction(0))
    return min(floor(heavy), int(w.tables.land["bomb_limit"]))


def by_air_at_most(w: World, found: Force) -> int:
    return min(sum(bombs(w.units[id_]) for id_ in found.air if id_ in w.units), int(w.tables.land["bomb_limit"]))


def against(w: World, ships: Sequence[Unit]) -> Fraction:
    return sum((defense(w, ship) for ship in ships), Fraction(0))


def owe_chemicals(w: World, found: Force, part: str) -> None:
    """A tenth for each naval BF and each land unit (E7.18); torpedoes are used up. Raises `Illegal`."""
    rate = debts.rate(w, "naval_factor")
    for id_ in found.ships:
        if w.units[id_].kind != "submarine":
            debts.owe(w, w.units[id_].owner, "chemicals", factor(w, w.units[id_]) * rate)
    for battery in found.guns:
        debts.owe(w, battery.owner, "chemicals", guns.factor(w, battery, square_of(part)) * rate)
    for id_ in found.land:
        debts.owe(w, w.units[id_].owner, "chemicals", debts.rate(w, "land_unit"))
