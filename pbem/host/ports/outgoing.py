"""Mail that goes out, and who takes it on."""

from __future__ import annotations

from typing import Protocol

from msgspec import Struct


class Attachment(Struct, frozen=True, kw_only=True):
    """A file that travels with a mail."""

    name: str  # of the file
    type: str  # its media type with parameters, such as "image/png" (RFC 2045 section 5)
    data: bytes
    cid: str | None = None  # the HTML shows it as `cid:` and this; None: it is for keeping (RFC 2392)


class Mail(Struct, frozen=True, kw_only=True):
    """A letter of ours, ready for the postman."""

    message_id: str  # with angle brackets
    to: str
    subject: str
    text: str
    html: str | None = None
    reply_to: str | None = None  # another address for answers than the sender's
    returns: str | None = None  # the tag of the address it comes back to when it can't be delivered
    in_reply_to: str | None = None
    references: tuple[str, ...] = ()
    answers: bool = False  # an answer to one letter (auto-replied), else auto-generated (RFC 3834 section 5)
    game: str | None = None  # the tag of the game it is about, which names a list of its own (RFC 2919)
    attachments: tuple[Attachment, ...] = ()


class Undelivered(Exception):
    """The postman could not hand this mail over; `permanent` when it is refused for good."""

    def __init__(self, reason: str, *, permanent: bool) -> None:
        super().__init__(reason)
        self.permanent = permanent


class PostDown(Exception):
    """The next server can't be reached or doesn't let us in: no mail goes out now, whatever it is."""


class MailTransport(Protocol):
    def send(self, mail: Mail) -> None:
        """Hand the mail over to the next server; raises `Undelivered`, `PostDown`."""
