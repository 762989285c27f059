"""How players vote, and what follows from the votes: each step is an act in the log of the game.

It works on a referee and his record, so that letters and play files vote alike.
"""

from __future__ import annotations

from collections.abc import Container, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING

from msgspec.structs import replace

from pbem.core.refusal import Illegal
from pbem.host.clock.timing import petition_key
from pbem.host.governance.concerned import decidable, watched
from pbem.host.governance.substitutes import seat_candidate
from pbem.host.ports import Slot
from pbem.host.session.acts import (
    Accepted,
    Decided,
    Deemed,
    Ended,
    Offered,
    OptionSet,
    Paused,
    Petitioned,
    Removed,
    Resumed,
    Seated,
    Voted,
    Withdrawn,
)
from pbem.host.session.budget import check_words
from pbem.host.session.options import value_now
from pbem.host.session.petitions import PETITION, SLOT, Petition, name, open_petitions, petitions
from pbem.language.ballots import Ballot, Vote

if TYPE_CHECKING:
    from pbem.core.decision import Decision
    from pbem.host.play.referee import Referee


def vote(
    referee: Referee, seat: str, ballot: Ballot, answered: int, at: int, torn: Container[int] = ()
) -> Voted | Withdrawn:
    """Vote, or withdraw. `answered`: the last entry that the letter tells of which is answered; `torn`: see there.

    Raises `Illegal` for what can't be voted on, not from this seat, or no more.
    """
    act = _voted(referee, seat, ballot, answered, torn)
    referee.note(at, act)
    if isinstance(act, Withdrawn):
        referee.record.close_slot(petition_key(act.number))
    count(referee, at)
    return act


def _voted(referee: Referee, seat: str, ballot: Ballot, answered: int, torn: Container[int]) -> Voted | Withdrawn:
    petition = _meant(referee, ballot, answered)
    if ballot.does == "unclear":
        raise Illegal("petition.unclear", name=name(petition.number))
    if petition.status != "open":
        raise Illegal("petition.over", name=name(petition.number), status=petition.status)
    if ballot.vote is None:
        return _withdrawn(petition, seat)
    if petition.number in torn:
        raise Illegal("petition.two_votes", name=name(petition.number))
    if seat in petition.frozen:
        raise Illegal("petition.frozen", name=name(petition.number), vote=_vote(petition, seat))
    check_words("petition.too_long", ballot.comment)
    counts = is_elector(referee, seat)
    stands = None if counts else petition.standing(seat)
    said = Voted(by=seat, number=petition.number, vote=ballot.vote, comment=ballot.comment)
    return replace(said, counts=counts, stands=stands)


def torn(referee: Referee, ballots: Sequence[Ballot], answered: int) -> frozenset[int]:
    """The petitions on which these words vote in more than one way: nobody guesses which is meant."""
    found: dict[int, set[Vote]] = {}
    for ballot in ballots:
        with suppress(Illegal):
            number = ballot.number or _meant(referee, ballot, answered).number
            found.setdefault(number, set()).update([ballot.vote] if ballot.vote else [])
    return frozenset(number for number, votes in found.items() if len(votes) > 1)


def is_elector(referee: Referee, seat: str) -> bool:
    """Who has sat there since the start, or for a full round (procedure.md, 5.3)."""
    seated = [each.turn for each in referee.position.done if isinstance(each.act, Seated) and each.act.seat == seat]
    return not seated or referee.position.turn - seated[-1] >= referee.rules.lap(referee.state)


def answers_petition(referee: Referee, answered: int) -> bool:
    """Is the letter that is answered one about petitions?"""
    done = referee.position.done
    return any(each.seq == answered and isinstance(each.act, Petitioned | Voted | Offered | Accepted) for each in done)


def names_open(referee: Referee) -> tuple[str, ...]:
    return tuple(name(petition.number) for petition in open_petitions(referee.position.done))


def _meant(referee: Referee, ballot: Ballot, answered: int) -> Petition:
    """The petition that is named, else the one that the letter answers, else the only one."""
    known = petitions(referee.position.done)
    open_ = [petition for petition in known if petition.status == "open"]
    names = tuple(name(petition.number) for petition in open_)
    if ballot.number is None:
        meant = [petition for petition in known if petition.seq == answered] or open_
        if len(meant) != 1:
            raise Illegal("petition.which", open=names)
        return meant[0]
    found = next((petition for petition in known if petition.number == ballot.number), None)
    if found is None:
        raise Illegal("petition.unknown", read=name(ballot.number), open=names)
    return found


def _withdrawn(petition: Petition, seat: str) -> Withdrawn:
    if petition.asked.by != seat:
        raise Illegal("petition.not_yours", name=name(petition.number))
    if any(voter != seat for voter in petition.votes) or petition.frozen - {seat}:
        raise Illegal("petition.voted", name=name(petition.number))
    return Withdrawn(by=seat, number=petition.number)


def _vote(petition: Petition, seat: str) -> str:
    return next(vote for vote in ("for", "against", "quorum") if seat in petition.side(vote))


# -- counting ---


def roll_out(referee: Referee, closed: Sequence[Decision], at: int) -> None:
    """Who has rolled out has had his say; after a full round everybody has (procedure.md, 5.2)."""
    seats = {decision.seat for decision in closed if decision.kind == SLOT}
    open_ = open_petitions(referee.position.done)
    if not seats or not open_:
        return
    lap = referee.rules.lap(referee.state)
    for seat in referee.seats:
        numbers = tuple(
            petition.number
            for petition in open_
            if seat not in petition.frozen and (seat in seats or referee.position.turn - petition.turn >= lap)
        )
        if numbers:
            referee.note(at, Deemed(by="clock", seat=seat, numbers=numbers))
    count(referee, at)


def open_slot(referee: Referee, number: int, at: int) -> None:
    """Let the clock know when it is to count the votes."""
    petition = next(each for each in petitions(referee.position.done) if each.number == number)
    slot = Slot(key=petition_key(number), seat="", opened=at)
    referee.record.put_slot(watched(referee, petition, slot))


def reckoned(referee: Referee, slot: Slot) -> Slot:
    """The slot of a petition as it is to be now."""
    open_ = {petition_key(each.number): each for each in open_petitions(referee.position.done)}
    return watched(referee, open_[slot.key], slot) if slot.key in open_ else slot


def count(referee: Referee, at: int) -> None:
    """Close the petitions that are decided by now, whoever has not voted yet."""
    for petition in open_petitions(referee.position.done):
        since, ends = decidable(referee, petition)
        is_early = referee.has_ended or since is None or at < since
        passed = None if is_early else petition.result(at, ends)
        if passed is not None:
            then = min(at, ends)
            referee.note(then, Decided(by="clock", number=petition.number, passed=passed))
            referee.record.close_slot(petition_key(petition.number))
            if passed:
                _carry_out(referee, petition, then)


def _carry_out(referee: Referee, petition: Petition, at: int) -> None:
    """What follows when it has passed; nothing of it reaches back."""
    asked, by = petition.asked, PETITION + name(petition.number)
    match asked.kind:
        case "change" | "clarify":
            for key, value in asked.sets:
                _set(referee, key, value, by, asked.title, at)
        case "suspend":
            start = max(at, asked.start or at)
            end = start + asked.length
            referee.note(at, Paused(by=by, start=start, end=end, why=asked.title, cause="petition"))
        case "resume":
            referee.note(at, Resumed(by=by, at=at, cause="petition", why=asked.title))
        case "finish":
            referee.stop(at)
        case "abort":
            referee.note(at, Ended(by=by, why=asked.title))
        case "replace":
            seat_candidate(referee, petition, at)
        case "remove":
            assert asked.moderator is not None, "it names one"
            referee.note(at, Removed(by=by, person=asked.moderator, whom=asked.whom, why=asked.title))


def _set(referee: Referee, key: str, value: str, by: str, why: str, at: int) -> None:
    was = value_now(referee.terms, referee.rules, key)
    if was != value:
        consent = by.rpartition(" ")[2]
        referee.note(at, OptionSet(by=by, key=key, value=value, was=was, why=why, consent=consent))
