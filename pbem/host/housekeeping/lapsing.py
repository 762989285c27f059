"""What has run out in a game of the books: it is answered, or all are told that somebody is late."""

from __future__ import annotations

from collections.abc import Iterator

from pbem.core.decision import Decision
from pbem.host.clock.reminders import overdue_again, overdue_name
from pbem.host.clock.timing import slot_key, timing_of
from pbem.host.messages.letters import Overdue
from pbem.host.messages.rows import OverdueJob, content_job, to_member
from pbem.host.play.adjudicator import Adjudicator
from pbem.host.ports import Game, Member, OutboxRow, Slot
from pbem.host.reporting.answers import asks, in_slot
from pbem.host.session.filed_orders import binding
from pbem.host.session.session import Session
from pbem.host.session.unit_of_work import UnitOfWork


def lapse_due(work: UnitOfWork, game: Game, until: int) -> None:
    """Do all that the clock has to do in the game before an instant."""
    session = work.session(game)
    for slot in Adjudicator(session).run_out(until):
        work.repository.post(_notices(game, session, slot, until))


def _notices(game: Game, session: Session, slot: Slot, now: int) -> Iterator[OutboxRow]:
    decision = next(d for d in session.pending() if slot_key(d) == slot.key)
    for member in game.readers:
        told = _overdue(game, session, member, decision, slot, now)
        yield to_member(game, member, overdue_name(slot), content_job(told), now)
    if slot.closes is None:
        yield from overdue_again(game, timing_of(session), slot, now)


def still_overdue(work: UnitOfWork, game: Game, member: Member, job: OverdueJob, now: int) -> Overdue | None:
    """What is still true of a deadline that was missed; None when nobody need hear of it again."""
    session = work.session(game)
    slot = next((each for each in work.repository.slots(game.id) if each.key == job.slot), None)
    decision = next((d for d in session.pending() if slot_key(d) == job.slot), None)
    if (
        slot is None
        or decision is None
        or binding(session, decision)
        or not (job.deadline == slot.overdue == slot.deadline)
    ):
        return None
    told = _overdue(game, session, member, decision, slot, now, job.days)
    concerned = member.seat == slot.seat or told.leads or told.policy == "on_request"
    stands_still = timing_of(session).resumes(slot, now) != now
    return None if told.closes or not concerned or stands_still or _is_overtaken(session, slot, job, now) else told


def _is_overtaken(session: Session, slot: Slot, job: OverdueJob, now: int) -> bool:
    """The next is due already, as after a sleep of ours: one is enough."""
    return any(at is not None and at <= now for days, at in timing_of(session).overdue_days(slot) if days > job.days)


def _overdue(
    game: Game, session: Session, member: Member, decision: Decision, slot: Slot, now: int, days: int = 0
) -> Overdue:
    late = timing_of(session).late(slot, now)
    return Overdue(
        game=game.id,
        seat=member.seat,
        awaited=in_slot(decision, slot),
        policy=session.terms.policy,
        closes=slot.closes,
        grace=timing_of(session).may_be_ended(slot) if session.terms.grace_hours else None,
        days=days,
        turn=session.position.turn,
        leads=any(one.person.id == member.person.id for one in game.moderators),
        asks=asks(session.rules, session.state, decision, late) if member.seat == slot.seat else None,
    )
