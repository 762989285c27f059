"""The log of a game: entries of facts, chained by their digests; the state is their fold."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Sequence
from typing import Generic, TypeVar

import msgspec
from msgspec import Struct

from pbem.table.chance import Draw
from pbem.table.decision import Answer

O = TypeVar("O")
E = TypeVar("E")
S = TypeVar("S")

START = "0" * 64  # what the first entry points back to

_encoder = msgspec.json.Encoder()


class Cause(Struct, frozen=True, kw_only=True):
    """Why an entry was written."""

    kind: str  # opening given letter advance standing lapse draft
    letter: str | None = None  # the id of the letter that brought it


class Entry(Struct, Generic[O, E], frozen=True, kw_only=True):
    """One step of a game: what was answered, drawn, and what happened of it."""

    seq: int
    at: int  # when it took effect, seconds UTC
    cause: Cause
    answers: tuple[Answer[O], ...] = ()
    draws: tuple[Draw, ...] = ()
    events: tuple[E, ...] = ()
    rules_version: str
    rewind_to: int | None = None  # take back every entry above this number
    prev: str = START
    hash: str = ""


def seal(entry: Entry[O, E]) -> Entry[O, E]:
    """The entry with the digest of all that is in it, the previous digest included."""
    return msgspec.structs.replace(entry, hash=_digest(entry))


def write(entry: Entry[O, E]) -> bytes:
    """The same bytes for the same entry: every key and every set in order; numbers as keys become text."""
    return _encoder.encode(msgspec.to_builtins(entry, str_keys=True, order="sorted"))


def live(entries: Iterable[Entry[O, E]]) -> list[Entry[O, E]]:
    """Leave out what was taken back; nothing is deleted from the log itself."""
    kept: list[Entry[O, E]] = []
    for entry in entries:
        if entry.rewind_to is None:
            kept.append(entry)
        else:
            kept = [e for e in kept if e.seq <= entry.rewind_to]
    return kept


def fold(state: S, entries: Iterable[Entry[O, E]], apply: Callable[[S, E], S]) -> S:
    for entry in live(entries):
        for event in entry.events:
            state = apply(state, event)
    return state


def broken_link(entries: Sequence[Entry[O, E]]) -> int | None:
    """The number of the first entry that is not the one that was written, if any."""
    prev = START
    for place, entry in enumerate(entries):
        if entry.seq != place or entry.prev != prev or entry.hash != _digest(entry):
            return place
        prev = entry.hash
    return None


def _digest(entry: Entry[O, E]) -> str:
    return hashlib.sha256(write(msgspec.structs.replace(entry, hash=""))).hexdigest()
