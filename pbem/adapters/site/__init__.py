"""The archive as a static site: any web server can serve it, none is needed to make it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from pbem.adapters.site.files import Folder
from pbem.adapters.site.game_archive import GameFolders
from pbem.adapters.site.lists import Lists
from pbem.adapters.site.pages import SitePages, site_pages
from pbem.adapters.site.records import Card, Headline
from pbem.core.game import Registry
from pbem.host.archive.published import GameArchive, Held


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
    def writing(self) -> Iterator[SiteShelves]:
        """Nobody else writes meanwhile; what tells of several games is brought up at the end."""
        with self.folder.alone():
            shelves = SiteShelves(self.folder, self._pages)
            yield shelves
            Lists(self.folder, self._pages).bring_up(shelves.news)


class SiteShelves:
    """Keeps volumes, and what the lists will have to tell of them."""

    def __init__(self, folder: Folder, pages: SitePages) -> None:
        self._folder = folder
        self._pages = pages
        self.news: list[tuple[Card, Sequence[Headline]]] = []

    def held(self, game: str) -> Held:
        return GameFolders(self._folder, self._pages).held(game)

    def keep(self, volume: GameArchive) -> None:
        shelf = GameFolders(self._folder, self._pages.of(volume.setup.game))
        self.news.append(shelf.keep(volume))
