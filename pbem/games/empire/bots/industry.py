"""Works at home: what runs, what is consumed, what is built (E7.8 to E7.10, E8.3)."""

from __future__ import annotations

from collections.abc import Iterator

from pbem.games.empire.bots import seen
from pbem.games.empire.rules import orders as od
from pbem.games.empire.rules.construction.works import free_cmx
from pbem.games.empire.rules.economy import power
from pbem.games.empire.rules.held import Held
from pbem.games.empire.rules.pieces.space import city_room
from pbem.games.empire.rules.world import World

SHORT_PEACE = ("PS", "HMXF", "BMF", "LMW", "PLF", "AMF", "AMF", "DIST", "LUX")  # built in this order
SHORT_WAR = ("PS", "HMXF", "SAW", "LMW", "LUX", "DIST", "DIST", "DIST")
LONG = ("PS", "HMXF", "TDW", "LMW", "BMF", "SM", "HMXF", "PLF", "AMF", "DIST")
TOOLS = "TDW"  # scrapped when no other works need tools
FIRST = ("toy_train", "building_material", "hmx", "small_arms_unit", "td", "radio", "jewelry")
BETWEEN = ("light_metal_products", "plastics")  # what others are made from; in store, at most:
LAST_SCRAP = 3  # turns left in which something is still scrapped
STORE = 4
STEEL = 8  # in store, at most
SPARE_STEEL = 3  # beyond what machines need
LATER = ("zoid", "soap", "furniture", "beer", "cmx", "bomb")
ARMS = 5  # land units that are enough


def plan(w: World, country: str) -> tuple[str, ...]:
    if seen.is_short(w):
        return SHORT_WAR if seen.is_warrior(w, country) else SHORT_PEACE
    return LONG


def needed(w: World, country: str, home: str) -> list[str]:
    """Goods of mines that its factories there use, and those that are still to come."""
    kinds = {*plan(w, country), *(factory.kind for factory in w.part(home).factories)}
    used = {good for row in w.setting.recipes if kinds & set(row.made_in) for good in row.inputs}
    fuel = {"coal", "oil"} if "PS" in kinds else set()
    mined = ("wood", "coal", "iron", "oil", "chemicals", "copper", "rubber", "bauxite")
    return [good for good in mined if good in used | fuel]


def running(w: World, country: str) -> Iterator[od.Order]:
    home = seen.home(w, country)
    if home is not None:
        yield from _making(w, country, home)
        yield from _consuming(w, country, home)
        if free_cmx(w, country, home) > 0:
            yield from _building(w, country, home)
    yield from _brewing(w, country, home)


def _making(w: World, country: str, home: str) -> Iterator[od.Order]:
    ready = [f.kind for f in w.part(home).factories if f.state == "working" and f.ran != w.state.turn]
    held = w.held(home, country)
    if "SM" in ready:
        rows = min(5, int(held.amount("iron")), int(held.amount("coal")) - _kept_coal(held))
        rows = min(rows, STEEL - int(held.amount("steel")))
        if rows > 0:
            yield od.Make(country=country, item="steel", count=rows, at=home)
    powered = [kind for kind in ready if w.tables.factories[kind].power and _can_run(w, country, home, kind)]
    if "PS" in ready and powered and power.left(w, country, home) == 0:
        yield from (od.Make(country=country, item="power", at=home, inputs=(fuel,)) for fuel in _fuels(held))
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


def _kept_coal(held: Held) -> int:
    """For the power of this turn and the next; oil does as well."""
    return max(0, 2 - int(held.amount("oil")))


def _is_wanted(w: World, country: str, home: str, item: str) -> bool:
    if item == "small_arms_unit":
        return len(list(w.units_of(country))) < ARMS or seen.is_last(w)
    if item == "td":
        held = w.held(home, country)
        return (_needs_tools(w, missing(w, country, home)) and held.amount("td") < 1) or held.amount(
            "steel"
        ) > SPARE_STEEL
    return True


def _fuels(held: Held) -> list[str]:
    """What a power station burns: that first of which there is more; of coal steel is made, too."""
    return sorted(("oil", "coal"), key=lambda fuel: -held.amount(fuel) - (fuel == "oil"))


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
    """Factories of the plan that do not stand there, or not yet."""
    found = w.part(home)
    if city_room(w, home) <= 0 and not found.works:
        return []
    have = [factory.kind for factory in found.factories] + [work.item for work in found.works if work.what == "build"]
    begun = [work.item for work in found.works if work.done + work.pairs < work.needs]
    order = plan(w, country)
    lacking = [
        item for place, item in enumerate(order) if have.count(item) < order[: place + 1].count(item) or item in begun
    ]
    return [item for item in lacking if _is_useful(w, country, home, item, lacking)]


def _is_useful(w: World, country: str, home: str, item: str, lacking: list[str]) -> bool:
    if item == TOOLS:
        return _needs_tools(w, [each for each in lacking if each != TOOLS])
    return item != "HMXF" or _has_steel(w, country, home)


def _needs_tools(w: World, kinds: list[str]) -> bool:
    """Is any of these factories built with them?"""
    tiers = {w.tables.factories[kind].tier for kind in kinds}
    return any("td" in w.tables.construction[f"factory_tier_{tier}"].inputs for tier in tiers)


def _has_steel(w: World, country: str, home: str) -> bool:
    held = w.held(home, country)
    return held.amount("steel") > 0 or (held.amount("iron") > 0 and held.amount("coal") > 0)


def scrapping(w: World, country: str) -> Iterator[od.Order]:
    """Works that have nothing to work on give their machines back, where these are short."""
    home = seen.home(w, country)
    if home is None or seen.turns_left(w) < LAST_SCRAP or free_cmx(w, country, home) <= 0:
        return
    held, kinds = w.held(home, country), [factory.kind for factory in w.part(home).factories]
    if held.amount("building_material") < 1:
        return
    if TOOLS in kinds and not _needs_tools(w, missing(w, country, home)):
        yield od.Scrap(what=TOOLS, at=home)
    if "HMXF" in kinds and not _has_steel(w, country, home):
        yield od.Scrap(what="HMXF", at=home)


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
