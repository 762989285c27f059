"""Marks change places until no start is much richer than another (map.md, section 6, point 8)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from pbem.games.empire.geography.generating.drawing import Again
from pbem.games.empire.geography.generating.riches import NEAR_KINDS, Riches
from pbem.games.empire.geography.line_checks import LAND_MARKS

STEPS = 400


def is_even(sums: Sequence[int]) -> bool:
    """They differ by at most a quarter."""
    return 4 * min(sums) >= 3 * max(sums)


def level(riches: Riches) -> None:
    for _ in range(STEPS):
        sums = [_sum(riches, place) for place in range(len(riches.land))]
        if is_even(sums):
            return
        rich, poor = sums.index(max(sums)), sums.index(min(sums))
        if not (_swap(riches, rich, poor) or _move(riches, rich, poor)):
            break
    raise Again("the starts can't be made even")


def _sum(riches: Riches, place: int) -> int:
    land = riches.land[place]
    return sum(grade for (kind, part), grade in riches.sheet.marks.items() if part in land and kind in LAND_MARKS)


def _swap(riches: Riches, rich: int, poor: int) -> bool:
    """A better grade of what only the rich one has for a lesser one of what only the poor one has, or nobody."""
    marks, few, many = riches.sheet.marks, riches.land[poor], riches.land[rich]
    on_land = [key for key in marks if key[1] in riches.map.land]
    only_rich = [key for key in on_land if key[1] in many and key[1] not in few]
    only_poor = [key for key in on_land if key[1] in few and key[1] not in many]
    nobody = [key for key in on_land if not any(key[1] in land for land in riches.land)]
    for have, want in ((only_rich, only_poor), (nobody, only_poor), (only_rich, nobody)):
        pairs = ((marks[one] - marks[other], one, other) for one in have for other in want)
        best = max(pairs, key=lambda pair: pair[0], default=None)
        if best and best[0] > 0:
            _, one, other = best
            marks[one], marks[other] = marks[other], marks[one]
            return True
    return False


def _move(riches: Riches, rich: int, poor: int) -> bool:
    """A mark from where only the rich one or nobody has it to where the poor one, and not the rich one, has it."""
    few, many = riches.land[poor], riches.land[rich]
    goals = [part for part in few if part not in many]
    for key in _movable(riches, rich, poor):
        kind, part = key
        grade = riches.sheet.marks.pop(key)
        riches.crowd[part] -= 1
        places = [each for each in goals if riches.is_free(kind, each)] if goals else _elsewhere(riches, kind, rich)
        if places and _is_served(riches):
            new = riches.draws.one("balance", places)
            riches.set(kind, new)
            riches.sheet.marks[kind, new] = grade
            return True
        riches.sheet.marks[key] = grade
        riches.crowd[part] += 1
    return False


def _movable(riches: Riches, rich: int, poor: int) -> Iterator[tuple[str, str]]:
    few, many = riches.land[poor], riches.land[rich]
    keys = [key for key in riches.sheet.marks if key[0] in LAND_MARKS and key[1] in riches.map.land]
    yield from [key for key in keys if key[1] in many and key[1] not in few]
    yield from [key for key in keys if not any(key[1] in land for land in riches.land)]


def _elsewhere(riches: Riches, kind: str, rich: int) -> list[str]:
    return [part for part in riches.map.land if part not in riches.land[rich] and riches.is_free(kind, part)]


def _is_served(riches: Riches) -> bool:
    """Has every start still what it must have?"""
    near = all(len(riches.kinds(parts)) >= NEAR_KINDS for parts in riches.near)
    return near and all(riches.kinds(parts) >= {*LAND_MARKS} for parts in riches.reach)
