"""Who is with whom in a square, and who controls a part of it (section 13)."""

from __future__ import annotations

from collections.abc import Iterable

from pbem.games.empire.geography.grid import square_of
from pbem.games.empire.rules.ground.terrain import group
from pbem.games.empire.rules.state import Unit
from pbem.games.empire.rules.world import World

LAND = ("people", "land")  # classes of kinds that fight on land


def is_land_unit(w: World, unit: Unit) -> bool:
    return w.kind(unit).class_ in LAND


def is_regular(w: World, unit: Unit) -> bool:
    return w.kind(unit).regular


def stands_there(unit: Unit) -> bool:
    """In the open: neither carried nor in a warehouse nor in the air."""
    return unit.aboard is None and unit.state == "ground"


def land_units(w: World, part: str) -> list[Unit]:
    """Those that stand in a part or one joined to it."""
    return [u for each in group(w, part) for u in w.at(each) if is_land_unit(w, u) and stands_there(u)]


def with_workers(w: World, part: str) -> list[str]:
    """Countries that have workers in a part or one joined to it."""
    there = [w.part(each).held for each in group(w, part)]
    if not any(there):
        return []
    return [country for country in w.countries if any(country in held and held[country].workers for held in there)]


def are_one_side(w: World, one: str, other: str, place: str) -> bool:
    """Are they friendly to each other there?"""
    return w.friendly(one, other, place) and w.friendly(other, one, place)


def is_hostile(w: World, owner: str, to: str, place: str) -> bool:
    """Does what belongs to the first one act against the second one there (E13.1)?"""
    return not w.friendly(owner, to, place)


def others(w: World, country: str, countries: Iterable[str], place: str) -> list[str]:
    """Those of them that are not on its side."""
    return [each for each in countries if not are_one_side(w, country, each, place)]


def hostile_land_units(w: World, country: str, part: str) -> list[Unit]:
    return [u for u in land_units(w, part) if is_hostile(w, u.owner, country, part)]


def why_not_in_control(w: World, country: str, part: str) -> str | None:
    """Why a country does not control a part (E13.8), as a key of the sentences; None when it does."""
    workers = with_workers(w, part)
    army = list(dict.fromkeys(unit.owner for unit in land_units(w, part)))
    parties = list(dict.fromkeys([*workers, *army]))
    if not parties:
        found = any(held.people() for each in group(w, part) for held in w.part(each).held.values())
        return "officials_only" if found else "nobody"
    against = others(w, country, parties, part)
    own = [each for each in parties if each not in against]
    if not against:
        return None
    if not own:
        return "others"
    armed_own, armed_against = [c for c in army if c in own], [c for c in army if c in against]
    return None if armed_own and not armed_against else "hostile_workers"


def controls(w: World, country: str, part: str) -> bool:
    return why_not_in_control(w, country, part) is None


def controller(w: World, part: str) -> str | None:
    """The country that controls a part: of a side, the first that has workers there, else land units."""
    army = [unit.owner for unit in land_units(w, part)]
    for country in (*with_workers(w, part), *army):
        if controls(w, country, part):
            return country
    return None


def serves(w: World, country: str, part: str) -> bool:
    """May it use the airport, dock or warehouse there: it controls it, or nobody is there (E13.8)?"""
    reason = why_not_in_control(w, country, part)
    return reason in (None, "nobody", "officials_only")


def is_opposed(w: World, part: str) -> bool:
    """Do land units that are hostile to one another stand there (E12.21)?"""
    units = land_units(w, part)
    return any(others(w, unit.owner, (other.owner for other in units), part) for unit in units)


def guards(w: World, country: str, part: str) -> bool:
    """Is there own or friendly military (E13.5)?"""
    return any(w.friendly(unit.owner, country, part) for unit in land_units(w, part))


def square(part: str) -> str:
    return square_of(part)
