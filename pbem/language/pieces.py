"""A letter's lines into pieces, and pieces into orders: one may go on over several lines."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec import Struct

from pbem.language.grammar import Sentence
from pbem.language.tokens import Sign, ends_letter, parted, signs


class Piece(Struct, frozen=True):
    """A line, or a part of it between semicolons."""

    text: str
    signs: list[Sign]


class OpenOrder(Struct):
    """The pieces that make one order."""

    texts: list[str]
    sentence: Sentence

    @property
    def signs(self) -> list[Sign]:
        return self.sentence.signs

    @property
    def place(self) -> tuple[int, int]:
        """The line and column at which it begins."""
        return self.signs[0].line, self.signs[0].column

    def join(self, piece: Piece) -> None:
        """The end of a line stands for a comma."""
        ends = self.signs[-1].kind == "COMMA"
        self.go_on(piece if ends else Piece(piece.text, _comma(piece.signs[0]) + piece.signs))

    def go_on(self, piece: Piece) -> None:
        self.texts.append(piece.text)
        self.sentence.hear(piece.signs)


def pieces_of(lines: Sequence[str]) -> Iterator[Piece]:
    """Lines parted at `;`, without comments, quotes and blanks, up to END or a signature."""
    for number, line in enumerate(lines, 1):
        if ends_letter(line):
            return
        for column, piece in parted(line):
            found = signs(piece, number, column)
            if found:
                yield Piece(piece.strip(), found)


def items_of(line: Sequence[Sign]) -> list[list[Sign]]:
    """The items of an order, each with a comma before it."""
    items: list[list[Sign]] = []
    for sign in line:
        if sign.kind == "COMMA" or not items:
            items.append(_comma(sign))
        if sign.kind != "COMMA":
            items[-1].append(sign)
    return [item for item in items if len(item) > 1]


def _comma(before: Sign) -> list[Sign]:
    return [Sign(kind="COMMA", text=",", written=",", line=before.line, column=before.column)]
