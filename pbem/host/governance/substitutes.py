"""Substitutes: a petition asks for one, somebody accepts, and once both are there they sit down.

See docs/reference/procedure.md, section 5.1.

It works on a session and its record, so that letters and play files seat alike.
"""

from __future__ import annotations

from pbem.core.refusal import Illegal
from pbem.host.clock.slots import note
from pbem.host.clock.timing import petition_key
from pbem.host.session import actors
from pbem.host.session.actors import CLOCK, SUBSTITUTE
from pbem.host.session.acts import Accepted, Petitioned, Seated, Withdrawn
from pbem.host.session.petitions import Petition, about_seat, name, petitions
from pbem.host.session.session import Session
from pbem.language.substitutes import Consent


def answer(session: Session, person: int, consent: Consent, at: int) -> Petition:
    """Somebody says whether they would take a seat; the petition as it is then. Raises `Illegal`."""
    petition = _meant(session, person, consent)
    if consent.yes:
        _check_free(session, petition, person)
    elif petition.candidate != person:
        return petition
    note(session, at, Accepted(by=SUBSTITUTE, number=petition.number, person=person, yes=consent.yes))
    petition = _now(session, petition)
    if petition.vacant:
        seat_candidate(session, petition, at)
    return _now(session, petition)


def seat_candidate(session: Session, petition: Petition, at: int) -> None:
    """It has passed: who has accepted sits down; without them the seat waits for the next who does."""
    person = petition.candidate
    if person is not None and not session.record.sits(person):
        by, why = actors.petition(petition.number), petition.asked.title
        take_seat(session, Seated(by=by, seat=petition.asked.seat, person=person, why=why), at)


def take_seat(session: Session, act: Seated, at: int) -> None:
    """What is awaited there has all of its time again, and nobody is looked for any more; what is on file stays."""
    note(session, at, act)
    drop_search(session, act.seat, at)
    for slot in session.record.slots():
        if slot.seat == act.seat:
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
    number = len(petitions(session.position.done)) + 1
    asked = Petitioned(by=CLOCK, number=number, kind="replace", title=seat, seat=seat, electors=(), closes=at)
    note(session, at, asked)


def _meant(session: Session, person: int, consent: Consent) -> Petition:
    """The one that is named, else the only one that they may answer, or the last that they might have."""
    known = petitions(session.position.done)
    asked = [petition for petition in known if person in (petition.asked.substitute, *petition.offered)]
    free = [petition for petition in asked if petition in about_seat(session.position.done)] or asked[-1:]
    number = consent.number
    if number is None:
        if len(free) != 1:
            raise Illegal("accept.which", open=tuple(name(petition.number) for petition in free))
        return _unsettled(free[0])
    found = next((petition for petition in known if petition.number == number), None)
    if found is None or found.asked.kind != "replace":
        raise Illegal("accept.none", read=name(number))
    return _unsettled(found)


def _unsettled(petition: Petition) -> Petition:
    if petition.status != "open" and not petition.vacant:
        raise Illegal("petition.over", name=name(petition.number), status=petition.status)
    return petition


def _check_free(session: Session, petition: Petition, person: int) -> None:
    """Who was named is asked alone; else the first to accept is the one."""
    if petition.asked.substitute not in (None, person):
        raise Illegal("accept.another", name=name(petition.number))
    if petition.candidate not in (None, person):
        raise Illegal("accept.taken", name=name(petition.number))
    if session.record.sits(person):
        raise Illegal("accept.sits")


def _now(session: Session, petition: Petition) -> Petition:
    return next(each for each in petitions(session.position.done) if each.number == petition.number)
