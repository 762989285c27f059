"""What is settled at the roll-out: pay of land units, oil of ships at sea (E7.16, E7.17)."""

from __future__ import annotations

from fractions import Fraction
from math import floor

from pbem.games.empire.rules.accounts import debts
from pbem.games.empire.rules.accounts.booking import book
from pbem.games.empire.rules.ground.sides import is_land_unit
from pbem.games.empire.rules.world import World


def pay_military(w: World, country: str) -> None:
    """A tenth for each land unit that it had since its last roll-out; whole units are booked, with a food each."""
    here = [unit.id for unit in w.units_of(country) if is_land_unit(w, unit)]
    counted = {*here, *w.country(country).paid}
    rate = Fraction(w.tables.economy["military_pay"])
    due = w.country(country).debts["pay"] + rate * len(counted)
    whole = floor(due)
    paid = 0
    while paid < whole and _eats(w, country):
        paid += 1
    if paid:
        book(w, country, cost=paid * int(w.tables.economy["military_pay_unit"]["cost"]))
    w.change_country(country, debts={**w.country(country).debts, "pay": due - paid}, paid=tuple(here))
    if counted:
        w.note("paid", country, units=len(counted), booked=paid, due=str(due - paid))


def _eats(w: World, country: str) -> bool:
    """A food from the pile with most of it, aboard last."""
    pile = debts.largest(w, country, "food")
    if pile is not None:
        w.take_goods(pile, country, "food", 1)
    return pile is not None


def settle_oil(w: World, country: str) -> None:
    """Each ship that was at sea in the slot, or is at its end; entered even if it is not covered (E7.19)."""
    at_sea = [u for u in w.units_of(country) if u.sailed or u.state in ("sea", "dived")]
    due = sum((debts.rate(w, unit.kind) for unit in at_sea if w.kind(unit).class_ == "ship"), Fraction(0))
    debts.enter(w, country, "oil", due)
    debts.settle(w, country, "chemicals")
    for unit in at_sea:
        w.change(unit.id, sailed=False)
