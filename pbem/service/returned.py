"""Letters of ours that come back, or are not wanted: what machines say of them changes addresses, and never a game.

All of it is hearsay (anybody can write such a report), so that it takes several to change anything, the operator hears
of each, and the most that comes of it is that letters go to another address of the same person, or are fewer.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from msgspec import Struct
from msgspec.structs import replace

from pbem.service.games import Desk
from pbem.service.ports import Address, Books, Game, Letter, Member
from pbem.service.reports import wanting

OURS = r"<([a-z]+-\d+\.[^<>@\s]+)@{domain}>"  # the Message-ID of a letter about a game
RETURNED = (
    r"[^@\s]+\+bounce\.([a-z]+-\d+\.[^@\s]+)@{domain}"  # where such a letter comes back to, if the settings want it
)
IN_A_ROW = 3  # letters that did not arrive, after which another address is tried


class News(Struct, frozen=True, kw_only=True):
    """What the operator should hear."""

    what: str  # a sentence
    detail: str


def heard(desk: Desk, letter: Letter, domain: str) -> News | None:
    """Take note of what a machine's letter says of one of ours; None when that is nothing, or of no game."""
    told = letter.bounce
    row = _row(letter, domain)
    if told is None or told.fate == "delayed" or row is None:
        return None
    game = desk.books.game(row.partition(".")[0])
    member = _reader(game, row) if game else None
    noted = ""
    if game and member and told.fate == "complaint":
        noted = _fewer(desk.books, game, member)
    elif member and told.permanent:
        noted = failed(desk.books, _blamed(desk.books, member, told.addresses))
    what = "was called spam" if told.fate == "complaint" else "has come back"
    detail = " ".join(filter(None, [f"{row}: {letter.subject}", noted]))
    return News(what=f"A letter about a game {what}; the player's clock runs on.", detail=detail)


def failed(books: Books, address: str) -> str:
    """Count a letter that did not arrive there and never will, and say what comes of it; "" when it is nobody's."""
    person = books.person_at(address.lower())
    if person is None:
        return ""
    known = {each.address: each for each in books.addresses(person.id)}
    counted = replace(known[address.lower()], failures=known[address.lower()].failures + 1)
    books.save_address(counted)
    told = f"({counted.address}: {counted.failures} in a row)"
    if person.address != counted.address or counted.failures < IN_A_ROW:
        return told
    other = _other(known.values(), counted)
    if other is None:
        return f"{told} There is no other address of this player's."
    books.save_person(replace(person, address=other.address))
    return f"{told} Letters to this player go to {other.address} from now on."


def _other(known: Iterable[Address], beside: Address) -> Address | None:
    """The one that was verified last of those that may be better."""
    good = {
        each.verified: each
        for each in known
        if each.address != beside.address and each.verified is not None and each.failures < IN_A_ROW
    }
    return good[max(good)] if good else None


def _fewer(books: Books, game: Game, member: Member) -> str:
    """Whoever calls our letters spam gets only what he must answer; he keeps his seat."""
    if member.reports == "mine":
        return ""
    books.save_game(wanting(game, member, "mine"))
    return f"({member.seat} gets no more reports than those that ask him something)"


def _blamed(books: Books, member: Member, named: tuple[str, ...]) -> str:
    his = {each.address for each in books.addresses(member.person.id)}
    return next((each.lower() for each in named if each.lower() in his), member.person.address)


def _row(letter: Letter, domain: str) -> str | None:
    """The row of the outbox that the letter of ours was made of."""
    original = letter.bounce.original if letter.bounce else None
    named = {OURS: (original or "",), RETURNED: letter.recipients}
    for pattern, texts in named.items():
        for text in texts:
            found = re.fullmatch(pattern.format(domain=re.escape(domain)), text, re.IGNORECASE)
            if found is not None:
                return found[1]
    return None


def _reader(game: Game, row: str) -> Member | None:
    """The member whom a row of the outbox was for: see `to_member`."""
    name = row.removesuffix(".again")
    return next((member for member in game.members if name.endswith(f".{member.seat}")), None)
