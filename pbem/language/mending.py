"""What a line that can't be read may have been meant for: the same with one thing put right, a few times over."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from pbem.core.notation import Notation
from pbem.language.grammar import Grammar
from pbem.language.tokens import Token, tokenize
from pbem.language.words import FILLERS

ROUNDS = 3  # things that are put right in one line
MOST = 40  # lines that are tried in a round

Line = Sequence[Token]


class Mender:
    """Puts lines right by the grammar, and knows nothing of what would be legal."""

    def __init__(self, grammar: Grammar[Any], notation: Notation[Any]) -> None:
        self._grammar = grammar
        self._multiline = notation.multiline
        self._counted = notation.counted
        self._heads = notation.heads

    def mended(self, line: Line) -> list[Line]:
        """The lines that can be read, with as little put right as will do."""
        tried: list[Line] = [line]
        for _ in range(ROUNDS):
            tried = [variant for each in tried for variant in self._variants(each)][:MOST]
            readable = [each for each in tried if self._grammar.tree(each)]
            if readable:
                return readable
        return []

    def _variants(self, line: Line) -> Iterator[Line]:
        """A name that it is a slip from, without words that say nothing, with a word that is missing."""
        sentence = self._grammar.sentence()
        sentence.hear(line)
        place, kinds = sentence.stop
        before, rest = line[:place], line[place:]
        if not rest:
            return
        for name in sentence.candidates:
            yield [*before, *tokenize(name, rest[0].line), *rest[1:]]
        meant = [token for token in rest if token.text not in FILLERS]
        if len(meant) < len(rest):
            yield [*before, *meant]
        for word in self._words(kinds, line, place):
            yield [*before, *tokenize(word, rest[0].line), *rest]

    def _words(self, kinds: set[str], line: Line, place: int) -> Iterator[str]:
        """What may be missing there: whose place is a space's has one only before what is done there."""
        heads = self._heads if place else self._multiline if self._grammar.is_continuation(line) else ()
        lexicon = self._grammar.lexicon
        yield from ["," for kind in ("COMMA",) if kind in kinds]
        yield from (lexicon.called(kind) for kind in ("TO", *heads) if kind in kinds)
        yield from (word for kind in self._counted if kind in kinds for word in lexicon.all_called(kind))
