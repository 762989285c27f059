"""Europe parted into the regions of the board: Natural Earth's land, Voronoi cells of hand-set points, straits cut.

Kilometres in a Lambert azimuthal equal-area projection about 50 N 14 E, y upwards.
"""

from __future__ import annotations

import json
from collections import defaultdict
from math import cos, radians, sin, sqrt
from pathlib import Path

import yaml
from shapely import (
    LineString,
    MultiPoint,
    Point,
    Polygon,
    STRtree,
    box,
    coverage_simplify,
    make_valid,
    polygonize,
    unary_union,
    voronoi_polygons,
)
from shapely.geometry.base import BaseGeometry

HERE = Path(__file__).resolve().parent
FRAME = box(-2450, -1700, 2050, 1950)
ICELAND = box(-2250, 1700, -1000, 2100)
STRAITS = [  # cut through, so that fleets pass (FAQ: straits are no bridges)
    [(26.1, 40.0), (26.7, 40.4), (27.6, 40.7), (28.6, 40.8), (29.0, 41.05), (29.15, 41.35)],  # Dardanelles, Bosporus
    [(12.4, 56.3), (12.75, 55.6), (12.6, 55.1)],  # Sound
    [(10.95, 56.2), (10.95, 55.5), (11.0, 54.8)],  # Belt
    [(-6.1, 35.95), (-5.3, 35.97)],  # Gibraltar
    [(1.2, 50.85), (1.75, 51.2)],  # Dover
    [(15.62, 38.3), (15.62, 37.9)],  # Messina
    [(36.55, 45.0), (36.6, 45.5)],  # Kerch
]
BOTHNIA = [(23.0, 65.0), (24.2, 69)]  # opened to the top of the frame: Sweden has no border with St. Petersburg
STRAIT, GULF = 13, 45  # km, half the width
SPECK = 2500  # km², smaller islands are left out
SLIVER = 9000  # km², smaller pieces of a region apart from its main part go to a neighbour


def projected(lon: float, lat: float) -> tuple[float, float]:
    phi, lam, phi0, lam0 = radians(lat), radians(lon), radians(50), radians(14)
    k = 6371 * sqrt(2 / (1 + sin(phi0) * sin(phi) + cos(phi0) * cos(phi) * cos(lam - lam0)))
    return k * cos(phi) * sin(lam - lam0), k * (cos(phi0) * sin(phi) - sin(phi0) * cos(phi) * cos(lam - lam0))


def regions() -> dict[str, BaseGeometry]:
    """The shape of each region; together they cover the frame without gap or overlap. `waste` is what is left over."""
    seeds = yaml.safe_load((HERE / "seeds.yaml").read_text("utf-8"))
    land = _land()
    cells = _cells(seeds["land"], land) | _cells(seeds["sea"], FRAME.difference(land))
    return _covering(cells)


def _land() -> BaseGeometry:
    outlines = json.loads((HERE / "land.json").read_text("utf-8"))
    whole = unary_union([make_valid(Polygon([projected(*point) for point in ring])) for ring in outlines])
    around = whole.intersection(FRAME.buffer(300)).difference(ICELAND)
    parts = [part for part in around.geoms if part.area > SPECK]
    closed = unary_union(parts).buffer(14).buffer(-26).buffer(12).simplify(4)
    cuts = unary_union([LineString([projected(*p) for p in line]).buffer(STRAIT) for line in STRAITS])
    gulf = LineString([projected(*p) for p in BOTHNIA]).buffer(GULF)
    return unary_union([part for part in closed.difference(cuts | gulf).intersection(FRAME).geoms if part.area > SPECK])


def _cells(seeds: dict[str, list[list[float]]], ground: BaseGeometry) -> dict[str, BaseGeometry]:
    points = [(region, Point(projected(*at))) for region, places in seeds.items() for at in places]
    diagram = voronoi_polygons(MultiPoint([point for _, point in points]), extend_to=FRAME)
    tree, found = STRtree(list(diagram.geoms)), defaultdict(list)
    for region, point in points:
        for index in tree.query(point, predicate="within"):
            found[region].append(diagram.geoms[index].intersection(ground))
    return {region: unary_union(parts) for region, parts in found.items()}


def _covering(cells: dict[str, BaseGeometry]) -> dict[str, BaseGeometry]:
    """Nodes all borders, gives slivers to the neighbour with the longest border, and simplifies what is shared."""
    lines = unary_union([cell.boundary for cell in cells.values()] + [FRAME.boundary])
    faces = [(face, _owner(face, cells)) for face in polygonize(list(lines.geoms)).geoms]
    kept = defaultdict(list)
    for face, owner in faces:
        kept[owner].append(face)
    shapes = {owner: unary_union(parts) for owner, parts in kept.items()}
    shapes = _without_slivers(shapes)
    simplified = coverage_simplify(list(shapes.values()), 7)
    return dict(zip(shapes, simplified, strict=True))


def _owner(face: Polygon, cells: dict[str, BaseGeometry]) -> str:
    inside = face.representative_point()
    return next((region for region, cell in cells.items() if cell.distance(inside) < 0.01), "waste")


def _without_slivers(shapes: dict[str, BaseGeometry]) -> dict[str, BaseGeometry]:
    """A piece that is not the region's own main part and lies among others goes to its longest neighbour."""
    parts = [(name, part) for name, shape in shapes.items() for part in getattr(shape, "geoms", [shape])]
    largest = {name: max(p.area for n, p in parts if n == name) for name in shapes}
    result = defaultdict(list)
    for name, part in parts:
        around = {n: part.boundary.intersection(s.boundary).length for n, s in shapes.items() if n != name}
        is_island = name not in SEAS and sum(around.values()) and max(around, key=lambda n: around[n]) in SEAS
        least = SPECK if is_island else SLIVER
        own = part.area == largest[name] or (part.area > least and name not in SEAS)  # no Caspian, no White Sea
        result[name if own else max(around, key=lambda n: around[n])].append(part)
    return {name: unary_union(ps) for name, ps in result.items()}


SEAS = frozenset(yaml.safe_load((HERE / "seeds.yaml").read_text("utf-8"))["sea"])
