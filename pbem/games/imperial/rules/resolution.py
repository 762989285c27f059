"""A resolution of events: each takes effect as it happens, and what is left to do is kept beside."""

from __future__ import annotations

from typing import Final

from pbem.games.imperial.rules import events as ev
from pbem.games.imperial.rules.board import Board, Railway
from pbem.games.imperial.rules.edition import Edition
from pbem.games.imperial.rules.places import Nation, Region, Unit
from pbem.games.imperial.rules.position import units_of
from pbem.games.imperial.rules.reducer import REDUCERS
from pbem.games.imperial.rules.stacks import Stacks
from pbem.games.imperial.rules.state import State, Task

_NOWHERE: Final[frozenset[Region]] = frozenset()


class Resolution:
    """The position while answers are worked off.

    `strict`: a line that can't be carried out is refused.
    """

    __slots__ = (
        "agenda",
        "asked",
        "board",
        "edition",
        "events",
        "state",
        "strict",
    )

    def __init__(self, board: Board, edition: Edition, state: State, *, strict: bool = False) -> None:
        self.board = board
        self.edition = edition
        self.state = state
        self.strict = strict
        self.events: list[ev.Event] = []
        self.agenda: list[Task] = [*state.agenda]
        self.asked = state.asked

    def fork(self) -> Resolution:
        """To try out what comes next."""
        fork = Resolution(self.board, self.edition, self.state, strict=self.strict)
        fork.agenda = [*self.agenda]
        return fork

    def emit(self, event: ev.Event) -> None:
        self.state = REDUCERS[type(event)](self.state, event)
        self.events.append(event)

    def first(self, *tasks: Task) -> None:
        """These are done next, in this order."""
        self.agenda[:0] = tasks

    def close(self) -> list[ev.Event]:
        """All that happened, with the plan for the rest."""
        agenda = tuple(self.agenda)
        if self.asked != self.state.asked or agenda != self.state.agenda:
            self.emit(ev.Planned(agenda=agenda, asked=self.asked))
        return self.events

    # -- questions about the position that several mechanics ask ---

    def occupied(self, nation: Nation) -> frozenset[Region]:
        """The nation's home provinces in which a hostile army stands."""
        armies, known = self.state.armies, self.board.held.get(nation)
        if known is not None and known[0] is armies:
            return known[1]
        held = _held(armies, nation, self.board.homes[nation])
        self.board.held[nation] = armies, held
        return held

    def railway(self, nation: Nation) -> Railway:
        """The ways of the nation's armies by rail and over land, as things stand."""
        return self.board.railway(nation, self.occupied(nation))

    def free_factories(self, nation: Nation) -> tuple[Region, ...]:
        """The nation's factories that no hostile army occupies."""
        factories, occupied = self.state.factories, self.occupied(nation)
        free: list[Region] = []
        for region in self.board.homes[nation]:
            if region in factories and region not in occupied:
                free.append(region)
        return tuple(free)

    def last_free_factory(self, region: Region) -> bool:
        """Is this the only unoccupied factory of its nation? (R12)"""
        home = self.board.home_of[region]
        if home is None or region not in self.state.factories:
            return False
        return self.free_factories(home) == (region,)

    def others_at(self, region: Region, nation: Nation) -> bool:
        """Are units of other nations there?"""
        state = self.state
        for stacks in (state.armies, state.fleets, state.friendly):
            if region in stacks:
                stack = stacks[region]
                if len(stack) > 1 or nation not in stack:
                    return True
        return False

    def supply(self, nation: Nation, unit: Unit) -> int:
        """How many armies or fleets the nation has left in the box."""
        return self.board.supply[nation][unit] - units_of(self.state, nation, unit)


def _held(armies: Stacks, nation: Nation, homes: tuple[Region, ...]) -> frozenset[Region]:
    """Those of the homes in which an army of another nation stands upright."""
    held = _NOWHERE
    for home in homes:
        if home in armies:
            stack = armies[home]
            if len(stack) > 1 or nation not in stack:
                held |= {home}
    return held
