"""What a player may ask and vote, and what follows from the votes: each step is an act in the log of the game.

It works on a referee and his record, so that letters and play files vote alike.
"""

from __future__ import annotations

import re
from collections.abc import Container, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING

from msgspec.structs import replace

from pbem.language.petitions import Ballot, Motion, Vote
from pbem.language.substitutes import read_substitution
from pbem.service.clock.moments import parse_length, parse_moment
from pbem.service.clock.pauses import to_come
from pbem.service.clock.timing import petition_key
from pbem.service.council.petitions import PETITION, Petition, name, open_petitions, petitions
from pbem.service.council.substitutes import seat_candidate
from pbem.service.play.acts import (
    Decided,
    Deemed,
    Ended,
    OptionSet,
    Paused,
    Petitioned,
    Resumed,
    Seated,
    Voted,
    Withdrawn,
)
from pbem.service.play.options import GRAVE, changed, value_now
from pbem.service.ports import Slot
from pbem.table.refusal import Illegal, Unreadable

if TYPE_CHECKING:
    from pbem.service.play.referee import Referee
    from pbem.table.decision import Decision

DAY = 86_400
LONGEST = 20_000  # bytes of the text, in UTF-8
MOST = 3  # open petitions of one player
MOST_WORDS = 12  # of a length, or of a moment, before its reason
SLOT = "turn"  # the questions whose answer is rolling out; those asked meanwhile are not
OPEN_DAYS, SUSPEND_HOURS, SUSPEND_DAYS = 7, 24, 14  # a petition is open, to suspend it is, and a suspension lasts

_FROM = re.compile(r"(?:from|ab|von|vom|dal|dalle|da)\s+(?P<rest>.+)", re.IGNORECASE)


# -- asking ---


def post(referee: Referee, seat: str, motion: Motion, at: int, zone: str) -> None:
    """Ask the others to vote. Raises `Illegal` for what can't be asked for, in form (procedure.md, 5.2)."""
    open_petition(referee, _posted(referee, seat, motion, at, zone), at)


def open_petition(referee: Referee, act: Petitioned, at: int) -> None:
    """Let the players vote."""
    referee.note(at, act)
    key, closes = petition_key(act.number), act.closes + 1  # a vote in that very second counts
    referee.record.put_slot(Slot(key=key, seat="", opened=at, deadline=act.closes, closes=closes, due=act.closes))
    count(referee, at)


def _posted(referee: Referee, seat: str, motion: Motion, at: int, zone: str) -> Petitioned:
    done = referee.position.done
    if sum(petition.asked.by == seat for petition in open_petitions(done)) >= MOST:
        raise Illegal("petition.too_many", most=MOST)
    _check_length(motion.said + motion.text)
    _check_sets(referee, motion)
    about, substitute, motion = _replaced(referee, motion, at)
    counts = _is_elector(referee, seat)
    if not counts and about != seat:
        raise Illegal("petition.not_elector")
    if motion.kind == "resume":
        _check_suspended(referee, at)
    length, start, title = _suspension(motion.said, zone, at) if motion.kind == "suspend" else (0, None, motion.said)
    if not title and not motion.text and not motion.sets and motion.kind in ("change", "clarify"):
        raise Illegal("petition.empty")
    return Petitioned(
        by=seat,
        number=len(petitions(done)) + 1,
        kind=motion.kind,
        title=title,
        text=motion.text,
        sets=motion.sets,
        start=start,
        length=length,
        seat=about,
        substitute=substitute,
        counts=counts,
        electors=tuple(referee.seats),
        closes=at + (SUSPEND_HOURS * 3_600 if motion.kind in ("suspend", "resume") else OPEN_DAYS * DAY),
    )


def _check_sets(referee: Referee, motion: Motion) -> None:
    """Only what can be set in a running game may be asked for; a clarification settles its rules alone."""
    if motion.sets and motion.kind not in ("change", "clarify"):
        raise Illegal("petition.sets_nothing", kind=motion.kind)
    terms = referee.terms
    for key, value in dict.fromkeys(motion.sets):
        values = tuple(dict.fromkeys(other for same, other in motion.sets if same == key))
        if len(values) > 1:
            raise Illegal("petition.twice", key=key, values=values)
        terms = changed(terms, referee.rules, key, value)
        if motion.kind == "clarify" and (key in GRAVE or key not in referee.rules.changeable):
            raise Illegal("petition.needs_change", key=key)


def _check_suspended(referee: Referee, at: int) -> None:
    """Only what the players have voted can be ended by their vote."""
    if not any(window.cause == "petition" for window in to_come(referee.position.done, at)):
        raise Illegal("petition.not_suspended")


def _replaced(referee: Referee, motion: Motion, at: int) -> tuple[str, int | None, Motion]:
    """Whose seat it is about, who is to have it, and the petition without his address: logs are published."""
    if motion.kind != "replace":
        return "", None, motion
    asked = read_substitution(motion.said)
    try:
        seat = referee.reader.seat(asked.seat)
    except Unreadable as problem:
        raise Illegal(problem.code, **problem.facts) from None
    substitute = referee.record.candidate(asked.address, at) if asked.address else None
    return seat, substitute, replace(motion, said=f"{seat}: {asked.why}" if asked.why else seat)


def _check_length(text: str) -> None:
    if len(text.encode()) > LONGEST:
        raise Illegal("petition.too_long", most=LONGEST // 1_000)


def _suspension(said: str, zone: str, now: int) -> tuple[int, int | None, str]:
    """Its length, from when, and the reason: "48h from Mon 18:00 Christmas"."""
    words = said.split()
    most = next((n for n in range(min(len(words), MOST_WORDS), 0, -1) if _is_length(" ".join(words[:n]))), 1)
    length = parse_length(" ".join(words[:most]))
    if length > SUSPEND_DAYS * DAY:
        raise Illegal("petition.suspends_long", most=SUSPEND_DAYS)
    rest = " ".join(words[most:])
    begun = _FROM.fullmatch(rest)
    if begun is None:
        return length, None, _reason(rest)
    start, rest = _start(begun["rest"].split(), zone, now)
    if now - start >= DAY:
        raise Illegal("suspension.past", start=start)
    return length, start, _reason(rest)


def _start(words: Sequence[str], zone: str, now: int) -> tuple[int, str]:
    """The moment at the beginning, as long as it can be read, and what stands behind it."""
    problem = Illegal("time.unreadable", read=" ".join(words), zone=zone)
    for n in range(min(len(words), MOST_WORDS), 0, -1):
        behind = words[n:]
        if behind and behind[0][0].isdigit():
            continue  # a day whose time can't be read is not that day
        try:
            return parse_moment(" ".join(words[:n]).rstrip(":,;"), zone, now), " ".join(behind)
        except Illegal as refusal:
            problem = problem if refusal.code == "time.unreadable" else refusal
    raise problem


def _is_length(text: str) -> bool:
    try:
        return parse_length(text.rstrip(":,;")) > 0
    except Illegal as refusal:
        return refusal.code == "length.none"


def _reason(text: str) -> str:
    return text.strip(" \t:,;-–—")


# -- voting ---


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
    if petition.status != "open":
        raise Illegal("petition.over", name=name(petition.number), status=petition.status)
    if ballot.vote is None:
        return _withdrawn(petition, seat)
    if petition.number in torn:
        raise Illegal("petition.two_votes", name=name(petition.number))
    if seat in petition.frozen:
        raise Illegal("petition.frozen", name=name(petition.number), vote=_vote(petition, seat))
    _check_length(ballot.comment)
    counts = _is_elector(referee, seat)
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


def _is_elector(referee: Referee, seat: str) -> bool:
    """Who has sat there since the start, or for a full round (procedure.md, 5.3)."""
    seated = [each.turn for each in referee.position.done if isinstance(each.act, Seated) and each.act.seat == seat]
    return not seated or referee.position.turn - seated[-1] >= referee.rules.lap(referee.state)


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


def count(referee: Referee, at: int) -> None:
    """Close the petitions that are decided by now, whoever has not voted yet."""
    for petition in open_petitions(referee.position.done):
        passed = None if referee.has_ended else petition.result(at)
        if passed is not None:
            then = min(at, petition.asked.closes)
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


def _set(referee: Referee, key: str, value: str, by: str, why: str, at: int) -> None:
    was = value_now(referee.terms, referee.rules, key)
    if was != value:
        consent = by.rpartition(" ")[2]
        referee.note(at, OptionSet(by=by, key=key, value=value, was=was, why=why, consent=consent))
