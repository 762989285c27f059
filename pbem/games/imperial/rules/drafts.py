"""Drafts: what of an order may be kept, and what silence means."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from msgspec.structs import replace

from pbem.core.decision import Answer, Decision
from pbem.core.refusal import Illegal
from pbem.games.imperial.rules import orders as od
from pbem.games.imperial.rules.board import Board
from pbem.games.imperial.rules.edition import Edition
from pbem.games.imperial.rules.places import SPACES, Nation, Region
from pbem.games.imperial.rules.state import Maneuver, State

Item = Region | od.Units | od.Line | od.Destroy | od.Work


class Table(Protocol):
    """What judges an order: the rules of one game."""

    board: Board
    edition: Edition

    def check(self, state: State, answer: Answer[od.Order]) -> None: ...


# -- the legal part of a turn ---


def legal_part(game: Table, state: State, answer: Answer[od.Order]) -> od.Order | None:
    """A turn with those of its items that can be carried out, perhaps none; None without a legal space.

    Any other order whole or not at all.
    """
    if answer.decision is None:
        return None
    if not isinstance(answer.order, od.Turn):
        return answer.order if is_legal(game, state, answer) else None
    return _legal_turn(game, state, answer, answer.order, answer.decision)


def _legal_turn(
    game: Table, state: State, answer: Answer[od.Order], written: od.Turn, decision: Decision
) -> od.Turn | None:
    """An army that enters without a status is kept so: its writer is asked, the clock calls it friendly."""
    return sifted(game, state, answer, written, decision)[0]


def sifted(
    game: Table, state: State, answer: Answer[od.Order], written: od.Turn, decision: Decision, *, strict: bool = False
) -> tuple[od.Turn | None, list[tuple[od.Turn, Illegal]]]:
    """The legal part of a turn, and the others, each as a turn of its own, with what is wrong with it.

    `strict`: an army that enters without a status is one of the others.
    """
    bare = replace(written, nation=_about(decision), work=None)
    wrong = flaw(game, state, replace(answer, order=bare))
    if wrong is not None and wrong.code != "order.incomplete":
        return None, [(written, wrong)]
    kept, void = bare, []
    for item in _items(written):
        candidate = replace(kept, work=_with(kept.work, item))
        tried = candidate if strict else _friendly(game, decision, candidate)
        wrong = flaw(game, state, replace(answer, order=tried))
        if wrong is None:
            kept = candidate
        else:
            void.append((replace(bare, work=_with(None, item)), wrong))
    return kept, void


def flaw(game: Table, state: State, answer: Answer[od.Order]) -> Illegal | None:
    """Why it can't be carried out; None when it can."""
    try:
        game.check(state, answer)
    except Illegal as refusal:
        return refusal
    return None


def is_legal(game: Table, state: State, answer: Answer[od.Order]) -> bool:
    return flaw(game, state, answer) is None


def _items(written: od.Turn) -> Sequence[Item]:
    """What the turn is made of, in the order in which it can be tried bit by bit."""
    match written.work:
        case None:
            return ()
        case od.Build() | od.Produce(works=()) | od.Buy(units=()) | od.Move(lines=()):
            return (written.work,)
        case od.Produce(works=works):
            return works
        case od.Buy(units=units):
            return units
        case od.Move(lines=lines):
            return sorted(lines, key=_carried_out)


def _carried_out(line: od.Line | od.Destroy) -> int:
    """Fleets before armies, destruction last: a line may need those before it."""
    if isinstance(line, od.Destroy):
        return 2
    return 0 if line.unit == "fleet" else 1


def _with(work: od.Work | None, item: Item) -> od.Work:
    """The work with one item more."""
    match item:
        case od.Units():
            return od.Buy(units=(*(work.units if isinstance(work, od.Buy) else ()), item))
        case od.Line() | od.Destroy():
            return od.Move(lines=(*(work.lines if isinstance(work, od.Move) else ()), item))
        case str():
            return od.Produce(works=(*(work.works if isinstance(work, od.Produce) else ()), item))
        case _:
            return item


# -- silence ---


def fallback(game: Table, state: State, decision: Decision, written: od.Order | None) -> od.Order:
    """What was written stands as far as it is legal; nothing new is made up.

    See docs/reference/procedure.md, section 4.
    """
    answer = None if written is None else Answer(seat=decision.seat, order=written, decision=decision)
    if answer is not None and not isinstance(written, od.Turn) and is_legal(game, state, answer):
        return answer.order
    match decision.kind:
        case "battle":
            return od.Peace()
        case "swiss":
            return od.LetPass()
        case "invest":
            return od.Invest(choices=())
        case "bid":
            return od.Bid()
        case _:
            return _fallback_turn(game, state, decision, written)


def _fallback_turn(game: Table, state: State, decision: Decision, written: od.Order | None) -> od.Order:
    unfinished = isinstance(state.agenda[0], Maneuver)
    nothing = _rest(decision) if unfinished else _unwritten(game, state, decision)
    if not isinstance(written, od.Turn) or (unfinished and not isinstance(written.work, od.Move)):
        return nothing
    turn = _friendly(game, decision, written)
    answer: Answer[od.Order] = Answer(seat=decision.seat, order=turn, decision=decision)
    part = _legal_turn(game, state, answer, turn, decision)
    return nothing if part is None else _complete(part)


def _rest(decision: Decision) -> od.Turn:
    """Those that have not moved stay."""
    return od.Turn(nation=_about(decision), space="maneuver", work=od.Move(lines=()))


def _unwritten(game: Table, state: State, decision: Decision) -> od.Order:
    """No turn at all; or, by an option, the next space with what needs no choice there."""
    nation = _about(decision)
    before = state.rondel[nation]
    if game.edition.options.lapse == "skip" or before is None:
        return od.Skip()
    ahead = SPACES[(SPACES.index(before) + 1) % len(SPACES)]
    step = _complete(od.Turn(nation=nation, space=ahead))
    return step if is_legal(game, state, Answer(seat=decision.seat, order=step, decision=decision)) else od.Skip()


def _friendly(game: Table, decision: Decision, turn: od.Turn) -> od.Turn:
    """Armies that enter a foreign home province without a word count as friendly."""
    if not isinstance(turn.work, od.Move):
        return turn
    lines = tuple(_friendly_line(game, decision, line) for line in turn.work.lines)
    return replace(turn, work=od.Move(lines=lines))


def _friendly_line(game: Table, decision: Decision, line: od.Line | od.Destroy) -> od.Line | od.Destroy:
    if isinstance(line, od.Destroy) or line.unit == "fleet" or line.target is None or line.status is not None:
        return line
    home = game.board.places[line.target].nation
    return line if home in (None, decision.about) else replace(line, status="friendly")


def _about(decision: Decision) -> Nation:
    assert decision.about is not None, "a turn is a nation's"
    return Nation(decision.about)


def _complete(turn: od.Turn) -> od.Turn:
    """A space that needs more is taken with nothing on it."""
    if turn.work is not None:
        return turn
    nothing: dict[str, od.Work] = {
        "factory": od.Build(region=None),
        "import": od.Buy(units=()),
        "maneuver": od.Move(lines=()),
    }
    return replace(turn, work=nothing.get(turn.space.rstrip("_12")))
