"""What is agreed on before a game begins, and what of it options may change."""

from __future__ import annotations

from functools import cache
from typing import Literal

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from pbem.core.seat import Setup
from pbem.host.calendar.agreed import agreed_calendar
from pbem.host.calendar.weeks import ALWAYS, Calendar
from pbem.host.session.anonymity import Anonymity
from pbem.host.session.options import in_force

CLOCK = ("slot_hours", "policy", "grace_hours")  # options by which it is counted who is late, and by how much
PressRule = Literal["all", "public", "none"]  # to whomever, only to all together, or not at all
# Who ends a slot that is over: the clock, another player who asks for it, or nobody.
Policy = Literal["auto", "on_request", "lenient"]


class Terms(Struct, frozen=True, kw_only=True):
    """What is agreed on before a game begins."""

    setup: Setup
    slot_hours: int = 24
    remind_hours: tuple[int, ...] = (12, 6, 1)  # before the end of a slot
    policy: Policy = "auto"
    grace_hours: int = 0  # after the end of a slot, before the clock answers
    forced_limit: int = 2  # forced closes in a row, after which the host asks for a substitute; 0: never
    bots: Literal["no", "yes"] = "no"  # does a bot answer then, till the player writes again or a substitute has come?
    away_days: int = 0  # of a game, in which no time counts for a player who has said that he is away
    clock_zone: str = "UTC"  # by whose wall the next three are meant
    idle_days: str = ""  # weekdays that don't count, as in "sat, sun"
    holidays: str = ""  # countries whose public holidays don't count, as in "DE-BY, IT"
    quiet_hours: str = ""  # that don't count, as in "23:00-7:00"
    press: PressRule = "all"
    anonymous: Anonymity = "no"
    places: int = 0  # how many are to play in a game that players start by mail; 0: all who are invited

    @property
    def calendar(self) -> Calendar:
        """When time counts. Raises `Illegal` for what can't be agreed on."""
        if not (self.idle_days or self.holidays or self.quiet_hours):
            return ALWAYS
        return _calendar(self.clock_zone, self.idle_days, self.holidays, self.quiet_hours)

    @property
    def finality(self) -> str:
        """Is a turn played at once, or only when its player says so?"""
        return self.setup.options.get("finality", "at_once")


@cache
def _calendar(zone: str, idle: str, holidays: str, quiet: str) -> Calendar:
    return agreed_calendar(zone, idle=idle, holidays=holidays, quiet=quiet)


def terms_of(setup: Setup, plain: Terms | None = None) -> Terms:
    """What the options of a play file agree on: those of the host are not the game's. Raises `ValueError`.

    `plain` has the values of those that are not given.
    """
    own = {key: value for key, value in setup.options.items() if key in Terms.__struct_fields__ and key != "setup"}
    rest = {key: value for key, value in setup.options.items() if key not in own}
    base = replace(plain or Terms(setup=setup), setup=replace(setup, options=rest))
    try:
        return in_force(base, tuple(own.items()))
    except msgspec.ValidationError as problem:
        raise ValueError(str(problem)) from None


def setup_of(terms: Terms) -> Setup:
    """What a record says was agreed on: the game's own, and by what a replay counts who is late."""
    usual = Terms(setup=terms.setup)
    clock = {key: str(getattr(terms, key)) for key in CLOCK if getattr(terms, key) != getattr(usual, key)}
    return replace(terms.setup, options={**terms.setup.options, **clock})
