"""The log of a season: acts, chained by their digests as the entries of games are; a season is their fold."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec
from msgspec import Struct

from pbem.core import log as chained
from pbem.core.log import START, BrokenLink
from pbem.league.acts import Act, Rewound

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
        try:
            entry = _DECODER.decode(raw)
        except msgspec.ValidationError as unknown:
            raise BrokenLink(f"it holds an act that is not known: {unknown}") from None
        if before and entry.at < before.at:
            raise BrokenLink("it is earlier than the entry before it")
        entries.append(entry)
    return entries


def live(entries: Iterable[Entry]) -> list[Entry]:
    """Without what was taken back."""
    return chained.live(entries)


_DECODER = msgspec.json.Decoder(Entry)
