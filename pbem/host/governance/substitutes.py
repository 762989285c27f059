"""Substitutes and bots: a petition asks for one, somebody accepts, and once both are there they sit down.

See docs/reference/procedure.md, section 5.1.

It works on a session and its record, so that letters and play files seat alike.
"""

from __future__ import annotations

from collections.abc import Sequence

from pbem.core.refusal import Illegal
from pbem.host.clock.slots import note
from pbem.host.clock.timing import petition_key
from pbem.host.session import actors
from pbem.host.session.absences import held
from pbem.host.session.actors import CLOCK, SUBSTITUTE
from pbem.host.session.acts import Accepted, BotLeft, BotSeated, Petitioned, Seated, Withdrawn
from pbem.host.session.petitions import Petition, about_seat, check_open, name, petition_of, petitions
from pbem.host.session.session import Session
from pbem.language.answers import Consent


def answer(session: Session, person: int, consent: Consent, at: int) -> Petition:
    """Somebody says whether they would take a seat; the petition as it is then. Raises `Illegal`."""
    petition = _meant(session, person, consent)
    if consent.yes:
        _check_free(session, petition, person)
    elif petition.candidate != person:
        return petition
    note(session, at, Accepted(by=SUBSTITUTE, number=petition.number, person=person, yes=consent.yes))
    petition = petition_of(session.position.done, petition.number)
    if petition.vacant:
        seat_candidate(session, petition, at)
    return petition_of(session.position.done, petition.number)


def seat_candidate(session: Session, petition: Petition, at: int) -> None:
    """It has passed: who has accepted sits down; without them the seat waits for the next who does."""
    person = petition.candidate
    if person is not None and not session.record.sits(person):
        by, why = actors.petition(petition.number), petition.asked.title
        take_seat(session, Seated(by=by, seat=petition.asked.seat, person=person, why=why), at)


def take_seat(session: Session, act: Seated, at: int) -> None:
    """Nobody is looked for any more; what is on file stays."""
    note(session, at, act)
    drop_search(session, act.seat, at)
    _begin_anew(session, act.seat)


def _begin_anew(session: Session, seat: str) -> None:
    """What is awaited there has all of its time again."""
    for slot in session.record.slots():
        if slot.seat == seat:
            session.record.close_slot(slot.key)


def drop_search(session: Session, seat: str, at: int, by: str | None = None) -> None:
    """The host withdraws the petitions to replace who sits there, or those by one of us."""
    for petition in about_seat(session.position.done, seat):
        if by is None or (by == petition.asked.by and not petition.asked.is_vacancy):
            note(session, at, Withdrawn(by=CLOCK, number=petition.number))
            session.record.close_slot(petition_key(petition.number))


def open_vacancy(session: Session, seat: str, at: int) -> None:
    """Nobody sits there any more: it is offered without a vote, and whoever accepts first has it."""
    drop_search(session, seat, at)
    note(session, at, sought(session, seat, closes=at))


def sought(session: Session, seat: str, closes: int, electors: Sequence[str] = ()) -> Petitioned:
    """A petition of the host's own to replace who sits there."""
    number, electors = len(petitions(session.position.done)) + 1, tuple(electors)
    return Petitioned(by=CLOCK, number=number, kind="replace", title=seat, seat=seat, electors=electors, closes=closes)


def _meant(session: Session, person: int, consent: Consent) -> Petition:
    """The one that is named, else the only one that they may answer, or the last that they might have."""
    known = petitions(session.position.done)
    asked = [petition for petition in known if person in (petition.asked.substitute, *petition.offered)]
    free = [petition for petition in asked if petition in about_seat(session.position.done)] or asked[-1:]
    number = consent.number
    if number is None:
        if len(free) != 1:
            raise Illegal("accept.which", open=tuple(petition.name for petition in free))
        return _unsettled(free[0])
    found = next((petition for petition in known if petition.number == number), None)
    if found is None or found.asked.kind != "replace":
        raise Illegal("accept.none", read=name(number))
    return _unsettled(found)


def _unsettled(petition: Petition) -> Petition:
    if not petition.vacant:
        check_open(petition)
    return petition


def _check_free(session: Session, petition: Petition, person: int) -> None:
    """Who was named is asked alone; else the first to accept is the one."""
    if petition.asked.substitute not in (None, person):
        raise Illegal("accept.another", name=petition.name)
    if petition.candidate not in (None, person):
        raise Illegal("accept.taken", name=petition.name)
    if session.record.sits(person):
        raise Illegal("accept.sits")


# -- bots: one holds a seat whose player is silent or gone, till they write again or a substitute sits down ---


def hold(session: Session, seat: str, at: int) -> None:
    """Nobody answers there: does a bot, by what was agreed on?"""
    if session.terms.bots != "no":
        seat_bot(session, seat, at, by=CLOCK)


def seat_bot(session: Session, seat: str, at: int, *, by: str, why: str = "", agreed: bool = False) -> None:
    """From now on a bot answers there, unless one does already."""
    if seat not in held(session.position.done):
        note(session, at, BotSeated(by=by, seat=seat, why=why, agreed=agreed))


def dismiss_bot(session: Session, seat: str, at: int, *, by: str, why: str = "") -> None:
    """No bot answers there any more, if one did."""
    if seat in held(session.position.done):
        note(session, at, BotLeft(by=by, seat=seat, why=why))
        _begin_anew(session, seat)
