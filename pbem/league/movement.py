"""Who goes up and down between the divisions, and how the next season's are cut out of the order."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from pbem.core.refusal import Illegal
from pbem.league.rounds import Pair, pair

Levels = Sequence[Sequence[int]]  # people, the best first; the top division first


def moved(levels: Levels, borders: Sequence[int], gone: Collection[int], new: Sequence[int]) -> list[list[int]]:
    """The divisions of the next season; all above the lowest keep their sizes while there is anybody below.

    Over the border below a division so many go up as `borders` says, and as many down. Each place that is free is
    filled in turn: the first by sparing the best of those who would go down, the second by lifting one more, and so
    on; when nobody is left to spare, by lifting. New people enter at the bottom.
    """
    stay = [[person for person in level if person not in gone] for level in levels]
    above: list[list[int]] = []
    for number, swap in enumerate(borders[: len(levels) - 1]):
        size = len(levels[number])
        up = _lifted(stay[number + 1 :], swap + _more(size - len(stay[number]), swap))
        down = max(0, len(stay[number]) + len(up) - size)
        keep = len(stay[number]) - down
        fallen = stay[number][keep:]
        above.append([*stay[number][:keep], *up])
        stay[number + 1 :] = [[person for person in level if person not in up] for level in stay[number + 1 :]]
        stay[number + 1] = [*fallen, *stay[number + 1]]
    return [*above, [*stay[-1], *new]]


def _more(free: int, swap: int) -> int:
    """How many of the free places are filled by lifting: every second one, and all when nobody is left to spare."""
    spared = min((free + 1) // 2, swap)
    return free - spared


def _lifted(below: Levels, wanted: int) -> list[int]:
    return [person for level in below for person in level][:wanted]


def cut(order: Sequence[int], divisions: Sequence[Sequence[int]]) -> list[list[int]]:
    """The order from the top to the last newcomer, cut into divisions by the sizes of their groups."""
    people = iter(order)
    return [[next(people) for _ in range(sum(groups))] for groups in divisions]


def snake(order: Sequence[int], groups: Sequence[int]) -> list[list[int]]:
    """The people of a division dealt into its groups: 1 2 3 3 2 1 …, a full group is passed over."""
    dealt: list[list[int]] = [[] for _ in groups]
    people, turn = iter(order), [*range(len(groups))]
    left = len(order)
    while left:
        for number in turn:
            if left and len(dealt[number]) < groups[number]:
                dealt[number].append(next(people))
                left -= 1
        turn.reverse()
    return dealt


def parted(groups: Levels, order: Sequence[int], apart: Collection[Pair]) -> list[list[int]]:
    """The groups, without two who are kept apart in one of them.

    The later of the two in the order changes places with the nearest of another group. Raises `Illegal` with the pair
    where no exchange parts them.
    """
    made = [[*group] for group in groups]
    place = {person: number for number, person in enumerate(order)}
    for _ in range(len(apart) + 1):
        clash = _clash(made, apart)
        if clash is None:
            return made
        later = max(clash, key=place.__getitem__)
        others = sorted((one for one in order if one not in clash), key=lambda one: abs(place[one] - place[later]))
        better = next(
            (each for each in (_exchanged(made, later, one) for one in others) if _parts(each, made, apart)), None
        )
        if better is None:
            raise Illegal("league.apart", people=clash)
        made = better
    raise Illegal("league.apart", people=_clash(made, apart))


def _clashes(groups: Levels, apart: Collection[Pair]) -> list[Pair]:
    home = {person: number for number, group in enumerate(groups) for person in group}
    return sorted(pair(*two) for two in apart if two[0] in home and home[two[0]] == home.get(two[1]))


def _clash(groups: Levels, apart: Collection[Pair]) -> Pair | None:
    return next(iter(_clashes(groups, apart)), None)


def _parts(groups: Levels, before: Levels, apart: Collection[Pair]) -> bool:
    return len(_clashes(groups, apart)) < len(_clashes(before, apart))


def _exchanged(groups: Levels, one: int, other: int) -> list[list[int]]:
    change = {one: other, other: one}
    return [[change.get(person, person) for person in group] for group in groups]
