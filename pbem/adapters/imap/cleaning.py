"""Taking letters out of a folder for good: when their time is over, or when their writer wants to be forgotten.

Whoever looks after the mailbox may keep other letters in the same folder: those stay.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

from imapclient import IMAPClient

from pbem.adapters.imap.letters import parted
from pbem.adapters.mime import headers, people
from pbem.adapters.mime.parts import headers_alone

_BATCH = 50  # headers in one FETCH
_HEAD, _WHOLE = "BODY.PEEK[HEADER]", "BODY.PEEK[]"

Known = Callable[[str], bool]  # has a letter with this id been dealt with?


def old(client: IMAPClient, before: int, apart: Collection[int], most: int) -> list[int]:
    """Of the first so many letters in the folder that is selected, but for these UIDs, those filed before the instant.

    SEARCH knows only days, of whose zone the server alone knows (RFC 3501 section 6.4.4), so the dates are looked at.
    """
    day = datetime.fromtimestamp(before, UTC).date() + timedelta(days=2)
    uids = sorted(uid for uid in client.search(["BEFORE", day]) if uid not in apart)[:most]
    dates = {uid: facts.get(b"INTERNALDATE") for uid, facts in _fetched(client, uids, "INTERNALDATE")}
    return [uid for uid, date in dates.items() if isinstance(date, datetime) and date.timestamp() < before]


def dealt_with(client: IMAPClient, uids: Collection[int], known: Known) -> list[int]:
    """Those of them that we have dealt with."""
    nameless, found = [], []
    for uid, facts in _fetched(client, uids, _HEAD):
        name = _name(facts.get(b"BODY[HEADER]", b""))
        if name.startswith("sha256:"):
            nameless.append(uid)
        elif known(name):
            found.append(uid)
    whole = ((uid, facts.get(b"BODY[]", b"")) for uid, facts in _fetched(client, nameless, _WHOLE))
    return [*found, *(uid for uid, raw in whole if known(_name(raw)))]


def written_by(client: IMAPClient, address: str) -> list[int]:
    """What comes from that address, in the folder that is selected."""
    wanted = address.lower()
    facts = _fetched(client, client.search(["FROM", address]), _HEAD)  # which also finds parts of addresses
    senders = ((uid, people.sender(headers_alone(each.get(b"BODY[HEADER]", b"")))[0]) for uid, each in facts)
    return [uid for uid, sender in senders if sender.lower() == wanted]


def take_out(client: IMAPClient, uids: Collection[int]) -> int:
    """Delete them; how many they were."""
    for some in parted([*uids], _BATCH):
        client.delete_messages(some, silent=True)
        if client.has_capability("UIDPLUS"):
            client.uid_expunge(some)
    if uids and not client.has_capability("UIDPLUS"):
        client.expunge()  # whatever else is marked as deleted goes, too
    return len(uids)


def _name(raw: bytes) -> str:
    return headers.identity(headers_alone(raw), raw)


def _fetched(client: IMAPClient, uids: Collection[int], what: str) -> Iterator[tuple[int, dict[bytes, Any]]]:
    for some in parted([*uids], _BATCH):
        yield from client.fetch(some, [what]).items()
