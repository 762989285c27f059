"""A resolution of events: each takes effect as it happens, and what is left to do is kept beside."""

from __future__ import annotations

from pbem.games.imperial.rules import events as ev
from pbem.games.imperial.rules.board import Board, Nation, Region, Unit
from pbem.games.imperial.rules.edition import Edition
from pbem.games.imperial.rules.reducer import apply
from pbem.games.imperial.rules.state import State, Task


class Resolution:
    """The position while answers are worked off.

    `strict` is for checks: a line that can't be carried out is refused, and every other government answers peace.
    """

    def __init__(self, board: Board, edition: Edition, state: State, *, strict: bool = False) -> None:
        self.board = board
        self.edition = edition
        self.state = state
        self.strict = strict
        self.asked_nobody = True  # no battle question has come up
        self.events: list[ev.Event] = []
        self.agenda: list[Task] = list(state.agenda)
        self.asked = state.asked

    def emit(self, event: ev.Event) -> None:
        self.state = apply(self.state, event)
        self.events.append(event)

    def follow(self, trial: Resolution) -> None:
        """Let all emit that happened in a trial of what comes next."""
        for event in trial.events:
            self.emit(event)

    def first(self, *tasks: Task) -> None:
        """These are done next, in this order."""
        self.agenda[:0] = tasks

    def number(self) -> int:
        """The serial number of one more question."""
        self.asked += 1
        return self.asked

    def close(self) -> list[ev.Event]:
        """All that happened, with the plan for the rest."""
        agenda = tuple(self.agenda)
        if agenda != self.state.agenda or self.asked != self.state.asked:
            self.emit(ev.Planned(agenda=agenda, asked=self.asked))
        return self.events

    # -- questions about the position that several mechanics ask ---

    def occupied(self, region: Region) -> bool:
        """Is a hostile army in this home province?"""
        armies = self.state.armies.get(region)
        if not armies:
            return False
        home = self.board.places[region].nation
        return len(armies) > 1 or home not in armies

    def free_factories(self, nation: Nation) -> tuple[Region, ...]:
        """The nation's factories that no hostile army occupies."""
        factories = self.state.factories
        return tuple(r for r in self.board.homes[nation] if r in factories and not self.occupied(r))

    def last_free_factory(self, region: Region) -> bool:
        """Is this the only unoccupied factory of its nation? (R12)"""
        home = self.board.places[region].nation
        if home is None or region not in self.state.factories:
            return False
        return self.free_factories(home) == (region,)

    def supply(self, nation: Nation, unit: Unit) -> int:
        """How many armies or fleets the nation has left in the box."""
        return self.board.supply[nation][unit] - self.state.units(nation, unit)
