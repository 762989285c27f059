"""Cities and colonies beside home: for what they count, and for building material that is over."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from pbem.games.empire.bots import seen
from pbem.games.empire.bots.industry import missing
from pbem.games.empire.geography.grid import distance, map_order, square_of
from pbem.games.empire.rules import orders as od
from pbem.games.empire.rules.construction.works import free_cmx
from pbem.games.empire.rules.people.entering import is_free
from pbem.games.empire.rules.world import World

LEFT = 2  # food that is left at a farm whose farmers may brew
CITY = 3  # building material of a city
OVER = 6  # building material of which a city may be built before the last turn


def building(w: World, country: str) -> Iterator[od.Order]:
    """Who stands outside with a machine and material builds there."""
    home = seen.home(w, country)
    for part in seen.parts(w, country):
        held = w.held(part, country)
        if part == home or not seen.idle(w, country, part):
            continue
        if held.amount("colony_piece") >= 1 and seen.is_last(w):
            yield od.Colony(country=country, at=part)
        if held.amount("cmx") >= 1 and free_cmx(w, country, part) > 0:
            if held.amount("hmx") >= 1:
                yield od.Build(country=country, item=seen.BREWERY, squares=(part,))
            for item in ("city", "airport", "warehouse") if seen.is_last(w) else ("city",):
                if not (item == "city" and w.part(part).city):
                    yield od.Build(country=country, item=item, squares=(part,))


def leaving(w: World, country: str) -> Iterator[od.Order]:
    home = seen.home(w, country)
    if home is None:
        return
    yield from _brewers(w, country, home)
    held = w.held(home, country)
    spare = seen.spare(w, country, home)
    near = seen.within_reach(w, country, home)
    goals = sorted((far, map_order(part), part) for part, far in near.items() if _is_site(w, country, part, home))
    material = int(held.amount("building_material"))
    if free_cmx(w, country, home) > 0 and spare > 1 and material >= (CITY if seen.is_last(w) else OVER):
        cargo = (od.Item("cmx", 1), od.Item("building_material", CITY))
        for _, _, part in goals[:3]:
            yield od.Move(country=country, kind="worker", count=2, start=home, way=(part,), cargo=cargo)
    if seen.is_last(w) and held.amount("colony_piece") >= 1 and spare > 0:
        cities = [name for name, part in w.parts.items() if part.city]
        for _, _, part in goals:
            if all(distance(square_of(part), square_of(city)) > w.tables.colony["apart"] for city in cities):
                piece = (od.Item("colony_piece", 1),)
                yield od.Move(country=country, kind="worker", count=1, start=home, way=(part,), cargo=piece)


def _brewers(w: World, country: str, home: str) -> Iterator[od.Order]:
    """Machines that works at home can do without go where farmers have food left over."""
    held, cargo = w.held(home, country), (od.Item("cmx", 1), od.Item("hmx", 1), od.Item("building_material", 1))
    if free_cmx(w, country, home) <= 0 or seen.rested(w, country, home) < 2:
        return
    if held.amount("hmx") < 1 + bool(missing(w, country, home)) or held.amount("building_material") < 1:
        return
    near = seen.within_reach(w, country, home)
    places = [part for part in near if _is_brewery_site(w, country, part)]

    def rank(part: str) -> tuple[bool, Fraction, tuple[int, int, str]]:
        return w.held(part, country).amount("food") < LEFT, near[part], map_order(part)

    for part in sorted(places, key=rank)[:3]:
        yield od.Move(country=country, kind="worker", count=2, start=home, way=(part,), cargo=cargo)


def _is_brewery_site(w: World, country: str, part: str) -> bool:
    """A field where it has people."""
    found = w.part(part)
    is_ours = part in w.map.land and w.held(part, country).workers and not seen.others_there(w, country, part)
    is_bare = not found.city and not found.factories and not found.works
    return bool(is_ours and is_bare and w.map.land[part].terrain in w.tables.farm_terrain)


def _is_site(w: World, country: str, part: str, home: str) -> bool:
    found = w.part(part)
    if part == home or found.city or found.works or seen.others_there(w, country, part):
        return False
    return is_free(w, country, part) and w.map.land[part].terrain in w.tables.farm_terrain
