"""Reports of turns that are over, of the opening and of the end; questions within a turn; and all of it at once."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import takewhile
from typing import Any

import msgspec
from msgspec.structs import replace

from pbem.core.chance import commitment
from pbem.core.game import AnyEntry, AnyRules
from pbem.core.presenter import View
from pbem.host.archive.record_play import play_file
from pbem.host.builder.occasion import Addressed
from pbem.host.clock.time_sheet import lateness
from pbem.host.clock.timing import is_petition
from pbem.host.messages import letters
from pbem.host.messages.rows import DeputyJob, DigestJob, QuestionJob, ReportJob, SubstituteJob
from pbem.host.reporting.answers import on_file
from pbem.host.reporting.chapters import Stretch, ended, events_of, said_in, turn, whole
from pbem.host.reporting.preferences import digest_after
from pbem.host.reporting.rules_in_force import agreed
from pbem.host.reporting.tallies import register, remarks, still_open
from pbem.host.session.absences import held
from pbem.host.session.anonymity import who_was_who
from pbem.host.session.position import Position
from pbem.host.session.unit_of_work import read_entries
from pbem.host.session.veils import has_secrets

CHARTED = 5  # rounds from one report with charts to the next


def report(to: Addressed, job: ReportJob) -> letters.Message | None:
    return _told(to, to.chapters.between(to.work, to.game, job.first, job.upto or job.last))


def digest(to: Addressed, job: DigestJob) -> letters.Message | None:
    """What was over at the time they want to be told; they may have chosen another since."""
    if digest_after(to.member, job.at - 1) != job.at:
        return None
    found = to.chapters.between(to.work, to.game, to.member.told + 1, to.session.position.seq)
    over = tuple(takewhile(lambda chapter: chapter.entries[-1].at <= job.at, found.over))
    return _told(to, ended(over)) if over else None


def _told(to: Addressed, told: Stretch) -> letters.Message | None:
    """None when no chapter is over: all that was has been taken back."""
    if not told.over:
        return None
    after, done = told.begun.after, to.session.position.done  # what was decided since is told as decided
    loaded = to.at(after)
    told = told.shown(loaded.rules, to.eyes)
    if told.before.seq < 0:
        return _opening(to, told)
    is_over = loaded.rules.finished(after.state)
    shared: dict[str, Any] = {
        "turns": tuple(turn(loaded, chapter) for chapter in told.over),
        "before": loaded.rules.view(told.before.state, to.eyes),
        "after": loaded.rules.view(after.state, to.eyes),
        "course": _course(to, after) if is_over or (to.pictures and _is_charted(loaded.rules, told)) else (),
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


def _is_charted(rules: AnyRules, told: Stretch) -> bool:
    """Charts tell something new every few rounds, and make a letter twice as heavy."""
    first, last = (rules.round(position.state) // CHARTED for position in (told.before, told.begun.after))
    return first != last


def _course(to: Addressed, upto: Position) -> tuple[View, ...]:
    """The last position of each round."""
    rules = to.work.games.load(to.game).rules
    positions = to.work.games.positions(to.work.repository, to.game, upto.seq)[1:]
    last = {rules.round(position.state): position.state for position in positions}
    return tuple(rules.view(state, to.eyes) for state in last.values())


def _opening(to: Addressed, told: Stretch) -> letters.Message:
    """The beginning, and what has followed already."""
    after, (opening, *more) = told.begun.after, told.over
    loaded = to.at(after)
    setup = to.work.games.load(to.game).terms.setup
    return letters.Opening(
        setup=setup.setup,
        board=setup.board,
        options=setup.options,
        **to.asked(loaded, after),
        **to.standing(loaded, after),
        **agreed(to.work.games.load(to.game).terms),
        commitment=commitment(to.game.secret),
        draws=tuple(msgspec.to_builtins(draw) for entry in opening.entries for draw in entry.draws),
        events=events_of(opening.entries),
        turns=tuple(turn(loaded, chapter) for chapter in more),
        since=events_of(told.begun.entries),
        after=loaded.rules.view(after.state, to.eyes),
    )


# -- in the middle of a turn ---


def question(to: Addressed, job: QuestionJob) -> letters.Message | None:
    """What was over before it was asked is told even if it is asked no more."""
    told = to.chapters.between(to.work, to.game, job.first, job.last)
    open_ = {slot.key for slot in to.work.repository.slots(to.game.id)}
    return _asking(to, told) if open_ & {*job.starts} and told.before.seq >= 0 else _told(to, told)


def _asking(to: Addressed, told: Stretch) -> letters.Question:
    after = told.begun.after
    loaded = to.at(after)
    told = told.shown(loaded.rules, to.eyes)
    return letters.Question(
        **to.asked(loaded, after),
        **to.standing(loaded, after),
        turns=tuple(turn(loaded, chapter) for chapter in told.over),
        said=said_in(loaded, told.begun.entries),
        events=events_of(told.begun.entries),
        before=loaded.rules.view(told.before.state, to.eyes),
        now=loaded.rules.view(after.state, to.eyes),
    )


def for_deputy(to: Addressed, job: DeputyJob) -> letters.Message | None:
    """What is asked of a seat, to whoever writes for it."""
    last = to.session.position.seq
    slots = (s for s in to.work.repository.slots(to.game.id) if s.seat == to.member.seat and not is_petition(s))
    if not any(slots):
        return None
    return replace(_asking(to, to.chapters.between(to.work, to.game, job.first, last)), until=to.until)


# -- for somebody who plays from here on ---


def substitute(to: Addressed, _job: SubstituteJob) -> letters.Message:
    begun = to.work.games.load(to.game)
    entries = read_entries(begun.rules, to.work.repository, to.game.id)
    run = whole(begun, entries)
    after = run.begun.after
    loaded = to.at(after)
    shown = run.shown(loaded.rules, to.eyes)
    hidden = loaded.rules.hides(after.state) or any(has_secrets(loaded.rules, after.state, each) for each in entries)
    return letters.Substitute(
        **to.asked(loaded, after),
        **agreed(loaded.terms),
        players=tuple(begun.terms.setup.seats),
        turns=tuple(turn(begun, chapter) for chapter in shown.over[1:]),
        after=loaded.rules.view(after.state, to.eyes),
        on_file=on_file(to.session, to.member.seat),
        record=None if hidden else play_file(to.game.id, begun, _told_of(run, entries)),
        petitions=still_open(after.done),
        rulings=register(after.done),
        remarks=remarks(after.done),
    )


def _told_of(run: Stretch, entries: Sequence[AnyEntry]) -> Sequence[AnyEntry]:
    """The log without what has been answered in the chapter under way: that may be sealed."""
    first = run.begun.entries[0].seq if run.begun.entries else len(entries)
    return entries[:first]
