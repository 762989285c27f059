"""Power and its grids (E7.9)."""

from __future__ import annotations

from collections.abc import Iterator

from pbem.core.refusal import Illegal
from pbem.games.empire.geography.grid import map_order, square_of
from pbem.games.empire.rules.ground.terrain import beside, group
from pbem.games.empire.rules.world import World

LINE, UNDER = "power_line", "underwater_power_line"


def grid(w: World, part: str) -> list[str]:
    """The land parts of its grid in map order: joined by unbroken lines, or as one square (E1.7)."""
    if w.options["power"] == "square":
        return sorted(group(w, part), key=map_order)
    seen, edge = {part}, [part]
    while edge:
        for other in _joined(w, edge.pop()):
            if other not in seen:
                seen.add(other)
                edge.append(other)
    return sorted((each for each in seen if each in w.map.land), key=map_order)


def _joined(w: World, node: str) -> Iterator[str]:
    """Nodes are land parts, and squares under whose water a line lies (`~F3`)."""
    square = square_of(node.removeprefix("~"))
    under = [other for other in w.map.around(square) if UNDER in w.border(square, other).lines]
    if node.startswith("~"):
        yield from w.map.squares[square].land
        yield from ("~" + other for other in under)
        return
    yield from group(w, node)
    yield from (other for _, other in beside(w, node) if LINE in w.border(node, other).lines)
    if under:
        yield "~" + square


def left(w: World, country: str, part: str) -> int:
    """Made in this slot and not used; kept by the part of the station and of the factory."""
    known = [w.country(country).power.get(each, {}) for each in grid(w, part)]
    return sum(each.get("made", 0) - each.get("used", 0) for each in known)


def make(w: World, country: str, part: str, amount: int) -> None:
    _add(w, country, part, "made", amount)


def use(w: World, country: str, part: str, amount: int) -> None:
    """Raises `Illegal` (`power.short`)."""
    if w.options["power"] == "free" or not amount:
        return
    has = left(w, country, part)
    if has < amount:
        raise Illegal("power.short", square=part, has=max(0, has), needs=amount)
    _add(w, country, part, "used", amount)


def _add(w: World, country: str, place: str, what: str, amount: int) -> None:
    power = w.country(country).power
    known = dict(power.get(place, {}))
    known[what] = known.get(what, 0) + amount
    w.change_country(country, power={**power, place: known})


def water_at(w: World, country: str, part: str) -> str | None:
    """A part of the grid with water power of this slot, its own first."""
    water = w.country(country).water
    return next((place for place in (part, *grid(w, part)) if water.get(place)), None)


def draw_water(w: World, country: str, place: str) -> None:
    water = w.country(country).water
    w.change_country(country, water={**water, place: water[place] - 1})
