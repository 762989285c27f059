"""What each choice would bring as things stand: told by trying it out, with the rules themselves."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import groupby

from pbem.core.seat import Seat
from pbem.games.imperial.rules import events as ev
from pbem.games.imperial.rules.board import Nation
from pbem.games.imperial.rules.economy import affordable_units
from pbem.games.imperial.rules.investor import buy, settle_governments
from pbem.games.imperial.rules.orders import Purchase
from pbem.games.imperial.rules.possible import landings, sites
from pbem.games.imperial.rules.resolution import Course
from pbem.games.imperial.rules.state import AwaitBid, SettleRound
from pbem.games.imperial.rules.turn import foresee, passes_investor, who_may_force

Facts = dict[str, object]


# -- the spaces of the rondel ---


def prospect(course: Course, nation: Nation, space: str) -> Facts:
    """What the space would do, or let its government do."""
    match space.rstrip("_12"):
        case "factory":
            return _factory(course, nation)
        case "production":
            return _production(foresee(course, nation, space))
        case "maneuver":
            return {unit: course.state.units(nation, unit) for unit in ("army", "fleet")}
        case "investor":
            return _investor(foresee(course, nation, space))
        case "import":
            return _import(course, nation)
        case _:
            return _taxation(course, nation, foresee(course, nation, space))


def _factory(course: Course, nation: Nation) -> Facts:
    cost, treasury = course.edition.factory_cost, course.state.treasury[nation]
    regions = [*sites(course, nation)]
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


def _import(course: Course, nation: Nation) -> Facts:
    units = affordable_units(course, nation)
    places = {unit: landings(course, nation, unit) for unit in ("army", "fleet")}
    return {"units": units, "treasury": course.state.treasury[nation], **places}


def _taxation(course: Course, nation: Nation, events: Iterable[ev.Event]) -> Facts:
    facts: Facts = {"before": course.state.power[nation], "collected": 0, "ends": False}
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


def passing(course: Course, nation: Nation, spaces: Iterable[str]) -> Facts:
    """Which of these spaces lie beyond Investor, and what follows when it is passed."""
    before = course.state.rondel[nation]
    beyond = [space for space in spaces if passes_investor(before, space)] if course.state.investor else []
    banks = who_may_force(course, nation, beyond[0]) if beyond else ()
    return {"spaces": beyond, "holder": course.state.investor, "amount": course.edition.card_bonus, "banks": banks}


# -- bonds ---


def offers(course: Course, seat: Seat, found: Iterable[Purchase]) -> list[Facts]:
    """The bonds a seat may take, by nation."""
    by_nation = groupby(found, key=lambda purchase: purchase.nation)
    return [_offer(course, seat, nation, [*purchases]) for nation, purchases in by_nation]


def _offer(course: Course, seat: Seat, nation: Nation, purchases: list[Purchase]) -> Facts:
    """`governs_from`: the least that must be lent to become the nation's government."""
    enough = [one.cost for one in purchases if _government_after(course, seat, one) == seat]
    government = course.state.government[nation]
    return {
        "nation": nation,
        "government": government,
        "governs_from": min(enough, default=None) if government != seat else None,
        "new": [_terms(course, one) for one in purchases if one.back is None],
        "higher": [_terms(course, one) for one in purchases if one.back is not None],
    }


def _terms(course: Course, purchase: Purchase) -> Facts:
    return {"price": purchase.price, "back": purchase.back, "interest": course.edition.bonds[purchase.price]}


def _government_after(course: Course, seat: Seat, purchase: Purchase) -> Seat | None:
    trial = Course(course.board, course.edition, course.state)
    buy(trial, seat, purchase)
    settle_governments(trial, trial.state.clockwise(_counted_from(course)))
    return trial.state.government[purchase.nation]


def _counted_from(course: Course) -> Seat:
    """From whom equal sums will be counted when the governments are settled."""
    for task in course.agenda:
        match task:
            case AwaitBid():
                return task.first
            case SettleRound():
                return task.start
            case _:
                pass
    assert course.state.investor is not None, "only a holder of the card lets others invest"
    return course.state.investor
