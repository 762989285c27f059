"""What a bot answers in the place of a player.

In the place of somebody who has fallen silent it answers some minutes after its question: by then the mail about what
was before has gone out, and whoever comes back could answer themselves. Where it sits from the beginning it answers at
once, and so does the next one, so that what they did is told in one letter. It plays through the adjudicator as a
letter does.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from pbem.core.bot import Pick
from pbem.core.chance import Chance, seeded_picks
from pbem.core.decision import Answer, Decision
from pbem.core.game import AnyBot, AnyOrder
from pbem.core.log import Cause
from pbem.core.refusal import Illegal
from pbem.host.clock.time_sheet import Ending
from pbem.host.clock.timing import slot_key
from pbem.host.play.adjudicator import Adjudicator
from pbem.host.session.actors import BOT
from pbem.host.session.filed_orders import drafts, order_of
from pbem.host.session.session import Session


def answer(session: Session, bot: AnyBot, key: str, at: int) -> str:
    """One answer in the slot of that key: of what is on file, else of the bot.

    Returns what was wrong with the bot's, if anything was: then it is as if the time had run out.
    """
    Adjudicator(session).serve_filed(at)
    decision = next((each for each in session.pending() if slot_key(each) == key), None)
    if decision is None or _plays_draft(session, decision, at):
        return ""
    try:
        order, decisions = _chosen(session, bot, decision)
    except Exception as fault:  # noqa: BLE001 - whatever a bot does wrong, the game goes on
        Adjudicator(session).lapse(decision, at)
        return repr(fault)
    _play(session, order, decisions, at, BOT)
    return ""


def _plays_draft(session: Session, decision: Decision, at: int) -> bool:
    """What was written stands, where all of it can be played; of several orders it is the first one's turn."""
    draft = next(iter(drafts(session, decision)), None)
    if draft is None:
        return False
    if draft.binds is not None:
        Adjudicator(session).bind(decision, at)
        return True
    written = order_of(session, draft)
    try:
        session.rules.check(session.state, Answer(seat=decision.seat, order=written, decision=decision))
    except Illegal:
        return False
    session.record.discard(draft)
    _play(session, written, [decision], at, "draft")
    return True


def _chosen(session: Session, bot: AnyBot, decision: Decision) -> tuple[Any, Sequence[Decision]]:
    """What a bot would write, and what such a letter answers. Raises `Illegal`, or whatever a bot may do wrong."""
    rules, state = session.rules, session.state
    order = bot(rules, state, decision, bot_picks(session.chance(), decision))
    try:
        rules.notation.write(order)
    except ValueError:
        meant: Sequence[Decision] = [decision]  # as a skipped turn, which no letter can hold
    else:
        meant = rules.address(state, decision.seat, order)
    for each in meant:
        rules.check(state, Answer(seat=decision.seat, order=order, decision=each))
    return order, meant


def bot_picks(chance: Chance, decision: Decision) -> Pick:
    """The picks with which a bot answers that question; `chance`: of the entry with its answer."""
    return seeded_picks(chance, f"bot {decision.serial}")


def _play(session: Session, order: AnyOrder, decisions: Sequence[Decision], at: int, cause: str) -> None:
    adjudicator = Adjudicator(session)
    adjudicator.play(decisions[0].seat, order, decisions, at, Cause(kind=cause), Ending(by=BOT))
    adjudicator.serve_filed(at)
