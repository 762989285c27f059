"""`records` and `move order`: anybody in the game may look up what is open, now or after a turn (procedure, 7)."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from msgspec.structs import replace

from pbem.core.decision import Answer
from pbem.core.game import AnyOrder
from pbem.core.presenter import Sheet
from pbem.core.refusal import Illegal
from pbem.core.seat import Seat
from pbem.host.clock.time_sheet import lateness, sheet
from pbem.host.commands.aside import Query, QueryContext
from pbem.host.messages.parts import Kept
from pbem.host.messages.sections import Recorded, Records
from pbem.host.reporting.chapters import Chapter, events_of, order_text
from pbem.host.session.position import Position
from pbem.host.session.session import LoadedGame, Session
from pbem.language.tokens import fold
from pbem.language.words import HEADS

POSITION, ORDERS, MOVES = "position", "orders", "moves"
MOST = 24  # rows that are told unasked
SHORTEST = 3  # letters of the beginning of a word

_TURN = re.compile(rf"(?P<rest>.*?)\s*(?:\b(?:{'|'.join(map(fold, HEADS['turn']))})\s*)?(?P<turn>\d{{1,6}})\s*")


def _records(context: QueryContext) -> Records:
    """What these words tell this seat. Raises `Illegal`."""
    return _told(context, _wanted(context.session, context.rest))


def _move_order(context: QueryContext) -> Records:
    """How long each answer took, and who was late; of a turn, or of the last ones. Raises `Illegal`."""
    found = _TURN.fullmatch(context.rest)
    return _told(context, Records(about=None, sheet=MOVES, turn=int(found["turn"]) if found else None))


def _told(context: QueryContext, wanted: Records) -> Records:
    """With what there is of it."""
    position = context.session.position
    if wanted.sheet in context.session.rules.notation.sheets:
        return replace(wanted, view=_view(context, None), own=_own(context, wanted))
    now = _number(context, position)
    if wanted.turn is not None and not 0 < wanted.turn <= now:
        raise Illegal("records.turn", read=wanted.turn, now=now)
    if wanted.sheet == MOVES:
        numbers = {each.before.turn: _number(context, each.before) for each in context.over}
        kept = sheet(position.done)
        rows = [row for row in kept if _is_of(row, wanted) and wanted.turn in (None, numbers.get(row.turn, now))]
        return replace(wanted, rows=tuple(rows[-MOST:]), late=lateness(position.done))
    if wanted.sheet == ORDERS:
        loaded = context.work.games.load(context.game)
        asked = (chapter for chapter in context.over if wanted.turn in (None, _number(context, chapter.before)))
        mine = (chapter.shown(loaded.rules, position.state, context.viewer) for chapter in asked)
        said = [one for chapter in mine for one in _said(chapter, loaded, wanted, _number(context, chapter.before))]
        return replace(wanted, said=tuple(said[-MOST:]))
    return replace(wanted, view=_view(context, wanted.turn))


def _number(context: QueryContext, position: Position) -> int:
    """What a turn that begins so is called by who asks: its number, or that of its round."""
    rules = context.session.rules
    return rules.round(position.state) if rules.notation.by_round else position.turn


def _view(context: QueryContext, turn: int | None) -> Mapping[str, Any]:
    """The position now or after a turn, as this seat may see it: by the rules of that time."""
    rules, position = context.session.rules, context.session.position
    if turn is not None:
        over = [each for each in context.over if _number(context, each.before) == turn]
        if not over:
            raise Illegal("records.turn", read=turn, now=_number(context, position))
        rules, position = context.work.games.load(context.game, over[-1].after.done).rules, over[-1].after
    return rules.view(position.state, Seat(context.seat))


def _own(context: QueryContext, wanted: Records) -> Sheet:
    """A sheet of the game's own; its number is a round. Raises `Illegal`."""
    rules, state = context.session.rules, context.session.state
    now = rules.round(state)
    if wanted.turn is not None and not 0 < wanted.turn <= now:
        raise Illegal("records.turn", read=wanted.turn, now=now)
    entries = context.course.shown(rules, state, context.viewer).entries
    ledger = rules.ledger(state, context.viewer)
    return Sheet(kind=wanted.sheet, round=wanted.turn, ledger=ledger, events=events_of(entries))


def _is_of(row: Kept, wanted: Records) -> bool:
    return wanted.about in (None, row.seat, row.about)


# -- what was asked ---


def _wanted(session: Session, written: str) -> Records:
    """Raises `Illegal`."""
    thing = _thing(session, fold(written).strip())
    if thing is not None:
        return Records(about=thing, sheet=POSITION, turn=None)
    found = _TURN.fullmatch(fold(written).strip())
    turn, rest = (int(found["turn"]), found["rest"]) if found else (None, fold(written).strip())
    own = _own_sheet(session, rest)
    if own is None and turn is not None:  # a word for the turn may be that for a sheet, too
        own = _own_sheet(session, fold(written).strip().removesuffix(str(turn)).strip())
    if own is not None:
        name, before = own
        return Records(about=_about(session, before), sheet=name, turn=turn)
    for name, ways in SHEETS.items():
        for way in map(fold, ways):
            if re.search(rf"\b{re.escape(way)}$", rest):
                return Records(about=_about(session, rest.removesuffix(way).strip()), sheet=name, turn=turn)
    return Records(about=_about(session, rest), sheet=POSITION, turn=turn)


def _thing(session: Session, text: str) -> str | None:
    """What is named whole, with a number that is no turn: a place or a piece."""
    if not text[-1:].isdigit():
        return None
    try:
        return session.rules.place(text)
    except Illegal:
        return _known(session).get(text)


def _own_sheet(session: Session, text: str) -> tuple[str, str] | None:
    """The sheet of the game's own that its last word asks for, and what stands before it."""
    before, _, word = text.rpartition(" ")
    named = {sheet: [fold(way) for way in ways] for sheet, ways in session.rules.notation.sheets.items()}
    whole = [sheet for sheet, ways in named.items() if word in ways]
    begun = [sheet for sheet, ways in named.items() if len(word) >= SHORTEST and any(w.startswith(word) for w in ways)]
    found = whole or ([] if word in _known(session) else begun)
    return (found[0], before.strip()) if len(found) == 1 else None


def _about(session: Session, text: str) -> str | None:
    """The seat or the thing with records of its own that a text names. Raises `Illegal`."""
    if not text:
        return None
    try:
        return session.parser.one_of(text, _known(session).values())
    except Illegal as problem:
        raise Illegal("records.unknown" if problem.code == "name.unknown" else problem.code, **problem.facts) from None


def _known(session: Session) -> Mapping[str, str]:
    """What the state document tells of by name, by what a player may write for it."""
    return {fold(key): key for part in _parts(session) for key in part}


def _parts(session: Session) -> list[Mapping[str, object]]:
    """What the state document tells of by name."""
    view = session.rules.view(session.state, None)
    return [part for part in view.values() if isinstance(part, Mapping)]


def _said(chapter: Chapter, loaded: LoadedGame, wanted: Records, number: int) -> list[Recorded]:
    """Each order once, whatever it answered."""
    return [
        Recorded(turn=number, seat=answer.seat, text=order_text(loaded, answer.order))
        for entry in chapter.entries
        for answer in [each for each in entry.answers if _is_about(each, wanted.about)][:1]
    ]


def _is_about(answer: Answer[AnyOrder], about: str | None) -> bool:
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
