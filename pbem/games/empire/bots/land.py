"""Fields and mines: who works there, and what is opened when."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from typing import NamedTuple

from pbem.games.empire.bots import seen
from pbem.games.empire.bots.industry import needed
from pbem.games.empire.rules import orders as od
from pbem.games.empire.rules.economy.developing import is_worked, row
from pbem.games.empire.rules.people.entering import is_free
from pbem.games.empire.rules.people.working import at_task
from pbem.games.empire.rules.state import Mark
from pbem.games.empire.rules.world import World

PLENTY = 80  # EDU that a slot should bring: confidence follows it …
ENOUGH = 62  # … and in the last turns
LATE = 6  # turns left in which some of the squares are kept for the last one, which must not end in inflation:
KEPT = 70  # EDU of squares never opened
SPARE = 3  # food beyond what everybody eats
SEED = 10  # food for farmers who go on to other fields
PILE = 10  # food more than that: farms may end
AMPLE = 8  # margin above which more is invested
SAFE = 6  # margin below which investment ends
DIRE = 4  # margin below which mines end, too
LITTLE = 3  # of a good: mines go on
DAILY = {"wood": 3, "iron": 2, "coal": 2, "oil": 1}  # what the works use in a turn
NO_MARK = Mark()


@seen.once
def needs_farm(w: World, country: str) -> bool:
    if seen.is_last(w):
        return False
    return seen.surplus(w, country) < _kept(w, country)


@seen.once
def _kept(w: World, country: str) -> int:
    """Food beyond what is eaten: for beer, and for seed where farmers go on to other fields."""
    return SPARE + SEED + seen.breweries(w, country)


@seen.once
def _wants_more(w: World, country: str) -> bool:
    """Squares are opened evenly over the turns, in the end but for those that the last turn opens."""
    if seen.is_last(w):
        return True
    expected, fresh, left = seen.expected_edu(w, country), seen.fresh_edu(w, country), seen.turns_left(w)
    store = _store(w, country) + fresh
    if left > LATE:
        return (expected < PLENTY and fresh < store / left) or _is_odd(w, country)
    return expected < ENOUGH and fresh < (store - KEPT) / (left - 1)


def _is_odd(w: World, country: str) -> bool:
    """Confidence counts half of what EDU changes by, rounded down: one more field makes it even."""
    return bool((seen.expected_edu(w, country) - w.country(country).edu) % 2)


@seen.once
def is_ours(w: World, country: str, part: str) -> bool:
    home = seen.home(w, country)
    return home is None or seen.is_nearest(part, home, seen.cities_of_others(w, country))


@seen.once
def _store(w: World, country: str) -> int:
    """EDU of the squares that nobody opened and that lie nearest to its home."""
    home = seen.home(w, country)
    goals = seen.around(w, home) if home is not None else ()
    return sum(value for part in goals if (value := _value(w, country, part)) and is_ours(w, country, part))


def _value(w: World, country: str, part: str) -> int:
    value = seen.gain(w, part) + (is_new_field(w, part) and w.tables.development["farm"].edu)
    if not value or seen.others_there(w, country, part) or not is_free(w, country, part):
        return 0
    return value


def is_new_field(w: World, part: str) -> bool:
    return seen.is_field(w, part) and not w.part(part).farmed


# -- who stands there ---


def resuming(w: World, country: str) -> Iterator[od.Order]:
    """Who came in the place of a miner or farmer takes up the work."""
    needs, margin = needs_farm(w, country), seen.margin(w, country)
    for part in seen.parts(w, country):
        if seen.idle(w, country, part):
            found = w.part(part)
            for kind, mark in found.marks.items():
                is_left = mark.by == country and not is_worked(w, part, kind, mark)
                if is_left and margin - row(w, kind, mark.grade).investment >= _floor(w, country, kind):
                    yield od.Develop(country=country, mark=kind, at=part)
            is_manned = at_task(w, country, part, "farm")
            if found.farm == country and not is_manned and (needs or found.factories or can_invest(w, country)):
                yield od.Farm(country=country, squares=(part,))


def stopping(w: World, country: str) -> Iterator[od.Order]:
    """Investment that nobody needs ends before it makes inflation."""
    margin = seen.margin(w, country)
    for part in seen.parts(w, country):
        for kind, mark in w.part(part).marks.items():
            is_old = mark.by == country and mark.grade <= mark.opened and mark.ship is None
            if is_old and margin < _floor(w, country, kind) and is_worked(w, part, kind, mark):
                yield od.Stop(what=kind, at=part)
        if margin < SAFE and _is_idle_farm(w, country, part):
            yield od.Stop(what="farm", at=part)


def _floor(w: World, country: str, kind: str) -> float:
    """The margin below which a mine ends; what the works use goes on longest, for inflation would stop half of it."""
    home = seen.home(w, country)
    is_used = home is not None and kind in needed(w, country, home)
    if home is None or not is_used:
        return SAFE
    return DIRE if w.held(home, country).amount(kind) >= LITTLE else 0


def _is_idle_farm(w: World, country: str, part: str) -> bool:
    """Has it brought its EDU, and is there food enough without it?"""
    found = w.part(part)
    is_old = found.farm == country and found.farmed and not found.factories and at_task(w, country, part, "farm") > 0
    return is_old and not seen.is_last(w) and seen.surplus(w, country) > _kept(w, country) + PILE


@seen.once
def can_invest(w: World, country: str) -> bool:
    """Are squares worked that bring no EDU, too? Investment counts as long as it makes no inflation."""
    return seen.margin(w, country) > AMPLE


class Wish(NamedTuple):
    """What there is a wish for."""

    food: bool
    edu: bool
    firsts: Collection[str]  # kinds of mines
    more: bool  # Investment


@seen.once
def wish(w: World, country: str) -> Wish:
    return Wish(needs_farm(w, country), _wants_more(w, country), _firsts(w, country), can_invest(w, country))


def working(w: World, country: str) -> Iterator[od.Order]:
    """Who stands where there is something to open opens it."""
    wanted, home = wish(w, country), seen.home(w, country)
    for part in seen.parts(w, country):
        if not seen.idle(w, country, part) or (part == home and not seen.is_last(w)):
            continue
        if wanted.edu:
            yield from (od.Develop(country=country, mark=kind, at=part) for kind in seen.gains(w, part))
            kinds = wanted.firsts if is_first(w, country, part) else ()
            yield from (od.Develop(country=country, mark=kind, at=part) for kind in kinds if _lies_idle(w, part, kind))
        if seen.is_field(w, part) and (wanted.food or wanted.more or (wanted.edu and not w.part(part).farmed)):
            yield od.Farm(country=country, squares=(part,))


def _lies_idle(w: World, part: str, kind: str) -> bool:
    return kind in w.map.marks.get(part, {}) and w.part(part).marks.get(kind, NO_MARK).by is None


def is_first(w: World, country: str, part: str) -> bool:
    """Is there something that works run on, and from where it is carried home?"""
    home = seen.home(w, country)
    is_near = home is not None and part in seen.near(w, country, home)
    return is_near and any(_lies_idle(w, part, kind) for kind in _firsts(w, country))


@seen.once
def _firsts(w: World, country: str) -> Collection[str]:
    """What works run on, as far as too little of it is mined: opened before anything else."""
    if w.state.turn == 1 or not _wants_more(w, country):
        return []
    mined = _mined(w, country)
    return [kind for kind, much in DAILY.items() if mined.get(kind, 0) < much]


@seen.once
def _mined(w: World, country: str) -> Mapping[str, int]:
    """Grades of what it is at and can carry home, by kind."""
    home, found = seen.home(w, country), dict[str, int]()
    near = seen.near(w, country, home) if home is not None else {}
    for name, part in w.parts.items():
        for kind, mark in part.marks.items():
            if mark.by == country and name in near:
                found[kind] = found.get(kind, 0) + mark.grade
    return found
