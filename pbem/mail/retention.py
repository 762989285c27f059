"""What is kept of letters to us: what a person should look at, and for a time all others; never more than a disk holds.

They are their writers', so that they are kept as they came for some days only, in the books and in the mailbox, where
machines' letters lie, too. Anybody can send us anything, so what strangers' letters take up is limited: so many a day
of those that nobody is answered for, and of each its beginning only. The mailbox holds the whole.
"""

from __future__ import annotations

from contextlib import suppress

from msgspec.structs import replace

from pbem.host.calendar.zones import DAY, HOUR
from pbem.host.ports import Mailbox, MailboxDown, MailFolder, RawLetter, Repository
from pbem.mail.context import Context
from pbem.mail.rate_limit import FAULT

NAMELESS = ("ignored no_sender", "ignored too_long")
KEPT = {*NAMELESS, "letter.too_long", FAULT}  # what became of letters that a person should look at
SURPLUS = "ignored surplus"  # what becomes of those beyond the day's number
A_DAY = 20
BEGINNING = 64 * 1024  # bytes
KEEP_DAYS = 30
WAITING_DAYS = 90  # of those that a person should look at; then nobody has looked for long


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


class Retention:
    """Looks once an hour for what has been kept long enough."""

    def __init__(self, context: Context, keep_days: int) -> None:
        self._context = context
        self._keep = keep_days * DAY
        self._next = 0

    def tidy(self, mailbox: Mailbox) -> None:
        """Cheap when there is nothing to do."""
        now = self._context.clock.now()
        if now < self._next:
            return
        before = {MailFolder.done: now - self._keep, MailFolder.kept: now - max(self._keep, WAITING_DAYS * DAY)}
        self._context.games.do(lambda work: work.repository.expire(before[MailFolder.done], before[MailFolder.kept]))
        self._next = now + HOUR
        with suppress(MailboxDown):  # which is told when letters are looked for
            for folder, instant in before.items():
                mailbox.expire(folder, instant, self._is_known)

    def _is_known(self, letter: str) -> bool:
        return self._context.games.do(lambda work: work.repository.fate(letter)) is not None
