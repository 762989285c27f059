"""What holds at every step of every game, in every rule book, set-up and variant."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from typing import Any, cast

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.core.chance import NoLots
from pbem.core.decision import Answer, Decision
from pbem.core.refusal import Illegal
from pbem.core.seat import Seat, Setup, Sight
from pbem.games.imperial.notation.write import write
from pbem.games.imperial.rules import events as ev
from pbem.games.imperial.rules import orders as od
from pbem.games.imperial.rules.position import clockwise, credit_of, flags_of, governed_by, units_of
from pbem.games.imperial.rules.state import AwaitBattle, Reply, State
from pbem.host.commands.table import COMMANDS
from pbem.host.play.executor import hear
from pbem.host.play.results import Submission
from pbem.host.session.position import Position
from pbem.host.session.record import Notebook
from pbem.host.session.session import LoadedGame, Session
from pbem.host.session.terms import Terms
from pbem.language.parser import Parser
from tests.rules import reckoner
from tests.rules.tables import NAMES, SECRET, Match, Step, encoded, examples, fitting, matches, opened, play, wild

BANK = "bank"
ANSWERS = {
    "turn": od.Turn,
    "invest": od.Invest,
    "bid": od.Bid,
    "battle": od.Fight | od.Peace,
    "swiss": od.Force | od.LetPass,
}


@examples(8)
@given(match=matches())
def test_every_step_of_every_game(match: Match) -> None:
    steps = [*play(match)]
    for step in steps:
        for check in ALWAYS:
            check(step)
    check_investor_steps(match, steps)


# -- money ---


def transfers(event: ev.Event, state: State) -> Iterator[tuple[str, str, int]]:
    """What an event moves, as a bookkeeper would enter it: from whom, to whom, how much."""
    match event:
        case ev.Seated():
            yield from ((BANK, seat, event.money) for seat in event.seats)
        case ev.MarkerMoved():
            yield event.seat, BANK, event.paid
        case ev.FactoryBuilt() | ev.UnitsImported():
            yield event.nation, BANK, event.paid
        case ev.Taxed():
            yield BANK, event.seat, event.bonus
        case ev.LateFeePaid():
            yield event.seat, BANK, event.amount
        case ev.TaxCollected():
            yield BANK, event.nation, event.amount
        case ev.CardBonusPaid():
            yield BANK, event.seat, event.amount
        case ev.GiftGiven():
            yield event.seat, event.nation, event.amount
        case ev.InterestPaid():
            yield str(state.government[event.nation]), event.seat, event.by_government
            yield event.nation, event.seat, event.paid - event.by_government
        case ev.BondBought():
            yield event.seat, event.nation, event.paid
        case ev.CompensationPaid():
            yield event.seat, event.to, event.amount
        case _:
            return


def check_money(step: Step) -> None:
    """Money only moves: from purse to purse, or over the bank's counter."""
    purses: dict[str, int] = {**step.before.cash, **step.before.treasury, BANK: 0}
    for state, event, following in step.walk():
        for payer, payee, amount in transfers(event, state):
            assert amount >= 0, event
            purses[payer] -= amount
            purses[payee] += amount
        held = {**following.cash, **following.treasury}
        assert held == {purse: purses[purse] for purse in held}, event
        assert min(held.values()) >= 0, event
    assert sum(purses.values()) == sum(step.before.cash.values()) + sum(step.before.treasury.values())


@pytest.mark.parametrize("players", [2, 3, 4, 5, 6])
def test_money_at_the_opening(players: int) -> None:
    match = Match(players=players)
    state = opened(match)
    assert sum((*state.cash.values(), *state.treasury.values())) == players * match.game.edition.starting_money[players]


# -- what lies on the board ---


def check_stacks(step: Step) -> None:
    state = step.after
    stacks = [*state.armies.values(), *state.friendly.values(), *state.fleets.values()]
    assert all(stack and min(stack.values()) > 0 for stack in stacks)


def check_supplies(step: Step) -> None:
    board, edition, state = step.game.board, step.game.edition, step.after
    for nation in board.nations:
        assert all(
            units_of(state, nation, unit) <= board.supply[nation][unit] for unit in cast("Any", ("army", "fleet"))
        )
        assert flags_of(state, nation) <= edition.options.flags
        assert 0 <= state.power[nation] <= edition.power.end
        assert edition.taxes.lowest <= state.tax[nation] <= edition.taxes.highest
        assert all(price in edition.bonds for price in state.bonds[nation])


def check_places(step: Step) -> None:
    """Everything stands where it may, and each nation keeps a factory that nobody occupies (R12)."""
    board, state = step.game.board, step.after
    assert all(board.places[region].kind in ("home", "land") for region in (*state.armies, *state.friendly))
    assert all(board.is_foreign(region, nation) for region in state.friendly for nation in state.friendly[region])
    for region, stack in state.fleets.items():
        assert board.is_sea(region) or [*stack] == [board.places[region].nation]
    assert all(region in board.free_regions for region in state.flags)
    document = step.game.view(state, Sight.ALL)
    for nation in board.nations:
        assert any(r in state.factories and not reckoner.hostile_in(document, r) for r in board.homes[nation])


# -- who governs ---


def check_governments(step: Step) -> None:
    """A government has lent; when the changes of government are over, nobody has lent more (R6)."""
    state = step.after
    for nation, seat in state.government.items():
        assert seat is None or credit_of(state, nation, seat) > 0
    if not {d.kind for d in step.game.pending(state)} & {"invest", "bid"}:
        for nation, seat in state.government.items():
            assert max(credit_of(state, nation, other) for other in state.seats) == (
                credit_of(state, nation, seat) if seat else 0
            )


def check_changes_of_government(step: Step) -> None:
    """The changes between two positions are those that the rule book reckons from the first of them."""
    if step.game.edition.options.challenger_tie != "card_order":
        return
    for state, event, following in step.walk():
        if isinstance(event, ev.CardMoved) and state.investor is not None:
            settled = reckoner.governments(
                step.game.view(unsettled(step, state), Sight.ALL), clockwise(state, state.investor)
            )
            assert dict(following.government) == settled


def unsettled(step: Step, state: State) -> State:
    """The position with the governments as they were before this answer: bonds are bought before they change."""
    return msgspec.structs.replace(state, government=step.before.government)


def check_swiss_banks(step: Step) -> None:
    state, options = step.after, step.game.edition.options
    if not options.swiss_bank and options.investor_card:
        assert not state.swiss
    elif not {d.kind for d in step.game.pending(state)} & {"invest", "bid"}:
        assert state.swiss == {seat for seat in state.seats if not governed_by(state, seat)}


def check_investor_steps(match: Match, steps: Sequence[Step]) -> None:
    """The card's two millions are paid once in a turn that lands on Investor or passes it, and never else (R7, R23)."""
    marker: ev.MarkerMoved | None = None
    paid = 0
    for step in steps:
        for event in step.events:
            if isinstance(event, ev.TurnBegan | ev.GameEnded):
                ended = isinstance(event, ev.GameEnded)
                _check_turn(match, marker, paid, ended=ended)
                marker, paid = None, 0
            elif isinstance(event, ev.MarkerMoved):
                marker = event
            elif isinstance(event, ev.CardBonusPaid):
                paid += 1


def _check_turn(match: Match, marker: ev.MarkerMoved | None, paid: int, *, ended: bool) -> None:
    touched = marker is not None and reckoner.touches_investor(marker.before, marker.space)
    assert paid == (touched and not ended and match.game.edition.options.investor_card), marker


# -- questions and orders ---


def check_order_is_written(step: Step) -> None:
    if step.decision is not None:
        step.game.check(step.before, answer(step.decision, step.order))
    if not isinstance(step.order, od.Skip):
        assert write(step.order)


def check_somebody_is_awaited(step: Step) -> None:
    pending = step.game.pending(step.after)
    assert bool(pending) != step.game.finished(step.after)
    assert {decision.kind for decision in pending} <= {*ANSWERS}
    assert len({decision.kind for decision in pending}) <= 1
    assert [*pending] == sorted(pending, key=lambda d: (d.seat, d.kind, d.about or ""))


def check_document(step: Step) -> None:
    """The shape that docs/reference/state-document.md promises, and that it is JSON with sorted lists."""
    document = cast("Any", step.game.view(step.after, Sight.ALL))
    assert msgspec.json.decode(msgspec.json.encode(document)) == document
    assert {*document} == DOCUMENT_KEYS
    assert document["finished"] == (document["winners"] is not None) == (document["scores"] is not None)
    assert [*document["nations"]] == reckoner.TURN_ORDER
    for facts in document["nations"].values():
        assert {*facts} == NATION_KEYS
        assert facts["factories"] == sorted(facts["factories"])
        assert facts["flags"] == sorted(facts["flags"])
        assert all(facts["armies"][r] >= count > 0 for r, count in facts["friendly_armies"].items())
        assert all(count > 0 for kind in ("armies", "fleets") for count in facts[kind].values())
    for facts in document["players"].values():
        assert {*facts} == {"cash", "bonds", "swiss_bank"}
        assert all(prices == sorted(prices) and prices for prices in facts["bonds"].values())


DOCUMENT_KEYS = {
    *("game", "edition", "board", "round", "nation", "awaiting", "investor", "finished", "scores", "winners"),
    *("nations", "players"),
}
NATION_KEYS = {
    *("government", "treasury", "power", "tax", "rondel", "factories", "flags"),
    *("armies", "friendly_armies", "fleets"),
}

ALWAYS: Sequence[Callable[[Step], None]] = (
    check_money,
    check_stacks,
    check_supplies,
    check_places,
    check_governments,
    check_changes_of_government,
    check_swiss_banks,
    check_order_is_written,
    check_somebody_is_awaited,
    check_document,
)


# -- refusals, fallbacks, orders out of nowhere ---


def answer(decision: Decision | None, order: od.Order, seat: Any = None) -> Answer[od.Order]:
    return Answer(seat=seat or (decision.seat if decision else None), order=order, decision=decision)


@examples(7)
@given(match=matches())
def test_no_order_hurts_the_table(match: Match) -> None:
    """Whatever is ordered is addressed and resolved, or refused with a code; the position is never touched."""
    rng, game = random.Random(match.seed), match.game
    for step in play(match, 80):
        state, before = step.before, encoded(step.before)
        for _ in range(3):
            seat, order = rng.choice(state.seats), wild(game, state, rng)
            try:
                decisions = game.address(state, seat, order)
                answers = [answer(d, order, seat) for d in decisions] or [answer(None, order, seat)]
                events = game.resolve(state, answers, NoLots()).events
            except Illegal as refusal:
                assert refusal.code
            else:
                assert events or isinstance(order, od.Peace | od.Fight)
                for one in answers:
                    game.check(state, one)
        assert encoded(state) == before


@examples(6)
@given(match=matches())
def test_a_refused_letter_changes_no_position(match: Match) -> None:
    """Through the session: papers may change, the position and the log do not, byte for byte."""
    rng, game, record = random.Random(match.seed), match.game, Notebook()
    reader = Parser(game.notation, COMMANDS, match.setup.seats)
    for step in play(match, 60):
        session = Session(
            lambda _: LoadedGame(game, reader, Terms(setup=match.setup)), reader, record, Position(state=step.before)
        )
        order = rng.choice(
            [wild(game, step.before, rng), fitting(game, step.before, game.pending(step.before)[0], rng)]
        )
        seat, before = rng.choice(step.before.seats), encoded(step.before)
        verdicts = hear(session, seat, write(order).splitlines(), Submission(at=0))
        if not any(verdict.outcome == "played" for verdict in verdicts):
            assert encoded(session.state) == before
            assert not session.steps
        for paper in record.filed():
            record.discard(paper)


@examples(7)
@given(match=matches())
def test_fallbacks_are_legal(match: Match) -> None:
    """Silence, and whatever a writer left behind, always answers the question."""
    rng, game = random.Random(match.seed), match.game
    for step in play(match, 60):
        for decision in game.pending(step.before):
            drafts = [fitting(game, step.before, decision, rng), wild(game, step.before, rng)]
            for written in ([], *([draft] for draft in drafts if may_be_on_file(game, step.before, decision, draft))):
                order = game.lapse(step.before, decision, written).order
                game.resolve(step.before, [answer(decision, order)], NoLots())
                assert game.lapse(step.before, decision, [order]).order == order


@pytest.mark.parametrize("price", ["ledger", "fee", "bonus"])
@examples(5)
@given(match=matches(), late=st.integers(1, 9))
def test_whoever_is_late_can_pay_and_is_still_answered_for(price: str, match: Match, late: int) -> None:
    match = msgspec.structs.replace(match, options=(*match.options, ("lateness", price)))
    rng, game = random.Random(match.seed), match.game
    for step in play(match, 60):
        for decision in game.pending(step.before):
            draft = fitting(game, step.before, decision, rng)
            order = game.lapse(step.before, decision, [draft], late).order
            late_answer = msgspec.structs.replace(answer(decision, order), late=late)
            resolved = game.resolve(step.before, [late_answer], NoLots())
            check_money(Step(game, step.before, decision, order, [*resolved.events], resolved.state))
            priced = [event for event in resolved.events if isinstance(event, ev.LateFeePaid | ev.TurnDelayed)]
            assert bool(priced) <= (decision.kind == "turn" and price != "ledger")


def fold(game: Any, state: State, events: Sequence[ev.Event]) -> State:
    for event in events:
        state = game.apply(state, event)
    return state


def may_be_on_file(game: Any, state: State, decision: Decision, draft: od.Order) -> bool:
    """An order is kept as a draft only when it is one for a question that is open."""
    try:
        return isinstance(draft, ANSWERS[decision.kind]) and decision in game.address(state, decision.seat, draft)
    except Illegal:
        return False


@examples(7)
@given(match=matches())
def test_legal_parts_are_legal(match: Match) -> None:
    """What is kept of a turn either plays, or lacks a word that the clock adds."""
    rng, game = random.Random(match.seed), match.game
    for step in play(match, 60):
        if step.decision is None or step.decision.kind != "turn":
            continue
        part = game.files.legal_part(step.before, answer(step.decision, fitting(game, step.before, step.decision, rng)))
        try:
            if part is not None:
                game.check(step.before, answer(step.decision, part))
        except Illegal as refusal:
            assert refusal.code in ("order.incomplete", "status.missing")


# -- what a seat may see ---


@examples(7)
@given(match=matches(options=SECRET))
def test_a_view_does_not_depend_on_what_others_keep_secret(match: Match) -> None:
    """Neither on their cash nor on what they have answered to a battle question."""
    game = match.game
    for step in play(match, 60):
        if game.finished(step.after):
            continue
        for seat in (*step.after.seats, None):
            assert game.view(step.after, seat) == game.view(others_secrets_changed(step.after, seat), seat)
            players = cast("Any", game.view(step.after, seat)["players"])
            assert all((players[s]["cash"] is None) == (s != seat) for s in step.after.seats)


def others_secrets_changed(state: State, seat: Seat | None) -> State:
    cash = {s: amount if s == seat else amount + 7 for s, amount in state.cash.items()}
    agenda = tuple(_other_replies(state, task, seat) for task in state.agenda)
    return msgspec.structs.replace(state, cash=cash, agenda=agenda)


def _other_replies(state: State, task: Any, seat: Seat | None) -> Any:
    if not isinstance(task, AwaitBattle):
        return task
    replies = {n: r if state.government[n] == seat else Reply(pairs=1 - abs(r.pairs)) for n, r in task.replies.items()}
    return msgspec.structs.replace(task, replies=replies)


def test_own_cash_is_seen() -> None:
    match = Match(options=SECRET)
    state = opened(match)
    richer = msgspec.structs.replace(state, cash={**state.cash, state.seats[0]: 99})
    assert match.game.view(state, state.seats[0]) != match.game.view(richer, state.seats[0])


@pytest.mark.parametrize("players", [1, 7])
def test_two_to_six_players(players: int) -> None:
    seats = tuple(Seat(name) for name in (*NAMES, "gerda")[:players])
    with pytest.raises(ValueError, match="2 to 6"):
        Match().game.blank(Setup(seats=seats))
