"""Given people, goods and units."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction

from msgspec.structs import replace

from pbem.core.refusal import Illegal
from pbem.games.empire.rules.given.named import country_of, dry, good_of, named_unit, number_of, player_of, whole
from pbem.games.empire.rules.ground.who import any_part, water_part
from pbem.games.empire.rules.held import Crew, chosen, joined, put
from pbem.games.empire.rules.movement import hoisting
from pbem.games.empire.rules.orders import Given
from pbem.games.empire.rules.pieces.carrying import PEOPLE
from pbem.games.empire.rules.pieces.naval_table import swims
from pbem.games.empire.rules.sea.waters import place_of
from pbem.games.empire.rules.state import Country, Unit
from pbem.games.empire.rules.world import World


def _workers(w: World, line: Given) -> None:
    country, part = country_of(w, line), dry(w, "worker", line.squares[0])
    held = w.held(part, country)
    held = replace(held, crews=tuple(crew for crew in held.crews if crew.kind != "worker"))
    w.set_held(part, country, joined(held, Crew(count=number_of(line))))


def _goods(w: World, line: Given) -> None:
    country, part = country_of(w, line), dry(w, line.items[0][0], line.squares[0])
    held = w.held(part, country)
    for good, amount in line.items:
        good_of(w, good)
        held = replace(held, goods={id_: lots for id_, lots in held.goods.items() if id_ != good})
        held = put(held, good, Fraction(amount))
    w.set_held(part, country, held)


def _governor(w: World, line: Given) -> None:
    country = country_of(w, line)
    for place in w.places_of(country):
        for crew in w.held(place, country).crews:
            if crew.kind == "governor":
                w.leave(place, country, crew)
    w.join(dry(w, "governor", line.squares[0]), country, Crew(kind="governor"))
    w.change_country(country, abroad=False)


def _ambassador(w: World, line: Given) -> None:
    count = number_of(line) if "" in line.amounts else 1
    w.join(dry(w, "ambassador", line.squares[0]), country_of(w, line), Crew(kind="ambassador", count=count))


def _unit(w: World, line: Given) -> None:
    id_ = str(line.unit)
    kind = w.tables.codes.get(id_[:3])
    if kind is None:
        raise Illegal("name.unknown", read=id_, kind="kind", candidates=[*w.tables.codes])
    at_sea = swims(w, kind)
    at = place_of(w, kind, line.squares[0]) if at_sea else any_part(w, line.squares[0])
    state = line.state if line.state not in (None, "consumed") else ("sea" if at_sea else "ground")
    number = int(id_[3:])
    w.set(numbers={**w.state.numbers, kind: max(number, w.state.numbers.get(kind, 0))})
    dived = "" if state != "dived" else w.now
    unit = Unit(id=id_, kind=kind, owner=country_of(w, line), at=at, state=str(state), dived=dived)
    w.put_unit(replace(unit, consumed=line.state == "consumed"))


def _aboard(w: World, line: Given) -> None:
    carrier = named_unit(w, line)
    for what, amount in line.items:
        if what in w.units and what != carrier.id:
            unit, towed = w.units[what], w.units[what].kind in w.kind(carrier).tows
            state = hoisting.ABOARD if swims(w, unit.kind) and not towed else unit.state
            w.change(what, aboard=carrier.id, at=carrier.at, towed=towed, state=state)
        elif what in PEOPLE:
            w.join(carrier.id, carrier.owner, Crew(kind=what, count=whole(amount)))
        else:
            w.put_goods(carrier.id, carrier.owner, good_of(w, what), Fraction(amount))


def _used(w: World, line: Given) -> None:
    w.change(named_unit(w, line).id, used=Fraction(line.amounts[""]))


def _used_workers(w: World, line: Given) -> None:
    country, part = country_of(w, line), any_part(w, line.squares[0])
    count = number_of(line, "count")
    crews = chosen(w.held(part, country), count, "worker")
    if sum(crew.count for crew in crews) < count:
        raise Illegal("workers.short", square=part, has=w.held(part, country).workers, needs=count)
    for crew in crews:
        w.leave(part, country, crew)
        w.join(part, country, replace(crew, used=Fraction(line.amounts[""])))


def _steps(w: World, line: Given) -> None:
    w.change(named_unit(w, line).id, steps=number_of(line))


def _serpent(w: World, line: Given) -> None:
    state = {"surfaced": "sea", "dived": "dived", "asleep": "stored"}.get(line.state or "surfaced", "sea")
    w.new_unit("sea_serpent", "", water_part(w, line.squares[0]), state=state)


def _pirate(w: World, line: Given) -> None:
    player = player_of(w, line.who)
    at = water_part(w, line.squares[0])
    w.countries["pirate"] = Country(player=player, rank=len(w.countries_of(player)), in_slot=w.state.active == player)
    w.set(pirate="pirate")
    ship = w.new_unit("super_cargo_ship", "pirate", at, state="sea")
    sac = w.new_unit("super_sac", "pirate", at)
    w.change(sac.id, aboard=ship.id)
    w.put_goods(ship.id, "pirate", "food", w.tables.pirate_kit["food"])
    w.join(ship.id, "pirate", Crew(kind="governor"))
    w.join(ship.id, "pirate", Crew())


PIECES: Mapping[str, Callable[[World, Given], None]] = {
    "workers": _workers,
    "goods": _goods,
    "governor": _governor,
    "ambassador": _ambassador,
    "unit": _unit,
    "aboard": _aboard,
    "used": _used,
    "used_workers": _used_workers,
    "steps": _steps,
    "serpent": _serpent,
    "pirate": _pirate,
}
