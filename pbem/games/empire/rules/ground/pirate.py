"""The Pirate: where he is, who sees him, and how he comes to sea (E18.1 to E18.7)."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from msgspec import to_builtins
from msgspec.structs import replace

from pbem.core.chance import Withheld
from pbem.core.seat import Seat, Sight, Viewer
from pbem.games.empire.geography.grid import map_order, square_of
from pbem.games.empire.rules.events import Changed, Event, Veiled
from pbem.games.empire.rules.held import Crew
from pbem.games.empire.rules.orders import Act
from pbem.games.empire.rules.state import Country, State, Unit
from pbem.games.empire.rules.world import World

SHIP = "super_cargo_ship"
COUNTRY = "pirate"
BOT = Seat("pirate")  # who plays him where nobody does
SIGHTINGS = ("pirate_sighted", "pirate_passed")  # notes, each to who sees him
FAR = 4  # squares from every ship and shore (E18.1)


def ship(w: World) -> Unit | None:
    """The super-cargo ship, if it is afloat."""
    if w.state.pirate is None:
        return None
    return next((unit for unit in w.units_of(w.state.pirate) if unit.kind == SHIP), None)


def player(w: World) -> Seat | None:
    return w.player(w.state.pirate) if w.state.pirate is not None else None


def is_bots(w: World) -> bool:
    """Is there a Pirate whose slots nobody plays?"""
    return player(w) is not None and player(w) not in w.state.seats


def is_known_to(w: World, viewer: Viewer) -> bool:
    """May they see all of his: his player, the adjudicator, everybody when it is over (E18.7)?"""
    return viewer is Sight.ALL or w.state.phase == "over" or (viewer is not None and viewer == player(w))


# -- who sees him ---


def sighted_by(w: World, viewer: Viewer, without: Collection[str] = ()) -> bool:
    """Do they see his ship now (E18.3)? `without`: by other means than these units."""
    found = ship(w)
    if found is None or found.state == "beached" or is_known_to(w, viewer):
        return True
    if not isinstance(viewer, str):
        return False
    if isinstance(w.chance, Withheld):  # what is only tried finds nobody who has not been found
        return _line(w, square_of(found.at)) in w.state.sightings.get(Seat(viewer), ())
    return has_eyes(w, Seat(viewer), square_of(found.at), without)


def has_eyes(w: World, seat: Seat, square: str, without: Collection[str] = ()) -> bool:
    """Have they anybody, or anything that moves by itself, in the square or over it?"""
    mine = w.countries_of(seat)
    for unit in w.in_square(square):
        if unit.id in without or unit.aboard in without:
            continue
        if unit.owner in mine or any(unit.holds[each].people() for each in unit.holds if each in mine):
            return True
    land = w.map.squares[square].land
    return any(w.part(part).held[each].people() for part in land for each in w.part(part).held if each in mine)


def is_in_ship(w: World, unit: Unit) -> bool:
    """Is it his ship, or in it?"""
    if w.state.pirate is None:
        return False
    while unit.aboard is not None:
        unit = w.units[unit.aboard]
    return unit.kind == SHIP


def hides(w: World, thing: Unit | str, viewer: Viewer) -> bool:
    """Is that unit, or that country with its records, not there for them? Who sees the ship does not see into it."""
    if w.state.pirate is None:
        return False
    if isinstance(thing, str):
        return thing == w.state.pirate and player(w) is not None and not is_known_to(w, viewer)
    if not is_in_ship(w, thing) or is_known_to(w, viewer):
        return False
    return thing.kind != SHIP or not sighted_by(w, viewer)


def is_unseen(w: World, unit: Unit, country: str, without: Collection[str] = ()) -> bool:
    """Is a unit not there towards a country, whose owner does not see it?"""
    return is_in_ship(w, unit) and not sighted_by(w, w.player(country), without)


# -- what is told ---


@contextmanager
def told_to(w: World, *seats: Seat | None) -> Iterator[None]:
    """What is noted meanwhile learn only these, and his player."""
    before = w.only
    w.only = tuple(dict.fromkeys(seat for seat in (*seats, player(w)) if seat is not None))
    try:
        yield
    finally:
        w.only = before


@contextmanager
def told_to_all(w: World) -> Iterator[None]:
    before = w.only
    w.only = None
    try:
        yield
    finally:
        w.only = before


@contextmanager
def about(w: World, units: Sequence[Unit], *countries: str) -> Iterator[None]:
    """What is noted of a fight in which one of these is his ship learn only the parties."""
    if any(is_in_ship(w, unit) for unit in units if unit.id in w.units):
        with told_to(w, *(w.player(country) for country in countries)):
            yield
    else:
        yield


@contextmanager
def of(w: World, country: str) -> Iterator[None]:
    """What is noted of his country learns nobody but his player."""
    if country == w.state.pirate:
        with told_to(w):
            yield
    else:
        yield


def seal(w: World, seat: Seat, order: Act) -> None:
    """Of an order of his that names his ship, or what is in it, learns nobody but his player what is noted.

    Whoever else names it has seen it: what they have ordered, they and he alone learn.
    """
    if not any(is_in_ship(w, w.units[name]) for name in _words(to_builtins(order)) if name in w.units):
        return
    if seat == player(w):
        w.only = (seat,)
    elif not sighted_by(w, None):
        w.private = (seat, *_his(w))


def _words(value: Any) -> Iterator[str]:
    """Every text in an order."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for each in value.values():
            yield from _words(each)
    elif isinstance(value, list | tuple):
        for each in value:
            yield from _words(each)


def _his(w: World) -> tuple[str, ...]:
    seat = player(w)
    return (seat,) if seat is not None else ()


# -- what is told, and what not, of a change ---

_Parts = dict[tuple[str, ...], dict[str, Any]]  # of a change, by who alone may know


def closed(w: World, before: State, *, can_undo: bool = False, conceals: bool = False) -> list[Event]:
    """What happened, with the change; each part of it that not all may know apart.

    What all learn is the same whether there are such parts or not. `conceals`: whoever may not know what is another of
    the Pirate's does not learn the order either.
    """
    *told, change = w.close(can_undo=can_undo and (w.only is None or not w.is_revealed))
    assert isinstance(change, Changed), "it comes last"
    why = w.lasting or ("revealed" if w.is_revealed else "nothing")
    if w.only is not None:
        return [*told, replace(change, why=why), Veiled(only=w.only, order=True)]
    to, hidden = _parted(w, before, change.to)
    asked: list[Event] = []
    if "hanging" in to and (knows := _know_what_hangs(w, before)) is not None:  # before the change: see `apply`
        asked = [Changed(to={"hanging": to.pop("hanging")}, why="asked", only=knows)]
    parts = [Changed(to=part, why=why, only=knows) for knows, part in hidden.items()]
    veils = [Veiled(only=knows, draws=places) for knows, places in w.veiled.items()]
    private = w.private or (_his(w) if conceals and _his(w) in hidden else None)
    if private is not None:
        veils.append(Veiled(only=private, order=True))
    return [*told, *asked, replace(change, to=to), *parts, *veils]


def _know_what_hangs(w: World, before: State) -> tuple[str, ...] | None:
    """Who may know of the order that waits for an answer; None: everybody."""
    hanging = [each for each in (before.hanging, w.state.hanging) if each is not None]
    if w.private is None and not any(each.is_secret for each in hanging):
        return None
    return tuple(dict.fromkeys(str(seat) for each in hanging for seat in (each.seat, each.question.seat)))


def _parted(w: World, before: State, to: Mapping[str, Any]) -> tuple[dict[str, Any], _Parts]:
    """What everybody may see of a change, and what not."""
    secrets = _secrets(w, before)
    open_: dict[str, Any] = {}
    hidden: _Parts = {}
    for name, changes in to.items():
        if name not in secrets:
            open_[name] = changes
            continue
        for key, value in changes.items():
            knows = secrets[name].get(key)
            part = open_ if knows is None else hidden.setdefault(knows, {})
            part.setdefault(name, {})[key] = value
    return open_, hidden


def _secrets(w: World, before: State) -> Mapping[str, Mapping[str, tuple[str, ...]]]:
    """By table and key, who alone may know: of the Pirate's country, his ship and what is or was in it, of what stands
    for later, and of who has seen him."""
    his = _his(w)
    ships = {id_ for id_, unit in before.units.items() if unit.kind == SHIP}
    inside = {id_ for id_, unit in before.units.items() if id_ in ships or unit.aboard in ships}
    inside |= {id_ for id_, unit in w.units.items() if is_in_ship(w, unit)}
    kept = {**before.standing, **w.state.standing}
    return {
        "units": dict.fromkeys(inside, his),
        "countries": {w.state.pirate: his} if w.state.pirate is not None else {},
        "hup": {row: his for row in w.hup if row.startswith(f"{w.state.pirate} ")},
        "standing": {id_: (each.seat,) for id_, each in kept.items() if each.order.what != "protect"},
        "sightings": {seat: (seat,) for seat in w.state.sightings},
    }


# -- who is told ---


def sight(w: World, seat: Seat, square: str) -> None:
    """They learn where he is; it is noted for each slot, and told when it is news."""
    known, line = w.state.sightings.get(seat, ()), _line(w, square)
    if line in known or isinstance(w.chance, Withheld):
        return
    w.set(sightings={**w.state.sightings, seat: (*known, line)})
    w.is_revealed = True
    if w.state.active == player(w) or not known or not known[-1].endswith(f" {square}"):
        w.note("pirate_sighted", only=(seat,), slot=w.now, square=square)


def _line(w: World, square: str) -> str:
    return f"{w.now} {square}"


def look(w: World) -> None:
    """Whoever sees him as things stand is told so; called after every order."""
    found = ship(w)
    if found is None:
        return
    square = square_of(found.at)
    for seat in w.state.seats:
        if seat != player(w) and w.countries_of(seat) and sighted_by(w, seat):
            sight(w, seat, square)


def looked_at(w: World, square: str, seat: Seat | None) -> None:
    """Something of theirs is in that square on its way."""
    found = ship(w)
    if found is not None and square_of(found.at) == square and seat is not None and seat != player(w):
        sight(w, seat, square)


def announce(w: World, start: str, way: Sequence[str]) -> None:
    """He tells those whose squares he passes through that he does, with the squares before and after (E18.3)."""
    squares = [square_of(part) for part in (start, *way)]
    others = [seat for seat in w.state.seats if seat != player(w)]
    for place in range(1, len(squares) - 1):
        for seat in others:
            if has_eyes(w, seat, squares[place]):
                sight(w, seat, squares[place])
                w.note("pirate_passed", only=(seat,), slot=w.now, square=squares[place], before=squares[place - 1],
                       after=squares[place + 1])  # fmt: skip
    look(w)


# -- his coming ---


def end_of_turn(w: World) -> None:
    """At the end of game turn 3 he is at sea (A-14)."""
    if w.state.pirate is not None or w.options["pirate"] == "none" or w.state.turn != int(w.options["pirate_turn"]):
        return
    seat = BOT if w.options["pirate"] == "bot" else Seat(w.options["pirate"])
    with told_to(w, seat):
        put_to_sea(w, seat, _place(w))
    with told_to_all(w):
        w.note("pirate_at_sea")
    if seat in w.state.seats:
        w.set(order=(*(other for other in w.state.order if other != seat), seat))


def put_to_sea(w: World, seat: Seat, at: str) -> None:
    """His country with all it begins with."""
    kit = w.tables.pirate_kit
    w.countries[COUNTRY] = Country(player=seat, confidence=kit["confidence"], rank=len(w.countries_of(seat)))
    w.set(pirate=COUNTRY)
    found = w.new_unit(SHIP, COUNTRY, at, state="sea", made=w.now)
    for _ in range(kit["super_sac"]):
        sac = w.new_unit("super_sac", COUNTRY, at, made=w.now)
        w.change(sac.id, aboard=found.id)
    w.put_goods(found.id, COUNTRY, "food", kit["food"])
    w.join(found.id, COUNTRY, Crew(kind="governor", count=kit["governor"]))
    w.join(found.id, COUNTRY, Crew(count=kit["worker"]))


def _place(w: World) -> str:
    """A sea square by lot among those far from every ship and shore; any, where there is none."""
    sea = sorted((name for name, found in w.map.squares.items() if found.terrain == "sea"), key=map_order)
    near = {name for name, found in w.map.squares.items() if found.is_land}
    near |= {square_of(unit.at) for unit in w.units.values() if w.kind(unit).class_ == "ship"}
    for _ in range(FAR - 1):
        near |= {other for name in near for other in w.map.around(name)}
    far = [name for name in sea if name not in near] or sea
    square = far[w.pick(f"{w.now} pirate 1", len(far))]
    return w.map.squares[square].water[0]
