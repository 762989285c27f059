"""A letter that is heard: what became of each of its orders, and whether it comes in time and tells too much."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Literal, get_args

from msgspec import Struct
from msgspec.structs import replace

from pbem.core.decision import Decision
from pbem.core.game import AnyOrder
from pbem.core.lapse import Lapsed
from pbem.core.refusal import Illegal, NotAwaited, Refusal
from pbem.core.seat import Seat
from pbem.host.calendar.zones import DAY
from pbem.host.clock.time_sheet import sheet
from pbem.host.session.acts import Act, Away, Back, Interpreted, Objected, Petitioned, Withdrawn
from pbem.host.session.budget import TOLD, TOLD_A_DAY, check_words
from pbem.host.session.proposal import Found
from pbem.host.session.session import Session
from pbem.language.statements import Statement

Changed = Literal[
    "played", "filed", "drafted", "set", "withdrawn", "done", "asked", "posted", "voted", "heard", "binds", "undone"
]
Outcome = Changed | Literal["refused", "held", "shown", "nothing", "unused", "passed", "tried", "sent", "unsent"]


class Result(Struct, frozen=True, kw_only=True):
    """What became of one order of a letter."""

    outcome: Outcome
    text: str  # as the writer wrote it
    line: int
    refusal: Refusal | None = None
    kept: str | None = None  # what of it is on file now, in the order language
    seq: int | None = None  # the entry it made
    aside: Statement[AnyOrder] | None = None  # for the house to answer
    to: tuple[str, ...] = ()  # the seats that press has gone to
    flaws: tuple[Lapsed, ...] = ()  # what else in it can't be done
    told: Mapping[str, Any] = {}  # what more there is to say of what was done, as the sentence `says.OUTCOME` needs it


def aside(statement: Statement[AnyOrder], *, stopped: bool = False) -> Result:
    """A word to the house, which will answer it; press of a letter that is stopped goes nowhere."""
    if statement.refusal:
        return result("refused", statement, refusal=statement.refusal)
    if statement.to and stopped:
        return result("unsent", statement)
    return result("shown", statement, aside=statement)


def tried(found: Result) -> Result:
    """Of a preview: nothing was played, nothing is on file, nothing was chosen, no press was sent."""
    if found.aside and found.aside.to:
        return replace(found, outcome="unsent", aside=None, refusal=Illegal("press.preview"))
    if found.aside and found.aside.command.kind == "preference" and found.aside.rest:
        return replace(found, outcome="held", aside=None)
    return replace(
        found, outcome="tried" if found.outcome in get_args(Changed) else found.outcome, kept=None, seq=None, told={}
    )


def result(outcome: Outcome, statement: Statement[AnyOrder], **more: Any) -> Result:
    return Result(outcome=outcome, text=statement.text, line=statement.line, **more)


# -- the letter ---


class ReplyContext(Struct, frozen=True, kw_only=True):
    """What the writer had before their eyes: the letter of ours that they answer."""

    turn: int
    serial: int  # of the last question that had been asked then; -1 when that part of the game was taken back
    seq: int = -1  # of the last entry that it told


class Submission(Struct, frozen=True, kw_only=True):
    """The letter that is being heard."""

    at: int
    letter: str | None = None  # its id
    cause: str = "letter"
    seen: ReplyContext | None = None  # unless it answers no letter about a turn
    zone: str = "UTC"  # in which its writer means their times
    check_words: Callable[[str], None] | None = None  # raises `Illegal` for what the others must not read
    is_limited: bool = False  # has what it tells all the others a limit?
    deputy: str = ""  # who writes in the place of the player, as the log calls them
    proposed: Callable[[], Found | None] | None = None  # what a yes in it may be about
    holds: bool = False  # do its orders bind only after the time in which they may be taken back, if there is any?
    answered: Callable[[int], str] | None = None  # what the writer's question got in that entry, in the order language


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
    own = [row for row in rows if row.seat == seat and about in (None, row.about)]
    if not own or refusal.is_open:
        return refusal
    row = own[-1]
    played = submission.answered(row.seq) if submission.answered else ""
    return TooLate("turn.closed", turn=row.turn, end=row.end, by=row.by, own=not row.forced, played=played)


# -- what is told to all ---


def check_telling(session: Session, seat: str, submission: Submission, words: str = "") -> None:
    """Raises `Illegal` when all the others have had letters enough because of this player, where that is limited.

    `words`: what they shall read.
    """
    if not submission.is_limited:
        return
    told = [act for act in session.acts if _tells(act, seat)]
    if len(told) >= TOLD:
        raise Illegal("told.letter", most=TOLD)
    if words:
        before = (text for act in told for text in _words(act))
        check_words("petition.too_long", *before, words, further=len(told))
    mine = [each.at for each in session.position.done if _tells(each.act, seat)][-TOLD_A_DAY:]
    if len(mine) == TOLD_A_DAY and mine[0] > submission.at - DAY:
        raise Illegal("told.day", most=TOLD_A_DAY, at=mine[0] + DAY)


def _tells(act: Act, seat: str) -> bool:
    return isinstance(act, Away | Back | Petitioned | Withdrawn | Interpreted | Objected) and act.by == seat


def _words(act: Act) -> tuple[str, ...]:
    match act:
        case Petitioned(title=title, text=text):
            return title, text
        case Interpreted(text=text) | Objected(text=text):
            return (text,)
        case _:
            return ()
