"""One order through lark: the grammar decides which kinds of names may stand at each place."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from copy import copy
from functools import cache, lru_cache
from importlib.resources import files
from typing import Any, Generic, TypeVar

import lark
from lark.exceptions import UnexpectedToken
from lark.lexer import Lexer
from lark.parsers.lalr_analysis import Shift
from lark.parsers.lalr_interactive_parser import InteractiveParser
from msgspec.structs import replace

from pbem.core.notation import Notation
from pbem.core.refusal import Refusal, Unreadable
from pbem.language.command import Commands
from pbem.language.lexicon import KINDS, Found, Lexicon, Name
from pbem.language.tokens import Token, as_written, fold, tokenize
from pbem.language.words import ARTICLES, ELIDED, NUMBERS, PRESS_WORDS, WORDS, Ways

O = TypeVar("O")

TOKENS = ("WORD", "NUMBER", "TO", "COMMA", "PLUS", "COLON", "STRANGE")
END = "$END"
_POSSESSIVE = re.compile(r"[^\W\d_]+['’`´]s")  # bert's INF3: its id says all
_COUNTED = re.compile(r"(?P<count>\d{1,9})(?P<name>[^\W\d_]+)")
STARTS = ("letter", "given", "press_head")
SHARED = files(__package__).joinpath("shared.lark").read_text("utf-8")  # rules for commands and games


class _NoLexer(Lexer):
    """Tokens are fed one by one: which one comes next depends on what the grammar allows there."""

    def __init__(self, _: object) -> None:
        pass

    def lex(self, lexer_state: object, parser_state: object) -> Iterator[lark.Token]:
        return iter(())


@cache
def compiled(grammar: str, starts: tuple[str, ...], terminals: tuple[str, ...]) -> lark.Lark:
    declared = f"{grammar}\n%declare {' '.join(terminals)}\n"
    return lark.Lark(declared, parser="lalr", start=list(starts), lexer=_NoLexer, maybe_placeholders=True)


class Grammar(Generic[O]):
    """A game's grammar with its names, and those of the seats at one table."""

    def __init__(self, notation: Notation[O], commands: Commands, seats: Iterable[str]) -> None:
        keywords = {**notation.keywords, **commands.words, **WORDS, **PRESS_WORDS}
        tables: dict[str, Mapping[str, Ways]] = {**notation.names, "SEAT": {s: (s,) for s in seats}}
        tables |= {terminal: {terminal.lower(): ways} for terminal, ways in keywords.items()}
        own = (table for kind, table in tables.items() if kind in notation.topics or kind.startswith("K_"))
        tables["TOPIC"] = _topics(tuple(tuple(table.items()) for table in (commands.topics, *own)))
        self.heads = frozenset(notation.heads)
        self.ahead_terminal = commands.ahead.terminal
        self._continuations = notation.continuations
        self._connectives = notation.connectives
        meek = (*commands.low_priority, *notation.connectives, *notation.particles, *PRESS_WORDS)
        self.lexicon = Lexicon(tables, meek, notation.counted, notation.patterns, notation.own_names)
        self.counted = notation.counted
        self._keywords = frozenset(keywords)
        terminals = tuple(sorted({*tables, *notation.patterns, *TOKENS}))
        self._lark = compiled(commands.grammar + SHARED + notation.grammar, STARTS, terminals)
        self._starts = self.allowed()

    def allowed(self) -> tuple[str, ...]:
        """The terminals an order may begin with."""
        return tuple(sorted(self._lark.parse_interactive(start="letter").choices()))

    def name(self, line: Sequence[Token], terminals: tuple[str, ...]) -> str:
        """The id of the one thing of these kinds that the whole line names. Raises `Unreadable`."""
        found = self.lexicon.find(line, terminals)
        if found is None or found.length < len(line):
            near = self.lexicon.nearest(as_written(line), terminals)
            raise unreadable_at("name.unknown", line[0], as_written(line), near)
        if len({name.id for name in found.names}) > 1:
            raise unreadable_at("name.ambiguous", line[0], as_written(line), (n.written for n in found.names))
        return found.names[0].id

    def parse(self, line: Sequence[Token], start: str = "letter") -> lark.Tree[lark.Token]:
        """The tree of one whole order. Raises `Unreadable`."""
        sentence = self.sentence(start)
        sentence.hear(line)
        return sentence.tree()

    def sentence(self, start: str = "letter") -> Sentence:
        """An order of which nothing has been read yet."""
        return Sentence(self, self._lark.parse_interactive(start=start), is_letter=start == "letter")

    def ahead(self, line: Sequence[Token], place: int) -> Sequence[Token]:
        """What a name at this place can be made of, and what stands behind it: a copy of all would cost the square."""
        return line[place : place + self.lexicon.longest + 1]

    def tree(self, line: Sequence[Token]) -> lark.Tree[lark.Token] | None:
        """Of one whole order, if it can be read."""
        try:
            return self.parse(line)
        except Refusal:
            return None

    def begins(self, line: Sequence[Token], more: tuple[str, ...] = ()) -> set[str]:
        """What the name at the start of the line can be."""
        found = self.lexicon.find(line, (*self._starts, *more)) if line else None
        return {name.terminal for name in found.names} if found else set()

    def is_continuation(self, line: Sequence[Token]) -> bool:
        """Does it begin as a line that goes on with an order above?"""
        if line[0].text in NUMBERS and self.counts(line[1:]):
            return "NUMBER" not in self._starts
        terminals = self.begins(line, self._continuations) or {line[0].kind}
        return terminals <= {*self._continuations}

    def needs_head(self, line: Sequence[Token]) -> bool:
        """Does it begin as a line that goes on with an order above, and as none that is an order by itself?"""
        begun = self.begins(line, self._continuations) or {line[0].kind}
        return begun.isdisjoint(self._starts) and self.is_continuation(line)

    def is_connective(self, line: Sequence[Token]) -> bool:
        """Does it begin with a word, written in full, with which an order goes on?"""
        return bool(line) and self.lexicon.is_listed(line, self._connectives)

    def named(self, line: Sequence[Token], place: int, allowed: Iterable[str]) -> Found | None:
        """The one name at this place, if there is any. Raises `Unreadable` when there are several."""
        if line[place].kind not in ("WORD", "NUMBER", "TO"):
            return None
        found = self.lexicon.find(self.ahead(line, place), allowed)
        names = [*found.names, *self._homonyms(line, place, found, allowed)] if found else []
        if found and len(names) > 1:
            read = as_written(line[place : place + found.length])
            raise unreadable_at("name.ambiguous", line[place], read, self._told(names))
        return found

    def _told(self, names: Sequence[Name]) -> Iterable[str]:
        """As they are written; what is called by the very letters that were read as we call it."""
        return (n.written if len(n.written) > 1 else self.lexicon.name_of(n) for n in names)

    def _homonyms(self, line: Sequence[Token], place: int, found: Found, allowed: Iterable[str]) -> Sequence[Name]:
        """What the beginning of a head is the full name of, so that a letter of it may be a piece instead."""
        here = line[place : place + found.length]
        if found.names[0].terminal not in self.heads or self.lexicon.is_listed(here, allowed):
            return ()
        other = self.lexicon.find(here, self.counted) if self.lexicon.is_listed(here, self.counted) else None
        return other.names if other else ()

    def counts(self, line: Sequence[Token]) -> bool:
        """Does it begin with something that a number counts, written out?"""
        return (
            bool(line)
            and line[0].kind == "WORD"
            and len(line[0].text) > 1
            and self.lexicon.is_listed(line, self.counted)
        )

    def counted_apart(self, line: Sequence[Token]) -> list[Token]:
        """The tokens, with a number that is written together with what it counts by itself: 2a, 3f."""
        return [part for token in line for part in self._apart(token)]

    def _apart(self, token: Token) -> list[Token]:
        found = _COUNTED.fullmatch(token.text) if token.kind == "WORD" else None
        if found is None:
            return [token]
        named = tokenize(found["name"], token.line, token.column + found.end("count"))
        if not self.lexicon.is_listed(named, self.counted):
            return [token]
        (name,) = named
        cut = token.start + found.end("count")
        number = replace(token, kind="NUMBER", text=found["count"], written=found["count"], end=cut)
        return [number, replace(name, source=token.source, start=cut, end=token.end)]

    # -- what went wrong, and what would do ---

    def unexpected(self, allowed: Iterable[str], line: Sequence[Token], place: int) -> Refusal:
        if _is_article(line[place]) and place + 1 < len(line):
            place += 1  # not the article is what can't stand here
        token = line[place]
        near = self.lexicon.nearest(token.written, allowed) if token.kind == "WORD" else ()
        named = [t for t in allowed if t in self.lexicon and t not in self._keywords]
        a_name = place > 0 or _colon_follows(line) or self.lexicon.nearest(token.written, named)
        code = "name.unknown" if token.kind == "WORD" and named and a_name else "order.unreadable"
        return unreadable_at(code, token, token.written, near, self._expected(allowed))

    def too_short(self, allowed: Iterable[str], line: Sequence[Token]) -> Refusal:
        return unreadable_at("order.incomplete", line[-1], as_written(line), expected=self._expected(allowed))

    def _expected(self, allowed: Iterable[str]) -> tuple[str, ...]:
        return tuple(sorted(t for t in allowed if t != END and t.isupper() and not t.startswith("_")))


class Sentence:
    """One order, read as its tokens come; a later line may go on with it."""

    def __init__(self, grammar: Grammar[Any], parser: InteractiveParser, *, is_letter: bool) -> None:
        self.tokens: list[Token] = []
        self.heads: list[tuple[str, int]] = []  # what they are, and how many tokens had been read with each
        self.refusal: Refusal | None = None
        self._grammar = grammar
        self._parser = parser
        self._place = 0
        self._ahead = False
        self._is_letter = is_letter
        self._headed = ""  # the id of the last head

    def hear(self, tokens: Iterable[Token]) -> None:
        """Read on; a comma at the end waits for what follows."""
        self.tokens += tokens
        self._read(len(self.tokens) - (self.tokens[-1].kind == "COMMA"))

    def tree(self) -> lark.Tree[lark.Token]:
        """What the whole order says. Raises `Unreadable`."""
        self._read(len(self.tokens))
        if self.refusal:
            raise self.refusal
        allowed = self._parser.choices()
        try:
            tree: lark.Tree[lark.Token] = self._parser.feed_eof()
        except UnexpectedToken:
            raise self._grammar.too_short(allowed, self.tokens) from None
        return tree

    def accepts(self) -> set[str]:
        """The kinds of what may come next."""
        return set() if self.refusal else self._parser.accepts()

    @property
    def read(self) -> int:
        """How many tokens could be read."""
        return self._place

    @property
    def stop(self) -> tuple[int, set[str]]:
        """The token that it can't go on with, and the kinds of what could stand there."""
        return self._place, self._parser.accepts()

    @property
    def candidates(self) -> Sequence[str]:
        """Names of which that token may be one."""
        found: Sequence[str] = self.refusal.facts["candidates"] if self.refusal else ()  # type: ignore[assignment]
        return found

    def lacks(self, kinds: Iterable[str]) -> bool:
        """Is it not finished, and would one of these come next?"""
        accepted = self.accepts()
        return END not in accepted and not accepted.isdisjoint(kinds)

    def _read(self, end: int) -> None:
        try:
            while self._place < end and not self.refusal:
                self._place += self._feed(self._parser.choices())
        except Refusal as refusal:
            self.refusal = refusal

    def _feed(self, allowed: Mapping[str, object]) -> int:
        """Feed the name or sign at this place; how many tokens it took."""
        place, token = self._place, self.tokens[self._place]
        if token.kind == "COMMA" and self._grammar.is_connective(self._grammar.ahead(self.tokens, place + 1)):
            return 1
        if place and (length := self._said_for_nothing(allowed)):
            return length
        if self._counts_nothing(token):
            raise unreadable_at("order.unreadable", token, token.written)
        number = NUMBERS.get(token.text) if "NUMBER" in allowed else None
        found = (
            None
            if number and self._grammar.counts(self._grammar.ahead(self.tokens, place + 1))
            else self._named(allowed)
        )
        number = None if found else number
        if not found and not number and token.kind not in allowed:
            raise self._stop(allowed)
        fed = lark.Token(found.names[0].terminal, found.names[0].id) if found else lark.Token(token.kind, token.text)
        fed = lark.Token("NUMBER", number) if number else fed
        try:
            self._parser.feed_token(fed)
        except UnexpectedToken:  # what is allowed here is allowed in some orders, but not in this one
            raise self._stop(allowed) from None
        length = found.length if found else 1
        self._ahead = self._ahead or fed.type == self._grammar.ahead_terminal
        if fed.type in self._grammar.heads:
            self.heads.append((fed.type, place + length))
            self._headed = str(fed)
        return length

    def _named(self, allowed: Iterable[str]) -> Found | None:
        """The name at this place. What may stand here by the grammar's tables may follow other orders only."""
        try:
            found = self._grammar.named(self.tokens, self._place, allowed)
        except Refusal:
            return self._grammar.named(self.tokens, self._place, self.accepts())
        if found is None or self._fits(found.names[0].terminal):
            return found
        return self._grammar.named(self.tokens, self._place, self.accepts()) or found

    def _fits(self, terminal: str) -> bool:
        """May it stand here? What needs nothing to be put together before it always may."""
        action, _ = self._parser.choices()[terminal]
        return action is Shift or self._takes(terminal)

    def _takes(self, terminal: str) -> bool:
        """Is it among those that are accepted? The others are not tried, and nothing is built."""
        tried = self._parser.copy(deepcopy_values=False)
        state = tried.parser_state
        state.parse_conf = copy(state.parse_conf)
        state.parse_conf.callbacks = {}
        try:
            tried.feed_token(lark.Token(terminal, ""))
        except UnexpectedToken:
            return False
        return True

    def _counts_nothing(self, token: Token) -> bool:
        """Is it a nought before something that a number counts? So many of a thing are one or more."""
        if not self._is_letter or token.kind != "NUMBER" or int(token.text):
            return False
        rest = self._grammar.ahead(self.tokens, self._place + 1)
        return bool(rest) and self._grammar.lexicon.find(rest, self._grammar.counted) is not None

    def _said_for_nothing(self, allowed: Iterable[str]) -> int:
        """How many tokens here are an article before what may stand here, or the head again: "build: a building"."""
        line, lexicon = self._grammar.ahead(self.tokens, self._place), self._grammar.lexicon
        if not self._is_letter or len(line) < 2 or line[0].kind != "WORD":
            return 0
        if lexicon.is_listed(line, [kind for kind in allowed if kind not in self._grammar.counted]):
            return 0
        if not _is_article(line[0]) and not _POSSESSIVE.fullmatch(line[0].written):
            return self._head_again(line)
        if "NUMBER" in allowed and line[0].text in NUMBERS:
            return 0
        if lexicon.is_listed(line, allowed):  # "an X" is a list of one
            return int(line[0].written in ARTICLES and self._grammar.counts(line[1:]))
        follows = line[1].kind in allowed or lexicon.is_listed(line[1:], allowed) or self._head_again(line[1:])
        return int(bool(follows))

    def _head_again(self, line: Sequence[Token]) -> int:
        kind, begun = self.heads[-1] if self.heads else ("", 0)
        if not kind or not all(_is_article(token) for token in self.tokens[begun : self._place]):
            return 0
        found = self._grammar.lexicon.find(line, [kind]) if self._grammar.lexicon.is_listed(line, [kind]) else None
        return found.length if found and found.names[0].id == self._headed else 0

    def _stop(self, allowed: Iterable[str]) -> Refusal:
        """Why it can't go on here; a word that goes on with an order written ahead has no place in another."""
        rest = self._grammar.ahead(self.tokens, self._place)
        if self._place and not self._ahead and self._grammar.is_connective(rest):
            return unreadable_at("order.unreadable", rest[0], rest[0].written, ahead=True)
        following = self.accepts() if self._place and allowed else allowed  # some choices suit other orders only
        return self._grammar.unexpected(following, self.tokens, self._place)


def _is_article(token: Token) -> bool:
    return token.text in ARTICLES or (token.text in ELIDED and token.is_elided)


@lru_cache(KINDS)
def _topics(told: tuple[tuple[tuple[str, Ways], ...], ...]) -> Mapping[str, Ways]:
    """What help can be asked about: commands, keywords, and what a game's own kinds of names tell."""
    found: dict[str, list[str]] = {}
    taken: dict[str, str] = {}  # what several are called is the first one's: none of them tells much else
    for id_, ways in (each for table in told for each in table):
        topic = id_.removeprefix("k_")  # a thing may have the id of an order: a dock, and docking
        found.setdefault(topic, []).extend(way for way in ways if taken.setdefault(fold(way), topic) == topic)
    return {topic: (*dict.fromkeys(ways),) for topic, ways in found.items()}


def _colon_follows(line: Sequence[Token]) -> bool:
    return any(token.kind == "COLON" for token in line[1:4])


def named_in(tree: lark.Tree[lark.Token], *kinds: str) -> list[str]:
    """What stands in it of these kinds, in that order."""
    return [str(child) for child in tree.children if isinstance(child, lark.Token) and child.type in kinds]


def unreadable_at(
    code: str, token: Token, read: str, candidates: Iterable[str] = (), expected: tuple[str, ...] = (), **more: object
) -> Unreadable:
    """`read` can't be read, at that token; of the candidates one might, and `expected` are the kinds of what may."""
    facts = {"read": read, "candidates": tuple(candidates), "expected": expected, **more}
    return Unreadable(code, line=token.line, column=token.column, **facts)
