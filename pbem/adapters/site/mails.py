"""The public reports of a game as a mailbox file: what a letter to a stranger would say, as text."""

from __future__ import annotations

import re
from collections.abc import Iterable
from datetime import UTC, datetime
from email.message import EmailMessage
from email.policy import EmailPolicy
from typing import Any

from pbem.adapters.mail_renderer import MailRenderer
from pbem.host.archive.published import ArchivedTurn, GameArchive
from pbem.host.messages import letters, parts
from pbem.host.session.identity import Place

SENDER = "pbem@archive.invalid"  # nobody's address (RFC 2606 section 2)
_POLICY = EmailPolicy(linesep="\n", max_line_length=76)
_FROM = re.compile(rb"^(>*From )", re.MULTILINE)


def mailbox(old: bytes, volume: GameArchive, turns: Iterable[ArchivedTurn], pages: MailRenderer) -> bytes:
    """The mailbox file (mboxrd) with the reports of these turns; one that is in it already is not put in again."""
    for turn in turns:
        id_ = _id(volume, turn)
        if id_.encode() not in old:
            old += _framed(_mail(volume, turn, pages, id_), turn.at)
    return old


def without(old: bytes, volume: GameArchive, turn: ArchivedTurn) -> bytes:
    """The mailbox file as it was before the report of that turn."""
    place = old.find(_id(volume, turn).encode())
    return old if place < 0 else old[: old.rfind(b"\nFrom ", 0, place) + 1]


def _id(volume: GameArchive, turn: ArchivedTurn) -> str:
    return f"<{volume.game}.{turn.last}@archive.invalid>"


def _mail(volume: GameArchive, turn: ArchivedTurn, pages: MailRenderer, id_: str) -> EmailMessage:
    subject, text = pages.plain(_content(volume, turn))
    message = EmailMessage(policy=_POLICY)
    message["Date"] = datetime.fromtimestamp(turn.at, UTC)
    message["Message-ID"] = id_
    message["From"] = f"pbem <{SENDER}>"
    message["To"] = "undisclosed-recipients:;"
    message["Subject"] = f"[{volume.game}] {subject}"
    message["References"] = f"<{volume.game}@archive.invalid>"
    message.set_content(text, cte="quoted-printable")
    return message


def _content(volume: GameArchive, turn: ArchivedTurn) -> letters.Report | letters.Final:
    turns = (parts.TurnReport(number=turn.number, round=turn.round, said=turn.sent, events=turn.events),)
    told: Any = {"game": volume.game, "seat": "", "turns": turns, "before": turn.before, "after": turn.after}
    if turn.after["winners"] and volume.secret is not None:
        return letters.Final(**told, commitment=volume.commitment, secret=volume.secret, people=volume.who)
    return letters.Report(
        **told,
        place=Place(turn=turn.number + 1, seq=turn.last, serial=0),
        awaited=turn.awaited,
        slot_hours=volume.rules.slot_hours,
    )


def _framed(message: EmailMessage, at: int) -> bytes:
    """A message as the file holds it: after its `From ` line, with such lines of its own quoted."""
    day = datetime.fromtimestamp(at, UTC)
    return f"From {SENDER} {day:%a %b %e %H:%M:%S %Y}\n".encode() + _FROM.sub(rb">\1", bytes(message)) + b"\n"
