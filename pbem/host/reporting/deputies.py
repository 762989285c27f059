"""What deputies are told: that they are asked to write for somebody, and then what is asked of that seat."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from pbem.core.decision import Decision
from pbem.host.clock.reminders import queue_reminders
from pbem.host.clock.timing import timing_of
from pbem.host.messages import letters
from pbem.host.messages.rows import DeputyJob, content_job, to_member
from pbem.host.ports import Game, Member, OutboxRow
from pbem.host.session.absences import away_now, person_of, stand_in
from pbem.host.session.acts import Away, Back, Consented
from pbem.host.session.session import Session, Step
from pbem.host.session.unit_of_work import UnitOfWork


def tell_deputies(work: UnitOfWork, game: Game, steps: Sequence[Step], opened: Sequence[Decision], now: int) -> None:
    """Ask those who were named, and tell those who write for somebody what is asked of them."""
    session = work.session(game)
    for step in steps:
        if isinstance(step.act, Back):
            work.repository.post(_over(work, game, session, step, step.act.by, now))
        elif isinstance(step.act, Away | Consented):
            work.repository.post(_begun(work, game, session, step, step.act, now))
    for seat in dict.fromkeys(decision.seat for decision in opened):
        member = stand_in(work.repository, game, session.position.done, seat, now)
        if member is not None:
            job = DeputyJob(first=steps[0].before.since)
            work.repository.post([to_member(game, member, f"{session.position.name}.stead", job, now)])


def _begun(
    work: UnitOfWork, game: Game, session: Session, step: Step, act: Away | Consented, now: int
) -> Iterator[OutboxRow]:
    """A letter to whoever is named, and when they begin to write for the seat, one with what is asked of it then."""
    seat = act.by if isinstance(act, Away) else act.seat
    one = away_now(session.position.done, seat, now)
    person = person_of(work.repository, game, one.deputy, one.person) if one and one.deputy else None
    if one is None or person is None:
        return
    member = Member(person=person, seat=seat)
    if isinstance(act, Away):
        told = _told(work, game, seat, one.start, one.end, plays=one.person is None)
        yield to_member(game, member, f"{step.after.name}.deputy", content_job(told), now)
    if one.agreed:
        begins = max(now, one.start)
        yield to_member(game, member, f"{step.after.name}.stead", DeputyJob(first=session.position.since), now, begins)
        own = [slot for slot in work.repository.slots(game.id) if slot.seat == seat]
        queue_reminders(work.repository, game, timing_of(session), own, now)


def _over(work: UnitOfWork, game: Game, session: Session, step: Step, seat: str, now: int) -> Iterator[OutboxRow]:
    """Who does not play has no other letters that would tell them."""
    acts = [each.act for each in session.position.done if isinstance(each.act, Away) and each.act.by == seat]
    person = work.repository.person(acts[-1].person) if acts and acts[-1].person is not None else None
    if person is not None:
        told = _told(work, game, seat, acts[-1].start, acts[-1].end, plays=False, over=True)
        yield to_member(game, Member(person=person, seat=seat), f"{step.after.name}.deputy", content_job(told), now)


def _told(
    work: UnitOfWork, game: Game, seat: str, start: int, end: int, *, plays: bool, over: bool = False
) -> letters.Deputy:
    setup = work.loaded(game).terms.setup
    players = len(setup.seats)
    return letters.Deputy(
        game=game.id, seat=seat, start=start, end=end, plays=plays, title=setup.game, players=players, over=over
    )
