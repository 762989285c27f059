"""The files of a season that anybody may take along: its log, its settings, and its figures.

CSV after RFC 4180, instants after ISO 8601 in UTC, points with two decimals; people by number and chosen name.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from hashlib import sha256
from typing import Any

import msgspec
import yaml
from msgspec import Struct

from pbem.adapters.site.sheets import Sheet, csv_of, iso
from pbem.host.leagues.published import PublishedSeason
from pbem.league.acts import Noted, Scored, SeatResult
from pbem.league.figures import division_of, group_standings, groups, services
from pbem.league.log import read
from pbem.league.movement import moved
from pbem.league.points import HUNDRED
from pbem.league.ranking import WIN
from pbem.league.ratings import DIGITS
from pbem.league.season import folded
from pbem.league.state import Season, Table

SCHEMA = "pbem-league/1"
LOG, SETTINGS, WHOLE = "log.jsonl", "league.yaml", "season.json"
UNGROUPED = "all"  # where the standings are of a season that has no groups


class Told(Struct, frozen=True, kw_only=True):
    """A season as it is published, and what its log folds to."""

    published: PublishedSeason
    season: Season

    def name(self, person: int | None) -> str:
        """As they chose to be called; "" of a bot, and of whoever has no name."""
        return self.published.names.get(person, "") if person is not None else ""

    def has_page(self, person: int | None) -> bool:
        """Have they a page among the players'? Whoever has begun a game has."""
        begun = (table for table in self.season.tables.values() if table.begun is not None)
        return any(person in table.seated for table in begun)


def told_of(published: PublishedSeason) -> Told:
    """Raises `BrokenLink`."""
    season = folded(read(published.log))
    assert season is not None, "every season was founded"
    return Told(published=published, season=season)


class Whole(Struct, frozen=True, kw_only=True):
    """What is read of the file of the whole season: what it tells of the others, and what only it tells."""

    digests: Mapping[str, str] = {}
    imported: str = ""  # when it came here, if it was played elsewhere


def files_of(told: Told, sheets: Mapping[str, Sheet], pages: Mapping[str, str]) -> Iterator[tuple[str, bytes]]:
    """Names and contents; the last tells the digests of the others, and those of the pages, which are given."""
    files = {
        LOG: b"".join(line + b"\n" for line in told.published.log),
        SETTINGS: _yaml(told.season.founded.settings),
        **{f"{name}.csv": csv_of(sheet) for name, sheet in sheets.items() if sheet},
        "standings.json": _json(sheets["standings"]),
    }
    yield from files.items()
    digests = {name: sha256(raw).hexdigest() for name, raw in files.items()}
    yield WHOLE, _json(_whole(told, sheets, {**digests, **{name: pages[name] for name in sorted(pages)}}))


def sheets_of(told: Told) -> dict[str, Sheet]:
    """The figures, row by row, with the names of their columns."""
    taken = {(person, number) for person, number, _ in services(told.season)}
    return {
        "entrants": [*_entrants(told)],
        "tables": [_table(told, table) for table in told.season.tables.values()],
        "results": [row for table in told.season.tables.values() for row in _results(told, table, taken)],
        "standings": [*_standings(told)],
        "ratings": [*_ratings(told)],
    }


# -- rows ---


def _entrants(told: Told) -> Iterator[dict[str, Any]]:
    season = told.season
    lucks = {each.person: each.luck for each in season.entrants}
    for number in sorted(season.people):
        own = season.people[number]
        yield {
            "season": season.tag,
            "person": number,
            "name": told.name(number),
            "plays": "yes" if number in lucks else "no",
            "gone": own.gone,
            "luck": lucks.get(number, ""),
            "group": season.group_of(number) or "",
            "late": own.late,
            "penalty": points_of(own.penalty),
        }


def _table(told: Told, table: Table) -> dict[str, Any]:
    """As it was drawn and begun; what it came to stands among the results."""
    return {**_place(told, table), "people": " ".join(map(str, table.people))}


def _place(told: Told, table: Table) -> dict[str, Any]:
    group = table.drawn.group if table.drawn else ""
    return {
        "season": told.season.tag,
        "division": division_of(group),
        "group": group,
        "draw": table.draw,
        "table": table.number,
        "game": table.game,
        "began": iso(table.begun),
    }


def _end(table: Table) -> dict[str, str]:
    return {"ended": iso(table.noted_at), "how": how_of(table)}


def _results(told: Told, table: Table, taken: Collection[tuple[int, int]]) -> Iterator[dict[str, Any]]:
    """`taken` has the services: who took a seat over, and at which table."""
    result = table.by_hand or table.noted
    positions = {chair.person: chair.position for chair in table.drawn.chairs} if table.drawn else {}
    for seat in result.seats if result else ():
        yield {
            **_place(told, table),
            **_end(table),
            "seat": seat.seat,
            "person": "" if seat.person is None else seat.person,
            "name": told.name(seat.person),
            "position": positions.get(seat.seat, ""),
            **_came(seat, rated=is_rated(told.season, table)),
            **_held(table, seat),
            "services": "yes" if (seat.person, table.number) in taken else "",
        }


def _came(seat: SeatResult, *, rated: bool) -> dict[str, Any]:
    score = "" if seat.score is None else seat.score
    return {"place": seat.place, "score": score, "points": points_of(seat.points), "rated": "yes" if rated else "no"}


def _held(table: Table, seat: SeatResult) -> dict[str, str]:
    """From when to when whoever sat there at the end did; a seat that changed hands tells by which entry."""
    came = next((each.entry for each in reversed(table.left) if each.seat == seat.seat), None)
    return {"held_from": iso(table.begun) if came is None else f"entry {came}", "held_to": iso(table.noted_at)}


def _standings(told: Told) -> Iterator[dict[str, Any]]:
    for group in groups(told.season) if told.season.is_drawn else ():
        for row in group_standings(told.season, group):
            yield {
                "season": told.season.tag,
                "division": division_of(group),
                "group": group,
                "place": row.place,
                "person": row.line,
                "name": told.name(row.line),
                "played": row.played,
                "points": points_of(row.points),
                "wins": f"{row.wins / WIN:.2f}",
                "direct": row.direct,
                "seconds": row.seconds,
                "strength": points_of(row.strength),
                "share": f"{row.share / 1000:.3f}",
                "late": row.late,
            }


def _ratings(told: Told) -> Iterator[dict[str, Any]]:
    """What each table made of whose rating; settled by the season's own measure."""
    tables = told.season.tables.values()
    places = {told.season.game_of(table): (table.number, _seats(table)) for table in tables}
    for step in told.published.ratings:
        number, seats = places.get(step.game, ("", {}))
        rating = step.rating.rounded()
        yield {
            "season": told.season.tag,
            "table": number,
            "game": step.game,
            "ended": iso(step.end),
            "person": step.person,
            "name": told.name(step.person),
            "place": seats.get(step.person, ""),
            "rating": f"{rating.strength.shown:.1f}",
            "mu": f"{rating.mu:.{DIGITS}f}",
            "sigma": f"{rating.sigma:.{DIGITS}f}",
            "games": step.games,
            "settled": "yes" if rating.settled(told.season.settings.rating.provisional) else "no",
        }


def _seats(table: Table) -> dict[int | None, int]:
    result = table.by_hand or table.noted
    return {seat.person: seat.place for seat in result.seats} if result else {}


def points_of(hundredths: int) -> str:
    """With two decimals, whatever a machine thinks of fractions."""
    return f"{'-' if hundredths < 0 else ''}{abs(hundredths) // HUNDRED}.{abs(hundredths) % HUNDRED:02d}"


def is_rated(season: Season, table: Table) -> bool:
    result = table.by_hand or table.noted
    counts = isinstance(result, Noted | Scored) and result.rated and not getattr(result, "void", False)
    return season.settings.rating.rated == "yes" and counts


def state_of(table: Table) -> str:
    """over, running or waiting."""
    return "over" if table.is_over else "running" if table.begun is not None else "waiting"


def how_of(table: Table) -> str:
    """How it ended, in a word; "" while it has not."""
    if table.by_hand is not None:
        return "hand"
    if table.noted is None:
        return ""
    return "void" if table.noted.void else table.noted.how


# -- the whole ---


def movement_of(season: Season) -> list[dict[str, int]]:
    """Who begins the next season in another division than this one's, if everybody goes on."""
    if season.ended is None or not season.ended.borders:
        return []
    order = season.ended.order
    was = {person: number for number, level in enumerate(order, 1) for person in level}
    levels = enumerate(moved(order, season.ended.borders, (), ()), 1)
    now = {person: number for number, level in levels for person in level}
    return [{"person": each, "from": was[each], "to": now[each]} for each in was if was[each] != now[each]]


def _whole(told: Told, sheets: Mapping[str, Sheet], digests: Mapping[str, str]) -> dict[str, Any]:
    season = told.season
    return {
        "schema": SCHEMA,
        "league": season.founded.league,
        "season": season.founded.season,
        "phase": season.phase,
        "imported": iso(told.published.imported),
        "settings": season.settings,
        "calendar": season.calendar,
        "commitment": season.founded.commitment,
        "entrants": sheets["entrants"],
        "groups": [{"name": name, "people": people} for name, people in season.groups.items()],
        "draws": [draw for draw in season.draws.values() if not draw.is_closed],
        "tables": [*map(_whole_table, sheets["tables"], season.tables.values())],
        "results": sheets["results"],
        "standings": sheets["standings"],
        "movement": movement_of(season),
        "ratings": sheets["ratings"],
        "acts": [msgspec.json.decode(line) for line in told.published.log],
        "digests": digests,
    }


def _whole_table(row: Mapping[str, Any], table: Table) -> dict[str, Any]:
    return {**row, **_end(table), "state": state_of(table)}


def _json(value: object) -> bytes:
    return msgspec.json.encode(msgspec.to_builtins(value, str_keys=True)) + b"\n"


def _yaml(settings: object) -> bytes:
    plain: Any = msgspec.to_builtins(settings)
    return yaml.safe_dump(_lists(plain), allow_unicode=True, sort_keys=False).encode()


def _lists(value: Any) -> Any:
    """Without tuples, which YAML has not."""
    if isinstance(value, dict):
        return {key: _lists(each) for key, each in value.items()}
    return [_lists(each) for each in value] if isinstance(value, list | tuple) else value
