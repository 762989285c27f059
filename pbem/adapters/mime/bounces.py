"""What a report says of the letter of ours that it brings back (RFC 3464, RFC 5965, and what was before them).

All of it is hearsay, for anybody can write such a report, until the tickets in it show that it brings back a letter of
ours. What stands in the returned letter is nobody's orders.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Iterable, Iterator, Sequence
from email import message_from_bytes
from email.message import Message
from functools import partial
from itertools import islice

from flufl.bounce import all_failures

from pbem.adapters.mime import headers, people
from pbem.adapters.mime.parts import content_of, headers_alone, kind_of, told
from pbem.adapters.mime.text import decode
from pbem.host.ports import Bounce, Fate
from pbem.host.session.identity import TICKET

_MOST_PARTS = 50  # that are looked at
_MOST_BYTES = 300_000  # of a report; the library goes over its text a hundred times
_MESSAGE_ID = re.compile(r"^[>\s]*message-id:\s*(<[^<>\s]+>)", re.IGNORECASE | re.MULTILINE)
_SMTP = re.compile(r"\b([45])(?:\d\d[ -]|\.\d{1,3}\.\d{1,3}\b)")  # RFC 5321 section 4.2, RFC 3463 section 2

_TICKET = re.compile(rf"\b{TICKET.pattern}\b", re.IGNORECASE)
_MOST_TICKETS = 20

# The library logs what it then raises; a report that it can't read is no fault of ours.
logging.getLogger("flufl.bounce").setLevel(logging.CRITICAL)


def complaint(message: Message) -> Bounce:
    """Somebody has called a letter of ours spam (RFC 5965)."""
    parts = _parts(message)
    blamed = _addresses(_held(parts, "message/feedback-report"), "original-rcpt-to") or _addresses(
        _returned(parts), "to"
    )
    return Bounce(fate="complaint", addresses=blamed, original=_original(message, parts), tickets=_tickets(parts))


def bounce(message: Message, raw: bytes) -> Bounce | None:
    """A letter of ours that did not arrive, or is late; None if it arrived, or nothing is said of any letter."""
    parts = _parts(message)
    blocks = _held(parts, "message/delivery-status")  # one about the letter, then one for each recipient
    lost = [block for block in blocks if _action(block).startswith(("fail", "error"))]  # error: OpenSMTPD
    late = [block for block in blocks if _action(block).startswith("delay")]
    if lost or late:
        addresses = _addresses(lost or late, "original-recipient", "final-recipient")
        fate = _fate_by_status(lost) if lost else "delayed"
    elif any(map(_action, blocks)):
        return None
    else:
        fate, addresses = _heard(parts, raw)
    original = _original(message, parts)
    if not addresses and not original:
        return None
    return Bounce(fate=fate, addresses=addresses, original=original, tickets=_tickets(parts))


def _parts(message: Message) -> list[Message]:
    return list(islice(message.walk(), _MOST_PARTS))


def _held(parts: Iterable[Message], kind: str) -> list[Message]:
    """What stands in the parts of that kind, read as header fields."""
    holding = (part for part in parts if kind_of(part) == kind and part.is_multipart())
    return [block for part in holding for block in part.get_payload() if isinstance(block, Message)]


def _action(block: Message) -> str:
    return headers.value(block, "action").lower()


def _addresses(blocks: Iterable[Message], *names: str) -> tuple[str, ...]:
    """The addresses in those fields; "rfc822;" before one is taken for a group's name and does no harm."""
    return tuple(dict.fromkeys(each for block in blocks for name in names for each in people.addresses(block, name)))


def _fate_by_status(blocks: Iterable[Message]) -> Fate:
    """RFC 3463 section 2: 5 for ever, 4 for as long as anybody tried."""
    statuses = [headers.value(block, "status") for block in blocks]
    return "expired" if statuses and all(status.startswith("4") for status in statuses) else "refused"


def _heard(parts: Sequence[Message], raw: bytes) -> tuple[Fate, tuple[str, ...]]:
    """What reports without RFC 3464 say, as far as the library knows their makers."""
    nobody: tuple[frozenset[bytes], frozenset[bytes]] = (frozenset(), frozenset())
    known = told(partial(_failures, raw), nobody) if len(raw) <= _MOST_BYTES else nobody
    temporary, permanent = (tuple(sorted(one.decode("ascii") for one in some if one)) for some in known)
    if temporary and not permanent:
        return "delayed", temporary
    code = next((found[1] for text in _texts(parts) if (found := _SMTP.search(text))), "5")
    return "expired" if code == "4" else "refused", permanent


def _failures(raw: bytes) -> tuple[frozenset[bytes], frozenset[bytes]]:
    return all_failures(message_from_bytes(raw))


def _original(message: Message, parts: Sequence[Message]) -> str | None:
    """The Message-ID of the letter, from its copy, else from what the report says of itself."""
    ids = [headers.value(returned, "message-id") for returned in _returned(parts)]
    ids += [found[1] for text in _texts(parts) if (found := _MESSAGE_ID.search(text))]
    ids += headers.references(message)[-1:]
    return next(filter(None, ids), None)


def _tickets(parts: Sequence[Message]) -> tuple[str, ...]:
    """What looks like one in the header of the letter, or in the report where that has the letter as text."""
    heads = [decoded for returned in _returned(parts) for decoded in _heads(returned)]
    found = (each[0].lower() for text in (*heads, *_texts(parts)) for each in _TICKET.finditer(text))
    return tuple(islice(dict.fromkeys(found), _MOST_TICKETS))


def _heads(returned: Message) -> Iterator[str]:
    yield from headers.values(returned, "reply-to")
    yield headers.decoded(returned, "subject")


def _returned(parts: Sequence[Message]) -> Iterator[Message]:
    """The copies of letters, or of their headers alone."""
    yield from _held(parts, "message/rfc822")
    for part in parts:
        if kind_of(part) == "text/rfc822-headers":
            yield headers_alone(content_of(part))


def _texts(parts: Sequence[Message]) -> Iterator[str]:
    for part in parts:
        if kind_of(part) == "text/plain":
            yield decode(content_of(part)[:_MOST_BYTES], told(part.get_content_charset, None))
