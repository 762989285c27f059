"""What becomes of the orders of a letter: `draft` and `preview` for those below, and what is kept on file."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from msgspec.structs import replace

from pbem.core.decision import Decision
from pbem.core.game import AnyOrder
from pbem.core.refusal import Illegal, NotAwaited
from pbem.core.seat import Seat
from pbem.host.clock.slots import recount
from pbem.host.clock.timing import slot_of, timing_of
from pbem.host.commands.aside import Query, QueryContext
from pbem.host.messages.sections import Told
from pbem.host.play.executor import CommandExecutor, GameCommand
from pbem.host.play.results import Result, aside, closed, result
from pbem.host.ports import FiledOrder
from pbem.host.reporting.answers import on_file
from pbem.host.session.acts import TimeKept
from pbem.host.session.filed_orders import binding, drafts, filed, left_open, numbered, order_of
from pbem.host.session.session import Session
from pbem.language.command import Command
from pbem.language.statements import Statement
from pbem.language.words import HEADS


def _parts(executor: CommandExecutor, statement: Statement[AnyOrder]) -> Sequence[Statement[AnyOrder]]:
    """Of several orders on file for one question each by itself, where they are played at once."""
    _, kept = _drafted(executor)
    several = len(kept) > 1 and not executor.holds
    return [replace(statement, text=each.text) for each in kept] if several else [statement]


def _play(executor: CommandExecutor, statement: Statement[AnyOrder]) -> Result:
    """Play the next draft of the first question that has one."""
    decision, kept = _drafted(executor)
    if decision is None:
        raise Illegal("draft.absent")
    if executor.holds:
        return executor.filing.bind_drafts(statement, decision, kept)
    return _play_draft(executor, statement, decision, kept[0])


def _play_draft(
    executor: CommandExecutor, statement: Statement[AnyOrder], decision: Decision, paper: FiledOrder
) -> Result:
    played = executor.played(statement, order_of(executor.session, paper), [decision], "draft")
    executor.session.record.discard(paper)
    return played


def _drafted(executor: CommandExecutor) -> tuple[Decision | None, Sequence[FiledOrder]]:
    session, seat = executor.session, executor.seat
    known = ((each, _unbound(session, each)) for each in session.pending() if each.seat == seat)
    return next(((decision, kept) for decision, kept in known if kept), (None, ()))


def _unbound(session: Session, decision: Decision) -> list[FiledOrder]:
    """The drafts for a question of which none is about to be played."""
    return [each for each in drafts(session, decision) if each.binds is None]


def _until_closed(executor: CommandExecutor, statement: Statement[AnyOrder]) -> Iterator[Statement[AnyOrder]]:
    """Each order on file for a question that stays open for many, then the one that closes it."""
    asked, closing = _open(executor)
    if asked is None or closing is None or executor.holds:
        yield from _parts(executor, statement)
        return
    session = executor.session
    while asked in session.pending() and (kept := _unbound(session, asked)):
        yield replace(statement, text=kept[0].text)
    if asked in session.pending():
        yield statement


def _of_their_own(executor: CommandExecutor, statement: Statement[AnyOrder]) -> Iterable[Statement[AnyOrder]]:
    """Whoever names their own seat ends their own time."""
    return _until_closed(executor, statement) if statement.rest == executor.seat else [statement]


def _roll_out(executor: CommandExecutor, statement: Statement[AnyOrder]) -> Result:
    """Play the next draft of a question that stays open for many orders; behind the last one, close it."""
    asked, closing = _open(executor)
    if asked is None or closing is None:
        _check_time_of_others(executor)
        return _play(executor, statement)
    kept = _unbound(executor.session, asked)
    if executor.holds:
        if kept:
            executor.filing.bind_drafts(statement, asked, kept)
        return executor.filing.bind(replace(statement, order=closing), [asked])
    if not kept:
        return executor.played(statement, closing, [asked], executor.submission.cause)
    return _play_draft(executor, statement, asked, kept[0])


def _check_time_of_others(executor: CommandExecutor) -> None:
    """Raises `Illegal` where the word would end a time that is another's now, or what became of the writer's own."""
    session, rules, seat = executor.session, executor.rules, executor.seat
    closing = next(filter(None, (rules.closing(session.state, each) for each in session.pending())), None)
    try:
        if closing is not None:
            rules.address(session.state, seat, closing)
    except NotAwaited as refusal:
        raise closed(session, seat, executor.submission, refusal) from None


def _open(executor: CommandExecutor) -> tuple[Decision, AnyOrder] | tuple[None, None]:
    """The writer's first question that stays open for many orders, and the order that closes it."""
    return next(left_open(executor.session, executor.seat), (None, None))


def _end_time(executor: CommandExecutor, statement: Statement[AnyOrder]) -> Result:
    """End the time of another player who is late (docs/reference/procedure.md, section 2)."""
    session, late = executor.session, Seat(statement.rest)
    if late == executor.seat:
        return _roll_out(executor, statement)
    if session.terms.policy != "on_request":
        raise Illegal("rollout.not_here")
    witness = statement.witness
    if witness in (late, executor.seat):
        raise Illegal("rollout.witness", seat=late, read=witness)
    slots, timing = session.record.slots(), timing_of(session)
    theirs = [(decision, slot_of(slots, decision)) for decision in session.pending() if decision.seat == late]
    open_ = [(decision, slot) for decision, slot in theirs if slot and not binding(session, decision)]
    over = [decision for decision, slot in open_ if timing.is_overdue(slot, executor.at)]
    if not over:
        ends = [timing.may_be_ended(slot) for _, slot in open_]
        raise Illegal("rollout.not_overdue", seat=late, ends=min((end for end in ends if end), default=None))
    for decision in over:
        executor.adjudicator.lapse(decision, executor.at, by=executor.seat, witness=witness)
    return result("played", statement, seq=session.position.seq)


def _withdraw(executor: CommandExecutor, statement: Statement[AnyOrder], *kinds: str) -> Result:
    """Nothing of these kinds stays on file."""
    orders = [order for kind in kinds for order in filed(executor.session, executor.seat, kind)]
    for order in orders:
        executor.session.record.discard(order)
    recount(executor.session)
    return result("withdrawn" if orders else "nothing", statement)


def _undo(executor: CommandExecutor, statement: Statement[AnyOrder]) -> Result:
    """Take back what is not played yet: it is gone, and the question is open again; else what the game lets go."""
    session, seat = executor.session, executor.seat
    held = [each for each in filed(session, seat, "draft") if each.binds is not None]
    order = None if held else executor.rules.undoing(executor.state, seat)
    if order is not None:
        decisions = executor.rules.address(executor.state, seat, order)
        return executor.played(statement, order, decisions, executor.submission.cause)
    if not held:
        raise _why_not_undone(session, seat)
    for each in held:
        session.record.discard(each)
    recount(session)
    return result("undone", statement)


def _why_not_undone(session: Session, seat: str) -> Illegal:
    """What they have written is on file, or played; or somebody else has answered for them."""
    if not session.terms.hold_minutes:
        return Illegal("undo.not_here")
    if filed(session, seat, "draft"):
        return Illegal("undo.on_file")
    answered = [(each.at, each.act) for each in session.position.done if isinstance(each.act, TimeKept)]
    mine = ((at, act) for at, act in reversed(answered) if any(each.seat == seat for each in act.closings))
    at, act = next(mine, (0, None))
    if act is None:
        return Illegal("undo.nothing")
    return Illegal("undo.played" if act.by == seat else "undo.lapsed", at=at)


def _cancel(executor: CommandExecutor, statement: Statement[AnyOrder]) -> Result:
    """All drafts and advance orders; with a number behind the word, that one of a turn's drafts."""
    if not statement.rest:
        return _withdraw(executor, statement, "draft", "advance")
    known = dict(enumerate(numbered(executor.session, executor.seat), 1))
    if int(statement.rest) not in known:
        raise Illegal("draft.number", read=statement.rest, most=len(known))
    executor.session.record.discard(known[int(statement.rest)])
    recount(executor.session)
    return result("withdrawn", statement)


def _stand(executor: CommandExecutor, statement: Statement[AnyOrder]) -> Result:
    """The word alone asks what is on file."""
    if statement.order is None:
        return aside(statement)
    if executor.rules.files.standing_in_position(statement.order):
        return executor.played(statement, statement.order, (), executor.submission.cause)
    return executor.filing.file(statement, "standing")


def _stand_no_more(executor: CommandExecutor, statement: Statement[AnyOrder]) -> Result:
    """Neither on file nor in the position."""
    withdrawn = _withdraw(executor, statement, "standing")
    order = executor.rules.files.withdrawing(None)
    return withdrawn if order is None else executor.played(statement, order, (), executor.submission.cause)


def _withdraw_kind(executor: CommandExecutor, statement: Statement[AnyOrder]) -> Result:
    """Those of one kind, where a game keeps them in its position."""
    order = executor.rules.files.withdrawing(statement.rest)
    if order is None:
        raise Illegal("standing.kind", read=statement.rest)
    return executor.played(statement, order, (), executor.submission.cause)


def _advance(executor: CommandExecutor, statement: Statement[AnyOrder]) -> Result:
    executor.rules.files.check_early(executor.state, statement.ordered)
    return executor.filing.file(statement, "advance")


def _show(context: QueryContext) -> Told | None:
    """What is on file is told by every answer; that there is nothing, only to whoever asks."""
    return None if on_file(context.session, context.seat) else Told(command="show")


DRAFT = Command(name="draft", words=("draft", "Entwurf", "bozza"), mode="draft")
PREVIEW = Command(name="preview", words=HEADS["preview"], mode="preview", low_priority=True)
PLAY = GameCommand(name="play", words=("play", "spiele", "gioca"), do=_play, parts=_parts)
ROLLOUT = GameCommand(
    name="rollout",
    words=(
        "rollout|roll out|done|I'm done|I am done|end turn|end my turn|end slot|finish|finished",
        "fertig|Zug beenden|beende den Zug|beende meinen Zug",
        "fatto|ho finito",  # not "fine turno": who writes "fine" means something else
    ),
    do=_roll_out,
    parts=_until_closed,
)
LATE_OF_OTHERS: dict[str, Any] = {
    "behind": "SEAT [COMMA? K_WITNESS SEAT]",
    "keywords": {"K_WITNESS": ("witness", "Zeuge|Zeugin", "testimone")},
    "kept_from_deputies": "own",
    "do": _end_time,
    "parts": _of_their_own,
}
PLAY_SEAT = GameCommand(name="play_seat", part_of="play", **LATE_OF_OTHERS)
ROLLOUT_SEAT = GameCommand(name="rollout_seat", part_of="rollout", **LATE_OF_OTHERS)
SHOW = Query(name="show", kind="aside", words=("show", "zeige", "mostra"), low_priority=False, tell=_show)
ORDERS = Query(name="orders", kind="aside", words=("orders", "Befehle", "ordini"), part_of="show", tell=_show)
CANCEL = GameCommand(
    name="cancel",
    words=("cancel", "verwerfe", "annulla"),
    behind="[NUMBER]",
    kept_from_deputies="file",
    do=_cancel,
)
UNDO = GameCommand(
    name="undo",
    words=(
        "undo|undo last|undo that|take it back|take that back",
        "rückgängig|rueckgaengig|zurück|zurueck",
        "ripristina",
    ),
    low_priority=True,
    do=_undo,
)
STANDING = GameCommand(
    name="standing",
    words=("standing", "dauernd|Dauerbefehl", "permanente|ordine permanente"),
    behind="[[COLON] standing]",
    kept_from_deputies="file",
    do=_stand,
)
NO_STANDING = GameCommand(
    name="standing_none",
    part_of="standing",
    behind="K_NONE",
    kept_from_deputies="file",
    do=_stand_no_more,
)
NO_STANDING_OF = GameCommand(
    name="standing_none_of",
    part_of="standing",
    behind="K_NONE TOPIC",
    kept_from_deputies="file",
    do=_withdraw_kind,
)
ADVANCE = GameCommand(
    name="advance",
    words=("advance", "vorab", "anticipo"),
    behind="early",
    kept_from_deputies="file",
    do=_advance,
)
