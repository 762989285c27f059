"""Games that bots play, step by step."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import msgspec
from msgspec import Struct

from pbem.adapters.editions import imperial
from pbem.language.reader import Reader
from pbem.rules.imperial import events as ev
from pbem.rules.imperial import orders as od
from pbem.rules.imperial.board import SPACES
from pbem.rules.imperial.bots import BOTS
from pbem.rules.imperial.game import Imperial
from pbem.rules.imperial.state import State
from pbem.service.record import Notebook
from pbem.service.referee import Position, Referee
from pbem.table.chance import Lots, NoLots
from pbem.table.decision import Answer, Decision
from pbem.table.seat import Seat, Setup

Pick = Callable[[int], int]
NAMES = ("anton", "bert", "claudia", "daniel", "emil", "fritz")


class Step(Struct, frozen=True):
    """One answer of a game: the position it was given in, and what happened."""

    before: State
    decision: Decision
    order: od.Order
    events: Sequence[ev.Event]
    after: State


def table(players: int, **options: str) -> Imperial:
    return imperial(setup(players, **options))


def setup(players: int, **options: str) -> Setup:
    return Setup(seats=tuple(Seat(name) for name in NAMES[:players]), options=options)


def opened(game: Imperial, players: int, seed: int) -> State:
    return after(game, game.blank(setup(players)), game.open(game.blank(setup(players)), Lots(str(seed), "test"), {}))


def after(game: Imperial, state: State, events: Sequence[ev.Event]) -> State:
    for event in events:
        state = game.apply(state, event)
    return state


def play(seed: int, players: int, bot: str = "random", most: int = 100_000, **options: str) -> Iterator[Step]:
    """A game from its opening on; the bots' choices come from the seed."""
    game, rng = table(players, **options), random.Random(seed)
    state = opened(game, players, seed)
    for _ in range(most):
        if game.finished(state):
            return
        waiting = game.pending(state)
        decision = waiting[rng.randrange(len(waiting))]
        order = BOTS[bot](game, state, decision, rng.randrange)
        events = game.resolve(state, [Answer(seat=decision.seat, order=order, decision=decision)], NoLots())
        step = Step(before=state, decision=decision, order=order, events=events, after=after(game, state, events))
        state = step.after
        yield step


def refereed(seed: int, players: int, bot: str, most: int = 100_000) -> tuple[Imperial, Notebook, Referee]:
    """A game played through the referee, with its log."""
    game, rng = table(players), random.Random(seed)
    record = Notebook()
    referee = Referee(
        game, Reader(game.phrases, setup(players).seats), record, Position(state=game.blank(setup(players)))
    )
    referee.open(0, Lots(str(seed), "test"), {})
    for at in range(1, most):
        if game.finished(referee.state):
            break
        decision = referee.pending()[0]
        order = BOTS[bot](game, referee.state, decision, rng.randrange)
        referee.play(decision.seat, order, [decision], at, cause())
    return game, record, referee


def cause() -> Any:
    from pbem.table.log import Cause

    return Cause(kind="letter")


def encoded(state: State) -> bytes:
    return msgspec.json.encode(msgspec.to_builtins(state, str_keys=True, order="sorted"))


# -- orders that nobody should be able to hurt the table with ---


def wild(game: Imperial, state: State, rng: random.Random) -> od.Order:
    """Any order at all, more often than not about what is on the board."""
    kinds = [_wild_turn, _wild_turn, _wild_turn, _wild_invest, _wild_fight, _wild_small]
    return rng.choice(kinds)(game, state, rng)


def _wild_turn(game: Imperial, state: State, rng: random.Random) -> od.Order:
    nation = rng.choice([state.nation, state.nation, None, *game.board.nations])
    space = rng.choice([*SPACES, "production", "maneuver", "maneuver", "maneuver"])
    return od.Turn(nation=nation, space=space, work=_wild_work(game, state, rng, space))


def _wild_work(game: Imperial, state: State, rng: random.Random, space: str) -> od.Work | None:
    region = rng.choice([*game.board.places])
    if space == "factory":
        return rng.choice([None, od.Build(region=None), od.Build(region=region)])
    if space.startswith("production"):
        return rng.choice([None, od.Produce(works=(region, region))])
    if space == "import":
        units = od.Units(count=rng.randrange(4), unit=rng.choice(["army", "fleet"]), region=region)  # type: ignore[arg-type]
        return rng.choice([None, od.Buy(units=(units, units))])
    if space.startswith("maneuver"):
        return od.Move(lines=tuple(_wild_line(game, state, rng) for _ in range(rng.randrange(4))))
    return None


def _wild_line(game: Imperial, state: State, rng: random.Random) -> od.Line | od.Destroy:
    mine = [r for stacks in (state.armies, state.friendly, state.fleets) for r in stacks if state.nation in stacks[r]]
    region = rng.choice([*mine, *mine, *game.board.places])
    near = game.board.beside[region] or (region,)
    if rng.randrange(8) == 0:
        return od.Destroy(region=region)
    attack = rng.choice([None, None, *game.board.nations])
    return od.Line(
        count=rng.choice([0, 1, 1, 1, 2, 3]),
        unit=rng.choice(["army", "fleet"]),  # type: ignore[arg-type]
        region=region,
        leaving=rng.choice([None, None, None, "hostile", "friendly"]),  # type: ignore[arg-type]
        target=rng.choice([None, *near, *near, rng.choice([*game.board.places])]),
        via=rng.choice([None, None, None, (rng.choice([*game.board.places]),)]),
        status=rng.choice([None, "hostile", "friendly"]),  # type: ignore[arg-type]
        attack=attack,
        attack_unit=rng.choice([None, "army", "fleet"]) if attack else None,  # type: ignore[arg-type]
        ask=rng.choice([(), (rng.choice(game.board.nations),)]),
    )


def _wild_invest(game: Imperial, state: State, rng: random.Random) -> od.Order:
    prices = [*game.edition.bonds, 0, 7]
    bonds = [
        od.Purchase(nation=rng.choice(game.board.nations), price=rng.choice(prices), back=rng.choice([None, *prices]))
        for _ in range(rng.randrange(4))
    ]
    return od.Invest(choices=tuple(bonds), else_none=bool(bonds) and rng.random() < 0.2)


def _wild_fight(game: Imperial, state: State, rng: random.Random) -> od.Order:
    return od.Fight(
        pairs=rng.choice([None, 0, 1, 1, 2, 9]),
        unit=rng.choice([None, None, "army", "fleet"]),  # type: ignore[arg-type]
        nation=rng.choice([None, *game.board.nations]),
    )


def _wild_small(game: Imperial, state: State, rng: random.Random) -> od.Order:
    nation = rng.choice(game.board.nations)
    gift = od.Give(nation=nation, amount=rng.randrange(4))
    return rng.choice([od.Peace(), od.Force(), od.LetPass(), gift, od.Bid(), od.StandingFight(), od.StandingForce()])
