"""A letter's lines into pieces, and pieces into orders: one may go on over several lines."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from msgspec import Struct
from msgspec.structs import replace

from pbem.language.grammar import Sentence
from pbem.language.tokens import Token, ends_letter, fold, parted, plain_signs, tokenize
from pbem.language.words import TABLES

_SIGNS = frozenset("!*•·▪‣")
_NUMBERING = re.compile(r"\(1\)|\[1\]|\w\)|1:(?!1)")
_FULL_STOP = re.compile(r"\.(?!\d)")
_BRACKETS = {"(": ")", "[": "]", "{": "}", "<": ">", "*": "*", "_": "_"}
_SMILEYS = tuple(TABLES["prose"]["smileys"])
_COURTEOUS, _SAYINGS = ([fold(way).split() for way in TABLES["prose"][kind]] for kind in ("courtesies", "sayings"))
_COURTESIES = {first: [words for words in _COURTEOUS if words[0] == first] for first in {it[0] for it in _COURTEOUS}}


class Piece(Struct, frozen=True):
    """A line, or a part of it between semicolons."""

    text: str
    tokens: list[Token]


class OpenOrder(Struct):
    """The pieces that make one order."""

    texts: list[str]
    sentence: Sentence

    @property
    def tokens(self) -> list[Token]:
        return self.sentence.tokens

    @property
    def place(self) -> tuple[int, int]:
        """The line and column at which it begins."""
        return self.tokens[0].line, self.tokens[0].column

    def join(self, piece: Piece) -> None:
        """The end of a line stands for a comma."""
        ends = self.tokens[-1].kind == "COMMA"
        self.go_on(piece if ends else Piece(piece.text, _comma(piece.tokens[0]) + piece.tokens))

    def go_on(self, piece: Piece) -> None:
        self.texts.append(piece.text)
        self.sentence.hear(piece.tokens)


def pieces_of(lines: Sequence[str]) -> Iterator[Piece]:
    """Lines parted at `;`, without comments, quotes and blanks, up to END or a signature."""
    for number, line in enumerate(lines, 1):
        if ends_letter(line):
            return
        for column, piece in parted(line):
            found = words_of(piece, number, column)
            if found:
                yield Piece(piece.strip(), found)


def words_of(text: str, line: int, column: int = 1) -> list[Token]:
    """The tokens of what may be an order; a saying is none."""
    found = _bare(tokenize(_without_smileys(plain_signs(text)), line, column))
    return [replace(found[0], kind="STRANGE")] if [token.text for token in found] in _SAYINGS else found


def _without_smileys(text: str) -> str:
    """Not by a pattern: one that begins with blanks takes a minute for a line of many."""
    rest = text.rstrip()
    while rest.endswith(_SMILEYS):
        rest = rest[: -max(len(smiley) for smiley in _SMILEYS if rest.endswith(smiley))].rstrip()
    return rest


def _bare(line: list[Token]) -> list[Token]:
    """An order without what says nothing around it: a bullet, brackets, exclamation marks, courtesies."""
    if len(line) > 2 and _BRACKETS.get(line[0].written) == line[-1].written:
        line = line[1:-1]
    line = line[_numbering(line) :]
    idle = {0} if line and line[0].kind in ("TO", "PLUS") else set()
    for place, token in enumerate(line):
        if token.kind == "STRANGE" and token.text in _SIGNS:
            idle.add(place)
        idle.update(_courtesy(line, place))
    said = [place for place in range(len(line)) if place not in idle]
    return line[said[0] : said[-1] + 1] if said else line


def _numbering(line: Sequence[Token]) -> int:
    """How many tokens number a line of a list: `1.`, `2)`, `2.)`, `(3)`, `4:` and `a)`, but no count and no decimal."""
    signs = "".join("1" if token.kind == "NUMBER" else token.written for token in line[:4])
    numbered = _NUMBERING.match(signs) if len(line) > 3 or signs[:1] not in _BRACKETS else None
    if numbered:
        return len(numbered[0])
    is_first = len(line) > 1 and line[0].kind == "NUMBER"
    return int(is_first and bool(_FULL_STOP.match(line[0].source, line[0].end)))


def _courtesy(line: Sequence[Token], place: int) -> Iterator[int]:
    """Where the words of one stand that begins here, and the commas that part it from the rest."""
    for words in _COURTESIES.get(line[place].text, ()):
        end = place + len(words)
        if [token.text for token in line[place:end]] == words:
            yield from range(place, end)
            yield from (near for near in (place - 1, end) if 0 <= near < len(line) and line[near].kind == "COMMA")


def items_of(line: Sequence[Token]) -> list[list[Token]]:
    """The items of an order, each with a comma before it."""
    items: list[list[Token]] = []
    for token in line:
        if token.kind == "COMMA" or not items:
            items.append(_comma(token))
        if token.kind != "COMMA":
            items[-1].append(token)
    return [item for item in items if len(item) > 1]


def _comma(before: Token) -> list[Token]:
    return [Token(kind="COMMA", text=",", written=",", line=before.line, column=before.column)]
