"""Works over the end of a slot: pairs of a worker and a cmx, and what then stands (E8.1, E8.2)."""

from __future__ import annotations

from collections.abc import Mapping
from math import floor

from msgspec.structs import replace

from pbem.core.refusal import Illegal
from pbem.games.empire.geography.grid import distance, map_order, square_of
from pbem.games.empire.rules.accounts.booking import book
from pbem.games.empire.rules.construction import finishing
from pbem.games.empire.rules.ground.terrain import group
from pbem.games.empire.rules.held import Crew, chosen
from pbem.games.empire.rules.people.planned import at_work, brigades_at, hands_at, task_of
from pbem.games.empire.rules.people.working import brigades, end_task, take_task
from pbem.games.empire.rules.pieces import space
from pbem.games.empire.rules.state import Unit, Work
from pbem.games.empire.rules.tables import Construction
from pbem.games.empire.rules.world import World


def new(
    w: World,
    what: str,
    item: str,
    needs: int,
    *,
    book: str = "",
    facing: str = "",
    squares: tuple[str, ...] = (),
    ship: str | None = None,
    index: int = -1,
) -> Work:
    w.set(works=w.state.works + 1)
    return Work(
        id=w.state.works, what=what, item=item, needs=needs, begun=True, book=book, facing=facing, squares=squares,
        ship=ship, index=index,
    )  # fmt: skip


def with_swamp(w: World, inputs: Mapping[str, int]) -> dict[str, int]:
    """What a work needs that stands in a swamp: more wood, or what the option says (E8.4)."""
    extra = w.options["swamp_extra"]
    return {**inputs, extra: inputs.get(extra, 0) + w.tables.swamp_surcharge["wood"]}


def use_materials(w: World, country: str, place: str, row: Construction, terrain: str) -> None:
    """With the first turn (E8.2); more in a swamp. Raises `Illegal` (`goods.short`)."""
    inputs = with_swamp(w, row.inputs) if terrain == "swamp" else row.inputs
    for good, needs in inputs.items():
        has = w.held(place, country).amount(good)
        if has < needs:
            raise Illegal("goods.short", where=place, has=str(has), good=good, needs=str(needs))
        w.take_goods(place, country, good, needs)


def free_cmx(w: World, country: str, part: str) -> int:
    """Those that no work of this slot or a begun one holds."""
    works = (work for work in w.part(part).works if work.by == country and work.pairs and work.ship is None)
    return floor(w.held(part, country).amount("cmx")) - sum(hands_at(w, country, part, work) for work in works)


def join(w: World, country: str, part: str, work: Work, pairs: int) -> int:
    """So many pairs go to it, as far as it needs them; none: a worker alone. How many did.

    Raises `Illegal` (`cmx.short`, `workers.short`).
    """
    there = at_work(w, part, work) if work.by == country else 0
    if not pairs:
        take_task(w, country, part, task_of(work))
        put(w, part, replace(work, by=country))
        return 0
    pairs = min(pairs, work.needs - work.done - there)
    helped = _helped(w, country, part, pairs)
    rest = pairs - len(helped)
    if rest:
        if (free := free_cmx(w, country, part)) < rest:
            raise Illegal("cmx.short", square=part, has=max(0, free), needs=rest)
        take_task(w, country, part, task_of(work), rest)
    for unit in helped:
        w.change(unit.id, tasks=(task_of(work),))
    put(w, part, replace(work, pairs=there + pairs, by=country))
    return pairs


def _helped(w: World, country: str, part: str, pairs: int) -> list[Unit]:
    """Construction brigades that do what workers can't."""
    idle_ = sum(crew.count for crew in idle(w, country, part, pairs))
    able = min(idle_, max(0, free_cmx(w, country, part)))
    free = [u for u in brigades(w, country, part) if not u.tasks]
    return free[: max(0, pairs - able)]


def check_aboard(w: World, ship: Unit, pairs: int) -> None:
    """Are workers and machines aboard? Raises `Illegal` (`cmx.short`, `workers.short`)."""
    held, at = w.held(ship.id, ship.owner), w.map.shown(ship.at)
    if held.amount("cmx") < pairs:
        raise Illegal("cmx.short", square=at, has=floor(held.amount("cmx")), needs=pairs)
    able = sum(crew.count for crew in idle(w, ship.owner, ship.id, pairs))
    if able < pairs:
        raise Illegal("workers.short", square=at, has=able, needs=pairs)


def join_aboard(w: World, ship: Unit, part: str, work: Work, pairs: int = 1) -> None:
    """Workers and machines aboard a ship. Raises `Illegal`."""
    check_aboard(w, ship, pairs)
    take_task(w, ship.owner, ship.id, task_of(work), pairs)
    put(w, part, replace(work, pairs=pairs, by=ship.owner))


def put(w: World, part: str, work: Work) -> None:
    others = [each for each in w.part(part).works if each.id != work.id]
    w.change_part(part, works=tuple(sorted([*others, work], key=lambda each: each.id)))


def city_within(w: World, part: str, apart: int) -> str | None:
    found = [n for n, p in w.parts.items() if p.city and distance(square_of(part), square_of(n)) <= apart and apart]
    return min(found, key=map_order) if found else None


# -- the roll-out ---


def rollout(w: World, country: str) -> dict[str, int]:
    """Every pair that is still there does a cmx-turn; what is done stands, and Cost and EDU are booked (E4.7).

    Tells how many machines stood at works, by part: they do not lie loose (E11.9).
    """
    machines: dict[str, int] = {}
    for part in sorted(w.parts, key=map_order):
        mine = [work for work in w.part(part).works if work.by == country]
        for work in sorted(mine, key=lambda each: (each.what != "scrap", each.id)):
            place = work.ship or part
            machines[place] = machines.get(place, 0) + _advance(w, country, part, work, machines.get(place, 0))
    return machines


def _advance(w: World, country: str, part: str, work: Work, busy: int) -> int:
    """One slot of it; how many machines were at it."""
    hands = hands_at(w, country, part, work)
    if work.pairs:
        place = work.ship or part
        hands = max(0, min(hands, floor(w.held(place, country).amount("cmx")) - busy))
    turns = hands + len(brigades_at(w, country, part, work))
    done = min(work.needs, work.done + turns)
    if not turns or (done == work.needs and not has_room(w, part, work)):
        _abandon(w, part, work)
        return 0
    _book(w, country, work, done, is_last=done == work.needs)
    if done == work.needs:
        _release(w, country, part, work)
        w.change_part(part, works=tuple(each for each in w.part(part).works if each.id != work.id))
        finishing.finish(w, country, part, work)
    else:
        put(w, part, replace(work, done=done, pairs=turns))
    return hands if work.pairs else 0


def has_room(w: World, part: str, work: Work) -> bool:
    """Is there room for what is to stand?"""
    if work.what != "build" or part not in w.map.land:
        return True
    if not w.part(part).city:
        return work.item not in w.tables.factories or not factories_around(w, part)
    takes = w.tables.city["takes"].get(work.item, 0)
    if work.item in w.tables.factories:
        takes = w.tables.factories[work.item].minor_squares
    return space.city_room(w, part, planned=False) >= int(takes)


def factories_around(w: World, part: str) -> int:
    """Outside cities joined parts are one square (E1.7)."""
    return sum(len(w.part(each).factories) for each in group(w, part) if not w.part(each).city)


def _abandon(w: World, part: str, work: Work) -> None:
    """What was begun stays with the site (E8.2); of what was not, the materials are there again."""
    _release(w, work.by, part, work)
    others = tuple(each for each in w.part(part).works if each.id != work.id)
    if work.done:
        w.change_part(part, works=(*others, replace(work, pairs=0, by="")))
        return
    w.change_part(part, works=others)
    place = work.ship if work.ship in w.units and work.what == "build" else part
    for good, much in materials_of(w, part, work).items():
        w.put_goods(str(place), work.by, good, much)


def _release(w: World, country: str, part: str, work: Work) -> None:
    place = work.ship if work.ship in w.units and work.what == "build" else part
    end_task(w, country, str(place), task_of(work))
    for unit in brigades_at(w, country, part, work):
        w.change(unit.id, tasks=())


def materials_of(w: World, part: str, work: Work) -> dict[str, int]:
    """What was used for it."""
    if work.what in ("install", "repair"):
        gun = {"AA": "aa_gun", "naval_gun": "naval_gun"}[work.item] if work.what == "install" else ""
        return {**w.tables.economy[work.what]["from"], **({gun: 1} if gun else {})}
    if work.what != "build":
        return {}
    is_factory = work.item in w.tables.factories
    row = f"factory_tier_{w.tables.factories[work.item].tier}" if is_factory else work.item
    inputs = {good: much * (1 if is_factory or not work.squares else work.needs)
              for good, much in w.tables.construction[row].inputs.items()}  # fmt: skip
    if part in w.map.land and w.map.land[part].terrain == "swamp":
        return with_swamp(w, inputs)
    return inputs


def _book(w: World, country: str, work: Work, done: int, *, is_last: bool) -> None:
    cost, edu = price(w, work)
    if work.book == "spread":
        shares = [total * done // work.needs - total * work.done // work.needs for total in (cost, edu)]
        book(w, country, cost=shares[0], edu=shares[1])
    elif work.book == "first":
        if not work.done:
            book(w, country, cost=cost, edu=edu)
    elif is_last:
        book(w, country, cost=cost, edu=edu)


def price(w: World, work: Work) -> tuple[int, int]:
    """Cost and EDU of a work."""
    economy = {"install": "install", "repair": "repair", "scrap": "scrap"}
    if work.what == "deinstall":
        return 0, 0
    if work.what in economy:
        row = w.tables.economy[economy[work.what]]
        return int(row["cost"]), int(row["edu"])
    if work.item in w.tables.factories:
        table = w.tables.construction[f"factory_tier_{w.tables.factories[work.item].tier}"]
        return table.cost, table.edu
    table = w.tables.construction[work.item]
    return table.cost * work.needs, table.edu * work.needs


def idle(w: World, country: str, place: str, count: int) -> list[Crew]:
    return chosen(w.held(place, country), count, "worker", lambda crew: not crew.tasks)
