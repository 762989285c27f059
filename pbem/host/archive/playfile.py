"""Play files: tests, bug reports and the archive's record of a game (docs/reference/play-file.md)."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Literal

from msgspec import Struct

from pbem.core.seat import Seat, Setup

HEADERS = ("game", "edition", "board", "setup", "seats", "option")  # any other word is about lots of the game
SPEAKERS = ("clock", "moderator", "bot", "deputy", "dice")  # who have no seat
_SPEAKER = re.compile(r"([\w-]+)>(.*)")
_COMMENT = re.compile(r"(?:^|\s)(?://|#)")
_EXPECTATION = re.compile(r"(\?!|[!=?*])\s*(.*)")


class PlayFileError(Exception):
    """A play file that can't be read, or gives a position that can't be: exit code 2."""

    def __init__(self, line: int, what: str) -> None:
        super().__init__(what)
        self.line = line
        self.what = what


class Expectation(Struct, frozen=True, kw_only=True):
    """What must be true after a step: `!` refused, `=` a value, `?` awaited, `?!` not, `*` happened."""

    line: int
    sign: Literal["!", "=", "?", "?!", "*"]
    text: str


class Step(Struct, frozen=True, kw_only=True):
    """What somebody says, and what is expected after it."""

    line: int
    speaker: str
    lines: tuple[str, ...]
    expected: tuple[Expectation, ...]


class PlayFile(Struct, frozen=True, kw_only=True):
    setup: Setup
    lots: tuple[tuple[str, int, str], ...]  # header word, line, text
    given: tuple[tuple[int, str], ...]
    expected: tuple[Expectation, ...]  # about the starting position
    steps: tuple[Step, ...]


class _Draft:
    """A play file while it is read."""

    def __init__(self) -> None:
        self.headers: dict[str, str] = {}
        self.options: dict[str, str] = {}
        self.lots: list[tuple[str, int, str]] = []
        self.given: list[tuple[int, str]] = []
        self.expected: list[Expectation] = []
        self.steps: list[tuple[int, str, list[str], list[Expectation]]] = []


def read_play(text: str) -> PlayFile:
    """Raises `PlayFileError` with the line."""
    draft = _Draft()
    for number, line in enumerate(text.removeprefix("\ufeff").splitlines(), 1):
        if _without_comment(line):
            _read_line(draft, number, line.rstrip())
    return _finished(draft)


def _read_line(draft: _Draft, number: int, line: str) -> None:
    if line[0].isspace():
        _read_indented(draft, number, line.strip())
        return
    speaker = _SPEAKER.fullmatch(line)
    word, rest = first_word(line)
    if speaker:
        first = speaker[2].strip()
        draft.steps.append((number, speaker[1], [first] if first else [], []))
    elif word == "given" and not draft.steps:
        draft.given.append((number, rest))
    elif draft.steps:
        raise no_header(number, word)
    else:
        _read_header(draft, number, word, _without_comment(rest))


def no_header(number: int, word: str) -> PlayFileError:
    return PlayFileError(number, f"{word!r} is no header, no `given` and no NAME>, or stands too late")


def _read_header(draft: _Draft, number: int, word: str, rest: str) -> None:
    if not rest:
        raise PlayFileError(number, f"{word} says nothing")
    if word not in HEADERS:
        draft.lots.append((word, number, rest))
    elif word == "option":
        key, value = first_word(rest)
        draft.options[key] = value
    else:
        draft.headers[word] = rest


def _read_indented(draft: _Draft, number: int, text: str) -> None:
    found = _EXPECTATION.fullmatch(text)
    if found:
        expectation = Expectation(line=number, sign=found[1], text=_without_comment(found[2]))  # type: ignore[arg-type]
        (draft.steps[-1][3] if draft.steps else draft.expected).append(expectation)
    elif draft.steps and not draft.steps[-1][3]:
        draft.steps[-1][2].append(text)
    else:
        raise PlayFileError(number, f"{text!r} belongs to no letter: what is expected begins with ! = ? or *")


def _finished(draft: _Draft) -> PlayFile:
    seats = tuple(Seat(name) for name in draft.headers.pop("seats", "").replace(",", " ").split())
    if not seats:
        raise PlayFileError(1, "seats: the players in seating order are missing")
    if len(set(seats)) < len(seats) or {*SPEAKERS} & {*seats}:
        raise PlayFileError(1, f"seats: every seat has its own name; {', '.join(SPEAKERS)} are reserved")
    setup = Setup(
        seats=seats,
        options=draft.options,
        lots={word: text for word, _, text in draft.lots},
        **draft.headers,
    )
    return PlayFile(
        setup=setup,
        lots=tuple(draft.lots),
        given=tuple(draft.given),
        expected=tuple(draft.expected),
        steps=tuple(
            Step(line=line, speaker=speaker, lines=tuple(lines), expected=tuple(expected))
            for line, speaker, lines, expected in draft.steps
        ),
    )


def first_word(text: str) -> tuple[str, str]:
    """The first word and the rest, without the space between."""
    word, *rest = text.split(maxsplit=1) or [""]
    return word, "".join(rest)


def _without_comment(text: str) -> str:
    return _COMMENT.split(text)[0].strip()


def lot_pairs(text: str) -> Sequence[tuple[str, str]]:
    """`anton red, bert blue` as pairs of a seat and a name."""
    return [first_word(part) for part in text.split(",") if part.strip()]
