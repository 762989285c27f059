"""What somebody has in a part or aboard: goods, each with the BTA it has used, and people.

Pure: each function gives what is then there.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from typing import TypeAlias

from msgspec import Struct
from msgspec.structs import replace

NOTHING = Fraction(0)
OFFICIALS = ("governor", "ambassador")


class Crew(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """So many people alike."""

    kind: str = "worker"  # worker governor ambassador
    count: int = 1
    used: Fraction = NOTHING  # BTA, in this game turn
    tasks: tuple[str, ...] = ()  # over the end: marks, `farm`, `AA`, `canal`, `work 2`
    job: bool = False  # done in this slot: ran a factory, destroyed
    hungry: int = 0  # slots running out of supply
    thirsty: int = 0
    stayed: bool = False  # in a hostile SAC's zone when its owner last rolled out


Lot: TypeAlias = tuple[Fraction, Fraction]  # BTA used, and how much has used it


class Held(Struct, frozen=True, kw_only=True, omit_defaults=True):
    goods: Mapping[str, tuple[Lot, ...]] = {}  # least used first
    crews: tuple[Crew, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.goods or self.crews)

    def amount(self, good: str) -> Fraction:
        return sum((amount for _, amount in self.goods.get(good, ())), NOTHING)

    def people(self, *kinds: str) -> int:
        return sum(crew.count for crew in self.crews if not kinds or crew.kind in kinds)

    @property
    def workers(self) -> int:
        return self.people("worker")


EMPTY = Held()


def put(held: Held, good: str, amount: Fraction | int, used: Fraction = NOTHING) -> Held:
    if not amount:
        return held
    lots = dict(held.goods.get(good, ()))
    lots[used] = lots.get(used, NOTHING) + amount
    return replace(held, goods={**held.goods, good: tuple(sorted(lots.items()))})


def taken(held: Held, good: str, amount: Fraction | int) -> tuple[Held, list[Lot]]:
    """Those with most BTA left first. There must be enough."""
    wanted, left, got = Fraction(amount), [], []
    for used, there in held.goods.get(good, ()):
        part = min(there, wanted)
        wanted -= part
        if part:
            got.append((used, part))
        if there - part:
            left.append((used, there - part))
    assert not wanted, f"there is not enough {good}"
    goods = {**held.goods, good: tuple(left)}
    if not left:
        del goods[good]
    return replace(held, goods=goods), got


def put_lots(held: Held, good: str, lots: list[Lot]) -> Held:
    for used, amount in lots:
        held = put(held, good, amount, used)
    return held


def joined(held: Held, crew: Crew) -> Held:
    """With these people; those alike are one crew."""
    if not crew.count:
        return held
    crews = list(held.crews)
    for place, other in enumerate(crews):
        if replace(other, count=crew.count) == crew:
            crews[place] = replace(other, count=other.count + crew.count)
            return replace(held, crews=tuple(crews))
    return replace(held, crews=tuple(sorted([*crews, crew], key=_order)))


def without(held: Held, crew: Crew) -> Held:
    """Without these people; they must be there."""
    for place, other in enumerate(held.crews):
        if replace(other, count=crew.count) == crew and other.count >= crew.count:
            left = replace(other, count=other.count - crew.count)
            rest = (left,) if left.count else ()
            return replace(held, crews=(*held.crews[:place], *rest, *held.crews[place + 1 :]))
    raise AssertionError(f"{crew} is not there")


def chosen(held: Held, count: int, kind: str, fits: Callable[[Crew], bool] = lambda _: True) -> list[Crew]:
    """So many of them, fewer when there are fewer: most BTA left first, then those without task, then without job."""
    crews: list[Crew] = []
    able = [crew for crew in held.crews if crew.kind == kind and fits(crew)]
    for crew in sorted(able, key=lambda each: (each.used, bool(each.tasks), each.job, each.stayed)):
        part = min(crew.count, count)
        count -= part
        if part:
            crews.append(replace(crew, count=part))
    return crews


def changed(held: Held, crews: list[Crew], **fields: object) -> Held:
    """These people, who are there, with other fields."""
    for crew in crews:
        held = joined(without(held, crew), replace(crew, **fields))
    return held


def every_crew(held: Held, change: Callable[[Crew], Crew]) -> Held:
    new = replace(held, crews=())
    for crew in held.crews:
        new = joined(new, change(crew))
    return new


def both(one: Held, other: Held) -> Held:
    for good, lots in other.goods.items():
        one = put_lots(one, good, list(lots))
    for crew in other.crews:
        one = joined(one, crew)
    return one


def amounts(held: Held) -> Iterator[tuple[str, Fraction]]:
    for good in held.goods:
        yield good, held.amount(good)


def _order(crew: Crew) -> tuple[object, ...]:
    return crew.kind, crew.used, crew.tasks, crew.job, crew.hungry, crew.thirsty, crew.stayed
