"""How many letters that prove nothing are answered: a few a day for each address, some an hour for all together.

Whoever writes under many names, or under another's, would else have us write to people who never wrote (RFC 3834
section 2); a machine that gives no sign of being one ends here, too.
"""

from __future__ import annotations

from pbem.host.calendar.zones import DAY, HOUR
from pbem.host.ports import Letter, Repository

A_DAY = 5  # answers to the letters of one address
AN_HOUR = 30  # answers to such letters of all addresses
LISTED = "opening.listed"  # what becomes of a letter that asks out of the blue which games gather
FAULT = "fault"
UNPROVED = (
    LISTED,
    FAULT,
    "address.stale",
    "opening.confirm",
    "opening.known_only",
    "opening.nobody",
    "opening.unreadable",
    "identity.no_token",
    "identity.old_ticket",
    "identity.unknown_address",
    "identity.unproven",
    "identity.wrong_token",
    "letter.no_game",
    "letter.resent",
    "letter.stranger",
    "letter.too_long",
)
MISREAD = "misread"  # what becomes of a letter of which nothing could be done
IDLE = (
    MISREAD,
    "letter.empty",
    "letter.much",
    "letter.unreadable",
    "invitation.unclear",
    "address.confirm_unclear",
    "address.undo_unclear",
    "power.none",
)
IDLE_A_DAY = {MISREAD: 10}  # somebody may fail with the same order many times; the others have `A_DAY`
FLOOD = "ignored flood"  # what becomes of the others


def is_flood(repository: Repository, letter: Letter, fate: str | None, filed: int, most: int = A_DAY) -> bool:
    """Has the writer of such a letter, or all strangers together, been answered often enough before it was filed?

    What others write never silences us towards an address that we know.
    """
    if fate in IDLE:
        return idle_left(repository, letter, fate, filed) < 1
    if fate not in UNPROVED:
        return False
    last = repository.filed_since(UNPROVED, filed - DAY)
    theirs = [at for sender, at in last if sender.lower() == letter.sender.lower()]
    lately = [at for _, at in last if at > filed - HOUR]
    is_stranger = repository.person_at(letter.sender.lower()) is None
    return len(theirs) >= most or (is_stranger and len(lately) >= AN_HOUR)


def idle_left(repository: Repository, letter: Letter, fate: str, filed: int) -> int:
    """How many more letters of the same address without an order or a question are answered that day.

    A machine that answers our answers, and gives no sign of being one, ends here.
    """
    last = repository.filed_since((fate,) if fate in IDLE_A_DAY else IDLE, filed - DAY)
    return IDLE_A_DAY.get(fate, A_DAY) - sum(sender.lower() == letter.sender.lower() for sender, _ in last)
