"""How somebody asks for a game by mail, in English, German or Italian: a new one, or a seat in one that gathers."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache
from itertools import takewhile
from typing import Literal

from msgspec import Struct

from pbem.core.languages import LANGUAGES
from pbem.core.refusal import Unreadable
from pbem.language.leagues import (
    Wish,
    wish_about_petition,
    wish_for_whom,
    wish_of_league,
    wish_to_enter,
    wish_to_know,
    wish_to_object,
    wish_to_wait,
)
from pbem.language.tokens import fold, own_lines
from pbem.language.words import TABLES

# What a new game may be given, each with one value behind it; the first of each is the one we use.
KEYS = TABLES["wishes"]
NUMBERS = ("players", "hours", "undo", "bots")
_VALUES = {**dict.fromkeys(NUMBERS, r"\d{1,4}"), "option": r"\w+=\w+"}  # the others may be anything
_MEANT = {fold(way): key for key, ways in KEYS.items() for way in ways}
_MOST_WORDS = 4  # that a command about a league begins with
_LETTERS = re.compile(r"[^\W_]+")
_TAG = re.compile(r"\[?([a-z]+-\d+)\]?")

# What stands behind the words of a command.
Takes = Literal["", "game", "wishes", "league", "entry", "season", "whom", "objection", "petition", "reserve", "choice"]


class RequestCommand(Struct, frozen=True, kw_only=True):
    """Something to ask for: how it is written. What it does belongs to the host, whose kind of them adds that."""

    name: str
    words: tuple[str, str, str]  # as those of a command; the answer is in the language that was written
    takes: Takes = ""
    of_leagues: bool = False  # is it about a league, and no single game?
    tells: bool = False  # is it only asked for, and by strangers, too?

    def language(self, said: str) -> str | None:
        """In which its words are these, as they are compared."""
        return _languages(self.words).get(said) if said else None


@cache
def _languages(words: tuple[str, str, str]) -> Mapping[str, str]:
    """The first language that has each way to say it, by those ways as they are compared."""
    known = zip(LANGUAGES, words, strict=True)
    return {fold(way): language for language, ways in reversed([*known]) for way in ways.split("|")}


class Request(Struct, frozen=True, kw_only=True):
    """What somebody asks for."""

    command: RequestCommand
    text: str  # as written, on one line
    language: str  # in which it was written
    tag: str = ""  # the game to join
    wishes: Mapping[str, str] = {}  # by `KEYS`; of options only those beside them
    options: Mapping[str, str] = {}
    wish: Wish = Wish()  # about a league


class RequestCommands:
    """All that somebody may ask for who writes about no game under way."""

    def __init__(self, commands: Iterable[RequestCommand]) -> None:
        self.by_name: Mapping[str, RequestCommand] = {each.name: each for each in commands}
        self._begin = {_beginning(way) for each in self.by_name.values() for way in _languages(each.words)}

    def read(self, lines: Sequence[str]) -> Request | None:
        """None when the letter does not begin with one. Raises `Unreadable`."""
        own = [" ".join(line.split()) for _, line in own_lines(lines)]
        if not own or _beginning(fold(own[0])) not in self._begin:
            return None
        found = (_READERS[command.takes](command, own[0], own[1:]) for command in self.by_name.values())
        return next((request for request in found if request is not None), None)


def _beginning(said: str) -> str:
    """The first letters and figures of what is compared: whatever begins with other ones is another thing."""
    found = _LETTERS.search(said)
    return found[0] if found else ""


def _alone(command: RequestCommand, line: str, _more: Sequence[str]) -> Request | None:
    language = command.language(fold(line).strip(" !"))
    return Request(command=command, text=line, language=language) if language else None


def _with_game(command: RequestCommand, line: str, _more: Sequence[str]) -> Request | None:
    head, _, tag = line.rstrip(" .!").rpartition(" ")
    found, language = _TAG.fullmatch(tag.lower()), command.language(fold(head).strip())
    if found is None or language is None:
        return None
    return Request(command=command, text=line, language=language, tag=found[1])


def _with_wishes(command: RequestCommand, line: str, more: Sequence[str]) -> Request | None:
    words = _words(line)
    language = command.language(fold(" ".join(words[:2])).strip(" !"))
    if language is None:
        return None
    for other in takewhile(lambda other: fold(other.split()[0]).strip(" ,") in _MEANT, more):
        words += _words(other)
    told = [*_told(words[2:])]
    wishes = {key: value for key, value in told if key != "option"}
    options = dict(value.split("=") for key, value in told if key == "option")
    return Request(command=command, text=" ".join(words), language=language, wishes=wishes, options=options)


def _about_league(command: RequestCommand, line: str, read: Callable[[str], Wish | None]) -> Request | None:
    """The longest of its words that the line begins with counts."""
    words = line.split()
    for count in range(min(len(words), _MOST_WORDS), 0, -1):
        language = command.language(fold(" ".join(words[:count])).strip(" ,:"))
        colon = ":" if words[count - 1].endswith(":") else ""
        wish = read(" ".join([colon, *words[count:]])) if language else None
        if wish is not None and language:
            return Request(command=command, text=line, language=language, wish=wish)
    return None


_READERS: Mapping[str, Callable[[RequestCommand, str, Sequence[str]], Request | None]] = {
    "": _alone,
    "game": _with_game,
    "wishes": _with_wishes,
    "league": lambda command, line, _: _about_league(command, line, wish_of_league),
    "entry": lambda command, line, _: _about_league(command, line, wish_to_enter),
    "season": lambda command, line, _: _about_league(command, line, wish_to_know),
    "reserve": lambda command, line, _: _about_league(command, line, wish_to_wait),
    "petition": lambda command, line, _: _about_league(command, line, wish_about_petition),
    "whom": lambda command, line, _: _about_league(command, line, wish_for_whom),
    "objection": lambda command, line, more: _about_league(command, " ".join([line, *more]), wish_to_object),
    "choice": lambda command, line, _: _about_league(
        command, line, lambda rest: Wish(what=rest.strip()) if rest.strip() else None
    ),
}


def _words(line: str) -> list[str]:
    return line.replace(",", " ").replace(":", " ").split()


def _told(words: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Each wish and what stands behind it; a number may stand before its word, as in “4 players”."""
    for pair in (words[place : place + 2] for place in range(0, len(words), 2)):
        one, two = (*pair, "")[:2]
        if one.isdigit() and _MEANT.get(fold(two)) in NUMBERS:
            one, two = two, one
        key = _MEANT.get(fold(one), "")
        if not key or not re.fullmatch(_VALUES.get(key, ".+"), two):
            raise Unreadable("opening.unreadable", line=1, column=1, read=" ".join(pair))
        yield key, two.lower()
