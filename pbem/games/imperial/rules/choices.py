"""The answers that a question offers, as a tree: everything a person would point at on the board."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import groupby

from pbem.core.choice import Choice, Step
from pbem.core.decision import Decision
from pbem.games.imperial.notation.write import write, write_bond
from pbem.games.imperial.rules import orders as od
from pbem.games.imperial.rules.battle import able_to_fight, targets
from pbem.games.imperial.rules.board import Nation, Region, Unit
from pbem.games.imperial.rules.economy import affordable_units, short_works
from pbem.games.imperial.rules.investor import purchases, purchases_in
from pbem.games.imperial.rules.possible import building_sites, landings, legal_spaces, near, units_of, waiting
from pbem.games.imperial.rules.questions import space_word
from pbem.games.imperial.rules.resolution import Resolution
from pbem.games.imperial.rules.routes import reach
from pbem.games.imperial.rules.state import AwaitBattle, AwaitBid, AwaitInvest, Maneuver, at
from pbem.games.imperial.rules.turn import price_of

_LINE = "\n  "


def choices(resolution: Resolution, decision: Decision) -> Step:
    """The answers to one question; of a maneuver each way that may be open, though another of its lines may shut it."""
    match decision.kind:
        case "turn":
            return _turn(resolution, Nation(decision.about or ""))
        case "battle":
            return _whole(_battle(resolution, Nation(decision.about or "")))
        case "swiss":
            return _whole([od.Force(), od.LetPass()])
        case _:
            return Step(of=tuple(_bonds(resolution, decision)), before="")


def _whole(orders: Iterable[od.Order]) -> Step:
    """One of these orders."""
    return Step(of=tuple(Choice(text=write(order)) for order in orders), before="")


def _battle(resolution: Resolution, nation: Nation) -> Iterator[od.Order]:
    question = resolution.state.agenda[0]
    assert isinstance(question, AwaitBattle), "a battle question is open"
    able = {unit: able_to_fight(resolution.state, question, nation, unit) for unit in ("army", "fleet")}
    kinds: list[Unit | None] = [None, "army", "fleet"] if all(able.values()) else [None]
    for unit in kinds:
        most = min(question.movers, able[unit] if unit else sum(able.values()))
        yield from (od.Fight(pairs=pairs, unit=unit, nation=nation) for pairs in range(1, most + 1))
    yield od.Peace()


def _bonds(resolution: Resolution, decision: Decision) -> Iterator[Choice]:
    question = resolution.state.agenda[0]
    if isinstance(question, AwaitBid):
        found = (bond for bond in purchases_in(resolution, decision.seat, question.nation) if bond.back is None)
        yield from _by_nation("bid", found)
        yield Choice(text=write(od.Bid()), key="none")
        return
    assert isinstance(question, AwaitInvest), "somebody is asked to invest"
    yield from _by_nation("invest", purchases(resolution, decision.seat, question.only))
    yield Choice(text=write(od.Invest(choices=())), key="none")


def _by_nation(word: str, found: Iterable[od.Purchase]) -> Iterator[Choice]:
    for nation, bonds in groupby(found, key=lambda bond: bond.nation):
        of = tuple(Choice(text=write_bond(bond), key=bond_key(bond), cost=bond.cost) for bond in bonds)
        yield Choice(text=f"{word} {nation}", key=nation, then=(Step(of=of),))


def bond_key(bond: od.Purchase) -> str:
    """What a bond is called among the choices."""
    return f"{bond.nation} {bond.back or ''}-{bond.price}"


# -- a turn ---


def _turn(resolution: Resolution, nation: Nation) -> Step:
    under_way = resolution.state.agenda[0]
    if isinstance(under_way, Maneuver):
        return Step(of=(_space(resolution, nation, "maneuver", under_way, 0),), before="")
    prices = {s: price_of(resolution, resolution.state.rondel[nation], s) for s in legal_spaces(resolution, nation)}
    begun = Maneuver(nation=nation)
    return Step(of=tuple(_space(resolution, nation, s, begun, price) for s, price in prices.items()), before="")


def _space(resolution: Resolution, nation: Nation, space: str, maneuver: Maneuver, price: int) -> Choice:
    word = space_word(resolution, nation, space)
    works = (*_works(resolution, nation, space, maneuver),)
    return Choice(text=f"{nation}: {word}", key=space, cost=price, then=works)


def _works(resolution: Resolution, nation: Nation, space: str, maneuver: Maneuver) -> Iterator[Step]:
    match space.rstrip("_12"):
        case "factory":
            cost = resolution.edition.factory_cost
            sites = (_place(r, r, cost=cost, payer=nation) for r in building_sites(resolution, nation))
            yield Step(of=tuple(sites), least=0, none=" none")
        case "production":
            short = tuple(_place(region, region) for region in short_works(resolution, nation))
            if short:
                yield Step(of=short, least=0, most=len(short), before=" at ")
        case "import":
            most = affordable_units(resolution, nation)
            yield Step(of=tuple(_imports(resolution, nation, most)), least=0, most=most, none=" none")
        case "maneuver":
            pieces = tuple(_pieces(resolution, maneuver))
            count = sum(piece.times for piece in pieces)
            yield Step(of=pieces, least=0, most=count, before=_LINE, between=_LINE, none=" none")
        case _:
            pass


def _place(text: str, region: Region, *, cost: int = 0, payer: str = "") -> Choice:
    return Choice(text=text, key=region, at=region, cost=cost, payer=payer)


def _imports(resolution: Resolution, nation: Nation, most: int) -> Iterator[Choice]:
    kinds: tuple[tuple[Unit, str], ...] = (("army", "A"), ("fleet", "F"))
    price = resolution.edition.import_.price
    for unit, letter in kinds:
        times = min(most, resolution.supply(nation, unit))
        for region in landings(resolution, nation, unit) if times else ():
            text = f"{letter} {region}"
            yield Choice(text=text, key=text, at=region, times=times, cost=price, payer=nation)


# -- a maneuver ---


def _pieces(resolution: Resolution, task: Maneuver) -> Iterator[Choice]:
    """The pieces that have not moved, fleets first, and the factories that those who are near could destroy."""
    nation, seas = task.nation, _open_seas(resolution, task)
    near_by: Counter[Region] = Counter()
    for unit, region in dict.fromkeys(units_of(resolution, nation)):
        by_sea = unit == "fleet"
        ends = (*(near(resolution, nation, unit, region) if by_sea else reach(resolution, nation, region, seas)),)
        stacks = waiting(resolution, task, unit, region)
        count = sum(stack for _, stack in stacks)
        near_by.update(dict.fromkeys((region, *ends), count) if not by_sea else {})
        for leaving, times in [(None, count), *(stack for stack in stacks if stack[0] == "hostile")]:
            if times:
                yield _piece(resolution, nation, unit, region, leaving, times, ends)
    for region in resolution.board.sorted(near_by):
        if _could_destroy(resolution, nation, region, near_by[region]):
            yield _place(f"destroy {region}", region)


def _open_seas(resolution: Resolution, task: Maneuver) -> set[Region]:
    """Where a fleet that has not carried stands, or may sail before the armies move."""
    fleets = {region for unit, region in units_of(resolution, task.nation) if unit == "fleet"}
    sailing = {r for r in fleets if waiting(resolution, task, "fleet", r)}
    there = {end for region in sailing for end in near(resolution, task.nation, "fleet", region)}
    free = {r for r in fleets if at(resolution.state.fleets, r, task.nation) > task.carried.get(r, 0)}
    return {region for region in there | free if resolution.board.is_sea(region)}


def _piece(
    resolution: Resolution,
    nation: Nation,
    unit: Unit,
    region: Region,
    leaving: od.Status | None,
    count: int,
    ends: Iterable[Region],
) -> Choice:
    text = f"{'F' if unit == 'fleet' else 'A'} {region}{f' {leaving}' if leaving else ''}"
    goes = [_going(resolution, nation, unit, end) for end in ends]
    stays = [*_staying(resolution, nation, unit, region)]
    return Choice(text=text, key=text, at=region, times=count, then=(Step(of=(*goes, *stays)),))


def _going(resolution: Resolution, nation: Nation, unit: Unit, end: Region) -> Choice:
    ways = [Choice(text="hostile", key="hostile"), Choice(text="friendly", key="friendly")]
    foreign = unit == "army" and resolution.board.is_foreign(end, nation)
    attacks = tuple(_attacks(resolution, nation, unit, end))
    then = [Step(of=tuple(ways))] if foreign else []
    then += [Step(of=attacks, least=0)] if attacks else []
    return Choice(text=f"- {end}", key=end, at=end, then=tuple(then))


def _staying(resolution: Resolution, nation: Nation, unit: Unit, region: Region) -> Iterator[Choice]:
    """A change of status, or a fight where it stands."""
    if unit == "army" and resolution.board.is_foreign(region, nation) and resolution.edition.options.status_change:
        state = resolution.state
        for status, others in (("hostile", state.friendly), ("friendly", state.armies)):
            if at(others, region, nation):
                yield Choice(text=status, key=status, at=region)
    yield from _attacks(resolution, nation, unit, region)


def _attacks(resolution: Resolution, nation: Nation, unit: Unit, region: Region) -> Iterator[Choice]:
    for foe in resolution.board.nations:
        counts = targets(resolution, unit, region, foe) if foe != nation else (0, 0)
        for kind, count in zip(("army", "fleet"), counts, strict=True):
            if count:
                yield Choice(text=f"attack {foe} {kind}", key=f"attack {foe} {kind}")


def _could_destroy(resolution: Resolution, nation: Nation, region: Region, armies: int) -> bool:
    foreign = resolution.board.is_foreign(region, nation) and region in resolution.state.factories
    return foreign and armies >= resolution.edition.destroyers and not resolution.last_free_factory(region)
