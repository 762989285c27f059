"""Events into the position. What is changed stands in the log as plain data: fractions as text, in lowest terms."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from functools import lru_cache
from typing import Any, NamedTuple, get_type_hints

import msgspec
from msgspec.structs import replace

from pbem.games.empire.rules.events import Changed, Event, Undone, Veiled
from pbem.games.empire.rules.state import Border, Country, Hup, Kept, Offer, Part, State, Unit

TABLES: Mapping[str, Any] = {
    "parts": Part,
    "borders": Border,
    "units": Unit,
    "countries": Country,
    "offers": Offer,
    "hup": Hup,
    "standing": Kept,
    "sightings": tuple[str, ...],
}


class Patch(NamedTuple):
    """Fields with their new values; of tables only the keys that change, None for what goes."""

    fields: Mapping[str, Any]
    tables: Mapping[str, Mapping[str, Any]]
    only: tuple[str, ...] | None = None  # of what can be taken back: who has learned of the order; None: everybody


def plain(value: Any) -> Any:
    """As data for the log, the same as when it is read back; maps in the order in which the log writes them."""
    return msgspec.json.decode(msgspec.json.encode(value, enc_hook=str, order="sorted"))


def difference(before: State, after: Mapping[str, Any]) -> dict[str, Any]:
    """What is not what it was, as data; `after` has fields by name."""
    changed: dict[str, Any] = {}
    for name, value in after.items():
        old = getattr(before, name)
        if value is old or value == old:
            continue
        if name in TABLES:
            new = {key: plain(each) for key, each in value.items() if old.get(key) is not each and old.get(key) != each}
            gone = {key: None for key in old if key not in value}
            changed[name] = dict(sorted((new | gone).items()))  # as it is when the log is read back
        else:
            changed[name] = plain(value)
    return changed


def apply(state: State, event: Event) -> State:
    match event:
        case Changed(to=to):
            patch = _read(to)
            new = _patched(state, patch)
            if event.can_undo:
                return replace(new, before=(*state.before, _inverse(state, patch)), barred=None)
            resume = (state.resume or state) if new.hanging is not None else None
            return replace(new, before=(), barred=event.why, resume=resume)
        case Veiled(only=only, order=True) if state.before:
            *earlier, last = state.before
            return replace(state, before=(*earlier, last._replace(only=only)))
        case Undone():
            return replace(_patched(state, state.before[-1]), before=state.before[:-1])
    return state


def _read(to: Mapping[str, Any]) -> Patch:
    fields, tables = {}, {}
    for name, value in to.items():
        if name in TABLES:
            tables[name] = {key: None if each is None else _convert(each, TABLES[name]) for key, each in value.items()}
        else:
            fields[name] = _convert(value, _hints()[name])
    return Patch(fields, tables)


def _patched(state: State, patch: Patch) -> State:
    fields = dict(patch.fields)
    for name, changes in patch.tables.items():
        table = {**getattr(state, name), **changes}
        fields[name] = {key: value for key, value in table.items() if value is not None}
    return replace(state, **fields)


def _inverse(state: State, patch: Patch) -> Patch:
    fields = {name: getattr(state, name) for name in patch.fields}
    tables = {name: {key: getattr(state, name).get(key) for key in changes} for name, changes in patch.tables.items()}
    return Patch(fields, tables)


def _convert(value: Any, kind: Any) -> Any:
    return msgspec.convert(value, kind, dec_hook=_amount, str_keys=True)


def _amount(kind: type, value: object) -> Fraction:
    if kind is Fraction and isinstance(value, str | int):
        return _fraction(value)
    raise ValueError(f"{value!r} is no amount")


@lru_cache(maxsize=1024)
def _fraction(value: str | int) -> Fraction:
    return Fraction(value)


@lru_cache(maxsize=1)
def _hints() -> Mapping[str, Any]:
    return get_type_hints(State)
