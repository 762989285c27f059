"""Who carries home what the works use."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from pbem.games.empire.bots import seen
from pbem.games.empire.bots.industry import needed
from pbem.games.empire.rules import orders as od
from pbem.games.empire.rules.world import World

STOCK = 6  # of one good that is enough at home
LOAD = 2  # objects that a worker carries
MACHINES = 4  # construction machines that are enough at home


def hauling(w: World, country: str) -> Iterator[od.Order]:
    """Somebody goes out, and who has mined carries home what the works use."""
    home = seen.home(w, country)
    if home is None:
        return
    wanted = _wanted(w, country, home)
    for part in seen.parts(w, country):
        cargo = _cargo(w, country, part, [good for good in wanted if good != "cmx" or not w.part(part).works])
        if part == home or not cargo or w.part(part).city:
            continue
        if seen.idle(w, country, part) > seen.staying(w, country, part):
            if home in seen.within_reach(w, country, part):
                yield od.Move(country=country, kind="worker", count=1, start=part, way=(home,), cargo=cargo)
        elif seen.rested(w, country, home) > 0 and part in seen.within_reach(w, country, home):
            yield od.Move(country=country, kind="worker", count=1, start=home, way=(part,))


def _wanted(w: World, country: str, home: str) -> list[str]:
    held = w.held(home, country)
    goods = [good for good in needed(w, country, home) if held.amount(good) < STOCK]
    brews = sum(f.kind == seen.BREWERY and f.ran != w.state.turn for f in w.part(home).factories)
    food = ["food"] if held.amount("food") < brews else []
    return [*food, *(["cmx"] if held.amount("cmx") < MACHINES else []), *goods]


def _cargo(w: World, country: str, part: str, wanted: list[str]) -> tuple[od.Item, ...]:
    room, cargo, held = Fraction(LOAD), [], w.held(part, country)
    for good in wanted:
        size = w.tables.goods[good].size
        count = min(int(room / size), int(held.amount(good)))
        if count:
            cargo.append(od.Item(good, count))
            room -= count * size
    return tuple(cargo)
