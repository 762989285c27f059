"""Imperial behind the door: questions, answers, and what is left to do."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal

import msgspec
from msgspec import structs

from pbem.core.chance import Chance
from pbem.core.choice import Step
from pbem.core.decision import Answer, Decision
from pbem.core.favour import Favour
from pbem.core.game import Deal, Lots, Options, Resolved, Rules
from pbem.core.lapse import Lapse, Lapsed
from pbem.core.log import Entry, Happened
from pbem.core.notation import Notation
from pbem.core.outcome import Result, ranks
from pbem.core.seat import Seat, Setup, Sight, Viewer
from pbem.games.imperial.rules import bidding, given, lapses, opening
from pbem.games.imperial.rules import events as ev
from pbem.games.imperial.rules import orders as od
from pbem.games.imperial.rules.addressing import address
from pbem.games.imperial.rules.agenda import decisions, run
from pbem.games.imperial.rules.answers import take_all
from pbem.games.imperial.rules.board import Board
from pbem.games.imperial.rules.choices import choices
from pbem.games.imperial.rules.documents import document, without_cash
from pbem.games.imperial.rules.drafts import fallback
from pbem.games.imperial.rules.edition import CHANGEABLE, COSTLY, Edition
from pbem.games.imperial.rules.filed_orders import FiledOrders
from pbem.games.imperial.rules.lateness import penalise
from pbem.games.imperial.rules.places import Nation
from pbem.games.imperial.rules.prospects import taxing
from pbem.games.imperial.rules.questions import ask
from pbem.games.imperial.rules.reaches import reaches
from pbem.games.imperial.rules.reducer import apply
from pbem.games.imperial.rules.resolution import Resolution
from pbem.games.imperial.rules.scoring import end_game, scores
from pbem.games.imperial.rules.state import State

VERSION = "1"
SETUPS = ("standard", "experienced")
TOLD = 4  # states of which it is kept what all see


class Imperial(Rules[State, od.Order, ev.Event]):
    """One table of Imperial: a board, an edition with its options, and the names of both."""

    def __init__(self, board: Board, edition: Edition, notation: Notation[od.Order], setup: str = "standard") -> None:
        if setup not in SETUPS:
            raise ValueError(f"setup: there is no {setup!r}; there are {' and '.join(SETUPS)}")
        self.setup = setup
        self.board = board
        self.edition = edition
        self._notation = notation
        self._checked: tuple[State, tuple[Answer[od.Order], ...], Resolution] | None = None  # need not be taken twice
        self._told: tuple[tuple[State, Mapping[str, object]], ...] = ()  # of the last states somebody looked at

    @property
    def version(self) -> str:
        return VERSION

    @property
    def notation(self) -> Notation[od.Order]:
        return self._notation

    @property
    def options(self) -> Options:
        found = structs.asdict(self.edition.options).items()
        written = {
            key: {True: "yes", False: "no"}[value] if isinstance(value, bool) else str(value)
            for key, value in found
            if value is not None
        }
        return Options(values=written, changeable=CHANGEABLE, needs_petition=COSTLY)

    # -- the beginning ---

    def blank(self, setup: Setup) -> State:
        if len(setup.seats) not in self.edition.starting_money:
            raise ValueError(f"seats: Imperial is for 2 to 6 players, not {len(setup.seats)}")
        if self.setup == "experienced":
            bidding.check_money(self.edition, len(setup.seats))
        else:
            opening.check_money(self.edition, len(setup.seats))
        return opening.blank(self.board, self.edition, setup.seats)

    def positions(self, setup: Setup) -> tuple[str, ...]:
        """The flag cards to deal; in the set-up for experienced players the order of choosing."""
        if self.setup == "experienced":
            return bidding.order_of_choosing(len(setup.seats))
        return opening.cards(self.board, self.edition, len(setup.seats))

    def deal(self, setup: Setup, positions: Mapping[Seat, str]) -> Deal:
        if self.setup == "experienced":
            seats = bidding.seated(setup.seats, positions)
            return Deal(seats=seats, lots={"first": [(seats[0], "")]})
        flags = [(seat, positions.get(seat, "")) for seat in setup.seats]
        opening.read_deal(self.board, self.edition, setup.seats, flags)
        return Deal(seats=setup.seats, lots={"flags": flags})

    def open(self, state: State, chance: Chance, lots: Lots) -> list[ev.Event]:
        """Deal the flag cards, by lot unless they are among the `lots` already drawn."""
        resolution = self._course(state)
        _check_lots(self.setup, lots)
        if self.setup == "experienced":
            first = lots.get("first")
            named = None if first is None else bidding.read_first(state.seats, first)
            bidding.open_bidding(resolution, named, chance)
        else:
            flags = lots.get("flags")
            deal = None if flags is None else opening.read_deal(self.board, self.edition, state.seats, flags)
            opening.open_standard(resolution, deal, chance)
        return run(resolution)

    def given(self, state: State, lines: Sequence[od.Order]) -> list[ev.Event]:
        resolution = self._course(state)
        given.lay_out(resolution, [line for line in lines if isinstance(line, od.Given)])
        run(resolution)
        return given.finish(resolution)

    # -- questions ---

    def pending(self, state: State) -> tuple[Decision, ...]:
        open_ = decisions(state)
        if len(open_) > 1:
            open_.sort(key=lambda d: (d.seat, d.kind, d.about or ""))
        return tuple(open_)

    def address(self, state: State, seat: Seat, order: od.Order) -> tuple[Decision, ...]:
        return address(state, seat, order, [d for d in self.pending(state) if d.seat == seat])

    # -- answers ---

    def check(self, state: State, answer: Answer[od.Order]) -> None:
        self._checked = (state, (answer,), self._taken(state, (answer,)))

    def resolve(self, state: State, answers: Sequence[Answer[od.Order]], chance: Chance) -> Resolved[State, ev.Event]:
        checked, self._checked = self._checked, None  # a resolution serves once, for it goes on from there
        if checked is not None and checked[0] is state and checked[1] == tuple(answers):
            resolution = checked[2]
        else:
            resolution = self._taken(state, answers)
        events = run(resolution)
        return Resolved(events=events, state=resolution.state)

    def _taken(self, state: State, answers: Sequence[Answer[od.Order]]) -> Resolution:
        resolution = self._course(state)
        take_all(resolution, answers)
        return resolution

    def apply(self, state: State, event: ev.Event) -> State:
        return apply(state, event)

    def seats(self, state: State) -> tuple[Seat, ...]:
        return state.seats

    def finished(self, state: State) -> bool:
        return state.finished

    def standing(self, state: State) -> Mapping[Seat, int]:
        return scores(self._course(state))

    def result(self, state: State) -> Result | None:
        if state.scores is None or state.winners is None:
            return None
        return Result(places=ranks(state.scores, state.winners), scores=state.scores)

    def favours(self, before: State, event: ev.Event) -> list[Favour]:
        """Money that comes into the treasury of a nation that somebody else governs."""
        match event:
            case ev.GiftGiven(seat=seat, nation=nation, amount=amount):
                return _favour("gift", seat, before.government[nation], amount)
            case ev.BondBought(seat=seat, nation=nation, paid=paid):
                return _favour("purchase", seat, before.government[nation], paid)
        return []

    def stop(self, state: State) -> list[ev.Event]:
        resolution = self._course(state)
        end_game(resolution, None)
        return resolution.close()

    def chapter(self, state: State) -> str:
        """A nation's turn, with the investing that belongs to it."""
        called = self.notation.names["NATION"][state.nation][0] if state.nation else "the set-up"
        return f"round {state.round}, {called}{', over' if state.finished else ''}"

    def round(self, state: State) -> int:
        return state.round

    def lap(self, state: State) -> int:
        return len(self.board.nations)

    def ask(self, state: State, decision: Decision) -> dict[str, object]:
        return ask(self._course(state), decision)

    def reach(self, state: State, viewer: Viewer) -> list[dict[str, object]]:
        return [*reaches(self._course(state))]

    def choices(self, state: State, decision: Decision) -> Step:
        return choices(self._course(state), decision)

    def lots(self, events: Sequence[ev.Event]) -> dict[str, str]:
        """Each seat's own card, those that come along with it follow from the number of players; or who bid first."""
        began = next((event for event in events if isinstance(event, ev.BiddingBegan)), None)
        if began is not None:
            return {"first": began.seats[0]}
        dealt: dict[Seat, Nation] = {}
        for event in events:
            if isinstance(event, ev.FlagCardDealt):
                dealt.setdefault(event.seat, event.nation)
        return {"flags": ", ".join(f"{seat} {nation}" for seat, nation in dealt.items())}

    def flaws(self, state: State, answer: Answer[od.Order]) -> Sequence[Lapsed]:
        return lapses.flaws(self, state, answer)

    def rollout(self, state: State, decision: Decision) -> od.Order:
        return fallback(self, state, decision, None)

    def lapse(
        self, state: State, decision: Decision, written: Sequence[od.Order] = (), late: int = 0
    ) -> Lapse[od.Order]:
        return lapses.lapse(self, self.as_late(state, decision, late), decision, next(iter(written), None))

    def as_late(self, state: State, decision: Decision, late: int) -> State:
        resolution = self._course(state)
        penalise(resolution, Answer(seat=decision.seat, order=None, decision=decision, late=late))
        return resolution.state

    @property
    def files(self) -> FiledOrders:
        return FiledOrders(self)

    # -- what the world sees ---

    def view(self, state: State, viewer: Viewer) -> Mapping[str, object]:
        """The state document as they may see it; for players and strangers with the running scores, and what taxation
        would bring to each nation that is governed."""
        if isinstance(viewer, Sight):
            return document(self.board, self.edition, state, self.pending(state))
        told = self._open(state)
        return {**without_cash(told, viewer), "running": None} if self.hides(state) else told

    def _open(self, state: State) -> Mapping[str, object]:
        """As if cash were open. A report tells of two positions, and each of them to all at the table."""
        for known, told in self._told:
            if known is state:
                return told
        course = self._course(state)
        governed = [nation for nation, seat in state.government.items() if seat is not None and not state.finished]
        told = {
            **document(self.board, self.edition, state, self.pending(state)),
            "running": scores(course),
            "taxing": {nation: taxing(course, nation) for nation in governed},
        }
        self._told = ((state, told), *self._told[: TOLD - 1])
        return told

    def seen(self, state: State, event: ev.Event, viewer: Viewer) -> ev.Event:
        """All that happens is open; what cash is secret follows from where a player began."""
        return event

    def hides(self, state: State) -> bool:
        return self.edition.options.cash != "open" and not state.finished

    def decoder(self) -> msgspec.json.Decoder[Entry[od.Order, ev.Event]]:
        return _DECODER

    def happened(self) -> msgspec.json.Decoder[Happened[ev.Event]]:
        return _HAPPENED

    def _course(self, state: State) -> Resolution:
        return Resolution(self.board, self.edition, state)


_DECODER = msgspec.json.Decoder(Entry[od.Order, ev.Event])
_HAPPENED = msgspec.json.Decoder(Happened[ev.Event])


def _check_lots(setup: str, lots: Lots) -> None:
    """Flag cards are dealt in the standard set-up, a first chooser is drawn in the other."""
    known = "first" if setup == "experienced" else "flags"
    for word in lots:
        if word != known:
            raise ValueError(f"{word}: the {setup} set-up has {known}")


def _favour(kind: Literal["gift", "purchase"], seat: Seat, other: Seat | None, worth: int) -> list[Favour]:
    return [Favour(kind, seat, other, worth)] if other is not None and other != seat else []
