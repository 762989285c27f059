"""Ids of rows of the outbox, unique whatever is posted: no letter can ask for what can't be written down."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator

from msgspec.structs import replace

from pbem.host.ports import OutboxRow

ANSWER = "answer."  # before the id of an answer to a letter
AGAIN = "+"  # stands in no name of an occasion


def numbered(rows: Iterable[OutboxRow], is_taken: Callable[[str], bool]) -> Iterator[OutboxRow]:
    """The rows, each under an id that nobody has: the second of one occasion with "+2" behind it, and so on."""
    given: set[str] = set()
    for row in rows:
        id_ = _free(row.id, lambda id_: id_ in given or is_taken(id_))
        given.add(id_)
        yield row if id_ == row.id else replace(row, id=id_)


def _free(id_: str, is_taken: Callable[[str], bool]) -> str:
    """The first that is free. All before it are taken, so that halving finds it."""
    if not is_taken(id_):
        return id_
    high = 2
    while is_taken(f"{id_}{AGAIN}{high}"):
        high *= 2
    number = bisect_left(range(high), True, lo=2, key=lambda n: not is_taken(f"{id_}{AGAIN}{n}"))
    return f"{id_}{AGAIN}{number}"
