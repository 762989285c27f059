"""A seat that nobody plays is not forgotten: whoever leads the game hears of it, and again while it stays empty."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from pbem.host.calendar.zones import DAY
from pbem.host.messages.alarms import Trouble
from pbem.host.messages.letters import Alarm
from pbem.host.messages.rows import EmptySeatJob, post, to_member
from pbem.host.ports import Game, OutboxRow
from pbem.host.reporting.alarms import moderators_without_seat
from pbem.host.session.absences import held
from pbem.host.session.acts import Ejected, Seated, read_act
from pbem.host.session.session import Step
from pbem.host.session.unit_of_work import UnitOfWork

DAYS = (0, 1, 3, 7, 14, 28)  # after which it is told


def alarms_of_empty_seats(game: Game, steps: Sequence[Step], operator: str, now: int) -> Iterator[OutboxRow]:
    """For each seat that was emptied by these steps: to the operator and to the moderators who do not play."""
    acts = [(step.entry.seq, read_act(step.entry.act)) for step in steps if step.entry.act is not None]
    for seq, act in acts:
        if isinstance(act, Ejected):
            for days in DAYS:
                yield from _alarms(game, EmptySeatJob(seat=act.seat, seq=seq, days=days), operator, now)


def _alarms(game: Game, job: EmptySeatJob, operator: str, now: int) -> Iterator[OutboxRow]:
    what, due = f"{job.seq}.empty.{job.seat}.{job.days}", now + job.days * DAY
    yield post(f"alarm.{game.id}.{what}", operator, job, now=now, due=due, game=game.id)
    for one in moderators_without_seat(game, operator):
        yield to_member(game, one, f"alarm.{what}", job, now, due)


def still_empty(work: UnitOfWork, game: Game, job: EmptySeatJob) -> Alarm | None:
    """None when somebody plays there again, or the game is over."""
    if game.status != "running" or any(member.seat == job.seat for member in game.members):
        return None
    done = work.session(game).position.done
    if any(
        each.seq > job.seq and isinstance(each.act, Seated | Ejected) and each.act.seat == job.seat for each in done
    ):
        return None  # somebody has sat there since; another alarm tells of what came then
    since = f" for {job.days} {'day' if job.days == 1 else 'days'}" if job.days else ""
    waiting = len(work.repository.waiting())
    asked = f"{waiting} on the waiting list." if waiting else "Nobody is on the waiting list."
    plays = "A bot plays there." if job.seat in held(done) else "When it is asked something, the game waits."
    how = f"“offer {job.seat} to anna@example.org” asks somebody, “bot {job.seat}: WHY” lets a bot play."
    what = Trouble.empty_seat.say(seat=job.seat, game=game.id, since=since)
    return Alarm(what=what, detail=f"{plays} {asked} {how}")
