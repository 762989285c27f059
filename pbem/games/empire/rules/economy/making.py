"""Factories at work: goods, pieces, power and fresh water (E7.8 to E7.10)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction

from msgspec import Struct
from msgspec.structs import replace

from pbem.core.refusal import Illegal
from pbem.core.seat import Seat
from pbem.games.empire.rules.accounts.booking import book
from pbem.games.empire.rules.economy import developing, power, sites
from pbem.games.empire.rules.ground.sides import serves
from pbem.games.empire.rules.ground.terrain import stands
from pbem.games.empire.rules.ground.who import incomplete, land_part
from pbem.games.empire.rules.orders import Make
from pbem.games.empire.rules.people.working import check_control, country_at, take_job
from pbem.games.empire.rules.pieces import space
from pbem.games.empire.rules.pieces.naval_table import swims
from pbem.games.empire.rules.state import Factory
from pbem.games.empire.rules.tables import Recipe
from pbem.games.empire.rules.world import World

MACHINES = ("cmx", "hmx", "td")
POWER = "PS"


class Run(Struct, frozen=True, kw_only=True):
    """One factory, and so many rows of a recipe."""

    index: int
    rows: int
    recipe: Recipe


def make(w: World, player: Seat, order: Make) -> None:
    part = land_part(w, order.at)
    country = country_at(w, player, order, part)
    check_control(w, country, part)
    if order.item == "power":
        _make_power(w, country, part, order)
        return
    for run in _runs(w, part, order):
        _run(w, country, part, run, order)


# -- which factory and which row ---


def _runs(w: World, part: str, order: Make) -> list[Run]:
    recipes = [row for row in w.setting.recipes if row.item == order.item and _takes(row, order.inputs)]
    if not recipes:
        raise Illegal("factory.wrong", item=order.item)
    if order.factory is not None and not any(order.factory in row.made_in for row in recipes):
        raise Illegal("factory.wrong", item=order.item)
    recipe = _row(w, part, recipes, order)
    count = recipe.qty if order.count is None else order.count
    if count % recipe.qty or count < 1:
        raise Illegal("make.lot", item=order.item, qty=recipe.qty)
    kinds = [order.factory] if order.factory else list(recipe.made_in)
    return _spread(w, part, recipe, kinds, count // recipe.qty)


def _takes(row: Recipe, inputs: Sequence[str]) -> bool:
    if not inputs:
        return True
    named = ["machine" if each in MACHINES and "machine" in row.inputs else each for each in inputs]
    return sorted(named) == sorted(row.inputs)


def _row(w: World, part: str, recipes: Sequence[Recipe], order: Make) -> Recipe:
    """The first whose goods are there, without machines before those with."""
    plain = [row for row in recipes if "machine" not in row.inputs] or list(recipes)
    if order.inputs:
        return recipes[0]
    everybody = list(w.part(part).held.values())
    for row in plain:
        if any(all(held.amount(good) >= much for good, much in row.inputs.items()) for held in everybody):
            return row
    return plain[0]


def _spread(w: World, part: str, recipe: Recipe, kinds: Sequence[str], rows: int) -> list[Run]:
    """Begun work goes on first; then as many factories as are needed, each with a worker."""
    factories = list(enumerate(w.part(part).factories))
    mine = [(i, f) for i, f in factories if f.kind in kinds]
    if not mine:
        raise _no_factory(w, part, kinds)
    place = w.setting.recipes.index(recipe)
    free = [(i, f) for i, f in mine if f.state == "working" and f.ran != w.state.turn and f.row in (None, place)]
    free.sort(key=lambda each: (each[1].row is None, each[0]))
    runs: list[Run] = []
    for index, factory in free:
        part_of = min(rows, w.tables.factories[factory.kind].runs)
        if part_of:
            runs.append(Run(index=index, rows=part_of, recipe=recipe))
            rows -= part_of
    if rows:
        _refuse(w, part, mine, recipe, place)
    return runs


def _refuse(w: World, part: str, mine: Sequence[tuple[int, Factory]], recipe: Recipe, place: int) -> None:
    working = [factory for _, factory in mine if factory.state == "working"]
    if not working:
        raise Illegal("factory.damaged", factory=mine[0][1].kind, square=part)
    if any(factory.row not in (None, place) and factory.ran != w.state.turn for factory in working):
        raise Illegal("factory.wrong", item=recipe.item)
    raise Illegal("factory.ran", factory=working[0].kind, square=part)


# -- one run ---


def _run(w: World, country: str, part: str, run: Run, order: Make) -> None:
    factory = w.part(part).factories[run.index]
    kind = w.tables.factories[factory.kind]
    sites.run(w, country)
    take_job(w, country, part, kind.workers)
    begins = factory.row is None
    if begins:
        for good, much in _inputs(w, country, part, run.recipe.inputs, order.inputs).items():
            _use(w, country, part, good, much * run.rows)
    power.use(w, country, part, kind.power * run.rows)
    turns = factory.turns + 1
    is_last = turns >= run.recipe.turns
    if order.book and not begins:
        raise Illegal("clause.idle", clause=f"book {order.book}", why="begun")
    book_as = order.book or factory.book
    _book(w, country, run.recipe, run.rows, turns, book_as)
    row = None if is_last else w.setting.recipes.index(run.recipe)
    changed = replace(
        factory, ran=w.state.turn, row=row, turns=0 if is_last else turns, book="" if is_last else book_as
    )
    factories = list(w.part(part).factories)
    factories[run.index] = changed
    w.change_part(part, factories=tuple(factories))
    if kind.pollutes:
        developing.pollute(w, part)
    if is_last:
        produce(w, country, part, run.recipe, run.rows)
    w.note("made", country, item=run.recipe.item, count=run.recipe.qty * run.rows, at=part, factory=factory.kind,
           turn=turns, turns=run.recipe.turns)  # fmt: skip


def _inputs(w: World, country: str, part: str, row: Mapping[str, int], named: Sequence[str]) -> dict[str, int]:
    """With the machine that is meant: the named one, else the first there is."""
    found = dict(row)
    if "machine" in found:
        much = found.pop("machine")
        have = [m for m in MACHINES if w.held(part, country).amount(m) >= much]
        machine = next((each for each in named if each in MACHINES), (have or list(MACHINES))[0])
        found[machine] = found.get(machine, 0) + much
    return found


def _use(w: World, country: str, part: str, good: str, much: int) -> None:
    has = w.held(part, country).amount(good)
    if has < much:
        raise Illegal("goods.short", where=part, has=str(has), good=good, needs=str(much))
    w.take_goods(part, country, good, much)


def _book(w: World, country: str, recipe: Recipe, rows: int, turn: int, how: str) -> None:
    """Cost and EDU of several turns: with the last, unless the order says first or spread (E7.8)."""
    if (
        recipe.turns == 1
        or (how == "first" and turn == 1)
        or (how != "first" and how != "spread" and turn == recipe.turns)
    ):
        book(w, country, cost=recipe.cost * rows, edu=recipe.edu * rows)
    elif how == "spread":
        book(
            w,
            country,
            cost=_share(recipe.cost, turn, recipe.turns) * rows,
            edu=_share(recipe.edu, turn, recipe.turns) * rows,
        )


def _share(total: int, turn: int, turns: int) -> int:
    return total * turn // turns - total * (turn - 1) // turns


def produce(w: World, country: str, part: str, recipe: Recipe, rows: int) -> None:
    count = recipe.qty * rows
    if recipe.item == "fresh_water":
        w.change_part(part, watered={**w.part(part).watered, country: w.now})
    elif recipe.item in w.tables.goods:
        _put(w, country, part, recipe.item, count)
    else:
        for _ in range(count):
            place_unit(w, country, part, recipe.item)


def _put(w: World, country: str, part: str, good: str, count: int) -> None:
    """At once, or at the owner's next slot (R-2)."""
    if w.options["made_when"] == "at_once":
        w.put_goods(part, country, good, Fraction(count))
        return
    returns = dict(w.part(part).returns)
    mine = dict(returns.get(country, {}))
    mine[good] = mine.get(good, 0) + count
    w.change_part(part, returns={**returns, country: mine})


def place_unit(w: World, country: str, part: str, kind: str) -> str:
    """A new piece: a ship in the first water part, docked if there is room; the others on the ground."""
    if not swims(w, kind):
        return w.new_unit(kind, country, part, made=w.now, state=_parked(w, part, kind)).id
    water = w.map.squares[w.map.land[part].square].water
    if not water:
        raise Illegal("build.place", item=kind, square=part, why="needs_shore")
    served = any(serves(w, country, land) for land in w.map.squares[w.map.land[part].square].land)
    docked = served and space.dock_room(w, water[0], country) >= w.tables.kinds[kind].units
    return w.new_unit(kind, country, water[0], state="docked" if docked else "sea", made=w.now).id


def _parked(w: World, part: str, kind: str) -> str:
    """On the ground, at an airport as it has room. Raises `Illegal` (`space.full`)."""
    if w.tables.kinds[kind].class_ != "air" or not stands(w, part, "airport"):
        return "ground"
    return space.parked(w, kind, part)


def _no_factory(w: World, part: str, kinds: Sequence[str]) -> Illegal:
    """None of them stands there; it may be under construction, and none more is needed."""
    begun = [work.item for work in w.part(part).works if work.what == "build" and work.item in kinds]
    return Illegal("factory.absent", factory=[*begun, *kinds][0], square=part, **({"begun": True} if begun else {}))


# -- power ---


def _make_power(w: World, country: str, part: str, order: Make) -> None:
    """One run of a station gives 5 power from coal, oil or water power (E7.9)."""
    count = 1 if order.count is None else order.count
    if count < 1:
        incomplete("power", "NUMBER")
    for _ in range(count):
        found = w.part(part).factories
        mine = [(i, f) for i, f in enumerate(found) if f.kind == POWER]
        if not mine:
            raise _no_factory(w, part, [POWER])
        working = [(i, f) for i, f in mine if f.state == "working"]
        if not working:
            raise Illegal("factory.damaged", factory=POWER, square=part)
        free = [(i, f) for i, f in working if f.ran != w.state.turn]
        if not free:
            raise Illegal("factory.ran", factory=POWER, square=part)
        sites.run(w, country)
        take_job(w, country, part)
        fuel = _burn(w, country, part, order.inputs)
        index, factory = free[0]
        factories = list(w.part(part).factories)
        factories[index] = replace(factory, ran=w.state.turn)
        w.change_part(part, factories=tuple(factories))
        power.make(w, country, part, w.tables.power_per_station_run)
        developing.pollute(w, part)
        w.note("powered", country, at=part, fuel=fuel, left=power.left(w, country, part))


def _burn(w: World, country: str, part: str, named: Sequence[str]) -> str:
    water = power.water_at(w, country, part)
    held = w.held(part, country)
    wanted = named[0] if named else None
    if wanted in (None, "power", "water_power", "water power") and water is not None:
        power.draw_water(w, country, water)
        return "water_power"
    fuels = [each for each in ("coal", "oil") if wanted in (None, each)]
    for fuel in fuels:
        if held.amount(fuel) >= 1:
            w.take_goods(part, country, fuel, 1)
            return fuel
    good = fuels[0] if fuels else "power"
    raise Illegal("goods.short", where=part, has=str(held.amount(good)), good=good, needs="1")
