"""Rivers from mountains and lakes to the sea, their falls, and reefs."""

from __future__ import annotations

import itertools
from collections.abc import Iterable
from heapq import heappop, heappush

from pbem.games.empire.geography.generating.drawing import Again, Draws
from pbem.games.empire.geography.generating.sheet import WATER, Sheet

SINGLE, DOUBLE = 60, 250  # land squares for each
FALLS = 8  # borders of single lines for each
REEFS = 80  # sea squares for each
SHORTEST = {"single": 2, "double": 3}  # squares on land
COMPARED = {"single": 3, "double": 6}  # ways drawn of which the longest is taken


def lay_rivers(draws: Draws, sheet: Sheet) -> None:
    land = sheet.land
    slopes = {name: 1 + draws.pick("slopes", 4) for name in land}
    for kind, count in (("double", len(land) // DOUBLE), ("single", len(land) // SINGLE)):
        for _ in range(count):
            sheet.rivers.append((kind, _river(draws, sheet, kind, slopes)))
    borders = [pair for kind, way in sheet.rivers if kind == "single" for pair in itertools.pairwise(way)]
    sheet.falls += draws.shuffled("falls", borders)[: len(borders) // FALLS]


def _river(draws: Draws, sheet: Sheet, kind: str, slopes: dict[str, int]) -> list[str]:
    taken = {name for _, way in sheet.rivers for name in way}
    springs = [name for name in slopes if sheet.signs[name] in ("m", "=") and name not in taken]
    found: list[list[str]] = []
    for near in (True, False):  # first such that keep clear of other rivers
        for spring in draws.shuffled("springs", springs):
            way = _way(sheet, spring, slopes, {*taken, *_around(sheet, taken)} if near else taken)
            if sum(sheet.signs[name] not in (*WATER, "=") for name in way) >= SHORTEST[kind]:
                found.append(way)
            if len(found) == COMPARED[kind]:
                break
        if found:
            mouth = max(found, key=len)
            return [*mouth, draws.one("mouths", [each for each in sheet.beside[mouth[-1]] if sheet.signs[each] == "."])]
    raise Again("no room for a river")


def _around(sheet: Sheet, names: Iterable[str]) -> set[str]:
    return {each for name in names for each in sheet.beside[name]}


def _way(sheet: Sheet, spring: str, slopes: dict[str, int], taken: set[str]) -> list[str]:
    """The easiest way down to the first square at the sea; empty where there is none."""
    if spring in taken:
        return []
    ahead = [(0, spring)]
    before: dict[str, str] = {spring: ""}
    while ahead:
        paid, name = heappop(ahead)
        if sheet.is_coast(name) and name != spring:
            return _back(before, name)
        for each in sheet.beside[name]:
            if each in slopes and each not in before and each not in taken and sheet.signs[each] not in ("^", "="):
                before[each] = name
                heappush(ahead, (paid + slopes[each], each))
    return []


def _back(before: dict[str, str], name: str) -> list[str]:
    way = [name]
    while before[way[-1]]:
        way.append(before[way[-1]])
    return way[::-1]


def lay_reefs(draws: Draws, sheet: Sheet) -> None:
    """Whole squares in open water, or borders near the land that ships can go around."""
    count = len(sheet.sea) // REEFS
    for _ in range(count):
        whole = [name for name in sheet.inner if _may_be_reef(sheet, name)] if draws.pick("reefs", 2) else []
        if whole:
            sheet.signs[draws.one("reefs", whole)] = "r"
        else:
            sheet.reefs.append(draws.one("reefs", _borders(sheet)))


def _may_be_reef(sheet: Sheet, name: str) -> bool:
    return sheet.signs[name] == "." and all(sheet.signs[each] == "." for each in sheet.beside[name])


def _borders(sheet: Sheet) -> list[tuple[str, str]]:
    mouths = {way[-1] for _, way in sheet.rivers}
    near = [
        name
        for name in sheet.sea
        if sheet.signs[name] == "." and sheet.touches(name, lambda each: _is_land(sheet, each))
    ]
    pairs = [
        (name, each)
        for name in near
        for each in sheet.beside[name]
        if sheet.signs[each] == "." and not {name, each} & mouths and (name, each) not in sheet.reefs
    ]
    return [
        (one, other)
        for one, other in pairs
        if (other, one) not in sheet.reefs
        and any(sheet.signs[each] == "." for each in sheet.beside[one] if each in sheet.beside[other])
    ]


def _is_land(sheet: Sheet, name: str) -> bool:
    return sheet.signs[name] not in WATER
