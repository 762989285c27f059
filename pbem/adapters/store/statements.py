"""Statements in SQL that SQLite and PostgreSQL both understand, with their parameters by name.

`:name` stands for a value and `IN :name` for several, which are given as a list. `UNLESS_TAKEN` passes over rows that
another worker holds.
"""

from __future__ import annotations

import re
from collections import namedtuple
from collections.abc import Iterator, Mapping, Sequence
from functools import cache, lru_cache
from typing import Any, TypeAlias

Facts: TypeAlias = Mapping[str, Any]
Lengths: TypeAlias = tuple[tuple[str, int], ...]  # of the lists among the facts

UNLESS_TAKEN = "FOR UPDATE SKIP LOCKED"

_MOST_WORDINGS = 1_000
_PARAMETER = re.compile(r"(?<![:\w]):(\w+)")
_TABLE = re.compile(r"\b(?:FROM|JOIN|INTO|UPDATE)\s+(\w+)")
_NONE_OF_THEM = "(SELECT '' WHERE 1 = 0)"  # PostgreSQL takes no empty list


class Found:
    """The rows that a statement found, with their columns by name, or how many it has changed."""

    def __init__(self, rows: Sequence[Any], rowcount: int) -> None:
        self._rows = rows
        self.rowcount = rowcount
        self.made: dict[Any, Any] = {}  # what was made of them

    def __iter__(self) -> Iterator[Any]:
        return iter(self._rows)

    def __len__(self) -> int:
        return len(self._rows)

    def first(self) -> Any:
        """None where there is none."""
        return self._rows[0] if self._rows else None

    def scalars(self) -> list[Any]:
        """The first column."""
        return [row[0] for row in self._rows]

    def scalar(self) -> Any:
        """The first column of the first row; None where there is none."""
        return self._rows[0][0] if self._rows else None


@cache
def row_of(columns: tuple[str, ...]) -> Any:
    """The kind of rows with these columns by name; where an expression has none, `_` and its place."""
    return namedtuple("Row", columns, rename=True)


@cache
def tables_of(text: str) -> frozenset[str]:
    """What it reads or writes."""
    return frozenset(_TABLE.findall(text))


@cache
def only_reads(text: str) -> bool:
    """Would it find the same again, while nothing is written?"""
    return text.startswith("SELECT") and UNLESS_TAKEN not in text


def lengths_of(facts: Facts) -> Lengths:
    return tuple([(name, len(fact)) for name, fact in facts.items() if type(fact) is list])


def plain(facts: Facts, lengths: Lengths) -> Facts:
    """Each value under a name of its own, as a driver takes them, and storable."""
    given = {name: storable(fact) if type(fact) is str else fact for name, fact in facts.items()}
    for name, _ in lengths:
        given.update((f"{name}_{at}", each) for at, each in enumerate(given.pop(name)))
    return given


def storable(text: str) -> str:
    """A hostile letter's subject may hold what no database takes: a lone surrogate, or NUL."""
    if text.isascii() and "\0" not in text:
        return text
    return text.encode("utf-8", "replace").decode().replace("\0", "?")


@lru_cache(_MOST_WORDINGS)
def with_lists(text: str, lengths: Lengths) -> str:
    """With a parameter for each value of a list."""
    for name, length in lengths:
        several = f"({', '.join(f':{name}_{at}' for at in range(length))})" if length else _NONE_OF_THEM
        text = re.sub(rf"(?<=IN ):{name}\b", several, text)
    return text


@lru_cache(_MOST_WORDINGS)
def with_percents(text: str) -> str:
    """As psycopg names parameters."""
    return _PARAMETER.sub(r"%(\1)s", text.replace("%", "%%"))
