"""What each choice would bring as things stand: told by trying it out, with the rules themselves."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import groupby

from pbem.core.seat import Seat
from pbem.games.imperial.rules import events as ev
from pbem.games.imperial.rules.economy import affordable_units, tax
from pbem.games.imperial.rules.investor import buy, settle_governments
from pbem.games.imperial.rules.orders import Purchase
from pbem.games.imperial.rules.places import Nation
from pbem.games.imperial.rules.position import clockwise, units_of
from pbem.games.imperial.rules.possible import landings, sites
from pbem.games.imperial.rules.resolution import Resolution
from pbem.games.imperial.rules.state import AwaitBid, SettleRound
from pbem.games.imperial.rules.turn import foresee, passes_investor, who_may_force

Facts = dict[str, object]


# -- the spaces of the rondel ---


def prospect(resolution: Resolution, nation: Nation, space: str) -> Facts:
    """What the space would do, or let its government do."""
    match space.rstrip("_12"):
        case "factory":
            return _factory(resolution, nation)
        case "production":
            return _production(foresee(resolution, nation, space))
        case "maneuver":
            return {unit: units_of(resolution.state, nation, unit) for unit in ("army", "fleet")}
        case "investor":
            return _investor(foresee(resolution, nation, space))
        case "import":
            return _import(resolution, nation)
        case _:
            return _taxation(resolution, nation, foresee(resolution, nation, space))


def _factory(resolution: Resolution, nation: Nation) -> Facts:
    cost, treasury = resolution.edition.factory_cost, resolution.state.treasury[nation]
    regions = [*sites(resolution, nation)]
    return {"regions": regions, "cost": cost, "treasury": treasury, "affordable": treasury >= cost}


def _production(events: Iterable[ev.Event]) -> Facts:
    facts: dict[str, list[str]] = {"army": [], "fleet": [], "occupied": [], "supply": []}
    for event in events:
        match event:
            case ev.UnitProduced():
                facts[event.unit].append(event.region)
            case ev.WorksIdle():
                facts[event.why].append(event.region)
            case _:
                pass
    return {**facts}


def _investor(events: Iterable[ev.Event]) -> Facts:
    paid = [event for event in events if isinstance(event, ev.InterestPaid)]
    return {
        "paid": [{"seat": event.seat, "amount": event.paid} for event in paid],
        "by_government": sum(event.by_government for event in paid),
        "unpaid": sum(event.due - event.paid for event in paid),
    }


def _import(resolution: Resolution, nation: Nation) -> Facts:
    units = affordable_units(resolution, nation)
    places = {unit: landings(resolution, nation, unit) for unit in ("army", "fleet")}
    return {"units": units, "treasury": resolution.state.treasury[nation], **places}


def _taxation(resolution: Resolution, nation: Nation, events: Iterable[ev.Event]) -> Facts:
    facts: Facts = {"before": resolution.state.power[nation], "collected": 0, "ends": False}
    for event in events:
        match event:
            case ev.Taxed():
                facts |= {"revenue": event.revenue, "bonus": event.bonus}
            case ev.PowerGained():
                facts |= {"power": event.power}
            case ev.TaxCollected():
                facts |= {"collected": event.amount}
            case ev.GameEnded():
                facts |= {"ends": True}
            case _:
                pass
    return facts


def taxing(resolution: Resolution, nation: Nation) -> dict[str, int]:
    """What taxation would bring the nation if it came at once: money for its treasury, and power points."""
    facts = {"power": 0, "collected": 0}
    trial = Resolution(resolution.board, resolution.edition, resolution.state)
    tax(trial, nation)
    for event in trial.events:
        match event:
            case ev.PowerGained():
                facts["power"] += event.points
            case ev.TaxCollected():
                facts["collected"] += event.amount
            case _:
                pass
    return facts


def passing(resolution: Resolution, nation: Nation, spaces: Iterable[str]) -> Facts:
    """Which of these spaces lie beyond Investor, and what follows when it is passed."""
    before = resolution.state.rondel[nation]
    beyond = [space for space in spaces if passes_investor(before, space)] if resolution.state.investor else []
    banks = who_may_force(resolution, nation, beyond[0]) if beyond else ()
    return {
        "spaces": beyond,
        "holder": resolution.state.investor,
        "amount": resolution.edition.card_bonus,
        "banks": banks,
    }


# -- bonds ---


def offers(resolution: Resolution, seat: Seat, found: Iterable[Purchase]) -> list[Facts]:
    """The bonds a seat may take, by nation."""
    by_nation = groupby(found, key=lambda purchase: purchase.nation)
    return [_offer(resolution, seat, nation, [*purchases]) for nation, purchases in by_nation]


def _offer(resolution: Resolution, seat: Seat, nation: Nation, purchases: list[Purchase]) -> Facts:
    """`governs_from`: the least that must be lent to become the nation's government."""
    enough = [one.cost for one in purchases if _government_after(resolution, seat, one) == seat]
    government = resolution.state.government[nation]
    return {
        "nation": nation,
        "power": resolution.state.power[nation],
        "government": government,
        "governs_from": min(enough, default=None) if government != seat else None,
        "new": [_terms(resolution, one) for one in purchases if one.back is None],
        "higher": [_terms(resolution, one) for one in purchases if one.back is not None],
    }


def _terms(resolution: Resolution, purchase: Purchase) -> Facts:
    return {"price": purchase.price, "back": purchase.back, "interest": resolution.edition.bonds[purchase.price]}


def _government_after(resolution: Resolution, seat: Seat, purchase: Purchase) -> Seat | None:
    trial = Resolution(resolution.board, resolution.edition, resolution.state)
    buy(trial, seat, purchase)
    settle_governments(trial, clockwise(trial.state, _counted_from(resolution)))
    return trial.state.government[purchase.nation]


def _counted_from(resolution: Resolution) -> Seat:
    """From whom equal sums will be counted when the governments are settled."""
    for task in resolution.agenda:
        match task:
            case AwaitBid():
                return task.first
            case SettleRound():
                return task.start
            case _:
                pass
    assert resolution.state.investor is not None, "only a holder of the card lets others invest"
    return resolution.state.investor
