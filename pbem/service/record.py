"""Where a game under way is kept: its log, its papers and its slots, in the books or in memory."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

from pbem.service.ports import Books, Paper, Slot
from pbem.table.log import Entry, write


class Record(Protocol):
    def append(self, entry: Entry[Any, Any]) -> None: ...
    def papers(self) -> Sequence[Paper]: ...
    def file(self, paper: Paper) -> None: ...
    def discard(self, paper: Paper) -> None: ...
    def slots(self) -> Sequence[Slot]: ...
    def put_slot(self, slot: Slot) -> None: ...
    def close_slot(self, key: str) -> None: ...


class Notebook:
    """A record in memory: for play files and for trying things out."""

    def __init__(self) -> None:
        self.entries: list[Entry[Any, Any]] = []
        self._papers: dict[tuple[str, str, str], Paper] = {}
        self._slots: dict[str, Slot] = {}

    def append(self, entry: Entry[Any, Any]) -> None:
        self.entries.append(entry)

    def papers(self) -> Sequence[Paper]:
        return tuple(self._papers.values())

    def file(self, paper: Paper) -> None:
        self._papers[paper.seat, paper.kind, paper.key] = paper

    def discard(self, paper: Paper) -> None:
        self._papers.pop((paper.seat, paper.kind, paper.key), None)

    def slots(self) -> Sequence[Slot]:
        return tuple(self._slots.values())

    def put_slot(self, slot: Slot) -> None:
        self._slots[slot.key] = slot

    def close_slot(self, key: str) -> None:
        self._slots.pop(key, None)


class BookRecord:
    """One game's part of the books."""

    def __init__(self, books: Books, game: str) -> None:
        self._books = books
        self._game = game
        self.entries: list[Entry[Any, Any]] = []  # those appended in this transaction

    def append(self, entry: Entry[Any, Any]) -> None:
        self._books.append(self._game, entry.seq, write(entry))
        self.entries.append(entry)

    def papers(self) -> Sequence[Paper]:
        return self._books.papers(self._game)

    def file(self, paper: Paper) -> None:
        self._books.file(self._game, paper)

    def discard(self, paper: Paper) -> None:
        self._books.discard(self._game, paper)

    def slots(self) -> Sequence[Slot]:
        return self._books.slots(self._game)

    def put_slot(self, slot: Slot) -> None:
        self._books.put_slot(self._game, slot)

    def close_slot(self, key: str) -> None:
        self._books.close_slot(self._game, key)
