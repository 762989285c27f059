"""Leagues as whoever looks after the server deals with them, and as the archive tells them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from pbem.core.refusal import Refusal
from pbem.host.leagues.adopting import adopt
from pbem.host.leagues.audit import Suspicion, audit
from pbem.host.leagues.entries import Entry, enter_row
from pbem.host.leagues.founding import found_league
from pbem.host.leagues.house import house
from pbem.host.leagues.importing import Exported, import_exported, import_results
from pbem.host.leagues.naming import called
from pbem.host.leagues.published import PublishedSeason, published
from pbem.host.lobby.policy import LobbyPolicy
from pbem.host.messages.sections import Section
from pbem.host.moderation.powers import use_powers
from pbem.host.organising.commands import ORGANISER_COMMANDS
from pbem.host.organising.organising import Organising
from pbem.host.play.results import Result
from pbem.host.ports import Clock, League, Unknown
from pbem.host.session.unit_of_work import Games, UnitOfWork
from pbem.league.elsewhere import FIRST_ROW, Row, Wrong, seats
from pbem.league.limits import House
from pbem.league.log import OPERATOR
from pbem.league.settings import Settings
from pbem.league.state import Season


class Entered(NamedTuple):
    """What became of people who were entered by hand."""

    entered: int
    bad: Sequence[tuple[int, Refusal]]  # the lines of a file that can't be, each with why


class Imported(NamedTuple):
    """A season that was played elsewhere, or what is wrong with its rows."""

    season: Season | None
    wrong: Sequence[Wrong]


class Organised(NamedTuple):
    """What became of an organiser's lines, and what they asked."""

    results: Sequence[Result]
    told: Sequence[Section]


class Leagues:
    """One transaction each; raises `Unknown` for what there is not, `Conflict` and `StoreDown`."""

    def __init__(self, games: Games, clock: Clock, policy: LobbyPolicy) -> None:
        self._games = games
        self._clock = clock
        self._policy = policy

    def house(self) -> House:
        """By which the settings of a new league are checked."""
        with self._games.work() as work:
            return house(work, self._policy, self._clock.now())

    def found(self, settings: Settings, number: int | None = None) -> Season:
        """A new league and its first season, or the next one of a league that is over. Raises `Illegal`,
        `ValueError`."""
        with self._games.work() as work:
            return found_league(work, self._policy, settings, self._clock.now(), number).season

    def import_results(self, tag: str, rows: Sequence[Row], game: str, *, rated: bool) -> Imported:
        """A season that was played elsewhere, of the rows of its results; nothing where one of them can't be.

        Raises `Illegal` for a season that there is already.
        """
        read, wrong = seats(rows, self._clock.now())
        if wrong or not read:
            return Imported(season=None, wrong=wrong)
        with self._games.work() as work:
            season = import_results(work, tag, read, game, self._clock.now(), rated=rated)
        return Imported(season=season, wrong=())

    def import_exported(self, tag: str, told: Exported) -> Season:
        """A season as another server exported it. Raises `Illegal`."""
        with self._games.work() as work:
            return import_exported(work, tag, told, self._clock.now())

    def audit(self, tag: str) -> Sequence[tuple[Suspicion, Sequence[str]]]:
        """What there is to suspect in a season, with the names of those whom it is about."""
        with self._games.work() as work:
            found = audit(work, work.season(tag))
            return [(each, [called(work, person) for person in each.people]) for each in found]

    def adopt(self, tag: str, game: str, table: int | None) -> Season:
        """A game of this server is a table of the season from now on. Raises `Illegal`."""
        with self._games.work() as work:
            desk = work.season(tag)
            adopt(work, desk, game, table, self._clock.now())
            return desk.season

    def leagues(self) -> Sequence[tuple[League, Season]]:
        """Each with its newest season."""
        with self._games.work() as work:
            known = {each.name: work.repository.seasons(each.name)[-1] for each in work.repository.leagues()}
            return [(each, work.season(known[each.name].tag).season) for each in work.repository.leagues()]

    def season(self, tag: str) -> Season:
        with self._games.work() as work:
            return work.season(tag).season

    def published(self, tag: str) -> PublishedSeason:
        """What everybody may know of a season."""
        with self._games.work() as work:
            return published(work, tag)

    def moved(self) -> Mapping[str, int]:
        """Seasons with something new for the archive, and their last acts then."""
        with self._games.work() as work:
            return work.repository.moved_seasons()

    def settle_move(self, tag: str, seq: int) -> None:
        """The archive has the season up to that act."""
        self._games.do(lambda work: work.repository.settle_season(tag, seq))

    def organise(self, tag: str, lines: Sequence[str]) -> Organised:
        """Use the powers in these lines, as the operator."""
        return self._games.do(lambda work: self._organise(work, tag, lines))

    def _organise(self, work: UnitOfWork, tag: str, lines: Sequence[str]) -> Organised:
        leading = Organising(work, work.season(tag), self._policy, self._clock.now(), by=OPERATOR)
        results = use_powers(ORGANISER_COMMANDS.read(lines), leading.do)
        return Organised(results=results, told=leading.told)

    def enter(self, tag: str, rows: Sequence[Mapping[str, str]], *, skip: bool = False) -> Entered:
        """Enter people by hand, who may still say no: all of them or, where one can't be and `skip` is not said, none.

        A row holds `address` and may hold name, language, zone, and apart: addresses with blanks between them.
        """
        with self._games.store.transaction() as repository, repository.trial() as trial:
            bad = self._enter(UnitOfWork(self._games, trial), tag, rows)
        if bad and not skip:
            return Entered(entered=0, bad=bad)
        wrong = {line for line, _ in bad}
        good = [row for line, row in enumerate(rows, FIRST_ROW) if line not in wrong]
        self._games.do(lambda work: self._enter(work, tag, good))
        return Entered(entered=len(good), bad=bad)

    def _enter(self, work: UnitOfWork, tag: str, rows: Sequence[Mapping[str, str]]) -> list[tuple[int, Refusal]]:
        """The rows that can't be, by their lines in the file."""
        bad: list[tuple[int, Refusal]] = []
        for line, row in enumerate(rows, FIRST_ROW):
            try:
                enter_row(work, work.season(tag), row, self._clock.now())
            except Refusal as refusal:
                bad.append((line, refusal))
        return bad

    def names(self, tag: str) -> Mapping[int, str]:
        """How those are called who were ever in the season."""
        return self.published(tag).names

    def forgo(self, tag: str, address: str) -> None:
        """Somebody's wish whom not to sit with can't be granted: they sit with anybody. Raises `Illegal`."""
        with self._games.work() as work:
            self._entry(work, tag, address).forgo()

    def muster(self, tag: str, address: str, *, plays: bool) -> None:
        """Somebody has said to you whether they play. Raises `Illegal`."""
        with self._games.work() as work:
            self._entry(work, tag, address).muster(plays=plays)

    def _entry(self, work: UnitOfWork, tag: str, address: str) -> Entry:
        person = work.repository.person_at(address.lower())
        if person is None:
            raise Unknown(f"Nobody here has the address {address}.")
        return Entry(work, work.season(tag), person, self._clock.now(), by=OPERATOR)
