"""How a game stands: `status`, `board` and `clock`."""

from __future__ import annotations

from msgspec.structs import replace

from pbem.host.clock.time_sheet import forced_in_a_row, lateness, sheet
from pbem.host.clock.timing import slot_key, timing_of
from pbem.host.commands.aside import Query, QueryContext, not_begun
from pbem.host.lobby.moderators import called
from pbem.host.messages.sections import Board, Came, Filed, Lost, Overview, Running, Section, Sitting, Timetable
from pbem.host.ports import Game, Member
from pbem.host.reporting.answers import awaited, in_slot
from pbem.host.reporting.rules_in_force import hours
from pbem.host.reporting.tallies import listed
from pbem.host.session.absences import away_now, held, person_of
from pbem.host.session.anonymity import is_hidden
from pbem.host.session.petitions import open_petitions
from pbem.host.session.unit_of_work import UnitOfWork
from pbem.language.tokens import fold

ROWS = 12  # of the move order sheet
SHOWN = 10  # of the last letters to us


def _status(context: QueryContext) -> Section | None:
    """All that is known, to whoever leads the game; who is awaited, and what is on file, is told by every answer."""
    if context.leads or not context.seat:
        return overview(context.work, context.game, context.now, context.seat)
    if context.game.status == "inviting":
        raise not_begun(context.work, context.game)
    if context.game.status == "finished":
        return _board(context)
    done = context.session.position.done
    return listed(done) if open_petitions(done) else None


def _board(context: QueryContext) -> Board:
    """The position, as far as whoever asks may see it."""
    rules, asked = context.session.rules, context.rest.strip()
    near = rules.place(asked) if asked and fold(asked) not in map(fold, ALL) else None
    return Board(view=rules.view(context.session.state, context.viewer), near=near)


def _clock(context: QueryContext) -> Timetable:
    """How much time each answer has had, and when it ends."""
    session = context.session
    pending, timing = {slot_key(decision): decision for decision in session.pending()}, timing_of(session)
    bots = held(session.position.done)
    running = tuple(
        Running(
            awaited=in_slot(pending[slot.key], slot, bots),
            begun=slot.started,
            used=max(0, timing.counted(slot, context.now)),
        )
        for slot in context.work.repository.slots(context.game.id)
        if slot.key in pending
    )
    return Timetable(
        running=running,
        slot_hours=session.terms.slot_hours,
        remind_hours=session.terms.remind_hours,
        hours=hours(session.terms),
        sheet=sheet(session.position.done)[-ROWS:],
        late=lateness(session.position.done),
    )


# -- all that is to be known, for whoever leads the game ---


def overview(work: UnitOfWork, game: Game, now: int, seat: str = "") -> Overview:
    """Who sits where and how they do, what is on file (but not its text), letters to us and those that got nowhere.

    `seat`: whoever asks plays there; in an anonymous game nothing then tells who the others are.
    """
    found = _overview(work, game, now)
    if seat and is_hidden(game, work.games.load(game).terms.anonymous):
        return _without_people(game, found)
    return found


def _without_people(game: Game, found: Overview) -> Overview:
    """Letters go with them: when somebody has written tells who has moved."""
    return replace(
        found,
        moderators=tuple(called(game, one.person) for one in game.moderators),
        seats=tuple(replace(each, address="", returned={}, free=each.is_free) for each in found.seats),
        letters=(),
        lost=(),
        waiting=(),
    )


def _overview(work: UnitOfWork, game: Game, now: int) -> Overview:
    session = work.session(game) if game.status == "running" else None
    papers = session.record.filed() if session else ()
    seats = sorted({member.seat for member in game.members} | {*work.games.load(game).terms.setup.seats})
    return Overview(
        status=game.status,
        turn=session.position.turn if session else None,
        moderators=tuple(f"{one.person.name} <{one.person.address}>".strip() for one in game.moderators),
        seats=tuple(_sitting(work, game, seat, now) for seat in seats),
        awaited=awaited(work.repository, game, session) if session else (),
        papers=tuple(
            Filed(seat=paper.seat, kind=paper.kind, at=paper.at)
            for paper in sorted(papers, key=lambda one: (one.seat, one.kind, one.at))
        ),
        letters=tuple(
            Came(at=noted.arrived, sender=noted.sender, subject=noted.subject, fate=noted.fate)
            for noted in work.repository.last(game.id, SHOWN)
        ),
        lost=tuple(
            Lost(id=dead.id, to=dead.to, at=dead.created, reason=dead.reason)
            for dead in work.repository.dead()
            if dead.game == game.id
        ),
        open=listed(session.position.done).open if session else (),
        waiting=tuple(f"{person.name} <{person.address}>".strip() for person in work.repository.waiting()),
    )


def _sitting(work: UnitOfWork, game: Game, seat: str, now: int) -> Sitting:
    member = next((each for each in game.members if each.seat == seat), None)
    done = work.session(game).position.done if game.status == "running" else ()
    one = away_now(done, seat, now)
    deputy = person_of(work.repository, game, one.deputy, one.person) if one else None
    return Sitting(
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


ALL = ("all", "alles", "tutto")
STATUS = Query(name="status", words=("status", "Lage", "stato"), anytime=True, tell=_status)
BOARD = Query(name="board", words=("board|map", "Brett|Karte", "tabellone|mappa"), behind="_anything?", tell=_board)
CLOCK = Query(name="clock", words=("clock", "Uhr", "orologio"), tell=_clock)
