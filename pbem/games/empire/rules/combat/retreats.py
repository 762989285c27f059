"""Retreats of two steps: where to, and who has nowhere to go (E12.13, E12.14)."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from fractions import Fraction
from typing import NamedTuple, TypeAlias

from msgspec.structs import replace

from pbem.games.empire.geography.grid import map_order
from pbem.games.empire.geography.nearest import nearest_first
from pbem.games.empire.rules.combat.stopping import is_stranded, room
from pbem.games.empire.rules.ground.sides import controls, hostile_land_units, is_hostile
from pbem.games.empire.rules.ground.terrain import beside, cost, group
from pbem.games.empire.rules.ground.ways import steps_into
from pbem.games.empire.rules.ground.zones import over
from pbem.games.empire.rules.held import Crew
from pbem.games.empire.rules.orders import Standing
from pbem.games.empire.rules.people import contact
from pbem.games.empire.rules.people import entering as people
from pbem.games.empire.rules.pieces import tasks
from pbem.games.empire.rules.pieces.losing import kill, lose
from pbem.games.empire.rules.questions import asking
from pbem.games.empire.rules.state import Unit
from pbem.games.empire.rules.world import World

MANY = 2  # ends between which there is a choice
FAR = Fraction(10**6)  # where no way leads home


class Flight(NamedTuple):
    """One way of a retreat."""

    directions: tuple[int, ...]
    parts: tuple[str, ...]


class Mover(NamedTuple):
    """Who retreats: a unit, or people."""

    kind: str
    owner: str
    at: str


Origin: TypeAlias = Collection[str] | str | None  # parts out of which they were attacked


def retreat(w: World, units: Sequence[Unit], attacked_from: Origin, why: str) -> None:
    """Each of them goes, or is eliminated where it can't."""
    for unit in units:
        if unit.id in w.units:
            _retreat_one(w, w.units[unit.id], attacked_from, why)


def has_retreat(w: World, units: Sequence[Unit], attacked_from: Origin) -> bool:
    """Has any of them one?"""
    return any(True for unit in units for _ in flights(w, unit, attacked_from))


def _retreat_one(w: World, unit: Unit, attacked_from: Origin, why: str) -> None:
    ways = list(flights(w, unit, attacked_from))
    if not ways:
        w.note("had_no_retreat", unit.owner, unit=unit.id, at=unit.at)
        lose(w, unit, "eliminated")
        return
    chosen, by = _chosen(w, unit, ways)
    crowded = room(w, unit, chosen.parts[-1]) <= 0
    w.note("retreated", unit.owner, unit=unit.id, start=unit.at, way=list(chosen.parts), why=why, by=by)
    for part in chosen.parts:
        w.change(unit.id, at=part, tasks=(), landed=None, retreated=crowded)
        contact.met(w, w.units[unit.id])


def retreat_people(w: World, part: str, country: str, crew: Crew) -> None:
    """A worker that bombs drive out goes two steps, or dies (E16.5)."""
    mover = Mover(crew.kind, country, part)
    ways = [each for each in _flights(w, mover, None) if people.is_free(w, country, each.parts[-1])]
    if not ways:
        kill(w, part, country, [crew], "bombed")
        return
    chosen, by = _chosen(w, mover, ways)
    w.leave(part, country, crew)
    tasks.ended(w, country, part, crew)
    w.join(chosen.parts[-1], country, replace(crew, tasks=(), stayed=False))
    w.note("people_retreated", country, kind=crew.kind, count=crew.count, start=part, way=list(chosen.parts), by=by)


def flights(w: World, unit: Unit, attacked_from: Origin) -> Iterator[Flight]:
    """Every way that a unit could go."""
    if not is_stranded(w, unit, unit.at):
        yield from _flights(w, Mover(unit.kind, unit.owner, unit.at), attacked_from)


def _flights(w: World, mover: Mover, attacked_from: Origin) -> Iterator[Flight]:
    """Joined parts are one step's place."""
    starts = (attacked_from,) if isinstance(attacked_from, str) else tuple(attacked_from or ())
    shut = {each for part in (*starts, mover.at) if part in w.map.land for each in group(w, part)}
    yield from _on(w, mover, Flight((), (mover.at,)), shut, int(w.options["land_retreat"]))


def _on(w: World, mover: Mover, so_far: Flight, shut: set[str], left: int) -> Iterator[Flight]:
    if not left:
        yield Flight(so_far.directions, so_far.parts[1:])
        return
    for direction, other in _steps(w, mover.kind, so_far.parts[-1]):
        if other not in shut and is_open_to(w, mover.owner, other):
            longer = Flight((*so_far.directions, direction), (*so_far.parts, other))
            yield from _on(w, mover, longer, {*shut, *group(w, other)}, left - 1)


def _steps(w: World, kind: str, part: str) -> list[tuple[int, str]]:
    found = [
        (direction, other)
        for own in group(w, part)
        for direction, other in beside(w, own)
        if cost(w, kind, own, other) is not None
    ]
    return sorted(found, key=lambda each: (each[0], map_order(each[1])))


def is_open_to(w: World, owner: str, part: str) -> bool:
    """Neither a hostile zone, nor hostile people, nor bombed while it was empty."""
    if over(w, part, owner) or hostile_land_units(w, owner, part) or w.part(part).bombed == w.now:
        return False
    countries = [country for each in group(w, part) for country, held in w.part(each).held.items() if held.people()]
    return not any(is_hostile(w, country, owner, part) for country in countries)


def _chosen(w: World, unit: Unit | Mover, ways: Sequence[Flight]) -> tuple[Flight, str]:
    """By standing order, else as the owner answers, else by default."""
    wish = _wish(w, unit) if isinstance(unit, Unit) else None
    for flight in sorted(ways, key=lambda each: each.directions):
        if wish is not None and flight.parts[-1] in w.map.parts(wish):
            return flight, "standing_order"
    by_default = _nearest(w, unit, ways)
    said = _asked(w, unit, ways, by_default) if isinstance(unit, Unit) and wish is None else None
    if said is None:
        return by_default, "default"
    there = [flight for flight in ways if flight.parts[-1] in w.map.parts(said)]
    return (_nearest(w, unit, there), "answer") if there else (by_default, "default")


def _asked(w: World, unit: Unit, ways: Sequence[Flight], usual: Flight) -> str | None:
    """The end that its owner names under `ask yes`, where there are several; None where they say nothing."""
    ends = sorted({flight.parts[-1] for flight in ways}, key=map_order)
    if len(ends) < MANY:
        return None
    default = Standing(what="retreat", units=(unit.id,), to=w.map.shown(usual.parts[-1]))
    shown = [w.map.shown(end) for end in ends]
    said = asking.of_owner(
        w, "retreat", unit.id, w.player(unit.owner), default, unit=unit.id, at=w.map.shown(unit.at), choices=shown
    )
    return said.to if said is not None and not said.lapsed else None


def _nearest(w: World, unit: Unit | Mover, ways: Sequence[Flight]) -> Flight:
    """The first that is not overstacked, then nearest home, then by directions."""
    homes = _homes(w, unit)
    far = _distances(w, unit.kind, {each.parts[-1] for each in ways}, homes)

    def order(flight: Flight) -> tuple[bool, Fraction, tuple[int, ...], tuple[int, int, str]]:
        end = flight.parts[-1]
        full = isinstance(unit, Unit) and room(w, unit, end) <= 0
        return full, far[end], flight.directions, map_order(end)

    return min(ways, key=order)


def _wish(w: World, unit: Unit) -> str | None:
    """The end that its player's standing orders name: the most exact counts, of equal ones the newest."""
    best: tuple[int, str] | None = None
    for order in w.standing(w.player(unit.owner), "retreat"):
        if order.to is None:
            continue
        if order.units:
            exact = 2 if unit.id in order.units else -1
        elif order.at is not None:
            exact = 1 if unit.at in w.map.parts(order.at) else -1
        else:
            exact = 0
        if exact >= 0 and (best is None or exact > best[0]):
            best = exact, order.to
    return best[1] if best else None


def _homes(w: World, unit: Unit | Mover) -> list[str]:
    """The capital; without one the cities that its country controls."""
    capital = w.country(unit.owner).capital if unit.owner in w.countries else None
    if capital is not None and not hostile_land_units(w, unit.owner, capital):
        return [capital]
    return [name for name, part in w.parts.items() if part.city and controls(w, unit.owner, name)]


def _distances(w: World, kind: str, ends: Collection[str], homes: Sequence[str]) -> dict[str, Fraction]:
    """BTA from each end to the nearest home: one search backwards from all of them. All alike where there is none."""
    found: dict[str, Fraction] = {}
    wanted = set(ends)
    for part, paid in nearest_first(homes, Fraction(0), lambda part: steps_into(w, kind, part)):
        found[part] = paid
        if found.keys() >= wanted:
            break
    return {end: found.get(end, FAR) for end in ends}
