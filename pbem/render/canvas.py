"""The sheet that is drawn on: elements of an SVG, words as outlines, each letter kept once."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from math import cos, degrees, sin
from typing import Literal, NamedTuple
from xml.sax.saxutils import escape, quoteattr

from pbem.render.lettering import CAP, Hand, letters, reaches, width

INK = "#2b2620"
At = Literal["start", "middle", "end"]


class Box(NamedTuple):
    """A rectangle, in pixels of a picture that is 600 wide."""

    x: float
    y: float
    w: float
    h: float

    @property
    def middle(self) -> tuple[float, float]:
        return self.x + self.w / 2, self.y + self.h / 2


class Canvas:
    """Collects what is drawn, in the order in which it covers what lies below.

    On one that is `lively` a style sheet can move things from where they were.
    """

    def __init__(self, width: float, height: float, *, lively: bool = False) -> None:
        self.width, self.height, self.lively = width, height, lively
        self._drawn: list[str] = []
        self._letters: dict[str, str] = {}
        self._stamps: dict[str, str] = {}

    def draw(self, *elements: str) -> None:
        self._drawn.extend(elements)

    @contextmanager
    def part(self, kind: str, *, hidden: bool = False, path: str = "", **numbers: float) -> Iterator[None]:
        """What is drawn meanwhile is a group of that class with these numbers, if anything moves here at all."""
        if not self.lively:
            yield
            return
        style = ";".join(f"--{name}:{number:.4g}" for name, number in numbers.items())
        way = f";offset-path:path('{path}')" if path else ""
        shown = ' visibility="hidden"' if hidden else ""
        self.draw(f'<g class="{kind}" style="{style}{way}"{shown}>')
        yield
        self.draw("</g>")

    def stamp(self, id_: str, x: float, y: float, draw: Callable[[], None], scale: float = 1, more: str = "") -> None:
        """Something that may be drawn often is kept once; `draw` draws it at 0, 0."""
        if id_ not in self._stamps:
            around, self._drawn = self._drawn, []
            draw()
            self._stamps[id_] = "".join(self._drawn)
            self._drawn = around
        grown = "" if scale == 1 else f"scale({scale:.3g})"
        self.draw(f'<use href="#{id_}" transform="translate({x:.1f} {y:.1f}){grown}"{more}/>')

    def write(
        self, text: str, x: float, y: float, size: float, *, hand: Hand = "plain", ink: str = INK, at: At = "start"
    ) -> None:
        """A line of text; y is the line that the letters stand on."""
        x -= width(text, size, hand) * {"start": 0, "middle": 0.5, "end": 1}[at]
        uses = "".join(self._use(letter, way, hand) for letter, way in reaches(text, hand) if letter != " ")
        self.draw(f'<g fill="{ink}" transform="translate({x:.1f} {y:.1f})scale({size / 1000:.4g})">{uses}</g>')

    def write_round(
        self, text: str, x: float, y: float, radius: float, angle: float, size: float, *, ink: str = INK
    ) -> None:
        """A line of text along a circle about x, y; its middle lies at the angle (radians, 0 is right, clockwise).

        On the lower half it runs the other way round, so that it is never upside down.
        """
        is_low = sin(angle) > 0.1
        turn, lift = (-1, CAP * size) if is_low else (1, 0)
        half = width(text, size) / 2
        uses = []
        for letter, way in reaches(text, "plain"):
            own = width(letter, size) / 2
            at = angle + turn * (way * size / 1000 + own - half) / (radius + lift / 2)
            px, py = x + (radius + lift) * cos(at), y + (radius + lift) * sin(at)
            place = f"translate({px:.1f} {py:.1f})rotate({degrees(at) + 90 * turn:.1f})scale({size / 1000:.4g})"
            uses.append(f'<g transform="{place}">{self._use(letter, round(-own * 1000 / size), "plain")}</g>')
        self.draw(f'<g fill="{ink}">{"".join(uses)}</g>')

    def _use(self, letter: str, way: float, hand: Hand) -> str:
        id_ = f"{hand[0]}{ord(letter):x}"
        self._letters[id_] = letters(hand)[letter][1]
        return f'<use href="#{id_}"/>' if not way else f'<use href="#{id_}" x="{way}"/>'

    def inside(self) -> str:
        """The elements of the picture."""
        defs = "".join(f'<path id="{id_}" d="{outline}"/>' for id_, outline in sorted(self._letters.items()))
        defs += "".join(f'<g id="{id_}">{drawn}</g>' for id_, drawn in sorted(self._stamps.items()))
        return f"<defs>{defs}</defs>" + "\n".join(self._drawn)

    def svg(self, title: str, told: str) -> str:
        """The finished picture, with a title and a description for those who can't see it."""
        size = f'viewBox="0 0 {self.width:g} {self.height:g}" width="{self.width:g}" height="{self.height:g}"'
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" {size} role="img" aria-label={quoteattr(title)}>'
            f"<title>{escape(title)}</title><desc>{escape(told)}</desc>{self.inside()}</svg>\n"
        )


def fitting(text: str, size: float, room: float, hand: Hand = "plain") -> str:
    """The text, cut short where it would be wider than its room."""
    while width(text, size, hand) > room and len(text) > 1:
        text = text.rstrip("…")[:-1] + "…"
    return text
