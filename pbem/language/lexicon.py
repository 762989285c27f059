"""Names and keywords: any unambiguous beginning will do, nothing is ever guessed."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

from msgspec import Struct

from pbem.language.slips import near
from pbem.language.tokens import Token, fold, tokenize
from pbem.language.words import ELIDED, FILLERS, Ways

LONGEST = 50  # characters of what may be meant for a name
SIGNS = 3  # tokens of what may fit a pattern: T-4, 19/20
KINDS = 500  # whose names are remembered: all tables of a game have the same, but for their seats
KEPT = 500  # words of which is remembered what begins so, and what may be meant: they are met at several places
_SIGNS = ("&", "+")
_UMLAUTS = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "Ä": "Ae", "Ö": "Oe", "Ü": "Ue"})


class Name(Struct, frozen=True):
    """One way to call something: the parts as they are compared, and what it stands for."""

    parts: tuple[str, ...]  # "-" for a hyphen that must be there
    terminal: str
    id: str
    written: str


class Found(Struct, frozen=True):
    """How many tokens a name took, and what it can be: one candidate when it is clear."""

    length: int
    names: tuple[Name, ...]  # one for each (terminal, id)


class Lexicon:
    """All names of a game, by the terminal of the grammar they belong to."""

    def __init__(
        self,
        tables: Mapping[str, Mapping[str, Ways]],
        low_priority: Iterable[str],
        counted: Iterable[str],
        patterns: Mapping[str, str] = {},
        own_names: Iterable[str] = (),
    ) -> None:
        self._low_priority = frozenset(low_priority)  # kinds whose beginnings yield to those of the others
        self._counted = tuple(counted)  # kinds of things that a number counts
        self._listed = {terminal: _listed(terminal, tuple(table.items())) for terminal, table in tables.items()}
        self.longest = max(SIGNS, *(each.longest for each in self._listed.values()))
        own = (each.single for terminal, each in self._listed.items() if terminal != "SEAT")
        self._words = frozenset().union(*own)  # of the language
        self._patterns = {terminal: re.compile(shape, re.IGNORECASE) for terminal, shape in patterns.items()}
        self._own_names = frozenset(own_names)
        self._near = lru_cache(KEPT)(self._nearest)
        self._begun = lru_cache(KEPT)(self._all_beginning)
        self._alike: dict[str, Mapping[str, Names]] = {}  # by their first letters, as they are met

    def __contains__(self, terminal: str) -> bool:
        return terminal in self._listed

    def called(self, terminal: str) -> str:
        """What the first thing of that kind is called."""
        return self._listed[terminal].names[0].written

    def ids(self, line: Sequence[Token]) -> frozenset[str]:
        """The ids of all that is called so; those of a keyword are the word itself."""
        found = (self.find(line, [kind]) for kind in self._listed)
        return frozenset(n.id.removeprefix("k_") for each in found if each for n in each.names if _is_exact(n, line))

    def all_called(self, terminal: str) -> Iterable[str]:
        """What each thing of that kind is called."""
        return dict.fromkeys(self._listed[terminal].called.values())

    def find(self, line: Sequence[Token], terminals: Iterable[str]) -> Found | None:
        """The longest name at the start of these tokens, among the names of these kinds, or what fits a pattern."""
        if not self._patterns:
            return self._named(line, terminals)
        terminals = [*terminals]
        shaped = [terminal for terminal in terminals if terminal in self._patterns]
        bold = [terminal for terminal in shaped if terminal not in self._own_names]
        found = (self._shaped(line, bold) if bold else None) or self._named(line, terminals)
        if found is None and len(bold) < len(shaped) and not self._is_word(line[0]):
            return self._shaped(line, [terminal for terminal in shaped if terminal in self._own_names])
        return found

    def _shaped(self, line: Sequence[Token], terminals: Iterable[str]) -> Found | None:
        """What fits a pattern as it was written, up to the end of a token."""
        first = line[0]
        for terminal in terminals if first.source else ():
            shape = self._patterns[terminal].match(first.source, first.start)
            for place, token in enumerate(line[:SIGNS] if shape else ()):
                if token.source == first.source and shape and token.end == shape.end():
                    parts = tuple(each.text for each in line[: place + 1])
                    return Found(place + 1, (Name(parts, terminal, shape[0], shape[0]),))
        return None

    def _is_word(self, token: Token) -> bool:
        """Is it a word of the language?"""
        return token.text in self._words

    def _named(self, line: Sequence[Token], terminals: Iterable[str]) -> Found | None:
        longest, best = 1, []
        for name in self._beginning(terminals, line[0].text):
            length = self._length(name, line)
            if length > longest:
                longest, best = length, [name]
            elif length == longest:
                best.append(name)
        if not best:
            return None
        if len(best) == 1 and line[0].text not in ELIDED:
            return Found(longest, (best[0],))
        exact = [name for name in best if _is_exact(name, line)]
        if line[0].text in ELIDED and (line[0].is_elided or not exact):
            return None  # "all" is no beginning of anything, and "all'" is "to the"
        bold = [name for name in best if name.terminal not in self._low_priority]
        return Found(longest, _distinct(exact or bold or best))

    def _beginning(self, terminals: Iterable[str], text: str) -> list[Name]:
        """The names of these kinds that may begin with that token; kinds are many, and few have any."""
        begun = self._begun(text)
        return [name for kind in terminals if kind in begun for name in begun[kind]] if begun else []

    def _all_beginning(self, text: str) -> Mapping[str, Names]:
        """All of them, by kind."""
        letters = text[:2] if "_" not in text[:2] else text[:1]
        if (alike := self._alike.get(letters)) is None:
            kinds = self._listed.items()
            alike = {kind: listed.by_letters[letters] for kind, listed in kinds if letters in listed.by_letters}
            if not alike:
                return {}
            self._alike[letters] = alike
        if "_" in text:
            return alike
        begun = (
            (kind, tuple(name for name in names if name.parts[0].startswith(text))) for kind, names in alike.items()
        )
        return {kind: names for kind, names in begun if names}

    def name_of(self, name: Name) -> str:
        """What we call what it stands for; what fits a pattern is called as it was written."""
        listed = self._listed.get(name.terminal, NONE)
        return listed.called.get(name.id, name.written)

    def words(self, terminals: Iterable[str]) -> frozenset[str]:
        """The first words of all names of these kinds, as they are compared."""
        return frozenset(name.parts[0] for t in terminals for name in self._listed.get(t, NONE).names)

    def _length(self, name: Name, line: Sequence[Token]) -> int:
        """How many tokens it takes; a number at its end may count the things behind it instead.

        Of a phrase that orders something every word is there, shortened or not: "I'm" is no beginning of "I'm done".
        """
        length = _match(name.parts, line)
        if length < len(name.parts) and name.terminal.startswith("K_"):
            return 0
        if length < 2 or line[length - 1].kind != "NUMBER" or line[length - 2].kind == "TO":  # C-5 is one name
            return length
        rest = line[length:]
        return length - 1 if rest and self.find(rest, self._counted) else length

    def is_listed(self, line: Sequence[Token], terminals: Iterable[str]) -> bool:
        """Does the line begin with a name written out in full?"""
        found = self.find(line, terminals)
        return found is not None and _is_exact(found.names[0], line)

    def nearest(self, text: str, terminals: Iterable[str]) -> tuple[str, ...]:
        """Names that the writer may have meant, nearest first; only ever a suggestion."""
        return self._near(fold(text), tuple(terminals)) if len(text) <= LONGEST else ()

    def _nearest(self, text: str, terminals: tuple[str, ...]) -> tuple[str, ...]:
        if text in FILLERS:
            return ()
        names = [(word, name) for t in terminals for name in self._listed.get(t, NONE).names for word in _words(name)]
        found = (names[place][1] for place in near(text, [word for word, _ in names]))
        return tuple(dict.fromkeys(self.name_of(name) for name in found))[:3]


Names = tuple[Name, ...]


class Listed(NamedTuple):
    """The names of one kind; the same by their first letter and by their first two; those of one word."""

    names: Names
    by_letters: Mapping[str, Names]
    single: frozenset[str]
    called: Mapping[str, str]  # what each thing of that kind is called, by its id
    longest: int  # parts of a name


NONE = Listed((), {}, frozenset(), {}, 0)


def _words(name: Name) -> Iterable[str]:
    """What somebody may have mistyped who means it: of a name also one of its words, of a phrase the whole alone."""
    if name.terminal.startswith("K_"):
        return (" ".join(name.parts),)
    return dict.fromkeys((" ".join(name.parts).replace(" - ", "-"), *name.parts))


@lru_cache(KINDS)
def _listed(terminal: str, table: tuple[tuple[str, Ways], ...]) -> Listed:
    """All tables have them but for the seats."""
    spelled = [(id_, way, spelling) for id_, ways in table for way in ways for spelling in _spellings(way)]
    names = tuple(dict.fromkeys(Name(_parts(spelling), terminal, id_, way) for id_, way, spelling in spelled))
    by_letters: dict[str, list[Name]] = {}
    for name in names:
        for letters in dict.fromkeys((name.parts[0][:1], name.parts[0][:2])):
            by_letters.setdefault(letters, []).append(name)
    single = frozenset(name.parts[0] for name in names if len(name.parts) == 1)
    called: dict[str, str] = {}
    for name in names:
        called.setdefault(name.id, name.written)
    longest = max((len(name.parts) for name in names), default=0)
    return Listed(names, {letters: tuple(found) for letters, found in by_letters.items()}, single, called, longest)


def _spellings(way: str) -> tuple[str, ...]:
    """ö is written ö, o or oe."""
    composed = unicodedata.normalize("NFC", way)
    return tuple(dict.fromkeys((composed, composed.translate(_UMLAUTS))))


def _parts(spelling: str) -> tuple[str, ...]:
    return tuple("-" if token.kind == "TO" else token.text for token in tokenize(spelling, 1))


def _match(parts: Sequence[str], line: Sequence[Token]) -> int:
    """How many tokens of the line are a beginning of this name, each word of it shortened at will."""
    length = 0
    for part, token in zip(parts, line, strict=False):
        if part == "-" and token.kind == "TO" and length + 1 < len(line) and len(parts) > length + 1:
            following = line[length + 1]
            if following.kind not in ("WORD", "NUMBER") or not parts[length + 1].startswith(following.text):
                break
        elif part in _SIGNS and token.text == part:  # T&S
            pass
        elif token.kind not in ("WORD", "NUMBER") or not _begins(part, token.text):
            break
        length += 1
    return length


def _begins(part: str, text: str) -> bool:
    """Is this the beginning of that word? The words of an id may each be shortened, too: w_med, prod_2."""
    if "_" not in text:
        return part.startswith(text)
    written, full = text.split("_"), part.split("_")
    return len(written) <= len(full) and all(f.startswith(w) for w, f in zip(written, full, strict=False))


def _is_exact(name: Name, line: Sequence[Token]) -> bool:
    if len(line) < len(name.parts):
        return False
    for part, token in zip(name.parts, line, strict=False):
        if part != token.text and not (part == "-" and token.kind == "TO"):
            return False
    return True


def _distinct(names: Iterable[Name]) -> tuple[Name, ...]:
    """One name of each thing; what begins several that begin alike is the one that all of them begin with."""
    found = tuple({(name.terminal, name.id): name for name in reversed([*names])}.values())[::-1]
    plain = (n for n in found if all(o.terminal == n.terminal and o.id.startswith(n.id) for o in found))
    shortest = next(plain, None)
    return found if shortest is None else (shortest,)
