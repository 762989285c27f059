"""Players of wood: one plays anything legal, one plays to finish; both only order what a person could."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain, repeat
from math import inf
from typing import TYPE_CHECKING, TypeVar

from pbem.core.bot import Pick
from pbem.core.decision import Answer, Decision
from pbem.core.refusal import Illegal
from pbem.core.seat import Seat
from pbem.games.imperial.rules import orders as od
from pbem.games.imperial.rules.economy import affordable_units, revenue_of
from pbem.games.imperial.rules.investor import interest_due, purchases, purchases_in, total_interest
from pbem.games.imperial.rules.movers import waiting
from pbem.games.imperial.rules.places import Nation, Region, Unit
from pbem.games.imperial.rules.position import armies_at, credits_of, present_at, units_of
from pbem.games.imperial.rules.possible import building_sites, carrier, legal_spaces, near, overseas
from pbem.games.imperial.rules.resolution import Resolution
from pbem.games.imperial.rules.state import AwaitBattle, AwaitBid, AwaitInvest, AwaitTurn, Maneuver, State
from pbem.games.imperial.rules.turn import passes_investor, price_of

if TYPE_CHECKING:
    from pbem.games.imperial.rules.game import Imperial

T = TypeVar("T")


# -- anything legal ---


def random_bot(game: Imperial, state: State, decision: Decision, pick: Pick) -> od.Order:
    """Any legal answer; nearly every one has a chance."""
    resolution = Resolution(game.board, game.edition, state)
    match decision.kind:
        case "turn":
            return _random_turn(game, resolution, decision, pick)
        case "invest":
            if pick(4) == 0:
                return od.Invest(choices=())
            return od.Invest(choices=(_any(on_offer(resolution, decision), pick),))
        case "bid":
            return bid(_any([None, *on_offer(resolution, decision)], pick))
        case "battle":
            return od.Peace() if pick(2) else od.Fight(nation=Nation(decision.about or ""))
        case "swiss":
            return od.LetPass() if pick(2) else od.Force()
        case _:
            raise ValueError(f"no bot knows {decision.kind}")


def _random_turn(game: Imperial, resolution: Resolution, decision: Decision, pick: Pick) -> od.Order:
    nation = Nation(decision.about or "")
    if not isinstance(resolution.state.agenda[0], AwaitTurn):
        return od.Turn(nation=nation, space="maneuver", work=od.Move(lines=()))
    spaces = legal_spaces(resolution, nation)
    if not spaces:
        return od.Skip()
    space = _any(spaces, pick)
    order = od.Turn(nation=nation, space=space, work=random_work(resolution, nation, space, pick))
    return or_less(game, resolution.state, decision, order)


def random_work(resolution: Resolution, nation: Nation, space: str, pick: Pick) -> od.Work | None:
    match space:
        case "factory":
            sites = [*building_sites(resolution, nation)]
            return od.Build(region=_any(sites, pick) if sites else None)
        case "import":
            return od.Buy(units=tuple(_random_import(resolution, nation, pick)))
        case "maneuver_1" | "maneuver_2":
            return od.Move(lines=tuple(_random_lines(resolution, nation, pick)))
        case _:
            return None


def _random_import(resolution: Resolution, nation: Nation, pick: Pick) -> Iterator[od.Units]:
    occupied = resolution.occupied(nation)
    places = [r for r in resolution.board.homes[nation] if r not in occupied]
    left = {unit: resolution.supply(nation, unit) for unit in ("army", "fleet")}
    for _ in range(affordable_units(resolution, nation) if places else 0):
        region = _any(places, pick)
        unit: Unit = "fleet" if resolution.board.places[region].port and pick(2) else "army"
        if left[unit] > 0:
            left[unit] -= 1
            yield od.Units(unit=unit, region=region)


def _random_lines(resolution: Resolution, nation: Nation, pick: Pick) -> Iterator[od.Line]:
    sails, railway = resolution.board.sails, resolution.railway(nation)
    attacked: set[Region] = set()  # a second attack might find nobody left
    for unit, region, leaving, count in waiting(resolution, Maneuver(nation=nation)):
        targets = sails[region] if unit == "fleet" else railway.near(region)
        for _ in range(count if targets else 0):
            if pick(5):
                target = targets[pick(len(targets))]
                fight = target not in attacked and pick(3) == 0
                attacked.add(target)
                hostile = bool(pick(2))
                yield line_to(resolution, nation, unit, region, target, leaving=leaving, hostile=hostile, fight=fight)


def or_less(game: Imperial, state: State, decision: Decision, order: od.Turn) -> od.Order:
    """The order when it is legal, else what of it is."""
    answer: Answer[od.Order] = Answer(seat=decision.seat, order=order, decision=decision)
    try:
        game.check(state, answer)
    except Illegal:
        return game.lapse(state, decision, [order]).order
    return order


def _any(things: Sequence[T], pick: Pick) -> T:
    return things[pick(len(things))]


# -- the orders ---


def on_offer(resolution: Resolution, decision: Decision) -> list[od.Purchase]:
    """The bonds a seat that is asked could take."""
    question = resolution.state.agenda[0]
    if isinstance(question, AwaitInvest):
        return purchases(resolution, decision.seat, question.only)
    assert isinstance(question, AwaitBid), "somebody is asked to lend"
    return [bond for bond in purchases_in(resolution, decision.seat, question.nation) if bond.back is None]


def bid(bond: od.Purchase | None) -> od.Bid:
    return od.Bid() if bond is None else od.Bid(nation=bond.nation, price=bond.price)


def pieces(resolution: Resolution, nation: Nation) -> Iterator[tuple[Unit, Region, od.Status | None]]:
    """Each unit, fleets first; of armies that stand in both ways in one place with which of them it is."""
    for unit, region, leaving, count in waiting(resolution, Maneuver(nation=nation)):
        yield from repeat((unit, region, leaving), count)


def line_to(
    resolution: Resolution,
    nation: Nation,
    unit: Unit,
    region: Region,
    target: Region,
    *,
    leaving: od.Status | None,
    hostile: bool,
    fight: bool,
    via: tuple[Region, ...] | None = None,
) -> od.Line:
    status: od.Status | None = None
    if unit == "army" and resolution.board.is_foreign(target, nation):
        status = "hostile" if hostile else "friendly"
    attack = _first_foe(resolution, nation, target) if fight else None
    attack_unit: Unit | None = None
    if attack:
        attack_unit = "army" if unit == "army" and armies_at(resolution.state, target, attack) else "fleet"
    return od.Line(
        unit=unit,
        region=region,
        leaving=leaving,
        target=target,
        via=via,
        status=status,
        attack=attack,
        attack_unit=attack_unit,
    )


def _first_foe(resolution: Resolution, nation: Nation, region: Region) -> Nation | None:
    return min(present_at(resolution.state, region) - {nation}, default=None)


# -- to finish the game sensibly ---


def greedy_bot(game: Imperial, state: State, decision: Decision, pick: Pick, whim: float = 0.0) -> od.Order:
    """Builds, spreads flags and taxes; lends where interest and power promise most.

    By a whim a choice is taken for up to so many millions better than it is.
    """
    resolution = Resolution(game.board, game.edition, state)
    match decision.kind:
        case "turn":
            return _greedy_turn(game, resolution, decision, pick, whim)
        case "invest":
            best = _best_bond(resolution, decision, pick, whim)
            return od.Invest(choices=() if best is None else (best,))
        case "bid":
            return bid(_best_bond(resolution, decision, pick, whim))
        case "battle":
            return _greedy_battle(resolution, decision)
        case "swiss":
            return _greedy_swiss(resolution, decision)
        case _:
            raise ValueError(f"no bot knows {decision.kind}")


def _greedy_turn(game: Imperial, resolution: Resolution, decision: Decision, pick: Pick, whim: float) -> od.Order:
    nation = Nation(decision.about or "")
    if not isinstance(resolution.state.agenda[0], AwaitTurn):
        return od.Turn(nation=nation, space="maneuver", work=od.Move(lines=()))
    works = greedy_works(resolution, nation)
    if not works:
        return od.Skip()
    fancied = {space: (_space_worth(resolution, nation, space, work), pick(100)) for space, work in works.items()}
    space = max(works, key=lambda space: (fancied[space][0] + whim * fancied[space][1] / 100, fancied[space][1]))
    return or_less(game, resolution.state, decision, od.Turn(nation=nation, space=space, work=works[space]))


def _space_worth(resolution: Resolution, nation: Nation, space: str, work: od.Work | None) -> float:
    """Roughly, what the space is worth to the government, in millions."""
    state, seat = resolution.state, resolution.state.government[nation]
    assert seat is not None, "a vacant nation does not move"
    price = price_of(resolution, state.rondel[nation], space)
    passing = 1.0 if passes_investor(state.rondel[nation], space) and state.investor == seat else 0.0
    return _gain(resolution, nation, seat, space, work) + passing - 1.5 * price


def _gain(resolution: Resolution, nation: Nation, seat: Seat, space: str, work: od.Work | None) -> float:
    match work:
        case od.Build(region=region):
            return 5.0 if region is not None else -1.0
        case od.Buy(units=bought):
            return 1.4 * len(bought)
        case od.Move(lines=lines):
            return 2.2 * len(lines)
    if space == "taxation":
        return _tax_worth(resolution, nation, seat)
    if space == "investor":
        return 1.2 * interest_due(resolution, nation, seat) - 0.6 * _unpaid(resolution, nation)
    units = sum(units_of(resolution.state, nation, unit) for unit in ("army", "fleet"))
    return 2.0 * len(resolution.free_factories(nation)) - 0.4 * units


def _tax_worth(resolution: Resolution, nation: Nation, seat: Seat) -> float:
    revenue = revenue_of(resolution, nation)
    marker = min(max(revenue, resolution.edition.taxes.lowest), resolution.edition.taxes.highest)
    bonus = max(0, marker - resolution.state.tax[nation])
    share = interest_due(resolution, nation, seat) / 5
    return bonus + resolution.edition.points(marker) * (0.6 + share) + 0.3 * revenue - 2.0


def _unpaid(resolution: Resolution, nation: Nation) -> int:
    return max(0, total_interest(resolution, nation) - resolution.state.treasury[nation])


def greedy_works(resolution: Resolution, nation: Nation) -> dict[str, od.Work | None]:
    """What it would do on each space that may be taken."""
    works: dict[str, od.Work | None] = {}
    for space in legal_spaces(resolution, nation):
        twin = works.get("maneuver_1") if space == "maneuver_2" else None  # the same units go to the same places
        works[space] = twin or greedy_work(resolution, nation, space)
    return works


def greedy_work(resolution: Resolution, nation: Nation, space: str) -> od.Work | None:
    match space:
        case "factory":
            return od.Build(region=next(building_sites(resolution, nation), None))
        case "import":
            return od.Buy(units=tuple(_greedy_import(resolution, nation)))
        case "maneuver_1" | "maneuver_2":
            return od.Move(lines=tuple(_greedy_lines(resolution, nation)))
        case _:
            return None


def _greedy_import(resolution: Resolution, nation: Nation) -> list[od.Units]:
    """Armies at the edge of free land, while there is some to take and money to spare."""
    flags = resolution.state.flags
    free = {r for r in resolution.board.free_regions if flags.get(r) != nation}
    money = min(affordable_units(resolution, nation), resolution.supply(nation, "army"))
    occupied = resolution.occupied(nation)
    homes = [r for r in resolution.board.homes[nation] if r not in occupied]
    edge = [r for r in homes if any(n in free for n in resolution.board.land_beside[r])]
    idle = sum(armies_at(resolution.state, r, nation) for r in homes)
    return [od.Units(unit="army", region=region) for region in (edge * 3)[: max(0, money - idle)]]


def _greedy_lines(resolution: Resolution, nation: Nation) -> list[od.Line]:
    """Each unit to a place of its own where the nation has no flag yet."""
    flags = resolution.state.flags
    wanted = {r for r in resolution.board.free_regions if flags.get(r) != nation}
    taken: set[Region] = set()
    lines = []
    for unit, region, leaving in pieces(resolution, nation):
        target = _next_target(resolution, nation, unit, region, wanted, taken)
        if target is not None:
            taken.add(target)
            by_land = unit == "fleet" or target in near(resolution, nation, unit, region)
            via = None if by_land else carrier(resolution, nation, region, target)
            line = line_to(
                resolution, nation, unit, region, target, leaving=leaving, hostile=False, fight=unit == "fleet", via=via
            )
            lines.append(line)
    return lines


def _next_target(
    resolution: Resolution, nation: Nation, unit: Unit, region: Region, wanted: set[Region], taken: set[Region]
) -> Region | None:
    if region in wanted and region not in taken and present_at(resolution.state, region) == {nation}:
        taken.add(region)
        return None
    beyond = overseas(resolution, nation, region) if unit == "army" else ()
    reach = chain(near(resolution, nation, unit, region), beyond)
    open_ = [r for r in reach if r in wanted and r not in taken]
    return next((r for r in open_ if not present_at(resolution.state, r)), open_[0] if open_ else None)


def _best_bond(resolution: Resolution, decision: Decision, pick: Pick, whim: float) -> od.Purchase | None:
    """The bond that is worth most, the cheaper one of equals."""
    fancied = {
        bond: worth + (whim * pick(100) / 100 if whim else 0.0) for bond, worth in bonds_worth(resolution, decision)
    }
    return max(fancied, key=lambda bond: (fancied[bond], -bond.price), default=None)


def bonds_worth(resolution: Resolution, decision: Decision) -> Iterator[tuple[od.Purchase, float]]:
    """The bonds on offer with what each is worth: interest by the power to come, and a premium for taking over."""
    state, edition, seat = resolution.state, resolution.edition, decision.seat
    prospects: dict[Nation, tuple[float, float]] = {}  # and what more than that must be lent to take over
    for bond in on_offer(resolution, decision):
        nation, cost = bond.nation, bond.cost
        if nation not in prospects:
            prospect = 2 + state.power[nation] / edition.power.step + revenue_of(resolution, nation) / 8
            sitting, lent = state.government[nation], credits_of(state, nation)
            ahead = inf if sitting == seat else (lent.get(sitting, 0) if sitting else 0) - lent.get(seat, 0)
            prospects[nation] = prospect, ahead
        interest = edition.bonds[bond.price] - (edition.bonds[bond.back] if bond.back else 0)
        prospect, ahead = prospects[nation]
        yield bond, interest * prospect + (4 if cost > ahead else 0) - 0.35 * cost


def _greedy_battle(resolution: Resolution, decision: Decision) -> od.Order:
    """Fight at home and against the stronger; leave others in peace."""
    question = resolution.state.agenda[0]
    assert isinstance(question, AwaitBattle), "a battle question is open"
    nation = Nation(decision.about or "")
    at_home = resolution.board.places[question.region].nation == nation
    stronger = resolution.state.power[question.nation] > resolution.state.power[nation]
    return od.Fight(nation=nation) if at_home or stronger else od.Peace()


def _greedy_swiss(resolution: Resolution, decision: Decision) -> od.Order:
    nation = Nation(decision.about or "")
    return od.Force() if interest_due(resolution, nation, decision.seat) >= 2 else od.LetPass()
