"""Commands: what a letter may say beside the orders of its game, and the words and grammar that they make together."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from typing import Literal

from msgspec import Struct

from pbem.core.languages import LANGUAGES
from pbem.language.moderators import ModeratorCommands
from pbem.language.openings import RequestCommands

Kind = Literal["order", "aside", "query", "preference"]
WhoseOwn = Literal["", "own", "file", "press", "petition"]


class Command(Struct, frozen=True, kw_only=True):
    """A word of the host, the same in every game: how it is written, and who may say it when.

    What it does belongs to the host, whose kinds of commands add that.
    """

    name: str  # also its alias in the grammar
    kind: Kind = "order"
    words: tuple[
        str, ...
    ] = ()  # English, German, Italian, each with a "|" between several; the first is the one that we use
    part_of: str = ""  # the command whose help tells of it; without words of its own it begins with that one's, too
    behind: str | None = ""  # what may follow the word, in lark's notation; None: it is no line of its own kind
    keywords: Mapping[str, tuple[str, ...]] = {}  # words that only follow it, by terminal
    low_priority: bool = False  # its beginnings yield to those of all other words, and may begin prose
    mode: Literal["", "draft", "preview"] = ""  # what becomes of the orders below it; it may stand on their line
    kept_from_deputies: WhoseOwn = ""  # what they are told that it is
    texts: Mapping[
        str, tuple[str, str, str]
    ] = {}  # its own sentences, by key; long ones stand in templates/mail/commands/NAME.yaml

    @property
    def aside(self) -> bool:
        """Is it said to the host, whatever the state of the game?"""
        return self.kind != "order"

    @property
    def ways(self) -> tuple[str, ...]:
        """All that may be written for it."""
        return _ways(self.words)

    @property
    def terminal(self) -> str:
        """The token that it begins with."""
        return f"K_{(self.name if self.words else self.part_of).upper()}"


UNREAD = Command(name="", behind=None)  # of an order that can't be read
ORDER = Command(name="order", behind=None)  # of the game: what a line is that begins with no command


class Commands:
    """All commands of a host, the powers of its moderators, and what may be asked without a game."""

    def __init__(self, commands: Iterable[Command], moderators: ModeratorCommands, requests: RequestCommands) -> None:
        self.moderators = moderators
        self.requests = requests
        self.by_name: Mapping[str, Command] = {each.name: each for each in (ORDER, *commands)}

    @property
    def _lines(self) -> list[Command]:
        return [each for each in self.by_name.values() if each.behind is not None]

    @cached_property
    def words(self) -> Mapping[str, tuple[str, ...]]:
        """By terminal: all that may be written for it."""
        found: dict[str, tuple[str, ...]] = {}
        for each in self._lines:
            found |= {each.terminal: each.ways} if each.words else {}
            found |= {terminal: _ways(words) for terminal, words in each.keywords.items()}
        return found

    @cached_property
    def low_priority(self) -> frozenset[str]:
        """The terminals whose beginnings yield to others."""
        own = {each.terminal for each in self._lines if each.low_priority}
        return frozenset(own | {terminal for each in self._lines for terminal in each.keywords})

    @cached_property
    def modes(self) -> frozenset[str]:
        """The terminals that say what becomes of the orders behind them."""
        return frozenset(each.terminal for each in self._lines if each.mode)

    @cached_property
    def ahead(self) -> Command:
        """That of orders which are written before they are due."""
        return next(each for each in self._lines if each.behind == "early")

    @cached_property
    def grammar(self) -> str:
        """What a line of a letter may be."""
        lines = "\n      | ".join(f"{each.terminal} {each.behind} -> {each.name}" for each in self._lines)
        return f"letter: order -> {ORDER.name}\n      | {lines}\n"

    @cached_property
    def topics(self) -> Mapping[str, tuple[str, ...]]:
        """What help tells of, in the table's order, with the words for it."""
        return {each.name: each.ways for each in self.by_name.values() if each.words and not each.part_of}

    def sentences(self, language: str) -> Mapping[str, str]:
        """By key: what we call the words, and what the commands say themselves. English in a language that none has."""
        place = LANGUAGES.index(language) if language in LANGUAGES else 0
        words = {name.removeprefix("K_").lower(): ways for each in self._lines for name, ways in each.keywords.items()}
        words |= {name: self.by_name[name].words for name in self.topics}
        called = {name: ways[place].split("|")[0] for name, ways in words.items() if ways}
        own = {key: said[place] for each in self.by_name.values() for key, said in each.texts.items()}
        alone = {f"help.{name}.write": called[name] for name in self.topics}  # unless it says more
        return {**alone, **{f"commands.{name}": word for name, word in called.items()}, **own}


def _ways(words: Sequence[str]) -> tuple[str, ...]:
    return tuple(way for own in words for way in own.split("|"))
