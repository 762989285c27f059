"""How players vote, and what follows from the votes: each step is an act in the log of the game.

It works on a session and its record, so that letters and play files vote alike.
"""

from __future__ import annotations

from collections.abc import Container, Sequence
from contextlib import suppress

from msgspec.structs import replace

from pbem.core.decision import Decision
from pbem.core.refusal import Illegal
from pbem.host.calendar.zones import HOUR
from pbem.host.clock.slots import decidable, note
from pbem.host.clock.timing import petition_key
from pbem.host.governance.substitutes import seat_candidate
from pbem.host.session import actors, acts
from pbem.host.session.actors import CLOCK
from pbem.host.session.budget import check_words
from pbem.host.session.petitions import Petition, check_open, open_petitions, petition_of, petitions
from pbem.host.session.session import Session
from pbem.host.session.terms import value_now
from pbem.language.ballots import Ballot
from pbem.language.ballots import torn as ballots_torn

REJECTED_WITHIN = 24  # hours in which a petition may be found out of order


def vote(
    session: Session, seat: str, ballot: Ballot, answered: int, at: int, torn: Container[int] = ()
) -> acts.Voted | acts.Withdrawn:
    """Vote, or withdraw. `answered`: the last entry that the letter tells of which is answered; `torn`: see there.

    Raises `Illegal` for what can't be voted on, not from this seat, or no more.
    """
    act = _voted(session, seat, ballot, answered, torn)
    note(session, at, act)
    if isinstance(act, acts.Withdrawn):
        session.record.close_slot(petition_key(act.number))
    count(session, at)
    return act


def _voted(
    session: Session, seat: str, ballot: Ballot, answered: int, torn: Container[int]
) -> acts.Voted | acts.Withdrawn:
    petition = _meant(session, ballot, answered)
    if ballot.does == "unclear":
        raise Illegal("petition.unclear", name=petition.name)
    check_open(petition)
    if ballot.vote is None:
        return _withdrawn(petition, seat)
    if petition.number in torn:
        raise Illegal("petition.two_votes", name=petition.name)
    if seat in petition.frozen:
        raise Illegal("petition.frozen", name=petition.name, vote=petition.counted(seat))
    check_words("petition.too_long", ballot.comment)
    counts = is_elector(session, seat)
    stands = None if counts else petition.standing(seat)
    said = acts.Voted(by=seat, number=petition.number, vote=ballot.vote, comment=ballot.comment)
    return replace(said, counts=counts, stands=stands)


def torn(session: Session, ballots: Sequence[Ballot], answered: int) -> frozenset[int]:
    """The petitions on which these words vote in more than one way."""
    said: list[tuple[int, Ballot]] = []
    for ballot in ballots:
        with suppress(Illegal):
            said.append((ballot.number or _meant(session, ballot, answered).number, ballot))
    return ballots_torn(said)


def is_elector(session: Session, seat: str) -> bool:
    """Who has sat there since the start, or for a full round (docs/reference/procedure.md, section 5.3)."""
    seated = [
        each.turn for each in session.position.done if isinstance(each.act, acts.Seated) and each.act.seat == seat
    ]
    return not seated or session.position.turn - seated[-1] >= session.rules.lap(session.state)


def answers_petition(session: Session, answered: int) -> bool:
    """Is the letter that is answered one about petitions?"""
    done = session.position.done
    return any(
        each.seq == answered and isinstance(each.act, acts.Petitioned | acts.Voted | acts.Offered | acts.Accepted)
        for each in done
    )


def names_open(session: Session) -> tuple[str, ...]:
    return tuple(petition.name for petition in open_petitions(session.position.done))


def _meant(session: Session, ballot: Ballot, answered: int) -> Petition:
    """The petition that is named, else the one that the letter answers, else the only one."""
    known = petitions(session.position.done)
    if ballot.number is not None:
        return petition_of(session.position.done, ballot.number)
    meant = [petition for petition in known if petition.seq == answered] or open_petitions(session.position.done)
    if len(meant) != 1:
        raise Illegal("petition.which", open=names_open(session))
    return meant[0]


def _withdrawn(petition: Petition, seat: str) -> acts.Withdrawn:
    if petition.asked.by != seat:
        raise Illegal("petition.not_yours", name=petition.name)
    if any(voter != seat for voter in petition.votes) or petition.frozen - {seat}:
        raise Illegal("petition.voted", name=petition.name)
    return acts.Withdrawn(by=seat, number=petition.number)


# -- counting ---


def roll_out(session: Session, closed: Sequence[Decision], at: int) -> None:
    """Who has rolled out has had a say; after a full round everybody has (docs/reference/procedure.md, section 5.2)."""
    seats = {decision.seat for decision in closed if decision.is_turn}
    open_ = open_petitions(session.position.done)
    if not seats or not open_:
        return
    lap = session.rules.lap(session.state)
    for seat in session.seats:
        numbers = tuple(
            petition.number
            for petition in open_
            if seat not in petition.frozen and (seat in seats or session.position.turn - petition.turn >= lap)
        )
        if numbers:
            note(session, at, acts.Deemed(by=CLOCK, seat=seat, numbers=numbers))
    count(session, at)


def count(session: Session, at: int) -> None:
    """Close the petitions that are decided by now, whoever has not voted yet."""
    for petition in open_petitions(session.position.done):
        since, ends = decidable(session, petition)
        is_early = session.has_ended or since is None or at < since
        passed = None if is_early else petition.result(at, ends)
        if passed is not None:
            then = min(at, ends)
            note(session, then, acts.Decided(by=CLOCK, number=petition.number, passed=passed))
            session.record.close_slot(petition_key(petition.number))
            if passed:
                _carry_out(session, petition, then)


def _carry_out(session: Session, petition: Petition, at: int) -> None:
    """What follows when it has passed; nothing of it reaches back."""
    asked, by = petition.asked, actors.petition(petition.number)
    match asked.kind:
        case "change" | "clarify":
            for key, value in asked.sets:
                _set(session, key, value, petition, at)
        case "suspend":
            start = max(at, asked.start or at)
            end = start + asked.length
            note(session, at, acts.Paused(by=by, start=start, end=end, why=asked.title, cause="petition"))
        case "resume":
            note(session, at, acts.Resumed(by=by, at=at, cause="petition", why=asked.title))
        case "finish":
            session.stop(at)
        case "abort":
            note(session, at, acts.Ended(by=by, why=asked.title))
        case "replace":
            seat_candidate(session, petition, at)
        case "remove":
            assert asked.moderator is not None, "it names one"
            note(session, at, acts.Removed(by=by, person=asked.moderator, whom=asked.whom, why=asked.title))


def _set(session: Session, key: str, value: str, petition: Petition, at: int) -> None:
    was = value_now(session.terms, session.rules, key)
    if was != value:
        by, consent = actors.petition(petition.number), petition.name
        note(
            session, at, acts.OptionSet(by=by, key=key, value=value, was=was, why=petition.asked.title, consent=consent)
        )


# -- whoever presides may find a petition out of order, for a day; or in order, once and for all ---


def reject(session: Session, number: int, by: str, at: int, why: str) -> None:
    """Take a petition off the table that is not in order. Raises `Illegal`."""
    petition = _judged(session, number, by)
    if at > petition.at + REJECTED_WITHIN * HOUR:
        raise Illegal("petition.stands", name=petition.name, hours=REJECTED_WITHIN)
    note(session, at, acts.Rejected(by=by, number=number, why=why))
    session.record.close_slot(petition_key(number))


def validate(session: Session, number: int, by: str, at: int) -> None:
    """Say that a petition is in order. Raises `Illegal`."""
    _judged(session, number, by)
    note(session, at, acts.Validated(by=by, number=number))


def _judged(session: Session, number: int, by: str) -> Petition:
    """The petition, if they may rule on it. Raises `Illegal`."""
    petition = petition_of(session.position.done, number)
    check_open(petition)
    if petition.asked.kind == "remove" and by == actors.moderator(petition.asked.whom):
        raise Illegal("petition.about_you", name=petition.name)  # another moderator does, or the operator
    if petition.validated:
        raise Illegal("petition.validated", name=petition.name)
    return petition
