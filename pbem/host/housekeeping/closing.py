"""Closing: what has run out is closed, but only after a poll of the mailbox that began later."""

from __future__ import annotations

from collections.abc import Callable

from pbem.core.game import game_of
from pbem.host.clock.slots import first_due, note
from pbem.host.housekeeping.lapsing import lapse_due
from pbem.host.housekeeping.monotonic_clock import SLEEP
from pbem.host.housekeeping.outage import Outage
from pbem.host.lobby.seats import alarm_operator, conclude
from pbem.host.messages.alarms import Trouble
from pbem.host.play.bots import answer
from pbem.host.ports import Clock, Conflict, Game, Log, Slot, StoreDown, of_game, waited_for
from pbem.host.reporting.alarms import post_alarm
from pbem.host.session.absences import is_bots
from pbem.host.session.actors import CLOCK
from pbem.host.session.acts import Paused
from pbem.host.session.unit_of_work import Games, UnitOfWork

REACHED = "reached"  # the mark of when the poll that is under way began, once what was to be held is held
IN_A_ROW = 12  # answers of bots in one game, before other games have their turn
OUTAGE = 300  # seconds without the mailbox that may have cost somebody their answer


class ClockService:
    """Closes slots. What it costs depends on what is due, not on how many games there are."""

    def __init__(self, games: Games, clock: Clock, operator: str, log: Log) -> None:
        self._games = games
        self._clock = clock
        self._operator = operator
        self._log = log
        self._stuck: set[str] = set()  # games the operator has been told of
        self._polled: int | None = None  # when the last poll began that we completed

    def reached(self, began: int) -> None:
        """The mailbox is in reach, by a poll that began then: time while it was not does not count.

        See docs/reference/procedure.md, section 8.3.

        Only games in which something ran out meanwhile, or is about to, are held. This comes before the first letter is
        dealt with.
        """
        if self._polled is not None and 0 <= began - self._polled < OUTAGE:
            return  # nobody can have missed anything
        for game in self._games.do(lambda work: _missed(work, began)):
            self._guarded(game, began, self._hold)
        if not self._games.store.locks.is_alone and not self.has_reached(began):
            self._games.do(lambda work: work.repository.set_mark(REACHED, began))

    def has_reached(self, began: int) -> bool:
        """Has whoever leads held the games by now, so that others may deal with letters? By a poll that begins then."""
        return self._games.do(lambda work: _has_reached(work, began))

    def polled(self, began: int) -> None:
        """A poll of the mailbox that began then is complete: close what ran out before it.

        See docs/reference/procedure.md, section 8.3.
        """
        for game in self._games.do(lambda work: _due(work, began)):
            for _ in range(IN_A_ROW):
                if not self._guarded(game, began, self._lapse):
                    break
        self._polled = began

    def _guarded(self, game: str, until: int, close: Callable[[UnitOfWork, str, int], bool]) -> bool:
        """One game that can't be closed does not hold up the others. Is there more to do in it now?"""
        try:
            with waited_for(self._games.store.locks, of_game(game)):
                return self._games.do(lambda work: close(work, game, until))
        except (Conflict, StoreDown):
            raise
        except Exception as fault:  # noqa: BLE001 - whatever it is, a person must look at it
            self._log.exception("the clock of %s could not be closed", game)
            self._alarm(game, until, repr(fault))
            return False

    def _lapse(self, work: UnitOfWork, game_id: str, until: int) -> bool:
        """Is a bot asked now that need not wait?"""
        game, session = work.game(game_id), work.session(work.game(game_id))
        lapse_due(work, game, until)
        has_answered = self._let_bot_answer(work, game, until)
        if session.steps or session.unused:
            now = self._clock.now()
            alarm_operator(work, game, self._operator, now)
            conclude(work, game, now)
        return has_answered and first_due(session, until, by_bot=True) is not None

    def _let_bot_answer(self, work: UnitOfWork, game: Game, until: int) -> bool:
        """One answer, if any is due; none while no mail goes out, so that nobody is left behind."""
        session = work.session(game)
        slot = first_due(session, until, by_bot=True)
        if slot is None or work.repository.mark(f"{Outage.post}.down"):
            return False
        now = self._clock.now()
        bot = game_of(self._games.registry, session.terms.setup).bots[session.terms.level]
        fault = answer(session, bot, slot.key, now)
        if fault:
            what = Trouble.bot.say(seat=slot.seat, game=game.id)
            about = f"{game.id}.bot.{session.position.seq}"
            post_alarm(work.repository, what, fault, about=about, operator=self._operator, now=now)
        return True

    def _hold(self, work: UnitOfWork, game_id: str, until: int) -> bool:
        game, since = work.game(game_id), work.repository.polled()
        if since is not None:
            hold = Paused(by=CLOCK, start=since, end=until, cause="outage")
            note(work.session(game), since, hold)
            conclude(work, game, self._clock.now())
        return False

    def _alarm(self, game: str, until: int, fault: str) -> None:
        if game in self._stuck:
            return
        self._stuck.add(game)
        what = Trouble.closing.say(game=game)
        about, to, now = f"{game}.clock.{until}", self._operator, self._clock.now()
        self._games.do(lambda work: post_alarm(work.repository, what, fault, about=about, operator=to, now=now))

    def next_instant(self) -> int | None:
        """When time runs out next."""
        with self._games.store.transaction() as repository:
            deadline, polled = repository.next_due(), repository.polled()
        if deadline is not None and polled is not None and deadline < polled:
            return None  # it should be closed by now: hurrying does not help it
        return deadline


def _patience(work: UnitOfWork) -> tuple[int, int]:
    """Seconds without a look that cost nobody their answer, and how far ahead is looked after more than that."""
    return (OUTAGE, 0) if work.repository.mark(f"{Outage.mailbox}.down") else (SLEEP, SLEEP)


def _has_reached(work: UnitOfWork, began: int) -> bool:
    looks = (work.repository.polled(), work.repository.mark(REACHED))
    last = max((look for look in looks if look is not None), default=None)
    return last is not None and began - last < _patience(work)[0]


def _missed(work: UnitOfWork, began: int) -> list[str]:
    """Games in which something ran out while we could not look for letters, or does soon after a sleep of ours.

    A sleep may be none: all clocks of the computer may be wrong for a while.
    """
    polled, (least, soon) = work.repository.polled(), _patience(work)
    if polled is None or began - polled < least:
        return []
    due = [(game, slot) for game, slot in work.repository.due_slots(began + soon) if not is_bots(slot)]
    due = [(game, slot) for game, slot in due if not _binds(work, game, slot)]
    return list(dict.fromkeys(game for game, slot in due if slot.due is not None and slot.due >= polled))


def _binds(work: UnitOfWork, game: str, slot: Slot) -> bool:
    """Is it answered, and the answer only to be played?"""
    return any(each.seat == slot.seat and each.binds == (slot.due or 0) + 1 for each in work.repository.filed(game))


def _due(work: UnitOfWork, began: int) -> list[str]:
    """Note the poll; the games in which something ran out before it."""
    work.repository.set_polled(began)
    if work.repository.mark(REACHED) is not None:
        work.repository.set_mark(REACHED, None)
    return list(dict.fromkeys(game for game, _ in work.repository.due_slots(began)))
