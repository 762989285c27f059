"""What may not be true any more when it is told: notices, votes, reminders, an empty seat, who comes to a game."""

from __future__ import annotations

import msgspec
from msgspec.structs import replace

from pbem.core.chance import commitment
from pbem.core.seat import Seat
from pbem.host.builder.occasion import Addressed, Occasion, place
from pbem.host.calendar.zones import HOUR
from pbem.host.clock.timing import Timing, slot_key, timing_of
from pbem.host.lobby.invitations import invitation
from pbem.host.messages import letters
from pbem.host.messages.alarms import Trouble
from pbem.host.messages.rows import (
    ArrivalsJob,
    DeclinedJob,
    EmptySeatJob,
    InviteeJob,
    NoticeJob,
    ReminderJob,
    TallyJob,
    UnansweredJob,
)
from pbem.host.ports import Slot
from pbem.host.reporting.answers import asks, awaited, in_slot, on_file
from pbem.host.reporting.chapters import seen
from pbem.host.reporting.tallies import still_open, told_of
from pbem.host.session.absences import held
from pbem.host.session.acts import BotLeft, Corrected, Ejected, Ended, Rewound, Seated
from pbem.host.session.filed_orders import binding


def notice(of: Occasion, seat: str | None, job: NoticeJob) -> letters.Message:
    """What was done, to a seat or to a moderator without one."""
    position = of.work.games.positions(of.work.repository, of.game, job.seq)[-1]
    loaded, act = of.at(position), position.done[-1].act
    is_back = isinstance(act, BotLeft) and bool(job.starts)
    is_moved = is_back or isinstance(act, Rewound | Corrected)
    member = next((m for m in of.game.members if m.seat == seat), None)
    reader = Seat(member.seat) if member else None
    return letters.Notice(
        game=of.game.id,
        place=place(loaded.rules, position),
        seat=seat,
        kind=str(type(act).__struct_config__.tag),
        act=msgspec.to_builtins(seen(loaded.rules, position.state, position.done[-1]).act),
        dropped=job.dropped,
        after=loaded.rules.view(position.state, reader) if is_moved else None,
        moved=is_moved,
        awaited=of.awaited(loaded, position),
        questions=of.questions(loaded, position, member) if member else (),
        slot_hours=loaded.terms.slot_hours,
        petition=told_of(act, of.session.position.done, ended=of.session.has_ended),
        commitment=commitment(of.game.secret) if isinstance(act, Ended) else None,
        secret=of.game.secret if isinstance(act, Ended) else None,
    )


def tally(to: Addressed, _job: TallyJob) -> letters.Message | None:
    session = to.session
    asked = () if session.has_ended else still_open(session.position.done)
    position = session.position
    return letters.Tally(**to.asked(to.at(position), position), petitions=asked) if asked else None


def halt(of: Occasion, told: letters.Halt) -> letters.Halt:
    """With the deadlines as they are when it goes out."""
    return replace(told, awaited=awaited(of.work.repository, of.game, of.session))


def reminder(to: Addressed, job: ReminderJob) -> letters.Reminder | None:
    session = to.session
    slot = next((s for s in to.work.repository.slots(to.game.id) if s.key == job.slot), None)
    decision = next((d for d in session.pending() if slot_key(d) == job.slot), None)
    if slot is None or decision is None or job.started not in (None, slot.started) or binding(session, decision):
        return None
    timing, left = timing_of(session), timing_of(session).left(slot, to.now)
    if not left or _is_overtaken(timing, slot, job, to.now):
        return None
    return letters.Reminder(
        game=to.game.id,
        place=place(session.rules, session.position),
        seat=to.member.seat,
        awaited=in_slot(decision, slot),
        asks=asks(session.rules, session.state, decision),
        hours=-(-left // HOUR),
        on_file=on_file(session, to.member.seat),
        until=to.until,
    )


def _is_overtaken(timing: Timing, slot: Slot, job: ReminderJob, now: int) -> bool:
    """The next reminder is due already, as after a sleep of ours: one is enough."""
    return any(at is not None and at <= now for hours, at in timing.reminders(slot) if hours < job.hours)


def still_empty(of: Occasion, job: EmptySeatJob) -> letters.Message | None:
    """None when somebody plays there again, or the game is over."""
    game = of.game
    if game.status != "running" or any(member.seat == job.seat for member in game.members):
        return None
    done = of.session.position.done
    if any(
        each.seq > job.seq and isinstance(each.act, Seated | Ejected) and each.act.seat == job.seat for each in done
    ):
        return None  # somebody has sat there since; another alarm tells of what came then
    since = f" for {job.days} {'day' if job.days == 1 else 'days'}" if job.days else ""
    waiting = len(of.work.repository.waiting())
    asked = f"{waiting} on the waiting list." if waiting else "Nobody is on the waiting list."
    plays = "A bot plays there." if job.seat in held(done) else "When it is asked something, the game waits."
    how = f"“offer {job.seat} to anna@example.org” asks somebody, “bot {job.seat}: WHY” lets a bot play."
    what = Trouble.empty_seat.say(seat=job.seat, game=game.id, since=since)
    return letters.Alarm(what=what, detail=f"{plays} {asked} {how}")


# -- while it gathers ---


def invited_again(to: Addressed, _job: InviteeJob) -> letters.Message | None:
    """To somebody who has said nothing for long."""
    if to.game.status != "inviting" or to.member.joined is not None:
        return None
    return replace(invitation(to.game, to.work.games.load(to.game).terms, to.member), again=True)


def unanswered(to: Addressed, job: UnansweredJob) -> letters.Message | None:
    """To whoever can begin the game: who says nothing, and who is there."""
    game = to.game
    silent = tuple(each.seat for each in game.members if each.seat in job.seats and each.joined is None)
    here = tuple(each.seat for each in game.members if each.joined is not None)
    if game.status != "inviting" or not silent:
        return None
    return letters.Unanswered(game=game.id, seat=to.member.seat or None, silent=silent, here=here)


def arrivals(to: Addressed, job: ArrivalsJob | DeclinedJob) -> letters.Message | None:
    """Who has come, or stays away; None when there is nothing to tell any more.

    In an anonymous game it tells how many: whoever has invited somebody would know them by their seat.
    """
    game, terms = to.game, to.work.games.load(to.game).terms
    here = tuple(one.seat for one in game.members if one.joined is not None)
    known = job.here if isinstance(job, ArrivalsJob) else here
    came = tuple(seat for seat in here if seat not in known)
    gone = job.seat if isinstance(job, DeclinedJob) and job.seat not in here else ""
    if game.status != "inviting" or not (came or gone):
        return None
    is_open = terms.anonymous == "no"
    return letters.Arrivals(
        game=game.id,
        seat=to.member.seat or None,
        came=len(came),
        gone=bool(gone),
        names=(came or (gone,)) if is_open else (),
        here=here if is_open else (),
        count=len(here),
        silent=len(game.members) - len(here),
        free=max(0, terms.for_people - len(game.members)),
    )
