"""The page to order from: one file without a server, for every question of a game, in every language.

What may be answered comes in the fragment of its link (`render.fragment`), or with an attached copy inside it. Scripts
and styles are let in by their digests (CSP, `script-src`), so that nothing else can run there.
"""

from __future__ import annotations

import json
import re
from base64 import b64encode
from collections.abc import Mapping, Sequence
from functools import cache
from hashlib import sha256
from typing import Any

from jinja2 import Template
from msgspec import to_builtins

from pbem.core.languages import LANGUAGES
from pbem.core.presenter import Presenter
from pbem.files import resource
from pbem.render.fragment import MARK
from pbem.render.wording import OwnSentences, sentences, wording

LONGEST = 1_600  # characters of a letter, as a link has them: some programs cut off what is longer
_FOLDER = "templates/order"
_SIGN = re.compile(r'("[^"\n]*"|`[^`]*`)| *([=?:&|{},;<>]) *')
_OWN = ("costs_own", "costs_of")  # what the game says there


def order_path(presenter: Presenter) -> str:
    """Where the page lies in an archive: `order/GAME/`."""
    return f"order/{presenter.voice.folder.rpartition('/')[2]}/"


def order_page(presenter: Presenter, commands: OwnSentences) -> str:
    """The page in HTML. Raises `ValueError` for a game without anything to point at."""
    return _made(presenter, commands, LANGUAGES, None)


def order_copy(presenter: Presenter, commands: OwnSentences, language: str, letter: Mapping[str, Any]) -> str:
    """One that needs no fragment and no archive: `letter` is what those would tell it. At most 100 kB."""
    return _made(presenter, commands, (language,), letter)


def _made(
    presenter: Presenter, commands: OwnSentences, languages: Sequence[str], letter: Mapping[str, Any] | None
) -> str:
    facts, style, script, template = _parts(presenter, commands, languages)
    return template.render(
        facts=_data({**facts, "letter": letter}),
        style=style,
        script=script,
        hashes={"style": _digest(style), "script": _digest(script)},
        board=presenter.pages.pointing,
    )


@cache
def _parts(
    presenter: Presenter, commands: OwnSentences, languages: Sequence[str]
) -> tuple[Mapping[str, Any], str, str, Template]:
    voice, pointing = presenter.voice, presenter.pages.pointing
    if pointing is None:
        raise ValueError(f"{voice.folder} has nothing to point at")
    words = {language: wording(voice, language, html=False, commands=commands) for language in languages}
    own = {language: {key: words[language].say(f"order.{key}") for key in _OWN} for language in languages}
    facts = {
        "names": {language: voice.in_orders(language) for language in languages},
        "say": {language: {**_sentences(language), **own[language]} for language in languages},
        "preview": {language: words[language].called("preview") for language in languages},
        "longest": LONGEST,
        "mark": MARK,
        "stock": pointing.stock,
        "spots": pointing.spots,
        "colours": pointing.colours,
        "letters": {language: pointing.letters[language] for language in languages},
        "labels": to_builtins({language: pointing.labels[language] for language in languages}),
    }
    script = _code(f"{voice.folder}/templates/order.js") + _code(f"{_FOLDER}/page.js")
    return facts, _code(f"{_FOLDER}/page.css"), script, Template(_text(f"{_FOLDER}/page.html.j2"))


def _sentences(language: str) -> Mapping[str, str]:
    return {key.removeprefix("order."): said for key, said in sentences(_FOLDER, language).items()}


def _data(facts: Mapping[str, Any]) -> str:
    """JSON that can't end the element it stands in."""
    return json.dumps(facts, ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c")


def _digest(text: str) -> str:
    return f"'sha256-{b64encode(sha256(text.encode()).digest()).decode()}'"


def _text(path: str) -> str:
    """Without indentation and comments."""
    return re.sub(r"/\*.*?\*/|^\s+", "", resource(path).read_text("utf-8"), flags=re.DOTALL | re.MULTILINE)


def _code(path: str) -> str:
    """Of a script or a style: without blanks around its signs, too, save in strings."""
    return _SIGN.sub(lambda found: found[1] or found[2], _text(path))
