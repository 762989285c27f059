"""Where capitals may stand, and what they hold (E3.2, E3.4)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction

from msgspec.structs import replace

from pbem.core.refusal import Illegal
from pbem.core.seat import Seat
from pbem.games.empire.geography.grid import square_of
from pbem.games.empire.geography.nearest import nearest_first
from pbem.games.empire.rules.ground.ways import reach, steps_into
from pbem.games.empire.rules.ground.who import land_part
from pbem.games.empire.rules.held import Crew
from pbem.games.empire.rules.state import Country
from pbem.games.empire.rules.world import World

TERRAIN = ("open", "partial_forest", "mountains")
WORKER = "worker"


def lay_works(w: World) -> None:
    """What the map has from the beginning: roads, bridges, canals …"""
    for key, works in w.map.works.items():
        if "-" in key:
            one, other = key.split("-")
            w.change_border(one, other, works)
        else:
            land = w.map.parts(key) or w.map.squares[square_of(key)].land
            w.change_part(land[0], items=(*w.part(land[0]).items, *works))


def settle(w: World, player: Seat, part: str) -> None:
    """A capital, with all that it holds but the beast."""
    country = str(player)
    w.change_part(part, city=True, site=True)
    w.countries[country] = Country(player=player, confidence=_confidence(w), capital=part)
    for good, amount in w.tables.kit.items():
        w.put_goods(part, country, good, amount)
    for kind, count in w.tables.kit_people.items():
        if kind in ("worker", "governor", "ambassador"):
            w.join(part, country, Crew(kind=kind, count=count))
        elif kind in w.tables.kinds:
            for _ in range(count):
                w.new_unit(kind, country, part)


def _confidence(w: World) -> int:
    return int(w.tables.economy.get("confidence", 10))


def water_of(w: World, part: str) -> tuple[str, ...]:
    return w.map.squares[square_of(part)].water


# -- where ---


def first_free(w: World, squares: Sequence[str]) -> str:
    """The first of them that may hold a capital. Raises `Illegal` for the first one where none may."""
    parts = [_named(w, square) for square in squares]
    legal = legal_parts(w)
    for part in parts:
        if part in legal:
            return part
    raise Illegal("capital.barred", square=squares[0] if squares else "", why=_why(w, parts[0]) if parts else "terrain")


def _named(w: World, square: str) -> str:
    found = w.map.squares.get(square_of(square))
    if found is not None and not found.land:
        raise Illegal("capital.barred", square=square, why="terrain")
    return land_part(w, square)


def _why(w: World, part: str) -> str:
    if w.map.land[part].terrain not in TERRAIN:
        return "terrain"
    return "too_close"


def legal_parts(w: World) -> dict[str, None]:
    """In map order. If nothing is far enough, the limit falls by one BTA until something is."""
    bare = _without_cities(w)
    near = [_near(bare, part) for part in w.state.capitals.values()]
    able = [part for part, land in w.map.land.items() if land.terrain in TERRAIN and not w.part(part).city]
    for limit in range(w.tables.bta, -1, -1):
        free = [part for part in able if not any(part in ways and ways[part] <= limit for ways in near)]
        if free:
            return dict.fromkeys(free)
    return dict.fromkeys(able)


def _without_cities(w: World) -> World:
    """The map as it is: cities that have just been placed are no roads."""
    parts = {name: replace(part, city=False) for name, part in w.parts.items()}
    return World(w.setting, replace(w.state, parts=parts, borders=dict(w.borders)), w.chance)


def _near(w: World, part: str) -> dict[str, Fraction]:
    """Parts within a worker's reach of it, or from which it is, with the cheaper way."""
    there = reach(w, WORKER, part, Fraction(w.tables.bta), _anywhere)
    back = dict(nearest_first([part], Fraction(0), lambda each: steps_into(w, WORKER, each), Fraction(w.tables.bta)))
    return {each: min(ways[each] for ways in (there, back) if each in ways) for each in {**there, **back}}


def _anywhere(_: str) -> bool:
    return True


# -- without an answer ---


def usual(w: World) -> str:
    """The map's next free start, else the legal part with most farmable parts in reach, ties in map order."""
    legal = legal_parts(w)
    for start in w.map.starts:
        for part in w.map.parts(start):
            if part in legal:
                return part
    return max(legal, key=_farmable(_without_cities(w)))


def _farmable(w: World) -> Callable[[str], int]:
    fertile = {part for part, land in w.map.land.items() if land.terrain in w.tables.farm_terrain}

    def count(part: str) -> int:
        return len(fertile & {*reach(w, WORKER, part, Fraction(w.tables.bta), _anywhere)})

    return count
