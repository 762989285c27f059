"""What a style says about whether anybody sees the text under it (CSS 2.2, CSS Text Decoration, CSS Color).

Only what mail programs and people write is looked at: the declarations of an element, and the rules of a page's own
style sheets for elements, classes and ids.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Literal

from lxml import etree
from msgspec import Struct
from msgspec.structs import replace

Style = Mapping[str, str]  # the value of each property, both in lower case and without blanks

_LONGEST_VALUE = 200  # characters; what is longer is a picture or a list of fonts
_COMMENT = re.compile(r"/\*.*?(?:\*/|$)", re.DOTALL)
_ESCAPE = re.compile(r"\\(?:([0-9a-fA-F]{1,6})\s?|(.))", re.DOTALL)
_BLANKS = re.compile(r"\s+")

_NOTHING = re.compile(r"[+-]?0*\.?0*(?:[a-z]{1,4}|%)?")  # zero of any unit
_TINY = re.compile(r"(?:0*1|0*[01]?\.\d+)(?:px|pt)")  # no more than a dot or two high
_SIZE = re.compile(r"[\d.]+(?:px|pt|r?em|%)?")  # the first number of `font`
_LENGTH = re.compile(r"(-?\d+(?:\.\d+)?)([a-z]{2,4}|%)?")
_FAR = {"px": 300, "pt": 300, "em": 30, "rem": 30, "ex": 60, "cm": 10, "mm": 100, "in": 5, "vw": 90, "vh": 90, "%": 90}
_AWAY = ("left", "top", "right", "bottom", "margin-left", "margin-top", "text-indent")
_CLIPPED = re.compile(r"rect\(0(?:px)?,?0(?:px)?,?0(?:px)?,?0(?:px)?\)|rect\(1px,?1px,?1px,?1px\)")
_CLIP_PATH = re.compile(r"inset\((?:50|[6-9]\d|100)%|circle\(0|polygon\(0(?:px|%)?0")
_SHRUNK = re.compile(r"scale[xy]?\(0|translate[xy]?\(-(?:\d{4,}px|\d{3,}(?:%|vw|vh|em))")
_SIZES = ("height", "max-height", "width", "max-width", "line-height")

_NAMED = {"white": (255, 255, 255), "black": (0, 0, 0), "snow": (255, 250, 250), "ivory": (255, 255, 240)}
_NUMBERS = re.compile(r"rgba?\((\d{1,3}),(\d{1,3}),(\d{1,3})(?:,[\d.]+%?)?\)")
_CLEAR = re.compile(r"transparent|rgba\((?:\d+,){3}0*\.?0*%?\)|#[\da-f]{6}00|#[\da-f]{3}0")
_FROM_ABOVE = ("", "inherit", "unset", "currentcolor")
_ALIKE = 10  # of 255: a difference in each of red, green and blue that nobody sees

Colour = tuple[int, int, int]
_WHITE, _BLACK = (255, 255, 255), (0, 0, 0)


class Look(Struct, frozen=True, kw_only=True):
    """How text in an element is shown."""

    gone: bool = False  # it is not, and nothing inside can change it
    dim: bool = False  # visibility: what is inside may be visible again
    tiny: bool = False
    struck: bool = False
    clear: bool = False  # of no colour at all
    colour: Colour | None = _BLACK  # None: none that we understand
    ground: Colour | None = _WHITE  # what is behind it

    @property
    def unseen(self) -> Literal["hidden", "struck"] | None:
        """Why it is not read as the writer's words."""
        if self.gone or self.dim or self.tiny or self.clear or _alike(self.colour, self.ground):
            return "hidden"
        return "struck" if self.struck else None


def declared(style: str) -> Style:
    """The declarations of a style; of two with one name the last."""
    plain = _ESCAPE.sub(_unescaped, _COMMENT.sub("", style))
    found = {}
    for one in plain.split(";"):
        name, colon, value = one[: _LONGEST_VALUE * 2].partition(":")
        if colon:
            found[_BLANKS.sub("", name).lower()] = _BLANKS.sub("", value[:_LONGEST_VALUE]).lower()
    return {name: value.removesuffix("!important") for name, value in found.items()}


def _unescaped(found: re.Match[str]) -> str:
    code = int(found[1], 16) if found[1] else 0
    return chr(code) if 0 < code < 0x110000 else found[2] or ""


def look_of(element: etree._Element, style: Style, above: Look) -> Look:
    """How the text in an element is shown, whose parent's is shown so."""
    colour = style.get("color") or _attribute(element, "color", "text")
    return replace(
        above,
        gone=above.gone or "hidden" in element.attrib or _is_gone(style),
        dim=_is_dim(style, above.dim),
        tiny=_is_tiny(style, above.tiny),
        struck=above.struck or element.tag in ("del", "s", "strike") or _is_struck(style),
        clear=above.clear if colour in _FROM_ABOVE else _CLEAR.fullmatch(colour) is not None,
        colour=_colour(colour, above.colour),
        ground=_ground(style, element, above.ground),
    )


def _is_gone(style: Style) -> bool:
    if style.get("display") == "none" or style.get("mso-hide") == "all" or style.get("content-visibility") == "hidden":
        return True
    if _NOTHING.fullmatch(style.get("opacity", "1")) or style.get("opacity", "").startswith(("0.0", ".0")):
        return True
    return _is_flat(style) or _is_away(style) or _is_clipped(style)


def _is_flat(style: Style) -> bool:
    """Has it no room? Without `overflow: hidden` the text stands out of its box, save that mail programs cut it."""
    cut = style.get("overflow", style.get("overflow-y", "")) in ("hidden", "clip")
    named = _SIZES if cut else ("max-height",)
    return any(name in style and _NOTHING.fullmatch(style[name]) for name in named)


def _is_away(style: Style) -> bool:
    placed = style.get("position") in ("absolute", "fixed", "relative")
    named = (name for name in _AWAY if placed or name in ("margin-left", "margin-top", "text-indent"))
    return any(_is_far(style.get(name, "")) for name in named) or bool(_SHRUNK.search(style.get("transform", "")))


def _is_far(value: str) -> bool:
    found = _LENGTH.fullmatch(value)
    return found is not None and float(found[1]) <= -_FAR.get(found[2] or "px", 300)


def _is_clipped(style: Style) -> bool:
    clipped = _CLIPPED.fullmatch(style.get("clip", "")) or _CLIP_PATH.match(style.get("clip-path", ""))
    return clipped is not None


def _is_dim(style: Style, above: bool) -> bool:
    visibility = style.get("visibility", "inherit")
    return above if visibility in ("inherit", "unset") else visibility in ("hidden", "collapse")


def _is_tiny(style: Style, above: bool) -> bool:
    """A size that depends on the one above is as tiny as that one."""
    in_short = _SIZE.search(style.get("font", ""))
    size = style.get("font-size") or (in_short[0] if in_short else "")
    if not size:
        return above
    if _NOTHING.fullmatch(size) or _TINY.fullmatch(size):
        return True
    return above and size.endswith(("em", "%", "larger", "smaller", "inherit")) and not size.endswith("rem")


def _is_struck(style: Style) -> bool:
    return any("line-through" in style.get(name, "") for name in ("text-decoration", "text-decoration-line"))


# -- colours ---


def _ground(style: Style, element: etree._Element, above: Colour | None) -> Colour | None:
    if "background-image" in style or "url(" in style.get("background", "") or element.get("background"):
        return None
    written = style.get("background-color") or style.get("background") or _attribute(element, "bgcolor")
    return above if written in ("transparent", "none", "initial") else _colour(written, above)


def _colour(written: str, above: Colour | None) -> Colour | None:
    """That of the element above where there is none of its own."""
    return above if written in _FROM_ABOVE else _read(written)


def _read(written: str) -> Colour | None:
    """None for a colour that we do not understand."""
    if written in _NAMED:
        return _NAMED[written]
    digits = written.removeprefix("#") if written.startswith("#") else ""
    if len(digits) == 3:
        digits = "".join(2 * digit for digit in digits)
    if re.fullmatch(r"[0-9a-f]{6}", digits):
        return int(digits[:2], 16), int(digits[2:4], 16), int(digits[4:], 16)
    found = _NUMBERS.fullmatch(written)
    return (int(found[1]), int(found[2]), int(found[3])) if found else None


def _alike(one: Colour | None, other: Colour | None) -> bool:
    return one is not None and other is not None and all(abs(a - b) <= _ALIKE for a, b in zip(one, other, strict=True))


def _attribute(element: etree._Element, *names: str) -> str:
    """Of the old ones for colours; `text` is of the body alone."""
    found = (element.get(name) for name in names if name != "text" or element.tag == "body")
    return next((value.strip().lower() for value in found if value), "")


# -- style sheets ---

_RULE = re.compile(r"([^{}]*)\{([^{}]*)\}")
_MEDIA = re.compile(r"@media\s*(?:all|screen)?\s*(?:only\s+screen\s*)?\{")
_OTHER_MEDIA = re.compile(r"@[^{};]*\{(?:[^{}]*\{[^{}]*\})*[^{}]*\}|@[^{};]*;")
_SIMPLE = re.compile(r"([a-z][a-z0-9]*|\*)?((?:[.#][\w-]+)*)", re.IGNORECASE)
_MOST_RULES = 500
_LONGEST_SHEET = 100_000  # characters
_TOLD = {"display", "visibility", "opacity", "font-size", "color", "background", "background-color", "mso-hide"}
_TOLD |= {"overflow", "position", "clip", "clip-path", "transform", "text-decoration", "text-decoration-line"}
_TOLD |= {*_SIZES, *_AWAY}


class Sheet:
    """The rules of a page that say how its elements are shown, each by the last part of its selector.

    `.a .b` is taken for `.b`: what is cut for that reason is named to its writer, and is seldom.
    """

    def __init__(self, text: str) -> None:
        self._rules: dict[str, list[tuple[frozenset[str], Style]]] = {}
        plain = _COMMENT.sub("", text[:_LONGEST_SHEET]).replace("<!--", "").replace("-->", "")
        plain = _OTHER_MEDIA.sub("", _MEDIA.sub("", plain))
        for found in list(_RULE.finditer(plain))[:_MOST_RULES]:
            style = {name: value for name, value in declared(found[2]).items() if name in _TOLD}
            for selector in found[1].split(",") if style else ():
                self._add(selector, style)

    def _add(self, selector: str, style: Style) -> None:
        last = (selector.replace(">", " ").split() or [""])[-1]
        found = _SIMPLE.fullmatch(last)
        if found is None or not last:
            return
        needed = frozenset(re.findall(r"[.#][\w-]+", found[2]))
        key = min(needed, default=(found[1] or "*").lower())
        tag = {found[1].lower()} if found[1] and found[1] != "*" else set()
        self._rules.setdefault(key, []).append((needed | tag, style))

    def style(self, element: etree._Element) -> Style:
        """What it says of an element, together with the element's own style, which goes first."""
        own = declared(element.get("style", ""))
        if not self._rules:
            return own
        merged: dict[str, str] = {}
        for style in self._fitting(element):
            merged |= style
        return {**merged, **own}

    def _fitting(self, element: etree._Element) -> Iterator[Style]:
        named = {element.tag, *(f".{one}" for one in element.get("class", "").split()[:20])}
        named |= {f"#{element.get('id')}"} if element.get("id") else set()
        for key in ("*", *sorted(named)):
            yield from (style for needed, style in self._rules.get(key, ()) if needed <= named)
