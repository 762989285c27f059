"""What will stand after the slot: who is at a work, and the room that leaves in a city (E8.1, E11.1)."""

from __future__ import annotations

from pbem.core.refusal import Illegal
from pbem.games.empire.geography.grid import square_of
from pbem.games.empire.rules.people.working import at_task
from pbem.games.empire.rules.pieces import space
from pbem.games.empire.rules.state import Unit, Work
from pbem.games.empire.rules.world import World


def task_of(work: Work) -> str:
    return f"work {work.id}"


def hands_at(w: World, country: str, part: str, work: Work) -> int:
    """How many of its workers are at it, in the part or aboard the ship from which it is built."""
    if work.ship is None or work.what != "build":
        return at_task(w, country, part, task_of(work))
    ship = w.units.get(work.ship)
    if ship is None or ship.owner != country or square_of(ship.at) != square_of(part):
        return 0
    return at_task(w, country, ship.id, task_of(work))


def brigades_at(w: World, country: str, part: str, work: Work) -> list[Unit]:
    """Construction brigades at it: each is a worker with a machine (E12.19)."""
    return [u for u in w.at(part) if u.owner == country and task_of(work) in u.tasks]


def at_work(w: World, part: str, work: Work) -> int:
    """How many pairs are at it now."""
    if not work.by:
        return 0
    return hands_at(w, work.by, part, work) + len(brigades_at(w, work.by, part, work))


def is_due(w: World, part: str, work: Work) -> bool:
    """Will it be done at the roll-out?"""
    there = at_work(w, part, work)
    return there > 0 and work.done + there >= work.needs


def check_room(w: World, part: str, needs: int) -> None:
    """For what will stand after this slot; unfinished works take none (E11.1)."""
    due = [x for x in w.part(part).works if x.what == "build" and is_due(w, part, x)]
    left = space.city_room(w, part) - sum(takes(w, x.item) for x in due)
    if left < needs:
        raise Illegal("build.full", square=part, left=left, needs=needs)


def takes(w: World, item: str) -> int:
    if item in w.tables.factories:
        return w.tables.factories[item].minor_squares
    return int(w.tables.city["takes"].get(item, 0))
