"""While the computer's clock can't be believed time stands still in all games, and the operator knows."""

from __future__ import annotations

from datetime import UTC, datetime

from pbem.host.clock.slots import note
from pbem.host.housekeeping.clock_state import DOUBTED
from pbem.host.housekeeping.monotonic_clock import MonotonicClock
from pbem.host.housekeeping.outage import Outage
from pbem.host.housekeeping.outages import Outages
from pbem.host.lobby.seats import conclude
from pbem.host.messages.alarms import Relief, Trouble
from pbem.host.session.actors import CLOCK
from pbem.host.session.acts import Act, Paused, Resumed
from pbem.host.session.pauses import Window, windows
from pbem.host.session.session import Session
from pbem.host.session.unit_of_work import Games, UnitOfWork

BACK = 60  # seconds; clocks are put right by less every day
QUIET = 300  # seconds without a word of another daemon whose clock is wrong
DOWN = f"{Outage.clock}.down"  # when the first did, so that all who watch the server see it
BELIEVED = "clock.believed"  # what the computer's clock showed when somebody said that it is right

ADVICE = (
    "Put it right (NTP), and games go on by themselves. If it is right now, say so: “pbem clock --believe”. "
    "“pbem game resume” lets one game go on before."
)


class ClockMonitor:
    """Holds the games while the clock is wrong, and tells the operator once, and when it is well again."""

    def __init__(self, games: Games, clock: MonotonicClock, outages: Outages) -> None:
        self._games = games
        self._clock = clock
        self._outages = outages
        self._was_wrong = False  # by the clock of this daemon
        self._heard: int | None = None  # what was said of it last

    def look(self) -> None:
        """Raises `Conflict`, `StoreDown`."""
        polled, since, said = self._games.do(_marks)
        self._clock.not_before(polled or 0)
        if said != self._heard:
            self._hear(said)
        ahead, behind, now = self._clock.ahead, self._clock.behind, self._clock.now()
        if ahead or behind > BACK:
            self._wrong(since, ahead - behind, now)
        elif since is not None and not behind and (self._was_wrong or now - since > QUIET):
            self._well(now)

    def _hear(self, said: int | None) -> None:
        """Somebody has said that the clock is right, of this computer or of another that shows another time."""
        self._heard = said
        if said is not None and abs(self._clock.hands - said) <= QUIET:
            self._clock.believe()

    def _wrong(self, since: int | None, by: int, now: int) -> None:
        self._was_wrong = True
        if since is None:
            self._each(Paused(by=CLOCK, start=now, cause="outage"), now, held=False)
        self._games.do(lambda work: self._tell(work, by, now))

    def _well(self, now: int) -> None:
        self._was_wrong = False
        self._each(Resumed(by=CLOCK, at=now + self._clock.owed, cause="outage"), now, held=True)
        self._clock.owed = 0
        self._games.do(lambda work: self._tell_well(work, now))

    def _each(self, act: Act, now: int, *, held: bool) -> None:
        """In every game that runs and is, or is not, held yet: a daemon may have died over it."""
        running = self._games.do(lambda work: [game.id for game in work.repository.games("running")])
        for game in running:
            self._games.do(lambda work, game=game: _note(work, game, act, now, held=held))  # type: ignore[misc]

    def _tell(self, work: UnitOfWork, by: int, now: int) -> None:
        """In each round: a fault that began within a day of the last alarm is told when that day is over."""
        began = work.repository.mark(DOWN)
        if began is None:
            work.repository.set_mark(DOWN, began := now)
        work.repository.set_mark(DOUBTED, now)
        detail = f"It should be {_utc(now)}, and it says {_utc(now + by)}. {ADVICE}"
        what = Trouble.clock_ahead if by > 0 else Trouble.clock_back
        self._outages.tell(work, Outage.clock, what.say(), detail, began)

    def _tell_well(self, work: UnitOfWork, now: int) -> None:
        for name in (DOUBTED, DOWN):
            work.repository.set_mark(name, None)
        self._outages.tell_well(work, Outage.clock, Relief.clock.say(), f"It says {_utc(now)}.")


def _marks(work: UnitOfWork) -> tuple[int | None, int | None, int | None]:
    return work.repository.polled(), work.repository.mark(DOUBTED), work.repository.mark(BELIEVED)


def _utc(instant: int) -> str:
    return datetime.fromtimestamp(instant, UTC).strftime("%Y-%m-%d %H:%M:%S UTC")


def _note(work: UnitOfWork, game_id: str, act: Act, now: int, *, held: bool) -> None:
    game = work.game(game_id)
    session = work.session(game)
    if (_hold(session) is not None) == held and not session.has_ended:
        note(session, now, act)
        conclude(work, game, now)


def _hold(session: Session) -> Window | None:
    """The hold of a clock that was wrong, if it has not been ended."""
    ours = (each for each in windows(session.position.done) if (each.by, each.cause) == (CLOCK, "outage"))
    return next((each for each in ours if each.pause.end is None), None)
