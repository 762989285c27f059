"""The one answer to a letter: what was read, what became of it, what is on file, who is awaited."""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping, Sequence
from itertools import islice
from typing import Any, get_args

import msgspec
from msgspec.structs import replace

from pbem.core.decision import MODERATOR, Decision
from pbem.core.game import AnyRules, AnyState
from pbem.core.refusal import Refusal
from pbem.core.seat import Seat
from pbem.host.clock.timing import slot_key
from pbem.host.messages.parts import Asks, Awaited, PauseTold
from pbem.host.messages.replies import Flaw, Line, OnFile, Reply
from pbem.host.messages.rows import OWN_ID, letter_job, problem, read_job
from pbem.host.messages.sections import Preview
from pbem.host.play.proposals import OPEN
from pbem.host.play.results import Changed, Result
from pbem.host.ports import Game, Letter, Member, Person, Repository, Slot
from pbem.host.reporting.chapters import events_of
from pbem.host.session.absences import held
from pbem.host.session.acts import Done
from pbem.host.session.filed_orders import binding, filed, numbered
from pbem.host.session.pauses import to_come
from pbem.host.session.proposal import Found
from pbem.host.session.session import Session, Step
from pbem.host.session.unit_of_work import UnitOfWork
from pbem.host.session.veils import shown

ORDERED = ("played", "binds", "undone", "drafted")  # outcomes behind which an earlier proposal counts no more
REMEMBERED = 50  # answers among which a proposal is looked for


def reply(work: UnitOfWork, game: Game, seat: str, letter: Letter, verdicts: Sequence[Result]) -> Reply:
    """The answer to a letter of orders, after they have been dealt with."""
    session, outcomes = work.session(game), [verdict.outcome for verdict in verdicts]
    happened = _happened(session, seat)
    return Reply(
        game=game.id,
        seat=seat,
        lines=tuple(replace(verdict_line(each), events=happened.get(each.seq, ())) for each in verdicts),
        cut=tuple({"why": cut.why, "lines": cut.lines, "words": cut.words} for cut in letter.cut),
        on_file=on_file(session, seat),
        awaited=tuple(
            each for each in awaited(work.repository, game, session) if not _is_answered(session, seat, each)
        ),
        problem=None if verdicts else "letter.empty",
        told=(preview(session, seat, binds="binds" in outcomes),) if session.tried else (),
        left=_left(session, seat),
        over=session.has_ended,
        proposal=session.proposal,
        agreed=session.agreed,
    )


def proposed(work: UnitOfWork, game: Game, seat: str | None, person: Person, letter: Letter) -> Found | None:
    """What a yes in this letter may be about: what the answer proposed that it replies to, else the last one did.

    An answer that refused or tried something, and proposed nothing, is one to which a yes says nothing.
    """
    named = next((own[1] for each in reversed(letter.references) if (own := OWN_ID.fullmatch(each))), None)
    said = [*islice(_answers(work, game, seat, person), REMEMBERED)]
    is_answer, used = named in dict(said), False
    for id_, one in said:
        if one.proposal and (id_ == named or not is_answer):
            return Found(proposal=one.proposal, named=id_ == named if named else None, used=used)
        if id_ == named or (not is_answer and any(line.outcome in OPEN for line in one.lines)):
            return None
        used = used or any(line.outcome in (get_args(Changed) if one.agreed else ORDERED) for line in one.lines)
    return None


def _answers(work: UnitOfWork, game: Game, seat: str | None, person: Person) -> Iterator[tuple[str, Reply]]:
    """What our answers to somebody said about a seat, by their ids, the newest first."""
    to = [each.address for each in work.repository.addresses(person.id)]
    for row in work.repository.answers(game.id, seat, to):
        job = letter_job(read_job(row))
        assert job is not None, "an answer is written when it is posted"
        yield row.id, msgspec.convert(job.content, Reply)


def asks(rules: AnyRules, state: AnyState, decision: Decision, late: int = 0) -> Asks:
    """What a question tells, and the answers it offers to somebody who is so late already."""
    met = rules.as_late(state, decision, late)
    return Asks(facts=rules.ask(met, decision), choices=rules.choices(met, decision))


def is_asked(rules: AnyRules, state: AnyState, game: Game, decision: Decision, member: Member) -> bool:
    """Is it for them to answer? What the moderator is asked all are who lead the game, but in no cause of their own."""
    if decision.seat != MODERATOR:
        return decision.seat == member.seat
    leads = any(one.person.id == member.person.id for one in game.moderators)
    return leads and member.seat not in rules.concerned(state, decision)


def _is_answered(session: Session, seat: str, one: Awaited) -> bool:
    """Has whoever sits there answered it, and may still take that back?"""
    asked = (each for each in session.pending() if each.seat == one.seat == seat)
    return any((each.kind, each.about) == (one.kind, one.about) and binding(session, each) for each in asked)


def _left(session: Session, seat: str) -> Mapping[str, Mapping[str, Any]]:
    rules, state = session.rules, session.state
    found = {each.kind: rules.left(state, each) for each in session.pending() if each.seat == seat}
    return {kind: plain(facts) for kind, facts in found.items() if facts}


def preview(session: Session, seat: str, *, binds: bool = False) -> Preview:
    """What the session has just tried for this seat; `binds`: it will be so, unless it is taken back."""
    tried, known = session.tried or session, [*session.pending()]
    asked = (d for d in tried.pending() if d not in known)
    return Preview(
        events=_told(tried, seat, tried.steps),
        before=session.rules.view(session.state, Seat(seat)),
        after=session.rules.view(tried.state, Seat(seat)),
        asked=tuple(Awaited(seat=d.seat, kind=d.kind, about=d.about, deadline=None) for d in asked),
        binds=binds,
    )


def verdict_line(verdict: Result) -> Line:
    refusal = verdict.refusal
    return Line(
        text=verdict.text,
        outcome=verdict.outcome,
        code=refusal.code if refusal else None,
        facts=plain(refusal.facts if refusal else verdict.told),
        line=getattr(refusal, "line", None) or verdict.line or None,
        column=getattr(refusal, "column", None),
        kept=verdict.kept,
        to=verdict.to,
        flaws=tuple(Flaw(text=flaw.text, code=flaw.code, facts=plain(flaw.facts)) for flaw in verdict.flaws),
    )


def refused(refusal: Refusal, game: str | None = None, seat: str | None = None) -> Reply:
    """The answer to a letter of which nothing could be done, for one reason."""
    return replace(problem(refusal.code, game, seat), facts=plain(refusal.facts))


def plain(facts: Mapping[str, Any]) -> dict[str, Any]:
    """Facts as values that can be stored: tuples become lists, everything else is text or a number."""
    found: dict[str, Any] = msgspec.to_builtins(facts)
    return found


def on_file(session: Session, seat: str) -> tuple[OnFile, ...]:
    """All papers of a seat, drafts first."""
    papers = [paper for kind in ("draft", "advance", "standing") for paper in filed(session, seat, kind)]
    numbers = {paper: number for number, paper in enumerate(numbered(session, seat), 1)}
    return tuple(OnFile(kind=p.kind, text=p.text, number=numbers.get(p, 0), binds=p.binds) for p in papers)


def awaited(repository: Repository, game: Game, session: Session) -> tuple[Awaited, ...]:
    """Who must answer what, with the deadlines that are running."""
    slots = {slot.key: slot for slot in repository.slots(game.id)}
    bots = held(session.position.done)
    return tuple(in_slot(decision, slots.get(slot_key(decision)), bots) for decision in session.pending())


def going_on(done: Sequence[Done], at: int) -> tuple[PauseTold, ...]:
    """The pauses that run then or are to come."""
    return tuple(
        PauseTold(cause=window.cause, start=window.pause.start, end=window.pause.end) for window in to_come(done, at)
    )


def in_slot(decision: Decision, slot: Slot | None, bots: Container[str] = ()) -> Awaited:
    """A decision that is awaited, with its time if that has begun; for some seats a bot answers."""
    begun, deadline = (slot.started, slot.deadline) if slot else (None, None)
    return Awaited(
        seat=decision.seat,
        kind=decision.kind,
        about=decision.about,
        deadline=deadline,
        begun=begun,
        held=begun is not None and deadline is None,
        bot=decision.seat in bots,
    )


def _happened(session: Session, seat: str) -> Mapping[int | None, tuple[Mapping[str, Any], ...]]:
    """What each entry of this letter did at once, by its number, as far as the seat may know it."""
    return {step.entry.seq: _told(session, seat, [step]) for step in session.steps}


def _told(session: Session, seat: str, steps: Sequence[Step]) -> tuple[Mapping[str, Any], ...]:
    return events_of(shown(session.rules, session.state, step.entry, Seat(seat)) for step in steps)
