"""Fetching letters over IMAP (RFC 3501 section 6.4.5): what they are like first, then what they say."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from itertools import islice
from typing import TypeVar

from imapclient import IMAPClient
from imapclient.exceptions import IMAPClientAbortError, IMAPClientError, ProtocolError
from msgspec import Struct

from pbem.host.ports import RawLetter

T = TypeVar("T")

_SIZE = "RFC822.SIZE"
_FACTS = (_SIZE, "INTERNALDATE")
_WHOLE, _HEAD = b"BODY[]<0>", b"BODY[HEADER]<0>"
_LIST = 500  # letters whose facts are asked for in one line; servers take lines of 8000 bytes (RFC 7162 section 4)


class Slip(Struct, frozen=True):
    """What is known of a letter before it is fetched."""

    uid: int
    uidvalidity: int
    arrived: int
    size: int


def slips(client: IMAPClient, uidvalidity: int, apart: Collection[int]) -> list[Slip]:
    """What lies in the folder that is selected, apart from these UIDs, by filing time, then UID."""
    uids = [uid for uid in client.search("ALL") if uid not in apart]
    found = [_slip(uidvalidity, each) for some in parted(uids, _LIST) for each in client.fetch(some, _FACTS).items()]
    return sorted((slip for slip in found if slip), key=lambda slip: (slip.arrived, slip.uid))


def those_there(client: IMAPClient, letters: Iterable[RawLetter]) -> set[Slip]:
    """Which still are those letters, by their size? A UID may be another's, against RFC 3501 section 2.3.1.1."""
    wanted = {letter.uid: slip_of(letter) for letter in letters}
    found = client.fetch([*wanted], _SIZE).items() if wanted else ()
    return {wanted[uid] for uid, facts in found if uid in wanted and facts.get(_SIZE.encode()) == wanted[uid].size}


def fetch(client: IMAPClient, wanted: Sequence[Slip], longest: int) -> list[RawLetter]:
    """These letters, or what is left of them: what has vanished is left out, what is longer comes as its header.

    A letter that the server refuses to hand over does not keep the others.
    """
    try:
        raws = _raws(client, wanted, longest)
    except (IMAPClientAbortError, ProtocolError):  # the connection is of no use any more
        raise
    except IMAPClientError:
        if len(wanted) == 1:
            return [unreadable(wanted[0])]
        return [letter for slip in wanted for letter in fetch(client, [slip], longest)]
    return [_letter(slip, raws[slip.uid], longest) for slip in wanted if slip.uid in raws]


def heads(client: IMAPClient, wanted: Sequence[Slip], longest: int) -> list[RawLetter]:
    """The headers of these letters, of those that are still there."""
    found = client.fetch([slip.uid for slip in wanted], [f"BODY.PEEK[HEADER]<0.{longest}>"]) if wanted else {}
    raws = {uid: part[_HEAD] for uid, part in found.items() if part.get(_HEAD) is not None}
    return [
        RawLetter(uid=each.uid, uidvalidity=each.uidvalidity, arrived=each.arrived, raw=raws[each.uid], size=each.size)
        for each in wanted
        if each.uid in raws
    ]


def slip_of(letter: RawLetter) -> Slip:
    """What was known of it before it was fetched."""
    return Slip(letter.uid, letter.uidvalidity, letter.arrived, letter.size)


def unreadable(slip: Slip) -> RawLetter:
    """In the place of a letter that its own server can't hand over; without a sender it is kept for a person."""
    raw = f"X-PBEM-Unreadable: letter {slip.uid} of {slip.uidvalidity}, {slip.size} bytes\r\n\r\n".encode()
    return RawLetter(uid=slip.uid, uidvalidity=slip.uidvalidity, arrived=slip.arrived, raw=raw, size=slip.size)


def parted(things: Sequence[T], size: int) -> Iterator[list[T]]:
    """The things in lists of so many."""
    rest = iter(things)
    while some := list(islice(rest, size)):
        yield some


def _slip(uidvalidity: int, found: tuple[int, Mapping[bytes, object]]) -> Slip | None:
    """None when the server tells nothing of it, because it has vanished.

    Without a date it counts as filed before everything else: the one that the server forgot is not the writer's fault.
    """
    uid, facts = found
    size, arrived = (facts.get(name.encode()) for name in _FACTS)
    if not isinstance(size, int):
        return None
    return Slip(uid, uidvalidity, int(arrived.timestamp()) if isinstance(arrived, datetime) else 0, size)


def _raws(client: IMAPClient, wanted: Sequence[Slip], longest: int) -> dict[int, bytes]:
    """Their bytes by UID; of a letter that is too long those of its header."""
    whole = [slip.uid for slip in wanted if slip.size <= longest]
    heads = [slip.uid for slip in wanted if slip.size > longest]
    found = {
        **client.fetch(whole, [f"BODY.PEEK[]<0.{longest + 1}>"]),
        **client.fetch(heads, [f"BODY.PEEK[HEADER]<0.{longest}>"]),
    }
    raws = {uid: next((part[key] for key in (_WHOLE, _HEAD) if key in part), None) for uid, part in found.items()}
    return {uid: raw for uid, raw in raws.items() if raw is not None}


def _letter(slip: Slip, raw: bytes, longest: int) -> RawLetter:
    """The size that a server tells may be wrong."""
    cut = longest if max(slip.size, len(raw)) > longest else None
    return RawLetter(
        uid=slip.uid,
        uidvalidity=slip.uidvalidity,
        arrived=slip.arrived,
        raw=raw if cut is None else raw.partition(b"\r\n\r\n")[0] + b"\r\n\r\n",
        size=slip.size,
        cut=cut,
    )
