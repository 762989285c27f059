"""Whether a letter still answers what is asked: its writer had an earlier letter of ours before their eyes."""

from __future__ import annotations

from collections.abc import Sequence

from pbem.core.decision import Decision
from pbem.core.refusal import Illegal, NotAwaited
from pbem.core.seat import Seat
from pbem.host.clock.time_sheet import sheet
from pbem.host.play.results import Submission
from pbem.host.session.session import Session


class TooLate(Illegal):
    """What it is about is over: nothing of the order is kept for another time."""


def check_present(session: Session, submission: Submission, decisions: Sequence[Decision]) -> None:
    """Raises `TooLate` for an answer to a letter that was written before these questions were asked."""
    seen = submission.seen
    if seen is not None and any(decision.serial > seen.serial for decision in decisions):
        raise TooLate("turn.past", then=seen.turn, now=session.position.turn)


def closed(session: Session, seat: Seat, submission: Submission, refusal: NotAwaited) -> Illegal:
    """What became of the question that the writer answers, if it is the one of a letter of ours and is over."""
    seen, about = submission.seen, refusal.about
    rows = [row for row in sheet(session.position.done) if seen and row.turn == seen.turn]
    own = [row for row in rows if row.closing.seat == seat and about in (None, row.closing.about)]
    if not own or refusal.is_open:
        return refusal
    row = own[-1]
    played = submission.answered(row.seq) if submission.answered else ""
    return TooLate("turn.closed", turn=row.turn, end=row.end, by=row.by, own=not row.forced, played=played)
