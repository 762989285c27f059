"""Orders on file: drafts of a slot, orders for the next one, and standing orders, which are kept in the position."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from pbem.core.decision import Answer, Decision
from pbem.core.filing import Drafts, Triage
from pbem.core.refusal import Illegal
from pbem.games.empire.rules import orders as od
from pbem.games.empire.rules.state import State

ZERO = (od.Capital, od.Picks)
KEYS: Mapping[type, str] = {od.Capital: "capital", od.Picks: "picks"}


class FiledOrders(Drafts[State, od.Order]):
    """Of the slots of a table."""

    def __init__(self, check: Callable[[State, Answer[od.Order]], None]) -> None:
        super().__init__(check, numbered=True)

    def key(self, order: od.Order) -> str:
        return KEYS.get(type(order), "turn")

    def is_numbered(self, order: od.Order) -> bool:
        return not isinstance(order, ZERO)

    def triage(self, state: State, order: od.Order) -> Triage:
        return Triage.FILE if isinstance(order, od.Capital) and state.phase == "capital" else Triage.REFUSE

    def check_early(self, state: State, order: od.Order) -> None:
        """Everything in it may change until the slot begins."""
        if isinstance(order, ZERO) and state.phase == "turn":
            raise Illegal("order.not_awaited", seat=state.active, slot=state.slot)

    def serve(self, state: State, decision: Decision, filed: Sequence[od.Order]) -> tuple[od.Order, od.Order] | None:
        """The first of those that are filed for such a question."""
        order = next((each for each in filed if self.key(each) == decision.kind), None)
        return None if order is None else (order, order)

    def standing_in_position(self, order: od.Order) -> bool:
        return isinstance(order, od.Standing | od.StandingNone)

    def withdrawing(self, kind: str | None) -> od.Order | None:
        return od.StandingNone(what=kind)
