"""Imperial behind the door: questions, answers, and what is left to do."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import assert_never

import msgspec
from msgspec.structs import replace

from pbem.rules.imperial import battle, bidding, drafts, investor, maneuver, opening, position, rounds
from pbem.rules.imperial import events as ev
from pbem.rules.imperial import orders as od
from pbem.rules.imperial.board import Board, Nation
from pbem.rules.imperial.bookkeeping import apply
from pbem.rules.imperial.course import Course
from pbem.rules.imperial.documents import document
from pbem.rules.imperial.edition import Edition
from pbem.rules.imperial.phrases import phrases
from pbem.rules.imperial.questions import ask
from pbem.rules.imperial.scoring import scores
from pbem.rules.imperial.state import (
    AwaitBattle,
    AwaitBid,
    AwaitForce,
    AwaitInvest,
    AwaitTurn,
    EndTurn,
    InvestorSteps,
    InvestRound,
    Maneuver,
    Reply,
    Settle,
    SettleRound,
    State,
    Task,
)
from pbem.rules.imperial.turn import begin_turn, force_stop, let_pass
from pbem.table.chance import Chance
from pbem.table.decision import Answer, Decision
from pbem.table.log import Entry
from pbem.table.phrases import Names, Phrases
from pbem.table.refusal import Illegal
from pbem.table.seat import Seat, Setup

VERSION = "1"
SETUPS = ("standard", "experienced")


class Imperial:
    """One table of Imperial: a board, an edition with its options, and the names of both."""

    def __init__(self, board: Board, edition: Edition, words: Mapping[str, Names], setup: str = "standard") -> None:
        if setup not in SETUPS:
            raise ValueError(f"setup: there is no {setup!r}; there are {' and '.join(SETUPS)}")
        self.setup = setup
        self.board = board
        self.edition = edition
        self.phrases: Phrases[od.Order] = phrases(words)
        self._checked: tuple[State, tuple[Answer[od.Order], ...], Course] | None = None

    @property
    def version(self) -> str:
        return VERSION

    # -- the beginning ---

    def blank(self, setup: Setup) -> State:
        if len(setup.seats) not in self.edition.starting_money:
            raise ValueError(f"seats: Imperial is for 2 to 6 players, not {len(setup.seats)}")
        return opening.blank(self.board, self.edition, setup.seats)

    def open(self, state: State, chance: Chance, lots: Mapping[str, Sequence[tuple[str, str]]]) -> list[ev.Event]:
        """Deal the flag cards, by lot unless they are among the `lots` already drawn."""
        course = self._course(state)
        _check_lots(self.setup, lots)
        if self.setup == "experienced":
            first = lots.get("first")
            named = None if first is None else bidding.read_first(state.seats, first)
            bidding.open_bidding(course, named, chance)
        else:
            flags = lots.get("flags")
            deal = None if flags is None else opening.read_deal(self.board, self.edition, state.seats, flags)
            opening.open_standard(course, deal, chance)
        return self._run(course)

    def given(self, state: State, lines: Sequence[od.Order]) -> list[ev.Event]:
        course = self._course(state)
        course.agenda.clear()
        position.lay_out(course, [line for line in lines if isinstance(line, od.Given)])
        self._run(course)
        return position.finish(course)

    # -- questions ---

    def pending(self, state: State) -> tuple[Decision, ...]:
        decisions = _decisions(state, state.agenda[0]) if state.agenda else []
        return tuple(sorted(decisions, key=lambda d: (d.seat, d.kind, d.about or "")))

    def address(self, state: State, seat: Seat, order: od.Order) -> tuple[Decision, ...]:
        if state.finished:
            raise Illegal("game.over")
        mine = [d for d in self.pending(state) if d.seat == seat]
        match order:
            case od.Give():
                return self._check_gift_now(state)
            case od.Turn():
                return self._address_turn(state, seat, order, mine)
            case od.Fight() | od.Peace():
                return _address_battle(state, seat, order, mine)
            case od.Invest():
                return _awaited(mine, "invest", seat)
            case od.Force() | od.LetPass():
                return _awaited(mine, "swiss", seat)
            case od.Bid():
                return _awaited([d for d in mine if order.nation in (None, d.about)], "bid", seat)
            case od.Skip() | od.StandingFight() | od.StandingPeace() | od.StandingForce() | od.Given():
                raise Illegal("order.not_awaited", seat=seat)
            case _:
                assert_never(order)

    def _check_gift_now(self, state: State) -> tuple[Decision, ...]:
        """No gifts while a battle or Swiss Bank question is open (R21)."""
        if isinstance(state.agenda[0], AwaitBattle | AwaitForce):
            raise Illegal("gift.not_now")
        return ()

    def _address_turn(self, state: State, seat: Seat, order: od.Turn, mine: Sequence[Decision]) -> tuple[Decision, ...]:
        if order.nation is not None and state.government[order.nation] != seat:
            raise Illegal("nation.not_yours", nation=order.nation, holder=state.government[order.nation])
        turns = [d for d in mine if d.kind == "turn" and order.nation in (None, d.about)]
        if not turns:
            raise Illegal("order.not_awaited", seat=seat, nation=order.nation)
        if isinstance(state.agenda[0], Maneuver) and not order.space.startswith("maneuver"):
            raise Illegal("order.not_awaited", seat=seat, nation=turns[0].about, unfinished="maneuver")
        return tuple(turns)

    # -- answers ---

    def check(self, state: State, answer: Answer[od.Order]) -> None:
        self._checked = (state, (answer,), self._taken(state, (answer,)))

    def resolve(self, state: State, answers: Sequence[Answer[od.Order]], chance: Chance) -> list[ev.Event]:
        course = self._recall(state, tuple(answers)) or self._taken(state, answers)
        return self._run(course)

    def _taken(self, state: State, answers: Sequence[Answer[od.Order]]) -> Course:
        course = self._course(state)
        for answer in answers:
            self._take(course, answer)
        return course

    def _recall(self, state: State, answers: tuple[Answer[od.Order], ...]) -> Course | None:
        """What was just checked need not be taken twice; a course serves once, for it goes on from there."""
        checked, self._checked = self._checked, None
        if checked is None or checked[0] is not state or checked[1] != answers:
            return None
        return checked[2]

    def apply(self, state: State, event: ev.Event) -> State:
        return apply(state, event)

    def finished(self, state: State) -> bool:
        return state.finished

    def chapter(self, state: State) -> str:
        """A nation's turn, with the investing that belongs to it."""
        return f"{state.round} {state.nation} {'over' if state.finished else ''}".strip()

    def ask(self, state: State, decision: Decision) -> dict[str, object]:
        return ask(self._course(state), decision)

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

    def legal_part(self, state: State, answer: Answer[od.Order]) -> od.Order | None:
        return drafts.legal_part(self, state, answer)

    def fallback(self, state: State, decision: Decision, written: od.Order | None) -> od.Order:
        return drafts.fallback(self, state, decision, written)

    def filing(self, order: od.Order) -> str:
        return drafts.filing(order)

    def early(self, order: od.Order) -> str:
        return drafts.early(order)

    def check_early(self, state: State, order: od.Order) -> None:
        drafts.check_early(self, order)

    def serve(self, state: State, decision: Decision, filed: Sequence[od.Order]) -> tuple[od.Order, od.Order] | None:
        return drafts.serve(state, decision, filed)

    # -- what the world sees ---

    def document(self, state: State) -> dict[str, object]:
        return document(self.board, self.edition, state, self.pending(state), sees=None, all_cash=True)

    def view(self, state: State, seat: Seat | None) -> dict[str, object]:
        """The document as this seat may see it, with the running scores."""
        open_cash = self.edition.options.cash == "open" or state.finished
        seen = document(self.board, self.edition, state, self.pending(state), sees=seat, all_cash=open_cash)
        running = scores(self._course(state)) if open_cash else None
        return {**seen, "running": running}

    def decoder(self) -> msgspec.json.Decoder[Entry[od.Order, ev.Event]]:
        return _DECODER

    # -- the agenda ---

    def _course(self, state: State) -> Course:
        return Course(self.board, self.edition, state)

    def _take(self, course: Course, answer: Answer[od.Order]) -> None:
        """One answer takes effect; the question it answers leaves the agenda or changes on it."""
        if isinstance(answer.order, od.Give):
            _give(course, answer.seat, answer.order)
            return
        task = course.agenda[0]
        match task:
            case AwaitTurn():
                self._take_turn(course, task, answer.order)
            case Maneuver():
                _take_rest(course, task, answer.order)
            case AwaitForce():
                _take_force(course, task, answer)
            case AwaitBattle():
                _take_battle(course, task, answer)
            case AwaitInvest():
                _take_invest(course, task, answer)
            case AwaitBid():
                _take_bid(course, task, answer)
            case InvestorSteps() | Settle() | InvestRound() | SettleRound() | EndTurn():
                raise Illegal("order.not_awaited", seat=answer.seat)
            case _:
                assert_never(task)

    def _take_turn(self, course: Course, task: AwaitTurn, order: od.Order) -> None:
        course.agenda.pop(0)
        if isinstance(order, od.Skip):
            course.happen(ev.NationSkipped(nation=task.nation, why="lapse"))
            course.first(EndTurn(nation=task.nation))
            return
        assert isinstance(order, od.Turn), "only a turn answers for a nation"
        begin_turn(course, task.nation, order)

    def _run(self, course: Course) -> list[ev.Event]:
        """Work off the agenda up to the next question that has more than one answer."""
        while course.agenda:
            task = course.agenda.pop(0)
            if not self._step(course, task):
                break
        return course.close()

    def _step(self, course: Course, task: Task) -> bool:
        """Do this next; False when somebody must be asked first, and the task is back on the agenda."""
        match task:
            case AwaitTurn() | AwaitForce():
                return _ask(course, task)
            case Maneuver():
                if task.open:
                    return _ask(course, task)
                maneuver.go_on(course, task)
            case AwaitBattle():
                if battle.unanswered(task):
                    return _ask(course, task)
                battle.carry_out(course, task)
            case InvestorSteps():
                investor.begin_steps(course, task)
            case AwaitInvest():
                return _next_investor(course, task)
            case Settle():
                investor.settle(course)
            case InvestRound():
                rounds.begin_round(course, task)
            case SettleRound():
                investor.settle_all(course, task.start)
            case AwaitBid():
                return _next_bidder(course, task)
            case EndTurn():
                rounds.next_turn(course, task)
            case _:
                assert_never(task)
        return True


_DECODER = msgspec.json.Decoder(Entry[od.Order, ev.Event])


def _decisions(state: State, task: Task) -> list[Decision]:
    match task:
        case AwaitTurn() | Maneuver():
            return [_decision(_holder(state, task.nation), "turn", task.nation, task.serial)]
        case AwaitForce():
            return [_decision(seat, "swiss", task.nation, task.serial) for seat in task.seats]
        case AwaitBattle():
            asked = battle.unanswered(task)
            return [_decision(_holder(state, n), "battle", n, task.serial) for n in asked]
        case AwaitInvest():
            about = None if task.only is None else task.nation
            return [_decision(task.seats[0], "invest", about, task.serial)]
        case AwaitBid():
            return [_decision(task.seats[0], "bid", task.nation, task.serial)]
        case InvestorSteps() | Settle() | InvestRound() | SettleRound() | EndTurn():
            return []
        case _:
            assert_never(task)


def _decision(seat: Seat, kind: str, about: str | None, serial: int) -> Decision:
    return Decision(seat=seat, kind=kind, about=about, serial=serial)


def _holder(state: State, nation: Nation) -> Seat:
    seat = state.government[nation]
    assert seat is not None, f"{nation} has no government to ask"
    return seat


def _ask(course: Course, task: AwaitTurn | AwaitForce | Maneuver | AwaitBattle | AwaitInvest | AwaitBid) -> bool:
    """Put the task back, as a question with its own number."""
    course.first(replace(task, serial=course.number()) if not task.serial else task)
    return False


def _next_investor(course: Course, task: AwaitInvest) -> bool:
    """Ask the first of those who may buy; who could buy nothing is passed over."""
    if not task.seats:
        return True
    if investor.can_buy(course, task.seats[0], task.only):
        return _ask(course, task)
    course.happen(ev.NothingBought(seat=task.seats[0], why="unaffordable"))
    course.first(replace(task, seats=task.seats[1:], serial=0))
    return True


def _next_bidder(course: Course, task: AwaitBid) -> bool:
    """Ask the first of those who can afford a bond of the nation; after the last, the next nation."""
    if not task.seats:
        bidding.end_bidding(course, task)
        return True
    if any(investor.purchases_in(course, task.seats[0], task.nation)):
        return _ask(course, task)
    course.happen(ev.NothingBought(seat=task.seats[0], why="unaffordable"))
    course.first(replace(task, seats=task.seats[1:], serial=0))
    return True


# -- which question an order answers ---


def _awaited(mine: Sequence[Decision], kind: str, seat: Seat) -> tuple[Decision, ...]:
    decisions = tuple(d for d in mine if d.kind == kind)
    if not decisions:
        raise Illegal("order.not_awaited", seat=seat)
    return decisions


def _address_battle(
    state: State, seat: Seat, order: od.Fight | od.Peace, mine: Sequence[Decision]
) -> tuple[Decision, ...]:
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
        raise Illegal("order.not_awaited", seat=seat, nation=nation)
    return named


# -- answers to the smaller questions ---


def _give(course: Course, seat: Seat, gift: od.Give) -> None:
    cash = course.state.cash[seat]
    if gift.amount < 1:
        raise Illegal("gift.nothing", nation=gift.nation)
    if gift.amount > cash:
        raise Illegal("cash.short", needs=gift.amount, has=cash, seat=seat)
    course.happen(ev.GiftGiven(seat=seat, nation=gift.nation, amount=gift.amount))


def _take_rest(course: Course, task: Maneuver, order: od.Order) -> None:
    """More lines for the units that have not moved."""
    assert isinstance(order, od.Turn), "only a turn answers for a nation"
    if not isinstance(order.work, od.Move):
        raise Illegal("order.incomplete", space="maneuver", nation=task.nation)
    go_on = maneuver.plan(replace(task, serial=0), order.work)
    trial = Course(course.board, course.edition, course.state, strict=True)
    trial.agenda[:] = [replace(go_on, destroy=maneuver.plan(replace(task, destroy=()), order.work).destroy)]
    maneuver.rehearse(trial)
    course.agenda[0] = go_on


def _take_force(course: Course, task: AwaitForce, answer: Answer[od.Order]) -> None:
    course.agenda.pop(0)
    if isinstance(answer.order, od.Force):
        force_stop(course, task, answer.seat)
    else:
        let_pass(course, task, answer.seat)


def _take_battle(course: Course, task: AwaitBattle, answer: Answer[od.Order]) -> None:
    assert answer.decision is not None, "a battle is answered only when it is asked"
    nation = Nation(answer.decision.about or "")
    if not isinstance(answer.order, od.Fight):
        battle.reply(course, task, nation, Reply(pairs=0))
        return
    battle.check_fight(course, task, nation, answer.order)
    pairs = -1 if answer.order.pairs is None else answer.order.pairs
    battle.reply(course, task, nation, Reply(pairs=pairs, unit=answer.order.unit))
    if answer.order.pairs is None:
        battle.fight_every(course, task, nation, answer.order.unit)


def _take_invest(course: Course, task: AwaitInvest, answer: Answer[od.Order]) -> None:
    """The first choice that is possible is bought; when none is, the first one's reason is told."""
    assert isinstance(answer.order, od.Invest), "only investing answers for a seat"
    seat, choices = answer.seat, answer.order.choices
    refusals = [investor.refusal(course, seat, choice, task.only) for choice in choices]
    possible = [choice for choice, refusal in zip(choices, refusals, strict=True) if refusal is None]
    if refusals and not possible and not answer.order.else_none:
        assert refusals[0] is not None, "nothing is possible"
        raise refusals[0]
    course.agenda[0] = replace(task, seats=task.seats[1:], serial=0)
    if possible:
        investor.buy(course, seat, possible[0])
    else:
        course.happen(ev.NothingBought(seat=seat, why="choice"))


def _take_bid(course: Course, task: AwaitBid, answer: Answer[od.Order]) -> None:
    """One bond of the nation that is bid for, or none (R24)."""
    assert isinstance(answer.order, od.Bid), "only a bid answers a bid"
    seat, price = answer.seat, answer.order.price
    if price is not None:
        bond = od.Purchase(nation=task.nation, price=price)
        refusal = investor.refusal(course, seat, bond)
        if refusal:
            raise refusal
        investor.buy(course, seat, bond)
    else:
        course.happen(ev.NothingBought(seat=seat, why="choice"))
    course.agenda[0] = replace(task, seats=task.seats[1:], serial=0)


def _check_lots(setup: str, lots: Mapping[str, Sequence[tuple[str, str]]]) -> None:
    """Flag cards are dealt in the standard set-up, a first chooser is drawn in the other."""
    known = "first" if setup == "experienced" else "flags"
    for word in lots:
        if word != known:
            raise ValueError(f"{word}: the {setup} set-up has {known}")
