"""A nation's turn: the marker moves, the space acts, Investor follows when passed (pp. 6, 11)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final, assert_never

from msgspec.structs import replace

from pbem.core.refusal import Illegal
from pbem.core.seat import Seat
from pbem.games.imperial.notation.write import write
from pbem.games.imperial.rules import events as ev
from pbem.games.imperial.rules import maneuver
from pbem.games.imperial.rules.economy import build, import_units, produce, tax
from pbem.games.imperial.rules.investor import check_covered, is_covered, pay_interest, total_interest
from pbem.games.imperial.rules.lateness import fee_paid
from pbem.games.imperial.rules.orders import Build, Buy, Move, Produce, Turn, Work
from pbem.games.imperial.rules.places import SPACES, Nation
from pbem.games.imperial.rules.position import clockwise
from pbem.games.imperial.rules.resolution import Resolution
from pbem.games.imperial.rules.state import AwaitForce, EndTurn, InvestorSteps, InvestRound, Task

_STEPS: Final[Mapping[str | None, Mapping[str, int]]] = {
    None: dict.fromkeys(SPACES, 0),
    **{
        before: {space: (there - here - 1) % len(SPACES) + 1 for there, space in enumerate(SPACES)}
        for here, before in enumerate(SPACES)
    },
}
NEAR: Final[Mapping[str | None, Sequence[tuple[str, ...]]]] = {  # by how far one may go
    before: [tuple(space for space in SPACES if steps[space] <= most) for most in range(len(SPACES) + 1)]
    for before, steps in _STEPS.items()
}
# The spaces behind Investor; the first placement passes nothing (R7).
_PASSES: Final[Mapping[str | None, frozenset[str]]] = {
    before: frozenset(space for space in SPACES if 0 < steps["investor"] < steps[space])
    for before, steps in _STEPS.items()
}
NEEDS_WORK = ("factory", "import", "maneuver_1", "maneuver_2")
TWICE = ("production", "maneuver")  # spaces that stand on the rondel twice


def begin_turn(resolution: Resolution, nation: Nation, turn: Turn) -> None:
    """The government's order is in: first the Swiss Banks, if it would pass them."""
    space = which_space(resolution, nation, turn.space)
    if turn.space != space or turn.nation != nation:
        turn = replace(turn, nation=nation, space=space)
    check_space(resolution, nation, turn.space)
    check_work(turn)
    banks = who_may_force(resolution, nation, turn.space)
    if banks:
        _act(resolution.fork(), nation, turn.space, turn.work, whole=True)
        resolution.first(AwaitForce(turn=turn, nation=nation, seats=banks))
        return
    take_space(resolution, nation, turn, whole=True)


def take_space(resolution: Resolution, nation: Nation, turn: Turn, *, whole: bool = False) -> None:
    """Pay for the way, act, and put Investor's later steps on the agenda when it was passed or taken.

    `whole`: a turn plays whole or not at all. One that waited for the Swiss Banks has been tried before.
    """
    before = resolution.state.rondel[nation]
    _move_marker(resolution, nation, turn.space)
    resolution.first(*_afterwards(resolution, nation, before, turn.space))
    _act(resolution, nation, turn.space, turn.work, whole=whole)


def foresee(resolution: Resolution, nation: Nation, space: str) -> list[ev.Event]:
    """What taking the space would do by itself, without anything that has to be ordered there."""
    trial = Resolution(resolution.board, resolution.edition, resolution.state)
    _move_marker(trial, nation, space)
    _act(trial, nation, space, None, whole=False)
    return trial.events


def _move_marker(resolution: Resolution, nation: Nation, space: str) -> None:
    before = resolution.state.rondel[nation]
    seat, price = government(resolution, nation), price_of(resolution, before, space)
    resolution.emit(ev.MarkerMoved(nation=nation, seat=seat, space=space, before=before, paid=price))


def _afterwards(resolution: Resolution, nation: Nation, before: str | None, space: str) -> list[Task]:
    """What follows the space's own action: Investor's later steps, or the round that replaces the card (R23)."""
    if not resolution.edition.options.investor_card:
        start = government(resolution, nation)
        return [InvestRound(nation=nation, only=nation, start=start), EndTurn(nation=nation, start=start)]
    if space == "investor" or passes_investor(before, space):
        return [InvestorSteps(nation=nation), EndTurn(nation=nation)]
    return [EndTurn(nation=nation)]


def _act(resolution: Resolution, nation: Nation, space: str, work: Work | None, *, whole: bool) -> None:
    if space == "investor":
        pay_interest(resolution, nation)
    elif space == "taxation":
        tax(resolution, nation)
    else:
        _do_work(resolution, nation, space, work, whole=whole)


def _do_work(resolution: Resolution, nation: Nation, space: str, work: Work | None, *, whole: bool) -> None:
    match work:
        case None if space in NEEDS_WORK:
            resolution.emit(ev.NothingDone(nation=nation, space=space))
        case None:
            produce(resolution, nation, None)
        case Move():
            if whole:
                maneuver.begin_whole(resolution, nation, work)
            else:
                maneuver.begin(resolution, nation, work)
        case Build():
            build(resolution, nation, work)
        case Buy():
            import_units(resolution, nation, work)
        case Produce():
            produce(resolution, nation, work)
        case _:
            assert_never(work)


# -- the rondel ---


def distance(before: str | None, space: str) -> int:
    """Spaces clockwise, 8 for staying in place; 0 for the first placement."""
    return _STEPS[before][space]


def price_of(resolution: Resolution, before: str | None, space: str) -> int:
    """What the government pays for the way, in millions."""
    rondel = resolution.edition.rondel
    extra = _STEPS[before][space] - rondel.free
    return extra * rondel.price if extra > 0 else 0


def passes_investor(before: str | None, space: str) -> bool:
    """Does the marker move over Investor?"""
    return space in _PASSES[before]


def which_space(resolution: Resolution, nation: Nation, word: str) -> str:
    """The space that is meant: a bare `production` or `maneuver` is the next one ahead."""
    if word not in TWICE:
        return word
    both = [space for space in SPACES if space.startswith(word)]
    before = resolution.state.rondel[nation]
    if before is None:
        raise Illegal("space.ambiguous", space=word, nation=nation, candidates=tuple(both))
    return min(both, key=lambda space: distance(before, space))


def check_space(resolution: Resolution, nation: Nation, space: str) -> None:
    """Raises space.too_far, cash.short or investor.uncovered."""
    before, seat = resolution.state.rondel[nation], government(resolution, nation)
    steps, cash = distance(before, space), resolution.state.cash[seat]
    if steps > resolution.edition.rondel.reach:
        facts = {"space": space, "nation": nation, "before": before, "steps": steps}
        raise Illegal("space.too_far", **facts, most=resolution.edition.rondel.reach)
    price = price_of(resolution, before, space)
    if price > cash:
        way = {"space": space, "steps": steps, "free": _payable(resolution, nation, cash)}
        raise Illegal("cash.short", needs=price, has=cash, seat=seat, **way, **fee_paid(resolution))
    if space == "investor":
        check_covered(resolution, nation, seat, cash - price)


def _payable(resolution: Resolution, nation: Nation, cash: int) -> tuple[str, ...]:
    """The spaces whose way this cash pays for, the nearest first."""
    before = resolution.state.rondel[nation]
    near = sorted(SPACES, key=lambda space: distance(before, space))
    paid = (space for space in near if price_of(resolution, before, space) <= cash)
    seat = government(resolution, nation)
    return tuple(space for space in paid if space != "investor" or is_covered(resolution, nation, seat, cash))


def check_work(turn: Turn) -> None:
    if turn.work is None and turn.space in NEEDS_WORK:
        raise Illegal("order.incomplete", space=turn.space.rstrip("_12"), nation=turn.nation)


def government(resolution: Resolution, nation: Nation) -> Seat:
    seat = resolution.state.government[nation]
    assert seat is not None, "a vacant nation does not move"
    return seat


# -- the forced stop (R4) ---


def who_may_force(resolution: Resolution, nation: Nation, space: str) -> tuple[Seat, ...]:
    """The Swiss Banks that are asked: the nation would pass, and its treasury can pay all interest."""
    options, state = resolution.edition.options, resolution.state
    if (
        not state.swiss
        or not (options.force_stop and options.investor_card)
        or not passes_investor(state.rondel[nation], space)
    ):
        return ()
    if state.treasury[nation] < total_interest(resolution, nation):
        return ()
    return tuple(seat for seat in clockwise(state, government(resolution, nation)) if seat in state.swiss)


def force_stop(resolution: Resolution, task: AwaitForce, seat: Seat) -> None:
    """One Swiss Bank is enough: the nation lands on Investor; what it meant to do is dropped."""
    resolution.emit(ev.StopForced(seat=seat, nation=task.nation, meant=write(task.turn)))
    take_space(resolution, task.nation, Turn(nation=task.nation, space="investor"))


def let_pass(resolution: Resolution, task: AwaitForce, seat: Seat) -> None:
    """The turn goes on when the last Swiss Bank has let it pass."""
    resolution.emit(ev.PassAllowed(seat=seat, nation=task.nation))
    others = tuple(s for s in task.seats if s != seat)
    if others:
        resolution.first(replace(task, seats=others))
    else:
        take_space(resolution, task.nation, task.turn)
