"""What we propose to the writer of a letter of which not all was played, and whether that still stands.

Nothing is proposed but what is certain: one text alone that fits what is asked, and would be played whole.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Literal

from pbem.core.decision import Answer, Decision
from pbem.core.game import AnyOrder
from pbem.core.refusal import Illegal
from pbem.core.seat import Seat
from pbem.host.clock.time_sheet import sheet
from pbem.host.play.results import Result, TooLate
from pbem.host.session.acts import Rewound
from pbem.host.session.filed_orders import filed
from pbem.host.session.proposal import Found, Proposal
from pbem.host.session.session import Session
from pbem.language.ballots import Ballot
from pbem.language.command import UNREAD
from pbem.language.statements import Reading, Statement
from pbem.language.tokens import fold, tokenize
from pbem.language.words import TABLES

MOST = 5  # lines of one letter for which something is proposed
OPEN = ("refused", "held", "tried")  # outcomes of what might still be played
_YES = frozenset(fold(way) for way in TABLES["implied"]["for"])

Rehearse = Callable[[Sequence[str]], Sequence[Result]]  # what would become of these lines


def propose(
    session: Session, seat: Seat, statements: Sequence[Statement[AnyOrder]], results: Sequence[Result], try_: Rehearse
) -> Proposal | None:
    """One text in the place of all that was not played; None where it is not certain."""
    became = {(each.line, each.text): each for each in results}
    said = [(each, became.get((each.line, each.text))) for each in statements if not each.command.aside]
    left = [(each, found) for each, found in said if found and found.outcome in OPEN]
    if not left or len(left) > MOST or all(found.outcome == "held" for _, found in left):
        return None
    texts: list[str] = []
    for statement, found in left:
        fitting = {text for text in _meant(session, seat, statement, found) if _plays(try_, [*texts, text])}
        if len(fitting) != 1:
            return None
        texts += fitting
    lines = [line for text in texts for line in text.splitlines()]
    asked = {one.serial for text in texts for one in _asked(session, seat, session.parser.order(text))}
    text, serials, now = "\n".join(lines), tuple(sorted(asked)), session.position
    return Proposal(text=text, kind=_kind([found for _, found in left]), serials=serials, seq=now.seq, turn=now.turn)


def _kind(left: Sequence[Result]) -> Literal["preview", "mended", "part"]:
    if any(each.outcome == "tried" for each in left):
        return "preview"
    return "part" if any(isinstance(each.refusal, Illegal) for each in left) else "mended"


def _plays(try_: Rehearse, texts: Sequence[str]) -> bool:
    """Would each of these be played, as it is?"""
    return all(each.outcome == "played" for each in try_([line for text in texts for line in text.splitlines()]))


def _meant(session: Session, seat: Seat, statement: Statement[AnyOrder], found: Result) -> Iterator[str]:
    """The texts that may be in the place of a line."""
    write = session.rules.notation.write
    if found.outcome != "refused":
        if statement.command.name == "play":
            yield from (each.text for each in filed(session, seat, "draft"))
        elif statement.command.name == "order":
            yield _whole(session, seat, statement.ordered)
    elif statement.command is UNREAD:
        yield from (_whole(session, seat, order) for order in session.parser.mended(statement))
    elif found.kept and statement.command.name == "order" and found.kept != write(statement.ordered):
        yield from [found.kept] if session.parser.goes_on(found.kept) else []


def _whole(session: Session, seat: Seat, order: AnyOrder) -> str:
    """The order with whose it is, as it would be kept on file."""
    for decision in _asked(session, seat, order):
        part = session.rules.files.legal_part(session.state, Answer(seat=seat, order=order, decision=decision))
        if part is not None:
            return session.rules.notation.write(part)
    return session.rules.notation.write(order)


def _asked(session: Session, seat: Seat, order: AnyOrder) -> Sequence[Decision]:
    try:
        return session.rules.address(session.state, seat, order)
    except Illegal:
        return ()


# -- a yes to it ---


def yes_in(reading: Reading[AnyOrder]) -> Statement[AnyOrder] | None:
    """The line that is a yes or begins with one, and names no petition."""
    return next((each for each in reading.statements if _is_yes(each)), None)


def _is_yes(statement: Statement[AnyOrder]) -> bool:
    said = statement.motion
    if isinstance(said, Ballot):
        return said.implied and said.vote == "for"
    return statement.command is UNREAD and tokenize(statement.text, 1)[0].text in _YES


def why_not(session: Session, seat: Seat, found: Found) -> Illegal | None:
    """Why it stands no more."""
    proposal, done = found.proposal, session.position.done
    open_ = {decision.serial for decision in session.pending() if decision.seat == seat}
    back = any(isinstance(each.act, Rewound) and each.seq > proposal.seq for each in done)
    stands = open_.issuperset(proposal.serials) if proposal.serials else session.position.seq == proposal.seq
    if stands and not back and not found.used:
        return None
    rows = [row for row in sheet(done) if (row.seat, row.turn) == (seat, proposal.turn) and row.seq > proposal.seq]
    return TooLate("proposal.over", turn=proposal.turn, end=rows[-1].end if rows else None)
