"""What fits aboard what, in objects (E2.3, E2.4), and what a mover takes along."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from typing import TypeAlias

from pbem.core.refusal import Illegal
from pbem.games.empire.rules.held import OFFICIALS
from pbem.games.empire.rules.state import Unit
from pbem.games.empire.rules.world import World

Load: TypeAlias = Mapping[str, Fraction]  # how much of each kind and good
PEOPLE = ("worker", *OFFICIALS)
AIR = ("fighter", "tac")


def size(w: World, what: str) -> Fraction:
    """In objects."""
    if what in w.tables.goods:
        return w.tables.goods[what].size
    kind = w.tables.kinds[what]
    is_land = kind.class_ == "land" or (kind.class_ == "people" and kind.code is not None)
    return w.tables.land_unit_size if is_land else Fraction(1)


def is_military(w: World, what: str) -> bool:
    if what not in w.tables.kinds:
        return False
    kind = w.tables.kinds[what]
    return kind.class_ == "land" or kind.military or (kind.class_ == "people" and kind.code is not None)


def aboard(w: World, carrier: Unit) -> dict[str, Fraction]:
    """All that a unit carries; what it tows is not aboard."""
    load: dict[str, Fraction] = {}
    for held in carrier.holds.values():
        for good in held.goods:
            load[good] = load.get(good, Fraction(0)) + held.amount(good)
        for crew in held.crews:
            load[crew.kind] = load.get(crew.kind, Fraction(0)) + crew.count
    for unit in w.aboard(carrier.id):
        if not unit.towed:
            load[unit.kind] = load.get(unit.kind, Fraction(0)) + 1
    return load


def added(load: Load, more: Iterable[tuple[str, Fraction]]) -> dict[str, Fraction]:
    total = dict(load)
    for what, amount in more:
        total[what] = total.get(what, Fraction(0)) + amount
    return total


def check_fits(w: World, carrier: str, name: str, load: Load, adding: Load, times: int = 1) -> None:
    """Raises `Illegal` (`carry.barred`, `carry.full`) unless so many carriers of a kind hold all that."""
    kind = w.tables.kinds[carrier]
    for what in adding:
        if not _may_hold(w, carrier, what):
            raise Illegal("carry.barred", carrier=name, what=what)
    total = added(load, adding.items())
    if "objects" in kind.holds:
        room = kind.holds["objects"]
        _check_room(name, room, sum((size(w, what) * much for what, much in total.items()), Fraction(0)), times)
    elif "one_of" in kind.holds:
        _check_room(name, 1, sum(total.values(), Fraction(0)), times)
    else:
        for key, room in kind.holds.items():
            _check_room(name, room, _counted(w, key, total), times)


def _check_room(name: str, room: int | str, needs: Fraction, times: int) -> None:
    if room != "infinite" and needs > int(room) * times:
        raise Illegal("carry.full", carrier=name, room=int(room) * times, needs=str(needs))


def _may_hold(w: World, carrier: str, what: str) -> bool:
    kind = w.tables.kinds[carrier]
    military = is_military(w, what)
    if kind.military_only and military:
        return what == kind.military_only
    if military and kind.no_military:
        return False
    if "objects" in kind.holds:
        return what not in w.tables.kinds or _is_portable(w, carrier, what)
    if "one_of" in kind.holds:
        return what in kind.holds["one_of"]
    return any(_belongs(key, what) for key in kind.holds)


def _is_portable(w: World, carrier: str, what: str) -> bool:
    """Workers carry objects, no people; ships carry no ships, but for the Pirate's, which holds anything (E18.2)."""
    found, by = w.tables.kinds[what], w.tables.kinds[carrier]
    if by.holds["objects"] == "infinite":
        return what not in (carrier, "sea_serpent")
    if by.class_ == "people":
        return found.class_ in ("vehicle", "air")
    if what in ("rolling_stock", "barge"):
        return what == "rolling_stock"
    return found.class_ in ("people", "land", "vehicle", "air") or what == "raft"


def _belongs(key: str, what: str) -> bool:
    return what == key or (key == "officials" and what in OFFICIALS) or (key == "air_units" and what in AIR)


def _counted(w: World, key: str, total: Load) -> Fraction:
    return sum(
        (much * (w.tables.kinds[what].units if key == "air_units" else 1) for what, much in total.items()
         if _belongs(key, what)),
        Fraction(0),
    )  # fmt: skip


def share(w: World, carrier: str, what: str, amount: Fraction) -> Fraction:
    """Of the capacity of a kind for goods, or for vehicles."""
    holds = w.tables.kinds[carrier].holds
    if what in holds:
        return amount / int(holds[what])
    room = holds.get("objects", "infinite")
    return Fraction(0) if room == "infinite" else size(w, what) * amount / int(room)


def loading_units(w: World, what: str, amount: Fraction) -> int:
    """Units for loading (E10.2): objects, or begun fives of food, fours of bombs."""
    each = size(w, what)
    return -((-amount) // int(1 / each)) if each < 1 else -((-amount) // 1)


def names(units: Sequence[Unit]) -> list[str]:
    return [unit.id for unit in units]
