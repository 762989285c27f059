"""`play`: the draft on file is played; with a seat behind it, the time of a player who is late ends."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from msgspec.structs import replace

from pbem.core.decision import Decision
from pbem.core.refusal import Illegal
from pbem.core.seat import Seat
from pbem.host.clock.timing import slot_of, timing_of
from pbem.host.play.executor import CommandExecutor, GameCommand
from pbem.host.play.results import Result, result
from pbem.host.ports import FiledOrder
from pbem.host.session.filed_orders import drafts, order_of
from pbem.language.statements import Statement


def _parts(executor: CommandExecutor, statement: Statement[Any]) -> Sequence[Statement[Any]]:
    """Of several orders on file for one question each by itself."""
    _, kept = _drafted(executor)
    return [replace(statement, text=each.text) for each in kept] if len(kept) > 1 else [statement]


def _play(executor: CommandExecutor, statement: Statement[Any]) -> Result:
    """Play the next draft of the first question that has one."""
    decision, kept = _drafted(executor)
    if decision is None:
        raise Illegal("draft.absent")
    played = executor.played(statement, order_of(executor.session, kept[0]), [decision], "draft")
    executor.session.record.discard(kept[0])
    return played


def _drafted(executor: CommandExecutor) -> tuple[Decision | None, Sequence[FiledOrder]]:
    session, seat = executor.session, executor.seat
    all_ = ((each, drafts(session, each)) for each in session.pending() if each.seat == seat)
    return next(((decision, kept) for decision, kept in all_ if kept), (None, ()))


def _roll_out(executor: CommandExecutor, statement: Statement[Any]) -> Result:
    """End the time of another player who is late (docs/reference/procedure.md, section 2)."""
    session, late = executor.session, Seat(statement.rest)
    if late == executor.seat:
        return _play(executor, statement)
    if session.terms.policy != "on_request":
        raise Illegal("rollout.not_here")
    witness = statement.witness
    if witness in (late, executor.seat):
        raise Illegal("rollout.witness", seat=late, read=witness)
    slots, timing = session.record.slots(), timing_of(session)
    theirs = [(decision, slot_of(slots, decision)) for decision in session.pending() if decision.seat == late]
    over = [decision for decision, slot in theirs if slot and timing.is_overdue(slot, executor.at)]
    if not over:
        ends = [timing.may_be_ended(slot) for _, slot in theirs if slot]
        raise Illegal("rollout.not_overdue", seat=late, ends=min((end for end in ends if end), default=None))
    for decision in over:
        executor.adjudicator.lapse(decision, executor.at, by=executor.seat, witness=witness)
    return result("played", statement, seq=session.position.seq)


PLAY = GameCommand(name="play", words=("play|rollout|done", "spiele|fertig", "gioca|fatto"), do=_play, parts=_parts)
ROLLOUT = GameCommand(
    name="rollout",
    part_of="play",
    behind="SEAT [COMMA? K_WITNESS SEAT]",
    keywords={"K_WITNESS": ("witness", "Zeuge|Zeugin", "testimone")},
    kept_from_deputies="own",
    do=_roll_out,
)
