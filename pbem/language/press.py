"""Press in a letter: from a line that says to whom it goes, a text that is kept as it is written."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import lark
from msgspec import Struct

from pbem.core.refusal import Refusal, Unreadable
from pbem.language.grammar import Grammar
from pbem.language.lexicon import Lexicon
from pbem.language.tokens import Token, ends_letter, parted, tokenize, without_comment

ALL = "all"  # in the place of a seat
LONGEST = 20_000  # bytes of one press, in UTF-8


class Dispatch(Struct, kw_only=True):
    """A stretch of a letter that is press."""

    head: tuple[Token, ...]  # up to its colon, if it has one
    first: str  # the line it begins on, from there
    below: list[tuple[int, str]]  # the lines under it, with their numbers

    @property
    def place(self) -> tuple[int, int]:
        """The line and column at which it begins."""
        return self.head[0].line, self.head[0].column

    @property
    def text(self) -> str:
        """All of it as written."""
        return "\n".join([self.first, *(line for _, line in self.below)])

    @property
    def said(self) -> str:
        """What stands behind the colon and below."""
        behind = self.first[self.head[-1].column - self.head[0].column + 1 :].strip()
        return "\n".join([behind, *(line for _, line in self.below)]).strip()


def part(lines: Sequence[str], lexicon: Lexicon) -> tuple[list[str], list[Dispatch]]:
    """The letter's lines without the press among them, each still at its number; and the press.

    A press goes on to a line that ends it, to the next one, or to the end of the letter.
    """
    rest, found, is_open = [*lines], [], False
    for number, line in enumerate(lines, 1):
        if ends_letter(line):
            break
        begun = _begun(line, number, lexicon)
        if begun:
            found.append(begun)
            is_open, rest[number - 1] = True, line[: begun.head[0].column - 1]
        elif is_open:
            rest[number - 1] = ""
            is_open = not _is_end(line, lexicon)
            if is_open:
                found[-1].below.append((number, line.rstrip()))
    return rest, found


def recipients(dispatch: Dispatch, grammar: Grammar[Any], seats: Sequence[str]) -> tuple[str, ...]:
    """The seats it goes to, or `ALL`. Raises `Unreadable`."""
    try:
        tree = grammar.parse(dispatch.head, "press_head")
    except Unreadable as refusal:
        raise _with_candidates(refusal, seats) from None
    named = [str(child.value) for child in tree.children if isinstance(child, lark.Token) and child.type == "SEAT"]
    return tuple(dict.fromkeys(named)) or (ALL,)


def check_no_order_inside(dispatch: Dispatch, is_order: Callable[[str], bool]) -> None:
    """An order below the press would be mailed to a rival. Raises `Unreadable`."""
    if len(dispatch.said) > LONGEST:
        return  # it goes nowhere
    for number, line in dispatch.below:
        if is_order(line):
            raise Unreadable("press.order_inside", line=number, column=1, read=line)


def _begun(line: str, number: int, lexicon: Lexicon) -> Dispatch | None:
    """The press that begins on this line, at its start or behind a semicolon."""
    for column, piece in parted(line):
        found = tokenize(piece, number, column)
        if found and _is_head(found, lexicon):
            ends = [place for place, token in enumerate(found, 1) if token.kind == "COLON"]
            head = found[: ends[0]] if ends else found
            return Dispatch(head=tuple(head), first=line[head[0].column - 1 :].rstrip(), below=[])
    return None


def _is_head(line: Sequence[Token], lexicon: Lexicon) -> bool:
    """Is it press, and no sentence that begins with that word? The word alone is a question to the host."""
    if not lexicon.is_listed(line, ("K_PRESS",)) or len(line) == 1:
        return False
    rest = line[1:]
    if rest[0].kind == "COLON" or lexicon.is_listed(rest, ("TO_WHOM",)):
        return True
    has_colon = any(token.kind == "COLON" for token in rest)
    return has_colon and lexicon.find(rest, ("SEAT", "EVERYBODY")) is not None


def _is_end(line: str, lexicon: Lexicon) -> bool:
    found = tokenize(without_comment(line), 1)
    name = lexicon.find(found, ("PRESS_END",)) if found else None
    return name is not None and name.length == len(found) and lexicon.is_listed(found, ("PRESS_END",))


def _with_candidates(refusal: Unreadable, seats: Sequence[str]) -> Refusal:
    """A name that is like none: all there are will do."""
    if refusal.code != "name.unknown" or refusal.hint:
        return refusal
    facts = {**refusal.facts, "candidates": tuple(seats)}
    return Unreadable(refusal.code, line=refusal.line, column=refusal.column, hint=seats, **facts)
