"""Somebody who is to sit in a game: whether we can write to them, and what the others call them."""

from __future__ import annotations

import re
from collections.abc import Sequence

from msgspec import Struct

from pbem.core.chance import Secrets
from pbem.core.refusal import Illegal
from pbem.host.session.actors import BOT, DEPUTY
from pbem.host.session.anonymity import NAMES
from pbem.host.session.identity import ADDRESS
from pbem.host.session.terms import Terms
from pbem.language.words import PRESS_WORDS

NAME = re.compile(r"[a-z][a-z0-9_-]*")
RESERVED = ("clock", "moderator", BOT, DEPUTY, *PRESS_WORDS["EVERYBODY"])


class Invitee(Struct, frozen=True, kw_only=True):
    """Somebody who is to be invited."""

    name: str
    address: str  # in lower case
    seat: str


class Unfit(Illegal, ValueError):
    """Somebody who can't be seated: a refusal for letters, and in English for whoever works at the server."""

    def __init__(self, code: str, words: str, **facts: object) -> None:
        super().__init__(code, **facts)
        self.args = (words,)


def check_invitee(invitee: Invitee) -> None:
    """Names stand in play files and in our Message-IDs; addresses in headers that are ASCII. Raises `Unfit`."""
    if not NAME.fullmatch(invitee.seat):
        words = f"{invitee.seat!r} can't be a player's name: a letter a-z, then letters, digits, _ or -"
        raise Unfit("seat.name", words, read=invitee.seat)
    if invitee.seat in RESERVED:
        words = f"{invitee.seat!r} can't be a player's name: it is a word of the order language"
        raise Unfit("seat.name_reserved", words, read=invitee.seat)
    if not ADDRESS.fullmatch(invitee.address):
        raise Unfit("seat.address", f"{invitee.address!r} is no address we can write to", read=invitee.address)


def seat_name(address: str, taken: Sequence[str]) -> str:
    """A name for the others to call somebody by, out of their address."""
    plain = "".join(c if c.isalnum() else " " for c in address.split("@", maxsplit=1)[0].lower()).split()
    stem = plain[0] if plain and NAME.fullmatch(plain[0]) else "player"
    names = (stem, *(f"{stem}{n}" for n in range(2, len(taken) + 3)))
    return next(name for name in names if name not in (*taken, *RESERVED))


def free_name(terms: Terms, address: str, taken: Sequence[str], lots: Secrets) -> str:
    """A name for one more; in an anonymous game a neutral one, by lot. Raises `Unfit` when there is none."""
    if terms.anonymous == "no":
        return seat_name(address, taken)
    left = [name for name in NAMES if name not in taken]
    if not left:
        raise Unfit("seat.too_many", f"an anonymous game has at most {len(NAMES)} players", count=len(NAMES) + 1)
    return lots.choice(left)
