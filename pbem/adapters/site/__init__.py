"""The archive as a static site: any web server can serve it, none is needed to make it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from pbem.adapters.site.files import Folder
from pbem.adapters.site.game_archive import GameFolders
from pbem.adapters.site.leagues import LeagueFolders
from pbem.adapters.site.lists import Lists
from pbem.adapters.site.noted import NoteFiles
from pbem.adapters.site.pages import site_pages
from pbem.adapters.site.rating_pages import PlayersTold
from pbem.core.game import Registry
from pbem.host.archive.published import GameArchive, Held
from pbem.host.archive.ratings import PublishedRatings
from pbem.host.leagues.published import PublishedSeason


class Shelves:
    """Where games and seasons are put."""

    def __init__(self, games: GameFolders, leagues: LeagueFolders) -> None:
        self._games = games
        self._leagues = leagues
        self._ratings: list[PublishedRatings] = []

    @property
    def told(self) -> PlayersTold:
        """What is new of players beside their games."""
        names = {number: name for each in self._ratings for number, name in each.names.items()}
        return PlayersTold(
            names={**self._leagues.names, **names},
            former=self._leagues.former,
            lines=self._leagues.lines,
            ratings=tuple(self._ratings),
        )

    def held(self, game: str) -> Held:
        return self._games.held(game)

    def keep(self, volume: GameArchive) -> None:
        self._games.keep(volume)

    def keep_season(self, season: PublishedSeason) -> None:
        self._leagues.keep(season)

    def keep_ratings(self, ratings: PublishedRatings) -> None:
        self._ratings.append(ratings)


class Site:
    """A library in a folder. `url`, with a slash at its end, is where people will find it: feeds then say so.

    `domain` is the server's, for the ids in them.
    """

    def __init__(
        self, root: Path, games: Registry, *, language: str = "en", url: str = "", domain: str = "pbem.invalid"
    ) -> None:
        self.folder = Folder(root)
        self._pages = site_pages(games, language, url, domain)

    @contextmanager
    def writing(self) -> Iterator[Shelves]:
        """Nobody else writes meanwhile; what tells of several games is brought up at the end."""
        with self.folder.alone():
            games, leagues = GameFolders(self.folder, self._pages), LeagueFolders(self.folder, self._pages)
            shelves = Shelves(games, leagues)
            yield shelves
            leagues.bring_up()
            Lists(self.folder, self._pages).bring_up(games.news, shelves.told)

    @contextmanager
    def noting(self) -> Iterator[NoteFiles]:
        """Nobody else writes meanwhile."""
        with self.folder.alone():
            yield NoteFiles(self.folder)
