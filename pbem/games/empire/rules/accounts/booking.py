"""What an order costs and earns: Cost, EDU and Investment of the slot under way (E7.11)."""

from __future__ import annotations

from pbem.games.empire.rules.world import World


def book(w: World, country: str, *, cost: int = 0, edu: int = 0, investment: int = 0) -> None:
    found = w.country(country)
    w.change_country(
        country,
        booked_cost=found.booked_cost + cost,
        booked_edu=found.booked_edu + edu,
        booked_investment=found.booked_investment + investment,
    )
