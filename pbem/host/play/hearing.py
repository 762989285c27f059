"""A letter comes before a game: what it says is done, or only tried."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from pbem.core.seat import Seat
from pbem.host.governance import silence
from pbem.host.play.executor import CommandExecutor
from pbem.host.play.results import Result, Submission
from pbem.host.session.session import Session


def hear(
    session: Session,
    seat: Seat,
    lines: Sequence[str],
    submission: Submission,
    is_power: Callable[[str], bool] | None = None,
) -> list[Result]:
    """Read a letter's lines and do what can be done; the results stand in the order written, prose last."""
    reading = session.parser.read(lines, is_power)
    if submission.cause == "letter":
        silence.broken(session, seat, submission.at)
    return CommandExecutor(session, seat, submission).execute(reading)


def rehearse(session: Session, seat: Seat, lines: Sequence[str], at: int) -> list[Result]:
    """What these orders would do; nothing changes."""
    return CommandExecutor(session.copy(seat), seat, Submission(at=at)).do(session.parser.read(lines))
