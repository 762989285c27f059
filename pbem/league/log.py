"""The log of a season: acts, chained by their digests as the entries of games are; a season is their fold."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec
from msgspec import Struct

from pbem.core import log as chained
from pbem.core.log import START, BrokenLink
from pbem.league.acts import Act, Rewound, Withheld

OPERATOR, CLOCK = "operator", "clock"


def organiser(name: str) -> str:
    return f"organiser {name}"


def player(person: int) -> str:
    return f"player {person}"


class Entry(Struct, frozen=True, kw_only=True):
    """One act; A-41 is the one whose `seq` is 41."""

    seq: int
    at: int  # seconds UTC
    by: str  # operator, organiser NAME, player N, clock
    via: str | None = None  # the mark of the letter that brought it, never its writer
    act: Act
    prev: str = START
    hash: str = ""

    @property
    def rewind_to(self) -> int | None:
        return self.act.to if isinstance(self.act, Rewound) else None


def behind(last: Entry | None, at: int, by: str, act: Act, via: str | None = None) -> Entry:
    """The entry behind the last one, with its digest; its instant is never before that one's."""
    if last is None:
        return chained.seal(Entry(seq=0, at=at, by=by, via=via, act=act))
    return chained.seal(Entry(seq=last.seq + 1, at=max(at, last.at), by=by, via=via, act=act, prev=last.hash))


def written(entry: Entry) -> bytes:
    return chained.write(entry)


def read(raws: Iterable[bytes], last: Entry | None = None) -> list[Entry]:
    """The entries of one chain, behind `last`.

    Raises `BrokenLink` for one that is not what was written in its place, or unknown.
    """
    entries: list[Entry] = []
    for seq, raw in enumerate(raws, last.seq + 1 if last else 0):
        before = entries[-1] if entries else last
        chained.check_link(raw, seq, before.hash if before else START)
        entry = _withheld(raw, before) if chained.is_digest(raw) else _decoded(raw)
        if before and entry.at < before.at:
            raise BrokenLink("it is earlier than the entry before it")
        entries.append(entry)
    return entries


def _decoded(raw: bytes) -> Entry:
    try:
        return _DECODER.decode(raw)
    except msgspec.ValidationError as unknown:
        raise BrokenLink(f"it holds an act that is not known: {unknown}") from None


def _withheld(raw: bytes, before: Entry | None) -> Entry:
    """A vote that is told when its petition is decided, not before; nor by whom it is, or when it came."""
    try:
        link = _LINK.decode(raw)
    except msgspec.ValidationError:
        raise BrokenLink("it does not follow the entry before it: the chain is broken") from None
    at = before.at if before else 0
    return Entry(seq=link.seq, at=at, by=CLOCK, act=Withheld(), prev=link.prev, hash=link.hash)


class _Link(Struct, frozen=True, kw_only=True):
    """What is published of such an entry."""

    seq: int
    prev: str
    hash: str


def live(entries: Iterable[Entry]) -> list[Entry]:
    """Without what was taken back."""
    return chained.live(entries)


_DECODER, _LINK = msgspec.json.Decoder(Entry), msgspec.json.Decoder(_Link)
