"""The powers of a moderator over a game under way: each use is an act in its log, with who, what and why.

They work on a session and its record, so that letters, the command line and play files use the same ones.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from pbem.core.game import AnyEntry
from pbem.core.refusal import Illegal
from pbem.core.seat import Seat
from pbem.host.clock.slots import note
from pbem.host.moderation.powers import check_explained, power, use_powers
from pbem.host.play.results import Result
from pbem.host.session.absences import held
from pbem.host.session.acts import Act
from pbem.host.session.position import Position
from pbem.host.session.session import Session
from pbem.host.session.terms import Terms
from pbem.language.moderators import ModeratorCommand, Power
from pbem.language.words import PRESS_WORDS

WholeLog = Callable[[], tuple[Sequence[AnyEntry], Sequence[Position]]]
Parties = Callable[[Session, Power], Sequence[str]]  # the seats that a ruling is about


class GamePower(ModeratorCommand, frozen=True, kw_only=True):
    """Does something in a game that is under way, whoever plays it."""

    do: Callable[[Moderation, Power], None]  # it raises `Refusal`; then nothing has changed
    parties: Parties = lambda _session, _power: ()  # whose cause it is: no moderators rule on themselves
    anytime: bool = False  # also when the game is over


game_power = partial(power, GamePower)


class Moderation:
    """Somebody who presides over a game, for the length of one letter.

    `terms` are those in force, `log` tells the whole log with the blank position and the one after each entry; `seat`
    is where whoever presides plays.
    """

    def __init__(
        self,
        session: Session,
        terms: Callable[[], Terms],
        log: WholeLog,
        *,
        by: str,
        now: int,
        zone: str = "UTC",
        seat: str = "",
    ) -> None:
        self.session = session
        self.terms = terms
        self.log = log
        self.by = by
        self.now = now
        self.zone = zone
        self._own = seat

    def hear(self, lines: Sequence[str]) -> list[Result]:
        """Use the powers in these lines."""
        return use_powers(self.session.parser.powers(lines), self.do)

    def do(self, power: Power) -> None:
        """Raises `Refusal`; then nothing has changed."""
        command = power.command if isinstance(power.command, GamePower) else None
        if self._own and command and self._own in command.parties(self.session, power):
            raise Illegal("power.own_cause")
        check_explained(power, "running")
        if self.session.has_ended and not (command and command.anytime):
            raise Illegal("game.over")
        if command is None:
            raise Illegal("power.not_here")
        command.do(self, power)

    def note(self, act: Act) -> None:
        note(self.session, self.now, act)

    def seats(self, power: Power) -> Sequence[Seat]:
        """One, or all whose time runs. Raises `Illegal`."""
        if not is_everybody(power.fields["seat"]):
            return (self.seat(power),)
        running = awaited_seats(self.session)
        if not running:
            raise Illegal("deadline.nobody")
        return running

    def seat(self, power: Power) -> Seat:
        return self.session.parser.seat(power.fields["seat"])


def of_time(session: Session, power: Power) -> Sequence[Seat]:
    """Whose time it is, or how late they were."""
    written = power.fields["seat"]
    return awaited_seats(session) if is_everybody(written) else (session.parser.seat(written),)


def awaited_seats(session: Session) -> Sequence[Seat]:
    """Those whose time runs; where a bot answers there is none."""
    bots = held(session.position.done)
    running = (Seat(slot.seat) for slot in session.record.slots() if slot.started is not None and slot.seat not in bots)
    return tuple(dict.fromkeys(running))


def is_everybody(written: str) -> bool:
    return written.casefold() in PRESS_WORDS["EVERYBODY"]
