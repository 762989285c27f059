"""All that is to be known of a game, for whoever leads it: the operator's page and a moderator's answer to "status"."""

from __future__ import annotations

from msgspec.structs import replace

from pbem.host.clock.time_sheet import forced_in_a_row, lateness
from pbem.host.lobby.moderators import called
from pbem.host.messages import sections
from pbem.host.ports import Game, Member
from pbem.host.reporting.answers import awaited
from pbem.host.reporting.tallies import listed
from pbem.host.session.absences import away_now, held, person_of
from pbem.host.session.anonymity import is_hidden
from pbem.host.session.unit_of_work import UnitOfWork

SHOWN = 10  # of the last letters


def overview(work: UnitOfWork, game: Game, now: int, seat: str = "") -> sections.Overview:
    """Who sits where and how they do, what is on file (but not its text), letters to us and those that got nowhere.

    `seat`: whoever asks plays there; in an anonymous game nothing then tells who the others are.
    """
    found = _overview(work, game, now)
    if seat and is_hidden(game, work.games.load(game).terms.anonymous):
        return _without_people(game, found)
    return found


def _without_people(game: Game, found: sections.Overview) -> sections.Overview:
    """Letters go with them: when somebody has written tells who has moved."""
    return replace(
        found,
        moderators=tuple(called(game, one.person) for one in game.moderators),
        seats=tuple(replace(each, address="", returned={}, free=each.is_free) for each in found.seats),
        letters=(),
        lost=(),
        waiting=(),
    )


def _overview(work: UnitOfWork, game: Game, now: int) -> sections.Overview:
    session = work.session(game) if game.status == "running" else None
    papers = session.record.filed() if session else ()
    seats = sorted({member.seat for member in game.members} | {*work.games.load(game).terms.setup.seats})
    return sections.Overview(
        status=game.status,
        turn=session.position.turn if session else None,
        moderators=tuple(f"{one.person.name} <{one.person.address}>".strip() for one in game.moderators),
        seats=tuple(_sitting(work, game, seat, now) for seat in seats),
        awaited=awaited(work.repository, game, session) if session else (),
        papers=tuple(
            sections.Filed(seat=paper.seat, kind=paper.kind, at=paper.at)
            for paper in sorted(papers, key=lambda one: (one.seat, one.kind, one.at))
        ),
        letters=tuple(
            sections.Came(at=noted.arrived, sender=noted.sender, subject=noted.subject, fate=noted.fate)
            for noted in work.repository.last(game.id, SHOWN)
        ),
        lost=tuple(
            sections.Lost(id=dead.id, to=dead.to, at=dead.created, reason=dead.reason)
            for dead in work.repository.dead()
            if dead.game == game.id
        ),
        open=listed(session.position.done).open if session else (),
        waiting=tuple(f"{person.name} <{person.address}>".strip() for person in work.repository.waiting()),
    )


def _sitting(work: UnitOfWork, game: Game, seat: str, now: int) -> sections.Sitting:
    member = next((each for each in game.members if each.seat == seat), None)
    done = work.session(game).position.done if game.status == "running" else ()
    one = away_now(done, seat, now)
    deputy = person_of(work.repository, game, one.deputy, one.person) if one else None
    return sections.Sitting(
        seat=seat,
        address=member.person.address if member else "",
        joined=member is not None and member.joined is not None,
        late=lateness(done).get(seat, 0),
        forced=forced_in_a_row(done, seat),
        bot=seat in held(done),
        returned=_returned(work, member) if member else {},
        away=one.end if one else None,
        deputy=(deputy.address if one.person is not None else one.deputy) if one and deputy else "",
        agreed=one.agreed if one else False,
    )


def _returned(work: UnitOfWork, member: Member) -> dict[str, int]:
    """Letters in a row that have come back, by address."""
    return {each.address: each.failures for each in work.repository.addresses(member.person.id) if each.failures}
