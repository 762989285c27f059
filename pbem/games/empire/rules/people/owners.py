"""What passes from one country to another."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from msgspec.structs import replace

from pbem.core.seat import Seat
from pbem.games.empire.geography.grid import square_of
from pbem.games.empire.rules.ground.sides import LAND, controls
from pbem.games.empire.rules.held import Crew
from pbem.games.empire.rules.pieces import tasks
from pbem.games.empire.rules.pieces.becoming import enlist
from pbem.games.empire.rules.pieces.losing import governor_died
from pbem.games.empire.rules.state import Unit
from pbem.games.empire.rules.world import World


def pass_unit(w: World, id_: str, to: str, *, with_load: bool) -> None:
    """A unit to another country; with all aboard that was its owner's, or without (E2.7, E5.5)."""
    unit = w.units[id_]
    old = unit.owner
    _stop_developing(w, unit)
    w.change(id_, owner=to, tasks=(), came=(), retreated=False)
    enlist(w, old, [], [id_])
    if not with_load:
        return
    for other in w.aboard(id_):
        if other.owner == old:
            pass_unit(w, other.id, to, with_load=True)
    held = w.held(id_, old)
    captured = w.player(old) != w.player(to)
    for crew in held.crews:
        if captured or crew.kind != "governor":  # who founds a country keeps his governor, wherever he is
            pass_crew(w, id_, old, to, crew)
    if captured and held.people("governor"):
        governor_died(w, old)
    for good in held.goods:
        pass_goods(w, id_, old, to, good)


def _stop_developing(w: World, unit: Unit) -> None:
    for name in w.map.squares[square_of(unit.at)].water:
        marks = w.part(name).marks
        mine = {kind: replace(mark, by=None, ship=None) for kind, mark in marks.items() if mark.ship == unit.id}
        if mine:
            w.change_part(name, marks={**marks, **mine})


def pass_crew(w: World, place: str, old: str, to: str, crew: Crew) -> None:
    """People in a part or aboard a unit; their tasks end, what they have used stays used. A governor is another one's
    ambassador.
    """
    w.leave(place, old, crew)
    tasks.ended(w, old, place, crew)
    kind = "ambassador" if crew.kind == "governor" else crew.kind
    w.join(place, to, replace(crew, kind=kind, tasks=(), stayed=False))


def pass_goods(w: World, place: str, old: str, to: str, good: str, amount: Fraction | int | None = None) -> None:
    """So much of a pile, or all of it; it must be there."""
    much = w.held(place, old).amount(good) if amount is None else amount
    if much:
        w.put_lots(place, to, good, w.take_goods(place, old, good, much))


def is_present(w: World, countries: Sequence[str], part: str) -> bool:
    """Has one of them a worker, land unit, ship, vehicle or city there (E5.6)?"""
    if any(w.held(part, country).workers for country in countries):
        return True
    if w.part(part).city and any(controls(w, country, part) for country in countries):
        return True
    return any(u.owner in countries and _counts(w, u, part) for u in w.in_square(square_of(part)))


def _counts(w: World, unit: Unit, part: str) -> bool:
    """A ship is in the same square as every land part of its square (R-1)."""
    class_ = w.kind(unit).class_
    if class_ in ("ship", "towed"):
        return unit.at in w.map.water or unit.at == part
    return class_ in (*LAND, "vehicle") and (unit.at == part or part in w.map.water)


def country_named(w: World, name: str) -> str | None:
    """The country of that name, else the first one of the player of that name."""
    if name in w.countries and w.country(name).player is not None:
        return name
    return next(iter(w.countries_of(Seat(name))), None)
