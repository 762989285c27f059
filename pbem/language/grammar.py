"""One order through lark: the grammar decides which kinds of names may stand at each place."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from importlib.resources import files
from typing import Any, Generic, TypeVar

import lark
from lark.exceptions import UnexpectedToken
from lark.lexer import Lexer
from lark.parsers.lalr_interactive_parser import InteractiveParser

from pbem.core.notation import Notation
from pbem.core.refusal import Refusal, Unreadable
from pbem.language.command import Commands
from pbem.language.lexicon import Found, Lexicon
from pbem.language.tokens import Token, as_written
from pbem.language.words import NUMBERS, PRESS_WORDS, WORDS, Ways

O = TypeVar("O")

TOKENS = ("WORD", "NUMBER", "TO", "COMMA", "PLUS", "COLON", "STRANGE")
END = "$END"
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
        tables["TOPIC"] = _topics(tables, commands, notation.topics)
        self.heads = frozenset(notation.heads)
        self.ahead_terminal = commands.ahead.terminal
        self._continuations = notation.continuations
        self._connectives = notation.connectives
        meek = (*commands.low_priority, *notation.connectives, *notation.particles, *PRESS_WORDS)
        self.lexicon = Lexicon(tables, meek, notation.counted)
        self._counted = notation.counted
        self._keywords = frozenset(keywords)
        self._lark = compiled(commands.grammar + SHARED + notation.grammar, STARTS, tuple(sorted({*tables, *TOKENS})))
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
        if len(found.names) > 1:
            raise unreadable_at("name.ambiguous", line[0], as_written(line), (n.written for n in found.names))
        return found.names[0].id

    def parse(self, line: Sequence[Token], start: str = "letter") -> lark.Tree[lark.Token]:
        """The tree of one whole order. Raises `Unreadable`."""
        sentence = self.sentence(start)
        sentence.hear(line)
        return sentence.tree()

    def sentence(self, start: str = "letter") -> Sentence:
        """An order of which nothing has been read yet."""
        return Sentence(self, self._lark.parse_interactive(start=start))

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
        if line[0].text in NUMBERS and line[1:] and self.lexicon.is_listed(line[1:], self._counted):
            return True
        terminals = self.begins(line, self._continuations) or {line[0].kind}
        return terminals <= {*self._continuations}

    def is_connective(self, line: Sequence[Token]) -> bool:
        """Does it begin with a word, written in full, with which an order goes on?"""
        return bool(line) and self.lexicon.is_listed(line, self._connectives)

    def named(self, line: Sequence[Token], place: int, allowed: Iterable[str]) -> Found | None:
        """The one name at this place, if there is any. Raises `Unreadable` when there are several."""
        if line[place].kind not in ("WORD", "NUMBER", "TO"):
            return None
        found = self.lexicon.find(self.ahead(line, place), allowed)
        if found and len(found.names) > 1:
            read = as_written(line[place : place + found.length])
            raise unreadable_at("name.ambiguous", line[place], read, (n.written for n in found.names))
        return found

    # -- what went wrong, and what would do ---

    def unexpected(self, allowed: Iterable[str], line: Sequence[Token], place: int) -> Refusal:
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

    def __init__(self, grammar: Grammar[Any], parser: InteractiveParser) -> None:
        self.tokens: list[Token] = []
        self.heads: list[tuple[str, int]] = []  # what they are, and how many tokens had been read with each
        self.refusal: Refusal | None = None
        self._grammar = grammar
        self._parser = parser
        self._place = 0
        self._ahead = False

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
        found = self._grammar.named(self.tokens, place, allowed)
        number = NUMBERS.get(token.text) if "NUMBER" in allowed and not found else None
        if not found and not number and token.kind not in allowed:
            raise self._stop(allowed)
        fed = lark.Token(found.names[0].terminal, found.names[0].id) if found else lark.Token(token.kind, token.text)
        fed = lark.Token("NUMBER", number) if number else fed
        try:
            self._parser.feed_token(fed)
        except UnexpectedToken:  # what is allowed here is allowed in some orders, but not in this one
            raise self._stop(()) from None
        length = found.length if found else 1
        self._ahead = self._ahead or fed.type == self._grammar.ahead_terminal
        if fed.type in self._grammar.heads:
            self.heads.append((fed.type, place + length))
        return length

    def _stop(self, allowed: Iterable[str]) -> Refusal:
        """Why it can't go on here; a word that goes on with an order written ahead has no place in another."""
        rest = self._grammar.ahead(self.tokens, self._place)
        if self._place and not self._ahead and self._grammar.is_connective(rest):
            return unreadable_at("order.unreadable", rest[0], rest[0].written, ahead=True)
        following = self.accepts() if self._place and allowed else allowed  # some choices suit other orders only
        return self._grammar.unexpected(following, self.tokens, self._place)


def _topics(tables: Mapping[str, Mapping[str, Ways]], commands: Commands, own: Sequence[str]) -> Mapping[str, Ways]:
    """What help can be asked about: commands, keywords, and what a game's own kinds of names tell."""
    told = [commands.topics, *(table for kind, table in tables.items() if kind in own or kind.startswith("K_"))]
    return {id_.removeprefix("k_"): ways for table in told for id_, ways in table.items()}


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
