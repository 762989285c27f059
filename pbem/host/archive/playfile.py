"""Play files: tests, bug reports and the archive's record of a game (docs/reference/play-file.md)."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from pbem.core.seat import Seat, Setup

HEADERS = ("game", "edition", "board", "setup", "seats", "option", "secret")  # any other word is about lots of the game
SPEAKERS = ("clock", "moderator", "bot", "deputy", "dice")  # who have no seat
_SPEAKER = re.compile(r"([\w-]+)>(.*)")
_COMMENT = re.compile(r"(?:^|\s)(?://|#)")
_EXPECTATION = re.compile(r"(\?!|[!=?*])\s*(.*)")


class AtLine(Exception):
    """Something about a line of a play file."""

    def __init__(self, line: int, what: str) -> None:
        super().__init__(what)
        self.line = line
        self.what = what


class PlayFileError(AtLine):
    """It can't be read, or gives a position that can't be: exit code 2."""


class Failed(AtLine):
    """It was not as the file expects: exit code 1."""


class Expectation(Struct, frozen=True, kw_only=True):
    """What must be true after a step: `!` refused, `=` a value, `?` awaited, `?!` not, `*` happened."""

    line: int
    sign: Literal["!", "=", "?", "?!", "*"]
    text: str


class Step(Struct, kw_only=True):
    """What somebody says, and what is expected after it."""

    line: int
    speaker: str
    lines: list[str]
    expected: list[Expectation] = []


class PlayFile(Struct, kw_only=True):
    setup: Setup = Setup()
    secret: str = ""  # of which all lots and dice are drawn
    lots: list[tuple[str, int, str]] = []  # header word, line, text
    given: list[tuple[int, str]] = []
    expected: list[Expectation] = []  # about the starting position
    steps: list[Step] = []


def read_play(text: str) -> PlayFile:
    """Raises `PlayFileError` with the line."""
    play = PlayFile()
    for number, line in enumerate(text.removeprefix("\ufeff").splitlines(), 1):
        if without_comment(line):
            _read_line(play, number, line.rstrip())
    _check_seats(play.setup.seats)
    return play


def _read_line(play: PlayFile, number: int, line: str) -> None:
    if line[0].isspace():
        _read_indented(play, number, line.strip())
        return
    speaker = _SPEAKER.fullmatch(line)
    word, rest = first_word(line)
    if speaker:
        first = speaker[2].strip()
        play.steps.append(Step(line=number, speaker=speaker[1], lines=[first] if first else []))
    elif word == "given" and not play.steps:
        parts = [part.strip() for part in without_comment(rest).split(";")]
        play.given += [(number, part) for part in parts if part] or [(number, rest)]
    elif play.steps:
        raise no_header(number, word)
    else:
        _read_header(play, number, word, without_comment(rest))


def no_header(number: int, word: str) -> PlayFileError:
    return PlayFileError(number, f"{word!r} is no header, no `given` and no NAME>, or stands too late")


def _read_header(play: PlayFile, number: int, word: str, rest: str) -> None:
    if not rest:
        raise PlayFileError(number, f"{word} says nothing")
    setup = play.setup
    if word not in HEADERS:
        play.lots.append((word, number, rest))
        play.setup = replace(setup, lots={**setup.lots, word: rest})
    elif word == "option":
        key, value = first_word(rest)
        play.setup = replace(setup, options={**setup.options, key: value})
    elif word == "secret":
        play.secret = rest
    elif word == "seats":
        play.setup = replace(setup, seats=tuple(map(Seat, rest.replace(",", " ").split())))
    else:
        play.setup = replace(setup, **{word: rest})


def _read_indented(play: PlayFile, number: int, text: str) -> None:
    found = _EXPECTATION.fullmatch(text)
    if found:
        expectation = Expectation(line=number, sign=found[1], text=without_comment(found[2]))  # type: ignore[arg-type]
        (play.steps[-1] if play.steps else play).expected.append(expectation)
    elif play.steps and not play.steps[-1].expected:
        play.steps[-1].lines.append(text)
    else:
        raise PlayFileError(number, f"{text!r} belongs to no letter: what is expected begins with ! = ? or *")


def _check_seats(seats: Sequence[Seat]) -> None:
    if not seats:
        raise PlayFileError(1, "seats: the players in seating order are missing")
    if len(set(seats)) < len(seats) or {*SPEAKERS} & {*seats}:
        raise PlayFileError(1, f"seats: every seat has its own name; {', '.join(SPEAKERS)} are reserved")


def first_word(text: str) -> tuple[str, str]:
    """The first word and the rest, without the space between."""
    word, *rest = text.split(maxsplit=1) or [""]
    return word, "".join(rest)


def without_comment(text: str) -> str:
    """A line that is no letter; those of letters the language reads."""
    return _COMMENT.split(text)[0].strip()


def lot_pairs(text: str) -> Sequence[tuple[str, str]]:
    """`anton red, bert blue` as pairs of a seat and a name."""
    return [first_word(part) for part in text.split(",") if part.strip()]
