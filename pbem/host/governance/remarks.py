"""Remarks on turns: how a player reads another's order, and objections to reports.

See docs/reference/procedure.md, section 7.

Only the player whose turn it is may make one, and only about what came after their own last turn: who has rolled out
has let the rest pass. Nothing of the game changes by a remark.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from pbem.core.decision import TURN
from pbem.core.refusal import Illegal
from pbem.host.clock.slots import note
from pbem.host.clock.time_sheet import sheet
from pbem.host.messages.parts import Kept
from pbem.host.session.acts import Decided, Done, Interpreted, Objected, Petitioned, Rewound, Ruled
from pbem.host.session.session import Session
from pbem.language.petitions import Remark

Status = Literal["open", "upheld", "dismissed", "settled"]


class Objection(Struct, frozen=True, kw_only=True):
    """An objection as it stands."""

    said: Objected
    status: Status = "open"
    by: str = ""  # who has decided it: as the log calls them, or a petition such as "P-1"
    why: str = ""


def interpretations(done: Sequence[Done]) -> tuple[Interpreted, ...]:
    """All that stand, by number: one of a turn that was taken back is about nothing."""
    found: dict[int, Interpreted] = {}
    gone: set[int] = set()
    for each in done:
        match each.act:
            case Interpreted(number=number) as said:
                found[number] = said
            case Rewound(forward=True):
                gone.clear()
            case Rewound(turn=turn):
                gone |= {number for number, said in found.items() if said.turn >= turn}
            case _:
                pass
    return tuple(said for number, said in found.items() if number not in gone)


def objections(done: Sequence[Done]) -> tuple[Objection, ...]:
    """All there have been, by number. A clarification that names one and passes settles it."""
    found: dict[int, Objection] = {}
    asked: dict[int, Petitioned] = {}
    for each in done:
        match each.act:
            case Objected(number=number) as said:
                found[number] = Objection(said=said)
            case Ruled(number=number) as ruled:
                status: Status = "upheld" if ruled.upheld else "dismissed"
                found[number] = replace(found[number], status=status, by=ruled.by, why=ruled.why)
            case Petitioned(kind="clarify") as petition:
                asked[petition.number] = petition
            case Decided(passed=True, number=number) if number in asked:
                for one in _named(asked[number], found):
                    found[one] = replace(found[one], status="settled", by=f"P-{number}")
            case _:
                pass
    return tuple(found.values())


def _named(petition: Petitioned, known: dict[int, Objection]) -> list[int]:
    """The open objections that its title names."""
    numbers = [int(number) for number in re.findall(r"\bO-(\d{1,4})\b", petition.title, re.IGNORECASE)]
    return [number for number in numbers if number in known and known[number].status == "open"]


# -- making them ---


def remark(session: Session, seat: str, said: Remark, at: int) -> None:
    """Make a remark. Raises `Illegal`."""
    if not any(decision.seat == seat and decision.is_turn for decision in session.pending()):
        raise Illegal("remark.not_active")
    if not said.text:
        raise Illegal("remark.empty")
    note(session, at, _interpreted(session, seat, said) if said.kind == "interpret" else _objected(session, seat, said))


def _interpreted(session: Session, seat: str, said: Remark) -> Interpreted:
    done, now = session.position.done, session.position.turn
    who = session.parser.seat(said.seat)
    if who == seat:
        raise Illegal("remark.own")
    if not any(row.turn == said.turn and row.seat == who for row in sheet(done)) or said.turn > now:
        raise Illegal("remark.nothing_said", seat=who, turn=said.turn)
    _check_not_forfeited(session, seat, said.turn)
    first = next((each for each in interpretations(done) if (each.seat, each.turn) == (who, said.turn)), None)
    if first is not None:
        raise Illegal("remark.first", name=f"I-{first.number}", by=first.by)
    number = 1 + sum(isinstance(each.act, Interpreted) for each in done)
    return Interpreted(by=seat, number=number, seat=who, turn=said.turn, text=said.text)


def _objected(session: Session, seat: str, said: Remark) -> Objected:
    done, now = session.position.done, session.position.turn
    if not 0 < said.turn < now:
        raise Illegal("remark.no_report", read=f"R-{said.turn}", last=f"R-{now - 1}" if now > 1 else None)
    _check_not_forfeited(session, seat, said.turn)
    return Objected(by=seat, number=1 + len(objections(done)), turn=said.turn, text=said.text)


def _check_not_forfeited(session: Session, seat: str, turn: int) -> None:
    own = [row.turn for row in sheet(session.position.done) if _is_own_turn(row, seat, session.position.turn)]
    if turn < max(own, default=0):
        raise Illegal("remark.forfeited", turn=turn, since=max(own))


def _is_own_turn(row: Kept, seat: str, now: int) -> bool:
    """Have they rolled out in it? What was taken back since is still to come."""
    return row.seat == seat and row.kind == TURN and row.turn < now


# -- deciding objections ---


def rule(session: Session, number: int, by: str, at: int, why: str, *, upheld: bool) -> None:
    """Decide an objection. Raises `Illegal`."""
    known = {objection.said.number: objection for objection in objections(session.position.done)}
    if number not in known:
        open_ = tuple(f"O-{each.said.number}" for each in known.values() if each.status == "open")
        raise Illegal("objection.unknown", read=f"O-{number}", open=open_)
    if known[number].status != "open":
        raise Illegal("objection.over", name=f"O-{number}", status=known[number].status)
    note(session, at, Ruled(by=by, number=number, upheld=upheld, why=why))
