"""The pages of one season: itself, its groups, tables, draws and acts.

Only those are made anew that an act since then tells of; after acts that concern everybody, all.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from hashlib import sha256
from typing import Any, TypeVar

import msgspec

from pbem.adapters.calendars import Event, dates_ics
from pbem.adapters.site.files import Folder
from pbem.adapters.site.find import keep
from pbem.adapters.site.pages import FeedEntry, SitePages
from pbem.adapters.site.season_files import (
    UNGROUPED,
    WHOLE,
    Told,
    Whole,
    files_of,
    how_of,
    movement_of,
    points_of,
    sheets_of,
    state_of,
)
from pbem.adapters.site.season_find import season_index
from pbem.adapters.site.season_schedule import dates, moves_dates, table_dates
from pbem.adapters.site.season_standings import ended, standings_told
from pbem.league import acts
from pbem.league.figures import group_standings, groups
from pbem.league.log import Entry
from pbem.league.state import Season, Table

T = TypeVar("T")

BY = 100  # tables or acts on a page
LAST = 10  # results on the page of the season
DRAWS = 12  # that it links; each table links its own
OF_A_TABLE = (acts.Begun, acts.Warned, acts.ChangedHands, acts.Noted, acts.Ruled, acts.Scored, acts.Voided, acts.Late)
FED = (  # what feeds tell
    acts.Drawn,
    acts.Sealed,
    acts.Noted,
    acts.Scored,
    acts.Voided,
    acts.Upheld,
    acts.Dismissed,
    acts.Announced,
    acts.Deciding,
    acts.Ended,
    acts.CalledOff,
)
RECENT = 30  # acts in a feed
HIDDEN = (
    acts.Voted,
    acts.Withheld,
    acts.Warned,
    acts.Unmatched,
)  # votes are told with the decision, and a warning is nothing that others do


class SeasonFolder:
    """Writes the folder of a season."""

    def __init__(self, folder: Folder, pages: SitePages, told: Told, entries: Sequence[Entry]) -> None:
        self._folder = folder
        self._pages = pages
        self._told = told
        self._season = told.season
        self._entries = entries
        self.place = place_of(told.season)
        self._put_now: dict[str, str] = {}  # digests of the pages made now

    def write(self, since: int) -> None:
        """All that acts from that number on have changed; 0: everything."""
        tables = self.fresh(since)
        chosen = self._season.tables if tables is None else tables
        shown = [self._season.tables[number] for number in sorted(chosen) if number in self._season.tables]
        for table in shown:
            self._write_table(table)
        for group in self._groups(shown) if tables else groups(self._season) if self._season.is_drawn else ():
            self._write_group(group)
        if tables is None:
            for number in self._season.draws:
                self._write_draw(number)
        self._write_tables()
        if not since or any(moves_dates(entry.act) for entry in self._entries if entry.seq >= since):
            self._write_schedule()
        self._write_acts(since)
        index = season_index(self._season, self.title, self.called)
        keep(self._folder, f"{self.place}search.js", self.place.strip("/"), index)
        sheets = sheets_of(self._told)
        self._write_front([name for name, sheet in sheets.items() if sheet])
        files = dict(files_of(self._told, sheets, self._digests(since)))
        self._folder.write(f"{self.place}feed.xml", self.feed(self.place))
        for name, raw in files.items():
            self._folder.write(f"{self.place}{name}", raw)

    def fresh(self, since: int) -> set[int] | None:
        """The tables that acts from that number on tell of; None where one concerns more."""
        return touched(self._season, [entry for entry in self._entries if entry.seq >= since])

    def _groups(self, tables: Sequence[Table]) -> list[str]:
        return sorted({table.drawn.group for table in tables if table.drawn})

    # -- pages ---

    def _put(self, under: str, template: str, heading: str, **facts: Any) -> None:
        """`under` is "" for the page of the season itself."""
        title = f"{self.title}: {heading}" if under else heading
        shared = {"told": self._told, "season": self._season, "called": self.called, "whole": self.title}
        shared |= {"says_date": self._date}
        facts |= {"heading": heading, "to": "../" * under.count("/"), "description": title}
        place = f"{self.place}{under}"
        self._pages.put(self._folder, place, template, title, here="leagues", **shared, **facts)
        self._put_now[f"{under}index.html"] = sha256(self._folder.read(f"{place}index.html") or b"").hexdigest()

    def _digests(self, since: int) -> dict[str, str]:
        """Of all pages, by their paths: those of pages that were not made now are known."""
        known = self._folder.load(f"{self.place}{WHOLE}", Whole) if since else None
        old = known.digests if known else {}
        return {**{name: digest for name, digest in old.items() if name.endswith(".html")}, **self._put_now}

    @property
    def title(self) -> str:
        settings, number = self._season.settings, self._season.founded.season
        return self._pages.say("site.season_of", league=settings.titled(self._pages.language), number=number)

    def called(self, person: int | None) -> str:
        if person is None:
            return self._pages.say("site.league_bot")
        return self._told.name(person) or self._pages.say("site.player_number", person=person)

    def _write_front(self, sheets: Sequence[str]) -> None:
        over = sorted((each for each in self._season.tables.values() if each.is_over), key=ended, reverse=True)
        leaders = {name: group_standings(self._season, name)[:3] for name in groups(self._season)}
        self._put(
            "",
            "season",
            self.title,
            phase=self._season.phase,
            leaders=leaders if self._season.is_drawn else {},
            results=[(table, self._finishes(table)) for table in over[:LAST]],
            movement=movement_of(self._season),
            imported=self._told.published.imported,
            count=sum(table.is_over for table in self._season.tables.values()),
            sheets=sheets,
            draws=[*self._season.draws][-DRAWS:],
        )

    def _write_group(self, group: str) -> None:
        lines = standings_told(self._season, self._entries, group)
        tables = [each for each in self._season.tables.values() if each.drawn and each.drawn.group == group]
        ties = [tie for tie in self._season.settings.scoring.ties if tie != "lot"]
        title = self._pages.say("site.group", group=group) if group else self._pages.say("site.all_in_one")
        facts = {"lines": lines, "ties": ties, "has_positions": any(line.positions for line in lines)}
        results = [(table, self._finishes(table)) for table in tables]
        self._put(f"{group or UNGROUPED}/", "season_group", title, results=results, **facts)

    def _write_tables(self) -> None:
        title = self._pages.say("site.tables")
        rows = [(table, self._finishes(table)) for table in self._season.tables.values()]
        for number, count, part in _by_hundred(rows):
            self._put(f"tables/{_page(number)}", "season_tables", title, rows=part, page=number, pages=count)

    def _write_schedule(self) -> None:
        heading, tag = self._pages.say("site.schedule"), self._season.tag
        days = dates(self._entries)
        rows = table_dates(self._season, self._entries)
        for number, count, part in _by_hundred(rows):
            facts = {"rows": part, "page": number, "pages": count, "dates": days, "tag": tag}
            self._put(f"schedule/{_page(number)}", "season_schedule", heading, **facts)
        told = [
            Event(uid=self._id(date.what), at=date.at, since=date.since, summary=self._said(date.what)) for date in days
        ]
        self._folder.write(f"{self.place}schedule/{tag}.ics", dates_ics(told))

    def _said(self, what: str) -> str:
        return f"{self.title}: {self._date(what)}"

    def _date(self, what: str) -> str:
        """What happens then; a pool does not close."""
        is_open = what == "closes" and self._season.settings.format == "pool"
        return self._pages.say("site.dates.pool" if is_open else f"site.dates.{what}")

    def _id(self, what: str) -> str:
        """Of something in this season, for ever."""
        return self._pages.entry_id(self._entries[0].at, f"{self.place}{what}")

    def _write_table(self, table: Table) -> None:
        about = [entry for entry in self._entries if getattr(entry.act, "table", None) == table.number]
        is_here = self._told.published.imported is None
        facts = {
            "is_here": is_here,
            "table": table,
            "state": state_of(table),
            "how": how_of(table),
            "finishes": self._finishes(table),
        }
        self._put(f"tables/{table.number}/", "season_table", f"T-{table.number}", **facts, acts=self._acts(about))

    def _write_draw(self, number: int) -> None:
        draw = self._season.draws[number]
        before = self._link_before(draw.link) if draw.link else ""
        place = f"draws/{number}/"
        self._put(place, "season_draw", f"D-{number}", draw=draw, before=before)
        drawings = msgspec.to_builtins(draw.drawings, str_keys=True)
        self._folder.store(f"{self.place}{place}drawing.json", {"link": draw.link, "drawings": drawings})

    def _link_before(self, link: str) -> str:
        """What its SHA-256 is."""
        place = self._season.links.index(link)
        is_first = place % self._season.settings.draw.links == 1
        return self._season.commitment_of(link) if is_first else self._season.links[place - 1]

    def _write_acts(self, since: int) -> None:
        """Pages that are full stay as they are, but for a new one among their links: the newest is in front."""
        title = self._pages.say("site.league_acts")
        shown = [entry for entry in self._entries if not isinstance(entry.act, HIDDEN)]
        known, front = sum(entry.seq < since for entry in shown), (len(shown) - 1) // BY
        first = front if (known - 1) // BY == front else 0
        for number, count, part in [*_by_hundred(shown)][first:]:
            under = f"acts/{_page(number, front=count)}"
            self._put(under, "season_acts", title, acts=self._acts(part), page=number, pages=count)

    def feed(self, place: str, without: tuple[type[acts.Act], ...] = ()) -> str:
        """What happened lately, as a feed that lies there."""
        fed = [entry for entry in self._entries if isinstance(entry.act, FED) and not isinstance(entry.act, without)]
        told = fed[: -RECENT - 1 : -1]
        return self._pages.feed_of(self.title, place, [self._fed(entry) for entry in told])

    def _fed(self, entry: Entry) -> FeedEntry:
        sentence, id_ = self._sentence(entry.act), self._id(f"A-{entry.seq}")
        link = f"{self.place}{self._link(entry.act)}"
        seats = sorted(getattr(entry.act, "seats", ()), key=lambda seat: seat.place)
        told = tuple(f"{seat.place}. {self.called(seat.person)} {points_of(seat.points)}" for seat in seats)
        return FeedEntry(id=id_, title=f"{self._season.tag}: {sentence}", at=entry.at, link=link, told=told)

    def _link(self, act: acts.Act) -> str:
        """To the page under that of the season which tells most of it."""
        match act:
            case acts.Noted() | acts.Scored() | acts.Voided():
                return f"tables/{act.table}/"
            case acts.Drawn() | acts.Sealed():
                return f"draws/{act.number}/"
            case _:
                return ""

    # -- facts ---

    def _acts(self, entries: Sequence[Entry]) -> list[tuple[Entry, str]]:
        """Each with its sentence, the newest first."""
        shown = (entry for entry in reversed(entries) if not isinstance(entry.act, HIDDEN))
        return [(entry, self._sentence(entry.act)) for entry in shown]

    def _sentence(self, act: acts.Act) -> str:
        facts = {key: getattr(act, key) for key in act.__struct_fields__}
        return self._pages.say(f"league_act.{act.__struct_config__.tag}", called=self.called, **facts)

    def _finishes(self, table: Table) -> list[acts.SeatResult]:
        result = table.by_hand or table.noted
        return sorted(result.seats, key=lambda seat: seat.place) if result else []


def place_of(season: Season) -> str:
    return f"leagues/{season.founded.league}/{season.founded.season}/"


def touched(season: Season, fresh: Sequence[Entry]) -> set[int] | None:
    """The tables that these acts tell of; None where one concerns more than tables."""
    tables: set[int] = set()
    for entry in fresh:
        if not isinstance(entry.act, OF_A_TABLE) or entry.act.table not in season.tables:
            return None
        tables.add(entry.act.table)
        if isinstance(entry.act, acts.Begun | acts.ChangedHands):  # by their first game people get a page to lead to
            people = {*season.tables[entry.act.table].seated}
            tables |= {each.number for each in season.tables.values() if people & {*each.seated}}
    return tables


def _by_hundred(rows: Sequence[T]) -> Iterator[tuple[int, int, Sequence[T]]]:
    """The number of each page, how many there are, and its rows."""
    count = max(1, -(-len(rows) // BY))
    for number in range(1, count + 1):
        yield number, count, rows[(number - 1) * BY : number * BY]


def _page(number: int, front: int = 1) -> str:
    """Where it is under its fellows."""
    return "" if number == front else f"page-{number}/"
