"""The log of a game: entries of facts, chained by their digests; the state is their fold."""

from __future__ import annotations

import hashlib
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
    prev: str = START
    hash: str = ""


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
    if (place, before) != (seq, prev):
        raise BrokenLink("it does not follow the entry before it: the chain is broken")
    return digest


def digest_of(raw: bytes) -> bytes:
    """Of a sealed entry: its place in the chain, and its digest, by which its text can be proved."""
    facts = _decoder.decode(raw)
    return _sorted({key: facts[key] for key in _PLACE})


def is_digest(raw: bytes) -> bool:
    """Is it all that is told of a sealed entry?"""
    try:
        return set(_decoder.decode(raw)) == {*_PLACE}
    except (msgspec.DecodeError, UnicodeDecodeError, TypeError):
        return False


def veiled(raw: bytes) -> bytes:
    """What may be published of an entry before the end."""
    facts = _decoder.decode(raw)
    return _sorted(_open(facts)) if "veil" in facts else digest_of(raw)


def is_veiled(raw: bytes) -> bool:
    """Is it without what is veiled?"""
    try:
        return is_digest(raw) or isinstance(_decoder.decode(raw).get("veil"), str)
    except (msgspec.DecodeError, UnicodeDecodeError, AttributeError):
        return False


def beginning(raws: Sequence[bytes]) -> int:
    """How many entries there are before the first one that is veiled."""
    return next((seq for seq, raw in enumerate(raws) if is_veiled(raw)), len(raws))


_PLACE = ("seq", "prev", "hash")  # of an entry in its chain


def _open(facts: Mapping[str, Any]) -> Mapping[str, Any]:
    """An entry without what is veiled, under the digest of that."""
    veil = facts.get("veil")
    if not isinstance(veil, Mapping):
        return facts
    if veil["whole"]:
        told = {key: facts[key] for key in _PLACE}
        hidden = {key: value for key, value in facts.items() if key not in _PLACE}
    else:
        lists = {key: [*enumerate(facts[key])] for key in ("events", "draws")}
        told = {**facts, **{key: [one for n, one in all_ if n not in veil[key]] for key, all_ in lists.items()}}
        hidden = {key: [one for n, one in all_ if n in veil[key]] for key, all_ in lists.items()} | {"veil": veil}
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
