"""Bringing an archive up to date with the books."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from typing import Protocol

from msgspec import Struct

from pbem.host.archive.notes import Annotator
from pbem.host.archive.published import GameArchive, Held, volume
from pbem.host.archive.ratings import PublishedRatings, ratings_moved
from pbem.host.leagues.published import PublishedSeason, published
from pbem.host.messages.alarms import Trouble
from pbem.host.messages.host_identity import HostIdentity
from pbem.host.ports import Clock, Conflict, Log, StoreDown
from pbem.host.reporting.alarms import post_alarm
from pbem.host.season.rating import rate_others
from pbem.host.session.unit_of_work import Games, UnitOfWork

AT_ONCE = 20  # games brought up before letters are looked for again
INDEX, RATINGS = "the pages about all games", "the ratings"


class ArchiveWriter(Protocol):
    """Where volumes and seasons are put."""

    def held(self, game: str) -> Held: ...
    def keep(self, volume: GameArchive) -> None: ...
    def keep_season(self, season: PublishedSeason) -> None: ...
    def keep_ratings(self, ratings: PublishedRatings) -> None: ...


class Library(Protocol):
    def writing(self) -> AbstractContextManager[ArchiveWriter]:
        """Nobody else writes meanwhile; what tells of several games is brought up at the end."""
        ...


class Brought(Struct, frozen=True, kw_only=True):
    """What became of games and seasons that were to be brought up."""

    told: tuple[str, ...]  # games that the library has now
    failed: Mapping[str, Exception]  # by game, by season, or what else could not be made

    def settled(self, names: Iterable[str]) -> list[str]:
        """Of these games or seasons, those that need not be brought up again; when the lists have failed, none."""
        return [] if {INDEX, RATINGS} & {*self.failed} else [name for name in names if name not in self.failed]


class Moved(Struct, frozen=True):
    """What has something new for the library, and up to where; by game, and by season."""

    games: Mapping[str, int]
    seasons: Mapping[str, int]


class Archivist:
    """Puts into a library what is new in the books. A fault of ours here never stops the mail.

    Without an `annotator` no notes are made on games that are over; those that there are stay.
    """

    def __init__(
        self,
        games: Games,
        library: Library,
        clock: Clock,
        host: HostIdentity,
        log: Log,
        annotator: Annotator | None = None,
    ) -> None:
        self._games = games
        self._library = library
        self._clock = clock
        self._host = host
        self._log = log
        self._annotator = annotator
        self._has_others = True  # games without a rating

    def update(self) -> None:
        """Bring up what has moved since it was last brought up; then some notes. Raises `Conflict`, `StoreDown`."""
        self._update()
        if self._annotator is not None and (noted := self._annotator.go_on()):
            self._tell_failed(self._bring_up([noted], ()))

    def annotate(self) -> Iterator[str]:
        """Make all notes on games that are over, whose pages are made anew then; each of them at once.

        Raises `Conflict`, `StoreDown`.
        """
        for game in self._annotator.finish() if self._annotator else ():
            self._tell_failed(self._bring_up([game], ()))
            yield game

    def _update(self) -> None:
        self._rate_others()
        with self._games.work() as work:
            moved = _moved(work)
            stuck = {game for game in moved.games if work.repository.mark(_stuck(game)) is not None}
        games = sorted(moved.games, key=lambda game: (game in stuck, game))[:AT_ONCE]
        if not games and not moved.seasons:
            return
        brought = self._bring_up(games, moved.seasons)
        self._tell_failed(brought)
        if self._annotator is not None:
            self._annotator.ended(brought.told)
        self._games.do(lambda work: self._note(work, moved, brought.settled([*games, *moved.seasons]), brought.failed))

    def _tell_failed(self, brought: Brought) -> None:
        for what, fault in brought.failed.items():
            self._log.exception("the archive could not be brought up: %s", what, exc_info=fault)

    def _rate_others(self) -> None:
        """Those that ended before there were ratings: once there is none left there will never be one again."""
        if self._has_others:
            self._has_others = self._games.do(lambda work: rate_others(work, AT_ONCE))

    def build(self) -> Brought:
        """Bring up all games and seasons. Raises `Conflict`, `StoreDown`."""
        while self._has_others:
            self._rate_others()
        with self._games.work() as work:
            games = [game.id for game in work.repository.games()]
            seasons = [book.tag for each in work.repository.leagues() for book in work.repository.seasons(each.name)]
            moved = _moved(work)
        brought = self._bring_up(games, seasons)
        self._games.do(lambda work: self._note(work, moved, brought.settled([*games, *seasons]), {}))
        return brought

    def _bring_up(self, games: Iterable[str], seasons: Collection[str]) -> Brought:
        told: list[str] = []
        failed: dict[str, Exception] = {}
        with _kept_in(failed, INDEX), self._library.writing() as shelves:
            for game in games:
                with _kept_in(failed, game):  # a game that can't be told does not keep back the others
                    told += [game] if self._keep(shelves, game) else []
            for tag in seasons:
                with _kept_in(failed, tag):
                    self._keep_season(shelves, tag)
            with _kept_in(failed, RATINGS):
                self._keep_ratings(shelves, told, seasons)
        return Brought(told=tuple(told), failed=failed)

    def _keep_season(self, shelves: ArchiveWriter, tag: str) -> None:
        with self._games.work() as work:
            season = published(work, tag)
        shelves.keep_season(season)

    def _keep_ratings(self, shelves: ArchiveWriter, games: Iterable[str], seasons: Iterable[str]) -> None:
        with self._games.work() as work:
            moved = [*ratings_moved(work, games, seasons)]
        for ratings in moved:
            shelves.keep_ratings(ratings)

    def _keep(self, shelves: ArchiveWriter, game: str) -> bool:
        """Is there anything to tell of the game?"""
        held = shelves.held(game)
        with self._games.work() as work:
            new = volume(work, work.game(game), held)
        if new is not None:
            shelves.keep(new)
        return new is not None

    def _note(self, work: UnitOfWork, moved: Moved, settled: Sequence[str], failed: Mapping[str, Exception]) -> None:
        for name in settled:
            if name in moved.games:
                work.repository.settle_move(name, moved.games[name])
            if name in moved.seasons:
                work.repository.settle_season(name, moved.seasons[name])
            work.repository.set_mark(_stuck(name), None)
        if settled:
            for what in (INDEX, RATINGS):
                work.repository.set_mark(_stuck(what), None)
        for what, fault in failed.items():
            self._tell(work, what, fault)

    def _tell(self, work: UnitOfWork, what: str, fault: Exception) -> None:
        """The operator hears of it once, until it has been well again, whichever daemon or cron met it."""
        if work.repository.mark(_stuck(what)) is not None:
            return
        now = self._clock.now()
        work.repository.set_mark(_stuck(what), now)
        about = f"archive.{what.replace(' ', '-')}.{now}"
        told = Trouble.archive.say(what=what)
        post_alarm(work.repository, told, repr(fault), about=about, operator=self._host.operator, now=now)


def _moved(work: UnitOfWork) -> Moved:
    return Moved(work.repository.moved(), work.repository.moved_seasons())


@contextmanager
def _kept_in(failed: dict[str, Exception], what: str) -> Iterator[None]:
    """A fault of ours is kept under that name, and mail goes on. Raises `Conflict`, `StoreDown`."""
    try:
        yield
    except (Conflict, StoreDown):
        raise
    except Exception as fault:  # noqa: BLE001 - whatever it is
        failed[what] = fault


def _stuck(what: str) -> str:
    """The mark that the operator has been told of it."""
    return f"archive.{what.replace(' ', '-')}.stuck"
