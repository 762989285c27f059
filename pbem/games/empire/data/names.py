"""What things are called: names and words from `games/empire/names`, of all languages."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from importlib.resources.abc import Traversable

from pbem.core.languages import LANGUAGES
from pbem.core.notation import Names
from pbem.files import ConfigError, StrictModel, fit, read_yaml, resource

Table = dict[str, tuple[str, ...]]


class NameSheet(StrictModel):
    """By id, and for the words by themselves: what we call it first, then what else it may be called."""

    language: str
    kinds: Table
    goods: Table
    factories: Table
    items: Table
    marks: Table
    guns: Table
    made: Table
    directions: Table
    choices: Table  # of a ruling
    words: Table
    sheets: Table  # of the records
    plurals: Table  # of kinds, where our orders have them


@cache
def words() -> Mapping[str, Names]:
    """All names of all languages, by kind and id: a player may write in any of them. Raises `ConfigError`."""
    sheets = [sheet.model_dump(exclude={"language"}) for sheet in map(_sheet, _languages())]
    return {kind: _joined([tables[kind] for tables in sheets]) for kind in sheets[0]}


def display_names(language: str) -> Mapping[str, Mapping[str, str]]:
    """What each thing is called in a language, by kind and id. Raises `ConfigError`."""
    return {kind: {id_: ways[0] for id_, ways in table.items()} for kind, table in ways_of(language).items()}


def ways_of(language: str) -> Mapping[str, Names]:
    """All that a language calls each thing, by kind and id, our own word first. Raises `ConfigError`."""
    tables: dict[str, Table] = _sheet(language).model_dump(exclude={"language"})
    return tables


def _languages() -> Sequence[str]:
    return [language for language in LANGUAGES if _file(language).is_file()]


def _joined(tables: Sequence[Names]) -> Names:
    ids = dict.fromkeys(id_ for table in tables for id_ in table)
    return {id_: tuple(dict.fromkeys(way for table in tables for way in table.get(id_, ()))) for id_ in ids}


@cache
def _sheet(language: str) -> NameSheet:
    file = _file(language)
    if not file.is_file():
        raise ConfigError((f"names: there is no {language!r}",))
    return fit(NameSheet, read_yaml(file.read_text(encoding="utf-8"), file.name))


def _file(language: str) -> Traversable:
    return resource("games") / "empire" / "names" / f"{language}.yaml"
