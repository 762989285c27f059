"""Press in a letter: from a line that says to whom it goes, a text that is kept as it is written."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from pbem.core.refusal import Unreadable
from pbem.language.grammar import Grammar, named_in
from pbem.language.lexicon import Lexicon
from pbem.language.stretches import IsOrder, Stretch, part
from pbem.language.tokens import Token, parted, tokenize, without_comment

ALL = "all"  # in the place of a seat
LONGEST = 20_000  # bytes of one press, in UTF-8


class Dispatch(Stretch, kw_only=True):
    """Press."""

    head: tuple[Token, ...]  # up to its colon, if it has one

    @property
    def said(self) -> str:
        """What stands behind the colon and below."""
        behind = self.first[self.head[-1].column - self.column + 1 :].strip()
        return "\n".join([behind, *(line for _, line in self.below)]).strip()


def part_press(lines: Sequence[str], lexicon: Lexicon) -> tuple[list[str], list[Dispatch]]:
    """The letter's lines without the press among them, each still at its number; and the press."""
    return part(lines, lambda number, line, _: _begun(line, number, lexicon), lambda line: _is_end(line, lexicon))


def read_press(dispatch: Dispatch, grammar: Grammar[Any], seats: Sequence[str], is_order: IsOrder) -> tuple[str, ...]:
    """The seats it goes to, or `ALL`. Raises `Unreadable`."""
    try:
        tree = grammar.parse(dispatch.head, "press_head")
    except Unreadable as refusal:
        if refusal.code == "name.unknown" and not refusal.facts["candidates"]:  # it is like none: all there are will do
            refusal.facts["candidates"] = tuple(seats)
        raise
    if len(dispatch.said) <= LONGEST:  # else it goes nowhere
        dispatch.check_below(is_order)
    return tuple(dict.fromkeys(named_in(tree, "SEAT"))) or (ALL,)


def _begun(line: str, number: int, lexicon: Lexicon) -> Dispatch | None:
    """The press that begins on this line, at its start or behind a semicolon."""
    for column, piece in parted(line):
        found = tokenize(piece, number, column)
        if found and _is_head(found, lexicon):
            ends = [place for place, token in enumerate(found, 1) if token.kind == "COLON"]
            head, begins = tuple(found[: ends[0]] if ends else found), found[0].column
            return Dispatch(kind="press", line=number, column=begins, first=line[begins - 1 :].rstrip(), head=head)
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
