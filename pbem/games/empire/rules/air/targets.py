"""What can be bombed in a square, and at which factor (E16.1, E16.3, E16.6 to E16.9)."""

from __future__ import annotations

from fractions import Fraction
from typing import NoReturn

from msgspec import Struct

from pbem.core.refusal import Illegal
from pbem.games.empire.geography.grid import square_of
from pbem.games.empire.rules.ground import pirate
from pbem.games.empire.rules.ground.sides import controller, hostile_land_units
from pbem.games.empire.rules.state import Unit
from pbem.games.empire.rules.world import World

LINES = ("road", "railroad", "power_line", "pipeline", "mountain_road", "canal")
ITEMS = ("dock", "airport", "warehouse", "bridge", "mountain_road", "canal")
HOLDS = {  # the state and the classes of what is inside
    "dock": ("docked", ("ship", "towed")),
    "airport": ("ground", ("air",)),
    "warehouse": ("stored", ("people", "land", "vehicle", "air")),
}
OVER = 9  # E16.4: factors above 9 are 9


class Target(Struct, frozen=True, kw_only=True):
    """One thing that bombs fall on."""

    row: str  # of `bombing_targets`
    square: str
    part: str = ""
    unit: str | None = None
    owner: str | None = None  # the country whose possession it is
    name: str = ""  # as the order names it, for dice
    factor: int = 0
    item: str = ""  # factory code, item, line; `work ID` of an unfinished one
    other: str = ""  # of a line: the second square
    side: str = ""  # of a fort


def find(w: World, attacker: str, name: str, at: str) -> Target:
    """Raises `Illegal` (`bomb.target`)."""
    square = square_of(at)
    if square not in w.map.squares:
        raise Illegal("square.absent", square=at)
    words = name.split()
    if name in w.units and not pirate.is_unseen(w, w.units[name], attacker):
        return _unit(w, w.units[name], name, square)
    if name in ("empty", "empty_square"):
        return _empty(w, attacker, square)
    if words[0] in LINES and len(words) > 1:
        return _line(w, words[0], [word for word in words[1:] if word != "-"], square)
    if name in w.tables.kinds and name not in ("worker", "governor", "ambassador"):
        return _kind(w, attacker, name, square)
    for part in w.map.parts(at) or w.map.squares[square].land:
        found = _in_part(w, attacker, name, words, part, square)
        if found is not None:
            return found
    raise Illegal("bomb.target", target=name, square=square, why="not_there")


def _refuse(target: str, square: str, why: str) -> NoReturn:
    raise Illegal("bomb.target", target=target, square=square, why=why)


def _unit(w: World, unit: Unit, name: str, square: str) -> Target:
    if square_of(unit.at) != square or unit.kind not in w.tables.bombing_targets:
        _refuse(name, square, "not_there")
    if unit.aboard is not None:
        _refuse(name, square, "aboard")
    if unit.state == "dived":
        _refuse(name, square, "dived")
    if unit.state == "docked" and w.has_item(square, "dock"):
        _refuse(name, square, "docked")
    if unit.state == "stored":
        _refuse(name, square, "stored")
    factor = w.tables.bombing_targets[unit.kind][0]
    if unit.at in w.map.land:
        factor += shelter(w, unit.kind, unit.at)
    return Target(row=unit.kind, square=square, part=unit.at, unit=unit.id, owner=unit.owner, name=unit.id,
                  factor=min(factor, OVER))  # fmt: skip


def _kind(w: World, attacker: str, kind: str, square: str) -> Target:
    there = [u for u in w.in_square(square) if u.kind == kind and u.aboard is None]
    there = [u for u in there if not pirate.is_unseen(w, u, attacker)]
    there = [u for u in there if not w.friendly(attacker, u.owner, square)] or there
    if len(there) > 1:
        raise Illegal("unit.which", square=square, units=[unit.id for unit in there])
    if not there:
        _refuse(kind, square, "not_there")
    return _unit(w, there[0], there[0].id, square)


def terrain_bonus(w: World, row: str, part: str) -> int:
    """+1 in mountains or full forest (E16.3)."""
    rules = w.tables.bombing_modifiers
    if row in rules["not_for"]:
        return 0
    terrain = w.map.land[part].terrain
    return (
        int(rules["mountains"])
        if terrain in ("mountains", "full_mountain")
        else int(rules["forest"])
        if terrain == "forest"
        else 0
    )


def shelter(w: World, row: str, part: str) -> int:
    """What the ground gives; a garrison behind a pillbox +1, in a fort +2 instead (l. 851-853)."""
    kinds = [fort.kind for fort in w.part(part).forts.values() if not fort.damaged]
    rules = w.tables.bombing_modifiers
    if kinds:
        return int(rules["in_fort" if "fort" in kinds else "behind_pillbox"])
    return terrain_bonus(w, row, part)


def _empty(w: World, attacker: str, square: str) -> Target:
    if w.options["bombing_empty"] == "no":
        _refuse("empty", square, "empty_barred")
    people = any(held.people() for land in w.map.squares[square].land for held in w.part(land).held.values())
    there = [unit for unit in w.in_square(square) if unit.aboard is None and unit.state != "up"]
    if people or any(not pirate.is_unseen(w, unit, attacker) for unit in there):
        _refuse("empty", square, "square_full")
    return Target(row="empty_square", square=square, name="empty")


def _line(w: World, item: str, squares: list[str], square: str) -> Target:
    one, other = ([*squares, square])[:2] if len(squares) > 1 else (square, squares[0])
    if item not in w.border(one, other).standing:
        _refuse(item, square, "not_there")
    bonus = max((terrain_bonus(w, item, land) for land in w.map.parts(square)), default=0)
    factor = w.tables.bombing_targets[item][0] + bonus
    return Target(row=item, square=square, part=one, owner=_owner(w, one), name=f"{item} {one} - {other}",
                  factor=min(factor, OVER), item=item, other=other)  # fmt: skip


def _owner(w: World, part: str, item: str = "") -> str | None:
    """Who controls the part; where nobody does, whose pieces are in the airport, dock or warehouse."""
    if part not in w.map.land:
        return None
    inside = contents(w, item, square_of(part)) if item in HOLDS else ()
    return controller(w, part) or next((unit.owner for unit in inside), None)


def contents(w: World, item: str, square: str) -> list[Unit]:
    """Pieces in an airport, dock or warehouse."""
    state, classes = HOLDS[item]
    inside = [unit for unit in w.in_square(square) if unit.state == state and unit.aboard is None]
    return [unit for unit in inside if w.kind(unit).class_ in classes]


def _in_part(w: World, attacker: str, name: str, words: list[str], part: str, square: str) -> Target | None:
    found = w.part(part)
    row, item, side = "", name, ""
    if name == "worker" and any(held.workers for held in found.held.values()):
        owners = [c for c, held in found.held.items() if held.workers]
        owner = next((c for c in owners if not w.friendly(attacker, c, part)), owners[0])
        factor = w.tables.bombing_targets["worker"][0] + shelter(w, "worker", part)
        return Target(row="worker", square=square, part=part, owner=owner, name=name, factor=min(factor, OVER))
    if name in w.tables.factories:
        if any(factory.kind == name for factory in found.factories):
            row = w.tables.factories[name].target
        elif any(work.item == name and work.what == "build" for work in found.works):
            row, item = w.tables.factories[name].target, f"work {name}"
    elif name in ("AA", "naval_gun") and any(gun.kind == name for gun in found.guns):
        row = "ack_ack" if name == "AA" else "naval_gun"
    elif name in ITEMS and name in found.items:
        row = name
    elif words[0] in ("fort", "pillbox"):
        sides = [each for each, fort in found.forts.items() if fort.kind == words[0]]
        side = words[1] if len(words) > 1 and words[1] in sides else next(iter(sides), "")
        row = words[0] if side else ""
    if not row:
        return None
    factor = w.tables.bombing_targets[row][0] + terrain_bonus(w, row, part)
    return Target(row=row, square=square, part=part, owner=_owner(w, part, item), name=name, factor=min(factor, OVER),
                  item=item, side=side)  # fmt: skip


def shielding(w: World, attacker: str, target: Target, named: frozenset[str]) -> str | None:
    """The land unit that comes first: together they have 2 HAU or more, and it is not yet named (E16.8)."""
    there = [u for land in w.map.squares[target.square].land for u in hostile_land_units(w, attacker, land)]
    if target.unit in [unit.id for unit in there] or sum((w.kind(unit).hau for unit in there), Fraction(0)) < 2:
        return None
    return next((unit.id for unit in there if unit.id not in named and unit.attacked != w.now), None)


def is_ship(w: World, target: Target) -> bool:
    return target.unit is not None and w.kind(w.units[target.unit]).class_ in ("ship", "towed")
