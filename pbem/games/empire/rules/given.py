"""Positions that `given` lines describe (language.md, section 8): they set, they do not add."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction

from msgspec.structs import replace

from pbem.core.refusal import Illegal, Impossible, Refusal
from pbem.core.seat import Seat
from pbem.games.empire.geography.grid import square_of
from pbem.games.empire.rules.ground.who import any_part, land_part, water_part
from pbem.games.empire.rules.held import Crew, chosen, joined, put, without
from pbem.games.empire.rules.orders import Given
from pbem.games.empire.rules.pieces.carrying import PEOPLE
from pbem.games.empire.rules.state import Country, Factory, Fort, Gun, Mark, Unit, Work
from pbem.games.empire.rules.world import World

_Setter = Callable[[World, Given], None]
LINES = ("road", "railroad", "power_line", "pipeline", "underwater_power_line", "underwater_pipeline")


def lay_out(w: World, lines: Sequence[Given]) -> None:
    """All lines, in their order. Raises `Impossible`."""
    for place, line in enumerate(lines):
        try:
            _SETTERS[line.what](w, line)
        except Refusal as refusal:
            raise Impossible(place, refusal) from None


def _country(w: World, line: Given) -> str:
    """The country of that name; a seat that has none of its name means its first, as the Pirate's does."""
    if line.who in w.state.seats and line.who not in w.countries and w.countries_of(Seat(line.who)):
        return w.countries_of(Seat(line.who))[0]
    if line.who not in w.countries:
        raise Illegal("name.unknown", read=line.who, kind="country", candidates=[*w.countries])
    return str(line.who)


def _player(w: World, name: str | None) -> Seat:
    if name not in w.state.seats:
        raise Illegal("name.unknown", read=name, kind="seat", candidates=[*w.state.seats])
    return Seat(str(name))


def _number(line: Given, key: str = "") -> int:
    return int(Fraction(line.amounts[key]))


def _turn(w: World, line: Given) -> None:
    w.set(turn=_number(line))


def _slot(w: World, line: Given) -> None:
    player = _player(w, line.who)
    w.set(place=w.state.order.index(player))
    for id_, country in list(w.countries.items()):
        w.change_country(id_, in_slot=country.player == player)


def _workers(w: World, line: Given) -> None:
    country, part = _country(w, line), any_part(w, line.squares[0])
    held = w.held(part, country)
    held = replace(held, crews=tuple(crew for crew in held.crews if crew.kind != "worker"))
    w.set_held(part, country, joined(held, Crew(count=_number(line))))


def _goods(w: World, line: Given) -> None:
    country, part = _country(w, line), any_part(w, line.squares[0])
    held = w.held(part, country)
    for good, amount in line.items:
        held = replace(held, goods={id_: lots for id_, lots in held.goods.items() if id_ != good})
        held = put(held, good, Fraction(amount))
    w.set_held(part, country, held)


def _governor(w: World, line: Given) -> None:
    country = _country(w, line)
    for place in w.places_of(country):
        for crew in w.held(place, country).crews:
            if crew.kind == "governor":
                w.leave(place, country, crew)
    w.join(any_part(w, line.squares[0]), country, Crew(kind="governor"))
    w.change_country(country, abroad=False)


def _ambassador(w: World, line: Given) -> None:
    count = _number(line) if "" in line.amounts else 1
    w.join(any_part(w, line.squares[0]), _country(w, line), Crew(kind="ambassador", count=count))


def _unit(w: World, line: Given) -> None:
    id_ = str(line.unit)
    kind = w.tables.codes.get(id_[:3])
    if kind is None:
        raise Illegal("name.unknown", read=id_, kind="kind", candidates=[*w.tables.codes])
    at_sea = w.tables.kinds[kind].class_ == "ship" or kind == "barge"
    at = water_part(w, line.squares[0]) if at_sea else any_part(w, line.squares[0])
    state = line.state if line.state not in (None, "consumed") else ("sea" if at_sea else "ground")
    number = int(id_[3:])
    w.set(numbers={**w.state.numbers, kind: max(number, w.state.numbers.get(kind, 0))})
    dived = "" if state != "dived" else w.now
    unit = Unit(id=id_, kind=kind, owner=_country(w, line), at=at, state=str(state), dived=dived)
    w.put_unit(replace(unit, consumed=line.state == "consumed"))


def _aboard(w: World, line: Given) -> None:
    carrier = _named_unit(w, line)
    for what, amount in line.items:
        if what in w.units:
            w.change(what, aboard=carrier.id, at=carrier.at, towed=w.units[what].kind in w.kind(carrier).tows)
        elif what in PEOPLE:
            w.join(carrier.id, carrier.owner, Crew(kind=what, count=int(Fraction(amount))))
        else:
            w.put_goods(carrier.id, carrier.owner, what, Fraction(amount))


def _named_unit(w: World, line: Given) -> Unit:
    if line.unit not in w.units:
        raise Illegal("unit.absent", unit=line.unit, at="")
    return w.units[str(line.unit)]


def _used(w: World, line: Given) -> None:
    w.change(_named_unit(w, line).id, used=Fraction(line.amounts[""]))


def _used_workers(w: World, line: Given) -> None:
    country, part = _country(w, line), any_part(w, line.squares[0])
    count = _number(line, "count")
    crews = chosen(w.held(part, country), count, "worker")
    if sum(crew.count for crew in crews) < count:
        raise Illegal("workers.short", square=part, has=w.held(part, country).workers, needs=count)
    for crew in crews:
        w.leave(part, country, crew)
        w.join(part, country, replace(crew, used=Fraction(line.amounts[""])))


def _steps(w: World, line: Given) -> None:
    w.change(_named_unit(w, line).id, steps=_number(line))


def _damaged(w: World, line: Given) -> None:
    part, what = land_part(w, line.squares[0]), str(line.kind)
    found = w.part(part)
    if what in w.tables.factories:
        factories = tuple(replace(f, state="damaged") if f.kind == what else f for f in found.factories)
        w.change_part(part, factories=factories)
    elif what in ("AA", "naval_gun"):
        w.change_part(part, guns=tuple(replace(g, damaged=True) if g.kind == what else g for g in found.guns))
    elif what in ("fort", "pillbox"):
        forts = {side: replace(f, damaged=True) if f.kind == what else f for side, f in found.forts.items()}
        w.change_part(part, forts=forts)
    else:
        w.change_part(part, hurt=(*found.hurt, what))


def _capital(w: World, line: Given) -> None:
    part = land_part(w, line.squares[0])
    w.change_part(part, city=True, site=True)
    w.change_country(_country(w, line), capital=part)


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
    work = Work(id=w.state.works, what="build", item=item, needs=needs, done=_number(line), begun=True)
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
    for one, other in zip(line.squares, line.squares[1:], strict=False):
        if square_of(other) not in w.map.around(square_of(one)):
            raise Illegal("way.none", what=line.what, square=one, to=other, why="not_adjacent")
        lines = w.border(one, other).lines
        w.change_border(one, other, [*lines, line.what])


def _fort(w: World, line: Given) -> None:
    part = land_part(w, line.squares[0])
    w.change_part(part, forts={**w.part(part).forts, str(line.facing): Fort(kind=line.what)})
    if line.who is not None:
        w.join(part, _country(w, line), Crew(tasks=(f"fort {line.facing}",)))


def _installed(w: World, line: Given) -> None:
    part = land_part(w, line.squares[0])
    w.change_part(part, guns=(*w.part(part).guns, Gun(kind=str(line.kind))))
    if line.who is not None:
        w.join(part, _country(w, line), Crew(tasks=(str(line.kind),)))


def _developing(w: World, line: Given) -> None:
    country, kind = _country(w, line), str(line.kind)
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
    country, part = _country(w, line), land_part(w, line.squares[0])
    _set_task(w, country, part, "farm")
    w.change_part(part, farm=country, farmed=line.state == "done")


def _field(name: str) -> _Setter:
    def setter(w: World, line: Given) -> None:
        w.change_country(_country(w, line), **{name: _number(line)})

    return setter


def _debt(w: World, line: Given) -> None:
    country = _country(w, line)
    w.change_country(country, debts={**w.country(country).debts, str(line.kind): Fraction(line.amounts[""])})


def _exchange(w: World, line: Given) -> None:
    country = _country(w, line)
    rest = tuple(each for each in w.country(country).exchange if each[0] != line.other)
    w.change_country(country, exchange=(*rest, (str(line.other), _number(line))))


def _inflation(w: World, line: Given) -> None:
    w.change_country(_country(w, line), inflation=True)


def _friendly(w: World, line: Given) -> None:
    country = _country(w, line)
    other = str(line.other)
    player = w.player(other) if other in w.countries else _player(w, other)
    for id_ in w.countries_of(w.player(country) or Seat("")):
        w.change_country(id_, friendly={**w.country(id_).friendly, str(player): tuple(map(square_of, line.squares))})


def _further(w: World, line: Given) -> None:
    player = _player(w, line.other)
    rank = len(w.countries_of(player))
    w.countries[str(line.who)] = Country(player=player, abroad=True, rank=rank, in_slot=w.state.active == player)


def _wind(w: World, line: Given) -> None:
    w.set(wind=str(w.tables.dice["wind"][str(_number(line))]))


def _capture(w: World, line: Given) -> None:
    w.change_country(_country(w, line), capture=line.amounts[""])


def _booked(w: World, line: Given) -> None:
    country = _country(w, line)
    w.change_country(country, **{f"booked_{word}": int(amount) for word, amount in line.amounts.items()})


def _births(w: World, line: Given) -> None:
    part = land_part(w, line.squares[0])
    for id_, country in list(w.countries.items()):
        kept = tuple(each for each in country.births_off if each != part)
        w.change_country(id_, births_off=(*kept, part) if line.state == "off" else kept)


def _serpent(w: World, line: Given) -> None:
    state = {"surfaced": "sea", "dived": "dived", "asleep": "stored"}.get(line.state or "surfaced", "sea")
    w.new_unit("sea_serpent", "", water_part(w, line.squares[0]), state=state)


def _pirate(w: World, line: Given) -> None:
    player = _player(w, line.who)
    at = water_part(w, line.squares[0])
    w.countries["pirate"] = Country(player=player, rank=len(w.countries_of(player)), in_slot=w.state.active == player)
    w.set(pirate="pirate")
    ship = w.new_unit("super_cargo_ship", "pirate", at, state="sea")
    sac = w.new_unit("super_sac", "pirate", at)
    w.change(sac.id, aboard=ship.id)
    w.put_goods(ship.id, "pirate", "food", w.tables.pirate_kit["food"])
    w.join(ship.id, "pirate", Crew(kind="governor"))
    w.join(ship.id, "pirate", Crew())


_SETTERS: Mapping[str, _Setter] = {
    "turn": _turn,
    "slot": _slot,
    "workers": _workers,
    "goods": _goods,
    "governor": _governor,
    "ambassador": _ambassador,
    "unit": _unit,
    "aboard": _aboard,
    "used": _used,
    "used_workers": _used_workers,
    "steps": _steps,
    "damaged": _damaged,
    "capital": _capital,
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
    "confidence": _field("confidence"),
    "fund": _field("fund"),
    "tax": _field("tax"),
    "edu": _field("edu"),
    "investment": _field("investment"),
    "debt": _debt,
    "exchange": _exchange,
    "inflation": _inflation,
    "friendly": _friendly,
    "country": _further,
    "wind": _wind,
    "capture": _capture,
    "booked": _booked,
    "births": _births,
    "serpent": _serpent,
    "pirate": _pirate,
}
