"""Who is writing, and in answer to what: the ticket that our letters carry and an answer to them brings back.

A player is known by his address and by a token that only our letters to him hold; there are no passwords. The token is
the HMAC-SHA256 of a game and a person under the server's key (RFC 2104): nothing that is in the books gives it away.
"""

from __future__ import annotations

import hmac
import re
from base64 import b32encode
from collections.abc import Iterator, Sequence
from typing import Literal

from msgspec import Struct

from pbem.service.ports import Letter, Person

Policy = Literal["token", "dkim", "token_and_dkim"]

# RFC 5321, without quotes; its section 4.5.3.1.3 allows no more characters.
ADDRESS = re.compile(r"(?=.{3,254}\Z)[!#-'*+\--9=?A-Z^-~]+@[A-Za-z0-9-]+(\.[A-Za-z0-9-]+)*")
LENGTH = 12  # letters of a token: 60 bits
TICKET = re.compile(
    r"(?P<about>[a-z]{1,20}-\d{1,9})(\.for(?P<stead>\d{1,2}))?(\.(?P<seq>\d{1,9})\.(?P<serial>\d{1,9}))?\.(?P<token>[a-z2-7]{12})"
)
RETURNED = "bounce."  # before the ticket, in the tag of the address that letters of ours come back to
BRACKETS = re.compile(r"\[([a-z]{1,20}-\d{1,9})((?:\.[a-z0-9]+)*)\]", re.IGNORECASE)


class Place(Struct, frozen=True, kw_only=True):
    """The moment of a game that a letter of ours tells about."""

    turn: int
    seq: int  # of the last entry
    serial: int  # of the last question that had been asked; 0 when there was none


class Ticket(Struct, frozen=True, kw_only=True):
    """What an answer has brought back."""

    about: str  # a game's id, or another occasion
    token: str
    seq: int | None = None  # of the letter that is answered, where it told about a moment
    serial: int = 0
    stead: int | None = None  # the place at the table of the seat that it lets its holder write for


class Identity(Struct, frozen=True, kw_only=True):
    """How this server knows its players."""

    key: bytes  # secret, the same for all daemons of one database
    address: str  # which the players write to
    tags: bool = True  # does the mailbox take address+tag@domain (RFC 5233)? Else tickets stand in the subject
    policy: Policy = "token"

    def ticket(self, about: str, person: Person, place: Place | None = None, stead: int | None = None) -> str:
        """What a letter to this person carries; with `stead` it is good for that seat, and not for his own."""
        moment = f".{place.seq}.{place.serial}" if place else ""
        matter = _matter(about, stead)
        return f"{matter}{moment}.{self._token(matter, person)}"

    def reply_to(self, ticket: str) -> str:
        """The address that an answer should go to."""
        name, _, domain = self.address.rpartition("@")
        return f"{name}+{ticket}@{domain}" if self.tags else self.address

    def returns(self, about: str, person: Person) -> str:
        """The tag of the address that a letter to this person comes back to: a report from there is no forgery."""
        return RETURNED + self.ticket(about, person)

    def brackets(self, about: str, ticket: str) -> str:
        """What stands in brackets in the subject."""
        return about if self.tags else ticket

    def flaw(self, letter: Letter, person: Person, ticket: Ticket | None) -> str:
        """The code of why the letter does not prove to be this person's; "" when it does."""
        code = ""
        if self.policy != "dkim" and (ticket is None or not self.holds(ticket, person)):
            code = "identity.wrong_token" if ticket else "identity.no_token"
        elif self.policy != "token" and letter.proven != "pass":
            code = "identity.unproven"
        return code

    def holds(self, ticket: Ticket, person: Person) -> bool:
        """Is it a ticket that was given to this person?"""
        return hmac.compare_digest(ticket.token, self._token(_matter(ticket.about, ticket.stead), person))

    def _token(self, about: str, person: Person) -> str:
        digest = hmac.digest(self.key, f"{about}|{person.id}|{person.keys}".encode(), "sha256")
        return b32encode(digest)[:LENGTH].decode().lower()


def _matter(about: str, stead: int | None) -> str:
    return about if stead is None else f"{about}.for{stead}"


def ticket_of(letter: Letter) -> Ticket | None:
    """The ticket in an address that the letter was sent to, or in the brackets of its subject."""
    return next((_read(found) for found in _tickets(letter)), None)


def tickets_of_returned(letter: Letter) -> Sequence[Ticket]:
    """What a report of a letter of ours brings along: in the address it was sent to, or in what it quotes."""
    tags = [tag.removeprefix(RETURNED) for tag in _tags(letter) if tag.startswith(RETURNED)]
    quoted = letter.bounce.tickets if letter.bounce else ()
    return [_read(found) for text in (*tags, *quoted) if (found := TICKET.fullmatch(text.lower()))]


def about_of(letter: Letter) -> str | None:
    """What the letter is about by its ticket, else by the brackets in its subject."""
    ticket = ticket_of(letter)
    named = BRACKETS.search(letter.subject)
    return ticket.about if ticket else named[1].lower() if named else None


def _tickets(letter: Letter) -> Iterator[re.Match[str]]:
    named = ["".join(found.groups()) for found in BRACKETS.finditer(letter.subject)]
    return (found for text in (*_tags(letter), *named) if (found := TICKET.fullmatch(text.lower())))


def _tags(letter: Letter) -> list[str]:
    """Of the addresses it was sent to (RFC 5233)."""
    return [address.rpartition("@")[0].partition("+")[2] for address in letter.recipients]


def _read(found: re.Match[str]) -> Ticket:
    seq, stead = found["seq"], found["stead"]
    return Ticket(
        about=found["about"],
        token=found["token"],
        seq=None if seq is None else int(seq),
        serial=int(found["serial"] or 0),
        stead=None if stead is None else int(stead),
    )
