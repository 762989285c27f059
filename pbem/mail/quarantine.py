"""What is put by of letters: those a person should look at, and for a time all others; never more than a disk holds.

Anybody can send us anything, so what strangers' letters take up is limited: so many a day of those that nobody is
answered for, and of each its beginning only. The mailbox holds the whole.
"""

from __future__ import annotations

from msgspec.structs import replace

from pbem.host.calendar.zones import DAY
from pbem.host.ports import RawLetter, Repository
from pbem.mail.rate_limit import FAULT

NAMELESS = ("ignored no_sender", "ignored too_long")
KEPT = {*NAMELESS, "letter.too_long", FAULT}  # what became of letters that a person should look at
SURPLUS = "ignored surplus"  # what becomes of those beyond the day's number
A_DAY = 20
BEGINNING = 64 * 1024  # bytes
KEEP_DAYS = 90  # then nobody has looked for long


def limited(repository: Repository, fate: str, filed: int) -> str:
    """What becomes of a letter, where there may be too many of its kind."""
    if fate not in NAMELESS or len(repository.filed_since(NAMELESS, filed - DAY)) < A_DAY:
        return fate
    return SURPLUS


def put_by(repository: Repository, letter: str, raw: RawLetter, sender: str, fate: str, now: int) -> None:
    """Hold on to the letter as it came. What a machine wrote is not put by: it may be much, and is in the mailbox."""
    if fate.startswith("ignored ") and fate not in KEPT:
        return
    known = repository.person_at(sender.lower()) is not None
    held = raw if known else replace(raw, raw=raw.raw[:BEGINNING])
    repository.keep(letter, held, now, kept=fate in KEPT)
