"""Which of the open questions an order answers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import assert_never

from pbem.core.decision import Decision
from pbem.core.refusal import Illegal, NotAwaited
from pbem.core.seat import Seat
from pbem.games.imperial.rules import orders as od
from pbem.games.imperial.rules.places import Nation
from pbem.games.imperial.rules.state import AwaitBattle, AwaitForce, Maneuver, State


def address(state: State, seat: Seat, order: od.Order, mine: Sequence[Decision]) -> tuple[Decision, ...]:
    """The decisions among this seat's own; none for a gift. Raises `Illegal`."""
    if state.finished:
        raise Illegal("game.over")
    match order:
        case od.Give():
            return _gift(state)
        case od.Turn():
            return _turn(state, seat, order, mine)
        case od.Fight() | od.Peace():
            return _battle(state, seat, order, mine)
        case od.Invest():
            return _awaited(mine, "invest", seat)
        case od.Force() | od.LetPass():
            return _awaited(mine, "swiss", seat)
        case od.Bid():
            return _awaited([d for d in mine if order.nation in (None, d.about)], "bid", seat)
        case od.Skip() | od.Plan() | od.StandingFight() | od.StandingPeace() | od.StandingForce() | od.Given():
            raise NotAwaited(seat=seat)
        case _:
            assert_never(order)


def _gift(state: State) -> tuple[Decision, ...]:
    """No gifts while a battle or Swiss Bank question is open (R21)."""
    if isinstance(state.agenda[0], AwaitBattle | AwaitForce):
        raise Illegal("gift.not_now")
    return ()


def _turn(state: State, seat: Seat, order: od.Turn, mine: Sequence[Decision]) -> tuple[Decision, ...]:
    if order.nation is not None and state.government[order.nation] != seat:
        raise Illegal("nation.not_yours", nation=order.nation, holder=state.government[order.nation])
    turns = [d for d in mine if d.kind == "turn" and order.nation in (None, d.about)]
    if not turns:
        raise NotAwaited(seat=seat, nation=order.nation, about=order.nation)
    if isinstance(state.agenda[0], Maneuver) and not order.space.startswith("maneuver"):
        raise NotAwaited(seat=seat, nation=turns[0].about, unfinished="maneuver", about=turns[0].about, is_open=True)
    return tuple(turns)


def _awaited(mine: Sequence[Decision], kind: str, seat: Seat) -> tuple[Decision, ...]:
    decisions = tuple(d for d in mine if d.kind == kind)
    if not decisions:
        raise NotAwaited(seat=seat)
    return decisions


def _battle(state: State, seat: Seat, order: od.Fight | od.Peace, mine: Sequence[Decision]) -> tuple[Decision, ...]:
    """Peace is for all one's nations there; a fight needs the nation's name where two are asked."""
    decisions = _awaited(mine, "battle", seat)
    if isinstance(order, od.Peace):
        return decisions
    if order.nation is not None:
        return _asked_for(state, seat, order.nation, decisions)
    if len(decisions) > 1:
        asked = tuple(d.about for d in decisions)
        raise Illegal("name.ambiguous", read="fight", candidates=asked)
    return decisions


def _asked_for(state: State, seat: Seat, nation: Nation, decisions: Sequence[Decision]) -> tuple[Decision, ...]:
    if state.government[nation] != seat:
        raise Illegal("nation.not_yours", nation=nation, holder=state.government[nation])
    named = tuple(d for d in decisions if d.about == nation)
    if not named:
        raise NotAwaited(seat=seat, nation=nation, about=nation)
    return named
