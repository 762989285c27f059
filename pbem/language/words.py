"""The words of the language itself, in English, German and Italian: they stand in `words.toml`, subject by subject."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from importlib.resources import files

from msgspec import toml

from pbem.core.languages import LANGUAGES
from pbem.language.tokens import fold

Ways = tuple[str, ...]  # all that may be written for one thing; the first is the one that we use

TABLES = toml.decode(files(__package__).joinpath("words.toml").read_bytes(), type=dict[str, dict[str, Ways]])
LANGUAGE_NAMES: Mapping[str, Ways] = {each: TABLES["languages"][each] for each in LANGUAGES}  # first its own
WORDS = TABLES["keywords"]  # by terminal, whatever the command
ARTICLES, ELIDED, LEADS, CHOICES = (
    frozenset(fold(way) for way in TABLES["prose"][kind]) for kind in ("articles", "elided", "leads", "choices")
)
FILLERS = frozenset(fold(way) for kind in ("fillers", "courtesies") for way in TABLES["prose"][kind])
NUMBERS = {fold(way): number for number, ways in TABLES["numbers"].items() for way in ways}  # said in words
PRESS_WORDS = TABLES["press"]  # around press only: to whom it goes, and where its text ends
HEADS = TABLES["heads"]  # what stands before or between other words
NONE = WORDS["K_NONE"]


def pattern(name: str, **words: Iterable[str]) -> re.Pattern[str]:
    """That of a line, by its name in `words.toml`, with these words in it."""
    return re.compile(_filled(name, words), re.IGNORECASE)


def _filled(name: str, words: Mapping[str, Iterable[str]]) -> str:
    def meant(found: re.Match[str]) -> str:
        ways = words.get(found[1], HEADS.get(found[1]))
        return _filled(found[1], words) if ways is None else either(ways)

    return re.sub(r"%(\w+)%", meant, "".join(TABLES["patterns"][name]))


def either(ways: Iterable[str]) -> str:
    """A pattern of one of them."""
    return f"(?:{'|'.join(map(re.escape, ways))})"
