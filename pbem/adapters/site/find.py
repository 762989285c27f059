"""The words of a game's turns: a small index that the page searches by itself, whole or by beginnings of words."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Mapping

from msgspec import Struct

_WORD = re.compile(r"[^\W_]+")


class Index(Struct, frozen=True, kw_only=True):
    """`search.json`: titles by turn, and in which turns each word stands."""

    titles: Mapping[str, str] = {}
    words: Mapping[str, tuple[int, ...]] = {}


def words_of(text: str) -> set[str]:
    """The words of a text as site.js folds them: without accents, in lower case; bare numbers are left out."""
    plain = "".join(c for c in unicodedata.normalize("NFKD", text) if not "\u0300" <= c <= "\u036f")
    return {word for word in _WORD.findall(plain.lower()) if len(word) > 1 and not word.isdigit()}


def renewed(index: Index, kept: int, turns: Iterable[tuple[int, str, str]]) -> Index:
    """The index with what follows the turns that stay: number, title and text of each."""
    titles = {number: title for number, title in index.titles.items() if int(number) < kept}
    words = {word: [turn for turn in where if turn < kept] for word, where in index.words.items()}
    for number, title, text in turns:
        titles[str(number)] = title
        for word in sorted(words_of(text)):
            words.setdefault(word, []).append(number)
    return Index(titles=titles, words={word: tuple(where) for word, where in sorted(words.items()) if where})
