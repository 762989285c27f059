"""Words that may be slips of others: what was written is near to what was meant, and begins like it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from rapidfuzz import process
from rapidfuzz.distance import OSA

from pbem.language.tokens import fold

SHORTEST = 4  # letters of a word that may be a slip of another
SHORT = 5  # letters up to which a wrong one makes another word
LONG = 8  # letters from which there may be two slips in it
FIRST = 4  # words of a line that say what it is
MOST = 20  # lines that one may be meant for
_WORD = re.compile(r"[^\W\d_]+")


def near(text: str, words: Sequence[str]) -> list[int]:
    """The places of the words that may have been meant, the nearest first; all are folded."""
    if len(text) < SHORTEST:
        return []
    found = process.extract(text, words, scorer=OSA.distance, score_cutoff=2, limit=None)
    return [place for word, slips, place in found if is_near(text, word, int(slips))]


def is_near(text: str, word: str, slips: int) -> bool:
    """May the one be meant by the other? What begins differently is another word."""
    if len(word) < SHORTEST or (text[0] != word[0] and sorted(text[:2]) != sorted(word[:2])):
        return False
    if len(word) <= SHORT:
        return slips < 2 and (len(text) != len(word) or sorted(text) == sorted(word))
    return slips <= (2 if len(word) >= LONG else 1)


def respelled(line: str, known: Iterable[str]) -> Iterator[Sequence[str]]:
    """The lines with one of its first words put right, then those with two; behind a colon all is left as it is."""
    ways = [*dict.fromkeys(known)]
    folded = [fold(way) for way in ways]
    found = [*_WORD.finditer(line.partition(":")[0])][:FIRST]
    meant = [(each, near(fold(each[0]), folded)) for each in found if fold(each[0]) not in folded]
    one = [(each, ways[place]) for each, places in meant for place in places]
    two = [(a, b) for a in one for b in one if a[0].start() < b[0].start()]
    yield [_put(line, each) for each in one[:MOST]]
    yield [_put(line, *each) for each in two[:MOST]]


def _put(line: str, *words: tuple[re.Match[str], str]) -> str:
    for found, way in reversed(words):
        line = f"{line[: found.start()]}{way}{line[found.end() :]}"
    return line
