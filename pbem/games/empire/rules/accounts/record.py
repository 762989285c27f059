"""The economic record of a turn (E7.11)."""

from __future__ import annotations

from fractions import Fraction
from math import floor
from typing import Any

from pbem.games.empire.rules.accounts import inflation
from pbem.games.empire.rules.ground.sides import is_land_unit
from pbem.games.empire.rules.held import NOTHING, OFFICIALS
from pbem.games.empire.rules.state import Part, Row
from pbem.games.empire.rules.world import World


def enter(w: World, country: str, roll: int, late: int) -> None:
    """Cost, EDU, fund, tax and confidence from what was booked, and from the roll of two dice."""
    found = w.country(country)
    read = roll if not late else max(2, roll - late)  # E4.4
    fund, tax = _fund_and_tax(w, found.fund, found.tax, found.booked_cost)
    change = floor(Fraction(found.booked_edu - found.edu, 2)) + floor((read - 7) * _spread(w, found.booked_investment))
    confidence = found.confidence + change
    if w.options["confidence_floor"] == "0":
        confidence = max(0, confidence)
    shown = f"{roll}→{read}" if late else str(roll)
    row = Row(
        turn=w.state.turn,
        investment=found.booked_investment,
        cost=found.booked_cost,
        fund=fund,
        tax=tax,
        confidence=confidence,
        edu=found.booked_edu,
        roll=shown,
        **_stocks(w, country),
    )
    w.change_country(
        country,
        confidence=confidence,
        fund=fund,
        tax=tax,
        last_edu=found.edu,
        edu=found.booked_edu,
        cost=found.booked_cost,
        investment=found.booked_investment,
        roll=shown,
        rows=(*found.rows, row),
        booked_edu=0,
        booked_cost=0,
        booked_investment=0,
        oil_turn=NOTHING,
        in_slot=False,
    )
    w.note("recorded", country, roll=shown, change=change, confidence=confidence, fund=fund, tax=tax,
           investment=row.investment, cost=row.cost, edu=row.edu)  # fmt: skip
    inflation.test(w, country)


def _stocks(w: World, country: str) -> dict[str, Any]:
    """What the record tells beside what it is reckoned from (E6.3)."""
    found, units = w.country(country), list(w.units_of(country))
    ships = [unit for unit in units if w.kind(unit).class_ == "ship"]
    workers, population = headcount(w, country)
    return {
        "exchange": inflation.received(w, [country]),
        "food_squares": sum((part.farm == country) + _fishes(part, country) for part in w.parts.values()),
        "workers": workers,
        "population": population,
        "land": sum(is_land_unit(w, unit) for unit in units),
        "naval": len(ships),
        "air": sum(w.kind(unit).class_ == "air" for unit in units),
        "at_sea": sum(unit.state in ("sea", "dived") for unit in ships),
        "oil_turn": found.oil_turn,
        **{what: found.debts[what] for what in ("oil", "chemicals", "pay")},
    }


def headcount(w: World, country: str) -> tuple[int, int]:
    """Workers, and the population beside them: officials and land units."""
    held = [w.held(place, country) for place in w.places_of(country)]
    held += [unit.holds[country] for unit in w.units.values() if country in unit.holds]
    army = sum(is_land_unit(w, unit) for unit in w.units_of(country))
    return sum(each.workers for each in held), army + sum(each.people(*OFFICIALS) for each in held)


def _fishes(part: Part, country: str) -> bool:
    return "fish" in part.marks and part.marks["fish"].by == country


def _fund_and_tax(w: World, fund: int, tax: int, cost: int) -> tuple[int, int]:
    rate = Fraction(w.tables.economy["tax"])
    match w.options["tax_timing"]:
        case "same_turn_pre":
            before = fund + cost
            return before - floor(before * rate), floor(before * rate)
        case "same_turn_prev":
            return fund + cost - floor(fund * rate), floor(fund * rate)
    now = fund - tax + cost
    return now, floor(now * rate)


def _spread(w: World, investment: int) -> Fraction:
    if w.options["confidence_spread"] == "investment":
        return Fraction(investment, 20) + 1
    return Fraction(w.tables.economy["spread"]["literal"])
