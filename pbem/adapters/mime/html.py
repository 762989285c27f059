"""HTML letters as the lines a person sees, each knowing whether it stands in a quote."""

from __future__ import annotations

import re
from collections.abc import Iterator

from lxml import etree, html

from pbem.adapters.mime.styles import Look, Style, look_of
from pbem.adapters.mime.stylesheets import Sheet
from pbem.adapters.mime.text import MARKS, Line, TooLong, clean

# Every cell and item is a line of its own: an order never runs over two of them.
_BLOCK = re.compile(
    "address|article|aside|blockquote|body|center|d[dlt]|details|div|fieldset|figcaption|figure|footer|form|h[1-6]"
    "|header|hr|html|legend|li|listing|main|nav|ol|p|plaintext|pre|section|summary|table|t[dhr]|tbody|tfoot|thead|ul|xmp"
)
_UNSEEN = re.compile(
    "applet|audio|canvas|comment|datalist|dialog|head|iframe|link|meta|meter|noembed|noframes|object|progress|rp|script"
    "|select|style|svg|template|title|video"
)
_VERBATIM = re.compile("pre|listing|plaintext|xmp|textarea")

_BARRED = re.compile(r"(?!none|medium none|initial|unset|0(?![.\d]))")
_INDENTED = re.compile(r".*40px")
_OUTLOOK_HEADING = re.compile(r"solid #(?:e1e1e1|b5c4df)")
_HEADINGS = {"gmail_attr", "moz-cite-prefix", "divrplyfwdmsg", "outlookmessageheader"}

_MOST_TAGS = 20_000  # that begin or end; more than any program makes of what a person writes and quotes

_BLANKS = re.compile(r"[ \t\r\n\f]+")
_DECLARATION = re.compile(r"^\s*<\?xml[^>]*>")


def page_lines(page: str) -> list[Line]:
    """The visible text of a page, block by block. Raises `TooLong`."""
    parser = html.HTMLParser(huge_tree=True)  # else nothing below the 256th level would be there
    try:
        root = html.document_fromstring(_DECLARATION.sub("", page), parser=parser)
    except (etree.ParserError, ValueError):  # nothing in it
        return []
    reader = _Reader(Sheet("".join(sheet.text or "" for sheet in root.iter("style"))))
    for number, (event, element) in enumerate(etree.iterwalk(root, events=("start", "end", "comment", "pi"))):
        if number == _MOST_TAGS:
            raise TooLong
        reader.walk(event, element)
    reader.end_block()
    return reader.lines


class _Reader:
    """Walks over a page, gathering the line it is in."""

    def __init__(self, sheet: Sheet) -> None:
        self.lines: list[Line] = []
        self._sheet = sheet
        self._pieces: list[str] = []
        self._unseen: dict[str, list[str]] = {}  # of this line, what its writer does not see, by the reason
        self._within: dict[str, int] = dict.fromkeys(("nothing", "verbatim", "quote", "heading"), 0)
        self._kinds: list[tuple[str, ...]] = []  # of the elements that we are in
        self._looks = [Look()]

    def walk(self, event: str, element: etree._Element) -> None:
        if event == "start":
            self._enter(element)
            self._write(element.text)
            return
        if event == "end":
            self._leave(element)
        self._write(element.tail)

    def end_block(self) -> None:
        """A block begins or ends: a new line, but never an empty one."""
        if self._pieces or self._unseen:
            self._end_line()

    def _end_line(self) -> None:
        text = _plain(self._pieces)
        quoted = self._within["quote"] > 0 or text.startswith(MARKS)
        unseen = [(why, words) for why, pieces in self._unseen.items() if (words := _plain(pieces))]
        if text or self._pieces or unseen:
            self.lines.append(Line(text, quoted, self._within["heading"] > 0, () if quoted else tuple(unseen)))
        self._pieces.clear()
        self._unseen.clear()

    def _enter(self, element: etree._Element) -> None:
        if _BLOCK.fullmatch(element.tag):
            self.end_block()
        elif element.tag == "br":
            self._pieces.append("")
            self._end_line()
        style = self._sheet.style(element)
        self._looks.append(look_of(element, style, self._looks[-1]))
        self._kinds.append(tuple(_kinds(element, style)))
        for kind in self._kinds[-1]:
            self._within[kind] += 1

    def _leave(self, element: etree._Element) -> None:
        if _BLOCK.fullmatch(element.tag):
            self.end_block()
        self._looks.pop()
        for kind in self._kinds.pop():
            self._within[kind] -= 1

    def _write(self, text: str | None) -> None:
        if not text or self._within["nothing"]:
            return
        unseen = self._looks[-1].unseen
        if unseen:
            self._unseen.setdefault(unseen, []).append(text)
            return
        if not self._within["verbatim"]:
            self._pieces.append(text)
            return
        first, *others = text.split("\n")
        self._pieces.append(first)
        for line in others:
            self._end_line()
            self._pieces.append(line)


def _plain(pieces: list[str]) -> str:
    return clean(_BLANKS.sub(" ", "".join(pieces))).strip()


def _kinds(element: etree._Element, style: Style) -> Iterator[str]:
    if _UNSEEN.fullmatch(element.tag) or style.get("mso-list") == "ignore":
        yield "nothing"
    if _VERBATIM.fullmatch(element.tag) or style.get("white-space", "").startswith("pre"):
        yield "verbatim"
    if _is_quote(element, style):
        yield "quote"
    if _is_heading(element, style):
        yield "heading"


def _is_quote(element: etree._Element, style: Style) -> bool:
    """A blockquote, or a block with a bar at its left; but Gmail's "indent more" is a blockquote without."""
    bars = (style[name] for name in ("border-left", "border-left-style", "border-left-width") if name in style)
    barred = any(_BARRED.match(bar) for bar in bars)
    if element.tag == "blockquote":
        margin = _INDENTED.match(style.get("margin", "")) or _INDENTED.match(style.get("margin-left", ""))
        indented = margin and style.get("border") == "none" and element.get("type") != "cite"
        return barred or not indented
    return element.tag == "div" and barred


def _is_heading(element: etree._Element, style: Style) -> bool:
    """What Gmail, Thunderbird and Outlook put above a quote, in whatever language."""
    if element.tag not in ("div", "table"):
        return False
    called = {element.get("id", ""), *element.get("class", "").split()}
    named = any(name.lower() in _HEADINGS for name in called)
    return named or _OUTLOOK_HEADING.match(style.get("border-top", "")) is not None
