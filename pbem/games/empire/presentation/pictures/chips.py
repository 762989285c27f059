"""What stands in squares, as small signs: each in the colour of its country, with the country's letter.

A chip is drawn in a box that begins at 0, 0, for hexes of 60 px from the middle to a corner.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from msgspec import Struct

from pbem.games.empire.presentation.pictures.colours import FAINT, INK, NEW, WHITE, Colours
from pbem.render.canvas import Canvas
from pbem.render.lettering import width

HIGH, TAB, PRINT = 18.0, 14.0, 14.5
SYMBOLS: Mapping[str, str] = {  # language.md, section 1
    "iron": "Fe",
    "coal": "C",
    "oil": "O",
    "chemicals": "X",
    "copper": "Cu",
    "bauxite": "Bx",
    "rubber": "Rr",
    "wood": "W",
}


class Chip(Struct, frozen=True, kw_only=True):
    """One sign; `key` tells it from all others, so that the same is drawn once."""

    key: str
    wide: float
    draw: Callable[[Canvas], None]
    high: float = HIGH

    def put(self, canvas: Canvas, x: float, y: float, scale: float) -> None:
        id_ = "".join(each if each.isalnum() or each in ".-" else f"_{ord(each):x}" for each in self.key)
        canvas.stamp(id_, x, y, lambda: self.draw(canvas), scale)


def counter(sort: str, letter: str, colours: Colours, text: str, *, new: bool = False) -> Chip:
    """A unit with its code and number, or several with how many they are; the outline tells the sort."""
    room = width(text, PRINT, "bold") + 8
    wide = TAB + room

    def draw(canvas: Canvas) -> None:
        rim = f'stroke="{NEW}" stroke-width="2.6"' if new else f'stroke="{colours.edge}" stroke-width="1.3"'
        canvas.draw(
            f'<path d="{_OUTLINES[sort](wide)}" fill="{WHITE}" {rim}/>',
            f'<path d="{_tab(sort)}" fill="{colours.fill}" stroke="{colours.edge}" stroke-width="1"/>',
        )
        canvas.write(letter, TAB / 2 + 0.6, 13.6, 12.5, hand="bold", ink=colours.ink, at="middle")
        canvas.write(text, TAB + room / 2, 14.2, PRINT, hand="bold", ink=INK, at="middle")

    key = f"counter.{sort}.{colours.fill[1:]}.{letter}.{text}{'.new' if new else ''}"
    return Chip(key=key, wide=wide, draw=draw)


def _box(wide: float) -> str:
    return f"M0 0H{wide:.1f}V{HIGH}H0z"


def _hull(wide: float) -> str:
    return f"M0 0H{wide:.1f}L{wide - 5:.1f} {HIGH}H5z"


def _wing(wide: float) -> str:
    return f"M0 {HIGH / 2}L6 0H{wide - 2:.1f}L{wide + 4:.1f} {HIGH / 2}L{wide - 2:.1f} {HIGH}H6z"


def _cart(wide: float) -> str:
    return f"M6 0H{wide - 6:.1f}a6 6 0 0 1 6 6V12a6 6 0 0 1 -6 6H6a6 6 0 0 1 -6 -6V6a6 6 0 0 1 6 -6z"


def _tab(sort: str) -> str:
    if sort == "fleet":
        return f"M0 0H{TAB}V{HIGH}H5z"
    if sort == "wings":
        return f"M0 {HIGH / 2}L6 0H{TAB + 1}V{HIGH}H6z"
    if sort == "wheels":
        return f"M6 0H{TAB}V{HIGH}H6a6 6 0 0 1 -6 -6V6a6 6 0 0 1 6 -6z"
    return f"M0 0H{TAB}V{HIGH}H0z"


_OUTLINES: Mapping[str, Callable[[float], str]] = {"army": _box, "fleet": _hull, "wings": _wing, "wheels": _cart}


def workers(colours: Colours, count: int, *, officials: int = 0) -> Chip:
    """How many workers there are; a crown over them where there is an official, too."""
    text = str(count) if count else ""
    wide = 13 + (width(text, PRINT, "bold") + 2 if text else 0)

    def draw(canvas: Canvas) -> None:
        hat = "M1 6.4 2 1.6 4.4 4 6.5 0 8.6 4 11 1.6 12 6.4z" if officials else ""
        ink = f'fill="{colours.fill}" stroke="{colours.edge}" stroke-width="1.1"'
        canvas.draw(_plate(wide))
        canvas.draw(f'<path d="M1 18v-3.4a5.5 4.6 0 0 1 11 0V18z" {ink}/><circle cx="6.5" cy="7.6" r="3.6" {ink}/>')
        if hat:
            canvas.draw(f'<path d="{hat}" fill="#f7bf16" stroke="{INK}" stroke-width=".9"/>')
        if text:
            canvas.write(text, 14, 16, PRINT, hand="bold")

    return Chip(key=f"workers.{colours.fill[1:]}.{count}.{officials}", wide=wide, draw=draw)


def _plate(wide: float) -> str:
    """Behind figures, so that no road runs through them."""
    return f'<rect x="-1" y="-1" width="{wide + 2:.1f}" height="{HIGH + 2}" rx="4" fill="{WHITE}" fill-opacity=".82"/>'


def city(colours: Colours, letter: str, *, capital: bool, new: bool = False) -> Chip:
    """Houses with the country's letter; a star over a capital."""

    def draw(canvas: Canvas) -> None:
        rim = f'stroke="{NEW}" stroke-width="2.4"' if new else f'stroke="{colours.edge}" stroke-width="1.3"'
        canvas.draw(
            f'<path d="M.7 18V7l5.6-5 5.6 5v-4h5V7l5.6-4V18z" fill="{colours.fill}" {rim} stroke-linejoin="round"/>'
        )
        canvas.write(letter, 11.6, 16.6, 12.5, hand="bold", ink=colours.ink, at="middle")
        if capital:
            canvas.draw(f'<path d="{_STAR}" fill="#fff3a8" stroke="{INK}" stroke-width="1"/>')

    key = f"city.{colours.fill[1:]}.{letter}{'.capital' if capital else ''}{'.new' if new else ''}"
    return Chip(key=key, wide=24 if not capital else 28, draw=draw)


_STAR = "M24 -5 26 0.6 31.6 1 27.2 4.4 28.8 10 24 6.8 19.2 10 20.8 4.4 16.4 1 22 0.6z"


def factories(count: int) -> Chip:
    """A chimney, and how many."""
    text = str(count) if count > 1 else ""
    wide = 17 + (width(text, PRINT, "bold") + 2 if text else 0)

    def draw(canvas: Canvas) -> None:
        canvas.draw(_plate(wide))
        canvas.draw(
            f'<path d="M.7 17.5V8l4.5 3V8l4.5 3V2h4.6V17.5z" fill="#7d7467" stroke="{INK}" stroke-width="1.1"/>'
        )
        if text:
            canvas.write(text, 17, 16, PRINT, hand="bold")

    return Chip(key=f"factories.{count}", wide=wide, draw=draw)


def item(kind: str) -> Chip:
    """Dock, airport, warehouse, a site without its city, farm: a white disc with a sign."""

    def draw(canvas: Canvas) -> None:
        canvas.draw(
            f'<rect x=".6" y="1" width="16" height="16" rx="3.5" fill="{WHITE}" stroke="{FAINT}" stroke-width="1"/>'
        )
        canvas.draw(_ITEMS[kind])

    return Chip(key=f"item.{kind}", wide=17.5, draw=draw)


_ITEMS = {
    "dock": (
        '<path d="M8.6 4.6V15M5.6 7h6M3.6 11q.6 4 5 4t5-4M8.6 4.4a1.2 1.2 0 1 1 .01 0" fill="none" '
        f'stroke="{INK}" stroke-width="1.6"/>'
    ),
    "airport": (
        '<path d="M8.6 2.6q1.2 0 1.2 2V7l5 3.4V12l-5-1.6v2.8l1.6 1.4v1l-2.8-.7-2.8.7v-1l1.6-1.4v-2.8l-5 1.6v-1.6l5-3.4'
        f'V4.6q0-2 1.2-2z" fill="{INK}"/>'
    ),
    "warehouse": f'<path d="M3 15V7.6L8.6 3.6 14.2 7.6V15H11.4V9.6H5.8V15z" fill="{INK}"/>',
    "site": f'<path d="M3.6 15V9l3 2V7l3 3V5l4 10z" fill="none" stroke="{INK}" stroke-width="1.4"/>',
    "farm": (
        '<path d="M8.6 15.4V5M8.6 9q-3.4 0-4-3.4 3.6 0 4 3.4zm0 0q3.4 0 4-3.4-3.6 0-4 3.4zm0 4.4q-3.4 0-4-3.4 3.6 0 4 '
        '3.4zm0 0q3.4 0 4-3.4-3.6 0-4 3.4z" fill="#4d8a2e" stroke="#2f5c18" stroke-width=".7"/>'
    ),
    "goods": (
        f'<path d="M3.4 5.4h10.4v9H3.4zM3.4 8.6h10.4M8.6 5.4v3.2" fill="#d9b98a" stroke="{INK}" stroke-width="1.2"/>'
    ),
    "gun": f'<path d="M3 14.5h8M4.5 12.5 13.5 5l1.4 1.7-8 6.6z" fill="{INK}" stroke="{INK}" stroke-width="1"/>',
}


def mark(kind: str, grade: int, colours: Colours | None) -> Chip:
    """What can be developed, with a dot for each grade; filled with the colour of who has developed it."""
    text = SYMBOLS.get(kind, "")
    wide = max(17.0, width(text, 12.5, "bold") + 6) + 1

    def draw(canvas: Canvas) -> None:
        fill, ink, edge = (colours.fill, colours.ink, colours.edge) if colours else (WHITE, INK, FAINT)
        rim = f'stroke="{edge}" stroke-width="1.1"'
        canvas.draw(f'<rect x=".6" y=".6" width="{wide - 2:.1f}" height="17.6" rx="7" fill="{fill}" {rim}/>')
        middle = (wide - 1) / 2
        if text:
            canvas.write(text, middle, 11.2, 12.5, hand="bold", ink=ink, at="middle")
        else:
            canvas.draw(
                f'<g transform="translate({middle - 8:.1f} -1.4)" fill="{ink}" stroke="{ink}">{_SIGNS[kind]}</g>'
            )
        for dot in range(grade):
            canvas.draw(f'<circle cx="{middle + (dot - (grade - 1) / 2) * 5:.1f}" cy="14.7" r="1.9" fill="{ink}"/>')

    return Chip(key=f"mark.{kind}.{grade}.{colours.fill[1:] if colours else ''}", wide=wide, draw=draw)


_SIGNS = {
    "power": '<path d="M9.4 2.5 4.5 9h3L6.4 13.5 11.5 7h-3z" stroke="none"/>',
    "fish": '<path d="M2 9.5q5-6 9 0q-4 6-9 0zM10.6 9.5l3.4-2.8v5.6z" stroke="none"/>',
    "farm": (
        '<path d="M8 13V4M8 7q-3 0-3.4-2.8M8 7q3 0 3.4-2.8M8 10.5q-3 0-3.4-2.8M8 10.5q3 0 3.4-2.8" fill="none" '
        'stroke-width="1.3"/>'
    ),
}


def more(count: int) -> Chip:
    """So many for which there was no room."""
    text = f"+{count}"

    def draw(canvas: Canvas) -> None:
        canvas.draw(_plate(width(text, PRINT, "bold")))
        canvas.write(text, 0, 14.2, PRINT, hand="bold", ink=INK)

    return Chip(key=f"more.{count}", wide=width(text, PRINT, "bold"), draw=draw)
