"""Works at home: what runs, what is consumed, what is built (E7.8 to E7.10, E8.3)."""

from __future__ import annotations

from collections.abc import Iterator

from pbem.games.empire.bots import seen
from pbem.games.empire.rules import orders as od
from pbem.games.empire.rules.construction.works import free_cmx
from pbem.games.empire.rules.economy import power
from pbem.games.empire.rules.pieces.space import city_room
from pbem.games.empire.rules.world import World

SHORT_PEACE = ("PS", "HMXF", "BMF", "LMW", "PLF", "AMF", "AMF", "DIST", "LUX")  # built in this order
SHORT_WAR = ("PS", "HMXF", "SAW", "LMW", "LUX", "DIST", "DIST", "DIST")
LONG_PEACE = ("PS", "HMXF", "TDW", "LMW", "BMF", "SM", "HMXF", "LUX", "LUX")
LONG_WAR = ("PS", "HMXF", "TDW", "LMW", "BMF", "SM", "HMXF", "LUX", "SAW")
LONG_LIGHT = ("PS", "HMXF", "BMF", "LMW", "LUX", "PLF", "AMF", "AMF", "LUX")  # without mines that make steel
STEEL_FROM = {"coal", "iron"}
FIRST = ("hmx", "td", "small_arms_unit", "building_material", "toy_train", "radio", "jewelry")
BETWEEN = ("light_metal_products", "plastics")  # what others are made from; in store, at most:
STORE = 4
STEEL = 5  # in store, at most
LATER = ("zoid", "soap", "furniture", "beer", "cmx", "bomb")
ARMS = 5  # land units that are enough


def plan(w: World, country: str) -> tuple[str, ...]:
    if seen.is_short(w):
        return SHORT_WAR if seen.is_warrior(w, country) else SHORT_PEACE
    home = seen.home(w, country)
    near = seen.near(w, country, home) if home is not None else {}
    if not {kind for part in near for kind in w.map.marks.get(part, {})} >= STEEL_FROM:
        return LONG_LIGHT
    return LONG_WAR if seen.is_warrior(w, country) else LONG_PEACE


def needed(w: World, country: str, home: str) -> list[str]:
    """Goods of mines that its factories there use; through a long game those, too, that are still to come."""
    kinds = {factory.kind for factory in w.part(home).factories}
    if not seen.is_short(w):
        kinds |= {*plan(w, country)}
    used = {good for row in w.setting.recipes if kinds & set(row.made_in) for good in row.inputs}
    fuel = {"coal"} if "PS" in kinds else set()
    mined = ("wood", "coal", "iron", "oil", "chemicals", "copper", "rubber", "bauxite")
    return [good for good in mined if good in used | fuel]


def running(w: World, country: str) -> Iterator[od.Order]:
    home = seen.home(w, country)
    yield from _brewing(w, country, home)
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
        rows = min(5, int(held.amount("iron")), int(held.amount("coal")) - _kept_coal(w, country, home))
        rows = min(rows, STEEL - int(held.amount("steel")))
        if rows > 0:
            yield od.Make(country=country, item="steel", count=rows, at=home)
    powered = [kind for kind in ready if w.tables.factories[kind].power and _can_run(w, country, home, kind)]
    if "PS" in ready and powered and power.left(w, country, home) == 0:
        yield from (od.Make(country=country, item="power", at=home, inputs=(fuel,)) for fuel in _fuels(w, home))
    made = {row.item for row in w.setting.recipes if {*ready} & set(row.made_in)}
    for item in [each for each in FIRST if each in made]:
        if _is_wanted(w, country, home, item):
            yield od.Make(country=country, item=item, at=home)
    for item in [each for each in BETWEEN if each in made]:
        if held.amount(item) < STORE:
            yield od.Make(country=country, item=item, at=home)
    for item in [each for each in LATER if each in made]:
        if (item != "beer" or _is_fed(w, country)) and (item != "bomb" or held.amount("chemicals") > 1):  # 1 to attack
            yield od.Make(country=country, item=item, at=home)


def _kept_coal(w: World, country: str, home: str) -> int:
    """For power: of this turn; through a long game of the next, too, and oil does as well."""
    return 1 if seen.is_short(w) else max(0, 2 - int(w.held(home, country).amount("oil")))


def _is_wanted(w: World, country: str, home: str, item: str) -> bool:
    if item == "small_arms_unit":
        return len(list(w.units_of(country))) < ARMS or seen.is_last(w)
    if item == "td" and not seen.is_short(w):
        return w.held(home, country).amount("td") < 1 and any(
            "td" in w.tables.construction[f"factory_tier_{w.tables.factories[kind].tier}"].inputs
            for kind in missing(w, country, home)
        )
    return True


def _fuels(w: World, home: str) -> list[str]:
    """What a power station burns; that first of which no factory there makes anything."""
    kinds = {factory.kind for factory in w.part(home).factories}
    used = {good for row in w.setting.recipes if kinds & set(row.made_in) for good in row.inputs}
    return sorted(("coal", "oil"), key=lambda fuel: fuel in used)


def _brewing(w: World, country: str, home: str | None) -> Iterator[od.Order]:
    """Where farmers have a distillery they drink what is left over."""
    for part in seen.parts(w, country):
        kinds = [f.kind for f in w.part(part).factories if f.state == "working" and f.ran != w.state.turn]
        if part != home and seen.BREWERY in kinds and _is_fed(w, country):
            yield od.Make(country=country, item="beer", at=part)
        if part != home and w.held(part, country).amount("beer") >= 1:
            yield od.Consume(country=country, item=od.Item("beer", 1), at=part)


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


def missing(w: World, country: str, home: str) -> list[str]:
    """Factories of the plan that do not stand there, or not yet, while there is room."""
    found = w.part(home)
    if city_room(w, home) <= 0 and not found.works:
        return []
    have = [factory.kind for factory in found.factories] + [work.item for work in found.works]
    begun = [work.item for work in found.works if work.done + work.pairs < work.needs]
    order = plan(w, country)
    return [
        item for place, item in enumerate(order) if have.count(item) < order[: place + 1].count(item) or item in begun
    ]


def _building(w: World, country: str, home: str) -> Iterator[od.Order]:
    found, order = w.part(home), plan(w, country)
    have = [factory.kind for factory in found.factories] + [work.item for work in found.works]
    for item in missing(w, country, home):
        work = w.tables.factories[item].work
        yield od.Build(country=country, item=item, squares=(home,), cmx=work if work > 1 else None)
    if seen.is_last(w):
        for item in (*order[3:], "airport", "warehouse"):
            if item in w.tables.factories or item not in (*found.items, *have):
                yield od.Build(country=country, item=item, squares=(home,))
