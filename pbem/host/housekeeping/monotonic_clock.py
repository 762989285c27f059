"""A clock that is believed only while nothing contradicts it (docs/reference/procedure.md, section 8.1).

Three witnesses say how late it is: the computer's clock, which people and programs put forward and back; what has
elapsed by a clock that nobody can set; and the mailbox, whose server stamps each letter as it comes. The books hold the
last instant at which all was well.

- Put back: time stands still at the latest instant that was told, until the computer's clock has come there again.
  What it does towards that while nobody looks counts for nothing: all clocks of a computer may have leapt together
  once more. So much is `owed` when it has come there.
- Put forward by more than `STEP`, and less has elapsed: not believed. Time goes on by what elapses, so that nothing in
  the books, no deadline and no Date shows the wrong instant; when the clock comes back, nothing has happened. Less than
  that is a correction, and does no harm.
- A machine that was suspended looks the same, where its other clock stood still, too. So the computer's clock is
  believed after all when a letter arrives about then, or when it has gone on evenly for an hour with no witness against
  it; a leap of more than `LONGEST` only by a letter after a restart, or by whoever looks after the server.
- After a restart nothing is known of what has elapsed. Up to `DOWNTIME` since the last look for letters is believed at
  once; more than that as above: who was away for a month waits for the first letter, an hour at most.
- Before `WRITTEN` no clock can be right: what it says then, as after the start of a computer without a battery, is no
  witness against what it says later.

Summer time has nothing to do with it: all of it is in UTC.
"""

from __future__ import annotations

from threading import Lock

from msgspec import Struct

from pbem.host.ports import Timepiece

STEP = 600  # seconds by which clocks are put right, or drift apart between two looks
PATIENCE = 3_600  # seconds after which a clock that goes on evenly is believed
DOWNTIME = 3 * 86_400  # seconds for which a server may be off without a question
LONGEST = 60 * 86_400  # seconds; more is believed only if somebody says so
SLEEP = 7_200  # seconds in which nobody looked: longer than between the rounds of any cron
WRITTEN = 1_767_225_600  # 2026-01-01


class _Look(Struct, frozen=True):
    """What the hands showed, and what had elapsed."""

    hands: int
    elapsed: float

    def gone(self, since: _Look) -> float:
        """Seconds that have elapsed; a clock that nobody can set does not go back, whatever it says."""
        return max(0.0, self.elapsed - since.elapsed)


class MonotonicClock:
    """The computer's clock, but never earlier than it has been, and not ahead of all other witnesses."""

    def __init__(self, clock: Timepiece) -> None:
        self._clock = clock
        self._latest = 0
        self._right: _Look | None = None  # when all agreed last
        self._since: int = STEP  # seconds by which the clock may be ahead of that and of what has elapsed since
        self._doubted: _Look | None = None  # since when it is not believed
        self._last: _Look | None = None
        self.owed = 0  # seconds by which time is to stand still when the clock is no longer behind
        self._one_at_a_time = Lock()  # mails that go at the same time all ask

    def now(self) -> int:
        with self._one_at_a_time:
            look = self._look()
            self._reckon_owed(look)
            if self._is_believed(look):
                self._believe(look)
            else:
                self._doubt(look)
            return self._latest

    def not_before(self, instant: int) -> None:
        """It has been as late as that, perhaps in another process."""
        if self._right is None and instant:
            self._known(instant)
        self._latest = max(self._latest, instant)

    def heard(self, arrived: int) -> None:
        """A letter reached the mailbox then, by its server's clock: so late it is, unless both are wrong."""
        now = self.now()
        if self._doubted is None or arrived > self.hands + STEP:
            return
        if arrived <= now:
            self._doubt_on(arrived)
        elif self._since == DOWNTIME or arrived - now <= LONGEST:
            self._known(arrived)
            self._latest = arrived

    def believe(self) -> None:
        """The computer's clock is right, even if it is earlier than it has been: somebody has said so."""
        self._latest = self.owed = 0
        self._believe(self._look())

    @property
    def hands(self) -> int:
        """What the computer's clock shows, right or wrong."""
        return self._clock.now()

    @property
    def behind(self) -> int:
        """Seconds by which the computer's clock is earlier than it has been."""
        return max(0, self._latest - self.hands)

    @property
    def ahead(self) -> int:
        """Seconds by which the computer's clock is later than is believed; 0 while it is."""
        now = self.now()
        return 0 if self._doubted is None else max(0, self.hands - now)

    # -- witnesses ---

    def _look(self) -> _Look:
        return _Look(self._clock.now(), self._clock.elapsed())

    def _reckon_owed(self, look: _Look) -> None:
        """A clock that is put back, once more or for the first time, shows itself how far it is behind."""
        last, self._last = self._last, look
        if last is None or look.hands < last.hands:
            self.owed = 0
        elif look.gone(last) >= SLEEP:
            self.owed += max(0, min(self._latest - last.hands, int(look.gone(last))))

    def _known(self, instant: int) -> None:
        """It was as late as that some time before now."""
        self._right, self._since = _Look(instant, self._clock.elapsed()), DOWNTIME

    def _is_believed(self, look: _Look) -> bool:
        right = self._right
        if right is None or right.hands < WRITTEN:
            return True
        leap, gone = look.hands - right.hands, look.gone(right)
        return leap <= min(LONGEST, gone + self._since) or self._has_lasted(look, leap)

    def _has_lasted(self, look: _Look, leap: int) -> bool:
        """Has it gone on evenly since it was doubted?"""
        doubted = self._doubted
        return doubted is not None and leap <= LONGEST and look.gone(doubted) >= PATIENCE

    def _believe(self, look: _Look) -> None:
        """While it is earlier than it has been, the witnesses of before stay."""
        self._doubted = None
        if look.hands >= self._latest:
            self._right, self._since, self._latest = look, STEP, look.hands

    def _doubt(self, look: _Look) -> None:
        """Time goes on by what elapses, unless that has leapt, too."""
        assert self._right is not None, "there is a witness"
        if self._doubted is None or not self._goes_evenly(look, self._doubted):
            self._doubted = look
        gone = look.gone(self._right)
        if gone <= LONGEST:
            self._latest = max(self._latest, self._right.hands + int(gone))

    def _doubt_on(self, arrived: int) -> None:
        """The mailbox says that it is no later than is believed."""
        if self._right is not None and arrived > self._right.hands:
            self._doubted = self._look()

    def _goes_evenly(self, look: _Look, since: _Look) -> bool:
        return abs(look.hands - since.hands - look.gone(since)) <= STEP
