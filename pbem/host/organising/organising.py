"""Somebody who leads a season, for the length of one letter, and the kind of powers that they have there."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import partial

from pbem.core.refusal import Illegal
from pbem.host.leagues.naming import named
from pbem.host.lobby.policy import LobbyPolicy
from pbem.host.messages.sections import Section
from pbem.host.moderation.powers import check_explained, power, use_powers
from pbem.host.play.results import Result
from pbem.host.ports import Person
from pbem.host.season.telling import tell
from pbem.host.session.season import SeasonDesk
from pbem.host.session.unit_of_work import UnitOfWork
from pbem.language.moderators import ModeratorCommand, ModeratorCommands, Power
from pbem.league.acts import Act
from pbem.league.powers import check_not_own
from pbem.league.state import Season

About = Callable[["Organising", Power], Sequence[str]]  # what a power rules on: T-12, O-1, a group


class OrganiserPower(ModeratorCommand, frozen=True, kw_only=True):
    """Does something in a season."""

    do: Callable[[Organising, Power], None]  # it raises `Refusal`; then nothing has changed
    about: About = lambda _o, _power: ()  # nobody rules on their own group, or on an objection of their own


organiser_power = partial(power, OrganiserPower)


class Organising:
    """`by` and `via` are as the log has them; `person` is None for the operator at the command line."""

    def __init__(
        self,
        work: UnitOfWork,
        desk: SeasonDesk,
        policy: LobbyPolicy,
        now: int,
        *,
        by: str,
        person: Person | None = None,
        via: str | None = None,
    ) -> None:
        self.work = work
        self.desk = desk
        self.policy = policy
        self.now = now
        self.by = by
        self.person = person
        self.told: list[Section] = []  # what a power was used to ask
        self._via = via

    @property
    def own(self) -> int | None:
        """The number of whoever leads; None at the command line."""
        return self.person.id if self.person else None

    @property
    def season(self) -> Season:
        return self.desk.season

    def hear(self, commands: ModeratorCommands, lines: Sequence[str]) -> list[Result]:
        """Use the powers in these lines, up to the first that can't be."""
        return use_powers(commands.read(lines), self.do)

    def do(self, power: Power) -> None:
        """Raises `Refusal`; then nothing has changed."""
        command = power.command
        assert isinstance(command, OrganiserPower), "the table holds no other kind"
        check_explained(power, "running")
        for about in command.about(self, power):
            check_not_own(self.season, self.own, about)
        command.do(self, power)
        tell(self.work, self.desk, self.now)

    def enter(self, act: Act) -> None:
        self.desk.enter(self.now, self.by, act, self._via)

    def person_named(self, power: Power, field: str = "who") -> int:
        """Who of the season is meant. Raises `Illegal`."""
        return named(self.work, self.season, power.fields[field])

    @property
    def next_is_drawn(self) -> bool:
        """Has the season behind this one made its first draw?"""
        after = self.work.repository.season(f"{self.desk.book.league}-{self.desk.book.number + 1}")
        return after is not None and self.work.season(after.tag).season.is_drawn


def number_of(power: Power, field: str) -> int:
    """That of a table, a draw or an act, as in "T-12"."""
    return int(re.sub(r"\D", "", power.fields[field]))


def table_about(_o: Organising, power: Power) -> Sequence[str]:
    """Of a power over one table."""
    return (f"T-{number_of(power, 'table')}",) if power.fields.get("table") else ()


def group_about(o: Organising, power: Power) -> Sequence[str]:
    """Of a power over one person: the group that gains or loses by it."""
    group = o.season.group_of(o.person_named(power))
    return () if group is None else (group,)


def both_groups(o: Organising, power: Power) -> Sequence[str]:
    """Of a power over two people."""
    found = (o.season.group_of(o.person_named(power, field)) for field in ("one", "other"))
    return tuple(group for group in found if group)


def check_phase(o: Organising, *phases: str) -> None:
    if o.season.phase not in phases:
        raise Illegal("league.phase", phase=o.season.phase)
