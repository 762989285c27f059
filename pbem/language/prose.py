"""The lines around the orders: which are prose, and which look or smell like an order and stop the letter."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Generic, TypeVar

from msgspec.structs import replace

from pbem.core.notation import Notation
from pbem.core.refusal import Unreadable
from pbem.language.ballots import Ballot
from pbem.language.command import Commands
from pbem.language.grammar import Grammar
from pbem.language.smells import Nose
from pbem.language.statements import Reading, Statement
from pbem.language.tokens import Token, tokenize, without_comment

O = TypeVar("O")


class Sieve(Generic[O]):
    """Parts a letter's orders from the prose around them."""

    def __init__(self, grammar: Grammar[O], notation: Notation[O], commands: Commands) -> None:
        self._grammar = grammar
        self._notation = notation
        self._commands = commands
        self._order_starts = tuple(start for start in grammar.allowed() if start not in commands.low_priority)
        bold = (*self._order_starts, *notation.continuations)
        self._nose = Nose(grammar.lexicon, notation.scent, bold, notation.heads)

    def without_prose(self, statements: Sequence[Statement[O]]) -> Reading[O]:
        """Lines around the orders that look and smell like none are passed over; if no line is an order, none is."""
        aside = [n for n, s in enumerate(statements) if _is_said_aside(s)]
        orders = [n for n, s in enumerate(statements) if n not in aside and (s.command or self.looks_like_order(s))]
        places = orders or aside
        first, last = (places[0], places[-1] + 1) if places else (0, 0)
        outside = (*statements[:first], *statements[last:])
        around = [each for each in outside if not _is_said_aside(each)]
        smelly = [sniffed for each in around if (sniffed := self._sniffed(each))]
        if not places and not smelly:
            return Reading(statements=tuple(statements), passed=())
        kept = (*statements[first:last], *(each for each in outside if _is_said_aside(each)))
        found = sorted((*kept, *smelly), key=lambda each: (each.line, each.column))
        stops = {(each.line, each.column) for each in smelly}
        passed = tuple(s.text for s in around if (s.line, s.column) not in stops)
        return Reading(statements=tuple(found), passed=passed)

    def _sniffed(self, statement: Statement[O]) -> Statement[O] | None:
        """The line as one that stops the letter, if it smells of an order."""
        line = tokenize(without_comment(statement.text), statement.line, statement.column)
        if not self._nose.smells(line, self._reads):
            return None
        if statement.refusal and statement.refusal.code.startswith("name.") and self._is_aimed(line):
            return statement  # that tells more
        gist = self._nose.gist(line, self._reads)
        place = {"line": statement.line, "column": statement.column}
        return replace(statement, refusal=Unreadable("order.unreadable", **place, read=statement.text, gist=gist))

    def _is_aimed(self, line: Sequence[Token]) -> bool:
        """Is the first word meant for a name: it is one but for a slip, or its colon follows?"""
        return any(token.kind == "COLON" for token in line[1:2]) or bool(self._nose.slips(line, self._reads))

    def _reads(self, line: Sequence[Token]) -> bool:
        """Is it a whole order, or a line that an order above may go on with?"""
        if not line:
            return False
        if self._grammar.is_continuation(line):
            called = self._grammar.lexicon.called
            heads = [tokenize(called(head), line[0].line) for head in self._notation.multiline]
        else:
            heads = [[]] if self._grammar.begins(line) - self._commands.low_priority else []
        trees = (self._grammar.tree([*head, *line]) for head in heads)
        return any(tree is not None and not self._commands.by_name[str(tree.data)].aside for tree in trees)

    def looks_like_order(self, statement: Statement[O]) -> bool:
        """Does it begin with an order word, a name or a count in full, or was more of it read?"""
        if statement.refusal is not None and statement.refusal.code == "power.players":
            return True
        line = tokenize(without_comment(statement.text), 1)
        kinds = (*self._order_starts, *self._notation.continuations)
        if line[0].kind == "NUMBER" or self._grammar.lexicon.is_listed(line, kinds):
            return True
        found = self._grammar.lexicon.find(line, kinds)
        return found is not None and self._was_read(statement, line[: found.length + 1])

    def _was_read(self, statement: Statement[O], line: Sequence[Token]) -> bool:
        """Did the reader come beyond these tokens before it stopped? An abbreviation alone proves nothing."""
        stop = statement.refusal
        if not isinstance(stop, Unreadable) or stop.code == "order.incomplete":
            return stop is not None
        begun = statement.column + line[-1].column - 1
        return (stop.line, stop.column) > (statement.line, begun)


def _is_said_aside(statement: Statement[Any]) -> bool:
    """Such as "yes", or a word about a petition that is no vote: what stands between it and an order may be prose."""
    said = statement.motion
    return isinstance(said, Ballot) and (said.implied or said.does == "unclear")
