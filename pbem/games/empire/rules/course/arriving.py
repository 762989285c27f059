"""What was picked comes in Turn 2 (E3.6)."""

from __future__ import annotations

from pbem.core.seat import Seat
from pbem.games.empire.geography.grid import map_order, square_of
from pbem.games.empire.rules.ground.sides import controls
from pbem.games.empire.rules.ground.terrain import group
from pbem.games.empire.rules.pieces import space
from pbem.games.empire.rules.world import World

FIRST, SECOND = 1, 2  # turns


def arrive(w: World, country: str) -> None:
    """At the start of the Turn 2 slot of a starting country: things that move stand there, lines are to be laid."""
    items = w.state.picked.get(Seat(country), ())
    if w.state.turn != SECOND or not items:
        return
    lines: list[str] = []
    for item in items:
        count = w.tables.catalog.get(item, 1)
        if item not in w.tables.kinds:
            lines += [item] * count
            continue
        for _ in range(count):
            _stand(w, country, item)
    w.change_country(country, picks=tuple(lines))
    w.note("picks_arrived", country, picks=list(items), to_lay=lines)


def _stand(w: World, country: str, kind: str) -> None:
    place = where(w, country)
    if w.kind(kind).class_ != "ship":
        if place is not None:
            w.new_unit(kind, country, place)
        return
    water = w.map.squares[square_of(place)].water if place is not None else ()
    if water:
        docked = space.dock_room(w, water[0], country) >= w.kind(kind).units
        w.new_unit(kind, country, water[0], state="docked" if docked else "sea")


def where(w: World, country: str) -> str | None:
    """The capital; if it is lost, where the governor is."""
    capital = w.country(country).capital
    if capital is not None and any(w.part(each).city for each in group(w, capital)) and controls(w, country, capital):
        return capital
    places = [place for place in w.places_of(country) if w.held(place, country).people("governor")]
    if places:
        return places[0]
    aboard = [u for u in w.units.values() if country in u.holds and u.holds[country].people("governor")]
    found = next(iter(sorted(aboard, key=w.unit_order)), None)
    if found is None:
        return capital
    return found.at if found.at in w.map.land else next(iter(w.map.squares[square_of(found.at)].land), found.at)


def turn_ended(w: World, country: str) -> None:
    """At the roll-out of Turn 1: where its workers are then, canals and mountain roads may be laid; of Turn 2: what is
    not laid is lost.
    """
    if w.state.turn == SECOND:
        w.change_country(country, picks=())
    if w.state.turn == FIRST:
        places = [place for place in w.places_of(country) if w.held(place, country).workers and place in w.map.land]
        w.change_country(country, ended=tuple(sorted({square_of(place) for place in places}, key=map_order)))
