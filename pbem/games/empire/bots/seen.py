"""What a bot sees of its own country, and how long the game still lasts."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from weakref import WeakKeyDictionary

from pbem.core.seat import Seat
from pbem.games.empire.geography.grid import distance, square_of
from pbem.games.empire.rules.construction.works import price
from pbem.games.empire.rules.economy.developing import is_worked, row
from pbem.games.empire.rules.ground.sides import controls, is_land_unit
from pbem.games.empire.rules.ground.ways import reach
from pbem.games.empire.rules.held import Crew
from pbem.games.empire.rules.people.entering import is_free
from pbem.games.empire.rules.world import World

AHEAD = 6  # turns that are planned where no end is set
BAD_ROLL = 4  # confidence that dice may take
SHORT = 8  # turns that a game may last to be played on what the capital holds at the start


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


def parts(w: World, country: str) -> list[str]:
    return [part for part in w.places_of(country) if part in w.map.land]


def idle(w: World, country: str, part: str) -> int:
    return sum(crew.count for crew in w.held(part, country).crews if crew.kind == "worker" and not crew.tasks)


def home(w: World, country: str) -> str | None:
    """Its city with most workers."""
    cities = [part for part in parts(w, country) if w.part(part).city and controls(w, country, part)]
    return max(cities, key=lambda part: (w.held(part, country).workers, part), default=None)


def spare(w: World, country: str, part: str) -> int:
    """How many may leave a part, now: those first who have most BTA left, and nobody at a task."""
    crews = [crew for crew in w.held(part, country).crews if crew.kind == "worker"]
    if not crews:
        return 0
    able = sum(crew.count for crew in crews if not crew.tasks and crew.used == min(each.used for each in crews))
    return min(able, idle(w, country, part) - _stay(w, country, part))


def _stay(w: World, country: str, part: str) -> int:
    """Workers that the factories of a city need in the next slot; who builds there now will run one."""
    found = w.part(part)
    if is_last(w) or part != home(w, country):
        return 0
    return max(0, len(found.factories) + 2 - sum(crew.count for crew in _tasked(w, country, part)))


def _tasked(w: World, country: str, part: str) -> list[Crew]:
    return [crew for crew in w.held(part, country).crews if crew.kind == "worker" and crew.tasks]


def near(w: World, country: str, start: str) -> Mapping[str, Fraction]:
    """Where its workers get in a turn; found once for each world that is looked at."""
    known = _NEAR.setdefault(w, {})
    if (country, start) not in known:
        known[country, start] = _near(w, country, start)
    return known[country, start]


_NEAR: WeakKeyDictionary[World, dict[tuple[str, str], Mapping[str, Fraction]]] = WeakKeyDictionary()


def _near(w: World, country: str, start: str) -> Mapping[str, Fraction]:
    return reach(w, "worker", start, Fraction(w.tables.bta), lambda part: is_free(w, country, part))


def others_there(w: World, country: str, part: str) -> bool:
    return any(other != country and held.people() for other, held in w.part(part).held.items())


def cities_of_others(w: World, country: str) -> list[str]:
    return [name for name, found in w.parts.items() if found.city and others_there(w, country, name)]


def is_ours(part: str, start: str, cities: list[str]) -> bool:
    """None of these cities of somebody else is nearer."""
    far = distance(square_of(part), square_of(start))
    return all(distance(square_of(part), square_of(name)) >= far for name in cities)


# -- EDU ---


def gain(w: World, part: str) -> int:
    """EDU of what was never developed there, farms apart."""
    return sum(gains(w, part).values())


def gains(w: World, part: str) -> dict[str, int]:
    """By mark."""
    found: dict[str, int] = {}
    for kind, grade in w.map.marks.get(part, {}).items():
        mark = w.part(part).marks.get(kind)
        if part in w.map.land and (mark is None or (mark.by is None and mark.opened < grade)):
            was = row(w, kind, mark.opened).edu if mark is not None and mark.opened else 0
            found[kind] = max(0, row(w, kind, grade).edu - was)
    return found


def is_field(w: World, part: str) -> bool:
    found = w.part(part)
    terrain = w.map.land[part].terrain in w.tables.farm_terrain
    taken = found.city or found.factories or found.works or found.polluted
    return terrain and found.farm is None and not taken


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


def expected_edu(w: World, country: str) -> int:
    """What the slot will have brought by its roll-out."""
    works = [work for part in w.parts.values() for work in part.works if work.by == country]
    done = sum(price(w, work)[1] for work in works if work.done + work.pairs >= work.needs)
    return w.country(country).booked_edu + done + fresh_edu(w, country)


def investment(w: World, country: str) -> int:
    """Of all squares that will be worked over this end."""
    table, total = w.tables.development, 0
    for name, part in w.parts.items():
        total += table["farm"].investment if part.farm == country else 0
        for kind, mark in part.marks.items():
            if mark.by == country and is_worked(w, name, kind, mark):
                total += row(w, kind, mark.grade).investment
    return total


def margin(w: World, country: str) -> int:
    """How far from inflation it will be after a bad roll; below 0 it may begin."""
    about = w.country(country)
    confidence = about.confidence + (expected_edu(w, country) - about.edu) // 2 - BAD_ROLL
    return 2 * confidence - (about.fund - about.tax + about.booked_cost + 2) - investment(w, country)


# -- food ---


def eaters(w: World, country: str) -> int:
    people = sum(w.held(part, country).people() for part in w.places_of(country))
    aboard = sum(unit.holds[country].people() for unit in w.units.values() if country in unit.holds)
    return people + aboard + sum(is_land_unit(w, unit) for unit in w.units_of(country))


def food(w: World, country: str) -> int:
    return int(sum(w.held(part, country).amount("food") for part in parts(w, country)))


def farms(w: World, country: str) -> int:
    return sum(part.farm == country for part in w.parts.values())


def births(w: World, country: str) -> int:
    return sum(w.part(part).site for part in parts(w, country))
