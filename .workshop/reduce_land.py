"""Cut Europe out of the land outlines of Natural Earth (public domain) and keep two decimals: `land.json`.

    npm pack world-atlas@2.0.2 && tar xzf world-atlas-2.0.2.tgz
    python .workshop/reduce_land.py package/land-50m.json

Needed only to take other outlines; `land.json` is committed.
"""

from __future__ import annotations

import json
import sys
from itertools import accumulate
from pathlib import Path
from typing import Any

from shapely import Polygon, box, make_valid, simplify

HERE = Path(__file__).resolve().parent
AROUND = box(-32, 24, 62, 72)  # degrees; more than the picture shows
FINE = 0.02  # degrees


def rings(topology: dict[str, Any]) -> list[list[tuple[float, float]]]:
    """The outer rings of all land; lakes are left out."""
    arcs = [decoded(arc, topology["transform"]) for arc in topology["arcs"]]
    polygons = [p for g in topology["objects"]["land"]["geometries"] for p in g["arcs"]]
    return [joined(arcs, polygon[0]) for polygon in polygons]


def decoded(arc: list[list[int]], transform: dict[str, list[float]]) -> list[tuple[float, float]]:
    """Points of a TopoJSON arc, which are stored as differences of whole numbers."""
    (sx, sy), (tx, ty) = transform["scale"], transform["translate"]
    points = accumulate(arc, lambda was, step: [was[0] + step[0], was[1] + step[1]])
    return [(x * sx + tx, y * sy + ty) for x, y in points]


def joined(arcs: list[list[tuple[float, float]]], chain: list[int]) -> list[tuple[float, float]]:
    """A negative number is an arc taken backwards."""
    ring = [point for n in chain for point in (arcs[n] if n >= 0 else arcs[~n][::-1])[:-1]]
    return unwound(ring)


def unwound(ring: list[tuple[float, float]]) -> list[tuple[float, float]]:
    """Longitudes that go on past 180 degrees instead of jumping to the other side of the map."""
    lons = list(accumulate((x for x, _ in ring), lambda was, x: x - 360 * round((x - was) / 360)))
    back = 360 * round((min(lons) + 180 - 90) / 360)  # Eurasia begins in Alaska's longitudes
    return [(lon - back, y) for lon, (_, y) in zip(lons, ring, strict=True)]


def main() -> None:
    topology = json.loads(Path(sys.argv[1]).read_text("utf-8"))
    kept = []
    for ring in rings(topology):
        cut = simplify(make_valid(Polygon(ring)), FINE).intersection(AROUND)
        for part in getattr(cut, "geoms", [cut]):
            if part.geom_type == "Polygon" and part.area > 0.02:
                kept.append([[round(x, 2), round(y, 2)] for x, y in part.exterior.coords[:-1]])
    kept.sort(key=len, reverse=True)
    (HERE / "land.json").write_text(json.dumps(kept, separators=(",", ":")), "utf-8")


if __name__ == "__main__":
    main()
