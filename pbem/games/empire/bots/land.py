"""Fields and mines: who works there, what is opened when, and who carries home what the works need."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from pbem.games.empire.bots import seen
from pbem.games.empire.bots.industry import needed
from pbem.games.empire.geography.grid import map_order
from pbem.games.empire.rules import orders as od
from pbem.games.empire.rules.economy.developing import is_worked
from pbem.games.empire.rules.people.entering import is_free
from pbem.games.empire.rules.people.working import at_task
from pbem.games.empire.rules.world import World

ENOUGH = 62  # EDU that a slot should bring: confidence follows it
KEPT = 70  # EDU of squares never opened that are kept for the last turn
SPARE = 3  # food beyond what everybody eats
SEED = 10  # food for the farms of the last turn
STOCK = 6  # of one good that is enough at home
LOAD = 2  # objects that a worker carries
FIRST = ("wood",)  # opened at once: the building materials factory runs on it


def _needs_farm(w: World, country: str) -> bool:
    if seen.is_last(w):
        return False
    home = seen.home(w, country)
    brewed = sum(factory.kind == "DIST" for factory in w.part(home).factories) if home else 0
    kept = SPARE + brewed + (SEED if seen.turns_left(w) == 2 else 0)
    wanted = seen.eaters(w, country) + seen.births(w, country) + kept
    return seen.food(w, country) + 5 * seen.farms(w, country) < wanted


def _wants_more(w: World, country: str) -> bool:
    """Squares are opened evenly over the turns but for those that the last turn opens."""
    if seen.is_last(w):
        return True
    expected = seen.expected_edu(w, country)
    if expected >= ENOUGH:
        return False
    fresh = seen.fresh_edu(w, country)
    share = max(0, _store(w, country) + fresh - KEPT) / (seen.turns_left(w) - 1)
    return fresh < share or seen.margin(w, country) < 0


def _store(w: World, country: str) -> int:
    """EDU of the squares that nobody opened and that lie nearest to its home."""
    start = seen.home(w, country)
    if start is None:
        return 0
    cities = seen.cities_of_others(w, country)
    goals = [part for part in seen.near(w, country, start) if seen.is_ours(part, start, cities)]
    return sum(_value(w, country, part) for part in goals)


def _value(w: World, country: str, part: str) -> int:
    if seen.others_there(w, country, part) or not is_free(w, country, part):
        return 0
    return seen.gain(w, part) + (_new_field(w, part) and w.tables.development["farm"].edu)


def _new_field(w: World, part: str) -> bool:
    return seen.is_field(w, part) and not w.part(part).farmed


# -- who stands there ---


def resuming(w: World, country: str) -> Iterator[od.Order]:
    """Who came in the place of a miner or farmer takes up the work."""
    useful = _useful(w, country)
    for part in seen.parts(w, country):
        if seen.idle(w, country, part):
            found = w.part(part)
            for kind, mark in found.marks.items():
                if mark.by == country and kind in useful and not is_worked(w, part, kind, mark):
                    yield od.Develop(country=country, mark=kind, at=part)
            if found.farm == country and not at_task(w, country, part, "farm"):
                yield od.Farm(country=country, squares=(part,))


def stopping(w: World, country: str) -> Iterator[od.Order]:
    """Investment that nobody needs ends before it makes inflation."""
    if seen.margin(w, country) >= 0:
        return
    useful = _useful(w, country)
    for part in seen.parts(w, country):
        for kind, mark in w.part(part).marks.items():
            is_old = mark.by == country and mark.grade <= mark.opened and mark.ship is None
            if is_old and kind not in useful and is_worked(w, part, kind, mark):
                yield od.Stop(what=kind, at=part)


def _useful(w: World, country: str) -> list[str]:
    home = seen.home(w, country)
    return needed(w, home) if home else []


def working(w: World, country: str) -> Iterator[od.Order]:
    """Who stands where there is something to open opens it."""
    needs, wants = _needs_farm(w, country), _wants_more(w, country)
    for part in seen.parts(w, country):
        if not seen.idle(w, country, part):
            continue
        if wants or _is_first(w, part):
            yield from (od.Develop(country=country, mark=kind, at=part) for kind in seen.gains(w, part))
        if seen.is_field(w, part) and (needs or (wants and not w.part(part).farmed)):
            yield od.Farm(country=country, squares=(part,))


def _is_first(w: World, part: str) -> bool:
    return any(kind in FIRST and kind not in w.part(part).marks for kind in w.map.marks.get(part, {}))


def settling(w: World, country: str) -> Iterator[od.Order]:
    """From cities to fields and mines that nobody is at; on the last turn from everywhere."""
    needs, wants = _needs_farm(w, country), _wants_more(w, country)
    start = seen.home(w, country)
    starts = [start] if start else []
    if seen.is_last(w):
        starts = [*starts, *(part for part in seen.parts(w, country) if part != start)]
    cities = seen.cities_of_others(w, country)
    for place in starts:
        if seen.spare(w, country, place) <= 0 and not (place != start and _may_leave(w, country, place)):
            continue
        goals = []
        for part, far in seen.near(w, country, place).items():
            is_ours = seen.is_last(w) or seen.is_ours(part, place, cities)
            value = _wish(w, country, part, far, needs=needs, wants=wants, is_ours=is_ours)
            if part != place and value:
                goals.append((-value, far, map_order(part), part))
        for _, _, _, part in sorted(goals)[:8]:
            yield od.Move(country=country, kind="worker", count=1, start=place, way=(part,))


def _may_leave(w: World, country: str, part: str) -> bool:
    """A farmer whose field has brought its EDU goes on to another, on the last turn."""
    crews = [crew for crew in w.held(part, country).crews if crew.kind == "worker"]
    found = w.part(part)
    tasks = {task for crew in crews for task in crew.tasks}
    return len(crews) == 1 and tasks <= {"farm"} and found.farmed and not crews[0].used


def _wish(w: World, country: str, part: str, far: Fraction, *, needs: bool, wants: bool, is_ours: bool) -> int:
    """How much somebody is wanted there; 0: not."""
    if seen.others_there(w, country, part) or not is_free(w, country, part) or seen.idle(w, country, part):
        return 0
    field, gain = seen.is_field(w, part), seen.gain(w, part)
    if gain and is_ours and _is_first(w, part):
        return 100
    if needs and field:
        return max(8, 60 - 4 * int(far) - 3 * len(w.map.marks.get(part, {})) - 2 * bool(w.part(part).farmed))
    if wants and is_ours:
        return gain or 3 * _new_field(w, part)
    return 0


# -- carrying ---


def hauling(w: World, country: str) -> Iterator[od.Order]:
    """Somebody goes out, and who has mined carries home what the works use."""
    home = seen.home(w, country)
    if home is None:
        return
    wanted = [good for good in needed(w, home) if w.held(home, country).amount(good) < STOCK]
    for part in seen.parts(w, country):
        cargo = _cargo(w, country, part, wanted)
        if part == home or not cargo or w.part(part).city:
            continue
        if seen.idle(w, country, part):
            yield od.Move(country=country, kind="worker", count=1, start=part, way=(home,), cargo=cargo)
        elif seen.spare(w, country, home) > 0:
            yield od.Move(country=country, kind="worker", count=1, start=home, way=(part,))


def _cargo(w: World, country: str, part: str, wanted: list[str]) -> tuple[od.Item, ...]:
    room, cargo, held = LOAD, [], w.held(part, country)
    for good in wanted:
        count = min(room, int(held.amount(good)))
        if count:
            cargo.append(od.Item(good, count))
            room -= count
    return tuple(cargo)
