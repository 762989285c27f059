"""What is published of leagues: the folder of each season, and the pages that tell of several."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec import Struct

from pbem.adapters.site.files import Folder
from pbem.adapters.site.find import keep
from pbem.adapters.site.pages import SitePages
from pbem.adapters.site.records import SeasonLine
from pbem.adapters.site.season_files import LOG, Told, movement_of, told_of
from pbem.adapters.site.season_lines import lines_of
from pbem.adapters.site.season_pages import SeasonFolder, place_of
from pbem.host.leagues.published import PublishedSeason
from pbem.league.acts import Noted
from pbem.league.log import Entry, live, read
from pbem.league.state import Season


class SeasonCard(Struct, frozen=True, kw_only=True):
    """A season in the lists."""

    number: int
    title: str
    phase: str
    game: str
    format: str
    open_to: str
    opens: int
    closes: int
    ends: int
    people: int
    tables: int
    honours: Mapping[str, Sequence[str]] = {}  # names by what they are honoured for
    made: str


class LeagueFolders:
    """Puts seasons into their folders; the lists of them are brought up at the end."""

    def __init__(self, folder: Folder, pages: SitePages) -> None:
        self._folder = folder
        self._pages = pages
        self._moved: dict[str, None] = {}
        self.names: dict[int, str] = {}  # of people as they are called now
        self.former: dict[int, str] = {}  # as they were called when a season ended
        self.lines: dict[int, dict[str, SeasonLine]] = {}  # by person, then by season

    def keep(self, published: PublishedSeason) -> None:
        """Write what is new of a season, all or nothing. Raises `BrokenLink`."""
        entries = read(published.log)
        told = told_of(published)
        season = told.season
        with self._folder.at_once():
            writer = SeasonFolder(self._folder, self._pages, told, live(entries))
            since = self._known(place_of(season), published, entries)
            writer.write(since)
            self._keep_names(published)
            self._store_card(told, writer)
            if published.number == max(map(int, self._cards(published.league))):
                place = f"leagues/{published.league}/"
                self._folder.write(f"{place}feed.xml", writer.feed(place, without=(Noted,)))
        self._moved[published.league] = None
        now = {person: name for person, name in published.names.items() if season.ended is None or not name}
        self.names |= now
        self.former |= published.names
        for person, line in lines_of(told, writer.title, writer.fresh(since)):
            self.lines.setdefault(person, {})[line.tag] = line

    def _keep_names(self, published: PublishedSeason) -> None:
        names = {str(person): published.names[person] for person in sorted(published.names)}
        self._folder.store(_names_of(published), names)

    def _known(self, place: str, published: PublishedSeason, entries: Sequence[Entry]) -> int:
        """How many acts its pages tell already; 0 where other words made them, or what they tell was taken back.

        So it is where they call somebody otherwise than now.
        """
        league, number = published.league, str(published.number)
        card = self._cards(league).get(number)
        logged = (self._folder.read(f"{place}{LOG}") or b"").splitlines()
        same = [*published.log[: len(logged)]] == logged
        called = self._folder.load(_names_of(published), dict[int, str]) or {}
        back = any(name != published.names.get(person, name) for person, name in called.items())
        back |= any(entry.rewind_to is not None for entry in entries[len(logged) :])
        return len(logged) if same and not back and card is not None and card.made == self._pages.made else 0

    def bring_up(self) -> None:
        """The pages of the leagues that have moved, and the list of all; there is one where there are none, too."""
        names = self._folder.names("data/leagues")
        for name in [*self._moved, *(name for name in names if name not in self._moved and self._is_old(name))]:
            self._write_league(name)
        cards = ((name, number, card) for name in names for number, card in self._cards(name).items())
        found = sorted((-card.opens, f"leagues/{name}/{number}") for name, number, card in cards)
        keep(self._folder, "search/seasons.js", "seasons", [place for _, place in found])
        say = self._pages.say
        leagues = [(name, _newest_first(self._cards(name))) for name in names]
        self._pages.put(self._folder, "leagues/", "leagues", say("site.leagues"), here="leagues", leagues=leagues)

    def _is_old(self, name: str) -> bool:
        return any(card.made != self._pages.made for card in self._cards(name).values())

    def _cards(self, league: str) -> Mapping[str, SeasonCard]:
        return self._folder.load(f"data/leagues/{league}.json", dict[str, SeasonCard]) or {}

    def _store_card(self, told: Told, writer: SeasonFolder) -> None:
        published = told.published
        cards = {**self._cards(published.league), str(published.number): self._card(told, writer)}
        self._folder.store(f"data/leagues/{published.league}.json", cards)

    def _card(self, told: Told, writer: SeasonFolder) -> SeasonCard:
        season, calendar = told.season, told.season.calendar
        honours = honours_of(season)
        return SeasonCard(
            number=season.founded.season,
            title=season.settings.titled(self._pages.language),
            phase=season.phase,
            game=season.settings.game,
            format=season.settings.format,
            open_to=season.settings.entry.open_to,
            opens=calendar.opens,
            closes=calendar.closes,
            ends=calendar.ends,
            people=len(season.entrants) or sum(not each.gone for each in season.people.values()),
            tables=len(season.tables),
            honours={kind: [writer.called(person) for person in people] for kind, people in honours.items()},
            made=self._pages.made,
        )

    def _write_league(self, name: str) -> None:
        cards, put = _newest_first(self._cards(name)), self._pages.put
        title = cards[0].title
        put(self._folder, f"leagues/{name}/", "league", title, here="leagues", name=name, cards=cards)
        honours = self._pages.say("site.honours_of", league=title)
        put(self._folder, f"leagues/{name}/honours/", "honours", honours, here="leagues", name=name, cards=cards)


def honours_of(season: Season) -> Mapping[str, Sequence[int]]:
    """People by what they are honoured for; nothing before the season is over."""
    if season.ended is None:
        return {}
    promoted = [each["person"] for each in movement_of(season) if each["to"] < each["from"]]
    others = {kind: people for kind, people in season.ended.honours.items() if kind != "champion"}
    return {"champion": season.ended.honours.get("champion", ()), "promotions": promoted, **others}


def _names_of(published: PublishedSeason) -> str:
    """Where it is kept how the pages of the season call people."""
    return f"data/seasons/{published.tag}.json"


def _newest_first(cards: Mapping[str, SeasonCard]) -> list[SeasonCard]:
    return sorted(cards.values(), key=lambda card: -card.number)
