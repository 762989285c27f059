"""A computer's clock that was put back: time stands still till it is good again (procedure.md, section 8.1)."""

from __future__ import annotations

from datetime import UTC, datetime

from pbem.service.clock.outages import Outages
from pbem.service.clock.pauses import Window, windows
from pbem.service.letters.publish import publish
from pbem.service.play.acts import Act, Paused, Resumed
from pbem.service.play.games import Desk, Games
from pbem.service.play.referee import Referee
from pbem.service.ports import Clock

BACK = 60  # seconds; clocks are put right by less every day
MARK = "clock.back"  # since when the games are held
WHAT = "The computer's clock was put back. No time counts in any game until it is right again."
ADVICE = "Games go on by themselves then; “pbem game resume” lets one go on before."


class SteadyClock:
    """The computer's clock, but never earlier than it has been."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._latest = 0

    def now(self) -> int:
        self._latest = max(self._latest, self._clock.now())
        return self._latest

    def not_before(self, instant: int) -> None:
        """It has been as late as that, perhaps in another process."""
        self._latest = max(self._latest, instant)

    @property
    def behind(self) -> int:
        """Seconds by which the computer's clock is earlier than it has been."""
        return max(0, self._latest - self._clock.now())


class Watchman:
    """Holds the games while the clock is wrong, and tells the operator once."""

    def __init__(self, games: Games, clock: SteadyClock, outages: Outages) -> None:
        self._games = games
        self._clock = clock
        self._outages = outages

    def look(self) -> None:
        """Raises `Conflict`, `StoreDown`."""
        polled, since = self._games.do(lambda desk: (desk.books.polled(), desk.books.mark(MARK)))
        self._clock.not_before(polled or 0)
        behind, now = self._clock.behind, self._clock.now()
        if behind > BACK and since is None:
            self._each(Paused(by="clock", start=now, cause="outage"), now, held=False)
            self._games.do(lambda desk: self._tell(desk, behind, now))
        elif since is not None and not behind:
            self._each(Resumed(by="clock", at=now, cause="outage"), now, held=True)
            self._games.do(lambda desk: desk.books.set_mark(MARK, None))

    def _each(self, act: Act, now: int, *, held: bool) -> None:
        """In every game that runs and is, or is not, held yet: a daemon may have died over it."""
        running = self._games.do(lambda desk: [game.id for game in desk.books.games("running")])
        for game in running:
            self._games.do(lambda desk, game=game: _note(desk, game, act, now, held=held))  # type: ignore[misc]

    def _tell(self, desk: Desk, behind: int, now: int) -> None:
        desk.books.set_mark(MARK, now)
        was, is_ = (datetime.fromtimestamp(at, UTC).strftime("%Y-%m-%d %H:%M:%S UTC") for at in (now, now - behind))
        self._outages.tell(desk, "clock", WHAT, f"It has been {was}, and says {is_} now. {ADVICE}", now)


def _note(desk: Desk, game_id: str, act: Act, now: int, *, held: bool) -> None:
    game = desk.game(game_id)
    referee = desk.referee(game)
    if (_hold(referee) is not None) == held and not referee.has_ended:
        referee.note(now, act)
        publish(desk, game, now)


def _hold(referee: Referee) -> Window | None:
    """The hold of a clock that was put back, if it has not been ended."""
    ours = (each for each in windows(referee.position.done) if (each.by, each.cause) == ("clock", "outage"))
    return next((each for each in ours if each.pause.end is None), None)
