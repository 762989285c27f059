"""Lines whose words stand in another order than the grammar has them: who does it first, or half of the verb last."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from pbem.core.notation import Notation
from pbem.language.grammar import Grammar
from pbem.language.tokens import Token, tokenize

Line = Sequence[Token]


class Turner:
    """Turns them round: `INF1 attacks D5` is `attack D5 with INF1`, `lade CGO1 aus` is `lade aus CGO1`."""

    def __init__(self, grammar: Grammar[Any], notation: Notation[Any]) -> None:
        self._grammar = grammar
        self._lexicon = grammar.lexicon
        self._led = notation.led
        pairs = (tokenize(way, 1) for ways in notation.keywords.values() for way in ways)
        self._parted = frozenset((pair[0].text, pair[1].text) for pair in pairs if len(pair) == 2)
        self._last = frozenset(last for _, last in self._parted)

    def turned(self, line: list[Token]) -> list[Token]:
        """The line as it is, unless only turned round it is a whole order."""
        joined = self._joined(line)
        found = self._verb_first(joined) or joined
        if found is line or self._grammar.tree(line) or not self._grammar.tree(found):
            return line
        return found

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
        more = (place for place in range(len(said)) if self._lexicon.is_listed(said[place:], self._led.before))
        place = next(more, len(said))
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
