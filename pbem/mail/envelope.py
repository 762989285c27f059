"""What a mail needs beside what it says."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from msgspec import Struct

from pbem.host.messages.letters import Message
from pbem.host.ports import Mail
from pbem.host.reporting.calendar_events import Appointment


class Envelope(Struct, frozen=True, kw_only=True):
    """To whom a mail goes, in which thread, with what proves an answer to be theirs, and how its reader is told it."""

    message_id: str  # with angle brackets
    to: str
    tag: str  # what stands in the brackets of the subject
    reply_to: str | None = None  # another address for answers than the sender's
    returns: str | None = None  # the tag of the address it comes back to when it can't be delivered
    in_reply_to: str | None = None
    references: tuple[str, ...] = ()
    answers: bool = False  # is it an answer to one letter?
    game: str | None = None  # the tag of the game it is about
    kind: str | None = None  # the id of the game that is played there
    language: str = "en"
    zone: str = "UTC"
    appointments: Sequence[Appointment] = ()
    corrected: bool = False  # does it tell anew what an earlier one told?
    organizer: str = ""  # of the appointments


class Renderer(Protocol):
    """Turns contents into mails."""

    pictures: bool  # does it show any?

    def mail(self, content: Message, envelope: Envelope) -> Mail: ...
