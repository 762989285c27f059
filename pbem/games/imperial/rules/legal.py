"""The orders that answer a question, made from the position: for whoever looks ahead, none is tried out.

Of an import each is of one kind of unit in one place, of a maneuver each is one line for one unit: what is put together
of them is another order, to be checked.
"""

from __future__ import annotations

from collections.abc import Iterator

from pbem.core.decision import Decision
from pbem.games.imperial.rules import orders as od
from pbem.games.imperial.rules.agenda import decisions
from pbem.games.imperial.rules.battle import able_to_fight, targets
from pbem.games.imperial.rules.economy import affordable_units
from pbem.games.imperial.rules.investor import purchases, purchases_in
from pbem.games.imperial.rules.movers import waiting
from pbem.games.imperial.rules.places import Nation, Region, Unit
from pbem.games.imperial.rules.possible import building_sites, landings, legal_spaces
from pbem.games.imperial.rules.resolution import Resolution
from pbem.games.imperial.rules.routes import reach
from pbem.games.imperial.rules.stacks import at
from pbem.games.imperial.rules.state import AwaitBattle, AwaitBid, AwaitInvest, Maneuver

Attack = tuple[Nation | None, Unit | None]
_NOBODY: Attack = (None, None)


def legal_orders(resolution: Resolution, decision: Decision) -> Iterator[od.Order]:
    """Every answer to the question, but for those that are put together of others."""
    match decision.kind:
        case "turn":
            return _turns(resolution, Nation(decision.about or ""))
        case "battle":
            return fights(resolution, decision)
        case "swiss":
            return iter((od.Force(), od.LetPass()))
        case _:
            return _bonds(resolution, decision)


def fights(resolution: Resolution, decision: Decision) -> Iterator[od.Order]:
    """A fight says for which of the seat's nations it is where several are asked."""
    question, nation = resolution.state.agenda[0], Nation(decision.about or "")
    assert isinstance(question, AwaitBattle), "a battle question is open"
    several = sum(asked.seat == decision.seat for asked in decisions(resolution.state)) > 1
    able = {unit: able_to_fight(resolution.state, question, nation, unit) for unit in ("army", "fleet")}
    kinds: list[Unit | None] = [None, "army", "fleet"] if all(able.values()) else [None]
    for unit in kinds:
        most = min(question.movers, able[unit] if unit else sum(able.values()))
        yield from (
            od.Fight(pairs=pairs, unit=unit, nation=nation if several else None) for pairs in range(1, most + 1)
        )
    yield od.Peace()


def _bonds(resolution: Resolution, decision: Decision) -> Iterator[od.Order]:
    question = resolution.state.agenda[0]
    if isinstance(question, AwaitBid):
        found = purchases_in(resolution, decision.seat, question.nation)
        yield from (od.Bid(nation=bond.nation, price=bond.price) for bond in found if bond.back is None)
        yield od.Bid()
        return
    assert isinstance(question, AwaitInvest), "somebody is asked to invest"
    yield from (od.Invest(choices=(bond,)) for bond in purchases(resolution, decision.seat, question.only))
    yield od.Invest(choices=())


# -- a turn ---


def _turns(resolution: Resolution, nation: Nation) -> Iterator[od.Order]:
    task = resolution.state.agenda[0]
    if isinstance(task, Maneuver):
        yield from (od.Turn(nation=nation, space="maneuver", work=work) for work in _moves(resolution, task))
        return
    for space in legal_spaces(resolution, nation):
        yield from (od.Turn(nation=nation, space=space, work=work) for work in _works(resolution, nation, space))


def _works(resolution: Resolution, nation: Nation, space: str) -> Iterator[od.Work | None]:
    match space:
        case "factory":
            yield od.Build(region=None)
            yield from (od.Build(region=site) for site in building_sites(resolution, nation))
        case "import":
            yield od.Buy(units=())
            yield from (od.Buy(units=(units,)) for units in _imports(resolution, nation))
        case "maneuver_1" | "maneuver_2":
            yield from _moves(resolution, Maneuver(nation=nation))
        case _:
            yield None


def _imports(resolution: Resolution, nation: Nation) -> Iterator[od.Units]:
    money = affordable_units(resolution, nation)
    kinds: tuple[Unit, ...] = ("army", "fleet")
    for unit in kinds if money else ():
        most = min(money, resolution.supply(nation, unit))
        for region in landings(resolution, nation, unit):
            yield from (od.Units(count=count, unit=unit, region=region) for count in range(1, most + 1))


def _moves(resolution: Resolution, task: Maneuver) -> Iterator[od.Work]:
    yield od.Move(lines=())
    yield from (od.Move(lines=(line,)) for line in lines(resolution, task))


# -- a maneuver ---


def lines(resolution: Resolution, task: Maneuver) -> Iterator[od.Line]:
    """What each unit that has not moved may do first of all: go, change its status, or fight where it stands."""
    board, fleets, nation = resolution.board, resolution.state.fleets, task.nation
    seas = [sea for sea in board.seas if at(fleets, sea, nation) > task.carried.get(sea, 0)]
    for unit, region, leaving, _ in waiting(resolution, task):
        ends = board.sails[region] if unit == "fleet" else reach(resolution, nation, region, seas)
        for end in ends:
            for status in _as_what(resolution, nation, unit, end):
                for attack in (_NOBODY, *_attacks(resolution, nation, unit, end)):
                    yield _line(unit, region, leaving, end, status, attack)
        yield from (
            _line(unit, region, leaving, None, None, attack) for attack in _attacks(resolution, nation, unit, region)
        )
        if unit == "army" and board.is_foreign(region, nation) and resolution.edition.options.status_change:
            yield from _changes(resolution, nation, region, leaving)


def _line(
    unit: Unit, region: Region, leaving: od.Status | None, end: Region | None, status: od.Status | None, attack: Attack
) -> od.Line:
    return od.Line(
        unit=unit,
        region=region,
        leaving=leaving,
        target=end,
        status=status,
        attack=attack[0],
        attack_unit=attack[1],
    )


def _as_what(resolution: Resolution, nation: Nation, unit: Unit, end: Region) -> tuple[od.Status | None, ...]:
    """Where nobody can be hostile it is not asked for (R12)."""
    if unit == "fleet" or not resolution.board.is_foreign(end, nation):
        return (None,)
    return ("friendly",) if resolution.last_free_factory(end) else ("hostile", "friendly")


def _attacks(resolution: Resolution, nation: Nation, unit: Unit, region: Region) -> Iterator[Attack]:
    for foe in resolution.board.nations if resolution.others_at(region, nation) else ():
        armies, fleets = targets(resolution, unit, region, foe)
        if foe != nation and armies:
            yield foe, "army"
        if foe != nation and fleets:
            yield foe, "fleet"


def _changes(resolution: Resolution, nation: Nation, region: Region, leaving: od.Status | None) -> Iterator[od.Line]:
    """Those who are hostile lay down, the others stand up."""
    hostile = at(resolution.state.armies, region, nation) if leaving is None else leaving == "hostile"
    if hostile:
        yield _line("army", region, leaving, None, "friendly", _NOBODY)
    elif not resolution.last_free_factory(region):
        yield _line("army", region, leaving, None, "hostile", _NOBODY)
