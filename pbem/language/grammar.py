"""One order through lark: the grammar decides which kinds of names may stand at each place."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from typing import Generic, TypeVar

from lark import Lark, Token, Tree
from lark.lexer import Lexer
from lark.parsers.lalr_interactive_parser import InteractiveParser

from pbem.language.names import Found, Lexicon
from pbem.language.signs import Sign
from pbem.table.phrases import Phrases
from pbem.table.refusal import Refusal, Unreadable

O = TypeVar("O")

SIGNS = ("WORD", "NUMBER", "TO", "COMMA", "PLUS", "COLON", "STRANGE")
END = "$END"


class _NoLexer(Lexer):
    """Tokens are fed one by one: which one comes next depends on what the grammar allows there."""

    def __init__(self, _: object) -> None:
        pass

    def lex(self, lexer_state: object, parser_state: object) -> Iterator[Token]:
        return iter(())


@cache
def compiled(grammar: str, starts: tuple[str, ...], terminals: tuple[str, ...]) -> Lark:
    declared = f"{grammar}\n%declare {' '.join(terminals)}\n"
    return Lark(declared, parser="lalr", start=list(starts), lexer=_NoLexer, maybe_placeholders=True)


class Grammar(Generic[O]):
    """A game's grammar with its names, and those of the seats at one table."""

    def __init__(
        self,
        phrases: Phrases[O],
        host: str,
        words: Mapping[str, tuple[str, ...]],
        meek: Iterable[str],
        seats: Iterable[str],
    ) -> None:
        keywords = {**phrases.keywords, **words}
        tables: dict[str, Mapping[str, Iterable[str]]] = {**phrases.names, "SEAT": {s: (s,) for s in seats}}
        tables |= {terminal: {terminal.lower(): ways} for terminal, ways in keywords.items()}
        tables["TOPIC"] = _topics(tables)
        self.lexicon = Lexicon(tables, meek)
        self._keywords = frozenset(keywords)
        self._lark = compiled(host + phrases.grammar, ("letter", "given"), tuple(sorted({*tables, *SIGNS})))

    def allowed(self, start: str = "letter") -> tuple[str, ...]:
        """The terminals an order may begin with."""
        return tuple(sorted(self._lark.parse_interactive(start=start).choices()))

    def name(self, line: Sequence[Sign], terminals: tuple[str, ...]) -> str:
        """The id of the one thing of these kinds that the whole line names. Raises `Unreadable`."""
        found = self.lexicon.find(line, terminals)
        if found is None or found.length < len(line):
            near = self.lexicon.nearest(_written(line), terminals)
            raise _unreadable("name.unknown", line[0], _written(line), near)
        if len(found.names) > 1:
            raise _unreadable("name.ambiguous", line[0], _written(line), [n.written for n in found.names])
        return found.names[0].id

    def parse(self, line: Sequence[Sign], start: str = "letter") -> Tree[Token]:
        """The tree of one whole order. Raises `Unreadable`."""
        parser = self._lark.parse_interactive(start=start)
        place = 0
        while place < len(line):
            place += self._feed(parser, line, place)
        if END not in parser.choices():
            raise self._too_short(parser, line)
        tree: Tree[Token] = parser.feed_eof()
        return tree

    def _feed(self, parser: InteractiveParser, line: Sequence[Sign], place: int) -> int:
        """Feed the name or sign at this place; how many signs it took."""
        allowed, sign = parser.choices(), line[place]
        found = self.lexicon.find(line[place:], allowed) if sign.kind in ("WORD", "NUMBER", "TO") else None
        if found:
            self._feed_name(parser, found, line[place : place + found.length])
            return found.length
        if sign.kind not in allowed:
            raise self._unexpected(allowed, line, place)
        parser.feed_token(Token(sign.kind, sign.text))
        return 1

    def _feed_name(self, parser: InteractiveParser, found: Found, line: Sequence[Sign]) -> None:
        if len(found.names) > 1:
            raise _unreadable("name.ambiguous", line[0], _written(line), [n.written for n in found.names])
        name = found.names[0]
        parser.feed_token(Token(name.terminal, name.id))

    # -- what went wrong, and what would do ---

    def _unexpected(self, allowed: Iterable[str], line: Sequence[Sign], place: int) -> Refusal:
        sign = line[place]
        near = self.lexicon.nearest(sign.written, allowed) if sign.kind == "WORD" else ()
        named = [t for t in allowed if t in self.lexicon and t not in self._keywords]
        a_name = place > 0 or _colon_follows(line) or self.lexicon.nearest(sign.written, named)
        code = "name.unknown" if sign.kind == "WORD" and named and a_name else "order.unreadable"
        return _unreadable(code, sign, sign.written, near, expected=self._expected(allowed))

    def _too_short(self, parser: InteractiveParser, line: Sequence[Sign]) -> Refusal:
        last = line[-1]
        expected = self._expected(parser.choices())
        return _unreadable("order.incomplete", last, _written(line), (), expected=expected)

    def _expected(self, allowed: Iterable[str]) -> tuple[str, ...]:
        return tuple(sorted(t for t in allowed if t != END and t.isupper()))


def _topics(tables: Mapping[str, Mapping[str, Iterable[str]]]) -> Mapping[str, Iterable[str]]:
    """What help can be asked about: spaces and keywords."""
    told = [table for terminal, table in tables.items() if terminal.startswith(("S_", "K_"))]
    return {id_.removeprefix("k_"): ways for table in told for id_, ways in table.items()}


def _colon_follows(line: Sequence[Sign]) -> bool:
    return any(sign.kind == "COLON" for sign in line[1:4])


def _written(line: Iterable[Sign]) -> str:
    return " ".join(sign.written for sign in line)


def _unreadable(code: str, sign: Sign, read: str, hint: Sequence[str], *, expected: Sequence[str] = ()) -> Unreadable:
    return Unreadable(
        code,
        line=sign.line,
        column=sign.column,
        hint=hint,
        read=read,
        candidates=tuple(hint),
        expected=tuple(expected),
    )
