"""The log of a game: entries of facts, chained by their digests; the state is their fold."""

from __future__ import annotations

import hashlib
from bisect import bisect_left
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Generic, Protocol, TypeVar

import msgspec
from msgspec import UNSET, Struct, UnsetType

from pbem.core.chance import Draw
from pbem.core.decision import Answer

O = TypeVar("O")
E = TypeVar("E")
S = TypeVar("S")
L = TypeVar("L", bound=Struct)

START = "0" * 64  # what the first entry points back to
SEALED = "P"  # before the number of an entry of which till the end nothing but a digest is published

_encoder = msgspec.json.Encoder(order="sorted")
_decoder = msgspec.json.Decoder()


class _Dated(Struct):
    at: int


_dated = msgspec.json.Decoder(_Dated)


class BrokenLink(Exception):
    """A stored entry is not the one that was written in its place."""


class Cause(Struct, frozen=True, kw_only=True, gc=False):
    """Why an entry was written."""

    kind: str  # opening given letter moderator advance standing lapse draft bot act stop
    letter: str | None = None  # names the letter that brought it, but not its writer: logs are published


class Veil(Struct, frozen=True, kw_only=True, gc=False):
    """What of an entry not all may know: till the end it is published without that, and with a digest of it.

    In a game with secrets each entry has one, for which of them have something to hide would tell, too.
    """

    salt: str  # that nobody can guess: else whatever fits the digest would be found by trying
    whole: bool = False  # all of it, with the order
    events: tuple[int, ...] = ()  # by their places
    draws: tuple[int, ...] = ()

    @property
    def hides(self) -> bool:
        return self.whole or bool(self.events or self.draws)


class Entry(Struct, Generic[O, E], frozen=True, kw_only=True, gc=False):
    """One step of a game: what was answered, drawn, and what happened of it."""

    seq: int
    at: int  # when it took effect, seconds UTC
    cause: Cause
    answers: tuple[Answer[O], ...] = ()
    draws: tuple[Draw, ...] = ()
    events: tuple[E, ...] = ()
    rules_version: str
    rewind_to: int | None = None  # take back every entry above this number
    act: Mapping[str, Any] | None = None  # what was done beside the orders, in the host's words; no rule reads it
    veil: Veil | UnsetType = UNSET
    number: str | UnsetType = UNSET  # where sealed ones count apart; older programs counted all alike
    prev: str = START
    hash: str = ""

    @property
    def called(self) -> str:
        """The number by which others know it, and by which its lots are drawn."""
        return str(self.seq) if self.number is UNSET else self.number

    @property
    def counts_apart(self) -> bool:
        return self.called.startswith(SEALED)


class Count(Struct, frozen=True, kw_only=True, gc=False):
    """The numbers that entries have had: those of sealed ones apart, so that the others don't tell how many they are.

    They go on after a rewinding, so that no two entries are called alike.
    """

    last: int = -1  # of those that are not sealed
    sealed: tuple[int, ...] = ()  # the places in the log of those that are

    def next(self, *, sealed: bool = False) -> str:
        return f"{SEALED}{len(self.sealed) + 1}" if sealed else str(self.last + 1)

    def after(self, entry: Entry[Any, Any]) -> Count:
        if entry.counts_apart:
            return Count(last=self.last, sealed=(*self.sealed, entry.seq))
        return Count(last=int(entry.called), sealed=self.sealed)

    def place(self, number: int) -> int:
        """Where in the log the entry of that number stands; behind its end for one that has not been written."""
        for sealed in self.sealed:
            number += sealed <= number
        return number

    def number(self, place: int) -> int:
        """Of the entry that stands there, which is none of the sealed ones."""
        return place - bisect_left(self.sealed, place)


class Happened(Struct, Generic[E], frozen=True, kw_only=True, gc=False):
    """What of an entry leads from position to position; the rest of it is not even read."""

    seq: int
    events: tuple[E, ...] = ()
    rewind_to: int | None = None


class Link(Protocol):
    """An entry of a log in which entries can be taken back."""

    @property
    def seq(self) -> int: ...

    @property
    def rewind_to(self) -> int | None: ...


K = TypeVar("K", bound=Link)


def seal(entry: L) -> L:
    """The entry with the digest of all that is in it, the previous digest included.

    Of what is veiled its digest stands for it there, so that an entry can be proved without it.
    """
    unsealed = msgspec.structs.replace(entry, hash="")
    has_veil = getattr(entry, "veil", UNSET) is not UNSET
    return msgspec.structs.replace(entry, hash=_hash(_plain(unsealed)) if has_veil else _digest(unsealed))


def write(entry: Struct) -> bytes:
    """The same bytes for the same entry: every key and every set in order; numbers as keys become text."""
    return _sorted(entry)


def entered_at(raw: bytes) -> int:
    """When a stored entry took effect, seconds UTC."""
    return _dated.decode(raw).at


def live(entries: Iterable[K]) -> list[K]:
    """Leave out what was taken back; nothing is deleted from the log itself.

    A rewinding may be taken back in its turn: then what it took back counts again.
    """
    found = list(entries)
    kept: list[K] = []
    place = len(found) - 1
    while place >= 0:
        entry = found[place]
        if entry.rewind_to is None:
            kept.append(entry)
            place -= 1
        else:
            place = entry.rewind_to - found[0].seq
    return kept[::-1]


def fold(state: S, entries: Iterable[Entry[Any, E] | Happened[E]], apply: Callable[[S, E], S]) -> S:
    for entry in live(entries):
        for event in entry.events:
            state = apply(state, event)
    return state


def check_link(raw: bytes, seq: int, prev: str) -> str:
    """The digest of an entry. Raises `BrokenLink` unless it is the one that was written after that one.

    It may be without what is veiled; of a sealed one there may be its digest alone, which the next one vouches for.

    The bytes themselves are looked at, not what today's rules read in them: a field they have more is no forgery.
    """
    try:
        facts = _decoder.decode(raw)
        whole = _sorted(facts) == raw
        digest, place, before = str(facts.get("hash")), facts.get("seq"), facts.get("prev")
    except (msgspec.DecodeError, UnicodeDecodeError, AttributeError):
        raise BrokenLink("it is damaged: it can't be read") from None
    if not whole or (digest != _hash(facts) and not is_digest(raw)):
        raise BrokenLink("it is not what was written: it does not fit its digest")
    if before != prev or (place != seq and not _is_uncounted(facts)):
        raise BrokenLink("it does not follow the entry before it: the chain is broken")
    return digest


def digest_of(raw: bytes) -> bytes:
    """Of a sealed entry: its place in the chain, and its digest, by which its text can be proved."""
    facts = _decoder.decode(raw)
    return _sorted({key: facts[key] for key in _PLACE})


def is_digest(raw: bytes) -> bool:
    """Is it all that is told of a sealed entry, or of several?"""
    try:
        return set(_decoder.decode(raw)) in ({*_PLACE}, {*_LINK})
    except (msgspec.DecodeError, UnicodeDecodeError, TypeError):
        return False


def veiled(raws: Sequence[bytes]) -> list[bytes]:
    """What may be published of entries that follow one another before the end.

    Of sealed ones that count apart, as many as stand together, there is one digest: that of the last, by which all can
    be proved, and not how many they are.
    """
    told: list[bytes] = []
    gap: Mapping[str, Any] | None = None
    for raw in raws:
        facts = _decoder.decode(raw)
        if str(facts.get("number", "")).startswith(SEALED):
            gap = {"prev": gap["prev"] if gap else facts["prev"], "hash": facts["hash"]}
            continue
        told += [_sorted(gap)] if gap else []
        gap = None
        told.append(_sorted(_open(facts)) if "veil" in facts else digest_of(raw))
    return [*told, *([_sorted(gap)] if gap else [])]


def is_veiled(raw: bytes) -> bool:
    """Is it without what is veiled?"""
    try:
        return is_digest(raw) or isinstance(_decoder.decode(raw).get("veil"), str)
    except (msgspec.DecodeError, UnicodeDecodeError, AttributeError):
        return False


def number_of(raw: bytes) -> int | None:
    """The number of a published entry; None of what counts apart."""
    facts = _decoder.decode(raw)
    number = str(facts.get("number", facts.get("seq", "")))
    return int(number) if number.isdecimal() else None


def beginning(raws: Sequence[bytes]) -> int:
    """How many entries there are before the first one that is veiled."""
    return next((seq for seq, raw in enumerate(raws) if is_veiled(raw)), len(raws))


_LINK = ("prev", "hash")  # of an entry in its chain
_PLACE = ("seq", *_LINK)
_COUNTED = ("seq", "rewind_to")  # what tells how many entries there are in all


def _is_uncounted(facts: Mapping[str, Any]) -> bool:
    """Is it without its place among all, since sealed ones count apart?"""
    return "seq" not in facts and (isinstance(facts.get("veil"), str) or set(facts) == {*_LINK})


def _open(facts: Mapping[str, Any]) -> Mapping[str, Any]:
    """An entry without what is veiled, under the digest of that."""
    veil = facts.get("veil")
    if not isinstance(veil, Mapping):
        return facts
    counted = [key for key in _COUNTED if key in facts and "number" in facts]
    if veil["whole"]:
        told = {key: facts[key] for key in (*_PLACE, "number") if key in facts and key not in counted}
        hidden = {key: value for key, value in facts.items() if key not in told}
    else:
        lists = {key: [*enumerate(facts[key])] for key in ("events", "draws")}
        told = {**facts, **{key: [one for n, one in all_ if n not in veil[key]] for key, all_ in lists.items()}}
        hidden = {key: [one for n, one in all_ if n in veil[key]] for key, all_ in lists.items()} | {"veil": veil}
        hidden |= {key: told.pop(key) for key in counted}
    return {**told, "veil": _digest(hidden)}


def _hash(facts: Mapping[str, Any]) -> str:
    return _digest({**_open(facts), "hash": ""})


def _digest(facts: object) -> str:
    return hashlib.sha256(_sorted(facts)).hexdigest()


def _sorted(facts: object) -> bytes:
    try:
        return _encoder.encode(facts)
    except TypeError:  # there are numbers among the keys
        return _encoder.encode(_plain(facts))


def _plain(facts: object) -> Any:
    return msgspec.to_builtins(facts, str_keys=True, order="sorted")
