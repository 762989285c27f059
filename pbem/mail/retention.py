"""Putting away: letters to us are kept as they came for some days only, for they are their writers'.

That goes for the books and for the mailbox, where machines' letters lie, too. What waits for a person stays longer.
"""

from __future__ import annotations

from contextlib import suppress

from pbem.host.calendar.zones import DAY, HOUR
from pbem.host.ports import Clock, Mailbox, MailboxDown, MailFolder
from pbem.host.session.unit_of_work import Games
from pbem.mail import quarantine

KEEP_DAYS = 30


class Retention:
    """Looks once an hour for what has been kept long enough."""

    def __init__(self, games: Games, clock: Clock, keep_days: int) -> None:
        self._games = games
        self._clock = clock
        self._keep = keep_days * DAY
        self._next = 0

    def tidy(self, mailbox: Mailbox) -> None:
        """Cheap when there is nothing to do."""
        now = self._clock.now()
        if now < self._next:
            return
        before = {MailFolder.done: now - self._keep, MailFolder.kept: now - max(self._keep, quarantine.KEEP_DAYS * DAY)}
        self._games.do(lambda work: work.repository.expire(before[MailFolder.done], before[MailFolder.kept]))
        self._next = now + HOUR
        with suppress(MailboxDown):  # which is told when letters are looked for
            for folder, instant in before.items():
                mailbox.expire(folder, instant, self._is_known)

    def _is_known(self, letter: str) -> bool:
        return self._games.do(lambda work: work.repository.fate(letter)) is not None
