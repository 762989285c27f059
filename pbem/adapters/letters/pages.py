"""HTML letters as the lines a person sees, each knowing whether it stands in a quote."""

from __future__ import annotations

import re
from collections.abc import Iterator

from lxml import etree, html

from pbem.adapters.letters.text import MARKS, Line, clean

# Every cell and item is a line of its own: an order never runs over two of them.
_BLOCK = re.compile(
    "address|article|aside|blockquote|body|center|d[dlt]|details|div|fieldset|figcaption|figure|footer|form|h[1-6]"
    "|header|hr|html|legend|li|listing|main|nav|ol|p|plaintext|pre|section|summary|table|t[dhr]|tbody|tfoot|thead|ul|xmp"
)
_UNSEEN = re.compile("head|link|meta|object|script|select|style|template|title")
_VERBATIM = re.compile("pre|listing|plaintext|xmp|textarea")

_HIDDEN = re.compile(r"display:none|mso-hide:all|mso-list:ignore")
_PRESERVING = re.compile(r"white-space:pre")
_BARRED = re.compile(r"border-left(?:-style|-width)?:(?!none|mediumnone|initial|unset|0(?![.\d]))")
_INDENTED = re.compile(r"margin(?:-left)?:[^;]*40px")
_OUTLOOK_HEADING = re.compile(r"border-top:solid#(?:e1e1e1|b5c4df)")
_HEADINGS = {"gmail_attr", "moz-cite-prefix", "divrplyfwdmsg", "outlookmessageheader"}

_LONGEST_STYLE = 2_000  # characters

_BLANKS = re.compile(r"[ \t\r\n\f]+")
_DECLARATION = re.compile(r"^\s*<\?xml[^>]*>")


def page_lines(page: str) -> list[Line]:
    """The visible text of a page, block by block."""
    parser = html.HTMLParser(huge_tree=True)  # else nothing below the 256th level would be there
    try:
        root = html.document_fromstring(_DECLARATION.sub("", page), parser=parser)
    except (etree.ParserError, ValueError):  # nothing in it
        return []
    reader = _Reader()
    for event, element in etree.iterwalk(root, events=("start", "end", "comment", "pi")):
        reader.walk(event, element)
    reader.end_block()
    return reader.lines


class _Reader:
    """Walks over a page, gathering the line it is in."""

    def __init__(self) -> None:
        self.lines: list[Line] = []
        self._pieces: list[str] = []
        self._within: dict[str, int] = dict.fromkeys(("unseen", "verbatim", "quote", "heading"), 0)

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
        if self._pieces:
            self._end_line()

    def _end_line(self) -> None:
        text = clean(_BLANKS.sub(" ", "".join(self._pieces))).strip()
        self._pieces.clear()
        quoted = self._within["quote"] > 0 or text.startswith(MARKS)
        self.lines.append(Line(text, quoted, self._within["heading"] > 0))

    def _enter(self, element: etree._Element) -> None:
        if _BLOCK.fullmatch(element.tag):
            self.end_block()
        elif element.tag == "br":
            self._end_line()
        for kind in _kinds(element):
            self._within[kind] += 1

    def _leave(self, element: etree._Element) -> None:
        if _BLOCK.fullmatch(element.tag):
            self.end_block()
        for kind in _kinds(element):
            self._within[kind] -= 1

    def _write(self, text: str | None) -> None:
        if not text or self._within["unseen"]:
            return
        if not self._within["verbatim"]:
            self._pieces.append(text)
            return
        first, *others = text.split("\n")
        self._pieces.append(first)
        for line in others:
            self._end_line()
            self._pieces.append(line)


def _kinds(element: etree._Element) -> Iterator[str]:
    style = re.sub(r"\s", "", element.get("style", "")[:_LONGEST_STYLE]).lower()
    if _UNSEEN.fullmatch(element.tag) or _HIDDEN.search(style):
        yield "unseen"
    if _VERBATIM.fullmatch(element.tag) or _PRESERVING.search(style):
        yield "verbatim"
    if _is_quote(element, style):
        yield "quote"
    if _is_heading(element, style):
        yield "heading"


def _is_quote(element: etree._Element, style: str) -> bool:
    """A blockquote, or a block with a bar at its left; but Gmail's "indent more" is a blockquote without."""
    barred = _BARRED.search(style) is not None
    if element.tag == "blockquote":
        indented = _INDENTED.search(style) and "border:none" in style and element.get("type") != "cite"
        return barred or not indented
    return element.tag == "div" and barred


def _is_heading(element: etree._Element, style: str) -> bool:
    """What Gmail, Thunderbird and Outlook put above a quote, in whatever language."""
    if element.tag not in ("div", "table"):
        return False
    called = {element.get("id", ""), *element.get("class", "").split()}
    named = any(name.lower() in _HEADINGS for name in called)
    return named or _OUTLOOK_HEADING.search(style) is not None
