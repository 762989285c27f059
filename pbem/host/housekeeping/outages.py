"""What is out of reach, since when, and whether the operator knows: they hear once that it is, and that it is over."""

from __future__ import annotations

from pbem.host.calendar.zones import DAY, utc
from pbem.host.housekeeping.outage import WORRYING, Outage
from pbem.host.messages.alarms import Relief, Sentence, Trouble
from pbem.host.ports import Clock, Conflict, Log, StoreDown
from pbem.host.reporting.alarms import post_alarm
from pbem.host.session.unit_of_work import Games, UnitOfWork

SURE = 600  # seconds; another daemon may have noted an outage since, and be gone


class Outages:
    """Remembers in the books what is out of reach, so that a restart, or cron, tells nothing twice."""

    def __init__(self, games: Games, clock: Clock, operator: str, log: Log) -> None:
        self._games = games
        self._clock = clock
        self._operator = operator
        self._log = log
        self._noted: set[Outage] = set()  # what may be noted in the books as out of reach
        self._looked: int | None = None  # when that was looked up
        self._unwritten: dict[Outage, int] = {}  # since when, while the books themselves can't be written

    def down(self, what: Outage, reason: str) -> None:
        """It was out of reach just now. Never raises because of the books."""
        self._log.warning("out of reach: %s (%s)", Trouble[what.name], reason)
        self._noted.add(what)
        began = self._unwritten.setdefault(what, self._clock.now())
        try:
            self._games.do(lambda work: self._note(work, what, reason, began))
        except (Conflict, StoreDown):
            return
        del self._unwritten[what]

    def up(self, what: Outage) -> None:
        """It was in reach just now."""
        if not self._may_be_down(what):
            return
        began = self._unwritten.pop(what, None)
        if began is not None:
            self._games.do(lambda work: self._note(work, what, "It works again.", began))
        since = self._games.do(lambda work: self._forget(work, what))
        if since is not None:
            self._log.warning("the %s is in reach again, after %s seconds", what.value, self._clock.now() - since)
        self._noted.discard(what)

    def _may_be_down(self, what: Outage) -> bool:
        """All are looked up at once, and not for each letter."""
        now = self._clock.now()
        if self._looked is None or not 0 <= now - self._looked < SURE:
            self._noted, self._looked = self._games.do(_noted), now
        return what in self._noted or what in self._unwritten

    def _note(self, work: UnitOfWork, what: Outage, reason: str, began: int) -> None:
        since = work.repository.mark(f"{what}.down")
        if since is None:
            since = began
            work.repository.set_mark(f"{what}.down", since)
        if self.is_worrying(work, what):
            self.tell(work, what, Trouble[what.name].say(), f"Since {utc(since)}: {reason}", since)

    def is_worrying(self, work: UnitOfWork, what: Outage) -> bool:
        """Has it been out of reach for so long that the operator is told?"""
        since = work.repository.mark(f"{what}.down")
        return since is not None and self._clock.now() - since >= WORRYING

    def _forget(self, work: UnitOfWork, what: Outage) -> int | None:
        since = work.repository.mark(f"{what}.down")
        if since is not None:
            work.repository.set_mark(f"{what}.down", None)
            self.tell_well(work, what, Relief[what.name].say(), f"It was not so since {utc(since)}.")
        return since

    def tell(self, work: UnitOfWork, about: str, what: Sentence, detail: str, since: int | None = None) -> None:
        """Tell the operator, unless they were told so since then, or within a day."""
        now = self._clock.now()
        told = work.repository.mark(f"{about}.told")
        if told is None or (told < (now if since is None else since) and now - told >= DAY):
            work.repository.set_mark(f"{about}.told", now)
            work.repository.set_mark(f"{about}.open", now)
            post_alarm(work.repository, what, detail, about=f"{about}.{now}", operator=self._operator, now=now)

    def tell_well(self, work: UnitOfWork, about: str, what: Sentence, detail: str) -> None:
        """Tell the operator that it is over, if they have heard of it, and of no end since."""
        now = self._clock.now()
        if work.repository.mark(f"{about}.open") is not None:
            work.repository.set_mark(f"{about}.open", None)
            post_alarm(work.repository, what, detail, about=f"{about}.well.{now}", operator=self._operator, now=now)


def _noted(work: UnitOfWork) -> set[Outage]:
    return {each for each in Outage if work.repository.mark(f"{each}.down") is not None}
