"""The orders of countries and people, and of the zero turn."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from pbem.core.seat import Seat
from pbem.games.empire.rules import orders as od
from pbem.games.empire.rules.countries import attitudes, captures, exchange, founding, seizing, standing, taking, trade
from pbem.games.empire.rules.course import opening
from pbem.games.empire.rules.people import governors
from pbem.games.empire.rules.world import World

ACTS_OF_PEOPLE: Mapping[type, Callable[[World, Seat, Any], None]] = {
    od.Capital: opening.capital,
    od.Picks: opening.picks,
    od.Attitude: attitudes.declare,
    od.Transfer: trade.transfer,
    od.Give: trade.give,
    od.Accept: trade.accept,
    od.Reject: trade.reject,
    od.Aid: exchange.pledge,
    od.Found: founding.found,
    od.Governor: governors.choose,
    od.Ambassador: governors.name_ambassador,
    od.Listing: governors.reorder,
    od.Seize: seizing.seize,
    od.Take: taking.take,
    od.Capture: captures.capture,
    od.Standing: standing.give,
    od.StandingNone: standing.withdraw,
}
