"""The lines around the orders: which are prose, and which stop the letter.

A line that looks or smells of an order and can't be read stops it: its writer may well count on it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Any, Generic, TypeVar

from msgspec.structs import replace
from rapidfuzz import process
from rapidfuzz.distance import OSA

from pbem.core.notation import Notation
from pbem.core.refusal import Unreadable
from pbem.language.ballots import Ballot
from pbem.language.command import UNREAD, Commands
from pbem.language.grammar import Grammar
from pbem.language.lexicon import KINDS, Lexicon
from pbem.language.pieces import words_of
from pbem.language.statements import Reading, Statement
from pbem.language.tokens import Token, fold, tokenize, without_comment
from pbem.language.words import FILLERS

FULL = 4  # letters from which the beginning of a name is more than a syllable
MOST = 8  # words that a name can have
SURE = 7  # letters from which a word with one wrong letter is hardly another word

O = TypeVar("O")
Line = Sequence[Token]
Reads = Callable[[Line], bool]  # is it an order, or more of one, as it stands?


class Sieve(Generic[O]):
    """Parts a letter's orders from the prose around them."""

    def __init__(self, grammar: Grammar[O], notation: Notation[O], commands: Commands) -> None:
        self._grammar = grammar
        self._notation = notation
        self._commands = commands
        meek = {*commands.low_priority, *notation.own_names, *notation.faint}
        self._order_starts = tuple(start for start in grammar.allowed() if start not in meek)
        bold = (*self._order_starts, *notation.continuations)
        self._nose = Nose(grammar.lexicon, notation, bold, self._reads)

    def without_prose(self, statements: Sequence[Statement[O]]) -> Reading[O]:
        """Lines around the orders that look and smell like none are passed over; if no line is an order, none is."""
        aside = [n for n, s in enumerate(statements) if _is_said_aside(s)]
        orders = [n for n, s in enumerate(statements) if n not in aside and self._is_order(s)]
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

    def _is_order(self, statement: Statement[O]) -> bool:
        return statement.command is not UNREAD or self.looks_like_order(statement)

    def _sniffed(self, statement: Statement[O]) -> Statement[O] | None:
        """The line as one that stops the letter, if it smells of an order."""
        line = words_of(without_comment(statement.text), statement.line, statement.column)
        if not self._nose.smells(line):
            return None
        if statement.refusal and statement.refusal.code.startswith("name.") and self._is_aimed(line):
            return statement  # that tells more
        gist = self._nose.gist(line)
        place = {"line": statement.line, "column": statement.column}
        return replace(statement, refusal=Unreadable("order.unreadable", **place, read=statement.text, gist=gist))

    def _is_aimed(self, line: Sequence[Token]) -> bool:
        """Is the first word meant for a name: it is one but for a slip, or its colon follows?"""
        return any(token.kind == "COLON" for token in line[1:2]) or bool(self._nose.slips(line))

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
        line = words_of(without_comment(statement.text), 1)
        kinds = (*self._order_starts, *self._notation.continuations)
        if line[0].kind == "NUMBER" or self._grammar.lexicon.is_listed(line, kinds):
            return True
        found = self._grammar.lexicon.find(line, kinds)
        if found is None:
            return self._is_led(line)
        return self._was_read(statement, line[: found.length + 1])

    def _is_led(self, line: Sequence[Token]) -> bool:
        """Does a name that came up in the game, and a colon, stand before what may be an order?"""
        lexicon, notation = self._grammar.lexicon, self._notation
        if len(line) < 3 or line[1].kind != "COLON" or not lexicon.find(line, notation.own_names):
            return False
        shapes = [kind for kind in notation.patterns if kind not in notation.own_names]
        shaped = any(lexicon.find(line[place:], shapes) for place in range(2, len(line)))
        return shaped or lexicon.is_listed(line[2:], self._order_starts)

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


# What the noses of all tables of a game have in common, but for the seats: it is kept once.


@lru_cache(KINDS)
def _spoken(ways: tuple[tuple[str, tuple[str, ...]], ...]) -> Mapping[str, str]:
    return {fold(way): verb for verb, them in ways for way in them}


@lru_cache(KINDS)
def _same(words: frozenset[str]) -> frozenset[str]:
    return words


@lru_cache(KINDS)
def _stems(verbs: frozenset[str]) -> Mapping[str, int]:
    return {verb[:-1]: len(verb) for verb in sorted(verbs, key=len) if len(verb) > FULL}


@lru_cache(KINDS)
def _in_order(words: frozenset[str]) -> Sequence[str]:
    return sorted(words)


class Nose:
    """Smells orders by the words that the grammar's own tables know, and by those people say for them."""

    def __init__(self, lexicon: Lexicon, notation: Notation[Any], starts: Iterable[str], reads: Reads) -> None:
        scent = notation.scent
        self._lexicon = lexicon
        self._scent = scent
        self._heads = notation.heads
        self._reads = reads
        self._head_words = lexicon.words(self._heads)
        self._first_words = lexicon.words(first for first, _ in scent.pairs)
        self._kinds = tuple(dict.fromkeys((*starts, *scent.aims, *(kind for pair in scent.pairs for kind in pair))))
        self._spoken = _spoken(tuple((verb, tuple(ways)) for verb, ways in scent.spoken.items()))
        self._verbs = _same(lexicon.words(scent.verbs).union(self._spoken))
        self._stems = _stems(self._verbs)
        self._starts = _in_order(lexicon.words(self._kinds).union(self._spoken))

    def smells(self, line: Line) -> bool:
        """Is it no mere prose?"""
        return (
            any(self._is_pair(line, place) or self._is_headed(line, place) for place in range(1, len(line)))
            or self._is_urge(line)
            or self._reads(self._bare(line))
            or bool(self.slips(line))
        )

    def gist(self, line: Line) -> str:
        """What of it could be written instead; empty when nothing can be made of it."""
        slips = self.slips(line)
        found = next((words for words in (*slips, self._known(line), self._bare(line)) if self._reads(words)), ())
        glued = (token.written if token.kind in ("COMMA", "COLON") else f" {token.written}" for token in found)
        return "".join(glued).strip()

    def slips(self, line: Line) -> list[Line]:
        """The orders that it is but for one slip in its first word."""
        first = line[0]
        if first.kind != "WORD" or (len(line) == 1 and len(first.text) < FULL):
            return []
        words = self._mended(first.text, self._starts, bold=len(line) > 1)
        mended = ([replace(first, text=word, written=word), *line[1:]] for word in words)
        return [each for each in mended if self._reads(each)]

    def _is_pair(self, line: Line, place: int) -> bool:
        """Does a unit stand right before a place? A small "a" within prose is Italian "at", or an English article."""
        before = line[place - 1]
        if before.text not in self._first_words:
            return False
        if before.written == "a" and place > 1 and self._is_prose(line[place - 2]):
            return False
        return any(
            self._is_named([before], (first,)) and self._is_named(line[place : place + MOST], (second,))
            for first, second in self._scent.pairs
        )

    def _is_prose(self, token: Token) -> bool:
        return token.kind == "WORD" and token.text not in FILLERS and not self._is_verb(token.text)

    def _is_headed(self, line: Line, place: int) -> bool:
        """Does an order's head stand behind whose it is, a colon, or a word people say; there even with a slip?"""
        before = line[place - 1]
        is_head = line[place].text in self._head_words
        if place == 1 and not is_head and self._mended(line[place].text, self._head_words) and self._is_begun(before):
            return True
        if not is_head or not self._lexicon.is_listed(line[place : place + MOST], self._heads):
            return False
        is_said = before.kind == "COLON" or before.text in self._spoken
        return is_said or self._is_named([before], self._scent.aims)

    def _is_begun(self, token: Token) -> bool:
        """Is it the beginning of a name that orders are for, be it ever so short?"""
        return token.kind == "WORD" and self._lexicon.find([token], self._scent.aims) is not None

    def _is_urge(self, line: Line) -> bool:
        """Does it say to do something to somebody, and how much?"""
        if not any(token.kind == "NUMBER" for token in line):
            return False
        aimed = any(self._is_named(line[place : place + MOST], self._scent.aims) for place in range(len(line)))
        return aimed and any(self._is_verb(token.text) or self._mended(token.text, self._verbs) for token in line)

    def _is_verb(self, text: str) -> bool:
        """One of the words, perhaps with another ending."""
        if text in self._verbs:
            return True
        stems = (self._stems.get(text[:length], 0) for length in range(FULL, len(text) + 1))
        return any(len(text) <= whole + 2 for whole in stems if whole)

    def _is_named(self, line: Line, kinds: Sequence[str]) -> bool:
        """Does a name begin here: in full, or half of it and more than a syllable?"""
        if not line or line[0].kind != "WORD":
            return False
        found = self._lexicon.find(line, kinds)
        if found is None:
            return False
        said = sum(len(token.text) for token in line[: found.length])
        halves = (sum(map(len, name.parts)) <= 2 * said for name in found.names)
        return self._lexicon.is_listed(line, kinds) or (said >= FULL and any(halves))

    # -- what it would be without its slip ---

    def _bare(self, line: Line) -> Line:
        start = 0
        while start < len(line) and (line[start].kind not in ("WORD", "NUMBER") or line[start].text in FILLERS):
            start += 1
        return line[start:]

    def _mended(self, text: str, words: Iterable[str], *, bold: bool = False) -> list[str]:
        """Words that this is one slip away from; a wrong letter in a short word may make another word."""
        if len(text) < FULL - 1:
            return []
        near = process.extract(text, [*words], scorer=OSA.distance, score_cutoff=1, limit=9)
        return [word for word, _, _ in near if bold or _is_slip(text, word)]

    def _known(self, line: Line) -> list[Token]:
        """What the grammar knows of it, with its own word for what people say."""
        known: list[Token] = []
        place = 0
        while place < len(line):
            taken, length = self._taken(line, place)
            known += taken
            place += length
        return known

    def _taken(self, line: Line, place: int) -> tuple[Line, int]:
        token = line[place]
        if token.kind != "WORD":
            return ([] if token.kind == "STRANGE" else [token]), 1
        if token.text in self._spoken:
            return tokenize(self._spoken[token.text], token.line), 1
        ahead = line[place : place + MOST]
        found = self._lexicon.find(ahead, self._kinds) if self._is_named(ahead, self._kinds) else None
        if found is None or (token.text in FILLERS and token.written == token.text):
            return (), 1
        return line[place : place + found.length], found.length


def _is_slip(text: str, word: str) -> bool:
    """A letter too many, too few, or out of order; in a long word also a wrong one."""
    if text == word or len(word) < FULL or (text[0] != word[0] and len(word) == FULL):
        return False
    return len(text) != len(word) or sorted(text) == sorted(word) or len(word) >= SURE
