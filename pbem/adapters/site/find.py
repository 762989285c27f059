"""The words of a game's turns: small indexes that the page searches by itself, whole or by beginnings of words.

They are scripts: a page that was opened as a file may read no other file, but run it.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Mapping
from typing import TypeVar

import msgspec
from msgspec import Struct

from pbem.adapters.site.files import Folder

_WORD = re.compile(r"[^\W_]+")


class Index(Struct, frozen=True, kw_only=True):
    """Of a game: titles and texts by turn, and in which turns each word stands."""

    titles: Mapping[str, str] = {}
    texts: Mapping[str, str] = {}
    words: Mapping[str, tuple[int, ...]] = {}


class PageIndex(Index, frozen=True, kw_only=True):
    """Of pages that are no turns, by their place among these paths."""

    paths: tuple[str, ...] = ()


class Vocabulary(Struct, frozen=True, kw_only=True):
    """Of a list of games: in which of them each word stands."""

    games: tuple[str, ...] = ()
    words: Mapping[str, tuple[int, ...]] = {}


T = TypeVar("T", Index, PageIndex, Vocabulary)


def kept(folder: Folder, path: str, kind: type[T]) -> T:
    """An index that was put there; an empty one where there is none that we can read."""
    raw = folder.read(path) or b""
    try:
        return msgspec.json.decode(raw[raw.index(b"{") : raw.rindex(b")")], type=kind)
    except (ValueError, msgspec.MsgspecError):
        return kind()


def keep(folder: Folder, path: str, name: str, value: object) -> None:
    """As a script that tells the page a value by its name."""
    folder.write(path, b"known(%s, %s);\n" % (msgspec.json.encode(name), msgspec.json.encode(value)))


def widened(vocabulary: Vocabulary, game: str, words: Iterable[str]) -> Vocabulary:
    """With the words that a game has now."""
    games = vocabulary.games if game in vocabulary.games else (*vocabulary.games, game)
    place = games.index(game)
    where = {word: {each for each in known if each != place} for word, known in vocabulary.words.items()}
    for word in words:
        where.setdefault(word, set()).add(place)
    return Vocabulary(games=games, words={word: tuple(sorted(each)) for word, each in sorted(where.items()) if each})


def of_pages(pages: Iterable[tuple[str, str, str]]) -> PageIndex:
    """The index of pages that are no turns: path, title and text of each."""
    told = [*pages]
    index = renewed(Index(), 0, ((number, title, text) for number, (_, title, text) in enumerate(told)))
    return PageIndex(
        titles=index.titles, texts=index.texts, words=index.words, paths=tuple(path for path, _, _ in told)
    )


def words_of(text: str) -> set[str]:
    """The words of a text as site.js folds them: without accents, in lower case; bare numbers are left out."""
    plain = "".join(c for c in unicodedata.normalize("NFKD", text) if not "\u0300" <= c <= "\u036f")
    return {word for word in _WORD.findall(plain.lower().replace("ß", "ss")) if len(word) > 1 and not word.isdigit()}


def renewed(index: Index, kept: int, turns: Iterable[tuple[int, str, str]]) -> Index:
    """The index with what follows the turns that stay: number, title and text of each."""
    titles, texts = ({n: t for n, t in known.items() if int(n) < kept} for known in (index.titles, index.texts))
    words = {word: [turn for turn in where if turn < kept] for word, where in index.words.items()}
    for number, title, text in turns:
        titles[str(number)], texts[str(number)] = title, text
        for word in sorted(words_of(text)):
            words.setdefault(word, []).append(number)
    known = {word: tuple(where) for word, where in sorted(words.items()) if where}
    return Index(titles=titles, texts=texts, words=known)
