"""What of the map a letter shows, as text and as a picture: where the things of whose slot it is are."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from pbem.games.empire.data.editions import map_of
from pbem.games.empire.geography.grid import distance, place_of, square_of
from pbem.games.empire.geography.model import Map
from pbem.games.empire.presentation.forces import View

WHOLE = 240  # squares of a map that a letter shows whole
WIDEST, HIGHEST = 7, 9  # columns and rows of what a letter shows whole; of more it shows what lies around the capital
NEAR = 3  # squares from it


def around(view: View) -> list[str]:
    """The squares that letters show, with those near them; none: the whole map."""
    map_ = map_of(view["board"])
    return [] if len(map_.squares) <= WHOLE else around_of(map_, view, view["active"])


def around_of(map: Map, view: View, seat: str | None) -> list[str]:
    """A player's squares and units, or those near their capital where they lie too far apart; none: the whole map."""
    countries = {id_: each for id_, each in view.get("countries", {}).items() if seat and each.get("player") == seat}
    found = [place for place in dict.fromkeys(_places(view, countries)) if square_of(place) in map.squares]
    if not found or _fits(found):
        return found
    capitals = [each["capital"] for each in countries.values() if each.get("capital")]
    middle = capitals[0] if capitals else found[0]
    return [place for place in found if distance(place, middle) <= NEAR] or [middle]


def _places(view: View, countries: Collection[str]) -> Iterator[str]:
    for place, square in view.get("squares", {}).items():
        has = {square.get("control"), *square.get("workers", {}), *square.get("officials", {})}
        if has & {*countries}:
            yield place
    for unit in view.get("units", {}).values():
        if unit.get("owner") in countries and unit.get("at"):
            yield unit["at"]


def _fits(places: Collection[str]) -> bool:
    columns = [place_of(place)[0] for place in places]
    rows = [place_of(place)[1] for place in places]
    return max(columns) - min(columns) < WIDEST and max(rows) - min(rows) < HIGHEST
