"""Boards, editions and names from `games/`: checked whole, every mistake told at once."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from importlib.resources.abc import Traversable
from typing import Any, get_args

import msgspec

from pbem.core.languages import LANGUAGES
from pbem.core.notation import Names, Notation
from pbem.core.seat import Setup
from pbem.files import ConfigError, Way, YamlDocument, fit, read_yaml, resource
from pbem.games.imperial.data.proofreading import Problem, board_problems, edition_problems, places
from pbem.games.imperial.data.schema import BoardSheet, EditionSheet, NameSheet, OptionSheet
from pbem.games.imperial.notation.grammar import notation
from pbem.games.imperial.rules.board import Board
from pbem.games.imperial.rules.edition import Edition
from pbem.games.imperial.rules.game import Imperial
from pbem.games.imperial.rules.orders import Order

USUAL = Setup(game="imperial", edition="new", board="europe", setup="standard")
YES_NO: Mapping[object, bool] = {"yes": True, "no": False}

# -- loading ---


def imperial(setup: Setup) -> Imperial:
    """The table for this set-up. Raises `ConfigError`, also for options that the edition does not know."""
    setup = setup.filled(USUAL)
    return _imperial(setup.board, setup.edition, tuple(sorted(setup.options.items())), setup.setup)


def editions() -> tuple[str, ...]:
    """The ids of the rule books there are."""
    return _ids("editions")


def display_names(language: str) -> Mapping[str, Mapping[str, str]]:
    """What each thing is called in a language, by kind and id."""
    tables: dict[str, dict[str, tuple[str, ...]]] = _names(language).model_dump(exclude={"language"})
    return {kind: {id_: ways[0] for id_, ways in table.items()} for kind, table in tables.items()}


@cache
def _imperial(where: str, edition: str, options: tuple[tuple[str, str], ...], setup: str) -> Imperial:
    rules = load_edition(_text("editions", edition), f"{edition}.yaml", dict(options))
    return Imperial(board(where), rules, order_language(), setup)


def load_board(text: str, source: str) -> Board:
    page = read_yaml(text, source)
    sheet = fit(BoardSheet, page)
    _raise_all(page, board_problems(sheet))
    return Board(
        id=sheet.id,
        supply={n: {"army": s.armies, "fleet": s.fleets} for n, s in sheet.nations.items()},
        places={place.id: place for place in places(sheet)},
        borders=tuple(sheet.borders),
    )


@cache
def board(id_: str) -> Board:
    """The board of that name. Raises `ConfigError`."""
    return load_board(_text("boards", id_), f"{id_}.yaml")


@cache
def printed(edition: str) -> Edition:
    """A rule book with all that is printed in it: bonds also that a game may do without. Raises `ConfigError`."""
    return _edition(_text("editions", edition), f"{edition}.yaml", {}, is_whole=True)


def load_edition(text: str, source: str, options: Mapping[str, str] | None = None) -> Edition:
    """A rule book, with a game's own options over those of the book."""
    return _edition(text, source, options or {})


def _edition(text: str, source: str, options: Mapping[str, str], *, is_whole: bool = False) -> Edition:
    page = _extended("editions", read_yaml(text, source), (source,))
    sheet = fit(EditionSheet, page)
    _raise_all(page, edition_problems(sheet, words()["nations"]))
    chosen = _chosen(options)
    money = chosen.pop("starting_money", None)  # the same for each player; the rule books have tables
    values = sheet.options.model_copy(update=chosen)
    own: dict[str, Any] = {
        "bonds": {p: i for p, i in sorted(sheet.bonds.items()) if is_whole or p <= values.bonds_up_to},
        "options": {key: YES_NO.get(value, value) for key, value in values.model_dump().items()},
    }
    if money is not None:
        own |= {kind: dict.fromkeys(getattr(sheet, kind), money) for kind in ("starting_money", "experienced_money")}
    return msgspec.convert(sheet.model_copy(update=own), Edition, from_attributes=True)


@cache
def order_language() -> Notation[Order]:
    """With the names of all languages."""
    return notation(words())


@cache
def words() -> Mapping[str, Names]:
    """All names of all languages, by kind and id: a player may write in any of them."""
    sheets = [_names(language) for language in LANGUAGES]
    tables = [s.model_dump(exclude={"language"}) for s in sheets]
    return {kind: _joined([table[kind] for table in tables]) for kind in tables[0]}


def _joined(tables: list[Mapping[str, tuple[str, ...]]]) -> Names:
    ids = dict.fromkeys(id_ for table in tables for id_ in table)
    return {id_: tuple(dict.fromkeys(way for t in tables for way in t.get(id_, ()))) for id_ in ids}


@cache
def _names(language: str) -> NameSheet:
    return fit(NameSheet, read_yaml(_text("names", language), f"{language}.yaml"))


# -- the options of a game ---


def option_values() -> Mapping[str, tuple[str, ...]]:
    """The keys of `option` lines and what each may say; no values: any amount of millions."""
    listed = {key: tuple(map(str, _choices(key))) for key in OptionSheet.model_fields}
    return {**listed, "starting_money": ()}


def _choices(key: str) -> tuple[Any, ...]:
    return get_args(OptionSheet.model_fields[key].annotation)


def _chosen(options: Mapping[str, str]) -> dict[str, Any]:
    """The values as the edition's own are; raises `ConfigError` with every option that can't be."""
    problems = tuple(problem for key, value in options.items() if (problem := _option_problem(key, value)))
    if problems:
        raise ConfigError(problems)
    return {key: int(value) if value.isdecimal() else value for key, value in options.items()}


def _option_problem(key: str, value: str) -> str | None:
    known = option_values()
    if key not in known:
        return f"option {key}: there is no such option; there are {', '.join(sorted(known))}"
    if not known[key]:
        is_amount = value.isascii() and value.isdecimal() and 0 < len(value) <= 4
        return None if is_amount else f"option {key}: should be an amount in millions, but is {value!r}"
    if value in known[key]:
        return None
    return f"option {key}: should be {' or '.join(known[key])}, but is {value!r}"


# -- files that say "like that one, but" ---


def _extended(folder: str, page: YamlDocument, trail: tuple[str, ...]) -> YamlDocument:
    """A file over the one it extends: sections merge by key, lists replace whole."""
    if not isinstance(page.value, dict) or "extends" not in page.value:
        return page
    own = {key: value for key, value in page.value.items() if key != "extends"}
    name, mark = str(page.value["extends"]), _mark(page, ("extends",))
    if name not in _ids(folder) or f"{name}.yaml" in trail:
        why = "is extended by itself" if name in _ids(folder) else f"is none of {', '.join(_ids(folder))}"
        raise ConfigError((f"{':'.join(map(str, mark))}: extends: {name} {why}",))
    file = f"{name}.yaml"
    under = _extended(folder, read_yaml(_text(folder, name), file), (*trail, file))
    return YamlDocument(value=_over(under.value, own), places={**under.places, **page.places})


def _over(under: Mapping[Any, Any], own: Mapping[Any, Any]) -> dict[Any, Any]:
    both = {k: _over(under[k], own[k]) for k in own if isinstance(own[k], dict) and isinstance(under.get(k), dict)}
    return {**under, **own, **both}


def _text(folder: str, name: str) -> str:
    file = _folder(folder) / f"{name}.yaml"
    if not name.replace("_", "").isalnum() or not file.is_file():
        raise ConfigError((f"{folder}: there is no {name!r}; there are {', '.join(_ids(folder))}",))
    return file.read_text(encoding="utf-8")


def _ids(folder: str) -> tuple[str, ...]:
    found = (file.name for file in _folder(folder).iterdir())
    return tuple(sorted(name.removesuffix(".yaml") for name in found if name.endswith(".yaml")))


def _folder(folder: str) -> Traversable:
    return resource("games") / "imperial" / folder


# -- mistakes ---


def _raise_all(page: YamlDocument, problems: Iterator[Problem]) -> None:
    told = tuple(f"{':'.join(map(str, _mark(page, way)))}: {'.'.join(map(str, way))}: {why}" for way, why in problems)
    if told:
        raise ConfigError(told)


def _mark(page: YamlDocument, way: Way) -> tuple[str, int, int]:
    """Where a value stands, or the nearest thing around it that is there."""
    texts = tuple(map(str, way))
    known = next(w for end in range(len(way), -1, -1) for w in (way[:end], texts[:end]) if w in page.places)
    return page.places[known].value
