"""Who goes where there is something to open, or to farm."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import NamedTuple

from pbem.games.empire.bots import land, seen
from pbem.games.empire.geography.grid import distance, map_order, square_of
from pbem.games.empire.rules import orders as od
from pbem.games.empire.rules.ground.ways import reach
from pbem.games.empire.rules.people.entering import is_free
from pbem.games.empire.rules.world import World

MINE = 12  # EDU that opening one brings at most


def settling(w: World, country: str) -> Iterator[od.Order]:
    """From cities to fields and mines that nobody is at; farmers go on where that brings EDU."""
    home = seen.home(w, country)
    for place in _starts(w, country, home):
        goals = []
        for part, far in seen.within_reach(w, country, place).items():
            if part != place and (value := _value_of(w, country, part, far)):
                goals.append((-value, far, map_order(part), part))
        for _, _, _, part in [goal for goal in sorted(goals)[:8] if _is_supplied(w, country, goal[3])]:
            yield od.Move(country=country, kind="worker", count=1, start=place, way=(part,))


def returning(w: World, country: str) -> Iterator[od.Order]:
    """Who had to eat from afar comes home, or nearer to it: a second time they would die of it (E10.10)."""
    home = seen.home(w, country)
    if home is None:
        return

    def far(part: str) -> int:
        return distance(square_of(part), square_of(home))

    for part in seen.parts(w, country):
        if any(crew.kind == "worker" and crew.hungry for crew in w.held(part, country).crews):
            nearer = [goal for goal in seen.within_reach(w, country, part) if far(goal) < far(part)]
            for goal in sorted(nearer, key=lambda each: (far(each), map_order(each)))[:3]:
                yield od.Move(country=country, kind="worker", count=1, start=part, way=(goal,))


@seen.once
def _is_supplied(w: World, country: str, part: str) -> bool:
    """Does food of its own lie within reach, or grow there?"""
    far = reach(w, "worker", part, Fraction(w.tables.supply["range"]), lambda _: True)
    return not seen.larders(w, country).isdisjoint(far)


def _starts(w: World, country: str, home: str | None) -> Iterator[str]:
    """Where somebody may set out from; from home first, but where all that is wanted is EDU."""
    wish = land.wish(w, country)
    able = [home] if home is not None and seen.spare(w, country, home) > 0 else []
    if wish.firsts or wish.food or wish.more or seen.is_last(w):
        yield from able
    if wish.food or wish.edu or wish.more:
        is_fed = seen.is_last(w) or (wish.edu and not wish.food and seen.food(w, country) > land.SPARE)
        for part in seen.parts(w, country):
            if part != home and (seen.spare(w, country, part) > 0 or (is_fed and _may_leave(w, country, part))):
                yield part
    yield from able


def _may_leave(w: World, country: str, part: str) -> bool:
    """A farmer whose field has brought its EDU goes on to another; on the last turn miners, too."""
    crews = [crew for crew in w.held(part, country).crews if crew.kind == "worker"]
    if len(crews) != 1 or crews[0].count != 1 or crews[0].used:
        return False
    if seen.is_last(w):
        return all(_is_done(w, part, task) for task in crews[0].tasks)
    return {*crews[0].tasks} <= {"farm"} and w.part(part).farmed and not w.part(part).factories


def _is_done(w: World, part: str, task: str) -> bool:
    """Has it brought its EDU?"""
    found = w.part(part)
    mark = found.marks.get(task)
    return found.farmed if task == "farm" else mark is not None and mark.opened >= mark.grade


def _value_of(w: World, country: str, part: str, far: Fraction) -> int:
    """How much somebody is wanted there; 0: not."""
    wish, offer = land.wish(w, country), _offer(w, country, part)
    if not any(offer):
        return 0
    is_ours = seen.is_last(w) or land.is_ours(w, country, part)
    if offer.is_first and is_ours:
        return 100
    if wish.food and offer.field:
        return max(8, 60 - 4 * int(far) - 3 * len(w.map.marks.get(part, {})) - 2 * bool(w.part(part).farmed))
    field = w.tables.development["farm"].edu if land.is_new_field(w, part) else 0
    if wish.edu and is_ours and not seen.is_last(w):
        return MINE + field if field and not offer.gain else min(offer.gain, MINE)  # mines are kept for the last turn
    if wish.edu and is_ours and (offer.gain or field):
        return offer.gain or field
    return 1 if wish.more and offer.field and w.part(part).farmed else 0


class Offer(NamedTuple):
    """What a part has for somebody who comes."""

    field: bool = False
    gain: int = 0  # EDU
    is_first: bool = False


@seen.once
def _offer(w: World, country: str, part: str) -> Offer:
    offer = Offer(seen.is_field(w, part), seen.gain(w, part), land.is_first(w, country, part))
    if not any(offer) or seen.idle(w, country, part) or seen.others_there(w, country, part):
        return Offer()
    return offer if is_free(w, country, part) else Offer()
