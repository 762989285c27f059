"""A nation's turn: the marker moves, the space acts, Investor follows when passed (pp. 6, 11)."""

from __future__ import annotations

from typing import assert_never

from msgspec.structs import replace

from pbem.core.refusal import Illegal
from pbem.core.seat import Seat
from pbem.games.imperial.notation.write import write
from pbem.games.imperial.rules import events as ev
from pbem.games.imperial.rules import maneuver
from pbem.games.imperial.rules.board import SPACES, Nation
from pbem.games.imperial.rules.economy import build, import_units, produce, tax
from pbem.games.imperial.rules.investor import check_covered, pay_interest, total_interest
from pbem.games.imperial.rules.lateness import fee_paid
from pbem.games.imperial.rules.orders import Build, Buy, Move, Produce, Turn, Work
from pbem.games.imperial.rules.resolution import Course
from pbem.games.imperial.rules.state import AwaitForce, EndTurn, InvestorSteps, InvestRound, Task

_PLACE = {space: place for place, space in enumerate(SPACES)}
NEEDS_WORK = ("factory", "import", "maneuver_1", "maneuver_2")
TWICE = ("production", "maneuver")  # spaces that stand on the rondel twice


def begin_turn(course: Course, nation: Nation, turn: Turn) -> None:
    """The government's order is in: first the Swiss Banks, if it would pass them."""
    turn = replace(turn, nation=nation, space=which_space(course, nation, turn.space))
    check_space(course, nation, turn.space)
    check_work(turn)
    banks = who_may_force(course, nation, turn.space)
    trial = rehearse(course, nation, turn) if banks or isinstance(turn.work, Move) else None
    if banks:
        course.first(AwaitForce(turn=turn, nation=nation, seats=banks))
        return
    take_space(course, nation, turn, trial)


def rehearse(course: Course, nation: Nation, turn: Turn) -> Course:
    """A turn plays whole or not at all: try it as if every other government answered peace."""
    trial = Course(course.board, course.edition, course.state, strict=True)
    trial.agenda.clear()
    _act(trial, nation, turn.space, turn.work)
    maneuver.rehearse(trial)
    return trial


def take_space(course: Course, nation: Nation, turn: Turn, trial: Course | None = None) -> None:
    """Pay for the way, act, and put Investor's later steps on the agenda when it was passed or taken.

    `trial` is the space as it was rehearsed: where nobody is asked anything, that is how it goes.
    """
    before = course.state.rondel[nation]
    _move_marker(course, nation, turn.space)
    course.first(*_afterwards(course, nation, before, turn.space))
    if trial is not None and trial.asked_nobody:
        course.follow(trial)
    else:
        _act(course, nation, turn.space, turn.work)


def foresee(course: Course, nation: Nation, space: str) -> list[ev.Event]:
    """What taking the space would do by itself, without anything that has to be ordered there."""
    trial = Course(course.board, course.edition, course.state)
    _move_marker(trial, nation, space)
    _act(trial, nation, space, None)
    return trial.events


def _move_marker(course: Course, nation: Nation, space: str) -> None:
    before = course.state.rondel[nation]
    seat, price = government(course, nation), price_of(course, before, space)
    course.happen(ev.MarkerMoved(nation=nation, seat=seat, space=space, before=before, paid=price))


def _afterwards(course: Course, nation: Nation, before: str | None, space: str) -> list[Task]:
    """What follows the space's own action: Investor's later steps, or the round that replaces the card (R23)."""
    if not course.edition.options.investor_card:
        start = government(course, nation)
        return [InvestRound(nation=nation, only=nation, start=start), EndTurn(nation=nation, start=start)]
    touches_investor = space == "investor" or passes_investor(before, space)
    return [*([InvestorSteps(nation=nation)] if touches_investor else []), EndTurn(nation=nation)]


def _act(course: Course, nation: Nation, space: str, work: Work | None) -> None:
    if space == "investor":
        pay_interest(course, nation)
    elif space == "taxation":
        tax(course, nation)
    else:
        _do_work(course, nation, space, work)


def _do_work(course: Course, nation: Nation, space: str, work: Work | None) -> None:
    match work:
        case Build():
            build(course, nation, work)
        case Buy():
            import_units(course, nation, work)
        case Move():
            maneuver.begin(course, nation, work)
        case Produce():
            produce(course, nation, work)
        case None if space in NEEDS_WORK:
            course.happen(ev.NothingDone(nation=nation, space=space))
        case None:
            produce(course, nation, None)
        case _:
            assert_never(work)


# -- the rondel ---


def distance(before: str | None, space: str) -> int:
    """Spaces clockwise, 8 for staying in place; 0 for the first placement."""
    if before is None:
        return 0
    return (_PLACE[space] - _PLACE[before] - 1) % len(_PLACE) + 1


def price_of(course: Course, before: str | None, space: str) -> int:
    """What the government pays for the way, in millions."""
    extra = max(0, distance(before, space) - course.edition.free_spaces)
    return extra * course.edition.space_price


def passes_investor(before: str | None, space: str) -> bool:
    """Does the marker move over Investor? The first placement passes nothing (R7)."""
    return before is not None and 0 < distance(before, "investor") < distance(before, space)


def which_space(course: Course, nation: Nation, word: str) -> str:
    """The space that is meant: a bare `production` or `maneuver` is the next one ahead."""
    if word not in TWICE:
        return word
    both = [space for space in SPACES if space.startswith(word)]
    before = course.state.rondel[nation]
    if before is None:
        raise Illegal("space.ambiguous", space=word, nation=nation, candidates=tuple(both))
    return min(both, key=lambda space: distance(before, space))


def check_space(course: Course, nation: Nation, space: str) -> None:
    """Raises space.too_far, cash.short or investor.uncovered."""
    before = course.state.rondel[nation]
    steps = distance(before, space)
    if steps > course.edition.reach:
        facts = {"space": space, "nation": nation, "before": before, "steps": steps}
        raise Illegal("space.too_far", **facts, most=course.edition.reach)
    seat = government(course, nation)
    price, cash = price_of(course, before, space), course.state.cash[seat]
    if price > cash:
        raise Illegal("cash.short", needs=price, has=cash, seat=seat, **fee_paid(course))
    if space == "investor":
        check_covered(course, nation, seat, cash - price)


def check_work(turn: Turn) -> None:
    if turn.work is None and turn.space in NEEDS_WORK:
        raise Illegal("order.incomplete", space=turn.space.rstrip("_12"), nation=turn.nation)


def government(course: Course, nation: Nation) -> Seat:
    seat = course.state.government[nation]
    assert seat is not None, "a vacant nation does not move"
    return seat


# -- the forced stop (R4) ---


def who_may_force(course: Course, nation: Nation, space: str) -> tuple[Seat, ...]:
    """The Swiss Banks that are asked: the nation would pass, and its treasury can pay all interest."""
    options = course.edition.options
    if not (options.force_stop and options.investor_card) or not passes_investor(course.state.rondel[nation], space):
        return ()
    if course.state.treasury[nation] < total_interest(course, nation):
        return ()
    return tuple(seat for seat in course.state.clockwise(government(course, nation)) if seat in course.state.swiss)


def force_stop(course: Course, task: AwaitForce, seat: Seat) -> None:
    """One Swiss Bank is enough: the nation lands on Investor; what it meant to do is dropped."""
    course.happen(ev.StopForced(seat=seat, nation=task.nation, meant=write(task.turn)))
    take_space(course, task.nation, Turn(nation=task.nation, space="investor"))


def let_pass(course: Course, task: AwaitForce, seat: Seat) -> None:
    """The turn goes on when the last Swiss Bank has let it pass."""
    course.happen(ev.PassAllowed(seat=seat, nation=task.nation))
    others = tuple(s for s in task.seats if s != seat)
    if others:
        course.first(replace(task, seats=others))
    else:
        take_space(course, task.nation, task.turn)
