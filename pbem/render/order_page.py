"""The page to order from: one file without a server, for every question of a game, in every language.

What may be answered comes in the fragment of its link (`render.fragment`), or with an attached copy inside it. Scripts
and styles are let in by their digests (CSP, `script-src`), so that nothing else can run there.
"""

from __future__ import annotations

import json
from base64 import b64encode
from collections.abc import Mapping
from functools import cache
from hashlib import sha256
from typing import Any

from jinja2 import Template

from pbem.core.presenter import Presenter
from pbem.files import resource
from pbem.render.wording import OwnSentences, sentences, wording

LANGUAGES = ("en", "de", "it")
LONGEST = 1_600  # characters of a letter that a link may hold: some programs cut off what is longer
_FOLDER = "templates/order"


def order_path(presenter: Presenter) -> str:
    """Where the page lies in an archive: `order/GAME/`."""
    return f"order/{presenter.voice.folder.rpartition('/')[2]}/"


def order_page(presenter: Presenter, commands: OwnSentences, letter: Mapping[str, Any] | None = None) -> str:
    """The page in HTML; with a `letter` (`render.fragment`) one that needs no fragment.

    Raises `ValueError` for a game without anything to point at.
    """
    facts, style, script, template = _parts(presenter, commands)
    return template.render(
        facts=_data({**facts, "letter": letter}),
        style=style,
        script=script,
        hashes={"style": _digest(style), "script": _digest(script)},
        board=presenter.pages.pointing,
    )


@cache
def _parts(presenter: Presenter, commands: OwnSentences) -> tuple[Mapping[str, Any], str, str, Template]:
    voice, pointing = presenter.voice, presenter.pages.pointing
    if pointing is None:
        raise ValueError(f"{voice.folder} has nothing to point at")
    words = {language: wording(voice, language, html=False, commands=commands) for language in LANGUAGES}
    facts = {
        "names": {language: words[language].order_names for language in LANGUAGES},
        "say": {language: _sentences(language) for language in LANGUAGES},
        "preview": {language: words[language].called("preview") for language in LANGUAGES},
        "longest": LONGEST,
        "spots": pointing.spots,
        "colours": pointing.colours,
    }
    script = _text(f"{voice.folder}/templates/order.js") + _text(f"{_FOLDER}/page.js")
    return facts, _text(f"{_FOLDER}/page.css"), script, Template(_text(f"{_FOLDER}/page.html.j2"))


def _sentences(language: str) -> Mapping[str, str]:
    return {key.removeprefix("order."): said for key, said in sentences(_FOLDER, language).items()}


def _data(facts: Mapping[str, Any]) -> str:
    """JSON that can't end the element it stands in."""
    return json.dumps(facts, ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c")


def _digest(text: str) -> str:
    return f"'sha256-{b64encode(sha256(text.encode()).digest()).decode()}'"


def _text(path: str) -> str:
    return resource(path).read_text("utf-8")
