"""What we propose to the writer of a letter of which not all was done.

Nothing is proposed but what is certain: one text alone that fits what is asked, and would be done whole.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Literal, get_args

from pbem.core.decision import Answer, Decision
from pbem.core.game import AnyOrder
from pbem.core.refusal import Illegal
from pbem.core.seat import Seat
from pbem.host.play.results import Changed, Result
from pbem.host.session.filed_orders import filed, left_open
from pbem.host.session.proposal import Proposal
from pbem.host.session.session import Session
from pbem.language.command import ORDER
from pbem.language.statements import Statement

MOST = 5  # lines of one letter for which something is proposed
OPEN = ("refused", "held", "tried")  # outcomes of what might still be done
DONE = (*get_args(Changed), "shown")  # of what would be done by a yes

Rehearse = Callable[[Sequence[str]], Sequence[Result]]  # what would become of these lines


def propose(
    session: Session, seat: Seat, statements: Sequence[Statement[AnyOrder]], results: Sequence[Result], try_: Rehearse
) -> Proposal | None:
    """One text in the place of all that was not done; None where it is not certain."""
    became = {(each.line, each.text): each for each in results}
    said = [(each, became.get((each.line, each.text))) for each in statements if not each.command.aside]
    left = [(each, found) for each, found in said if found and found.outcome in OPEN]
    if not left or len(left) > MOST or all(found.outcome == "held" for _, found in left):
        return None
    lines: list[str] = []
    for statement, found in left:
        fitting = {text for text in _meant(session, seat, statement, found) if does(try_, [*lines, *_lines(text)])}
        if len(fitting) != 1:
            return None
        lines += _lines(*fitting)
    now = session.position
    return Proposal(
        text="\n".join(lines),
        kind=_kind([found for _, found in left]),
        serials=_answered(session, seat, lines),
        seq=now.seq,
        turn=now.turn,
        plays=any(each.outcome == "played" for each in try_(lines)),
    )


def propose_subject(session: Session, seat: Seat, subject: str, try_: Rehearse) -> Proposal | None:
    """The order that stands in the subject of a letter which says nothing else; None where that is none."""
    said = session.parser.read([subject])
    if said.passed or any(each.refusal or each.command.aside or each.motion for each in said.statements):
        return None
    lines = [line for each in said.statements for text in whole(session, seat, each) for line in text.splitlines()]
    if not lines or not does(try_, lines):
        return None
    now = session.position
    serials = _answered(session, seat, lines)
    return Proposal(text="\n".join(lines), kind="subject", serials=serials, seq=now.seq, turn=now.turn)


def _kind(left: Sequence[Result]) -> Literal["preview", "mended", "part"]:
    if any(each.outcome == "tried" for each in left):
        return "preview"
    return "part" if any(isinstance(each.refusal, Illegal) for each in left) else "mended"


def does(try_: Rehearse, lines: Sequence[str]) -> bool:
    """Would each of these be done, as it is?"""
    return all(each.outcome in DONE and not each.refusal for each in try_(lines))


def _lines(text: str) -> Sequence[str]:
    return text.splitlines()


def _answered(session: Session, seat: Seat, lines: Sequence[str]) -> tuple[int, ...]:
    """The questions that these lines answer."""
    said = session.parser.read(lines).statements
    orders = (each.order for each in said if each.command is ORDER and each.order is not None)
    return tuple(sorted({one.serial for order in orders for one in _asked(session, seat, order)}))


def _meant(session: Session, seat: Seat, statement: Statement[AnyOrder], found: Result) -> Iterator[str]:
    """The texts that may be in the place of a line."""
    if found.outcome != "refused":
        yield from whole(session, seat, statement)
    elif statement.refusal:
        yield from (text for each in session.parser.mended(statement) for text in whole(session, seat, each))
    elif found.kept and statement.command is ORDER and found.kept != session.rules.notation.write(statement.ordered):
        yield from [found.kept] if session.parser.goes_on(found.kept) else []


def whole(session: Session, seat: Seat, statement: Statement[AnyOrder]) -> Iterator[str]:
    """What a line says that can be read, with whose it is, as it would be kept on file."""
    command, order = statement.command, statement.order
    if command.name in ("play", "rollout") and not _closes(session, seat, command.name):
        yield from (each.text for each in filed(session, seat, "draft"))
    elif order is None:
        yield statement.text
    elif command is ORDER:
        yield _complete(session, seat, order)
    else:
        yield f"{command.ways[0]} {session.rules.notation.write(order)}"


def _closes(session: Session, seat: Seat, word: str) -> bool:
    """Does it stand for more than the draft: for the end of a question that stays open for many orders?"""
    return word == "rollout" and any(left_open(session, seat))


def _complete(session: Session, seat: Seat, order: AnyOrder) -> str:
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
