"""The players' manual, in one language: every kind of order and all the words there are; and the page of commands."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache
from typing import Any

from pbem.core.notation import Names
from pbem.core.seat import Setup
from pbem.files import read_yaml, resource
from pbem.games.imperial.data.editions import imperial
from pbem.games.imperial.notation.grammar import GIVEN_WORDS
from pbem.games.imperial.notation.write import DID
from pbem.games.imperial.presentation.words import VOICE
from pbem.host.commands.table import COMMANDS
from pbem.language.tokens import fold
from pbem.language.words import WORDS
from pbem.render.wording import Wording

Example = Mapping[str, str]


def manual(language: str) -> str:
    """The page, in Markdown."""
    wording = Wording(VOICE, language, html=False, page="templates/manual")
    sections = {
        section: {name: _example(wording, language, one) for name, one in examples.items()}
        for section, examples in _examples()["sections"].items()
    }
    tables = {title: _rows(wording, names) for title, names in _tables().items()}
    page = wording.letter("manual/page.md.j2", {"sections": sections, "tables": tables})
    return page.rstrip() + "\n"


def commands() -> str:
    """What a letter may say beside the orders of its game, in English, in Markdown."""
    wording = Wording(VOICE, "en", html=False, page="templates/manual")
    page = wording.letter("manual/commands.md.j2", {"commands": _rows(wording, COMMANDS.topics)})
    return page.rstrip() + "\n"


# -- examples ---


@cache
def _examples() -> Mapping[str, Any]:
    name = "examples.yaml"
    found: Mapping[str, Any] = read_yaml(resource("templates").joinpath("manual", name).read_text("utf-8"), name).value
    return found


def _example(wording: Wording, language: str, one: Mapping[str, Any]) -> Example:
    """An example with the position it needs, and its orders in the words of the language."""
    before = (one.get("table", _examples()["table"]), one.get("before", ""))
    text = one["text"]
    written = text[language] if isinstance(text, Mapping) else wording.order(text)
    return {
        "before": "\n".join(part.rstrip() for part in before if part),
        "seat": one.get("seat", _examples()["seat"]),
        "text": written.rstrip(),
        "then": one.get("then", "").rstrip(),
    }


# -- words ---


def _tables() -> Mapping[str, Names]:
    """Everything a player may write, by kind and id, as the reader knows it."""
    notation = imperial(Setup()).notation
    spaces = {
        id_: ways for kind, names in notation.names.items() if kind.startswith("S_") for id_, ways in names.items()
    }
    own = {kind: ways for kind, ways in notation.keywords.items() if kind not in GIVEN_WORDS}
    return {
        "spaces": spaces,
        "words": {**notation.names["UNIT"], **notation.names["STATUS"], **_by_id(own)},
        "done": {
            word: tuple(way for way in notation.names["DONE"][space] if way not in spaces[space])
            for space, word in DID.items()
        },
        "commands": _by_id({kind: ways for kind, ways in {**COMMANDS.words, **WORDS}.items() if kind not in own}),
        "nations": notation.names["NATION"],
        "regions": notation.names["REGION"],
    }


def _by_id(keywords: Mapping[str, tuple[str, ...]]) -> Names:
    return {kind.removeprefix("K_").lower(): ways for kind, ways in keywords.items()}


def _rows(wording: Wording, names: Names) -> Mapping[str, list[str]]:
    """For each thing what it may be called besides; what differs in signs only is told once."""
    return {id_: [*_others(wording.called(id_), ways)] for id_, ways in names.items()}


def _others(called: str, ways: Iterable[str]) -> Iterable[str]:
    told = {_bare(called): called} | {_bare(way): way for way in reversed([*ways])}
    del told[_bare(called)]
    return reversed(told.values())


def _bare(way: str) -> str:
    return "".join(sign for sign in fold(way) if sign.isalnum())
