"""Empire behind the door: questions, answers, and what is left to do."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any

import msgspec
from msgspec.structs import replace

from pbem.core.chance import Chance, NoLots, Withheld
from pbem.core.choice import Step
from pbem.core.decision import MODERATOR, Answer, Decision
from pbem.core.game import Deal, Lots, Options, Resolved, Rules, Unheard
from pbem.core.lapse import Lapse, Lapsed
from pbem.core.log import Entry, Happened
from pbem.core.notation import Notation
from pbem.core.outcome import Result, ranks
from pbem.core.refusal import DieNeeded, Illegal, Impossible, NotAwaited
from pbem.core.seat import Seat, Setup, Sight, Viewer
from pbem.games.empire.rules import events as ev
from pbem.games.empire.rules import orders as od
from pbem.games.empire.rules.accounts import hup
from pbem.games.empire.rules.acts import clauses
from pbem.games.empire.rules.acts.table import ACTS
from pbem.games.empire.rules.asked import Hanging, Heard, Question
from pbem.games.empire.rules.countries import seating
from pbem.games.empire.rules.course import endings, fallbacks, opening, slots
from pbem.games.empire.rules.course.deals import deal, lots_of, places
from pbem.games.empire.rules.filed_orders import FiledOrders
from pbem.games.empire.rules.given import laying_out
from pbem.games.empire.rules.ground import own_slot, pirate, who, wind
from pbem.games.empire.rules.options import OPTIONS
from pbem.games.empire.rules.people import contact
from pbem.games.empire.rules.questions import asking
from pbem.games.empire.rules.questions.suggestions import suggestions
from pbem.games.empire.rules.reducer import apply
from pbem.games.empire.rules.sea import canals
from pbem.games.empire.rules.state import State
from pbem.games.empire.rules.views import telling
from pbem.games.empire.rules.views.documents import document, winners
from pbem.games.empire.rules.views.ledger import ledger
from pbem.games.empire.rules.views.leftover import leftover
from pbem.games.empire.rules.views.reaching import reaches
from pbem.games.empire.rules.world import Saved, Setting, World

VERSION = "1"
ANYTIME = (od.Attitude, od.Accept, od.Reject, od.Transfer, od.Aid, od.Governor, od.Standing, od.StandingNone)
ELSEWHERE: Mapping[type, str] = {od.Capital: "capital", od.Picks: "picks", od.Ruling: "ruling"}  # in no slot
MINUTE = 60


class Empire(Rules[State, od.Order, ev.Event]):
    """One table of Empire: a map, the tables of an edition, and its options."""

    def __init__(self, setting: Setting, notation: Notation[od.Order], about: Mapping[str, object]) -> None:
        self.setting = setting
        self._notation = notation
        self._about = about  # game, edition and board, as the state document says them
        self._checked: tuple[State, Answer[od.Order], World] | None = None

    @property
    def version(self) -> str:
        return VERSION

    @property
    def notation(self) -> Notation[od.Order]:
        return self._notation

    @property
    def options(self) -> Options:
        changeable = {key: option.values for key, option in OPTIONS.items() if option.set_by != "start"}
        petitions = tuple(key for key, option in OPTIONS.items() if option.set_by == "change")
        return Options(values=self.setting.options, changeable=changeable, needs_petition=petitions)

    @property
    def timely(self) -> int:
        """Exactly 24 hours are not late (G-26); a letter has no seconds to count."""
        return MINUTE if self.setting.options["lateness_boundary"] == "after" else 0

    def world(self, state: State, chance: Chance | None = None) -> World:
        return World(self.setting, state, chance or NoLots())

    # -- the beginning ---

    def blank(self, setup: Setup) -> State:
        most = 4 if self.setting.setup == "training" else 8
        if not 2 <= len(setup.seats) <= most:
            raise ValueError(f"seats: Empire is for 2 to {most} players here, not {len(setup.seats)}")
        return State(seats=setup.seats)

    def positions(self, setup: Setup) -> Sequence[str]:
        return places(len(setup.seats)) if self.setting.setup != "bare" else ()

    def deal(self, setup: Setup, positions: Mapping[Seat, str]) -> Deal:
        return deal(setup.seats, positions) if self.setting.setup != "bare" else Deal(seats=setup.seats)

    def open(self, state: State, chance: Chance, lots: Lots) -> list[ev.Event]:
        w = self.world(state, chance)
        opening.open_game(w, lots)
        hup.count(w)
        return w.close()

    def lots(self, events: Sequence[ev.Event]) -> Mapping[str, str]:
        return lots_of(events)

    def given(self, state: State, lines: Sequence[od.Order]) -> list[ev.Event]:
        if state.hanging is not None:
            raise Impossible(0, _awaited_first(state.hanging.question))
        w = self.world(state)
        laying_out.lay_out(w, [line for line in lines if isinstance(line, od.Given)])
        w.is_given = True
        hup.count(w)
        pirate.look(w)
        return pirate.closed(w, state, conceals=True)

    # -- questions ---

    def pending(self, state: State) -> tuple[Decision, ...]:
        if state.hanging is not None and state.resume is not None:
            asked = state.hanging.question
            question = Decision(seat=asked.seat, kind=asked.kind, about=asked.about, serial=state.last)
            return (question, *self.pending(state.resume))
        match state.phase:
            case "capital":
                first = state.placing[:1]
                return tuple(Decision(seat=seat, kind="capital", serial=state.serial) for seat in first)
            case "picks":
                open_to = sorted(seat for seat in state.seats if seat not in state.picked)
                return tuple(Decision(seat=seat, kind="picks", serial=state.serial) for seat in open_to)
            case "turn" if state.active is not None:
                return (Decision(seat=state.active, kind="turn", about=state.slot, serial=state.serial),)
        return ()

    def address(self, state: State, seat: Seat, order: od.Order) -> Sequence[Decision]:
        if self.finished(state):
            raise Illegal("game.over")
        if state.hanging is not None:
            return self._address_question(state, state.hanging.question, seat, order)
        wanted = ELSEWHERE.get(type(order), "turn")
        mine = [each for each in self.pending(state) if each.seat == seat and each.kind == wanted]
        if mine and not isinstance(order, od.Standing | od.StandingNone):
            return mine
        if isinstance(order, ANYTIME) and state.phase == "turn":
            return ()
        raise NotAwaited(seat=state.active or "", slot=state.slot if state.phase == "turn" else "")

    def _address_question(self, state: State, question: Question, seat: Seat, order: od.Order) -> Sequence[Decision]:
        """While an order hangs nothing else is ordered but what stands for later."""
        if seat == question.seat and asking.is_answer(question, order):
            return self.pending(state)[:1]
        if isinstance(order, asking.STANDING):
            return ()
        raise _awaited_first(question)

    def stands_still(self, state: State, decision: Decision) -> bool:
        """The slot's clock while an order hangs; of the moderator's questions time never runs out."""
        return state.hanging is not None and (decision.is_turn or decision.seat == MODERATOR)

    def concerned(self, state: State, decision: Decision) -> Sequence[Seat]:
        return state.hanging.question.concerned if state.hanging is not None else ()

    # -- answers ---

    def check(self, state: State, answer: Answer[od.Order]) -> None:
        if state.hanging is not None and answer.decision in self.pending(state)[:1]:
            self._check_answer(state, state.hanging.question, answer)
            return
        try:
            self._play(state, answer, Withheld())
        except DieNeeded:
            return

    def rollout(self, state: State, decision: Decision) -> od.Order:
        return fallbacks.order(self.world(state), decision)

    def closing(self, state: State, decision: Decision) -> od.Order | None:
        return od.Rollout() if decision.kind == "turn" else None

    def undoing(self, state: State, seat: Seat) -> od.Order | None:
        return od.Undo()

    def lapse(
        self, state: State, decision: Decision, written: Sequence[od.Order] = (), late: int = 0
    ) -> Lapse[od.Order]:
        """What is written is carried out as far as it is legal, without anything that needs a battle die (E4.5)."""
        void: list[Lapsed] = []
        for place, order in enumerate(written, 1):
            answer = Answer(seat=decision.seat, order=order, decision=decision, late=late)
            try:
                self._try_out(state, answer)
            except Illegal as refusal:
                text = self.notation.write(order)
                void.append(Lapsed(void=True, code=refusal.code, facts=refusal.facts, text=text))
            else:
                return Lapse(order=order, notes=void, left=written[place:])
        return Lapse(order=self.rollout(state, decision), notes=void)

    def _try_out(self, state: State, answer: Answer[od.Order]) -> None:
        """Without a battle die, however the wind may blow; what would ask might then throw one. Raises `Illegal`."""
        try:
            self._play(state, answer, Withheld(), asks=False)
        except DieNeeded as needed:
            if not wind.is_thrown(needed):
                raise
            for found in wind.every(self.setting.tables):
                self._play(state, answer, found, asks=False)

    @property
    def files(self) -> FiledOrders:
        return FiledOrders(self.check)

    def resolve(self, state: State, answers: Sequence[Answer[od.Order]], chance: Chance) -> Resolved[State, ev.Event]:
        events: list[ev.Event] = []
        for answer in answers:
            found = self._play(state, answer, chance)
            events += found
            for event in found:
                state = self.apply(state, event)
        return Resolved(events=events, state=state)

    def _play(self, state: State, answer: Answer[od.Order], chance: Chance, *, asks: bool = True) -> list[ev.Event]:
        """What happens of one answer. Raises `Illegal`."""
        if state.hanging is not None:
            return self._go_on(state, state.hanging, answer, chance)
        if isinstance(answer.order, od.Undo):
            if not state.before:
                raise Illegal("undo.barred", why=state.barred or "nothing")
            only = state.before[-1].only
            sealed = [ev.Veiled(only=only, order=True)] if only is not None else []
            return [*sealed, ev.Undone(only=only)]
        w = self.world(state, chance)
        w.asks_nobody = not asks
        order = Hanging(seat=answer.seat, order=answer.order, late=answer.late, options=w.options, question=NO_QUESTION)
        try:
            self._until_asked(w, state, order)
        except Illegal as refusal:
            if not w.drawn or isinstance(refusal, DieNeeded):
                raise
            w.go_back(
                Saved(state=state, counted=(state.parts, state.units))
            )  # a die that has been thrown stands: the order can't be refused any more
            w.note("broken_off", None, w.private, code=refusal.code, because=refusal.facts)
        return self._closed(w, state, answer.seat, answer.order)

    def _until_asked(self, w: World, base: State, given_: Hanging) -> None:
        """Carry an order out, up to a question that nobody has answered yet. Raises `Illegal`."""
        try:
            self._carry_out(w, given_.seat, given_.order, given_.late)
        except asking.Awaits as awaits:
            asking.hang(w, base, given_, awaits.question)

    def _carry_out(self, w: World, seat: Seat, order: od.Order, late: int) -> None:
        if isinstance(order, od.Rollout):
            own_slot.check_active(w, seat)
            w.asks_nobody = w.asks_nobody or order.forced
            slots.rollout(w, seat, order, late)
        else:
            _hear_out(w, seat, order)
            pirate.seal(w, seat, order)
            ACTS[type(order)](w, seat, order)
            if not w.drawn:  # else it stands
                canals.check_kept(w)
            if w.state.phase == "turn":
                contact.settle(w)
                pirate.look(w)
        hup.count(w)

    def _go_on(self, state: State, hanging: Hanging, answer: Answer[od.Order], chance: Chance) -> list[ev.Event]:
        """The order that hangs, with what is said now. Raises `Illegal`."""
        said = self._heard(state, hanging.question, answer)
        w = asking.again(self.setting, state, chance, said)
        order = replace(hanging, heard=(*hanging.heard, said))
        try:
            self._until_asked(w, state.resume or state, order)
        except DieNeeded:
            raise
        except Illegal as refusal:
            asking.fallen(w, state, refusal)
        if not said.is_answer:
            w.private = (answer.seat,)
        w.events = w.events[hanging.told :]
        return pirate.closed(w, state)

    def _heard(self, state: State, question: Question, answer: Answer[od.Order]) -> Heard:
        """Raises `Illegal` for what can't be said now."""
        if answer.decision in self.pending(state)[:1]:
            self._check_answer(state, question, answer)
            return Heard(seat=answer.seat, order=answer.order, is_answer=True)
        if not isinstance(answer.order, asking.STANDING):
            raise _awaited_first(question)
        w = self.world(state)
        _hear_out(w, answer.seat, answer.order)
        asking.give(w, answer.seat, answer.order)
        return Heard(seat=answer.seat, order=answer.order, is_answer=False)

    def _check_answer(self, state: State, question: Question, answer: Answer[od.Order]) -> None:
        """Raises `Illegal`."""
        w = self.world(state)
        _hear_out(w, answer.seat, answer.order)
        asking.check(question, answer.order)
        who.units_of(w, answer.seat, getattr(answer.order, "units", ()))

    def _closed(self, w: World, state: State, seat: Seat, order: od.Order) -> list[ev.Event]:
        is_rollout = isinstance(order, od.Rollout)
        conceals = seat == pirate.player(w) and not is_rollout
        return pirate.closed(w, state, can_undo=seat == state.active and not is_rollout, conceals=conceals)

    def apply(self, state: State, event: ev.Event) -> State:
        return apply(state, event)

    # -- how it stands ---

    def seats(self, state: State) -> tuple[Seat, ...]:
        w = self.world(state)
        if state.phase != "turn":
            return tuple(seat for seat in state.order or state.seats if seat != w.options["pirate"])
        return tuple(seat for seat in state.order if seating.has_vote(w, seat))

    def finished(self, state: State) -> bool:
        return state.phase == "over"

    def standing(self, state: State) -> Mapping[Seat, int]:
        return endings.scores(self.world(state), shown=True)

    def result(self, state: State) -> Result | None:
        if state.scores is None:
            return None
        return Result(places=ranks(state.scores, winners(state.scores) or []), scores=state.scores)

    def stop(self, state: State) -> list[ev.Event]:
        w = World(self.setting, state.resume or state, NoLots(), before=state)
        endings.end(w, "agreed")
        return w.close()

    def chapter(self, state: State) -> str:
        if state.phase in ("capital", "picks"):
            return f"the zero turn, {state.phase}"
        return f"slot {state.slot}, {state.active}{', over' if self.finished(state) else ''}"

    def round(self, state: State) -> int:
        return state.turn

    def ask(self, state: State, decision: Decision) -> Mapping[str, object]:
        return {**telling.question(self.world(state), decision), "examples": self._examples(state, decision)}

    def left(self, state: State, decision: Decision) -> Mapping[str, object]:
        return leftover(self.world(state), decision.seat) if decision.kind == "turn" else {}

    def _examples(self, state: State, decision: Decision) -> list[str]:
        """A few orders that would be accepted now; of a kind one."""
        if state.hanging is not None:
            question = state.hanging.question
            return [] if decision.is_turn else [self.notation.write(each) for each in asking.answers(question)]
        found: dict[type, str] = {}
        for order in suggestions(self.world(state), decision.seat, decision.kind):
            if type(order) in found:
                continue
            try:
                self.check(state, Answer(seat=decision.seat, order=order, decision=decision))
            except Illegal:
                continue
            found[type(order)] = self.notation.write(order)
        return [*found.values()]

    def choices(self, state: State, decision: Decision) -> Step:
        return Step(of=())

    def reach(self, state: State, viewer: Viewer) -> list[dict[str, Any]]:
        return [*reaches(self.world(state), None if isinstance(viewer, Sight) else viewer)]

    def place(self, text: str) -> str:
        named = {name.lower(): name for name in self.setting.map.squares}
        if text.lower() not in named:
            raise Illegal("square.absent", square=text)
        return named[text.lower()]

    def view(self, state: State, viewer: Viewer) -> dict[str, Any]:
        awaiting = [{"seat": d.seat, "kind": d.kind, "about": d.about} for d in self.pending(state)]
        return document(self.world(state), awaiting, self._about, viewer)

    def ledger(self, state: State, viewer: Viewer) -> dict[str, Any]:
        return ledger(self.world(state), viewer)

    def seen(self, state: State, event: ev.Event, viewer: Viewer) -> ev.Event | None:
        only = getattr(event, "only", None)
        if only is None or viewer is Sight.ALL or self.finished(state) or viewer in only:
            return event
        return None

    def unheard(self, state: State, events: Sequence[ev.Event], viewer: Viewer) -> Unheard:
        veils = [each for each in events if isinstance(each, ev.Veiled) and self.seen(state, each, viewer) is None]
        places = sorted(place for each in veils for place in each.draws)
        his = (pirate.player(self.world(state)),) if veils else ()
        apart = any(each.order and each.only == his for each in veils)
        return Unheard(order=any(each.order for each in veils), draws=tuple(places), apart=apart)

    def tidings(self, state: State, events: Sequence[ev.Event], viewer: Viewer) -> Sequence[ev.Event]:
        """They have sighted the Pirate, or he has passed them (E18.3)."""
        noted = (each for each in events if isinstance(each, ev.Noted) and each.what in pirate.SIGHTINGS)
        return [each for each in noted if each.only == (viewer,)]

    @property
    def has_veils(self) -> bool:
        return True

    def decoder(self) -> msgspec.json.Decoder[Entry[od.Order, ev.Event]]:
        return _DECODER

    def happened(self) -> msgspec.json.Decoder[Happened[ev.Event]]:
        return _HAPPENED

    @cached_property
    def squares(self) -> tuple[str, ...]:
        return tuple(self.setting.map.squares)


def _hear_out(w: World, seat: Seat, order: od.Order) -> None:
    """Whose order it is, and that each clause of it means something. Raises `Illegal`."""
    clauses.check(w, order)
    who.check_country(w, seat, order)
    w.speaks = order.country


def _awaited_first(question: Question) -> NotAwaited:
    """Why nothing else can be ordered."""
    return NotAwaited(first=question.seat, kind=question.kind, subject=question.about or "")


NO_QUESTION = Question(seat=MODERATOR, kind="", default=od.Undo())
_DECODER = msgspec.json.Decoder(Entry[od.Order, ev.Event])
_HAPPENED = msgspec.json.Decoder(Happened[ev.Event])
