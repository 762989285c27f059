"""The answers that a question offers, as a tree: everything a person would point at on the board."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby

from pbem.core.choice import Choice, Step
from pbem.core.decision import Decision
from pbem.games.imperial.notation.write import write, write_bond
from pbem.games.imperial.rules import orders as od
from pbem.games.imperial.rules.economy import affordable_units, made_at, short_works
from pbem.games.imperial.rules.investor import purchases, purchases_in
from pbem.games.imperial.rules.legal import fights
from pbem.games.imperial.rules.maneuver_choices import lines
from pbem.games.imperial.rules.places import Nation, Region, Unit
from pbem.games.imperial.rules.possible import building_sites, landings, legal_spaces
from pbem.games.imperial.rules.questions import space_word
from pbem.games.imperial.rules.resolution import Resolution
from pbem.games.imperial.rules.state import AwaitBid, AwaitInvest, Maneuver
from pbem.games.imperial.rules.turn import price_of


def choices(resolution: Resolution, decision: Decision) -> Step:
    """The answers to one question; each that is whole would be accepted."""
    match decision.kind:
        case "turn":
            return _turn(resolution, Nation(decision.about or ""))
        case "battle":
            return _whole(fights(resolution, decision))
        case "swiss":
            return _whole([od.Force(), od.LetPass()])
        case _:
            return Step(of=tuple(_bonds(resolution, decision)), before="")


def _whole(orders: Iterable[od.Order]) -> Step:
    """One of these orders."""
    return Step(of=tuple(Choice(text=write(order)) for order in orders), before="")


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
            short = short_works(resolution, nation)
            if short:
                yield _production(resolution, nation, short)
        case "import":
            yield _import(resolution, nation)
        case "maneuver":
            yield lines(resolution, maneuver)
        case _:
            pass


def _place(text: str, region: Region, *, cost: int = 0, payer: str = "") -> Choice:
    return Choice(text=text, key=region, at=region, cost=cost, payer=payer)


def _production(resolution: Resolution, nation: Nation, works: Sequence[Region]) -> Step:
    of = tuple(Choice(text=region, key=region, at=region, takes={made_at(resolution, region): 1}) for region in works)
    return Step(of=of, least=0, most=len(of), room=_supply(resolution, nation), before=" at ")


def _import(resolution: Resolution, nation: Nation) -> Step:
    most = affordable_units(resolution, nation)
    of = tuple(_imports(resolution, nation, most))
    return Step(of=of, least=0, most=most, room=_supply(resolution, nation) if of else {}, none=" none")


def _supply(resolution: Resolution, nation: Nation) -> dict[str, int]:
    return {unit: resolution.supply(nation, unit) for unit in resolution.board.supply[nation]}


def _imports(resolution: Resolution, nation: Nation, most: int) -> Iterator[Choice]:
    """Pieces count only where there are fewer of a kind than may be imported."""
    kinds: tuple[tuple[Unit, str], ...] = (("army", "A"), ("fleet", "F"))
    price = resolution.edition.import_.price
    for unit, letter in kinds:
        left = resolution.supply(nation, unit)
        for region in landings(resolution, nation, unit) if most else ():
            text, takes = f"{letter} {region}", {str(unit): 1} if left < most else {}
            yield Choice(text=text, key=text, at=region, times=most, takes=takes, cost=price, payer=nation)
