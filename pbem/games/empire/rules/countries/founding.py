"""Balkanization: a country is founded out of another one (E5.2)."""

from __future__ import annotations

import re
from collections.abc import Sequence

from pbem.core.refusal import Illegal
from pbem.core.seat import Seat
from pbem.games.empire.rules.ground.sides import controls
from pbem.games.empire.rules.ground.who import absent, country_for, incomplete, land_part, unit_of, with_workers_at
from pbem.games.empire.rules.held import chosen
from pbem.games.empire.rules.orders import Found, Part
from pbem.games.empire.rules.people import governors
from pbem.games.empire.rules.people.owners import pass_crew, pass_goods, pass_unit
from pbem.games.empire.rules.pieces.carrying import PEOPLE
from pbem.games.empire.rules.state import Country, Row
from pbem.games.empire.rules.world import World

CITY = "city"


def found(w: World, player: Seat, order: Found) -> None:
    """One of the workers there becomes its governor. Raises `Illegal`."""
    _check_name(w, order)
    part = land_part(w, order.at)
    parent = country_for(w, player, order, with_workers_at(w, part), part)
    about = w.country(parent)
    if about.inflation or about.capture is not None:
        why = "inflation" if about.inflation else "capture_rules"
        raise Illegal("found.barred", country=order.name, why=why)
    _make(w, player, parent, order.name)
    if not w.held(part, parent).workers:
        raise Illegal("found.barred", country=order.name, why="no_worker")
    for each in order.parts:
        _pass(w, player, parent, order.name, part, each)
    _seat_governor(w, parent, order.name, part)
    w.note("founded", order.name, parent=parent, at=part, parts=[[p.what, p.count, p.at] for p in order.parts])


def _check_name(w: World, order: Found) -> None:
    t, name = w.tables, order.name
    words = (*t.kinds, *t.goods, *t.codes, *map(str.lower, t.factories), *t.construction, *t.marks, CITY, "pirate")
    taken = {*w.countries, *w.state.seats, *words}
    if not order.fits or not re.fullmatch(r"[^\W\d_]{2,16}", name) or name in taken:
        raise Illegal("country.name", name=name)


def _make(w: World, player: Seat, parent: str, name: str) -> None:
    """Behind its parent in the list; the rows of its parent count 0 in its score (E19.2)."""
    about = w.country(parent)
    for each in w.countries_of(player):
        if w.country(each).rank > about.rank:
            w.change_country(each, rank=w.country(each).rank + 1)
    w.countries[name] = Country(
        player=player,
        confidence=0,
        rank=about.rank + 1,
        turns_held=0,
        parent=parent,
        founded=w.state.turn,
        tied=True,
        in_slot=about.in_slot,
        friendly=about.friendly,
        births_off=about.births_off,
        rows=tuple(Row(turn=row.turn, inherited=True) for row in about.rows),
    )


def _pass(w: World, player: Seat, parent: str, name: str, start: str, part: Part) -> None:
    if part.what == CITY:
        _pass_city(w, parent, name, land_part(w, part.at or start))
    elif part.what in w.tables.goods:
        _pass_goods(w, parent, name, land_part(w, part.at or start), part)
    elif part.what in PEOPLE:
        _pass_people(w, parent, name, land_part(w, part.at or start), part)
    else:
        for unit in _units(w, player, parent, name, part):
            pass_unit(w, unit, name, with_load=True)


def _pass_city(w: World, parent: str, name: str, part: str) -> None:
    """Cities have no owner: the first that is named is its capital."""
    if not w.part(part).city or not controls(w, parent, part):
        raise Illegal("found.barred", country=name, why="not_parents")
    if w.country(name).capital is None:
        w.change_country(name, capital=part)


def _pass_goods(w: World, parent: str, name: str, place: str, part: Part) -> None:
    has = w.held(place, parent).amount(part.what)
    if part.count is not None and (has < part.count or part.count < 1):
        raise Illegal("goods.short", where=place, has=str(has), good=part.what, needs=str(part.count))
    pass_goods(w, place, parent, name, part.what, part.count)


def _pass_people(w: World, parent: str, name: str, place: str, part: Part) -> None:
    has = w.held(place, parent).people(part.what)
    needs = part.count if part.count is not None else 1
    if part.what == "governor":
        raise Illegal("found.barred", country=name, why="governor")
    if has < needs or needs < 1:
        raise Illegal("workers.short", square=place, has=has, needs=needs)
    for crew in chosen(w.held(place, parent), needs, part.what):
        pass_crew(w, place, parent, name, crew)


def _units(w: World, player: Seat, parent: str, name: str, part: Part) -> Sequence[str]:
    if part.what not in w.tables.kinds:
        unit = unit_of(w, player, part.what, part.at)
        if unit.owner != parent:
            raise Illegal("found.barred", country=name, why="not_parents")
        return [unit.id]
    if part.at is None:
        incomplete(part.what, "SQUARE")
    there = [u.id for u in w.in_square(part.at) if u.kind == part.what and u.owner == parent]
    if not there or len(there) < (part.count or 1):
        absent(part.what, part.at)
    if part.count is None and len(there) > 1:
        raise Illegal("unit.which", square=part.at, units=there)
    return there[: part.count or 1]


def _seat_governor(w: World, parent: str, name: str, part: str) -> None:
    """One of those that have not been named, else one of those that have."""
    if w.held(part, parent).workers:
        pass_crew(w, part, parent, name, governors.least_busy(w, parent, part))
    governors.become(w, name, part, "governor")
