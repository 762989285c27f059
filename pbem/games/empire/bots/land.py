"""Fields and mines: who works there, what is opened when, and who carries home what the works need."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from fractions import Fraction
from typing import NamedTuple

from pbem.games.empire.bots import seen
from pbem.games.empire.bots.industry import needed
from pbem.games.empire.geography.grid import map_order
from pbem.games.empire.rules import orders as od
from pbem.games.empire.rules.economy.developing import is_worked, row
from pbem.games.empire.rules.people.entering import is_free
from pbem.games.empire.rules.people.working import at_task
from pbem.games.empire.rules.state import Mark
from pbem.games.empire.rules.world import World

ENOUGH = 62  # EDU that a slot should bring: confidence follows it …
PLENTY = 85  # … also through a long game
KEPT = 70  # EDU of squares never opened that are kept for the last turn
SPARE = 3  # food beyond what everybody eats
SEED = 10  # food for the farms of the last turn
DIRE = -6  # margin from which mines stand still rather than half of the works in inflation
STOCK = 6  # of one good that is enough at home
PORTERS = 4  # workers who stay at home through a long game to carry
FAR = 8  # BTA from home from which farmers go on to other fields
LOAD = 2  # objects that a worker carries
MACHINES = 4  # construction machines that are enough at home
FIRST = ("wood",)  # opened at once: the building materials factory runs on it


def _needs_farm(w: World, country: str) -> bool:
    if seen.is_last(w):
        return False
    return seen.surplus(w, country) < _kept(w, country)


def _kept(w: World, country: str) -> int:
    """Food beyond what is eaten: for seed, too, where farmers go on to other fields."""
    is_sowing = seen.turns_left(w) == 2 or not seen.is_short(w)
    return SPARE + seen.breweries(w, country) + (SEED if is_sowing else 0)


def _is_plenty(w: World, country: str) -> bool:
    """Is there food enough for farmers to leave their fields?"""
    return seen.surplus(w, country) > 2 * SEED + _kept(w, country)


def _wants_more(w: World, country: str) -> bool:
    """Squares are opened evenly over the turns but for those that the last turn of a short game opens."""
    if seen.is_last(w):
        return True
    is_short = seen.is_short(w)
    if seen.expected_edu(w, country) >= (ENOUGH if is_short else PLENTY):
        return False
    fresh = seen.fresh_edu(w, country)
    share = max(0, _store(w, country) + fresh - KEPT) / seen.opening_turns(w)
    return fresh < share or (is_short and seen.margin(w, country) < 0)


def _store(w: World, country: str) -> int:
    """EDU of the squares that nobody opened and that lie nearest to its home."""
    start = seen.home(w, country)
    return _unopened(w, country, seen.around(w, country, start)) if start is not None else 0


def _unopened(w: World, country: str, goals: Iterable[str]) -> int:
    own, theirs = seen.cities(w, country), seen.cities_of_others(w, country)
    return sum(_value(w, country, part) for part in goals if seen.is_ours(part, own, theirs))


def _spared(w: World, country: str, home: str | None) -> Collection[str]:
    """Squares near home that are kept for the last turn of a long game."""
    if seen.is_last(w) or seen.is_short(w) or home is None:
        return ()
    near = seen.near(w, country, home)
    return near if _unopened(w, country, near) <= KEPT else ()


def _value(w: World, country: str, part: str) -> int:
    if seen.others_there(w, country, part) or not is_free(w, country, part):
        return 0
    return seen.gain(w, part) + (_new_field(w, part) and w.tables.development["farm"].edu)


def _new_field(w: World, part: str) -> bool:
    return seen.is_field(w, part) and not w.part(part).farmed


# -- who stands there ---


def resuming(w: World, country: str) -> Iterator[od.Order]:
    """Who came in the place of a miner or farmer takes up the work."""
    useful, needs = _useful(w, country), _needs_farm(w, country)
    for part in seen.parts(w, country):
        if seen.idle(w, country, part):
            found = w.part(part)
            for kind, mark in found.marks.items():
                stands_still = mark.by == country and kind in useful and not is_worked(w, part, kind, mark)
                if stands_still and _may_resume(w, country, kind, mark):
                    yield od.Develop(country=country, mark=kind, at=part)
            if found.farm == country and not at_task(w, country, part, "farm") and (needs or seen.is_short(w)):
                yield od.Farm(country=country, squares=(part,))


def _may_resume(w: World, country: str, kind: str, mark: Mark) -> bool:
    """It would not have to be stopped again."""
    return seen.is_short(w) or seen.margin(w, country) - row(w, kind, mark.grade).investment >= DIRE


def stopping(w: World, country: str) -> Iterator[od.Order]:
    """Investment that nobody needs ends before it makes inflation."""
    if seen.margin(w, country) >= 0:
        return
    useful, is_dire = _useful(w, country), not seen.is_short(w) and seen.margin(w, country) < DIRE
    if not seen.is_short(w) and _is_plenty(w, country):
        old = [part for part in seen.parts(w, country) if w.part(part).farm == country and w.part(part).farmed]
        farms = [part for part in old if not w.part(part).factories]
        yield from (od.Stop(what="farm", at=part) for part in reversed(farms))
    for part in seen.parts(w, country):
        for kind, mark in w.part(part).marks.items():
            is_old = mark.by == country and mark.grade <= mark.opened and mark.ship is None
            if is_old and (kind not in useful or is_dire) and is_worked(w, part, kind, mark):
                yield od.Stop(what=kind, at=part)


def _useful(w: World, country: str) -> list[str]:
    home = seen.home(w, country)
    return needed(w, country, home) if home else []


def working(w: World, country: str) -> Iterator[od.Order]:
    """Who stands where there is something to open opens it."""
    needs, wants, first = _needs_farm(w, country), _wants_more(w, country), _first(w, country)
    for part in seen.parts(w, country):
        if not seen.idle(w, country, part):
            continue
        if wants or _is_first(w, part, first):
            yield from (od.Develop(country=country, mark=kind, at=part) for kind in seen.gains(w, part))
        if seen.is_field(w, part) and (needs or (wants and not w.part(part).farmed)):
            yield od.Farm(country=country, squares=(part,))


def _first(w: World, country: str) -> Sequence[str]:
    """What is opened at once: works of a short game run on wood, those of a long one on all that they use."""
    return FIRST if seen.is_short(w) else _useful(w, country)


def _is_first(w: World, part: str, first: Sequence[str]) -> bool:
    return any(kind in first and kind not in w.part(part).marks for kind in w.map.marks.get(part, {}))


def settling(w: World, country: str) -> Iterator[od.Order]:
    """From cities to fields and mines that nobody is at; on the last turn, and through a long game, from everywhere."""
    needs, wants = _needs_farm(w, country), _wants_more(w, country)
    if not needs and not wants:
        return
    home = seen.home(w, country)
    own, theirs, first = seen.cities(w, country), seen.cities_of_others(w, country), _first(w, country)
    spared = _spared(w, country, home)
    for place in _starts(w, country, home, needs=needs):
        goals = []
        for part, far in seen.near(w, country, place).items():
            is_ours = seen.is_last(w) or seen.is_ours(part, own, theirs)
            wanted = Wanted(
                needs=needs, wants=wants and part not in spared, is_ours=is_ours, is_first=_is_first(w, part, first)
            )
            value = _wish(w, country, part, far, wanted)
            if part != place and value:
                goals.append((-value, far, map_order(part), part))
        for _, _, _, part in sorted(goals)[:8]:
            yield od.Move(country=country, kind="worker", count=1, start=place, way=(part,))


def _starts(w: World, country: str, home: str | None, *, needs: bool) -> Iterator[str]:
    kept = 0 if needs or seen.is_last(w) or seen.is_short(w) else PORTERS
    if home is not None and seen.spare(w, country, home) > kept:
        yield home
    if seen.is_last(w):
        for part in seen.parts(w, country):
            if part != home and (seen.spare(w, country, part) > 0 or _may_leave(w, country, part)):
                yield part
    elif not seen.is_short(w):
        others = [part for part in seen.parts(w, country) if part != home]
        yield from (part for part in others if _is_fresh(w, country, part) and seen.spare(w, country, part) > 0)
        near = seen.near(w, country, home) if home is not None and not _is_plenty(w, country) else {}
        yield from (part for part in others if near.get(part, FAR) >= FAR and _may_leave(w, country, part))


def _is_fresh(w: World, country: str, part: str) -> bool:
    """Nobody there has moved in this slot."""
    return not any(crew.used for crew in w.held(part, country).crews)


def _may_leave(w: World, country: str, part: str) -> bool:
    """A farmer whose field has brought its EDU goes on to another."""
    crews = [crew for crew in w.held(part, country).crews if crew.kind == "worker"]
    found = w.part(part)
    tasks = {task for crew in crews for task in crew.tasks}
    return len(crews) == 1 and tasks <= {"farm"} and found.farmed and not crews[0].used


class Wanted(NamedTuple):
    """What there is a wish for, of a part."""

    needs: bool  # more food
    wants: bool  # more EDU
    is_ours: bool
    is_first: bool  # works run on what it yields


def _wish(w: World, country: str, part: str, far: Fraction, wanted: Wanted) -> int:
    """How much somebody is wanted there; 0: not."""
    if seen.others_there(w, country, part) or not is_free(w, country, part) or seen.idle(w, country, part):
        return 0
    field, gain = seen.is_field(w, part), seen.gain(w, part)
    if gain and wanted.is_ours and wanted.is_first:
        return 100
    if wanted.needs and field:
        return max(8, 60 - 4 * int(far) - 3 * len(w.map.marks.get(part, {})) - 2 * bool(w.part(part).farmed))
    if wanted.wants and wanted.is_ours:
        return gain or 3 * _new_field(w, part)
    return 0


# -- carrying ---


def hauling(w: World, country: str) -> Iterator[od.Order]:
    """Somebody goes out, and who has mined carries home what the works use."""
    home = seen.home(w, country)
    if home is None:
        return
    porters = seen.spare(w, country, home) if seen.is_short(w) else seen.rested(w, country, home)
    wanted = [good for good in needed(w, country, home) if w.held(home, country).amount(good) < STOCK]
    machines = [] if seen.is_short(w) or w.held(home, country).amount("cmx") >= MACHINES else ["cmx"]
    for part in seen.parts(w, country):
        is_left = machines and not w.part(part).works and seen.idle(w, country, part)
        cargo = _cargo(w, country, part, [*machines, *wanted] if is_left else wanted)
        if part == home or not cargo or w.part(part).city:
            continue
        if seen.idle(w, country, part):
            yield od.Move(country=country, kind="worker", count=1, start=part, way=(home,), cargo=cargo)
        elif porters > 0:
            yield od.Move(country=country, kind="worker", count=1, start=home, way=(part,))


def _cargo(w: World, country: str, part: str, wanted: list[str]) -> tuple[od.Item, ...]:
    room, cargo, held = LOAD, [], w.held(part, country)
    for good in wanted:
        count = min(room, int(held.amount(good)))
        if count:
            cargo.append(od.Item(good, count))
            room -= count
    return tuple(cargo)
