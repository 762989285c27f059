"""Orders on file: what of them may be kept, what silence means, and which question they answer."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from msgspec.structs import replace

from pbem.rules.imperial import orders as od
from pbem.rules.imperial.battle import able_to_fight
from pbem.rules.imperial.board import SPACES, Board, Nation, Region
from pbem.rules.imperial.economy import check_home, check_units
from pbem.rules.imperial.edition import Edition
from pbem.rules.imperial.state import AwaitBattle, AwaitBid, Maneuver, State
from pbem.rules.imperial.turn import check_work
from pbem.table.decision import Answer, Decision
from pbem.table.refusal import Illegal

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
        return answer.order if _is_legal(game, state, answer) else None
    return _legal_turn(game, state, answer, answer.order, answer.decision)


def _legal_turn(
    game: Table, state: State, answer: Answer[od.Order], written: od.Turn, decision: Decision
) -> od.Turn | None:
    """An army that enters without a status is kept so: its writer is asked, the clock calls it friendly."""
    bare = replace(written, nation=_about(decision), work=None)
    if not _has_legal_space(game, state, replace(answer, order=bare)):
        return None
    kept = bare
    for item in _items(written):
        candidate = replace(kept, work=_with(kept.work, item))
        if _is_legal(game, state, replace(answer, order=_friendly(game, decision, candidate))):
            kept = candidate
    return kept


def _has_legal_space(game: Table, state: State, answer: Answer[od.Order]) -> bool:
    try:
        game.check(state, answer)
    except Illegal as refusal:
        return refusal.code == "order.incomplete"
    return True


def _is_legal(game: Table, state: State, answer: Answer[od.Order]) -> bool:
    try:
        game.check(state, answer)
    except Illegal:
        return False
    return True


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
    """What was written stands as far as it is legal; nothing new is made up (procedure.md, section 4)."""
    answer = None if written is None else Answer(seat=decision.seat, order=written, decision=decision)
    if answer is not None and not isinstance(written, od.Turn) and _is_legal(game, state, answer):
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
    return step if _is_legal(game, state, Answer(seat=decision.seat, order=step, decision=decision)) else od.Skip()


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


# -- orders that wait ---


def filing(order: od.Order) -> str:
    """One advance order for each nation; standing orders are told apart by what they are about."""
    match order:
        case od.Turn(nation=nation):
            return f"turn {nation}"
        case od.Invest():
            return "invest"
        case od.Bid(nation=nation):
            return f"bid {nation}"
        case od.StandingFight(nation=nation, region=region) | od.StandingPeace(nation=nation, region=region):
            return f"battle {nation} {region}"
        case od.StandingForce(nation=nation):
            return f"swiss {nation}"
        case _:
            raise ValueError(f"{order!r} is never on file")


def early(state: State, order: od.Order) -> str:
    """What becomes of an order nobody awaits: `file` it for the next question, `ignore` or `refuse` it."""
    match order:
        case od.Invest(choices=()) | od.Bid(price=None):
            return "ignore"
        case od.Invest():
            return "file"
        case od.Bid() if isinstance(state.agenda[0], AwaitBid):
            return "file"
        case _:
            return "refuse"


def check_early(game: Table, order: od.Order) -> None:
    """What is wrong with a turn whatever happens until it is due."""
    if not isinstance(order, od.Turn):
        return
    if order.nation is None:
        raise Illegal("order.incomplete", space="advance")
    check_work(order)
    match order.work:
        case od.Build(region=region) if region is not None:
            check_home(game.board, order.nation, region)
        case od.Buy():
            check_units(game.board, game.edition, order.nation, order.work)
        case od.Produce(works=works):
            for region in works:
                check_home(game.board, order.nation, region)
        case od.Move(lines=lines):
            for line in lines:
                _check_kinds(game, order.nation, line)
        case _:
            return


def _check_kinds(game: Table, nation: Nation, line: od.Line | od.Destroy) -> None:
    """Fleets never go ashore, armies never to sea; there is one unit at least, and nobody fights himself."""
    if isinstance(line, od.Destroy):
        return
    if line.count < 1:
        raise Illegal("units.none", unit=line.unit, region=line.region)
    target = game.board.places[line.target or line.region]
    ashore = target.kind in ("home", "land")
    if (line.target is not None and ashore == (line.unit == "fleet")) or target.kind == "impassable":
        raise Illegal("move.not_adjacent", unit=line.unit, region=line.region, target=target.id, nation=nation)
    if line.attack == nation:
        raise Illegal("attack.no_target", region=target.id, target=nation, unit=line.attack_unit)


def serve(state: State, decision: Decision, filed: Sequence[od.Order]) -> tuple[od.Order, od.Order] | None:
    """The most particular order on file that is about this question, with its answer."""
    answers = [(order, _answer(state, decision, order)) for order in filed]
    found = [(order, answer) for order, answer in answers if answer is not None]
    return max(found, key=lambda pair: _particulars(pair[0])) if found else None


def _particulars(order: od.Order) -> int:
    named = (getattr(order, "nation", None), getattr(order, "region", None))
    return sum(1 for name in named if name is not None)


def _answer(state: State, decision: Decision, filed: od.Order) -> od.Order | None:
    match filed:
        case od.Turn(nation=nation):
            awaited = decision.kind == "turn" and decision.about == nation
            return filed if awaited and not isinstance(state.agenda[0], Maneuver) else None
        case od.Invest():
            return filed if decision.kind == "invest" else None
        case od.Bid():
            return filed if decision.kind == "bid" and filed.nation in (None, decision.about) else None
        case od.StandingForce(nation=nation):
            return od.Force() if decision.kind == "swiss" and nation in (None, decision.about) else None
        case od.StandingFight() | od.StandingPeace():
            return _battle_answer(state, decision, filed)
        case _:
            return None


def _battle_answer(state: State, decision: Decision, filed: od.StandingFight | od.StandingPeace) -> od.Order | None:
    question = state.agenda[0]
    if decision.kind != "battle" or not isinstance(question, AwaitBattle):
        return None
    if filed.nation not in (None, question.nation) or filed.region not in (None, question.region):
        return None
    if isinstance(filed, od.StandingPeace):
        return od.Peace()
    able = able_to_fight(state, question, Nation(decision.about or ""), filed.unit)
    pairs = None if filed.pairs is None else min(filed.pairs, able, question.movers)
    return od.Fight(pairs=pairs, unit=filed.unit, nation=Nation(decision.about or "")) if able else None
