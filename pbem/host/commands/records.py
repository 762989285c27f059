"""`records` and `move order`: anybody in the game may look up what is open, now or after a turn (procedure, 7)."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from msgspec import Struct

from pbem.core.decision import Answer
from pbem.core.refusal import Illegal, Unreadable
from pbem.core.seat import Seat
from pbem.host.clock.time_sheet import Row, lateness, sheet
from pbem.host.commands.aside import Query, QueryContext
from pbem.host.messages import sections
from pbem.host.ports import Game
from pbem.host.reporting.chapters import Chapter, kept, order_text, whole
from pbem.host.session.session import LoadedGame, Session
from pbem.host.session.unit_of_work import UnitOfWork, read_entries
from pbem.language.tokens import fold
from pbem.language.words import HEADS

POSITION, ORDERS, MOVES = "position", "orders", "moves"
MOST = 24  # rows that are told unasked

_TURN = re.compile(rf"(?P<rest>.*?)\s*(?:\b(?:{'|'.join(map(fold, HEADS['turn']))})\s*)?(?P<turn>\d{{1,6}})\s*")


class Wanted(Struct, frozen=True, kw_only=True):
    """What somebody asks for."""

    about: str | None = None  # a seat, or a thing of the game; None: all of them
    sheet: str = POSITION
    turn: int | None = None  # as it was after it; None: now


def _records(context: QueryContext) -> sections.Records:
    """What these words tell this seat. Raises `Illegal`."""
    session = context.work.session(context.game)
    return _told(context.work, context.game, context.seat, _wanted(session, context.rest))


def _move_order(context: QueryContext) -> sections.Records:
    """How long each answer took, and who was late; of a turn, or of the last ones. Raises `Illegal`."""
    found = _TURN.fullmatch(context.rest)
    wanted = Wanted(sheet=MOVES, turn=int(found["turn"]) if found else None)
    return _told(context.work, context.game, context.seat, wanted)


def _told(work: UnitOfWork, game: Game, seat: str, wanted: Wanted) -> sections.Records:
    session = work.session(game)
    if wanted.turn is not None and not 0 < wanted.turn <= session.position.turn:
        raise Illegal("records.turn", read=wanted.turn, now=session.position.turn)
    facts: dict[str, Any] = {"about": wanted.about, "sheet": wanted.sheet, "turn": wanted.turn}
    if wanted.sheet == MOVES:
        rows = [row for row in sheet(session.position.done) if _is_of(row, wanted)]
        return sections.Records(**facts, rows=kept(rows[-MOST:]), late=lateness(session.position.done))
    over = _over(work, game)
    if wanted.sheet == ORDERS:
        loaded = work.games.load(game)
        asked = (chapter for chapter in over if wanted.turn in (None, chapter.before.turn))
        mine = (chapter.shown(loaded.rules, Seat(seat) if seat else None) for chapter in asked)
        said = [one for chapter in mine for one in _said(chapter, loaded, wanted)]
        return sections.Records(**facts, said=tuple(said[-MOST:]))
    return sections.Records(**facts, view=_view(work, game, session, seat, over, wanted))


def _view(
    work: UnitOfWork, game: Game, session: Session, seat: str, over: Sequence[Chapter], wanted: Wanted
) -> Mapping[str, Any]:
    """The position now or after a turn, as this seat may see it: by the rules of that time."""
    if wanted.turn is None:
        return session.rules.view(session.state, Seat(seat))
    chapter = next((each for each in over if each.before.turn == wanted.turn), None)
    if chapter is None:
        raise Illegal("records.turn", read=wanted.turn, now=session.position.turn)
    rules = work.games.load(game, chapter.after.done).rules
    return rules.view(chapter.after.state, Seat(seat))


def _over(work: UnitOfWork, game: Game) -> Sequence[Chapter]:
    """The turns that are over; the answers of the one that is under way may be sealed."""
    loaded = work.games.load(game)
    return whole(loaded, read_entries(loaded.rules, work.repository, game.id)).over


def _is_of(row: Row, wanted: Wanted) -> bool:
    closing = row.closing
    return wanted.about in (None, closing.seat, closing.about) and wanted.turn in (None, row.turn)


# -- what was asked ---


def _wanted(session: Session, written: str) -> Wanted:
    """Raises `Illegal`."""
    found = _TURN.fullmatch(fold(written).strip())
    turn, rest = (int(found["turn"]), found["rest"]) if found else (None, fold(written).strip())
    for name, ways in SHEETS.items():
        for way in map(fold, ways):
            if re.search(rf"\b{re.escape(way)}$", rest):
                return Wanted(about=_about(session, rest.removesuffix(way).strip()), sheet=name, turn=turn)
    return Wanted(about=_about(session, rest), turn=turn)


def _about(session: Session, text: str) -> str | None:
    """The seat or the thing with records of its own that a text names. Raises `Illegal`."""
    if not text:
        return None
    known = {key for part in _parts(session) for key in part}
    try:
        return session.parser.one_of(text, known)
    except Unreadable as problem:
        raise Illegal("records.unknown" if problem.code == "name.unknown" else problem.code, **problem.facts) from None


def _parts(session: Session) -> list[Mapping[str, object]]:
    """What the state document tells of by name."""
    view = session.rules.view(session.state, None)
    return [part for part in view.values() if isinstance(part, Mapping)]


def _said(chapter: Chapter, loaded: LoadedGame, wanted: Wanted) -> list[sections.Recorded]:
    """Each order once, whatever it answered."""
    return [
        sections.Recorded(turn=chapter.before.turn, seat=answer.seat, text=order_text(loaded, answer.order))
        for entry in chapter.entries
        for answer in [each for each in entry.answers if _is_about(each, wanted.about)][:1]
    ]


def _is_about(answer: Answer[Any], about: str | None) -> bool:
    return about in (None, answer.seat, answer.decision.about if answer.decision else None)


RECORDS = Query(
    name="records",
    words=("records|record", "Unterlagen", "registri|registro"),
    behind="_anything?",
    tell=_records,
)
MOVE_ORDER = Query(
    name="moveorder",
    words=("move order|moveorder", "Zeittafel", "tabella dei tempi"),
    behind="[NUMBER]",
    tell=_move_order,
)
SHEETS = {ORDERS: ("orders", "Befehle", "ordini"), MOVES: MOVE_ORDER.ways}  # what of the records is asked for
