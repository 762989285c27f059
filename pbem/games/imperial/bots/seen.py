"""A position as one seat sees it: what is secret is not there, or imagined."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec.structs import replace

from pbem.core.bot import Pick
from pbem.core.seat import Seat
from pbem.games.imperial.bots.simple import greedy_work
from pbem.games.imperial.rules import orders as od
from pbem.games.imperial.rules.places import Nation
from pbem.games.imperial.rules.resolution import Resolution
from pbem.games.imperial.rules.state import AwaitBattle, AwaitForce, Maneuver, State, Task
from pbem.games.imperial.rules.turn import price_of

if TYPE_CHECKING:
    from pbem.games.imperial.rules.game import Imperial

PURSE = 16  # millions: secret cash is imagined below that


def as_seen(game: Imperial, state: State, seat: Seat, pick: Pick) -> State:
    """The position with imagined cash of others where it is secret, and without what others ordered and is not told.

    That is what they answered about a battle, the lines of their maneuver still to come, and what they mean to do
    where a Swiss Bank may stop them.
    """
    hides, least = game.hides(state), _owed(game, state)
    cash = {each: max(pick(PURSE), least) if hides and each != seat else own for each, own in state.cash.items()}
    return replace(state, cash=cash, agenda=tuple(_as_told(game, state, task, seat) for task in state.agenda))


def _owed(game: Imperial, state: State) -> int:
    """What a way costs that somebody has set out on, and so has the cash for."""
    task = state.agenda[0] if state.agenda else None
    if not isinstance(task, AwaitForce):
        return 0
    resolution = Resolution(game.board, game.edition, state)
    return price_of(resolution, state.rondel[task.nation], task.turn.space)


def _as_told(game: Imperial, state: State, task: Task, seat: Seat) -> Task:
    match task:
        case AwaitBattle():
            return replace(task, replies={n: reply for n, reply in task.replies.items() if state.government[n] == seat})
        case Maneuver() if state.government[task.nation] != seat:
            own = {key: unit for key, unit in task.every.items() if state.government[_who(key)] == seat}
            return replace(task, lines=(), destroy=(), every=own)
        case AwaitForce() if state.government[task.nation] != seat:
            work = greedy_work(Resolution(game.board, game.edition, state), task.nation, task.turn.space)
            return replace(task, turn=od.Turn(nation=task.nation, space=task.turn.space, work=work))
        case _:
            return task


def _who(key: str) -> Nation:
    """The nation in what a maneuver says of who fights every mover."""
    return Nation(key.partition("@")[0])
