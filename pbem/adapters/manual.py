"""The players' manual, in one language: every kind of order and all the words there are; and the page of commands."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import PurePosixPath
from typing import Any

from pbem.core.notation import Names
from pbem.core.presenter import Presenter
from pbem.files import read_yaml, resource
from pbem.host.commands.table import COMMANDS
from pbem.language.tokens import fold
from pbem.language.words import WORDS
from pbem.render.wording import Wording

Example = Mapping[str, str]


def manual(presenter: Presenter, language: str) -> str:
    """The page, in Markdown. Raises `ValueError` when the game has none."""
    folder = f"{presenter.voice.folder}/manual"
    wording = Wording(presenter.voice, language, html=False, page=folder, commands=COMMANDS.sentences)
    known = examples(presenter)
    sections = {
        section: {name: _example(wording, language, one, known) for name, one in own.items()}
        for section, own in known["sections"].items()
    }
    own = presenter.voice.names(language)
    vocabulary = presenter.vocabulary(_commands())
    tables = {title: _rows(wording, names, own.get(title, {})) for title, names in vocabulary.items()}
    game = PurePosixPath(presenter.voice.folder).name
    facts = {"game": game, "folder": folder, "sections": sections, "tables": tables, "untold": [*_untold(sections)]}
    return wording.letter("manual/page.md.j2", facts).rstrip() + "\n"


def _untold(sections: Mapping[str, Mapping[str, Example]]) -> Iterable[str]:
    """The commands of which no section and no example tells: their own help does."""
    shown = fold("\n".join(one["text"] for examples in sections.values() for one in examples.values()))
    for name, ways in COMMANDS.topics.items():
        words = "|".join(re.escape(fold(way)) for way in ways)
        if name not in sections and not re.search(rf"^(?:{words})\b", shown, re.MULTILINE):
            yield name


def commands(presenter: Presenter) -> str:
    """What a letter may say beside the orders of its game, in English, in Markdown."""
    wording = Wording(presenter.voice, "en", html=False, commands=COMMANDS.sentences)
    page = wording.letter("manual/commands.md.j2", {"commands": _rows(wording, COMMANDS.topics, {})})
    return page.rstrip() + "\n"


# -- examples ---


@cache
def examples(presenter: Presenter) -> Mapping[str, Any]:
    """The examples of a game's manual: by section and name, and the position that most of them need."""
    name = "examples.yaml"
    file = resource(f"{presenter.voice.folder}/manual/{name}")
    if not file.is_file():
        raise ValueError(f"There is no manual in {presenter.voice.folder}.")
    found: Mapping[str, Any] = read_yaml(file.read_text("utf-8"), name).value
    return found


def _example(wording: Wording, language: str, one: Mapping[str, Any], known: Mapping[str, Any]) -> Example:
    """An example with the position it needs, and its orders in the words of the language."""
    before = (one.get("table", known["table"]), one.get("before", ""))
    text = one["text"]
    written = text[language] if isinstance(text, Mapping) else wording.order(text)
    return {
        "before": "\n".join(part.rstrip() for part in before if part),
        "seat": one.get("seat", known["seat"]),
        "text": written.rstrip(),
        "then": one.get("then", "").rstrip(),
    }


# -- words ---


def _commands() -> Names:
    """The words of what letters say beside orders, as the reader knows them."""
    words = {**COMMANDS.words, **WORDS}
    return {kind.removeprefix("K_").lower(): ways for kind, ways in words.items()}


def _rows(wording: Wording, names: Names, own: Mapping[str, str]) -> Mapping[str, tuple[str, list[str]]]:
    """For each thing what it is called, and what besides; what differs in signs only is told once.

    `own` are the names of its kind: a thing of another kind may have the same id, as a dock and the word for docking.
    """
    called = {id_: own.get(id_) or wording.called(id_) for id_ in names}
    return {id_: (called[id_], [*_others(called[id_], ways)]) for id_, ways in names.items()}


def _others(called: str, ways: Iterable[str]) -> Iterable[str]:
    told = {_bare(called): called} | {_bare(way): way for way in reversed([*ways])}
    del told[_bare(called)]
    return reversed(told.values())


def _bare(way: str) -> str:
    return "".join(sign for sign in fold(way) if sign.isalnum())
