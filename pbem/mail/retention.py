"""What is kept of mail, and for how long; never more than a disk holds.

Of letters to us what a person should look at, and for a time all others. They are their writers', so that they are kept
as they came for some days only, in the books and in the mailbox, where machines' letters lie, too. Anybody can send us
anything, so what strangers' letters take up is limited: so many a day of those that nobody is answered for, and of each
its beginning only. The mailbox holds the whole.

Of what we have written, and of what we would have and never needed to, nothing is asked for once its game has gone on:
a ticket in it is good for a month, what it told stands in the game's log, and no occasion of a game that is under way
comes again. So it goes when it is old and no question is open any more that was asked before it: till then what was
told must not be told twice. Of a season, whose occasions may come again while it lasts, it stays until nothing is to
come there. What is about neither goes when it is old: it answers a letter, and no letter is answered twice, or tells of
a day, or of something that was found then. Should one of these come again after so long, it is told again.
"""

from __future__ import annotations

from contextlib import suppress

from msgspec import Struct
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
SENT_DAYS = 90  # of ours; shorter than an answer may take it must not be
UNSENT_DAYS = 7  # of ours that had nothing to say any more when they were due, or were told in another
PAGE, PAGES = 500, 5  # of ours that are looked at in one transaction, and transactions of one round


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


class Pass(Struct, frozen=True, kw_only=True):
    """What there is to let go of our mail up to an instant, in the order in which it was due."""

    sent: bool
    before: int
    after: tuple[int, int] | None = None  # where it has come to


class Retention:
    """Looks once an hour for what has been kept long enough. Of mail of ours it lets go of some in each round."""

    def __init__(self, context: Context, keep_days: int) -> None:
        self._context = context
        self._keep = keep_days * DAY
        self._next = 0
        self._passes: list[Pass] = []

    def tidy(self, mailbox: Mailbox) -> None:
        """Cheap when there is nothing to do."""
        now = self._context.clock.now()
        if now >= self._next:
            self._begin(mailbox, now)
        for _ in range(PAGES):
            self._shed()

    def _begin(self, mailbox: Mailbox, now: int) -> None:
        waiting, sent = max(self._keep, WAITING_DAYS * DAY), max(self._keep, SENT_DAYS * DAY)
        before = {MailFolder.done: now - self._keep, MailFolder.kept: now - waiting}
        self._context.games.do(lambda work: work.repository.expire(before[MailFolder.done], before[MailFolder.kept]))
        if not self._passes:
            self._passes = [Pass(sent=False, before=now - UNSENT_DAYS * DAY), Pass(sent=True, before=now - sent)]
        self._next = now + HOUR
        with suppress(MailboxDown):  # which is told when letters are looked for
            for folder, instant in before.items():
                mailbox.expire(folder, instant, self._is_known)

    def _shed(self) -> None:
        if not self._passes:
            return
        one, *others = self._passes
        after = self._context.games.do(
            lambda work: work.repository.shed(one.before, sent=one.sent, after=one.after, most=PAGE), durable=False
        )
        self._passes = others if after is None else [replace(one, after=after), *others]

    def _is_known(self, letter: str) -> bool:
        return self._context.games.do(lambda work: work.repository.fate(letter)) is not None
