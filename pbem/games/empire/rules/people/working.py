"""Who takes a job in the slot or a task over its end (E9.13)."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from msgspec.structs import replace

from pbem.core.refusal import Illegal
from pbem.core.seat import Seat
from pbem.games.empire.rules.ground.sides import is_opposed, why_not_in_control
from pbem.games.empire.rules.ground.who import country_for, known_square, with_workers_at
from pbem.games.empire.rules.held import Crew, changed, chosen
from pbem.games.empire.rules.orders import Act
from pbem.games.empire.rules.state import Unit
from pbem.games.empire.rules.world import World

BRIGADE = "construction_brigade"  # builds and destroys like a worker (E12.19)


def country_at(w: World, player: Seat, order: Act, part: str) -> str:
    """The country whose workers are meant; it must have some there. Raises `Illegal`."""
    return country_for(w, player, order, with_workers_at(w, part), part)


def country_of_builders(w: World, player: Seat, order: Act, part: str) -> str:
    """The same, where construction brigades will do."""

    def has(country: str) -> bool:
        return w.held(part, country).workers > 0 or bool(brigades(w, country, part))

    return country_for(w, player, order, has, part)


def brigades(w: World, country: str, part: str) -> list[Unit]:
    """Construction brigades that stand there and were not armed in this slot."""
    there = [u for u in w.at(part) if u.kind == BRIGADE and u.owner == country]
    return [u for u in there if u.aboard is None and u.state == "ground" and u.made != w.now]


def site_of_builders(w: World, player: Seat, order: Act, squares: Sequence[str]) -> str:
    """Of what joins these squares, or the parts of one, that part in which builders and a cmx are. Raises `Illegal`."""
    parts = [part for name in squares for part in w.map.squares[known_square(w, name)].land]
    if not parts:
        raise Illegal("square.absent", square=squares[0])
    mine = [country for country in w.countries_of(player) if order.country in (None, country)]
    for part in parts:
        if any(w.held(part, country).workers and w.held(part, country).amount("cmx") for country in mine):
            return part
    return next((part for part in parts if any(brigades(w, country, part) for country in mine)), parts[0])


def check_control(w: World, country: str, part: str) -> None:
    """Raises `Illegal` (`control.none`)."""
    if (why := why_not_in_control(w, country, part)) is not None:
        raise Illegal("control.none", square=part, why=why)


def _pick(w: World, place: str, country: str, count: int, fits: Callable[[Crew], bool]) -> list[Crew]:
    if place in w.map.land and is_opposed(w, place):  # E12.21
        raise Illegal("control.none", square=place, why="opposed")
    held = w.held(place, country)
    crews = chosen(held, count, "worker", fits)
    found = sum(crew.count for crew in crews)
    if found < count:
        if count == 1 and held.workers:
            raise Illegal("task.taken")
        raise Illegal(
            "workers.short", square=w.map.shown(place) if place in w.map.water else place, has=found, needs=count
        )
    return crews


def take_job(w: World, country: str, part: str, count: int = 1) -> None:
    """So many workers do something for 0 BTA, once in the slot. Raises `Illegal`."""
    crews = _pick(w, part, country, count, lambda crew: not crew.job)
    w.set_held(part, country, changed(w.held(part, country), crews, job=True))


def take_task(w: World, country: str, place: str, task: str, count: int = 1) -> None:
    """So many workers without a task take one. Raises `Illegal`."""
    if w.part(place).barred.get(f"{country} {task}") == w.state.turn:
        raise Illegal("task.taken")
    crews = _pick(w, place, country, count, lambda crew: not crew.tasks)
    w.set_held(place, country, changed(w.held(place, country), crews, tasks=(task,)))


def add_task(w: World, country: str, place: str, task: str, fits: Callable[[Crew], bool]) -> bool:
    """One of those who are at something already takes it, too; was there one?"""
    crews = chosen(w.held(place, country), 1, "worker", lambda crew: bool(crew.tasks) and fits(crew))
    if not crews or w.part(place).barred.get(f"{country} {task}") == w.state.turn:
        return False
    w.set_held(place, country, changed(w.held(place, country), crews, tasks=(*crews[0].tasks, task)))
    return True


def at_task(w: World, country: str, place: str, task: str) -> int:
    """How many of its people there are at that."""
    return sum(crew.count for crew in w.held(place, country).crews if task in crew.tasks)


def end_task(w: World, country: str, place: str, task: str, count: int | None = None) -> None:
    """All of them give it up, or so many."""
    left = count if count is not None else at_task(w, country, place, task)
    for crew in w.held(place, country).crews:
        part = min(left, crew.count)
        if task in crew.tasks and part:
            left -= part
            one = replace(crew, count=part)
            w.leave(place, country, one)
            w.join(place, country, replace(one, tasks=tuple(each for each in crew.tasks if each != task)))


def leave_task(w: World, part: str, task: str) -> None:
    """Nobody in the part is at that any more: neither workers nor brigades, whosever."""
    for country in list(w.part(part).held):
        end_task(w, country, part, task)
    for unit in w.at(part):
        if task in unit.tasks:
            w.change(unit.id, tasks=tuple(each for each in unit.tasks if each != task))
