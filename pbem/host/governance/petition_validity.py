"""Whoever presides may find a petition out of order, for a day; or in order, once and for all.

See docs/reference/procedure.md, section 5.2.
"""

from __future__ import annotations

from pbem.core.refusal import Illegal
from pbem.host.clock.slots import note
from pbem.host.clock.timing import petition_key
from pbem.host.session.actors import moderator
from pbem.host.session.acts import Rejected, Validated
from pbem.host.session.petitions import Petition, petitions
from pbem.host.session.session import Session

HOURS = 24  # in which a petition may be rejected


def reject(session: Session, number: int, by: str, at: int, why: str) -> None:
    """Take a petition off the table that is not in order. Raises `Illegal`."""
    petition = _open(session, number)
    _check_not_about(petition, by)
    if petition.validated:
        raise Illegal("petition.validated", name=f"P-{number}")
    if at > petition.at + HOURS * 3_600:
        raise Illegal("petition.stands", name=f"P-{number}", hours=HOURS)
    note(session, at, Rejected(by=by, number=number, why=why))
    session.record.close_slot(petition_key(number))


def validate(session: Session, number: int, by: str, at: int) -> None:
    """Say that a petition is in order. Raises `Illegal`."""
    petition = _open(session, number)
    _check_not_about(petition, by)
    if petition.validated:
        raise Illegal("petition.validated", name=f"P-{number}")
    note(session, at, Validated(by=by, number=number))


def _check_not_about(petition: Petition, by: str) -> None:
    """No moderator rules on whether they go on: another one does, or the operator."""
    if petition.asked.kind == "remove" and by == moderator(petition.asked.whom):
        raise Illegal("petition.about_you", name=f"P-{petition.number}")


def _open(session: Session, number: int) -> Petition:
    known = {petition.number: petition for petition in petitions(session.position.done)}
    if number not in known:
        open_ = tuple(f"P-{each.number}" for each in known.values() if each.status == "open")
        raise Illegal("petition.unknown", read=f"P-{number}", open=open_)
    if known[number].status != "open":
        raise Illegal("petition.over", name=f"P-{number}", status=known[number].status)
    return known[number]
