"""A season of a league under way, in one transaction: its log, and what that comes to."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from pbem.host.ports import Repository, SeasonBook
from pbem.host.session.terms import Terms
from pbem.league.acts import Act, Founded
from pbem.league.due import Due, due
from pbem.league.log import Entry, behind, read, written
from pbem.league.lots import chain, seed_of
from pbem.league.season import applied, folded
from pbem.league.settings import Settings
from pbem.league.state import Season


class Course(Struct, frozen=True):
    """What a log has come to, and its end."""

    season: Season
    last: Entry


class SeasonDesk:
    """One season as it stands. Whatever happens in it is entered here; what is to happen is decided above."""

    def __init__(self, repository: Repository, book: SeasonBook, course: Course) -> None:
        self._repository = repository
        self.book = book
        self.course = course
        self.fresh: list[Entry] = []  # what has been entered
        self.untold: list[Entry] = []  # what of it has queued no letters yet
        self.away: Mapping[int, int] = {}  # until when, by person: what that puts off is due later

    @property
    def tag(self) -> str:
        return self.book.tag

    @property
    def season(self) -> Season:
        return self.course.season

    @property
    def terms(self) -> Terms:
        """What its games are played by."""
        return replace(msgspec.json.decode(self.book.terms, type=Terms), press=self.season.settings.table.press)

    @property
    def entries(self) -> list[Entry]:
        """The whole log."""
        return read(self._repository.acts(self.tag))

    def link(self, number: int) -> str:
        """The link that the draw behind so many others reveals: of a chain that was fixed before."""
        settings = self.season.settings
        part, place = divmod(number - 1, settings.draw.links)
        return links(self.book.seed, settings, part)[place + 1]

    @property
    def links_left(self) -> int:
        """How many draws can be made by the chains that are committed."""
        season = self.season
        return season.settings.draw.links * (1 + len(season.chains)) - len(season.links) + 1

    @property
    def next_commitment(self) -> str:
        return links(self.book.seed, self.season.settings, 1 + len(self.season.chains))[0]

    def enter(self, at: int, by: str, act: Act, via: str | None = None) -> Entry:
        """Write the next act. Raises `Taken` when somebody else has been first."""
        entry = behind(self.course.last, at, by, act, via)
        self._repository.append_act(self.tag, entry.seq, written(entry))
        self.fresh.append(entry)
        self.untold.append(entry)
        rewinds = entry.rewind_to is not None
        season = folded(self.entries) if rewinds else applied(self.season, entry)
        assert season is not None, "its founding is never taken back"
        self.course = Course(season, entry)
        return entry

    def coming(self) -> list[Due]:
        """All that is due by itself, the earliest first."""
        return due(self.season, self.away)

    def settle(self) -> None:
        """Note when the clock has something to do here next, where that has changed, and what is new to be told."""
        if not self.fresh and not self.away:
            return
        if self.fresh:
            self._repository.set_season_moved(self.tag, self.course.last.seq)
        first = next((each.at for each in self.coming()), None)
        if first != self.book.due:
            self._repository.set_season_due(self.tag, first)


def links(secret: str, settings: Settings, part: int = 0) -> list[str]:
    """A chain of the season; a pool may need several, and its secret is none of their links."""
    seed = seed_of(secret, part) if settings.format == "pool" else secret
    return chain(seed, settings.draw.links)


def founded(repository: Repository, book: SeasonBook, at: int, by: str, act: Founded) -> SeasonDesk:
    """Enter a new season. Raises `Taken` where there is one of its tag."""
    repository.add_season(book)
    entry = behind(None, at, by, act)
    repository.append_act(book.tag, entry.seq, written(entry))
    desk = SeasonDesk(repository, book, Course(applied(None, entry), entry))
    desk.fresh.append(entry)
    return desk


def course_of(repository: Repository, tag: str, known: Course | None) -> Course:
    """What the log of a season has come to, from memory and what was written since."""
    if known is None:
        return _whole(read(repository.acts(tag)))
    fresh = read(repository.acts(tag, known.last.seq), known.last)
    if any(entry.rewind_to is not None for entry in fresh):
        return _whole(read(repository.acts(tag)))
    season = known.season
    for entry in fresh:
        season = applied(season, entry)
    return Course(season, fresh[-1]) if fresh else known


def _whole(entries: Sequence[Entry]) -> Course:
    season = folded(entries)
    assert season is not None, "every season was founded"
    return Course(season, entries[-1])
