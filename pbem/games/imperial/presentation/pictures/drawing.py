"""The drawn board of `games/imperial/boards/*.svg`: the map, and where names and pieces have their places."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache

from lxml import etree
from msgspec import Struct

from pbem.files import resource
from pbem.render.canvas import Box

_SVG = "{http://www.w3.org/2000/svg}"


class NamePlace(Struct, frozen=True, kw_only=True):
    """Room for a region's name, and for its city or flag beside or above the name."""

    box: Box
    lies: str  # beside above bare; alone: there is room for its mark only


class Drawing(Struct, frozen=True, kw_only=True):
    size: tuple[int, int]
    map: str  # the elements of the map, to be laid under everything else
    names: Mapping[str, NamePlace]
    fields: Mapping[str, tuple[Box, ...]]  # room for pieces in each region, the largest first
    harbours: Mapping[str, Box]


@cache
def drawing(board: str, places: str = "places") -> Drawing:
    """`places` has room for everything as on paper, `large` for what is larger on a phone."""
    text = (resource("games") / "imperial" / "boards" / f"{board}.svg").read_text("utf-8")
    root = etree.fromstring(text.encode())
    group = root.find(f"{_SVG}g[@id='{places}']")
    boxes = {rect.get("id").removeprefix(f"{places}."): _box(rect) for rect in group}
    names = {
        id_.split(".")[0]: NamePlace(box=box, lies=id_.split(".")[2]) for id_, box in boxes.items() if ".name." in id_
    }
    fields = {region: found for region in names if (found := _fields(boxes, region))}
    harbours = {id_.split(".")[0]: box for id_, box in boxes.items() if id_.endswith(".harbour")}
    ground = re.search(r'<g id="map".*?(?=<g id="places")', text, re.DOTALL)
    assert ground, "a board's drawing has a map and places"
    size = int(root.get("width")), int(root.get("height"))
    return Drawing(size=size, map=ground[0], names=names, fields=fields, harbours=harbours)


def _box(rect: etree._Element) -> Box:
    return Box(*(float(rect.get(side, "0")) for side in ("x", "y", "width", "height")))


def _fields(places: Mapping[str, Box], region: str) -> tuple[Box, ...]:
    return tuple(box for id_, box in places.items() if id_.startswith(f"{region}.field."))
