"""What is agreed on before a game begins, what of it options may change, and which of them are in force."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any, Literal, get_args, get_type_hints

import msgspec
from msgspec import Struct
from msgspec.structs import asdict, replace

from pbem.core.bot import SUBSTITUTE, Level
from pbem.core.game import AnyRules
from pbem.core.refusal import Illegal
from pbem.core.seat import Seat, Setup
from pbem.host.calendar.weeks import ALWAYS, Calendar, agreed_calendar
from pbem.host.session.acts import Done, OptionSet
from pbem.host.session.anonymity import Anonymity
from pbem.league.calendar import zones

Changes = tuple[tuple[str, str], ...]

LONGEST = 24 * 365  # hours of the clock, or minutes of a hold
FIXED = ("setup", "anonymous", "places", "bot_seats")  # of the terms: what has done its work, or can't be taken back
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
    hold_minutes: int = 0  # from the filing of an order to when it binds: so long it may be taken back
    # Does a bot answer then, till the player writes again or a substitute has come? One of that level; yes: a fair one.
    bots: Literal["no", "yes", "easy", "fair", "hard"] = "no"
    bot_seats: int = 0  # how many seats bots have from the beginning, beside the players
    away_days: int = 0  # of a game, in which no time counts for a player who has said that they are away
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
    def level(self) -> Level:
        """How well bots play in this game."""
        return SUBSTITUTE if self.bots == "no" or self.bots == "yes" else self.bots

    @property
    def for_people(self) -> int:
        """The places of a game that players start by mail, but for those of bots; 0 in other games."""
        return max(0, self.places - self.bot_seats)

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


def with_bots(terms: Terms) -> Terms:
    """With the seats that bots have from the beginning, named so that nobody else is."""
    taken = terms.setup.seats
    names = (Seat(f"bot{number}") for number in range(1, len(taken) + terms.bot_seats + 1))
    own = [name for name in names if name not in taken][: terms.bot_seats]
    return replace(terms, setup=replace(terms.setup, seats=(*taken, *own)))


def setup_of(terms: Terms) -> Setup:
    """What a record says was agreed on: the game's own, and by what a replay counts who is late."""
    usual = Terms(setup=terms.setup)
    clock = {key: str(getattr(terms, key)) for key in CLOCK if getattr(terms, key) != getattr(usual, key)}
    return replace(terms.setup, options={**terms.setup.options, **clock})


# -- options ---


def changes(done: Sequence[Done]) -> Changes:
    """What has been set, in that order; the same key may come more than once."""
    return tuple((each.act.key, each.act.value) for each in done if isinstance(each.act, OptionSet))


def in_force(agreed: Terms, changed: Changes) -> Terms:
    """The terms after these changes."""
    for key, value in changed:
        agreed = _with(agreed, key, value)
    return agreed


def changed(terms: Terms, rules: AnyRules, key: str, value: str) -> Terms:
    """The terms with another value. Raises `Illegal` for what can't be set in a running game."""
    own = _own_values(type(terms))
    known = {**{each: values for each, values in own.items() if each not in FIXED}, **rules.options.changeable}
    if key not in known:
        is_there = key in own or key in rules.options.values
        raise Illegal("option.fixed" if is_there else "option.unknown", read=key, known=sorted(known))
    if known[key] and value not in known[key]:
        raise Illegal("option.value", key=key, read=value, candidates=tuple(known[key]))
    if value == value_now(terms, rules, key):
        raise Illegal("option.same", key=key, value=value)
    try:
        made = _with(terms, key, value)
    except msgspec.ValidationError:
        raise Illegal("option.value", key=key, read=value, candidates=()) from None
    check_terms(made)
    return made


def check_terms(terms: Terms) -> None:
    """Raises `Illegal` for terms by which no clock can go."""
    for key, numbers, least in (
        ("slot_hours", (terms.slot_hours,), 1),
        ("grace_hours", (terms.grace_hours,), 0),
        ("hold_minutes", (terms.hold_minutes,), 0),
        ("bot_seats", (terms.bot_seats,), 0),
        ("remind_hours", terms.remind_hours, 1),
    ):
        for each in numbers:
            if not least <= each <= LONGEST:
                raise Illegal("option.value", key=key, read=str(each), candidates=())
    if terms.clock_zone not in zones():
        raise Illegal("option.value", key="clock_zone", read=terms.clock_zone, candidates=())
    agreed_calendar(terms.clock_zone, idle=terms.idle_days, holidays=terms.holidays, quiet=terms.quiet_hours)


def value_now(terms: Terms, rules: AnyRules, key: str) -> str:
    """What one of the terms or an option of the game says, as one would write it."""
    plain = asdict(terms)
    if key not in plain:
        return rules.options.values.get(key, "")
    value = plain[key]
    if isinstance(value, tuple):
        return ", ".join(map(str, value)) or "none"
    return str(value)


def _with(terms: Terms, key: str, value: str) -> Terms:
    """Raises `msgspec.ValidationError` for a value that can't be."""
    plain: dict[str, Any] = asdict(terms)
    if key not in plain:
        return replace(terms, setup=replace(terms.setup, options={**terms.setup.options, key: value}))
    read: Any = value
    if isinstance(plain[key], tuple):
        read = [part.strip() for part in value.split(",") if part.strip() not in ("", "none")]
    whole = {**msgspec.to_builtins(terms), key: read}
    return msgspec.convert(whole, type(terms), strict=False)


def _own_values(kind: type[Terms]) -> dict[str, tuple[str, ...]]:
    """The terms' own keys with the values they may have; () where they are no list."""
    hints = get_type_hints(kind)
    return {key: tuple(word for word in get_args(hint) if isinstance(word, str)) for key, hint in hints.items()}
