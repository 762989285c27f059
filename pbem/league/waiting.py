"""Who waits for a table of a pool, since when, and when those who wait are looked at next."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from pbem.league.calendar import DAY, later
from pbem.league.pool import Waiting
from pbem.league.state import Season, Table


class Waits(NamedTuple):
    person: int
    since: int  # 0: since before the season began


def next_matching(season: Season) -> int | None:
    """The next day of matchings on which as many wait as the smallest table seats; None where there is none to come."""
    here = sorted(each.since for each in _waits(season))
    least = min(season.settings.table.allowed)
    if len(here) < least:
        return None
    at = _day_behind(season, max(season.unmatched_at, here[least - 1]))
    return at if at < season.calendar.too_late else None


def waiting(season: Season, at: int, mu: Mapping[int, int]) -> list[Waiting]:
    """Who waits on that day of matchings; `mu` in millionths."""
    since = {each.person: each.since for each in _waits(season)}
    return [
        Waiting(
            person=person,
            days=(at - max(since[person], season.calendar.closes)) // DAY,
            mu=mu[person],
            lately=_lately(season, person),
        )
        for person in people_waiting(season, at)
    ]


def people_waiting(season: Season, at: int) -> list[int]:
    return sorted(each.person for each in _waits(season) if each.since < at)


def _waits(season: Season) -> list[Waits]:
    """Whoever is below their load: since they entered, were seated last, or had a table that ended."""
    seated, since = dict.fromkeys(_here(season), 0), {person: _joined(season, person) for person in _here(season)}
    for table in season.tables.values():
        for person in {*table.people, *table.seated} & {*seated}:
            since[person] = max(since[person], season.drawn_at(table), table.noted_at or 0)
            seated[person] += person in table.seated and not table.is_over
    load = season.settings.table.load
    return [Waits(person, since[person]) for person, count in seated.items() if count < load]


def _here(season: Season) -> list[int]:
    return [each.person for each in season.entrants if not season.people[each.person].gone]


def _joined(season: Season, person: int) -> int:
    return season.people[person].joined or 0


def _day_behind(season: Season, after: int) -> int:
    """The first day of matchings behind that instant, at the season's hour."""
    every, first, zone = season.settings.pool.every_days, season.calendar.closes, season.calendar.zone
    number = max(0, (after - first) // (every * DAY))
    while (at := later(first, number * every, zone)) <= after:
        number += 1
    return at


def _lately(season: Season, person: int) -> frozenset[int]:
    """With whom they sat in their newest games."""
    own = [table for table in season.tables.values() if person in table.people]
    newest = sorted(own, key=_order)[-season.settings.pool.again :]
    return frozenset(other for table in newest for other in table.people if other != person)


def _order(table: Table) -> tuple[int, int]:
    return table.draw, table.number
