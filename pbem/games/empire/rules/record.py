"""The economic record of a turn (E7.11)."""

from __future__ import annotations

from fractions import Fraction
from math import floor

from pbem.games.empire.rules import inflation
from pbem.games.empire.rules.state import Row
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
        in_slot=False,
    )
    w.note("recorded", country, roll=shown, change=change, confidence=confidence, fund=fund, tax=tax,
           investment=row.investment, cost=row.cost, edu=row.edu)  # fmt: skip
    inflation.test(w, country)


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
