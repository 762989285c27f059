"""A page's own style sheets (CSS 2.2, Selectors 3, Media Queries 4), as far as they hide or strike out text."""

from __future__ import annotations

import re
from collections.abc import Iterator

from lxml import etree

from pbem.adapters.mime.styles import SHOWS, Style, declared, merged, tidied, unimportant
from pbem.adapters.mime.text import TooLong

_RULE = re.compile(r"(?:^|(?<=[{}]))([^{}]*)\{([^{}]*)\}")
_AT = re.compile(r"@([\w-]{1,30})\b([^{};@]{0,500})\{")
_LONE_AT = re.compile(r"@[^{};@]*;")
_BLOCK = re.compile(r"(?:[^{}]*\{[^{}]*\})*[^{}]*(?:\}|$)")
_SCREEN = re.compile(
    r"(?:only )?(?:all|screen)?|not print|(?:(?:only )?(?:all|screen) and )?\(min-width: ?([\d.]+)(?:px)?\)"
)
_SCREEN_WIDTH = 1_000  # pixels; less than any but a telephone has
_SIMPLE = re.compile(
    r"([a-z][a-z0-9]*|\*)?((?:[.#][\w-]+|\[[^\]]*\]"
    r"|:(?:(?:first|last|only)-(?:child|of-type)|(?:not|nth-[\w-]+)\([^()]*\)))*)",
    re.IGNORECASE,
)
_BETWEEN = re.compile(r"[\s>+~]+(?![^\[(]*[\])])")  # the parts of a selector, not within brackets
_ARGUMENTS = re.compile(r"\([^()]*\)")
_NAMED = re.compile(r"[.#][\w-]+(?![^\[]*\])")
_ATTRIBUTE = re.compile(r"""\[\s*([\w-]+)\s*(?:(=)\s*["']?([^"'\]]*)["']?\s*|[~|^$*]=[^\]]*)?\]""")
_MOST_RULES = 500
_LONGEST_SELECTOR = 300  # characters
_LONGEST_SHEET = 100_000  # characters
_MOST_OWN = 50_000  # declarations in elements' own styles; programs write the same style again and again, which is one

_Needed = frozenset[str]
_Weight = tuple[int, int, int]  # ids; classes and attributes; elements


class Sheet:
    """The rules of a page that say how its elements are shown, each by the last part of its selector.

    `.a .b` is taken for `.b`, and where it stands among others counts for nothing: what is cut for that reason is
    named to its writer, and is seldom.
    """

    def __init__(self, text: str) -> None:
        self._rules: dict[str, list[tuple[_Needed, _Weight, int, Style]]] = {}
        self._variables: dict[str, str] = {}
        self._known: dict[_Needed, Style] = {}  # what they say of elements that are called so
        self._own: dict[str, Style] = {}  # what elements say of themselves
        self._room = _MOST_OWN
        plain = tidied(text[:_LONGEST_SHEET]).replace("<!--", "").replace("-->", "")
        for number, found in enumerate(_RULE.finditer(_of_screens(plain) + "}")):
            if number == _MOST_RULES:
                break
            style = declared(found[2])
            self._variables |= {name: value for name, value in style.items() if name.startswith("--")}
            style = {name: value for name, value in style.items() if name in SHOWS}
            for selector in found[1].split(",") if style else ():
                self._add(selector, number, style)
        # all that its selectors name
        self._used = frozenset(name for rules in self._rules.values() for needed, *_ in rules for name in needed)

    def _add(self, selector: str, number: int, style: Style) -> None:
        last = _BETWEEN.split(selector.strip()[-_LONGEST_SELECTOR:])[-1]
        found = _SIMPLE.fullmatch(last)
        if found is None or not (found[1] or found[2]):
            return
        named = _NAMED.findall(_ARGUMENTS.sub("", found[2]))
        attributes = [f"[{name.lower()}{equals}{value}]" for name, equals, value in _ATTRIBUTE.findall(found[2])]
        tag = [found[1].lower()] if found[1] and found[1] != "*" else []
        needed = frozenset((*named, *attributes, *tag))
        ids = sum(name.startswith("#") for name in named)
        weight = (ids, len(named) - ids + len(attributes), len(tag))
        if needed or found[1]:
            self._rules.setdefault(min(needed, default="*"), []).append((needed, weight, number, style))

    def style(self, element: etree._Element) -> Style:
        """What it says of an element, together with the element's own style, which goes first. Raises `TooLong`."""
        own = self._of_itself(element.get("style", ""))
        variables = {**self._variables, **own}
        if not self._rules:
            return unimportant(own, variables)
        named = self._used.intersection(_names(element))
        if named not in self._known:
            fitting = sorted(self._fitting(named), key=lambda rule: rule[1:3])
            self._known[named] = merged(style for *_, style in fitting)
        return unimportant(merged((self._known[named], own)), variables)

    def _of_itself(self, written: str) -> Style:
        if written not in self._own:
            self._room -= written.count(";") + 1
            if self._room < 0:
                raise TooLong
            self._own[written] = declared(written)
        return self._own[written]

    def _fitting(self, named: _Needed) -> Iterator[tuple[_Needed, _Weight, int, Style]]:
        for key in ("*", *sorted(named)):
            yield from (rule for rule in self._rules.get(key, ()) if rule[0] <= named)


def _names(element: etree._Element) -> Iterator[str]:
    """What selectors may call it."""
    yield str(element.tag)
    yield from (f".{one}" for one in element.get("class", "").split()[:20])
    for name, value in element.attrib.items():
        yield from (f"[{name.lower()}]", f"[{name.lower()}={value}]", *([f"#{value}"] if name == "id" else []))


def _of_screens(sheet: str) -> str:
    """The rules that count on the screen of a computer: others' blocks are left out, its own are opened."""
    kept: list[str] = []
    at = 0
    sheet = _LONE_AT.sub("", sheet)
    while found := _AT.search(sheet, at):
        kept.append(sheet[at : found.start()])
        at = found.end()
        if not _counts(found[1].lower(), found[2].lower()):
            block = _BLOCK.match(sheet, at)
            at = block.end() if block else len(sheet)
    return "".join((*kept, sheet[at:]))


def _counts(rule: str, condition: str) -> bool:
    if rule != "media":
        return rule in ("supports", "layer", "container", "scope")
    found = (_SCREEN.fullmatch(" ".join(one.split())) for one in condition.split(","))
    return any(one is not None and float(one[1] or 0) <= _SCREEN_WIDTH for one in found)
