"""What a bot sees of its own country, and how long the game still lasts."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from functools import wraps
from typing import TypeVar, TypeVarTuple
from weakref import WeakKeyDictionary

from pbem.core.seat import Seat
from pbem.games.empire.geography.grid import distance, square_of
from pbem.games.empire.rules.construction.works import price
from pbem.games.empire.rules.economy.developing import is_worked, row
from pbem.games.empire.rules.ground.sides import controls, is_land_unit
from pbem.games.empire.rules.ground.ways import reach
from pbem.games.empire.rules.held import Crew
from pbem.games.empire.rules.people.entering import is_free
from pbem.games.empire.rules.people.working import at_task
from pbem.games.empire.rules.world import World

BREWERY = "DIST"
LARDER = 5  # food
AHEAD = 8  # turns that are planned where no end is set
WALK = 2  # turns that settlers walk
WORST_ROLL = 6  # confidence that dice may take
HANDS = 3  # workers that its home keeps beside those who run works
SHORT = 8  # turns that a game may last to be played on what the capital holds at the start


Ts = TypeVarTuple("Ts")
T = TypeVar("T")


def once(reckon: Callable[[World, *Ts], T]) -> Callable[[World, *Ts], T]:
    """Reckoned once for each world that is looked at: a bot changes none."""
    known: WeakKeyDictionary[World, dict[object, T]] = WeakKeyDictionary()

    @wraps(reckon)
    def asked(w: World, /, *args: *Ts) -> T:
        found = known.setdefault(w, {})
        if args not in found:
            found[args] = reckon(w, *args)
        return found[args]

    return asked


def turns_left(w: World) -> int:
    """With this one."""
    last = int(w.options["end_turns"])
    return max(1, last - w.state.turn + 1) if last else AHEAD


def is_last(w: World) -> bool:
    return turns_left(w) == 1


def is_short(w: World) -> bool:
    return 0 < int(w.options["end_turns"]) <= SHORT


def is_warrior(w: World, country: str) -> bool:
    """The first of every four seats marches; the rest keep their army at home."""
    player = w.player(country)
    return player in w.state.seats and w.state.seats.index(Seat(str(player))) % 4 == 0


@once
def parts(w: World, country: str) -> list[str]:
    return [part for part in w.places_of(country) if part in w.map.land]


def idle(w: World, country: str, part: str) -> int:
    return sum(crew.count for crew in w.held(part, country).crews if crew.kind == "worker" and not crew.tasks)


@once
def home(w: World, country: str) -> str | None:
    """Its city with most factories; of equal ones that with most workers."""
    cities = [part for part in parts(w, country) if w.part(part).city and controls(w, country, part)]

    def size(part: str) -> tuple[int, int, str]:
        return len(w.part(part).factories), w.held(part, country).workers, part

    return max(cities, key=size, default=None)


@once
def spare(w: World, country: str, part: str) -> int:
    """How many may leave a part for good, now."""
    return min(rested(w, country, part), idle(w, country, part) - staying(w, country, part))


def rested(w: World, country: str, part: str) -> int:
    """How many may leave it now: those first who have most BTA left, and nobody at a task."""
    crews = [crew for crew in w.held(part, country).crews if crew.kind == "worker"]
    least = min((crew.used for crew in crews), default=0)
    return sum(crew.count for crew in crews if not crew.tasks and crew.used == least)


@once
def staying(w: World, country: str, part: str) -> int:
    """Workers that the factories of a part need in the next slot; who builds in a city now will run one."""
    found = w.part(part)
    if is_last(w):
        return 0
    if part != home(w, country):
        return len(found.factories) + len(found.works)
    hands = len(found.factories) + len(found.works) + HANDS
    return max(0, hands - sum(crew.count for crew in _tasked(w, country, part)))


def _tasked(w: World, country: str, part: str) -> list[Crew]:
    return [crew for crew in w.held(part, country).crews if crew.kind == "worker" and crew.tasks]


@once
def near(w: World, country: str, start: str) -> Mapping[str, Fraction]:
    """Where its workers get in a turn."""
    return reach(w, "worker", start, Fraction(w.tables.bta), lambda part: is_free(w, country, part))


@once
def within_reach(w: World, country: str, start: str) -> Mapping[str, Fraction]:
    """Where those get who would leave it now: they may have walked already."""
    used = min((crew.used for crew in w.held(start, country).crews if crew.kind == "worker"), default=Fraction(0))
    rest = w.tables.bta - used
    return {part: far for part, far in near(w, country, start).items() if far <= rest}


def around(w: World, start: str) -> Mapping[str, Fraction]:
    """Where settlers get in the end."""
    return reach(w, "worker", start, Fraction(w.tables.bta) * WALK, lambda _: True)


def others_there(w: World, country: str, part: str) -> bool:
    return any(other != country and held.people() for other, held in w.part(part).held.items())


@once
def cities_of_others(w: World, country: str) -> list[str]:
    return [name for name, found in w.parts.items() if found.city and others_there(w, country, name)]


def is_nearest(part: str, start: str, cities: list[str]) -> bool:
    """None of these cities of somebody else is nearer."""
    far = distance(square_of(part), square_of(start))
    return all(distance(square_of(part), square_of(name)) >= far for name in cities)


# -- EDU ---


def gain(w: World, part: str) -> int:
    """EDU of what was never developed there, farms apart."""
    return sum(gains(w, part).values())


@once
def gains(w: World, part: str) -> dict[str, int]:
    """By mark."""
    found: dict[str, int] = {}
    for kind, grade in w.map.marks.get(part, {}).items():
        mark = w.part(part).marks.get(kind)
        if part in w.map.land and (mark is None or (mark.by is None and mark.opened < grade)):
            was = row(w, kind, mark.opened).edu if mark is not None and mark.opened else 0
            found[kind] = max(0, row(w, kind, grade).edu - was)
    return found


@once
def is_field(w: World, part: str) -> bool:
    found = w.part(part)
    terrain = w.map.land[part].terrain in w.tables.farm_terrain
    pollutes = any(w.tables.factories[factory.kind].pollutes for factory in found.factories)
    taken = found.city or pollutes or found.works or found.polluted
    return terrain and found.farm is None and not taken


@once
def fresh_edu(w: World, country: str) -> int:
    """What squares opened in this slot will bring."""
    total = 0
    for part in w.parts.values():
        total += w.tables.development["farm"].edu if part.farm == country and not part.farmed else 0
        for kind, mark in part.marks.items():
            if mark.by == country and mark.grade > mark.opened:
                was = row(w, kind, mark.opened).edu if mark.opened else 0
                total += row(w, kind, mark.grade).edu - was
    return total


@once
def expected_edu(w: World, country: str) -> int:
    """What the slot will have brought by its roll-out."""
    works = [work for part in w.parts.values() for work in part.works if work.by == country]
    done = sum(price(w, work)[1] for work in works if work.done + work.pairs >= work.needs)
    return w.country(country).booked_edu + done + fresh_edu(w, country)


@once
def investment(w: World, country: str) -> int:
    """Of all squares that will be worked over this end."""
    total = w.tables.development["farm"].investment * farms(w, country)
    for name, part in w.parts.items():
        for kind, mark in part.marks.items():
            if mark.by == country and is_worked(w, name, kind, mark):
                total += row(w, kind, mark.grade).investment
    return total


@once
def margin(w: World, country: str) -> int:
    """How far from inflation it will be after a bad roll; below 0 it may begin."""
    about = w.country(country)
    confidence = about.confidence + (expected_edu(w, country) - about.edu) // 2 - WORST_ROLL
    return 2 * confidence - (about.fund - about.tax + about.booked_cost + 2) - investment(w, country)


# -- food ---


@once
def eaters(w: World, country: str) -> int:
    people = sum(w.held(part, country).people() for part in w.places_of(country))
    aboard = sum(unit.holds[country].people() for unit in w.units.values() if country in unit.holds)
    return people + aboard + sum(is_land_unit(w, unit) for unit in w.units_of(country))


@once
def food(w: World, country: str) -> int:
    return int(sum(w.held(part, country).amount("food") for part in parts(w, country)))


@once
def farms(w: World, country: str) -> int:
    return sum(part.farm == country and at_task(w, country, name, "farm") > 0 for name, part in w.parts.items())


@once
def breweries(w: World, country: str) -> int:
    return sum(factory.kind == BREWERY for part in parts(w, country) for factory in w.part(part).factories)


@once
def surplus(w: World, country: str) -> int:
    """Food that will be over at the start of its next slot."""
    return food(w, country) + 5 * farms(w, country) - eaters(w, country) - births(w, country)


@once
def larders(w: World, country: str) -> frozenset[str]:
    """Where it has farms, or food that others near do not eat up at once."""
    has = (part for part in parts(w, country) if w.held(part, country).amount("food") >= LARDER)
    grows = (name for name, part in w.parts.items() if part.farm == country and at_task(w, country, name, "farm"))
    return frozenset((*has, *grows))


@once
def births(w: World, country: str) -> int:
    return sum(w.part(part).site for part in parts(w, country))
