"""Orders on file: written before they are due, or kept until they are withdrawn."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from enum import Enum
from typing import Protocol, TypeVar

from pbem.core.decision import TURN, Answer, Decision
from pbem.core.refusal import Illegal, NotAwaited

S = TypeVar("S")
O = TypeVar("O")
S_contra = TypeVar("S_contra", contravariant=True)


class Triage(Enum):
    """What becomes of an order that nobody awaits."""

    FILE = "file"  # it is for the next question, and needs no word to say so
    IGNORE = "ignore"  # it says what would be so without it
    REFUSE = "refuse"


class FilesOrders(Protocol[S_contra, O]):
    """How a game keeps orders."""

    def key(self, order: O) -> str:
        """What an order written early is filed under; a newer one with the same key replaces it."""
        ...

    def is_numbered(self, order: O) -> bool:
        """Does it stand on file behind those with its key, not in their place? A turn may have many orders.

        Such advance orders are for the questions that are asked after them: tried in order, until none is left.
        """
        return False

    def standing_in_position(self, order: O) -> bool:
        """Is this standing order kept in the game's own position? It is played at once, as an answer to no question."""
        return False

    def withdrawing(self, kind: str | None) -> O | None:
        """The order that withdraws such standing orders, all or those of one kind (a word of the notation, by its id).

        It is one of them itself: written behind the same word. None: there are none to withdraw.
        """
        return None

    def triage(self, state: S_contra, order: O) -> Triage:
        """What becomes of an order that nobody awaits."""
        return Triage.REFUSE

    def check_early(self, state: S_contra, order: O) -> None:
        """Raises `Illegal` for what can't change until an advance order is due: names, kinds, counts."""
        ...

    def serve(self, state: S_contra, decision: Decision, filed: Sequence[O]) -> tuple[O, O] | None:
        """Which of the orders on file answers this decision, and the answer it gives.

        An answer that `resolve` refuses spends an advance order, and its writer is told why.
        """
        ...

    def legal_part(self, state: S_contra, answer: Answer[O]) -> O | None:
        """What of an order may stay on file as a draft; those that are numbered are judged behind one another."""
        ...


class Drafts(FilesOrders[S, O]):
    """Of a game in which a draft stands whole or not at all; with `early`, turns may have orders in advance.

    `early` raises `Illegal` for what can't change until such an order is due. They are used in the order written.
    """

    def __init__(
        self,
        check: Callable[[S, Answer[O]], None],
        *,
        numbered: bool = False,
        early: Callable[[S, O], None] | None = None,
    ) -> None:
        self._check = check
        self._numbered = numbered
        self._early = early

    def key(self, order: O) -> str:
        if self._early is None:
            raise NotAwaited
        return TURN

    def is_numbered(self, order: O) -> bool:
        return self._numbered

    def check_early(self, state: S, order: O) -> None:
        if self._early is None:
            raise NotAwaited
        self._early(state, order)

    def serve(self, state: S, decision: Decision, filed: Sequence[O]) -> tuple[O, O] | None:
        return (filed[0], filed[0]) if filed and decision.is_turn and self._early else None

    def legal_part(self, state: S, answer: Answer[O]) -> O | None:
        try:
            self._check(state, answer)
        except Illegal:
            return None
        return answer.order
