"""What a player may ask the others to vote on: whether it can be asked, and what stands in the log of it.

It works on a session and its record, so that letters and play files ask alike.
"""

from __future__ import annotations

from msgspec.structs import replace

from pbem.core.refusal import Illegal
from pbem.core.voting import MOST_OPEN
from pbem.host.calendar.zones import DAY, HOUR
from pbem.host.clock.slots import note, open_slot
from pbem.host.governance.suspensions import read_suspension
from pbem.host.governance.voting import count, is_elector
from pbem.host.session.acts import Petitioned, dealt
from pbem.host.session.pauses import to_come
from pbem.host.session.petitions import ABOUT_PERSONS, open_petitions, petitions
from pbem.host.session.session import Session
from pbem.host.session.terms import changed
from pbem.language.petitions import Motion, read_removed, read_replaced

OPEN_DAYS, SUSPEND_HOURS = 7, 24  # a petition is open, and one to suspend is


def post(session: Session, seat: str, motion: Motion, at: int, zone: str) -> None:
    """Ask the others to vote. Raises `Illegal` for what can't be asked for, in form.

    See docs/reference/procedure.md, section 5.2.
    """
    open_petition(session, _posted(session, seat, motion, at, zone), at)


def open_petition(session: Session, act: Petitioned, at: int) -> None:
    """Let the players vote."""
    note(session, at, act)
    open_slot(session, act.number, at)
    count(session, at)


def _posted(session: Session, seat: str, motion: Motion, at: int, zone: str) -> Petitioned:
    done = session.position.done
    if sum(petition.asked.by == seat for petition in open_petitions(done)) >= MOST_OPEN:
        raise Illegal("petition.too_many", most=MOST_OPEN)
    _check_sets(session, motion)
    table = dealt(done)
    if table is not None and (motion.kind == "abort" or motion.sets):
        raise Illegal("league.frozen", season=table.season, table=table.table)
    is_short = motion.kind in ("suspend", "resume")
    asked = Petitioned(
        by=seat,
        number=len(petitions(done)) + 1,
        kind=motion.kind,
        title=motion.said,
        text=motion.text,
        sets=motion.sets,
        counts=is_elector(session, seat),
        unanimous=table is not None and motion.kind == "finish",
        electors=tuple(session.seats),
        closes=at + (SUSPEND_HOURS * HOUR if is_short else OPEN_DAYS * DAY),
    )
    if asked.kind in ABOUT_PERSONS:
        asked = _replaced(session, asked, at) if asked.kind == "replace" else _removed(session, asked)
    if not asked.counts and (asked.kind, asked.seat) != ("replace", seat):
        raise Illegal("petition.not_elector")
    if asked.kind == "resume":
        _check_suspended(session, at)
    if asked.kind == "suspend":
        wished = read_suspension(asked.title, zone, at)
        return replace(asked, length=wished.length, start=wished.start, title=wished.why)
    if asked.kind in ("change", "clarify") and not (asked.title or asked.text or asked.sets):
        raise Illegal("petition.empty")
    return asked


def _check_sets(session: Session, motion: Motion) -> None:
    """Only what can be set in a running game may be asked for; a clarification settles its rules alone."""
    if motion.sets and motion.kind not in ("change", "clarify"):
        raise Illegal("petition.sets_nothing", kind=motion.kind)
    terms = session.terms
    for key, value in dict.fromkeys(motion.sets):
        values = tuple(dict.fromkeys(other for same, other in motion.sets if same == key))
        if len(values) > 1:
            raise Illegal("petition.twice", key=key, values=values)
        terms = changed(terms, session.rules, key, value)
        options = session.rules.options
        if motion.kind == "clarify" and (key in options.needs_petition or key not in options.changeable):
            raise Illegal("petition.needs_change", key=key)


def _check_suspended(session: Session, at: int) -> None:
    """Only what the players have voted can be ended by their vote."""
    if not any(window.cause == "petition" for window in to_come(session.position.done, at)):
        raise Illegal("petition.not_suspended")


def _replaced(session: Session, petition: Petitioned, at: int) -> Petitioned:
    """Without addresses, since logs are published."""
    asked = read_replaced(petition.title)
    seat = session.parser.seat(asked.who)
    blindly = session.terms.anonymous != "no"
    substitute = session.record.candidate(asked.address, at, petition.by, blindly=blindly) if asked.address else None
    title = f"{seat}: {asked.why}" if asked.why else seat
    return replace(petition, title=title, seat=seat, substitute=substitute)


def _removed(session: Session, petition: Petitioned) -> Petitioned:
    """A moderator may be named by the name, or is the only one."""
    asked, known = read_removed(petition.title), session.record.moderators()
    if asked is None:
        raise Illegal("petition.remove_whom", candidates=tuple(one.called for one in known))
    meant = [one for one in known if one.is_called(asked.who)]
    if len(meant) != 1:
        raise Illegal("petition.no_moderator", read=asked.who, candidates=tuple(one.called for one in known))
    one = meant[0]
    title = f"{one.called}: {asked.why}" if asked.why else one.called
    return replace(petition, title=title, seat=one.seat, moderator=one.person, whom=one.name)
