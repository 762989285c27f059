"""The sheet that is drawn on: elements of an SVG, words as outlines, each letter kept once."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from math import cos, degrees, sin
from typing import Literal, NamedTuple
from xml.sax.saxutils import escape, quoteattr

from pbem.render.lettering import CAP, Hand, letters, reaches, width

INK = "#2b2620"
RIM = 4.0  # how far a line may reach beyond what it goes round: that of 2 px, at a sharp corner
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


class Patch(NamedTuple):
    """Something alone on a sheet of that size; beyond its box there is nothing of it."""

    drawn: str
    box: Box
    sheet: tuple[float, float]


class _Stamp(NamedTuple):
    drawn: str  # at 0, 0
    letters: Mapping[str, str]  # by id, their outlines


class Canvas:
    """Collects what is drawn, in the order in which it covers what lies below.

    On one that is `lively` a style sheet can move things from where they were.
    """

    def __init__(self, width: float, height: float, *, lively: bool = False) -> None:
        self.width, self.height, self.lively = width, height, lively
        self._drawn: list[str] = []
        self._letters: dict[str, str] = {}
        self._stamps: dict[str, _Stamp] = {}
        self._stamped: list[tuple[str, str, Box]] = []  # those whose size is known, with their places

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

    def stamp(
        self,
        id_: str,
        x: float,
        y: float,
        draw: Callable[[], None],
        scale: float = 1,
        more: str = "",
        size: tuple[float, float] | None = None,
    ) -> None:
        """Something that may be drawn often is kept once; `draw` draws it at 0, 0.

        `size`: of what it draws there, without the rims.
        """
        if id_ not in self._stamps:
            self._stamps[id_] = self._made(draw)
        place = f"translate({x:.1f} {y:.1f})" + ("" if scale == 1 else f"scale({scale:.3g})")
        self.draw(f'<use href="#{id_}" transform="{place}"{more}/>')
        if size is not None:
            wide, high = ((side + 2 * RIM) * scale for side in size)
            self._stamped.append((id_, place, Box(x - RIM * scale, y - RIM * scale, wide, high)))

    def _made(self, draw: Callable[[], None]) -> _Stamp:
        around, self._drawn, self._letters = (self._drawn, self._letters), [], {}
        draw()
        made = _Stamp("".join(self._drawn), self._letters)
        self._drawn, self._letters = around
        return made

    def apart(self) -> Iterator[Patch]:
        """Each stamp whose size was told, in the order in which they cover each other."""
        for id_, place, box in self._stamped:
            drawn, letters = self._stamps[id_]
            elements = f'<defs>{_outlines(letters)}</defs><g transform="{place}">{drawn}</g>'
            yield Patch(elements, box, (self.width, self.height))

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
        letters = {**self._letters, **{id_: way for one in self._stamps.values() for id_, way in one.letters.items()}}
        defs = "".join(f'<g id="{id_}">{one.drawn}</g>' for id_, one in sorted(self._stamps.items()))
        return f"<defs>{_outlines(letters)}{defs}</defs>" + "\n".join(self._drawn)

    def svg(self, title: str, told: str) -> str:
        """The finished picture, with a title and a description for those who can't see it."""
        size = f'viewBox="0 0 {self.width:g} {self.height:g}" width="{self.width:g}" height="{self.height:g}"'
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" {size} role="img" aria-label={quoteattr(title)}>'
            f"<title>{escape(title)}</title><desc>{escape(told)}</desc>{self.inside()}</svg>\n"
        )


def _outlines(letters: Mapping[str, str]) -> str:
    return "".join(f'<path id="{id_}" d="{outline}"/>' for id_, outline in sorted(letters.items()))


def fitting(text: str, size: float, room: float, hand: Hand = "plain") -> str:
    """The text, cut short where it would be wider than its room."""
    while width(text, size, hand) > room and len(text) > 1:
        text = text.rstrip("…")[:-1] + "…"
    return text
