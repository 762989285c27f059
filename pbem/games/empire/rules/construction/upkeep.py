"""Orders to install, man, repair and scrap (E8.8 to E8.10, E14.2)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from pbem.core.refusal import Illegal
from pbem.core.seat import Seat
from pbem.games.empire.geography.grid import square_of
from pbem.games.empire.rules.construction import finishing, works
from pbem.games.empire.rules.construction.grounds import has_canal
from pbem.games.empire.rules.ground.who import land_part, unit_of
from pbem.games.empire.rules.orders import Deinstall, Install, Man, Repair, Scrap
from pbem.games.empire.rules.people.working import (
    at_task,
    check_control,
    country_at,
    country_of_builders,
    site_of_builders,
    take_task,
)
from pbem.games.empire.rules.tables import Construction
from pbem.games.empire.rules.world import World

GUNS: Mapping[str, str] = {"AA": "aa_gun", "naval_gun": "naval_gun"}


def install(w: World, player: Seat, order: Install) -> None:
    part = land_part(w, order.at)
    country = country_of_builders(w, player, order, part)
    check_control(w, country, part)
    gun = GUNS[order.what]
    if w.held(part, country).amount(gun) < 1:
        raise Illegal("goods.short", where=part, has="0", good=gun, needs="1")
    row = w.tables.economy["install"]
    works.use_materials(w, country, part, _economy(row, {gun: 1}), "")
    work = works.new(w, "install", order.what, 1)
    works.join(w, country, part, work, 1)
    w.note("builds", country, item=order.what, at=part)


def _economy(row: Mapping[str, object], more: Mapping[str, int] | None = None) -> Construction:
    inputs = {**(more or {})}
    for good, much in dict(row.get("from", {})).items():  # type: ignore[call-overload]
        inputs[good] = int(much)
    return Construction(inputs=inputs, cost=0, edu=0)


def deinstall(w: World, player: Seat, order: Deinstall) -> None:
    part = land_part(w, order.at)
    country = country_of_builders(w, player, order, part)
    check_control(w, country, part)
    index = next(
        (i for i, gun in enumerate(w.part(part).guns) if gun.kind == order.what and not _busy(w, part, "deinstall", i)),
        None,
    )
    if index is None:
        raise Illegal("factory.absent", factory=order.what, square=part)
    works.join(w, country, part, works.new(w, "deinstall", order.what, 1, index=index), 1)
    w.note("builds", country, item=order.what, at=part)


def _busy(w: World, part: str, what: str, index: int, line: tuple[str, ...] = ()) -> bool:
    return any((work.what, work.index, work.squares) == (what, index, line) for work in w.part(part).works)


def repair(w: World, player: Seat, order: Repair) -> None:
    """What is damaged, over the end, with 1 Bm (E8.10); a ship in a dock needs no cmx (E14.2)."""
    if order.at is None or order.what in w.units or order.what[:3] in w.tables.codes:
        _repair_ship(w, player, order)
        return
    squares = tuple(name for name in (order.at, order.to) if name)
    joins = order.what == "mountain_road"
    part = site_of_builders(w, player, order, squares) if joins else land_part(w, squares[0])
    country = country_of_builders(w, player, order, part)
    check_control(w, country, part)
    line = _damaged_line(w, order.what, [square_of(name) for name in squares]) if joins else ()
    kept = finishing.kept_at(w, part, order.what)
    index = -1 if line else _damaged(w, kept, order.what) if order.to is None else None
    if index is None and not _stands(w, kept, squares, order.what):
        raise Illegal("factory.absent", factory=order.what, square=part)
    if index is None or _busy(w, part, "repair", index, line):
        raise Illegal("build.exists", item=order.what, square=part)
    works.use_materials(w, country, part, _economy(w.tables.economy["repair"]), "")
    works.join(w, country, part, works.new(w, "repair", order.what, 1, index=index, squares=line), 1)
    w.note("builds", country, item=order.what, at=part)


def _damaged_line(w: World, what: str, squares: Sequence[str]) -> tuple[str, ...]:
    """Between the two squares that are named, or on a border of the one; none: the empty tuple."""
    pairs = [tuple(squares)] if len(squares) > 1 else [(one, other) for one in squares for other in w.map.around(one)]
    return next((pair for pair in pairs if what in w.border(*pair).hurt), ())


def _stands(w: World, part: str, squares: Sequence[str], what: str) -> bool:
    """Is there one at all?"""
    found, (one, *others) = w.part(part), [square_of(name) for name in squares]
    on_borders = (w.border(one, other).standing for other in others or w.map.around(one))
    kinds = {*found.items, *(factory.kind for factory in found.factories), *(gun.kind for gun in found.guns)}
    kinds |= {fort.kind for fort in found.forts.values()}
    return what in kinds or any(what in standing for standing in on_borders)


def _damaged(w: World, part: str, what: str) -> int | None:
    found = w.part(part)
    if what in w.tables.factories:
        begun = any(x.what == "build" and x.item == what and x.damaged for x in found.works)
        found_at = [i for i, f in enumerate(found.factories) if f.kind == what and f.state == "damaged"]
        return found_at[0] if found_at else finishing.UNFINISHED if begun else None
    if what in GUNS:
        return next((i for i, gun in enumerate(found.guns) if gun.kind == what and (gun.damaged or gun.steps)), None)
    if what in ("fort", "pillbox"):
        return next((i for i, (_, f) in enumerate(found.forts.items()) if f.damaged and f.kind == what), None)
    return 0 if what in found.hurt else None


def _repair_ship(w: World, player: Seat, order: Repair) -> None:
    ship = unit_of(w, player, order.what, order.at)
    lands = w.map.squares[square_of(ship.at)].land
    if ship.state != "docked":
        raise Illegal("load.place", ship=ship.id, why="no_dock")
    land = next((each for each in lands if w.held(each, ship.owner).workers), lands[0])
    if not ship.steps:
        raise Illegal("build.exists", item=ship.id, square=square_of(ship.at))
    works.use_materials(w, ship.owner, land, _economy(w.tables.economy["repair"]), "")
    work = works.new(w, "repair", ship.id, 1, ship=ship.id)
    works.join(w, ship.owner, land, work, 0)
    w.note("builds", ship.owner, item=ship.id, at=land)


def scrap(w: World, player: Seat, order: Scrap) -> None:
    part = land_part(w, order.at)
    country = country_of_builders(w, player, order, part)
    check_control(w, country, part)
    found = [i for i, f in enumerate(w.part(part).factories) if f.kind == order.what and not _busy(w, part, "scrap", i)]
    if not found:
        raise Illegal("factory.absent", factory=order.what, square=part)
    works.join(w, country, part, works.new(w, "scrap", order.what, 1, index=found[0]), 1)
    w.note("builds", country, item=order.what, at=part)


def man(w: World, player: Seat, order: Man) -> None:
    part = land_part(w, order.at)
    country = country_at(w, player, order, part)
    task = order.what
    if task == "fort":
        free = [side for side, fort in w.part(part).forts.items() if fort.kind == "fort" and not _manned(w, part, side)]
        if not free:
            stands = any(fort.kind == "fort" for fort in w.part(part).forts.values())
            raise Illegal("build.exists" if stands else "factory.absent", item="fort", factory="fort", square=part)
        task = f"fort {free[0]}"
    elif task in GUNS:
        _check_free_gun(w, part, task)
    elif task == "canal" and not has_canal(w, square_of(part)):
        raise Illegal("factory.absent", factory=task, square=part)
    take_task(w, country, part, task)
    w.note("manned", country, what=order.what, at=part)


def _check_free_gun(w: World, part: str, task: str) -> None:
    """One that nobody mans. Raises `Illegal`."""
    guns = sum(gun.kind == task for gun in w.part(part).guns)
    if not guns:
        raise Illegal("factory.absent", factory=task, square=part)
    if sum(at_task(w, country, part, task) for country in w.part(part).held) >= guns:
        raise Illegal("build.exists", item=task, square=part)


def _manned(w: World, part: str, side: str) -> bool:
    return any(at_task(w, country, part, f"fort {side}") for country in w.part(part).held)
