"""Orders on file: what may be written ahead, and which question an order on file answers."""

from __future__ import annotations

from collections.abc import Sequence

from pbem.core.decision import Answer, Decision
from pbem.core.filing import FilesOrders, Triage
from pbem.core.refusal import Illegal, NotAwaited
from pbem.games.imperial.rules import orders as od
from pbem.games.imperial.rules.battle import able_to_fight
from pbem.games.imperial.rules.conditions import meant
from pbem.games.imperial.rules.drafts import Table, is_legal, legal_part
from pbem.games.imperial.rules.economy import check_home, check_units
from pbem.games.imperial.rules.places import Nation
from pbem.games.imperial.rules.state import AwaitBattle, AwaitBid, Maneuver, State
from pbem.games.imperial.rules.turn import check_work


class FiledOrders(FilesOrders[State, od.Order]):
    """What one table's players have on file."""

    def __init__(self, game: Table) -> None:
        self._game = game

    def key(self, order: od.Order) -> str:
        """One advance order for each nation; standing orders are told apart by what they are about."""
        match order:
            case od.Turn(nation=nation) | od.Plan(nation=nation):
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

    def triage(self, state: State, order: od.Order) -> Triage:
        match order:
            case od.Invest(choices=()) | od.Bid(price=None):
                return Triage.IGNORE
            case od.Invest():
                return Triage.FILE
            case od.Bid() if isinstance(state.agenda[0], AwaitBid):
                return Triage.FILE
            case _:
                return Triage.REFUSE

    def check_early(self, state: State, order: od.Order) -> None:
        """What is wrong with an order whatever happens until it is due."""
        match order:
            case od.Turn():
                _check_turn(self._game, order)
            case od.Plan():
                for turn in order.turns:
                    _check_turn(self._game, turn)
            case od.Bid() if not isinstance(state.agenda[0], AwaitBid):
                raise NotAwaited
            case _:
                return

    def serve(self, state: State, decision: Decision, filed: Sequence[od.Order]) -> tuple[od.Order, od.Order] | None:
        """The most particular order on file that is about this question, with its answer."""
        answers = [(order, _answer(self._game, state, decision, order)) for order in filed]
        found = [(order, answer) for order, answer in answers if answer is not None]
        return max(found, key=lambda pair: _particulars(pair[0])) if found else None

    def legal_part(self, state: State, answer: Answer[od.Order]) -> od.Order | None:
        return legal_part(self._game, state, answer)


def _check_turn(game: Table, turn: od.Turn) -> None:
    if turn.nation is None:
        raise Illegal("order.incomplete", space="advance")
    check_work(turn)
    match turn.work:
        case od.Build(region=region) if region is not None:
            check_home(game.board, turn.nation, region)
        case od.Buy():
            check_units(game.board, game.edition, turn.nation, turn.work)
        case od.Produce(works=works):
            for region in works:
                check_home(game.board, turn.nation, region)
        case od.Move(lines=lines):
            for line in lines:
                _check_kinds(game, turn.nation, line)
        case _:
            return


def _check_kinds(game: Table, nation: Nation, line: od.Line | od.Destroy) -> None:
    """Fleets never go ashore, armies never to sea; there is one unit at least, and nobody fights themselves."""
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


def _particulars(order: od.Order) -> int:
    named = (getattr(order, "nation", None), getattr(order, "region", None))
    return sum(1 for name in named if name is not None)


def _answer(game: Table, state: State, decision: Decision, filed: od.Order) -> od.Order | None:
    match filed:
        case od.Turn():
            return filed if _is_due(state, decision, filed) else None
        case od.Plan():
            return _turn_of(game, state, decision, filed) if _is_due(state, decision, filed) else None
        case od.Invest():
            return _purchase_of(game, state, decision, filed) if decision.kind == "invest" else None
        case od.Bid():
            return filed if decision.kind == "bid" and filed.nation in (None, decision.about) else None
        case od.StandingForce(nation=nation):
            return od.Force() if decision.kind == "swiss" and nation in (None, decision.about) else None
        case od.StandingFight() | od.StandingPeace():
            return _battle_answer(state, decision, filed)
        case _:
            return None


def _is_due(state: State, decision: Decision, filed: od.Turn | od.Plan) -> bool:
    """A maneuver that goes on is no new turn."""
    awaited = decision.kind == "turn" and decision.about == filed.nation
    return awaited and not isinstance(state.agenda[0], Maneuver)


def _turn_of(game: Table, state: State, decision: Decision, plan: od.Plan) -> od.Order:
    """One turn of it: the others see only what is played. The plan itself, to be refused, when none is meant."""
    turns = meant(state, plan)
    return _first_possible(game, state, decision, turns) or next(iter(turns), plan)


def _purchase_of(game: Table, state: State, decision: Decision, filed: od.Invest) -> od.Order:
    """One purchase of the list, in the same way."""
    each = [od.Invest(choices=(choice,)) for choice in filed.choices]
    nothing = [od.Invest(choices=())] if filed.else_none else []
    return _first_possible(game, state, decision, [*each, *nothing]) or filed


def _first_possible(game: Table, state: State, decision: Decision, orders: Sequence[od.Order]) -> od.Order | None:
    answers: list[Answer[od.Order]] = [Answer(seat=decision.seat, order=o, decision=decision) for o in orders]
    return next((answer.order for answer in answers if is_legal(game, state, answer)), None)


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
