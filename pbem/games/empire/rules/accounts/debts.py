"""Oil, chemicals and pay that are due in fractions (E7.16 to E7.19)."""

from __future__ import annotations

from fractions import Fraction
from math import ceil, floor

from pbem.core.refusal import Illegal
from pbem.games.empire.geography.grid import map_order
from pbem.games.empire.rules.held import NOTHING
from pbem.games.empire.rules.world import World

SHORT = {"oil": "oil.short", "chemicals": "chemicals.short"}


def check(w: World, country: str, what: str, amount: Fraction) -> None:
    """Raises `Illegal` unless the country owns so many whole units as the debt with this would need (E7.19)."""
    debt = w.country(country).debts[what] + amount
    owned = w.owned(country, what)
    if amount and owned < ceil(debt):
        raise Illegal(SHORT[what], country=country, needs=ceil(debt), has=floor(owned))


def owe(w: World, country: str, what: str, amount: Fraction) -> None:
    """Enter what an order makes due. Raises `Illegal`, before anything is changed."""
    check(w, country, what, amount)
    enter(w, country, what, amount)


def enter(w: World, country: str, what: str, amount: Fraction) -> None:
    """Enter it, covered or not: what ships at sea use is due all the same."""
    if amount:
        debts = w.country(country).debts
        w.change_country(country, debts={**debts, what: debts[what] + amount})
    if amount and what == "oil":
        w.change_country(country, oil_turn=w.country(country).oil_turn + amount)
    settle(w, country, what)


def settle(w: World, country: str, what: str) -> None:
    """Whole units are taken from the largest own pile, ties in map order, aboard last."""
    while w.country(country).debts[what] >= 1:
        place = largest(w, country, what)
        if place is None:
            return
        w.take_goods(place, country, what, 1)
        debts = w.country(country).debts
        w.change_country(country, debts={**debts, what: debts[what] - 1})
        w.note("debt_paid", country, good=what, at=place)


def largest(w: World, country: str, what: str) -> str | None:
    """The own pile with most of it, of equal ones the first on the map; aboard only where none is on the ground."""
    piles = [(-w.held(place, country).amount(what), map_order(place), place) for place in w.places_of(country)]
    holds = [(-u.holds[country].amount(what), w.unit_order(u), u.id) for u in w.units.values() if country in u.holds]
    full = (
        [*sorted(each for each in piles if each[0] <= -1)][:1],
        [*sorted(each for each in holds if each[0] <= -1)][:1],
    )
    return next((found[0][2] for found in full if found), None)


def rate(w: World, what: str) -> Fraction:
    """What is due for oil of a kind, or chemicals of a land unit or a naval factor, by the options."""
    if what in ("land_unit", "naval_factor"):
        return Fraction(w.options["chemicals_rate"])
    if what == "submarine":
        return Fraction(w.options["oil_submarine"])
    return Fraction(w.tables.oil_due.get(what, NOTHING))
