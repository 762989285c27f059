"""What players ask about their game: told to the asker only, and as far as he may see it."""

from __future__ import annotations

import sys
from typing import Any

from pbem.core.refusal import Illegal
from pbem.core.seat import Seat
from pbem.host import messages as co
from pbem.host.clock.time_sheet import lateness, sheet
from pbem.host.clock.timing import slot_key, timing_of
from pbem.host.commands.overview import overview
from pbem.host.commands.records import move_order, records
from pbem.host.lobby.open_games import gathering
from pbem.host.ports import Game
from pbem.host.reporting.answers import in_slot
from pbem.host.reporting.chapters import kept, seen, turn, whole
from pbem.host.reporting.notices import deeds
from pbem.host.reporting.press import last_press
from pbem.host.reporting.rules_in_force import hours, rules_in_force
from pbem.host.reporting.tallies import listed
from pbem.host.session.bots import held
from pbem.host.session.petitions import open_petitions
from pbem.host.session.unit_of_work import UnitOfWork, read_entries
from pbem.language.statements import Statement

ROWS = 12  # of the move order sheet
LAST, MOST = 6, 24  # turns that `history` tells unasked, and at most


def inform(
    desk: UnitOfWork, game: Game, seat: str, asked: Statement[Any], now: int, *, leads: bool = False
) -> co.Told | None:
    """The answer; None for what every answer to a letter tells anyhow. Raises `Illegal` before the game has begun.

    `leads`: somebody who plays there asks as a moderator.
    """
    if asked.command == "help":
        return co.Help(topic=asked.rest or None)
    if asked.command == "rules":
        return rules_in_force(desk, game)
    if asked.command == "games":
        return gathering(desk)
    if asked.command == "press":
        return last_press(desk, game, seat)
    if asked.command == "status" and (leads or not seat):
        return overview(desk, game, now, seat)
    if game.status == "inviting":
        raise _not_begun(desk, game)
    match asked.command:
        case "board":
            return _board(desk, game, seat)
        case "status" if game.status == "finished":
            return _board(desk, game, seat)
        case "petitions":
            return listed(desk.session(game).position.done, ended=game.status == "finished")
        case "status":
            done = desk.session(game).position.done
            return listed(done) if open_petitions(done) else None
        case "records":
            return records(desk, game, seat, asked.rest)
        case "moveorder":
            return move_order(desk, game, seat, asked.rest)
        case "history":
            return _history(desk, game, int(asked.rest) if asked.rest else None)
        case "clock":
            return _clock(desk, game, now)
        case _:
            return None


def _not_begun(desk: UnitOfWork, game: Game) -> Illegal:
    """With those who have not answered; where nobody may know who the others are, with their number."""
    terms = desk.games.table(game).terms
    missing = [member.seat for member in game.members if member.joined is None]
    told = missing if terms.anonymous == "no" else len(missing)
    return Illegal("letter.not_begun", missing=told, free=max(0, terms.places - len(game.members)))


def _board(desk: UnitOfWork, game: Game, seat: str) -> co.Board:
    session = desk.session(game)
    return co.Board(view=session.rules.view(session.state, Seat(seat) if seat else None))


def _clock(desk: UnitOfWork, game: Game, now: int) -> co.Timetable:
    session = desk.session(game)
    pending, timing = {slot_key(decision): decision for decision in session.pending()}, timing_of(session)
    bots = held(session.position.done)
    slots = [(pending[slot.key], slot) for slot in desk.books.slots(game.id) if slot.key in pending]
    running = tuple(
        co.Running(
            awaited=in_slot(d, slot, bots),
            begun=slot.started,
            used=max(0, timing.counted(slot, now)),
        )
        for d, slot in slots
    )
    rows = sheet(session.position.done)
    return co.Timetable(
        running=running,
        slot_hours=session.terms.slot_hours,
        remind_hours=session.terms.remind_hours,
        hours=hours(session.terms),
        sheet=kept(rows[-ROWS:]),
        late=lateness(session.position.done),
    )


# -- history ---


def _history(desk: UnitOfWork, game: Game, first: int | None) -> co.History:
    """The last turns, or those from a round on."""
    table = desk.games.table(game)
    _, *chapters = whole(table, read_entries(table.rules, desk.books, game.id)).over
    told = [(chapter.before.seq, turn(table, chapter)) for chapter in chapters]
    told = told[-LAST:] if first is None else [each for each in told if each[1].round >= first]
    begins = [before for before, _ in told]
    span = range(begins[0] if begins else 0, begins[MOST] if len(told) > MOST else sys.maxsize)
    position = desk.session(game).position
    told_of = (seen(table.rules, position.state, each) for each in position.done if each.seq in span)
    return co.History(
        turns=tuple(each for _, each in told[:MOST]),
        more=told[MOST][1].round if len(told) > MOST else None,
        deeds=deeds(told_of),
    )
