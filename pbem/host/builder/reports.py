"""Reports: of turns that are over, of the opening and of the end."""

from __future__ import annotations

from itertools import takewhile
from typing import Any

import msgspec

from pbem.core.chance import commitment
from pbem.core.presenter import View
from pbem.host.builder.occasion import Addressed
from pbem.host.clock.time_sheet import lateness
from pbem.host.messages import letters
from pbem.host.messages.rows import DigestJob, ReportJob
from pbem.host.reporting.chapters import Chapter, Stretch, ended, events_of, turn
from pbem.host.reporting.preferences import digest_after
from pbem.host.reporting.tallies import register, remarks, still_open
from pbem.host.session.absences import held
from pbem.host.session.anonymity import who_was_who
from pbem.host.session.position import Position


def report(to: Addressed, job: ReportJob) -> letters.Message:
    return _told(to, to.chapters.between(to.work, to.game, job.first, job.upto or job.last))


def digest(to: Addressed, job: DigestJob) -> letters.Message | None:
    """What was over at the time they want to be told; they may have chosen another since."""
    if digest_after(to.member, job.at - 1) != job.at:
        return None
    found = to.chapters.between(to.work, to.game, to.member.told + 1, to.session.position.seq)
    over = tuple(takewhile(lambda chapter: chapter.entries[-1].at <= job.at, found.over))
    return _told(to, ended(over)) if over else None


def _told(to: Addressed, told: Stretch) -> letters.Message:
    after, done = told.begun.after, to.session.position.done  # what was decided since is told as decided
    loaded = to.at(after)
    told = told.shown(loaded.rules, to.eyes)
    if told.before.seq < 0:
        return _opening(to, told.over[0])
    is_over = loaded.rules.finished(after.state)
    shared: dict[str, Any] = {
        "turns": tuple(turn(loaded, chapter) for chapter in told.over),
        "before": loaded.rules.view(told.before.state, to.eyes),
        "after": loaded.rules.view(after.state, to.eyes),
        "course": _course(to, after) if to.pictures or is_over else (),
        "late": lateness(after.done),
    }
    if is_over:
        people, secret = who_was_who(to.game, loaded.terms.anonymous), to.game.secret
        shared |= {"game": to.game.id, "seat": to.member.seat, "people": people}
        return letters.Final(**shared, commitment=commitment(secret), secret=secret)
    return letters.Report(
        **shared,
        **to.asked(loaded, after),
        **to.standing(loaded, after),
        events=events_of(told.begun.entries),
        bots=tuple(held(done)),
        petitions=() if to.session.has_ended else still_open(done),
        rulings=register(done),
        remarks=remarks(done),
    )


def _course(to: Addressed, upto: Position) -> tuple[View, ...]:
    """The last position of each round."""
    rules = to.work.games.load(to.game).rules
    positions = to.work.games.positions(to.work.repository, to.game, upto.seq)[1:]
    last = {rules.round(position.state): position.state for position in positions}
    return tuple(rules.view(state, to.eyes) for state in last.values())


def _opening(to: Addressed, chapter: Chapter) -> letters.Message:
    loaded = to.work.games.load(to.game)
    return letters.Opening(
        **to.asked(loaded, chapter.after),
        **to.standing(loaded, chapter.after),
        title=loaded.terms.setup.game,
        edition=loaded.terms.setup.edition,
        commitment=commitment(to.game.secret),
        draws=tuple(msgspec.to_builtins(draw) for entry in chapter.entries for draw in entry.draws),
        events=events_of(chapter.entries),
        after=loaded.rules.view(chapter.after.state, to.eyes),
        policy=loaded.terms.policy,
        grace_hours=loaded.terms.grace_hours,
    )
