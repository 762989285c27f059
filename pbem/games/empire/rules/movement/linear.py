"""Lines across borders: a party passes over them in its slot (E8.5, E8.6)."""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from fractions import Fraction
from math import ceil

from msgspec.structs import replace

from pbem.core.refusal import Illegal
from pbem.core.seat import Seat
from pbem.games.empire.geography.grid import square_of
from pbem.games.empire.rules.construction import works
from pbem.games.empire.rules.ground.terrain import cost
from pbem.games.empire.rules.ground.ways import steps_from
from pbem.games.empire.rules.ground.who import known_square, land_part, unit_of
from pbem.games.empire.rules.held import taken
from pbem.games.empire.rules.movement import moving, sailing
from pbem.games.empire.rules.orders import Build, Move
from pbem.games.empire.rules.people.entering import may_enter
from pbem.games.empire.rules.people.planned import task_of
from pbem.games.empire.rules.people.working import country_at
from pbem.games.empire.rules.tables import Construction
from pbem.games.empire.rules.world import World

LINES = ("road", "railroad", "power_line", "pipeline")
UNDERWATER = ("underwater_power_line", "underwater_pipeline")


def build(w: World, player: Seat, order: Build) -> None:
    if order.item in UNDERWATER:
        _underwater(w, player, order)
        return
    if not all(w.map.squares[known_square(w, name)].land for name in order.squares):
        raise Illegal("build.path", item=order.item, why="water")
    parts = [land_part(w, name) for name in order.squares]
    if len(parts) < 2:
        raise Illegal("build.path", item=order.item, why="not_adjacent")
    country = country_at(w, player, order, parts[0])
    table = w.tables.construction[order.item]
    borders = [(one, other) for one, other in itertools.pairwise(parts) if square_of(one) != square_of(other)]
    _check_path(w, country, order.item, parts)
    _check_once(order.item, borders)
    cmx = order.cmx or 1
    most = table.slow_borders if _is_slow(w, parts) else table.borders
    if len(borders) > most * cmx:
        raise Illegal("build.path", item=order.item, why="too_long")
    chunks = ceil(len(borders) / most)
    needs = _materials(w, table, chunks, parts)
    load = Fraction(sum(needs.values()) + cmx)
    workers = order.workers or max(cmx, ceil(load / 2))
    if workers * 2 < load:
        raise Illegal("carry.full", carrier="worker", room=workers * 2, needs=str(load))
    _go(w, country, parts, workers, cmx, chunks, needs, order)
    w.note("builds", country, item=order.item, at=" - ".join(parts))


def _materials(w: World, table: Construction, chunks: int, parts: Sequence[str]) -> dict[str, int]:
    needs = {good: much * chunks for good, much in table.inputs.items()}
    if any(w.map.land[part].terrain == "swamp" for part in parts):
        return works.with_swamp(w, needs)
    return needs


def _is_slow(w: World, parts: Sequence[str]) -> bool:
    """Is any square entered forest, desert or oasis, and no road on its border?"""
    return any(
        w.map.land[other].terrain in w.tables.slow_terrain and "road" not in w.border(one, other).lines
        for one, other in itertools.pairwise(parts)
    )


def _check_path(w: World, country: str, item: str, parts: Sequence[str]) -> None:
    for one, other in itertools.pairwise(parts):
        if not any(other == goal for _, goal, _ in steps_from(w, "worker", one)):
            raise Illegal("build.path", item=item, why="not_adjacent")
        if square_of(one) != square_of(other) and item in w.border(one, other).lines:
            raise Illegal("build.exists", item=item, square=f"{one} - {other}")
        may_enter(w, country, other)


def _check_once(item: str, borders: Sequence[tuple[str, str]]) -> None:
    """A line crosses no border twice. Raises `Illegal` (`build.path`)."""
    if len({frozenset(map(square_of, pair)) for pair in borders}) < len(borders):
        raise Illegal("build.path", item=item, why="twice")


def _go(
    w: World,
    country: str,
    parts: Sequence[str],
    workers: int,
    cmx: int,
    chunks: int,
    needs: dict[str, int],
    order: Build,
) -> None:
    """Workers, cmx and materials pass over all borders; the materials go into the line."""
    start, goal = parts[0], parts[-1]
    bta = sum((cost(w, "worker", one, other) or Fraction(0) for one, other in itertools.pairwise(parts)), Fraction(0))
    crews = works.idle(w, country, start, workers)
    if sum(crew.count for crew in crews) < workers:
        raise Illegal("workers.short", square=start, has=sum(crew.count for crew in crews), needs=workers)
    worst = max(crew.used for crew in crews)
    if worst + bta > w.tables.bta:
        raise Illegal("bta.short", what="worker", left=str(w.tables.bta - worst), square=goal, needs=str(bta))
    if works.free_cmx(w, country, start) < cmx:
        raise Illegal("cmx.short", square=start, has=max(0, works.free_cmx(w, country, start)), needs=cmx)
    _check_carried(w, country, start, goal, {**needs, "cmx": cmx}, bta)
    works.use_materials(w, country, start, Construction(inputs=needs, cost=0, edu=0), "")
    lots = w.take_goods(start, country, "cmx", cmx)
    w.put_lots(goal, country, "cmx", [(used + bta, amount) for used, amount in lots])
    work = works.new(w, "build", order.item, max(1, chunks), book=order.book, squares=tuple(map(square_of, parts)))
    for crew in crews:
        w.leave(start, country, crew)
        w.join(goal, country, replace(crew, used=crew.used + bta, tasks=(task_of(work),), stayed=False))
    works.put(w, goal, replace(work, pairs=max(cmx, chunks), by=country))
    moving.keep_walked(w, country, start, parts[1:])


def _check_carried(w: World, country: str, start: str, goal: str, goods: Mapping[str, int], bta: Fraction) -> None:
    """What is carried uses BTA as its carriers do (E2.2). Raises `Illegal` (`goods.short`, `bta.short`)."""
    held = w.held(start, country)
    for good, needs in goods.items():
        if (has := held.amount(good)) < needs:
            raise Illegal("goods.short", where=start, has=str(has), good=good, needs=str(needs))
        worst = taken(held, good, needs)[1][-1][0]
        if worst + bta > w.tables.bta:
            raise Illegal("bta.short", what=good, left=str(w.tables.bta - worst), square=goal, needs=str(bta))


def _underwater(w: World, player: Seat, order: Build) -> None:
    """A cmx aboard a ship that passes up to 6 borders (E8.6)."""
    squares = [square_of(name) for name in order.squares]
    ship = unit_of(w, player, str(order.ship), squares[0]) if order.ship else None
    if ship is None or len(squares) < 2:
        raise Illegal("build.path", item=order.item, why="from_ship")
    table, cmx = w.tables.construction[order.item], order.cmx or 1
    if len(squares) - 1 > table.borders * cmx:
        raise Illegal("build.path", item=order.item, why="too_long")
    for one, other in itertools.pairwise(squares):
        if other not in w.map.around(one):
            raise Illegal("build.path", item=order.item, why="not_adjacent")
        if order.item in w.border(one, other).lines:
            raise Illegal("build.exists", item=order.item, square=f"{one} - {other}")
    _check_once(order.item, [*itertools.pairwise(squares)])
    chunks = ceil((len(squares) - 1) / table.borders)
    works.use_materials(w, ship.owner, ship.id, _times(table, chunks), "")
    work = works.new(w, "build", order.item, chunks, book=order.book, squares=tuple(squares), ship=ship.id)
    works.check_aboard(w, ship, cmx)
    sailing.sail(w, w.units[ship.id], Move(units=(ship.id,), way=order.squares[1:]))
    if ship.id in w.units and square_of(w.units[ship.id].at) == squares[-1]:
        works.join_aboard(w, w.units[ship.id], w.units[ship.id].at, work, cmx)
        w.note("builds", ship.owner, item=order.item, at=" - ".join(squares))


def _times(table: Construction, chunks: int) -> Construction:
    return Construction(inputs={good: much * chunks for good, much in table.inputs.items()}, cost=0, edu=0)
