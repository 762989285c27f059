"""The narrow door: all that the rest of the program knows of a game."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Generic, NewType, Protocol, TypeAlias, TypeVar

import msgspec
from msgspec import Struct

from pbem.core.bot import Bot, Reasoning
from pbem.core.chance import Chance
from pbem.core.choice import Step
from pbem.core.critic import Critic
from pbem.core.decision import Answer, Decision
from pbem.core.favour import Favour
from pbem.core.filing import Drafts, FilesOrders
from pbem.core.lapse import Lapse, Lapsed
from pbem.core.log import Entry, Happened
from pbem.core.maps import Maps
from pbem.core.notation import Notation
from pbem.core.outcome import Result
from pbem.core.presenter import Presenter
from pbem.core.refusal import Illegal, NotAwaited
from pbem.core.seat import Seat, Setup, Viewer

S = TypeVar("S")
O = TypeVar("O")
E = TypeVar("E")


class Options(Struct, frozen=True, kw_only=True):
    """What the options of one table say, and which of them may be set while the game runs."""

    values: Mapping[str, str] = {}  # as one would write them
    changeable: Mapping[str, Sequence[str]] = {}  # with their values
    needs_petition: tuple[str, ...] = ()  # those of them that only a petition for a change sets


Lots: TypeAlias = Mapping[str, Sequence[tuple[str, str]]]  # drawn before: seats and what they got, by the header's word


class Deal(Struct, frozen=True, kw_only=True):
    """How a game begins in which positions were dealt elsewhere."""

    seats: tuple[Seat, ...]  # in the order in which they sit
    lots: Lots = {}


class Unheard(Struct, frozen=True, kw_only=True):
    """What of an entry somebody does not learn, beside its events."""

    order: bool = False  # and with it all lots
    draws: tuple[int, ...] = ()  # lots by their places
    apart: bool = False  # nor how many such entries there are: they are numbered apart


class Resolved(Struct, Generic[S, E], frozen=True, kw_only=True, gc=False):
    """What happens of answers."""

    events: Sequence[E]
    state: S  # the position after them: with each of them applied


class Rules(Protocol[S, O, E]):
    """One game with its board, edition and options. Pure: the same calls give the same bytes.

    What most games answer alike is answered here, for those that say that they are `Rules`.
    """

    @property
    def version(self) -> str:
        """Rises when the rules decide anything differently."""
        return "1"

    @property
    def notation(self) -> Notation[O]:
        """The part of the order language that its board and edition make."""
        ...

    @property
    def options(self) -> Options:
        """By default there are none."""
        return Options()

    def blank(self, setup: Setup) -> S:
        """The table before anything is dealt. Raises `ValueError` for a set-up that can't be."""
        ...

    def positions(self, setup: Setup) -> Sequence[str]:
        """What sets the seats of such a table apart at the beginning, one for each or more; by default nothing does."""
        return ()

    def deal(self, setup: Setup, positions: Mapping[Seat, str]) -> Deal:
        """How to open a table whose seats have these positions. Raises `ValueError` for a deal that can't be."""
        if positions:
            raise ValueError("positions: here nothing sets the seats apart")
        return Deal(seats=setup.seats)

    def open(self, state: S, chance: Chance, lots: Lots) -> Sequence[E]:
        """Deal, draw lots, begin. Raises `ValueError` for lots, drawn before, that can't be."""
        ...

    def given(self, state: S, lines: Sequence[O]) -> Sequence[E]:
        """The position that `given` lines describe, all together. Raises `Impossible`."""
        ...

    def pending(self, state: S) -> Sequence[Decision]:
        """Who must answer what, now; what must be answered first stands before what waits for it.

        A question may be asked of `MODERATOR`, who has no seat: whoever leads the game answers it by the power
        `ruling`, whose text, as it is written in English, the game reads as an order.
        """
        ...

    def address(self, state: S, seat: Seat, order: O) -> Sequence[Decision]:
        """The open decisions this order answers; none when it is an offer that nobody awaits (a gift).

        Raises `NotAwaited`, or `Illegal` where it is another's, not clear, or the game is over. By default it answers
        all that is asked of its writer.
        """
        if self.finished(state):
            raise Illegal("game.over")
        mine = [decision for decision in self.pending(state) if decision.seat == seat]
        if not mine:
            raise NotAwaited(seat=seat)
        return mine

    def check(self, state: S, answer: Answer[O]) -> None:
        """Raises `Illegal` when the order can't be carried out whole; it never draws."""
        ...

    def flaws(self, state: S, answer: Answer[O]) -> Sequence[Lapsed]:
        """Every part of a refused order that can't be carried out, each with why; none when it has no parts."""
        return ()

    def rollout(self, state: S, decision: Decision) -> O:
        """The order that answers, and closes the question, where nothing lies on file; always legal."""
        ...

    def closing(self, state: S, decision: Decision) -> O | None:
        """The order with which its player ends a question that stays open for many orders.

        None where every answer closes its question. Where its text is a word of the host (`rollout`), that word is it.
        """
        return None

    def stands_still(self, state: S, decision: Decision) -> bool:
        """Does no time count for an open question, while others are answered first? Then nothing on file answers it.

        By default all questions have their time. One that `MODERATOR` is asked has none either, where it says so.
        """
        return False

    def concerned(self, state: S, decision: Decision) -> Sequence[Seat]:
        """Whose cause a question to `MODERATOR` is: none of them answers it; by default it is nobody's."""
        return ()

    def undoing(self, state: S, seat: Seat) -> O | None:
        """The order that takes back the last one carried out in the turn under way; None: the game knows no such order.

        What it needs for that stands in the position; what can't be taken back the game refuses as any other order.
        """
        return None

    @property
    def timely(self) -> int:
        """Seconds beyond the end of a slot that do not count as late; the clock ends it behind them."""
        return 0

    def as_late(self, state: S, decision: Decision, late: int) -> S:
        """The position that an answer meets which is so late: what lateness costs is taken first."""
        return state

    def lapse(self, state: S, decision: Decision, written: Sequence[O] = (), late: int = 0) -> Lapse[O]:
        """What silence means, with what lies on file for the question, in order; `late` as of an answer.

        It is asked again while the question stays open, with what it has left of the written; in the end it closes it.
        By default each order stands as it is where that is legal then, and behind the last one it is rolled out.
        """
        void: list[Lapsed] = []
        for place, order in enumerate(written, 1):
            try:
                self.check(state, Answer(seat=decision.seat, order=order, decision=decision, late=late))
            except Illegal as refusal:
                void.append(Lapsed(void=True, code=refusal.code, facts=refusal.facts, text=self.notation.write(order)))
            else:
                return Lapse(order=order, notes=void, left=written[place:])
        return Lapse(order=self.rollout(state, decision), notes=void)

    @property
    def files(self) -> FilesOrders[S, O]:
        """By default nothing is written ahead."""
        return Drafts(self.check)

    def resolve(self, state: S, answers: Sequence[Answer[O]], chance: Chance) -> Resolved[S, E]:
        """What happens of these answers, up to the next question. Raises `Illegal` as `check` does, before it draws.

        A question that it leaves in `pending` stays open, and its time runs on: a turn may have many orders.
        """
        ...

    def apply(self, state: S, event: E) -> S: ...

    def seats(self, state: S) -> Sequence[Seat]:
        """Who is in the game now, in turn order: they vote, and bear witness."""
        ...

    def finished(self, state: S) -> bool: ...

    def standing(self, state: S) -> Mapping[Seat, int] | None:
        """Every seat's score as it stands, with what is secret; by default nothing is counted before the end."""
        return None

    def result(self, state: S) -> Result | None:
        """Who came where; None before the end."""
        ...

    def favours(self, before: S, event: E) -> Sequence[Favour]:
        """What one seat does for another by it; by default games know of nothing."""
        return ()

    def stop(self, state: S) -> Sequence[E]:
        """The game ends by agreement, with the scores as they stand."""
        ...

    def chapter(self, state: S) -> str:
        """Where the game is, in English. It changes when a report is due: in a chapter only questions are asked."""
        ...

    def round(self, state: S) -> int:
        """The number of the round under way: when it has risen, everybody has had their turn once more."""
        ...

    def lap(self, state: S) -> int:
        """How many chapters a full round has, when everybody who may has one."""
        return len(self.seats(state))

    def ask(self, state: S, decision: Decision) -> Mapping[str, object]:
        """The facts of a question that its letter tells; its `kind` is one of them."""
        return {"kind": decision.kind}

    def left(self, state: S, decision: Decision) -> Mapping[str, object]:
        """The facts of the sentence `questions.KIND.left`: with what the question can still be answered; {}: none."""
        return {}

    def choices(self, state: S, decision: Decision) -> Step:
        """The answers that the question offers, as a tree: each that is whole is one that `check` would let pass.

        It rests on what its seat may see. Not all that could be ordered must be in it.
        """
        return Step(of=())

    def reach(self, state: S, viewer: Viewer) -> Sequence[Mapping[str, object]]:
        """Where what stands at each place could go: the place as `at`, and the facts of the sentence `reach.from`."""
        return ()

    def place(self, text: str) -> str:
        """The place of the board that a text names, to be told with what lies around it. Raises `Illegal`."""
        raise Illegal("board.whole", read=text)

    def lots(self, events: Sequence[E]) -> Mapping[str, str]:
        """Header lines of a play file for the lots that were drawn in these events."""
        return {}

    def view(self, state: S, viewer: Viewer) -> Mapping[str, object]:
        """All that they may see; secrets end here. What `Sight.ALL` sees is the state document, a public contract."""
        ...

    def ledger(self, state: S, viewer: Viewer) -> Mapping[str, object]:
        """What the sheets of its notation tell and the view does not, as they may see it."""
        return {}

    def seen(self, state: S, event: E, viewer: Viewer) -> E | None:
        """What they learn of an event that led to this position, or further back; None: nothing.

        What a stranger does not see of an entry is veiled: what is published of it till the end is its digest.
        By default all that happens is open.
        """
        return event

    def unheard(self, state: S, events: Sequence[E], viewer: Viewer) -> Unheard:
        """What they don't learn of the order that led to these events; by default whoever sees them all learns all."""
        return Unheard(order=any(self.seen(state, event, viewer) != event for event in events))

    def tidings(self, state: S, events: Sequence[E], viewer: Viewer) -> Sequence[E]:
        """Of what another's order led to, what they are told at once, in a letter of its own; by default nothing.

        The reports of what is over tell it, too.
        """
        return ()

    @property
    def has_veils(self) -> bool:
        """Is there anything that not all may see of events? By default there is not."""
        return False

    def hides(self, state: S) -> bool:
        """Would a log without its sealed entries tell what a stranger may not see yet?"""
        return False

    def decoder(self) -> msgspec.json.Decoder[Entry[O, E]]:
        """Reads its own log back."""
        ...

    def happened(self) -> msgspec.json.Decoder[Happened[E]]:
        """Reads of its own log what happened, for whoever folds it: in half the time."""
        ...


# Of whichever game: the host can do nothing with them but give them back to its rules.
AnyState = NewType("AnyState", object)
AnyOrder = NewType("AnyOrder", object)
AnyEvent = NewType("AnyEvent", object)
AnyEntry: TypeAlias = Entry[AnyOrder, AnyEvent]
AnyRules: TypeAlias = Rules[AnyState, AnyOrder, AnyEvent]
R = TypeVar("R", bound=Rules[Any, Any, Any])


class Game(Struct, Generic[R, S, O], frozen=True, kw_only=True):
    """What the package of a game offers; all that the registry needs to know of it."""

    id: str  # as set-ups and play files call it
    tag: str  # with a number it names a game in the subject of its letters: "imp-1"
    players: range
    usual: Setup  # what a set-up leaves empty
    load: Callable[[Setup], R]  # the rules of one table. Raises `ValueError` for a set-up that can't be
    presenter: Presenter
    left_out: Mapping[str, object] = {}  # by path of the state document, `*` for any key: what is not there stands for
    bots: Mapping[str, Bot[R, S, O]]  # by what they are called; every level is there
    reasoning: Mapping[str, Reasoning[R, S, O]] = {}  # of bots, by what they are called; the others tell no reasons
    critic: Critic[R, S, O] | None = None  # of answers, after the game
    maps: Maps | None = None  # of a game whose boards people can draw
    # With what a set-up for so many players leaves to chance, by a text that nobody knows before.
    drawn: Callable[[Setup, int, str], Setup] | None = None


AnyGame: TypeAlias = Game[Any, Any, Any]
AnyBot: TypeAlias = Bot[Any, Any, Any]
Registry: TypeAlias = Mapping[str, AnyGame]  # by their ids; a set-up that names none is the first one's


def load(games: Registry, setup: Setup) -> AnyRules:
    """The rules of a table. Raises `ValueError` for a set-up that can't be."""
    rules: AnyRules = game_of(games, setup).load(setup)
    return rules


def complete(games: Registry, setup: Setup) -> Setup:
    """The set-up with what it leaves empty. Raises `ValueError` for a game that there is not."""
    return setup.filled(game_of(games, setup).usual)


def drawn(games: Registry, setup: Setup, players: int, seed: str) -> Setup:
    """The set-up with what it leaves empty, or to chance. Raises `ValueError` for a game that there is not."""
    game, setup = game_of(games, setup), complete(games, setup)
    return setup if game.drawn is None else game.drawn(setup, players, seed)


def game_of(games: Registry, setup: Setup) -> AnyGame:
    """Raises `ValueError` for a game that there is not."""
    id_ = setup.game or next(iter(games))
    if id_ not in games:
        raise ValueError(f"game: there is no {id_}; there is {', '.join(games)}")
    return games[id_]
