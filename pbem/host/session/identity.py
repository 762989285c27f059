"""Who is writing, and in answer to what: the ticket that our letters carry and an answer to them brings back.

A player is known by an address and by a ticket that only our letters to them hold; there are no passwords. A ticket
says what it is good for, which moment it tells of and when it was given, and ends with a token: the HMAC-SHA256 of all
that and of the person under the server's key (RFC 2104). Nothing that is in the books gives it away, and no token is
good for anything but what stands before it. What makes a ticket worthless before its time is in `tickets`.
"""

from __future__ import annotations

import hmac
import re
from base64 import b32encode
from collections.abc import Iterable, Iterator, Sequence
from typing import Literal

from msgspec import Struct

from pbem.host.ports import Letter, Person

Policy = Literal["token", "dkim", "token_and_dkim"]

# RFC 5321, without quotes; its section 4.5.3.1.3 allows no more characters.
ADDRESS = re.compile(r"(?=.{3,254}\Z)[!#-'*+\--9=?A-Z^-~]+@[A-Za-z0-9-]+(\.[A-Za-z0-9-]+)*")
LENGTH = 12  # letters of a token: 60 bits
BYTES = 10  # of a digest, in which they are: b32encode takes five at a time
RETURNED = "bounce."  # before the ticket, in the tag of the address that letters of ours come back to
UNDO = "undo"  # what a ticket is about that takes a change back: it outlives the keys that whoever changed it may renew
TICKET = re.compile(
    r"(?P<text>(?P<about>[a-z]{1,20}-\d{1,9})"
    r"(?:\.p(?P<petition>\d{1,9}))?(?:\.for(?P<stead>\d{1,2}))?"
    r"(?:\.(?P<number>\d{1,9})(?:\.(?P<serial>\d{1,9}))?)?(?:\.t(?P<issued>[0-9a-f]{8}))?)\.(?P<token>[a-z2-7]{12})"
)
BRACKETS = re.compile(r"\[([a-z]{1,20}-\d{1,9})((?:\.[a-z0-9]+)*)\]", re.IGNORECASE)
_PREFIXES = re.compile(
    r"^(?:\[[^\]]*\] ?|(?:re|aw|antw|antwort|rif|ris|r|i|sv|vs|fwd?|wg|tr)(?:\[\d+\])? ?: ?)+", re.IGNORECASE
)


class Place(Struct, frozen=True, kw_only=True):
    """The moment of a game that a letter of ours tells about."""

    turn: int
    seq: int  # of the last entry
    serial: int | None  # of the last question that had been asked; 0: there was none; None: the letter tells of none
    number: int | None = None  # of the last entry that counts with the others; None: all do


class Ticket(Struct, frozen=True, kw_only=True):
    """What an answer has brought back."""

    about: str  # a game's id, or another occasion
    text: str  # all before the token
    token: str
    petition: int | None = None  # that it lets its holder accept, and do nothing else
    number: int | None = None  # of the last entry when the letter went out that is answered, in the course of a game
    serial: int | None = None  # where the letter told about a moment
    stead: int | None = None  # the place at the table of the seat that it lets its holder write for
    issued: int | None = None  # when it was given; None: by a program older than 0.4


class Identity(Struct, frozen=True, kw_only=True):
    """How this server knows its players."""

    key: bytes  # secret, the same for all daemons of one database
    address: str  # which the players write to
    tags: bool = True  # does the mailbox take address+tag@domain (RFC 5233)? Else tickets stand in the subject
    policy: Policy = "token"

    def ticket(
        self,
        about: str,
        person: Person | None,
        *,
        issued: int,
        place: Place | None = None,
        stead: int | None = None,
        renewed: int = 0,
        address: str = "",
    ) -> str:
        """What a letter to this person carries, with `stead` good for that seat and not for the person's own.

        `about` may name a petition behind the game: `imp-1.p3`. `renewed` tells how often earlier ones were made
        worthless. With `address` it counts from there alone, and without a person it is the address's.
        """
        parts = [about, *([f"for{stead}"] if stead is not None else [])]
        if place is not None:
            number = place.seq if place.number is None else place.number
            parts += [str(number), *([str(place.serial)] if place.serial is not None else [])]
        text = ".".join((*parts, f"t{issued:08x}"))
        return f"{text}.{self._token(text, person, renewed, address)}"

    def reply_to(self, ticket: str) -> str:
        """The address that an answer should go to."""
        name, _, domain = self.address.rpartition("@")
        return f"{name}+{ticket}@{domain}" if self.tags else self.address

    def returns(self, about: str, person: Person, issued: int) -> str:
        """The tag of the address that a letter to this person comes back to: a report from there is no forgery."""
        text = f"{RETURNED}{about}.t{issued:08x}"
        return f"{text}.{self._token(text, person, 0, '')}"

    def brackets(self, about: str, ticket: str) -> str:
        """What stands in brackets in the subject."""
        return about if self.tags else ticket

    def holds(self, ticket: Ticket, person: Person | None, renewed: int = 0, address: str = "") -> bool:
        """Is it a ticket that was given to this person (to this address), after so many renewals?"""
        if ticket.issued is None:
            return person is not None and renewed == 0 and self._is_old(ticket, person)
        return hmac.compare_digest(ticket.token, self._token(ticket.text, person, renewed, address))

    def _token(self, text: str, person: Person | None, renewed: int, address: str) -> str:
        keys = 0 if person is None or text.startswith(f"{UNDO}-") else person.keys
        return self._signed("\n".join((text, str(person.id if person else 0), str(keys), str(renewed), address)))

    def _is_old(self, ticket: Ticket, person: Person) -> bool:
        """As programs older than 0.4 made them: neither the moment nor the purpose was signed."""
        matter = ticket.about if ticket.stead is None else f"{ticket.about}.for{ticket.stead}"
        return hmac.compare_digest(ticket.token, self._signed(f"{matter}|{person.id}|{person.keys}"))

    def _signed(self, text: str) -> str:
        digest = hmac.digest(self.key, text.encode(), "sha256")
        return b32encode(digest[:BYTES])[:LENGTH].decode().lower()

    # -- in letters ---

    def ticket_of(self, letter: Letter) -> Ticket | None:
        """The ticket in an address of ours that the letter was sent to, or in the brackets of its subject."""
        named = ("".join(found.groups()) for found in BRACKETS.finditer(letter.subject))
        return next(_tickets([*self._tags(letter), *named]), None)

    def about_of(self, letter: Letter) -> str | None:
        """What the letter is about by its ticket, else by the brackets in its subject."""
        ticket = self.ticket_of(letter)
        named = BRACKETS.search(letter.subject)
        return ticket.about if ticket else named[1].lower() if named else None

    def tickets_of_returned(self, letter: Letter) -> Sequence[Ticket]:
        """What a report of a letter of ours brings along: in the address it was sent to, or in what it quotes."""
        tags = [tag.removeprefix(RETURNED) for tag in self._tags(letter) if tag.startswith(RETURNED)]
        quoted = letter.bounce.tickets if letter.bounce else ()
        return [*_tickets(tags, RETURNED), *_tickets(quoted)]

    def _tags(self, letter: Letter) -> list[str]:
        """Of those addresses that are ours (RFC 5233)."""
        return [tag for address in letter.recipients if (tag := self._tag(address))]

    def _tag(self, address: str) -> str:
        """Of one of our addresses; "" of any other."""
        name, _, domain = address.rpartition("@")
        own, tag = name.partition("+")[::2]
        return tag if f"{own}@{domain}".lower() == self.address.lower() else ""

    def is_ours(self, address: str) -> bool:
        """Do letters to this address come to us?"""
        return address.lower() == self.address.lower() or self._tag(address) != ""

    def copied_to(self, letter: Letter, own: Sequence[str]) -> tuple[str, ...]:
        """Who else was sent the letter, and with it the ticket, beside the writer's own addresses.

        A letter to none of our addresses came to us under another name of ours: one of those it names.
        """
        others = tuple(each for each in letter.sent_to if not self.is_ours(each) and each.lower() not in own)
        return others if any(self.is_ours(each) for each in letter.sent_to) else others[1:]


def _tickets(texts: Iterable[str], before: str = "") -> Iterator[Ticket]:
    """Those among these words; `before`: what stood before each of them."""
    for found in filter(None, (TICKET.fullmatch(text.lower()) for text in texts)):
        numbers = {key: _number(found[key]) for key in ("petition", "number", "serial", "stead")}
        issued = _number(found["issued"], 16)
        text, token = before + found["text"], found["token"]
        yield Ticket(about=found["about"], text=text, token=token, issued=issued, **numbers)


def _number(written: str | None, base: int = 10) -> int | None:
    return None if written is None else int(written, base)


def bare_subject(subject: str) -> str:
    """What its writer may have put into it: no tag, no ticket, nothing that mail programs put before a reply."""
    return _PREFIXES.sub("", " ".join(BRACKETS.sub(" ", subject).split()))
