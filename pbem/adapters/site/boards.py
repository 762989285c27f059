"""The boards on the pages: what is the same on many of them is a file of its own, which every page shows below."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import msgspec
from markupsafe import Markup

from pbem.core.presenter import PagePresenter, View


class Boards:
    """Draws boards for pages in one language."""

    def __init__(self, shown: PagePresenter, language: str) -> None:
        self._shown = shown
        self._language = language

    def shared(self, view: View) -> Iterable[tuple[str, str]]:
        """The files that the boards of a game lie upon: path and content.

        The script has the same pictures once more: a page that was opened as a file may read no other file, but run it.
        """
        layers = self._shown.layers(view, self._language)
        yield from ((f"boards/{name}.svg", svg) for name, svg in layers.items())
        yield self.layers(view), f"boardLayers = {msgspec.json.encode([*layers.values()]).decode()};\n"

    def drawn(
        self, view: View, before: View | None, events: Sequence[Mapping[str, Any]], *, alt: str, root: str, made: str
    ) -> Markup:
        """The board as an element of a page."""
        files = [f"{root}boards/{name}.svg?{made}" for name in self._shown.layers(view, self._language)]
        board = self._shown.board(view, before, events, language=self._language, alt=alt, layers=files)
        return Markup(board)  # noqa: S704 - all text in a picture is outlines

    def layers(self, view: View) -> str:
        """The script with which a page makes a picture that is complete in itself."""
        lowest, *_ = self._shown.layers(view, self._language)
        return f"boards/{lowest}.js"
