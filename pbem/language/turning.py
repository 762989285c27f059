"""Lines as people write them: who does it stands first, half of the verb last, and commas part several orders."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any

from pbem.core.notation import Notation
from pbem.core.refusal import Refusal
from pbem.language.grammar import Grammar, Sentence
from pbem.language.tokens import Token, tokenize
from pbem.language.words import Ways

Line = Sequence[Token]


class Turner:
    """Turns them round: `INF1 attacks D5` is `attack D5 with INF1`, `lade CGO1 aus` is `lade aus CGO1` (and parted)."""

    def __init__(self, grammar: Grammar[Any], notation: Notation[Any]) -> None:
        self._grammar = grammar
        self._lexicon = grammar.lexicon
        self._led = notation.led
        self._parted = _parted(tuple(notation.keywords.values()))
        self._last = frozenset(last for _, last in self._parted)

    def turned(self, line: list[Token]) -> list[Token]:
        """The line as it is, unless turned round it is more of an order."""
        joined = self._joined(line)
        found = self._verb_first(joined) or joined
        return line if found is line or self._rank(found) <= self._rank(line) else found

    def parted(self, sentence: Sentence, most: int) -> list[tuple[list[Token], list[Token]]]:
        """What may be orders with a comma between them, each as it is and turned round; after so many comes the rest.

        Empty where it can't be several.
        """
        parts: list[tuple[list[Token], list[Token]]] = []
        while len(parts) < most and (first := self._first(sentence)):
            parts.append(first)
            rest = sentence.tokens[len(first[0]) + 1 :]
            sentence = self._grammar.sentence()
            sentence.hear(rest)
        return [*parts, (sentence.tokens, self.turned(sentence.tokens))] if parts else []

    def _first(self, sentence: Sentence) -> tuple[list[Token], list[Token]] | None:
        """What stands before a comma and may be an order by itself, as it is and turned round, if there is any."""
        if not sentence.refusal:
            return None
        line = sentence.tokens
        commas = (place for place, token in enumerate(line[:-1]) if token.kind == "COMMA" and place)
        place = next((place for place in commas if place >= sentence.read - 1), 0)  # it could go on with another name
        if not place:
            return None
        first = line[:place]
        turned = self.turned(first)
        return (first, turned) if place <= sentence.read or turned is not first else None

    def _rank(self, line: Line) -> int:
        """2 for a whole order, 1 for one that lacks something at its end."""
        try:
            self._grammar.parse(line)
            return 2
        except Refusal as refusal:
            return int(refusal.code == "order.incomplete")

    def _joined(self, line: list[Token]) -> list[Token]:
        """With the end of a verb, that stands last, behind its beginning."""
        *rest, last = line
        if len(line) < 3 or last.text not in self._last:
            return line
        place = next((place for place, token in enumerate(rest) if (token.text, last.text) in self._parted), None)
        return line if place is None else [*rest[: place + 1], last, *rest[place + 1 :]]

    def _verb_first(self, line: list[Token]) -> list[Token]:
        """With those who do it behind the verb and its aim; empty where none stand before one."""
        end = self._named(line) if line[0].kind == "WORD" else 0
        said = line[end:]
        if not end or not said or not self._lexicon.is_listed(said, self._led.verbs):
            return []
        ahead = ((place, self._grammar.ahead(said, place)) for place in range(len(said)))
        place = next((place for place, rest in ahead if self._lexicon.is_listed(rest, self._led.before)), len(said))
        by = tokenize(self._lexicon.called(self._led.by), line[0].line)
        return [*said[:place], *by, *line[:end], *said[place:]]

    def _named(self, line: Line) -> int:
        """How many tokens at its beginning name who could do something."""
        end = 0
        while end < len(line):
            found = self._lexicon.find(line[end : end + self._lexicon.longest], self._led.names)
            if found is None:
                break
            end += found.length
            if not self._is_join(line[end : end + 1]):
                break
            end += 1
        return end

    def _is_join(self, line: Line) -> bool:
        return bool(line) and (line[0].kind in ("COMMA", "PLUS") or self._lexicon.is_listed(line, ("ALSO",)))


@cache
def _parted(keywords: tuple[Ways, ...]) -> frozenset[tuple[str, str]]:
    """Those of two words: the second could stand last."""
    pairs = (tokenize(way, 1) for ways in keywords for way in ways)
    return frozenset((pair[0].text, pair[1].text) for pair in pairs if len(pair) == 2)
