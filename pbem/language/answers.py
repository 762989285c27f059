"""Answers to what we ask, as people give them: "I'd love to!", "Ja, gerne", "no grazie"."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from typing import Literal

from msgspec import Struct

from pbem.language.tokens import fold, own_lines
from pbem.language.words import TABLES, Ways

_STRANGE = re.compile(r"[^\w\s.,!;:'’‘\"“”*()–—-]")  # no question is an answer, and no quoted line
_WHOLE = re.compile(r"[\w.!]\s*\Z")
_SIGNS = re.compile(r"[^\w\s]|_")


class Consent(Struct, frozen=True, kw_only=True):
    """Yes or no."""

    yes: bool
    number: int | None = None  # of the petition that it names


class Question:
    """Something that we ask, with words of its own to answer it.

    What people say for yes and no answers it, too: in every line, in a letter that says nothing else, or not at all.
    """

    def __init__(self, own: Mapping[str, Ways], *, freely: Literal["always", "alone", "never"] = "always") -> None:
        self.ways = tuple(way for ways in own.values() for way in ways)
        self._own = {_plain(way): Consent(yes=said == "yes") for said, ways in own.items() for way in ways}
        self._freely = freely

    @cached_property
    def _part(self) -> re.Pattern[str]:
        """What people say for yes and no."""
        groups = (f"(?P<{kind}>{_longest_first(ways)})" for kind, ways in TABLES["answers"].items())
        return re.compile(rf"(?:{'|'.join(groups)}|p ?(?P<number>\d{{1,4}}))(?: |\Z)")

    def answer(self, lines: Sequence[str]) -> Consent | None:
        """What the first line says that answers it; None when there is none."""
        own = [line for _, line in own_lines(lines)]
        is_free = self._freely == "always" or (self._freely == "alone" and len(own) == 1)
        if self._freely == "alone" and not is_free:  # among orders it may be a word of thanks
            own = [line for line in own if _WHOLE.search(line)]
        return next(filter(None, (self._said(line, is_free) for line in own)), None)

    def _said(self, line: str, is_free: bool) -> Consent | None:
        said = "" if _STRANGE.search(line) else _plain(line)
        return self._own.get(said) or (self._in_parts(said) if is_free else None)

    def _in_parts(self, said: str) -> Consent | None:
        """What it says beside thanks; anything more might take it back."""
        parts: list[tuple[str, str]] = []
        place = 0
        while place < len(said):
            found = self._part.match(said, place)
            if found is None:
                return None
            parts.append((found.lastgroup or "", found[found.lastgroup or 0]))
            place = found.end()
        answers = {kind == "yes" for kind, _ in parts if kind in ("yes", "no")}
        answers = answers or {self._own[words].yes for _, words in parts if words in self._own}
        number = next((int(words) for kind, words in parts if kind == "number"), None)
        return Consent(yes=answers.pop(), number=number) if len(answers) == 1 else None


def _plain(line: str) -> str:
    """Its words as they are compared, without signs."""
    return " ".join(_SIGNS.sub(" ", fold(line)).split())


def _longest_first(ways: Iterable[str]) -> str:
    return "|".join(sorted(map(_plain, ways), key=len, reverse=True))


INVITATION = Question(TABLES["invitation"])
SEAT = Question({})  # or the lead of a game
DEPUTY = Question(TABLES["deputy"], freely="alone")
CONFIRM = Question(TABLES["confirm"], freely="never")
UNDO = Question(TABLES["undo"], freely="never")
CALENDAR = Question(TABLES["calendar"], freely="never")
