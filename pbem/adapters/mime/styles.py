"""What a style says about whether anybody sees the text under it (CSS 2.2, CSS Text Decoration, CSS Color).

A value that we do not understand says nothing, so that it takes nothing back that another one says.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Literal

from lxml import etree
from msgspec import Struct
from msgspec.structs import replace

from pbem.adapters.mime import colours
from pbem.adapters.mime.colours import Colour

Style = Mapping[str, str]  # the value of each property, both in lower case and without needless blanks

_LONGEST_VALUE = 200  # characters; what is longer is a picture or a list of fonts
_COMMENT = re.compile(r"/\*.*?(?:\*/|$)", re.DOTALL)
_ESCAPE = re.compile(r"\\(?:([0-9a-fA-F]{1,6})\s?|(.))", re.DOTALL)
_STRING = re.compile(r"\"[^\"\n]*\"|'[^'\n]*'")
_SIGNS = re.compile(r"[{};]")  # that mean something else in a string
_BLANKS = re.compile(r"\s+")
_NEEDLESS = re.compile(r" ?([,/()!]) ?")  # blanks beside these
_MAKER = re.compile(r"-(?:webkit|moz|ms|o|khtml)-")
_VARIABLE = re.compile(r"var\((--[^,()]+)(?:,([^()]*))?\)")
_CALCULATED = re.compile(r"calc\(([^()]*)\)")
_IMPORTANT = "!important"

# Other words for these are as if they were not written.
_WORDS = {
    "display": re.compile(
        r"none|block.*|inline.*|flow.*|list-item|table.*|flex|grid|ruby.*|contents|run-in|-(?:webkit|moz|ms)-.*|var\(.*"
        r"|inherit|initial|unset|revert.*"
    ),
    "visibility": re.compile(r"visible|hidden|collapse|inherit|initial|unset|revert.*|var\(.*"),
    "opacity": re.compile(r"[-+.\de]+%?|inherit|initial|unset|revert.*|(?:var|calc)\(.*"),
}

_NUMBER = r"([-+]?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?)"
_LENGTH = re.compile(_NUMBER + r"([a-z]{1,4}|%)?")
_SIZE = re.compile(rf"(?<![-\w.]){_NUMBER}(?:([a-z]{{2,4}}|%)|(?=/|$))")  # the size in `font`, not the weight
_PIXELS = {"px": 1.0, "": 1.0, "pt": 4 / 3, "pc": 16.0, "in": 96.0, "cm": 37.8, "mm": 3.78, "q": 0.945}
_PIXELS |= {"em": 16.0, "rem": 16.0, "ex": 8.0, "ch": 8.0, "%": 3.3, "vw": 10.0, "vh": 10.0}
_LEAST_SIZE = 2.0  # pixels: no more than a dot or two high
_LEAST_OPACITY = 0.05
_FAR, _FAR_BEHIND = 300, 2_000  # pixels, to the left or top, and to the right or bottom
_AWAY = ("margin-left", "margin-top", "margin", "text-indent", "padding-left", "padding-top", "padding")
_PLACED = ("left", "top", "right", "bottom", "inset")
_CLIPPED = re.compile(r"rect\(0(?:px)?[ ,]0(?:px)?[ ,]0(?:px)?[ ,]0(?:px)?\)|rect\(1px[ ,]1px[ ,]1px[ ,]1px\)")
_CLIP_PATH = re.compile(r"inset\((?:50|[6-9]\d|100)%|(?:circle|ellipse)\(0|polygon\(0(?:px|%)?[ ,]0")
_SHRUNK = re.compile(r"(?:scale(?:[xy]|3d)?|matrix)\((?:0*\.0|0+[,)])|rotate[xy]\(90deg")
_MOVED = re.compile(r"translate(?:[xy]|3d)?\(([^()]*)\)")
_FADED = re.compile(rf"opacity(?:\(|=){_NUMBER}")
_SIZES = ("height", "max-height", "width", "max-width", "line-height")
_FROM_ABOVE = ("", "inherit", "unset", "currentcolor")

# What a style may say of how text is shown.
SHOWS = {"display", "visibility", "opacity", "filter", "font", "font-size", "mso-hide", "content-visibility", "zoom"}
SHOWS |= {"color", "text-fill-color", "background", "background-color", "background-image", "overflow", "overflow-x"}
SHOWS |= {"overflow-y", "position", "clip", "clip-path", "transform", "scale", "translate"}
SHOWS |= {"text-decoration", "text-decoration-line", *_SIZES, *_AWAY, *_PLACED}


class Look(Struct, frozen=True, kw_only=True):
    """How text in an element is shown."""

    gone: bool = False  # it is not, and nothing inside can change it
    dim: bool = False  # visibility: what is inside may be visible again
    size: float = 16.0  # pixels
    struck: bool = False
    clear: bool = False  # of no colour at all
    colour: Colour | None = colours.BLACK
    ground: Colour | None = colours.WHITE  # what is behind it; None: a picture

    @property
    def unseen(self) -> Literal["hidden", "struck"] | None:
        """Why it is not read as the writer's words."""
        if self.gone or self.dim or self.clear or self.size <= _LEAST_SIZE or colours.alike(self.colour, self.ground):
            return "hidden"
        return "struck" if self.struck else None


def tidied(css: str) -> str:
    """Without comments and escapes, and with nothing in strings that might be taken for the end of something."""
    plain = _ESCAPE.sub(_unescaped, _COMMENT.sub("", css))
    return _STRING.sub(lambda found: _SIGNS.sub("", found[0]), plain)


def declared(style: str) -> Style:
    """The declarations of a style; of two with one name the last, unless the first is more important."""
    return merged(_each_declared(tidied(style)))


def _each_declared(plain: str) -> Iterator[Style]:
    for one in plain.split(";"):
        name, colon, value = one[: _LONGEST_VALUE * 2].partition(":")
        name = _MAKER.sub("", "".join(name.split()).lower(), count=1)
        value = _NEEDLESS.sub(r"\1", _BLANKS.sub(" ", value[:_LONGEST_VALUE]).strip().lower())
        words = _WORDS.get(name)
        if colon and (words is None or words.fullmatch(value.removesuffix(_IMPORTANT))):
            yield {name: value}


def merged(styles: Iterable[Style]) -> Style:
    """All of them, the later ones before the earlier, the important ones before both (CSS 2.2, section 6.4.2)."""
    found: dict[str, str] = {}
    for style in styles:
        for name, value in style.items():
            if value.endswith(_IMPORTANT) or not found.get(name, "").endswith(_IMPORTANT):
                found[name] = value
    return found


def unimportant(style: Style, variables: Style) -> Style:
    """The bare values, with those of variables in their places (CSS Custom Properties, section 3)."""

    def value_of(found: re.Match[str]) -> str:
        return variables.get(found[1], found[2] or "").removesuffix(_IMPORTANT)

    bare = {name: value.removesuffix(_IMPORTANT) for name, value in style.items()}
    return {name: _CALCULATED.sub(r"\1", _VARIABLE.sub(value_of, value)) for name, value in bare.items()}


def _unescaped(found: re.Match[str]) -> str:
    code = int(found[1], 16) if found[1] else 0
    return chr(code) if 0 < code < 0x110000 else found[2] or ""


def look_of(element: etree._Element, style: Style, above: Look) -> Look:
    """How the text in an element is shown, whose parent's is shown so."""
    colour = style.get("text-fill-color") or style.get("color") or _attribute(element, "color", "text")
    return replace(
        above,
        gone=above.gone or "hidden" in element.attrib or _is_closed(element) or _is_gone(style),
        dim=_is_dim(style, above.dim),
        size=_size(style, above.size),
        struck=above.struck or element.tag in ("del", "s", "strike") or _is_struck(style),
        clear=above.clear if colour in _FROM_ABOVE else colours.is_clear(colour),
        colour=_colour(colour, above.colour),
        ground=_ground(style, element, above.ground),
    )


def _is_closed(element: etree._Element) -> bool:
    """Would its reader have to open it?"""
    return element.tag == "details" and "open" not in element.attrib


def _is_gone(style: Style) -> bool:
    if style.get("display") == "none" or style.get("mso-hide") == "all" or style.get("content-visibility") == "hidden":
        return True
    if _is_nothing(style.get("zoom", "")) or _is_nothing(style.get("scale", "")):
        return True
    return _is_faded(style) or _is_flat(style) or _is_away(style) or _is_clipped(style)


def _is_faded(style: Style) -> bool:
    found = _LENGTH.fullmatch(style.get("opacity", ""))
    if found and float(found[1]) / (100 if found[2] else 1) < _LEAST_OPACITY:
        return True
    filtered = _FADED.search(style.get("filter", ""))
    return filtered is not None and float(filtered[1]) < _LEAST_OPACITY


def _is_flat(style: Style) -> bool:
    """Has it no room? Without `overflow` the text stands out of its box, save that mail programs cut it."""
    cut = any(style.get(name, "visible") != "visible" for name in ("overflow", "overflow-x", "overflow-y"))
    named = _SIZES if cut else ("max-height",)
    return any(_is_nothing(style.get(name, ""), 1.0 if cut and name != "line-height" else 0.0) for name in named)


def _is_nothing(value: str, most: float = 0.0) -> bool:
    length = _pixels(value)
    return length is not None and length <= most


def _is_away(style: Style) -> bool:
    placed = style.get("position") in ("absolute", "fixed", "relative", "sticky")
    values = [style.get(name, "") for name in (*_AWAY, *(_PLACED if placed else ()), "translate")]
    values += _MOVED.findall(style.get("transform", ""))
    if any(_is_far(length) for value in values for length in re.split("[ ,]", value)):
        return True
    indented = style.get("text-indent") == "100%" and style.get("overflow") == "hidden"
    return indented or bool(_SHRUNK.search(style.get("transform", "")))


def _is_far(value: str) -> bool:
    length = _pixels(value)
    return length is not None and not -_FAR < length < _FAR_BEHIND


def _pixels(value: str) -> float | None:
    """A length, at the size of most letters and screens."""
    found = _LENGTH.fullmatch(value)
    return float(found[1]) * _PIXELS.get(found[2] or "", 1.0) if found else None


def _is_clipped(style: Style) -> bool:
    clipped = _CLIPPED.fullmatch(style.get("clip", "")) or _CLIP_PATH.match(style.get("clip-path", ""))
    return clipped is not None


def _is_dim(style: Style, above: bool) -> bool:
    visibility = style.get("visibility", "inherit")
    return above if visibility in ("inherit", "unset") else visibility in ("hidden", "collapse")


def _size(style: Style, above: float) -> float:
    """In pixels; words for sizes are all those of most letters, and the first size of `font` is that of its text."""
    written = style.get("font-size", "")
    found = _LENGTH.fullmatch(written) if written else _SIZE.search(style.get("font", ""))
    if found is None:
        return above if written in (*_FROM_ABOVE, "smaller", "larger") else 16.0
    number, unit = float(found[1]), found[2] or ""
    if unit in ("em", "ex", "ch", "%"):
        return number * above / {"em": 1, "%": 100}.get(unit, 2)
    return number * _PIXELS.get(unit, 1.0)


def _is_struck(style: Style) -> bool:
    return any("line-through" in style.get(name, "") for name in ("text-decoration", "text-decoration-line"))


# -- colours ---


def _ground(style: Style, element: etree._Element, above: Colour | None) -> Colour | None:
    if "background-image" in style or "url(" in style.get("background", "") or element.get("background"):
        return None
    written = style.get("background-color") or style.get("background") or _attribute(element, "bgcolor")
    if "gradient(" in written:
        return None
    return above if written in ("transparent", "none", "initial") else _colour(written, above)


def _colour(written: str, above: Colour | None) -> Colour | None:
    """That of the element above where there is none of its own."""
    return above if written in _FROM_ABOVE else colours.read(written)


def _attribute(element: etree._Element, *names: str) -> str:
    """Of the old ones for colours; `text` is of the body alone."""
    found = (element.get(name) for name in names if name != "text" or element.tag == "body")
    return next((value.strip().lower() for value in found if value), "")
