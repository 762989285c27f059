"""Every mistake in a file of tables at once, each with its place: `recipes.3.from: there is no 'stel'; near: steel`."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from difflib import get_close_matches
from typing import Any, get_args, get_origin

import msgspec

from pbem.games.empire.rules.tables import Tables, converted, tables_from

LAND_RESULTS = ("AE", "AR", "EX", "DR", "DE")
BOMB_RESULTS = tuple(f"{result}{star}" for result in ("Ne", "S", "L") for star in ("", "*"))
NAVAL_RESULTS = ("miss", *(f"{side}{steps}" for side in "AD" for steps in "slh"))
DICE = tuple(str(die) for die in range(1, 7))
MACHINE, WATER, FRESH_WATER = "machine", "water_power", "fresh_water"  # what recipes name beside goods and kinds
BY_HAND = "cmx"  # where something is made without a factory (E8.11)


def mistakes(raw: Mapping[str, Any]) -> list[str]:
    """What is wrong with tables as they are read from a file, in its order; first what has another shape."""
    return [*_shapes(raw)] or [*_strangers(tables_from(raw))]


# -- shape ---


def _shapes(raw: Mapping[str, Any]) -> Iterator[str]:
    for field in msgspec.structs.fields(Tables):
        if field.encode_name not in raw:
            yield f"{field.encode_name}: it is missing"
        else:
            yield from _misshapen(field.encode_name, raw[field.encode_name], field.type)


def _misshapen(path: str, value: Any, kind: Any) -> Iterator[str]:
    """Each row of a table by itself, so that one mistake hides no other."""
    inner = get_args(kind)
    if isinstance(value, Mapping) and get_origin(kind) is Mapping:
        for key, each in value.items():
            yield from _misshapen(f"{path}.{key}", each, inner[1])
    elif isinstance(value, list) and get_origin(kind) is tuple and inner[1:] == (...,):
        for number, each in enumerate(value, 1):
            yield from _misshapen(f"{path}.{number}", each, inner[0])
    else:
        try:
            converted(value, kind)
        except msgspec.ValidationError as problem:
            yield f"{path}: {problem}"


# -- names and sizes of tables ---


def _strangers(tables: Tables) -> Iterator[str]:
    """Names that stand for nothing, and tables that lack a cell."""
    things = {*tables.goods, *tables.kinds}
    yield from _unknown("burnable", tables.burnable, tables.goods)
    yield from _unknown("arms", tables.arms, tables.goods)
    yield from _unknown("development", (row.gives for row in tables.development.values() if row.gives), tables.goods)
    for number, recipe in enumerate(tables.recipes, 1):
        place = f"recipes.{number}"
        yield from _unknown(f"{place}.item", [recipe.item], {*things, FRESH_WATER})
        yield from _unknown(f"{place}.from", recipe.inputs, {*things, MACHINE})
        yield from _unknown(f"{place}.in", recipe.made_in, {*tables.factories, BY_HAND})
        yield from _positive(place, {"qty": recipe.qty, "turns": recipe.turns, **recipe.inputs})
    for number, row in enumerate(tables.power_recipes, 1):
        yield from _unknown(f"power_recipes.{number}", row.get("from", {}), {*tables.goods, WATER})
    for id_, work in tables.construction.items():
        yield from _unknown(f"construction.{id_}.from", work.inputs, tables.goods)
    for id_, arming in tables.arming.items():
        yield from _unknown("arming", [id_], tables.kinds)
        yield from _unknown(f"arming.{id_}.from", arming.inputs, things)
    yield from _unknown("kit", tables.kit, tables.goods)
    yield from _unknown("catalog", tables.catalog, {*tables.kinds, *tables.construction})
    yield from _unknown("swamp_surcharge", tables.swamp_surcharge, tables.goods)
    yield from _kinds(tables)
    yield from _battles(tables)


def _unknown(place: str, names: Iterable[str], known: Collection[str]) -> Iterator[str]:
    """The names that stand for nothing, each with what is near."""
    for name in names:
        if name not in known:
            near = get_close_matches(name, [*known], n=2)
            yield f"{place}: there is no {name!r}" + (f"; near: {', '.join(near)}" if near else "")


def _positive(place: str, counts: Mapping[str, int]) -> Iterator[str]:
    yield from (f"{place}.{name}: {count} is not above 0" for name, count in counts.items() if count < 1)


def _kinds(tables: Tables) -> Iterator[str]:
    codes: dict[str, str] = {}
    for id_, kind in tables.kinds.items():
        if kind.code and kind.code in codes:
            yield f"kinds.{id_}.code: {kind.code} is the code of {codes[kind.code]}"
        codes[kind.code or ""] = id_
        if kind.moves:
            yield from _unknown(f"kinds.{id_}.moves", [kind.moves], tables.land_movement)
        yield from _unknown(f"kinds.{id_}.tows", kind.tows, tables.kinds)
        if kind.class_ in ("land", "ship") and not kind.consumer:
            yield from _unknown("bombing_targets", [id_], tables.bombing_targets)
    for id_, factory in tables.factories.items():
        yield from _unknown(f"factories.{id_}.target", [factory.target], tables.bombing_targets)


def _battles(tables: Tables) -> Iterator[str]:
    yield from _unknown("starred_targets", tables.starred_targets, tables.bombing_targets)
    for place, ladder, head, columns, cells in (
        ("land_crt", tables.land_crt, "odds", 11, LAND_RESULTS),
        ("naval_crt", tables.naval_crt, "odds", 7, NAVAL_RESULTS),
        ("bombing_results", tables.bombing_results, "columns", 9, BOMB_RESULTS),
        ("bombing_results_monotone", tables.bombing_results_monotone, "columns", 9, BOMB_RESULTS),
    ):
        for row in (head, *DICE):
            found = ladder.get(row, ())
            if len(found) != columns:
                yield f"{place}.{row}: it has {len(found)} columns, not {columns}"
            if row != head:
                yield from _unknown(f"{place}.{row}", map(str, found), cells)
