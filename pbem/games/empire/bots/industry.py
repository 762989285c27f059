"""Works at home: what runs, what is consumed, what is built (E7.8 to E7.10, E8.3)."""

from __future__ import annotations

from collections.abc import Iterator

from pbem.games.empire.bots import seen
from pbem.games.empire.rules import orders as od
from pbem.games.empire.rules.construction.works import free_cmx
from pbem.games.empire.rules.economy import power
from pbem.games.empire.rules.world import World

SHORT_PEACE = ("PS", "HMXF", "BMF", "LMW", "PLF", "AMF", "AMF", "DIST", "LUX")  # built in this order
SHORT_WAR = ("PS", "HMXF", "SAW", "LMW", "LUX", "DIST", "DIST", "DIST")
LONG_PEACE = ("PS", "HMXF", "TDW", "LMW", "BMF", "SM", "PLF", "AMF", "AMF")
LONG_WAR = ("PS", "HMXF", "TDW", "LMW", "BMF", "SAW", "SM", "PLF", "AMF")
FIRST = ("hmx", "td", "small_arms_unit", "building_material", "toy_train", "radio", "jewelry")
BETWEEN = ("light_metal_products", "plastics")  # what others are made from; in store, at most:
STORE = 4
LATER = ("zoid", "soap", "furniture", "beer", "cmx", "bomb")
ARMS = 5  # land units that are enough


def plan(w: World, country: str) -> tuple[str, ...]:
    if seen.is_short(w):
        return SHORT_WAR if seen.is_warrior(w, country) else SHORT_PEACE
    return LONG_WAR if seen.is_warrior(w, country) else LONG_PEACE


def needed(w: World, home: str) -> list[str]:
    """Goods that its factories there use and that mines yield."""
    kinds = {factory.kind for factory in w.part(home).factories}
    used = {good for row in w.setting.recipes if kinds & set(row.made_in) for good in row.inputs}
    fuel = {"coal"} if "PS" in kinds else set()
    mined = ("wood", "coal", "iron", "oil", "chemicals", "copper", "rubber")
    return [good for good in mined if good in used | fuel]


def running(w: World, country: str) -> Iterator[od.Order]:
    home = seen.home(w, country)
    if home is None:
        return
    yield from _making(w, country, home)
    yield from _consuming(w, country, home)
    if free_cmx(w, country, home) > 0:
        yield from _building(w, country, home)


def _making(w: World, country: str, home: str) -> Iterator[od.Order]:
    ready = [f.kind for f in w.part(home).factories if f.state == "working" and f.ran != w.state.turn]
    held = w.held(home, country)
    if "SM" in ready:
        rows = min(5, int(held.amount("iron")), int(held.amount("coal")) - 1)
        if rows > 0:
            yield od.Make(country=country, item="steel", count=rows, at=home)
    powered = [kind for kind in ready if w.tables.factories[kind].power and _can_run(w, country, home, kind)]
    if "PS" in ready and powered and power.left(w, country, home) == 0:
        yield from (od.Make(country=country, item="power", at=home, inputs=(fuel,)) for fuel in ("coal", "oil"))
    made = {row.item for row in w.setting.recipes if {*ready} & set(row.made_in)}
    for item in [each for each in FIRST if each in made]:
        if item != "small_arms_unit" or len(list(w.units_of(country))) < ARMS or seen.is_last(w):
            yield od.Make(country=country, item=item, at=home)
    for item in [each for each in BETWEEN if each in made]:
        if held.amount(item) < STORE:
            yield od.Make(country=country, item=item, at=home)
    for item in [each for each in LATER if each in made]:
        if (item != "beer" or _is_fed(w, country)) and (item != "bomb" or held.amount("chemicals") > 1):  # 1 to attack
            yield od.Make(country=country, item=item, at=home)


def _is_fed(w: World, country: str) -> bool:
    """Is there food beyond what everybody eats?"""
    if seen.is_last(w):
        return seen.food(w, country) > 8
    eaten = seen.eaters(w, country) + seen.births(w, country)
    return seen.food(w, country) + 5 * seen.farms(w, country) > eaten + 1


def _can_run(w: World, country: str, home: str, kind: str) -> bool:
    held = w.held(home, country)
    rows = [recipe for recipe in w.setting.recipes if kind in recipe.made_in]
    return any(all(held.amount(good) >= much for good, much in recipe.inputs.items()) for recipe in rows)


def _consuming(w: World, country: str, home: str) -> Iterator[od.Order]:
    for good in w.held(home, country).goods:
        if w.tables.goods[good].edu:
            yield od.Consume(country=country, item=od.Item(good, 1), at=home)


def _building(w: World, country: str, home: str) -> Iterator[od.Order]:
    found = w.part(home)
    have = [factory.kind for factory in found.factories] + [work.item for work in found.works]
    begun = [work.item for work in found.works if work.done + work.pairs < work.needs]
    order = plan(w, country)
    for place, item in enumerate(order):
        if have.count(item) < order[: place + 1].count(item) or item in begun:
            work = w.tables.factories[item].work
            yield od.Build(country=country, item=item, squares=(home,), cmx=work if work > 1 else None)
    if seen.is_last(w):
        for item in (*order[3:], "airport", "warehouse"):
            if item in w.tables.factories or item not in (*found.items, *have):
                yield od.Build(country=country, item=item, squares=(home,))
