"""The boards on the pages: what is the same on all of them is a file of its own, which every page shows below."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import msgspec
from markupsafe import Markup

from pbem.core.presenter import View
from pbem.games.imperial.presentation.pictures import board_on_page, ground_svg, names_svg


class Boards:
    """Draws boards for pages in one language."""

    def __init__(self, language: str) -> None:
        self._language = language

    def shared(self, view: View) -> Iterable[tuple[str, str]]:
        """The files that the boards of a game lie upon: path and content.

        The script has the same pictures once more: a page that was opened as a file may read no other file, but run it.
        """
        ground, names = (
            ground_svg(view["edition"], view["board"], self._language),
            names_svg(view["board"], self._language),
        )
        yield f"{_ground(view)}.svg", ground
        yield f"{_names(view)}.svg", names
        yield f"{_ground(view)}.js", f"boardLayers = {msgspec.json.encode([ground, names]).decode()};\n"

    def drawn(
        self, view: View, before: View | None, events: Sequence[Mapping[str, Any]], *, alt: str, root: str, made: str
    ) -> Markup:
        """The board as an element of a page."""
        return Markup(  # noqa: S704 - all text in a picture is outlines
            board_on_page(
                view,
                before=before,
                events=events,
                language=self._language,
                alt=alt,
                ground=f"{root}{_ground(view)}.svg?{made}",
                names=f"{root}{_names(view)}.svg?{made}",
            )
        )

    def layers(self, view: View) -> str:
        """The script with which a page makes a picture that is complete in itself."""
        return f"{_ground(view)}.js"


def _ground(view: View) -> str:
    return f"boards/{view['board']}-{view['edition']}"


def _names(view: View) -> str:
    return f"boards/{view['board']}-names"
