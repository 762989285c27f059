"""The arithmetic of the rule books once more, over the state document alone.

Written from the words of the new edition (its pages are cited) and of the rulings, and sharing no code with
`pbem.games`: plain dictionaries in, plain numbers out. Only the map is the same file, for a map is no arithmetic.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from pathlib import Path
from typing import Any, NamedTuple

import yaml

BOARD = Path(__file__).parents[2] / "games" / "imperial" / "boards" / "europe.yaml"
Document = Mapping[str, Any]

# Bonds, p. 4 and 15; the scoring track and the tax chart, pp. 6 and 12.
INTEREST = {2: 1, 4: 2, 6: 3, 9: 4, 12: 5, 16: 6, 20: 7, 25: 8, 30: 9}
TAX_CHART = {5: 0, 6: 1, 7: 2, 8: 3, 9: 4, 10: 5, 11: 6, 12: 7, 13: 8, 14: 9, 15: 10}
FACTORS = [(25, 5), (20, 4), (15, 3), (10, 2), (5, 1), (0, 0)]
RONDEL = ["factory", "production_1", "maneuver_1", "investor", "import", "production_2", "maneuver_2", "taxation"]
TURN_ORDER = ["austria_hungary", "italy", "france", "great_britain", "germany", "russia"]


class Map(NamedTuple):
    """The board as its file has it."""

    home: Mapping[str, str]  # home province -> nation
    land: frozenset[str]  # where armies may be
    seas: Sequence[str]  # in the order of the file
    beside: Mapping[str, frozenset[str]]


def read_map() -> Map:
    page = yaml.safe_load(BOARD.read_text(encoding="utf-8"))
    home = {region: facts["nation"] for region, facts in page["home_provinces"].items()}
    beside: dict[str, set[str]] = {}
    for a, b in page["borders"]:
        beside.setdefault(a, set()).add(b)
        beside.setdefault(b, set()).add(a)
    return Map(
        home=home,
        land=frozenset([*home, *page["land_regions"]]),
        seas=page["sea_regions"],
        beside={region: frozenset(near) for region, near in beside.items()},
    )


MAP = read_map()


# -- what lies where ---


def hostile_in(document: Document, region: str) -> bool:
    """A hostile army stands upright in a home province of another nation (p. 10)."""
    owner = MAP.home[region]
    return any(
        facts["armies"].get(region, 0) > facts["friendly_armies"].get(region, 0)
        for nation, facts in document["nations"].items()
        if nation != owner
    )


def lent(document: Document, seat: str, nation: str) -> int:
    return sum(document["players"][seat]["bonds"].get(nation, []))


# -- Taxation, p. 12 ---


class Taxes(NamedTuple):
    revenue: int
    marker: int
    bonus: int  # to the government, from the bank
    points: int
    power: int
    income: int  # to the treasury, from the bank
    ends: bool


def taxation(document: Document, nation: str, *, money_first: bool) -> Taxes:
    facts = document["nations"][nation]
    unoccupied = [region for region in facts["factories"] if not hostile_in(document, region)]
    revenue = 2 * len(unoccupied) + len(facts["flags"])
    marker = 5 if revenue <= 5 else 15 if revenue >= 15 else revenue
    bonus = marker - facts["tax"] if marker > facts["tax"] else 0
    power = facts["power"] + TAX_CHART[marker]
    ends = power >= 25
    soldiers = sum(facts["armies"].values()) + sum(facts["fleets"].values())
    income = revenue - soldiers if revenue > soldiers else 0
    if ends and not money_first:
        income = 0  # the game is over before the third step
    return Taxes(revenue, marker, bonus, TAX_CHART[marker], 25 if ends else power, income, ends)


# -- Interest, p. 11; ruling R3 ---


class Payout(NamedTuple):
    received: Mapping[str, int]  # by seat, for bonds; the government's own interest included
    treasury: int  # what the treasury pays
    government: int  # what the government adds from its own cash
    covered: bool  # do all others get what they are due?


def interest_of(document: Document, seat: str, nation: str) -> int:
    return sum(INTEREST[bond] for bond in document["players"][seat]["bonds"].get(nation, []))


def interest(document: Document, nation: str, cash: int) -> Payout:
    """`cash` is what the government has left after the way on the rondel."""
    treasury, ruler = document["nations"][nation]["treasury"], document["nations"][nation]["government"]
    due = {seat: interest_of(document, seat, nation) for seat in document["players"]}
    others = sum(amount for seat, amount in due.items() if seat != ruler)
    own = due[ruler]
    if treasury >= others + own:  # enough for everybody
        return Payout(due, others + own, 0, True)
    if treasury >= others:  # the government turns down a part of its own interest
        return Payout({**due, ruler: treasury - others}, treasury, 0, True)
    missing = others - treasury  # it gets nothing, and takes on the rest from its personal cash
    return Payout({**due, ruler: 0}, treasury, min(missing, cash), missing <= cash)


# -- the rondel, p. 6 ---


def steps(before: str | None, space: str) -> int:
    if before is None:
        return 0
    way = RONDEL.index(space) - RONDEL.index(before)
    return way if way > 0 else way + 8


def price(before: str | None, space: str) -> int:
    return [0, 0, 0, 0, 2, 4, 6][steps(before, space)]


def touches_investor(before: str | None, space: str) -> bool:
    """Landed on, or passed; the first placement passes nothing (R7)."""
    if before is None or space == "investor":
        return space == "investor"
    here = RONDEL.index(before)
    walked = [RONDEL[(here + n) % 8] for n in range(1, steps(before, space))]
    return "investor" in walked


# -- the end, p. 6; ruling R25 ---


def factor(power: int) -> int:
    return next(number for least, number in FACTORS if power >= least)


def scores(document: Document) -> dict[str, int]:
    return {
        seat: player["cash"]
        + sum(
            INTEREST[bond] * factor(document["nations"][nation]["power"])
            for nation, bonds in player["bonds"].items()
            for bond in bonds
        )
        for seat, player in document["players"].items()
    }


def winners(document: Document) -> list[str]:
    """The most points; then the higher credit sum in the strongest nation, in the second strongest, and so on."""
    points = scores(document)
    best = [seat for seat in points if points[seat] == max(points.values())]
    left = list(TURN_ORDER)
    while left and len(best) > 1:
        power = [document["nations"][nation]["power"] for nation in left]
        strongest = left.pop(power.index(max(power)))
        sums = [lent(document, seat, strongest) for seat in best]
        best = [seat for seat, total in zip(best, sums, strict=True) if total == max(sums)]
    return sorted(best)


# -- governments, p. 12; ruling R6 ---


def governments(document: Document, clockwise: Sequence[str]) -> dict[str, str | None]:
    """Who governs at the end of an Investor turn; seats clockwise from the holder of the card."""
    after: dict[str, str | None] = {}
    for nation, facts in document["nations"].items():
        sums = {seat: lent(document, seat, nation) for seat in clockwise}
        sitting = facts["government"]
        highest = max(sums.values())
        if highest == 0 or (sitting is not None and sums[sitting] == highest):
            after[nation] = sitting
        else:
            after[nation] = next(seat for seat in clockwise if sums[seat] == highest)
    return after


# -- railway and convoy, pp. 9 and 10; rulings R14 and R15 ---


def rail_net(document: Document, nation: str, region: str) -> set[str]:
    """Everything the trains of a nation reach from here, this place included."""

    def runs(place: str) -> bool:
        return MAP.home.get(place) == nation and not hostile_in(document, place)

    net = {region}
    while runs(region):
        more = {near for here in net for near in MAP.beside[here] if near not in net and runs(near)}
        if not more:
            break
        net |= more
    return net


class Ways(NamedTuple):
    """How an army gets from one place to another."""

    by_rail: bool
    by_land: bool
    by_sea: Sequence[tuple[str, ...]]  # every convoy there is, as the seas in sailing order

    def chosen(self) -> tuple[str, ...] | None:
        """Land before sea, then the fewest fleets, then the board's order, sea by sea; None: no way at all."""
        if self.by_rail or self.by_land:
            return ()
        return min(self.by_sea, key=lambda seas: (len(seas), [MAP.seas.index(sea) for sea in seas]), default=None)


def ways(document: Document, nation: str, origin: str, target: str, fleets: Mapping[str, int]) -> Ways:
    """`fleets` are those at sea that have carried nobody."""
    if origin == target or target not in MAP.land:
        return Ways(False, False, ())
    starts, ends = rail_net(document, nation, origin), rail_net(document, nation, target)
    land = any(end in MAP.beside[start] for start in starts for end in ends)
    return Ways(target in starts, land, tuple(_convoys(starts, ends, fleets)))


def _convoys(starts: set[str], ends: set[str], fleets: Mapping[str, int]) -> Iterator[tuple[str, ...]]:
    """Every chain of different seas with a fleet in each, from a coast here to a coast there: all are tried."""
    ready = [sea for sea in MAP.seas if fleets.get(sea, 0) > 0]
    chains = deque((sea,) for sea in ready if any(sea in MAP.beside[start] for start in starts))
    while chains:
        chain = chains.popleft()
        if any(chain[-1] in MAP.beside[end] for end in ends):
            yield chain
        chains.extend((*chain, sea) for sea in ready if sea not in chain and sea in MAP.beside[chain[-1]])


def one_by_one(
    document: Document, nation: str, origin: str, target: str, fleets: Mapping[str, int], armies: int
) -> list[tuple[str, ...]] | None:
    """The seas each of several armies takes, one after the other, every fleet for one army; None: one is left behind."""
    left, taken = dict(fleets), []
    for _ in range(armies):
        seas = ways(document, nation, origin, target, left).chosen()
        if seas is None:
            return None
        for sea in seas:
            left[sea] -= 1
        taken.append(seas)
    return taken


def together(document: Document, nation: str, origin: str, target: str, fleets: Mapping[str, int], armies: int) -> bool:
    """Is there any assignment of fleets at all that takes so many armies there?"""
    found = ways(document, nation, origin, target, fleets)
    if found.by_rail or found.by_land:
        return True
    return any(
        all(sum(sea in seas for seas in choice) <= count for sea, count in fleets.items())
        for choice in product(found.by_sea, repeat=armies)
    )
