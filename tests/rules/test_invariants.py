"""What holds at every step of every game; the seeds are fixed, so that a failure comes again."""

from __future__ import annotations

import random
from typing import Any, cast

import pytest

from pbem.rules.imperial import events as ev
from pbem.rules.imperial import orders as od
from pbem.rules.imperial.state import State
from pbem.rules.imperial.writing import write
from pbem.table.chance import NoLots
from pbem.table.decision import Answer, Decision
from pbem.table.refusal import Illegal
from tests.rules.tables import NAMES, Step, encoded, opened, play, setup, table, wild

GAMES = [(seed, 2 + seed % 5) for seed in range(10)]
STEPS = 250
UNITS = ("army", "fleet")
ANSWERS = {
    "turn": od.Turn,
    "invest": od.Invest,
    "battle": od.Fight | od.Peace,
    "swiss": od.Force | od.LetPass,
}


@pytest.fixture(params=GAMES, ids=lambda game: f"seed{game[0]}-{game[1]}players", scope="module")
def steps(request: pytest.FixtureRequest) -> list[Step]:
    seed, players = request.param
    return [*play(seed, players, most=STEPS)]


def money(state: State) -> int:
    return sum(state.cash.values()) + sum(state.treasury.values())


def from_bank(event: ev.Event) -> int:
    """What an event brings out of the bank; less than nothing when the bank is paid."""
    match event:
        case ev.MarkerMoved() | ev.FactoryBuilt() | ev.UnitsImported():
            return -event.paid
        case ev.Taxed():
            return event.bonus
        case ev.TaxCollected() | ev.CardBonusPaid():
            return event.amount
        case ev.Seated():
            return event.money * len(event.seats)
        case _:
            return 0


def test_money_is_conserved(steps: list[Step]) -> None:
    for step in steps:
        assert money(step.after) - money(step.before) == sum(map(from_bank, step.events)), step.events


@pytest.mark.parametrize("players", [2, 3, 4, 5, 6])
def test_money_is_conserved_at_the_opening(players: int) -> None:
    game = table(players)
    assert money(opened(game, players, 1)) == game.edition.starting_money[players] * players


def test_nothing_is_less_than_nothing(steps: list[Step]) -> None:
    for state in [step.after for step in steps]:
        assert min(state.cash.values()) >= 0
        assert min(state.treasury.values()) >= 0
        stacks = [*state.armies.values(), *state.friendly.values(), *state.fleets.values()]
        assert all(count > 0 for stack in stacks for count in stack.values())
        assert all(stack for stack in stacks)


def test_supplies_hold(steps: list[Step]) -> None:
    board, edition = table(2).board, table(2).edition
    for state in [step.after for step in steps]:
        for nation in board.nations:
            assert all(state.units(nation, unit) <= board.supply[nation][unit] for unit in cast("Any", UNITS))
            assert state.flags_of(nation) <= edition.options.flags
            assert state.power[nation] <= edition.power_end
            assert edition.lowest_tax <= state.tax[nation] <= edition.highest_tax
            assert any(region in state.factories for region in board.homes[nation])


def test_everything_stands_where_it_may(steps: list[Step]) -> None:
    board = table(2).board
    for state in [step.after for step in steps]:
        assert all(board.places[region].kind in ("home", "land") for region in (*state.armies, *state.friendly))
        assert all(board.is_foreign(region, nation) for region in state.friendly for nation in state.friendly[region])
        for region, stack in state.fleets.items():
            assert board.is_sea(region) or [*stack] == [board.places[region].nation]
        assert all(region in board.free_regions for region in state.flags)
        for nation in board.nations:
            assert any(
                region in state.factories and not occupied(state, board, region) for region in board.homes[nation]
            )


def occupied(state: State, board: Any, region: Any) -> bool:
    return any(nation != board.places[region].nation for nation in state.armies.get(region, ()))


def test_governments_and_banks(steps: list[Step]) -> None:
    """A government has lent; at rest nobody has lent more; a Swiss Bank is for those who govern nothing."""
    for step in steps:
        state = step.after
        for nation, seat in state.government.items():
            lent = {other: state.credit(nation, other) for other in state.seats}
            assert seat is None or lent[seat] > 0
            if step.decision.kind == "invest" and not any(d.kind == "invest" for d in table(2).pending(state)):
                assert max(lent.values()) == (lent[seat] if seat else 0)
                assert {s for s in state.seats if not state.governed_by(s)} == state.swiss
        assert not any(state.governed_by(seat) for seat in state.swiss) or state.agenda


def test_orders_of_bots_are_written_and_checked(steps: list[Step]) -> None:
    for step in steps:
        game = table(len(step.before.seats))
        game.check(step.before, answer(step.decision, step.order))
        if not isinstance(step.order, od.Skip):
            assert write(step.order)


def test_somebody_is_awaited_until_the_end(steps: list[Step]) -> None:
    game = table(2)
    for step in steps:
        assert bool(game.pending(step.after)) != game.finished(step.after)
        for decision in game.pending(step.after):
            assert decision.kind in ("turn", "battle", "invest", "swiss")


# -- refusals, fallbacks, orders out of nowhere ---


def answer(decision: Decision | None, order: od.Order, seat: Any = None) -> Answer[od.Order]:
    return Answer(seat=seat or (decision.seat if decision else None), order=order, decision=decision)


@pytest.mark.parametrize(("seed", "players"), GAMES)
def test_no_order_hurts_the_table(seed: int, players: int) -> None:
    """Whatever is ordered is addressed and resolved, or refused with a code; the position is never touched."""
    rng, game, refused, played = random.Random(seed), table(players), 0, 0
    for step in play(seed, players, most=STEPS):
        state, before = step.before, encoded(step.before)
        for _ in range(5):
            seat = rng.choice([step.decision.seat, rng.choice(state.seats)])
            order = wild(game, state, rng)
            try:
                decisions = game.address(state, seat, order)
                answers = [answer(d, order, seat) for d in decisions] or [answer(None, order, seat)]
                events = game.resolve(state, answers, NoLots())
            except Illegal as refusal:
                assert refusal.code
                refused += 1
            else:
                played += 1
                assert events or isinstance(order, od.Peace | od.Fight)
                for one in answers:
                    game.check(state, one)
        assert encoded(state) == before
    assert refused
    assert played


@pytest.mark.parametrize(("seed", "players"), GAMES)
def test_fallbacks_are_legal(seed: int, players: int) -> None:
    """Silence, and whatever a writer left behind, always answers the question."""
    rng, game = random.Random(seed), table(players)
    for step in play(seed, players, most=STEPS):
        for decision in game.pending(step.before):
            drafts = [wild(game, step.before, rng) for _ in range(4)]
            for written in (None, *(draft for draft in drafts if isinstance(draft, ANSWERS[decision.kind]))):
                order = game.fallback(step.before, decision, written)
                game.resolve(step.before, [answer(decision, order)], NoLots())


@pytest.mark.parametrize(("seed", "players"), GAMES)
def test_legal_parts_are_legal(seed: int, players: int) -> None:
    """What is kept of a turn either plays, or lacks a word that the clock adds."""
    rng, game = random.Random(seed), table(players)
    for step in play(seed, players, most=STEPS):
        order = wild(game, step.before, rng)
        if step.decision.kind != "turn" or not isinstance(order, od.Turn):
            continue
        part = game.legal_part(step.before, answer(step.decision, order))
        try:
            if part is not None:
                game.check(step.before, answer(step.decision, part))
        except Illegal as refusal:
            assert refusal.code in ("order.incomplete", "status.missing")


# -- what a seat may see ---


def test_secret_cash_is_seen_by_its_owner_only() -> None:
    game = table(4, cash="secret")
    for step in play(3, 4, most=60, cash="secret"):
        for seat in (*step.after.seats, None):
            players = cast("Any", game.view(step.after, seat)["players"])
            assert all((players[s]["cash"] is None) == (s != seat) for s in step.after.seats)


def test_views_differ_only_in_what_the_seat_may_see() -> None:
    import msgspec

    game = table(4, cash="secret")
    state = opened(game, 4, 1)
    richer = msgspec.structs.replace(state, cash={**state.cash, state.seats[0]: 99})
    for seat in state.seats[1:]:
        assert game.view(state, seat) == game.view(richer, seat)
    assert game.view(state, state.seats[0]) != game.view(richer, state.seats[0])


@pytest.mark.parametrize("players", [1, 7])
def test_two_to_six_players(players: int) -> None:
    with pytest.raises(ValueError, match="2 to 6"):
        table(2).blank(setup(players) if players < 7 else sevens())


def sevens() -> Any:
    from pbem.table.seat import Seat, Setup

    return Setup(seats=tuple(Seat(name) for name in (*NAMES, "gerda")))
