"""The narrow door: all that the rest of the program knows of a game."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Generic, Protocol, TypeAlias, TypeVar

import msgspec
from msgspec import Struct

from pbem.core.bot import Bot
from pbem.core.chance import Chance
from pbem.core.decision import Answer, Decision
from pbem.core.lapse import Lapsed
from pbem.core.log import Entry
from pbem.core.notation import Notation
from pbem.core.presenter import Presenter
from pbem.core.seat import Seat, Setup

S = TypeVar("S")
O = TypeVar("O")
E = TypeVar("E")


class Options(Struct, frozen=True, kw_only=True):
    """Which of a game's options may be set while it runs, and how."""

    changeable: Mapping[str, Sequence[str]] = {}  # with their values
    needs_petition: tuple[str, ...] = ()  # those of them that only a petition for a change sets


class Rules(Protocol[S, O, E]):
    """One game with its board, edition and options. Pure: the same calls give the same bytes."""

    @property
    def version(self) -> str:
        """Rises when the rules decide anything differently."""
        ...

    @property
    def notation(self) -> Notation[O]: ...

    @property
    def options(self) -> Options: ...

    def value(self, option: str) -> str | None:
        """What an option says, as one would write it; None when there is no such option."""
        ...

    def blank(self, setup: Setup) -> S:
        """The table before anything is dealt. Raises `ValueError` for a set-up that can't be."""
        ...

    def open(self, state: S, chance: Chance, lots: Mapping[str, Sequence[tuple[str, str]]]) -> Sequence[E]:
        """Deal, draw lots, begin. `lots` are those drawn before: seats and what they got, by the header's word.

        Raises `ValueError` for lots that can't be.
        """
        ...

    def given(self, state: S, lines: Sequence[O]) -> Sequence[E]:
        """The position that `given` lines describe, all together. Raises `Impossible`."""
        ...

    def pending(self, state: S) -> Sequence[Decision]:
        """Who must answer what, now; by seat, kind and about."""
        ...

    def address(self, state: S, seat: Seat, order: O) -> Sequence[Decision]:
        """The open decisions this order answers; none when it is an offer that nobody awaits (a gift).

        Raises `Illegal`: not awaited, not his, not clear, or the game is over.
        """
        ...

    def check(self, state: S, answer: Answer[O]) -> None:
        """Raises `Illegal` when the order can't be carried out whole."""
        ...

    def legal_part(self, state: S, answer: Answer[O]) -> O | None:
        """What of a refused order may stay on file as a draft."""
        ...

    def flaws(self, state: S, answer: Answer[O]) -> Sequence[Lapsed]:
        """Every part of a refused order that can't be carried out, each with why; none when it has no parts."""
        ...

    def fallback(self, state: S, decision: Decision, written: O | None) -> O:
        """What silence means, with what was written before it; always legal."""
        ...

    def lapsed(self, state: S, decision: Decision, written: O | None) -> Sequence[Lapsed]:
        """What `fallback` leaves out of what was written, and why; and what follows of itself from the rest."""
        ...

    def filing(self, order: O) -> str:
        """What an order written early is filed under; a newer one with the same key replaces it."""
        ...

    def early(self, state: S, order: O) -> str:
        """What becomes of an order nobody awaits: `file` it for the next question, `ignore` or `refuse` it."""
        ...

    def check_early(self, state: S, order: O) -> None:
        """Raises `Illegal` for what can't change until an advance order is due: names, kinds, counts."""
        ...

    def serve(self, state: S, decision: Decision, filed: Sequence[O]) -> tuple[O, O] | None:
        """Which of the orders on file answers this decision, and the answer it gives.

        An answer that `resolve` refuses spends an advance order, and its writer is told why.
        """
        ...

    def penalise(self, state: S, decision: Decision, late: int) -> Sequence[E]:
        """What comes of an answer that is whole slots late, before it is resolved; often nothing."""
        ...

    def resolve(self, state: S, answers: Sequence[Answer[O]], chance: Chance) -> Sequence[E]:
        """What happens of these answers, up to the next question. Raises `Illegal` as `check` does."""
        ...

    def apply(self, state: S, event: E) -> S: ...

    def finished(self, state: S) -> bool: ...

    def stop(self, state: S) -> Sequence[E]:
        """The game ends by agreement, with the scores as they stand."""
        ...

    def chapter(self, state: S) -> str:
        """Changes when a report is due: in the course of one chapter only questions are asked."""
        ...

    def round(self, state: S) -> int:
        """The number of the round under way: when it has risen, everybody has had his turn once more."""
        ...

    def lap(self, state: S) -> int:
        """How many chapters a full round has, when everybody who may has one."""
        ...

    def ask(self, state: S, decision: Decision) -> Mapping[str, object]:
        """The facts of a question that its letter tells."""
        ...

    def lots(self, events: Sequence[E]) -> Mapping[str, str]:
        """Header lines of a play file for the lots that were drawn in these events."""
        ...

    def view(self, state: S, seat: Seat | None) -> Mapping[str, object]:
        """All that this seat may see (None: a stranger); secrets end here."""
        ...

    def document(self, state: S) -> Mapping[str, object]:
        """The state document, a public contract."""
        ...

    def decoder(self) -> msgspec.json.Decoder[Entry[O, E]]:
        """Reads its own log back."""
        ...


AnyRules: TypeAlias = Rules[Any, Any, Any]  # of whichever game: the host asks them only for what it gives back to them
R = TypeVar("R", bound=AnyRules)


class Game(Struct, Generic[R, S, O], frozen=True, kw_only=True):
    """What the package of a game offers; all that the registry needs to know of it."""

    id: str  # as set-ups and play files call it
    tag: str  # with a number it names a game in the subject of its letters: "imp-1"
    players: range
    load: Callable[[Setup], R]  # the rules of one table. Raises `ValueError` for a set-up that can't be
    presenter: Presenter
    bots: Mapping[str, Bot[R, S, O]]  # by what they are called; `SUBSTITUTE` is one of them


AnyGame: TypeAlias = Game[Any, Any, Any]
AnyBot: TypeAlias = Bot[Any, Any, Any]
Registry: TypeAlias = Mapping[str, AnyGame]  # by their ids


def load(games: Registry, setup: Setup) -> AnyRules:
    """The rules of a table. Raises `ValueError` for a set-up that can't be."""
    rules: AnyRules = game_of(games, setup).load(setup)
    return rules


def game_of(games: Registry, setup: Setup) -> AnyGame:
    """Raises `ValueError` for a game that there is not."""
    if setup.game not in games:
        raise ValueError(f"game: there is no {setup.game}; there is {', '.join(games)}")
    return games[setup.game]
