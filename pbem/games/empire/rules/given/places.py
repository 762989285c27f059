"""What `given` lines put on the map: cities, factories, works, lines, forts, developed squares."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import pairwise

from msgspec.structs import replace

from pbem.core.refusal import Illegal
from pbem.games.empire.geography.grid import square_of
from pbem.games.empire.rules.given.named import country_of, named_unit, number_of
from pbem.games.empire.rules.ground.who import any_part, known_square, land_part
from pbem.games.empire.rules.held import Crew, chosen, joined, without
from pbem.games.empire.rules.orders import Given
from pbem.games.empire.rules.state import Factory, Fort, Gun, Mark, Work
from pbem.games.empire.rules.world import World

LINES = ("road", "railroad", "power_line", "pipeline", "underwater_power_line", "underwater_pipeline")


def _damaged(w: World, line: Given) -> None:
    if line.unit is not None:
        ship = named_unit(w, line)
        w.change(ship.id, steps=max(1, ship.steps))
    elif len(line.squares) > 1:
        _damaged_line(w, line)
    else:
        _damaged_thing(w, line)


def _damaged_line(w: World, line: Given) -> None:
    for one, other in _borders(w, line):
        found = w.border(one, other)
        lines, hurt = ([each for each in those if each != line.kind] for those in (found.lines, found.hurt))
        w.change_border(one, other, lines, [*hurt, str(line.kind)])


def _damaged_thing(w: World, line: Given) -> None:
    part, what = land_part(w, line.squares[0]), str(line.kind)
    found = w.part(part)
    if what in w.tables.factories:
        factories = tuple(replace(f, state="damaged") if f.kind == what else f for f in found.factories)
        w.change_part(part, factories=factories)
    elif what in ("AA", "naval_gun"):
        w.change_part(part, guns=tuple(replace(g, damaged=True) if g.kind == what else g for g in found.guns))
    elif what in ("fort", "pillbox"):
        hit = [side for side, f in found.forts.items() if f.kind == what and line.facing in (None, side)]
        forts = {side: replace(f, damaged=True) if side in hit else f for side, f in found.forts.items()}
        w.change_part(part, forts=forts)
    else:
        w.change_part(part, hurt=(*found.hurt, what))


def _city(w: World, line: Given) -> None:
    w.change_part(land_part(w, line.squares[0]), city=True, site=True)


def _site(w: World, line: Given) -> None:
    w.change_part(land_part(w, line.squares[0]), site=True)


def _factory(w: World, line: Given) -> None:
    part = land_part(w, line.squares[0])
    w.change_part(part, factories=(*w.part(part).factories, Factory(kind=str(line.kind))))


def _work(w: World, line: Given) -> None:
    part, item = land_part(w, line.squares[0]), str(line.kind)
    w.set(works=w.state.works + 1)
    needs = w.tables.factories[item].work if item in w.tables.factories else 1
    work = Work(id=w.state.works, what="build", item=item, needs=needs, done=number_of(line), begun=True)
    w.change_part(part, works=(*w.part(part).works, work))


def _item(w: World, line: Given) -> None:
    if len(line.squares) > 1:
        _lines(w, line)
        return
    part = land_part(w, line.squares[0])
    w.change_part(part, items=(*w.part(part).items, line.what))


def _split_item(w: World, line: Given) -> None:
    """A bridge or mountain road joins all parts of its square: it is kept with the first."""
    if len(line.squares) > 1:
        _lines(w, line)
        return
    square = w.map.squares.get(square_of(line.squares[0]))
    if square is None or not square.land:
        raise Illegal("square.absent", square=line.squares[0])
    w.change_part(square.land[0], items=(*w.part(square.land[0]).items, line.what))


def _lines(w: World, line: Given) -> None:
    for one, other in _borders(w, line):
        w.change_border(one, other, [*w.border(one, other).lines, line.what])


def _borders(w: World, line: Given) -> list[tuple[str, str]]:
    """Between the squares of a chain. Raises `Illegal`."""
    found = list(pairwise(line.squares))
    for one, other in found:
        if square_of(other) not in w.map.around(known_square(w, one)):
            raise Illegal("way.none", what=line.kind or line.what, square=one, to=other, why="not_adjacent")
    return found


def _fort(w: World, line: Given) -> None:
    part = land_part(w, line.squares[0])
    w.change_part(part, forts={**w.part(part).forts, str(line.facing): Fort(kind=line.what)})
    if line.who is not None:
        w.join(part, country_of(w, line), Crew(tasks=(f"fort {line.facing}",)))


def _installed(w: World, line: Given) -> None:
    part = land_part(w, line.squares[0])
    w.change_part(part, guns=(*w.part(part).guns, Gun(kind=str(line.kind))))
    if line.who is not None:
        w.join(part, country_of(w, line), Crew(tasks=(str(line.kind),)))


def _developing(w: World, line: Given) -> None:
    country, kind = country_of(w, line), str(line.kind)
    name = line.squares[0]
    part = any_part(w, name)
    grade = w.map.marks.get(part, {}).get(kind)
    if grade is None:
        raise Illegal("develop.absent", mark=kind, square=name)
    ship = None
    if part in w.map.land:
        _set_task(w, country, part, kind)
    else:
        found = [u for u in w.at(part) if u.owner == country and w.kind(u).class_ == "ship"]
        if not found:
            raise Illegal("unit.absent", unit="ship", at=name)
        ship = found[0].id
        if found[0].holds.get(country) and found[0].holds[country].workers:
            _set_task(w, country, ship, kind)
        else:
            w.change(ship, tasks=(kind,))
    opened = grade if line.state == "done" else 0
    mark = Mark(grade=grade, by=country, ship=ship, opened=opened)
    w.change_part(part, marks={**w.part(part).marks, kind: mark})


def _set_task(w: World, country: str, place: str, task: str) -> None:
    held = w.held(place, country)
    able = chosen(held, 1, "worker", lambda crew: not crew.tasks)
    if not able:
        able = chosen(held, 1, "worker", lambda crew: "farm" not in crew.tasks)
    if not able:
        raise Illegal("workers.short", square=place, has=held.workers, needs=1)
    crew = able[0]
    w.set_held(place, country, joined(without(held, crew), replace(crew, tasks=(*crew.tasks, task))))


def _farming(w: World, line: Given) -> None:
    country, part = country_of(w, line), land_part(w, line.squares[0])
    _set_task(w, country, part, "farm")
    w.change_part(part, farm=country, farmed=line.state == "done")


def _births(w: World, line: Given) -> None:
    part = land_part(w, line.squares[0])
    for id_, country in list(w.countries.items()):
        kept = tuple(each for each in country.births_off if each != part)
        w.change_country(id_, births_off=(*kept, part) if line.state == "off" else kept)


PLACES: Mapping[str, Callable[[World, Given], None]] = {
    "damaged": _damaged,
    "city": _city,
    "site": _site,
    "factory": _factory,
    "work": _work,
    "dock": _item,
    "airport": _item,
    "warehouse": _item,
    "widening": _item,
    "canal": _item,
    "bridge": _split_item,
    "mountain_road": _split_item,
    **dict.fromkeys(LINES, _lines),
    "fort": _fort,
    "pillbox": _fort,
    "installed": _installed,
    "developing": _developing,
    "farming": _farming,
    "births": _births,
}
