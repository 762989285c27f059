"""The file of a league, as people write it: all that is wrong is told at once, with line and column."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any

import msgspec
from msgspec import NODEFAULT, Struct
from msgspec.structs import FieldInfo, fields
from pydantic import BaseModel, create_model

from pbem.files import StrictModel, Value, Way, load_as, read_yaml, resource
from pbem.league.limits import House, Mistake, mistakes
from pbem.league.settings import Settings

TEMPLATE = "templates/league.yaml"
_SENTENCES = {  # in English, as all of the command line
    "league.name": "should be 2 to 12 letters a-z, no tag of games, no word of the language, and not taken",
    "league.game": "there is no such game; there is {known}",
    "opening.template": "there is no such template; there is {known}",
    "option.value": "{problem}",
    "league.too_few": "should be at least {least}{series}",
    "league.too_many": "should be at least {least} and at most {most}",
    "league.muster": "should be less than entry.days, which is {days}",
    "league.start": "should be a day to come, {days} days away for the entries{earliest}",
    "league.weeks": "should be 1 to 104",
    "league.table": "should be one of allowed ({allowed}){seats}",
    "league.load": "should be 1 to 10",
    "league.groups": "should be table.players ({players}) ≤ least ≤ size ≤ most ≤ 21; in divisions most ≥ {most}",
    "league.shape": "should be numbers from 1 on that do not fall",
    "league.rounds": "should be 1 to 20, and at most {most}: more can't be played without meeting again",
    "league.limit": "should be 0, or 14 to 365",
    "league.stall": "should be 0, or at least 1.5",
    "league.unequal": "should be a list for each size ({sizes}), never rising, of the same mean; now {means}",
    "league.scores": "{game} has no scores: only places or winner will do",
    "league.ties": "should be some of {known}, each once, with lot as the last",
    "league.value": "should be {range}",
}


def template(name: str, game: str) -> str:
    """The file with every key, for a league of that name in that game."""
    text = resource(TEMPLATE).read_text("utf-8").replace("game: GAME".ljust(len(game) + 6), f"game: {game}")
    return re.sub(r"\b[Ee]uro\b", lambda word: name.capitalize() if word[0] == "Euro" else name, text)


def read(text: str, source: str, house: House) -> Settings:
    """The settings of the file; raises `ConfigError` with all that is wrong with it on this server."""
    further = lambda value: _further(value, house)  # noqa: E731
    load_as(_model(Settings), text, source, further=further)
    settings: Settings = _lenient(Settings, read_yaml(text, source).value, (), set())
    return settings


def _further(value: Value, house: House) -> Iterator[tuple[Way, str]]:
    """What is out of its limits, but for keys whose type is wrong: those are told already."""
    wrong: set[Way] = set()
    settings = _lenient(Settings, value if isinstance(value, dict) else {}, (), wrong)
    for mistake in mistakes(settings, house):
        if not any(mistake.way[: len(way)] == way for way in wrong):
            yield mistake.way, _sentence(mistake)


def _sentence(mistake: Mistake) -> str:
    facts = {key: _told(key, value) for key, value in mistake.facts.items()}
    facts["range"] = _range(mistake.facts)
    return f"{_SENTENCES[mistake.code].format(**facts)} ({mistake.code})"


def _told(key: str, value: object) -> str:
    match key, value:
        case "series", flag:
            return "; for fewer there is the format series" if flag else ""
        case "seats", sizes:
            return f", and all of them what the game seats ({', '.join(map(str, sizes))})" if sizes else ""  # type: ignore[call-overload]
        case "earliest", None:
            return ": as 2027-01-11"
        case "earliest", _:
            return f": {value} or later"
        case _, Mapping():
            return ", ".join(f"{each}: {own}" for each, own in value.items())
        case _, list() | tuple():
            return ", ".join(map(str, value))
        case _:
            return str(value)


def _range(facts: Mapping[str, object]) -> str:
    least, most = facts.get("least"), facts.get("most")
    if least is None:
        return "as in the template"
    return f"{least} to {most}" if most is not None else f"at least {least}"


# -- the same keys for both readers ---


def _lenient(kind: type[Any], plain: Mapping[str, Any], way: Way, wrong: set[Way]) -> Any:
    """The settings with what can be read of them; what can't is as usual, and noted."""
    return kind(**{field.name: _value(field, plain, way, wrong) for field in fields(kind)})


def _value(field: FieldInfo, plain: Mapping[str, Any], way: Way, wrong: set[Way]) -> Any:
    key, there = field.encode_name, (*way, field.encode_name)
    if _is_section(field):
        own = plain.get(key, {})
        if not isinstance(own, dict):
            wrong.add(there)
        return _lenient(field.type, own if isinstance(own, dict) else {}, there, wrong)
    try:
        return msgspec.convert(plain[key], field.type)
    except KeyError:
        if field.required:
            wrong.add(there)
    except msgspec.ValidationError:
        wrong.add(there)
    return _usual(field)


def _usual(field: FieldInfo) -> Any:
    if field.default is not NODEFAULT:
        return field.default
    return field.default_factory() if field.default_factory is not NODEFAULT else ""


def _is_section(field: FieldInfo) -> bool:
    return isinstance(field.type, type) and issubclass(field.type, Struct)


@cache
def _model(kind: type[Struct]) -> type[BaseModel]:
    """The keys and types as a strict model: it tells what is unknown, missing, or of another type."""
    own: dict[str, Any] = {}
    for field in fields(kind):
        known = _model(field.type) if _is_section(field) else field.type
        own[field.encode_name] = (known, ... if field.required else None)
    return create_model(kind.__name__, __base__=StrictModel, **own)
