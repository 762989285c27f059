"""One key of the settings set anew: which may be, until when, and with whose consent."""

from __future__ import annotations

from typing import Any

import msgspec
from msgspec.structs import replace

from pbem.core.refusal import Illegal
from pbem.league.limits import House, mistakes
from pbem.league.settings import Settings

LATER = ("season.weeks", "table.load", "limits.game_days")  # after the first draw, by petition only
SECTIONS_LATER = ("reserves", "mail")
UPWARDS = ("table.load", "limits.game_days")
NEVER = ("name", "game", "template", "options")  # what the league is called, and what its figures are about


def with_key(settings: Settings, key: str, value: Any) -> Settings:
    """The settings with another value, also as one would write it. Raises `Illegal` for what can't be."""
    section, _, name = key.rpartition(".")
    kind = _type(settings, key)
    try:
        own = msgspec.convert(_read(value), kind, strict=False)
    except msgspec.ValidationError:
        raise Illegal("option.value", key=key, read=str(value), candidates=()) from None
    if not section:
        return replace(settings, **{_field(Settings, name): own})
    part = getattr(settings, section)
    return replace(settings, **{section: replace(part, **{_field(type(part), name): own})})


def value_of(settings: Settings, key: str) -> Any:
    """Raises `Illegal` for a key that there is not."""
    _type(settings, key)
    section, _, name = key.rpartition(".")
    part = getattr(settings, section) if section else settings
    return msgspec.to_builtins(getattr(part, _field(type(part), name)))


def check_set(settings: Settings, key: str, value: Any, *, drawn: bool, petition: bool, house: House) -> Settings:
    """The settings with it. Raises `Illegal` for what can't be set (any more), or only by petition."""
    made = with_key(settings, key, value)
    if key in NEVER:
        raise Illegal("league.fixed", key=key)
    if made == settings:
        raise Illegal("option.same", key=key, value=str(value))
    if drawn:
        is_open = key in LATER or key.partition(".")[0] in SECTIONS_LATER
        if not is_open:
            raise Illegal("league.frozen", key=key)
        if not petition:
            raise Illegal("league.needs_petition", key=key)
        if key in UPWARDS and _weight(value_of(made, key)) < _weight(value_of(settings, key)):
            raise Illegal("league.upwards", key=key)
    for mistake in mistakes(made, house):
        if ".".join(mistake.way) == key or mistake.way == (key.partition(".")[0],):
            raise Illegal(mistake.code, key=key, **mistake.facts)
    return made


def _weight(value: Any) -> float:
    return float("inf") if value == 0 else float(value)  # no limit is the highest


def _type(settings: Settings, key: str) -> Any:
    section, _, name = key.rpartition(".")
    kind: Any = type(settings)
    if section:
        kind = _fields(kind).get(section)
        kind = kind.type if kind and isinstance(kind.type, type) and issubclass(kind.type, msgspec.Struct) else None
    field = _fields(kind).get(name) if kind else None
    if field is None:
        raise Illegal("option.unknown", read=key, known=sorted(_keys()))
    return field.type


def _keys() -> list[str]:
    found = []
    for name, field in _fields(Settings).items():
        is_section = isinstance(field.type, type) and issubclass(field.type, msgspec.Struct)
        found += [f"{name}.{key}" for key in _fields(field.type)] if is_section else [name]
    return found


def _fields(kind: type[msgspec.Struct]) -> dict[str, msgspec.structs.FieldInfo]:
    return {field.encode_name: field for field in msgspec.structs.fields(kind)}


def _field(kind: type[msgspec.Struct], key: str) -> str:
    return _fields(kind)[key].name


def _read(value: Any) -> Any:
    """Lists as one would write them: "3, 4, 5"."""
    if isinstance(value, str) and "," in value:
        return [part.strip() for part in value.strip("[]").split(",")]
    return value
