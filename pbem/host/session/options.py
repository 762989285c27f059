"""Which options are in force: those agreed on before the game, and what has been set since."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, get_args, get_type_hints
from zoneinfo import available_timezones

import msgspec
from msgspec.structs import asdict, replace

from pbem.core.refusal import Illegal
from pbem.host.calendar.agreed import agreed_calendar
from pbem.host.session.acts import Done, OptionSet

if TYPE_CHECKING:
    from pbem.core.game import AnyRules
    from pbem.host.session.terms import Terms

Changes = tuple[tuple[str, str], ...]

GRAVE = ("lateness",)  # of the game's options: it costs money, so that only a change sets it (procedure.md, section 3)
LONGEST = 24 * 365  # hours
FIXED = ("setup", "anonymous", "places")  # of the terms: what has done its work, or can't be taken back


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
        is_there = key in own or rules.value(key) is not None
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
    for key, hours, least in (
        ("slot_hours", (terms.slot_hours,), 1),
        ("grace_hours", (terms.grace_hours,), 0),
        ("remind_hours", terms.remind_hours, 1),
    ):
        for each in hours:
            if not least <= each <= LONGEST:
                raise Illegal("option.value", key=key, read=str(each), candidates=())
    if terms.clock_zone not in available_timezones():
        raise Illegal("option.value", key="clock_zone", read=terms.clock_zone, candidates=())
    agreed_calendar(terms.clock_zone, idle=terms.idle_days, holidays=terms.holidays, quiet=terms.quiet_hours)


def value_now(terms: Terms, rules: AnyRules, key: str) -> str:
    """What one of the terms or an option of the game says, as one would write it."""
    plain = asdict(terms)
    if key not in plain:
        return rules.value(key) or ""
    value = plain[key]
    if isinstance(value, tuple):
        return ", ".join(map(str, value)) or "none"
    return {True: "yes", False: "no"}[value] if isinstance(value, bool) else str(value)


def _with(terms: Terms, key: str, value: str) -> Terms:
    """Raises `msgspec.ValidationError` for a value that can't be."""
    plain: dict[str, Any] = asdict(terms)
    if key not in plain:
        return replace(terms, setup=replace(terms.setup, options={**terms.setup.options, key: value}))
    read: Any = value
    if isinstance(plain[key], tuple):
        read = [part.strip() for part in value.split(",") if part.strip() not in ("", "none")]
    elif isinstance(plain[key], bool):
        read = {"yes": True, "no": False}.get(value, value)
    whole = {**msgspec.to_builtins(terms), key: read}
    return msgspec.convert(whole, type(terms), strict=False)


def _own_values(kind: type[Terms]) -> dict[str, tuple[str, ...]]:
    """The terms' own keys with the values they may have; () where they are no list."""
    hints = get_type_hints(kind)
    return {key: tuple(word for word in get_args(hint) if isinstance(word, str)) for key, hint in hints.items()}
