"""What a game gives to the language: its grammar, its names, and how its orders are built and written."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Generic, TypeVar

from msgspec import Struct

O = TypeVar("O")

# The names of one kind: id -> everything a player may call it; the first one is what we call it.
Names = Mapping[str, tuple[str, ...]]


class Scent(Struct, frozen=True, kw_only=True):
    """By what a line that can't be read still smells of an order; it could be one that its writer counts on."""

    pairs: tuple[tuple[str, str], ...] = ()  # kinds of names of which one stands right before the other: unit and place
    verbs: tuple[str, ...] = ()  # kinds of words that order something …
    aims: tuple[str, ...] = ()  # … of one of these, with a number
    spoken: Mapping[
        str, tuple[str, ...]
    ] = {}  # by word of the language: what people say for it, though it can't be read


class Led(Struct, frozen=True, kw_only=True):
    """Orders that may begin with those who carry them out: `INF1 attacks D5` for `attack D5 with INF1`."""

    names: tuple[str, ...] = ()  # kinds of names of who does something
    verbs: tuple[str, ...] = ()  # kinds of what they do …
    by: str = ""  # … and of the word behind which they are named
    before: tuple[str, ...] = ()  # kinds of the words before which that stands


class Notation(Struct, Generic[O], frozen=True, kw_only=True, eq=False):  # itself and no other, so that it is a key
    """A game's part of the order language.

    `grammar` is in lark's notation with the rules `order`, `early` (what may be ordered in advance), `standing` and
    `given`; its terminals are the kinds of `names`, the keywords, the patterns, SEAT and the signs of the language.
    """

    grammar: str
    names: Mapping[str, Names]  # by terminal of the grammar
    keywords: Mapping[str, tuple[str, ...]]  # by terminal: every word that stands for it
    patterns: Mapping[str, str] = {}  # by terminal: a regular expression for what is no name; never shortened or mended
    own_names: tuple[
        str, ...
    ] = ()  # kinds of names that come up in a game; no word of the language fits their patterns
    parse: Callable[[object], O]  # a lark tree of one order -> the order
    write: Callable[[O], str]  # back to text; `read(write(order)) == order`
    multiline: tuple[str, ...] = ()  # terminals of orders that go on over several lines
    heads: tuple[str, ...] = ()  # terminals that say something even when what follows them can't be read
    continuations: tuple[str, ...] = ()  # terminals with which a line that belongs to them begins
    connectives: tuple[str, ...] = ()  # keywords with which a line goes on with the order above; they yield to others
    particles: tuple[str, ...] = ()  # words that may be left out; their beginnings yield to others
    topics: tuple[str, ...] = ()  # kinds of names that help explains, beside the keywords
    sheets: Names = {}  # of its own, that records may be asked for; each way is one word
    by_round: bool = False  # is a number behind `records` that of a round, else of a turn?
    lots: tuple[str, ...] = ()  # header words of play files for what was drawn by lot before the game
    plain_lots: tuple[str, ...] = ()  # those of them that give each seat a text of their own, not a name
    counted: tuple[str, ...] = ()  # kinds of things: a number before one counts it, and is no end of a name
    faint: tuple[str, ...] = ()  # terminals with which orders begin, but prose as well: alone they prove no order
    led: Led = Led()
    scent: Scent = Scent()
