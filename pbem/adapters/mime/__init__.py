"""Raw mail in, the writer's own lines out: section 5 of the order language.

Signs of a machine come first (RFC 3834), then the one body part a person would look at (RFC 2046), then what
in it is the writer's own. Any bytes give a letter; nothing here ever raises.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from email.message import Message
from functools import partial

from pbem.adapters.mime import headers, people
from pbem.adapters.mime.bodies import body_lines
from pbem.adapters.mime.bounces import bounce, complaint
from pbem.adapters.mime.machines import reason_to_ignore, report_type
from pbem.adapters.mime.parts import armoured, headers_alone, parsed, why_unreadable
from pbem.adapters.mime.proof import proof
from pbem.adapters.mime.quote_stripping import sort_out
from pbem.adapters.mime.text import TooLong
from pbem.host.ports import Bounce, Cut, Letter, LetterReader, Unreadable

_MOST_LINES, _MOST_CHARACTERS, _MOST_WORDS = 500, 40_000, 10_000  # of the writer's own; signs count as words
_WORD = re.compile(r"\w+|[^\w\s]")
_MOST_TOLD, _LONGEST_TOLD = 5, 80  # lines that nobody sees, and characters of each, that are told to their writer

__all__ = ["as_document", "letter_reader", "read_letter"]


def letter_reader(authserv_id: str | None) -> LetterReader:
    """A reader for the letters of a mailbox whose server signs its Authentication-Results with that name."""
    return partial(read_letter, authserv_id=authserv_id)


def read_letter(raw: bytes, *, authserv_id: str | None = None) -> Letter:
    """Read a raw letter (RFC 5322), of no mailbox unless its server is named; it is always a letter, however broken."""
    message, is_whole = _parsed(raw)
    ignored = reason_to_ignore(message)
    lines, cut, unreadable = ((), (), None) if ignored else _own_lines(message)
    sender, name = people.sender(message)
    return Letter(
        id=headers.identity(message, raw),
        sender=sender,
        name=name,
        subject=headers.decoded(message, "subject"),
        references=headers.references(message),
        lines=lines,
        cut=cut,
        ignored=ignored,
        recipients=people.recipients(message),
        sent_to=people.sent_to(message),
        proven=proof(message, authserv_id),
        size=len(raw),
        unreadable=unreadable if is_whole else "parts",
        bounce=_bounce(message, raw, ignored),
    )


def as_document(letter: Letter) -> Mapping[str, object]:
    """What `pbem letters read FILE.eml --json` prints."""
    return {
        "from": letter.sender,
        "lines": list(letter.lines),
        "cut": [{"why": cut.why, "lines": cut.lines} for cut in letter.cut],
        "ignored": letter.ignored,
    }


def _parsed(raw: bytes) -> tuple[Message, bool]:
    """The message, and whether it is whole: of one that has too many parts there are the headers alone.

    Multiparts nested some hundred deep exhaust the standard parser's recursion.
    """
    try:
        return parsed(raw), True
    except Exception:  # noqa: BLE001 - whatever it is, the sender gets an answer
        return headers_alone(raw), False


def _own_lines(message: Message) -> tuple[tuple[str, ...], tuple[Cut, ...], Unreadable | None]:
    try:
        body = body_lines(message)
    except TooLong:
        return (), (), "long"
    own: list[str] = []
    cut: dict[str, list[str]] = {}
    for why, text in sort_out(body):
        (own if why is None else cut.setdefault(why, [])).append(text)
    unreadable = (armoured(own) or _too_long(own)) if body else why_unreadable(message)
    return () if unreadable else tuple(own), tuple(_cut(why, texts) for why, texts in cut.items()), unreadable


def _cut(why: str, texts: Sequence[str]) -> Cut:
    """What somebody may not know to be in the letter is told by its words, as far as an answer can hold them."""
    words = tuple(text[:_LONGEST_TOLD] for text in texts[:_MOST_TOLD]) if why in ("struck", "hidden") else ()
    return Cut(why=why, lines=len(texts), words=words)


def _too_long(own: Sequence[str]) -> Unreadable | None:
    """More than a person writes; each line is looked at many times, and told in the answer."""
    if len(own) > _MOST_LINES or sum(map(len, own)) > _MOST_CHARACTERS:
        return "long"
    words = sum(1 for text in own for _ in _WORD.finditer(text))
    return "long" if words > _MOST_WORDS else None


def _bounce(message: Message, raw: bytes, ignored: str | None) -> Bounce | None:
    if report_type(message) == "feedback-report":
        return complaint(message)
    return bounce(message, raw) if ignored == "bounce" else None
