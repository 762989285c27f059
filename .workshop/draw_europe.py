"""Draw the board of Europe: `python .workshop/draw_europe.py` writes games/imperial/boards/europe.svg anew.

The land of Natural Earth is parted into the regions (`partition`), small provinces are grown until pieces and names
fit (`cartogram`), borders are smoothed (`outlines`), and places for names and pieces are looked for (`places`).
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import yaml
from shapely import unary_union
from shapely.geometry.base import BaseGeometry

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))

import partition
from cartogram import grown
from outlines import line, path, softened
from places import MARGIN, Ground, Spot, fields, harbour, label_spot

from pbem.games.imperial.data.editions import display_names
from pbem.language.words import LANGUAGES
from pbem.render.lettering import width

BOARDS = HERE.parent / "games/imperial/boards"
SIZE = (600, 590)  # the picture is drawn in the pixels of a letter's width
ROUNDS = 25
LAND, SEA = 0.61, 0.39  # of the whole
SHARES = {  # how much larger or smaller than its kind's rule
    "algeria": 1.0,
    "baltic_sea": 0.85,
    "bay_of_biscay": 0.55,
    "belgium": 1.25,
    "black_sea": 0.75,
    "denmark": 1.25,
    "eastern_mediterranean_sea": 0.9,
    "dijon": 1.1,
    "edinburgh": 1.15,
    "english_channel": 1.35,
    "florence": 1.5,
    "genoa": 1.25,
    "greece": 1.2,
    "hamburg": 1.15,
    "holland": 1.2,
    "kiev": 0.9,
    "liverpool": 1.15,
    "london": 1.2,
    "morocco": 1.05,
    "moscow": 0.85,
    "naples": 1.6,
    "north_atlantic": 0.6,
    "north_sea": 0.7,
    "norway": 0.95,
    "odessa": 1.1,
    "paris": 1.1,
    "portugal": 0.9,
    "rome": 1.3,
    "sheffield": 1.1,
    "spain": 1.05,
    "st_petersburg": 0.9,
    "sweden": 0.9,
    "switzerland": 0.6,
    "tunis": 1.1,
    "turkey": 1.05,
    "venice": 1.3,
    "vienna": 1.15,
}
NAME, LINE = 9.0, 9.5  # the size of names, and from line to line
MARK = 13  # a city's square or a flag beside a name
ARMY, FLEET = (20.0, 15.0), (27.0, 15.0)  # with their numbers
LARGE = 1.6  # how much larger names and pieces are on a phone
OVER = -3  # px inside the border, for pieces that large
LAYOUTS = (  # how a name may lie: in one line or many, its mark beside or above it, how far inside the border
    ("one", "beside", 1.2),
    ("many", "beside", 1.2),
    ("one", "above", 1.2),
    ("many", "above", 1.2),
    ("many", "beside", -4),
    ("many", "above", -4),
    ("many", "above", -8),
)
LARGE_LAYOUTS = tuple(
    (lines, lies, margin)
    for margin in (1.2, -3, -6, -9, -12, -15, -20, -25)
    for lies in ("beside", "above")
    for lines in ("one", "many")
)
TINTS = {
    "austria_hungary": "#f6df94",
    "italy": "#c3dfb0",
    "france": "#b7cfeb",
    "great_britain": "#f0bfb0",
    "germany": "#cccac4",
    "russia": "#dcc8e6",
}
FRONTIERS = {
    "austria_hungary": "#a67c00",
    "italy": "#2f7d4f",
    "france": "#2a5f9e",
    "great_britain": "#b23a2a",
    "germany": "#4a4a4a",
    "russia": "#75469a",
}
Shapes = dict[str, BaseGeometry]


def main() -> None:
    board: dict[str, Any] = yaml.safe_load((BOARDS / "europe.yaml").read_text("utf-8"))
    parted = partition.regions()
    shapes = softened(grown(parted, wanted(parted), rounds=ROUNDS, size=SIZE), SIZE)
    (BOARDS / "europe.svg").write_text("\n".join(drawn(board, shapes)) + "\n", "utf-8")


def wanted(shapes: Mapping[str, BaseGeometry]) -> dict[str, float]:
    """Areas that differ less than the true ones, as shares of the whole."""
    rule = {n: s.area ** (0.6 if n in partition.SEAS else 0.38) * SHARES.get(n, 1) for n, s in shapes.items()}
    land, sea = (sum(a for n, a in rule.items() if (n in partition.SEAS) == is_sea) for is_sea in (False, True))
    return {n: a * (SEA / sea if n in partition.SEAS else LAND / land) for n, a in rule.items()}


# -- the drawing ---


def drawn(board: Mapping[str, Any], shapes: Shapes) -> Iterator[str]:
    homes = {n: [r for r, p in board["home_provinces"].items() if p["nation"] == n] for n in board["nations"]}
    w, h = SIZE
    yield f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {w} {h}" width="{w}" height="{h}">'
    yield "<!-- Drawn by .workshop/draw_europe.py after Natural Earth (public domain). -->"
    yield '<g id="map" stroke-linejoin="round">'
    yield from group("seas", ' fill="#cfe4ee"', {n: shapes[n] for n in board["sea_regions"]})
    yield '<g id="sea_borders" fill="none" stroke="#7fa6ba" stroke-dasharray="4 3">'
    yield f'<path d="{line(sea_borders(board, shapes))}"/></g>'
    yield '<g id="shallows" fill="none" stroke="#b3d3e2">'
    yield '<use href="#lands" stroke-width="7" stroke-opacity=".35"/>'
    yield '<use href="#lands" stroke-width="3.5" stroke-opacity=".8"/></g>'
    yield '<g id="lands">'
    for nation, regions in homes.items():
        yield from group(nation, f' fill="{TINTS[nation]}"', {n: shapes[n] for n in regions})
    yield from group("others", ' fill="#f5eddc"', {n: shapes[n] for n in board["land_regions"]})
    yield from group("impassable", ' fill="#b9b1a3"', {n: shapes[n] for n in board["impassable"]})
    yield "</g>"
    yield '<g id="frontiers" fill="none">'
    yield '<use href="#lands" stroke="#8c7f6b" stroke-width=".7"/>'
    for nation, regions in homes.items():
        outline = unary_union([shapes[n] for n in regions]).boundary
        yield f'<path d="{line(outline)}" stroke="{FRONTIERS[nation]}" stroke-width="1.5"/>'
    yield "</g></g>"
    yield '<g id="places" display="none">'
    yield from (rectangle(name, spot) for name, spot in placed(board, shapes, 1))
    yield "</g>"
    yield '<g id="large" display="none">'
    yield from (rectangle(f"large.{name}", spot) for name, spot in placed(board, shapes, LARGE))
    yield "</g>"
    yield "</svg>"


def group(name: str, attributes: str, shapes: Shapes) -> Iterator[str]:
    yield f'<g id="{name}"{attributes}>'
    yield from (f'<path id="{region}" d="{path(shape)}"/>' for region, shape in shapes.items())
    yield "</g>"


def sea_borders(board: Mapping[str, Any], shapes: Shapes) -> BaseGeometry:
    seas = board["sea_regions"]
    pairs = [b for b in board["borders"] if b[0] in seas and b[1] in seas]
    return unary_union([shapes[a].intersection(shapes[b]) for a, b in pairs])


def rectangle(name: str, spot: Spot) -> str:
    return f'<rect id="{name}" x="{spot.x:g}" y="{spot.y:g}" width="{spot.w:g}" height="{spot.h:g}"/>'


# -- the places ---


def placed(board: Mapping[str, Any], shapes: Shapes, by: float) -> Iterator[tuple[str, Spot]]:
    """Every place by its name, for names and pieces so much larger: `vienna.name.beside`, `trieste.harbour`.

    Fields for pieces, `vienna.field.1`, come last: names of neighbours may lie over a border.
    """
    taken: list[Spot] = []
    names: dict[str, Spot] = {}
    grounds = {region: shape if region in partition.SEAS else mainland(shape) for region, shape in shapes.items()}
    for region in sorted(shapes, key=lambda region: (region in partition.SEAS, by > 1 and shapes[region].area)):
        lies, names[region] = named(region, grounds[region], taken, by, bare=region in board["impassable"])
        yield f"{region}.name.{lies}", names[region]
        taken.append(names[region])
        if port := board["home_provinces"].get(region, {}).get("port"):
            ground = take(taken, Ground(grounds[region] | shapes[port]))
            taken.append(harbour(grounds[region], shapes[port], ground, names[region], by))
            yield f"{region}.harbour", taken[-1]
    for region, name in names.items():
        ground = take(taken, Ground(grounds[region], MARGIN if by == 1 else OVER, SIZE))
        for place, spot in fielded(region, ground, name, by):
            yield place, spot
            taken.append(spot)


def take(taken: list[Spot], ground: Ground) -> Ground:
    for spot in taken:
        ground.take(spot)
    return ground


def mainland(shape: BaseGeometry) -> BaseGeometry:
    return max(getattr(shape, "geoms", [shape]), key=lambda part: part.area)


def piece(region: str, by: float) -> tuple[float, float]:
    wide, high = FLEET if region in partition.SEAS else ARMY
    return wide * by, high * by


def fielded(region: str, ground: Ground, name: Spot, by: float) -> Iterator[tuple[str, Spot]]:
    for number, spot in enumerate(fields(ground, piece(region, by), name), 1):
        yield f"{region}.field.{number}", spot


def named(region: str, shape: BaseGeometry, taken: list[Spot], by: float, *, bare: bool) -> tuple[str, Spot]:
    """How a name lies and where: in its region if it can, with room left for pieces, else over the border."""
    for lines, lies, margin in LAYOUTS if by == 1 else LARGE_LAYOUTS:
        size = label_size(region, lines, "bare" if bare else lies, by)
        where = take(taken, Ground(shape, margin, SIZE))
        centre = shape.centroid
        found = label_spot(where, size, piece(region, by), (centre.x, centre.y - 8))
        if found and (bare or margin < (0 if by == 1 else -15) or has_room(found[1], piece(region, by))):
            return ("bare" if bare else lies), found[0]
    if region in partition.SEAS:
        return "alone", label_spot(take(taken, Ground(shape)), (MARK * by, MARK * by), piece(region, by), (0, 0))[0]
    raise SystemExit(f"{region}: its name does not fit in")


def has_room(field: Spot, one: tuple[float, float]) -> bool:
    """For some pieces, or in large print for one."""
    if one[1] > ARMY[1]:
        return field.w > 0.9 * one[0] and field.h > 0.9 * one[1]
    return field.w * field.h > 1.5 * one[0] * one[1]


def label_size(region: str, lines: str, lies: str, by: float) -> tuple[float, float]:
    """The same in all languages."""
    mark = MARK * by
    hand = "slanted" if region in partition.SEAS else "plain"
    names = [display_names(language)["regions"][region] for language in LANGUAGES]
    ways = [name.split() if lines == "many" or region in partition.SEAS else [name] for name in names]
    wide = max(width(word, NAME * by, hand) for way in ways for word in way)
    high = max(map(len, ways)) * LINE * by + 1
    if lies == "bare":
        return wide, high
    return (wide + mark, max(high, mark - 2)) if lies == "beside" else (max(wide, mark), high + mark - 1)


if __name__ == "__main__":
    main()
