"""What a line that can't be read may have been meant for: the same with one thing put right, a few times over."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from pbem.core.notation import Notation
from pbem.language.grammar import Grammar
from pbem.language.tokens import Token, tokenize
from pbem.language.words import CHOICES, FILLERS, LEADS

ROUNDS = 3  # things that are put right in one line
BEGUN = 3  # letters of a first word that may be the beginning of what it is meant for
TURNED = 6  # words before a verb that stands last
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
        """The lines that can be read, with as little put right as will do; none where the line leaves a choice."""
        if any(token.text in CHOICES for token in line):
            return []
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
        for name in sentence.candidates if place or len(rest[0].text) >= BEGUN else ():
            yield put_in(line, place, name)
        meant = [token for token in rest if token.text not in FILLERS]
        if len(meant) < len(rest) and (before or meant):
            yield [*before, *meant]
        if led := _led(line):
            yield led
        yield from self._verb_first(led or line)
        for word in self._words(kinds, line, place):
            yield [*before, *tokenize(word, rest[0].line), *rest]

    def _verb_first(self, line: Line) -> Iterator[Line]:
        """With the verb that German and Italian may put last at its head, and what stood before it turned round."""
        *rest, last = line
        if rest and self._grammar.lexicon.is_listed([last], self._heads):
            yield from ([last, *rest[place:], *rest[:place]] for place in range(min(len(rest), TURNED)))

    def _words(self, kinds: set[str], line: Line, place: int) -> Iterator[str]:
        """What may be missing there: whose place is a space's has one only before what is done there."""
        heads = self._heads if place else self._multiline if self._grammar.is_continuation(line) else ()
        lexicon = self._grammar.lexicon
        yield from ["," for kind in ("COMMA",) if kind in kinds]
        yield from (lexicon.called(kind) for kind in ("TO", *heads) if kind in kinds)
        yield from (word for kind in self._counted if kind in kinds for word in lexicon.all_called(kind))


def put_in(line: Line, place: int, name: str) -> Line:
    """The line with a name for what stands there, be it of several words."""
    words = tokenize(name, line[place].line)
    own, end = [part for word in words for part in word.text.split("_")], place + 1
    while end < len(line) and line[end].text in own and end - place < len(own):
        end += 1
    return [*line[:place], *words, *line[end:]]


def _led(line: Line) -> Line:
    """What stands behind words that say only that an order follows; empty where there are none."""
    idle = next((place for place, token in enumerate(line) if not _leads(token)), len(line))
    return line[idle:] if idle < len(line) and idle else ()


def _leads(token: Token) -> bool:
    return token.kind in ("COLON", "COMMA", "NUMBER", "STRANGE") or token.text in FILLERS or token.text in LEADS
