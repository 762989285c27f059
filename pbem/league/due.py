"""What is due in a season, and when: the host looks at the earliest instant, does it, and writes the act.

Whatever is done changes the fold, so that nothing is due twice; killed in between, it is due again.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Literal, NamedTuple

from pbem.league.calendar import DAY, HOUR, later
from pbem.league.settings import DRAWN
from pbem.league.state import Season, Table
from pbem.league.veil import next_unsealed
from pbem.league.waiting import next_matching

What = Literal[
    "open",
    "call",
    "close",
    "beacon",
    "divide",
    "draw",
    "match",
    "begin",
    "ask",
    "warn",
    "lacking",
    "limit",
    "void",
    "stop",
    "count",
    "out",
    "unanswered",
    "unseal",
    "decide",
    "end",
    "found",
]
WARNINGS = (7 * 24, 24)  # hours before a table's end
BEACON = 3 * DAY  # a draw waits so long for its public number, then it is made without
LACKING = 5 * DAY  # a table that has not begun waits so long for somebody in the place of who left
LEAST_SILENT = 2  # seats lost by silence, before somebody loses all


class Due(NamedTuple):
    at: int
    what: What
    about: int = 0  # a table, a draw, or hours for a warning and a petition in `more`
    more: int = 0
    needs_poll: bool = False  # only after a whole look into the mailbox that began later than the instant


def due(season: Season, away: Mapping[int, int] | None = None) -> list[Due]:
    """All that is to come, the earliest first. `away` tells until when somebody is away, by person."""
    return sorted(_all(season, away or {}))


def _all(season: Season, away: Mapping[int, int]) -> Iterator[Due]:
    calendar = season.calendar
    match season.phase:
        case "founded":
            if season.settings.season.repeat == "yes":
                yield Due(calendar.opens, "open")
        case "entries" | "muster":
            if not season.called and season.closed_at is None and calendar.musters is not None:
                yield Due(calendar.musters, "call")
            yield from _closing(season)
        case "drawn" | "playing":
            yield from _votes(season)
            yield from _unsealing(season)
            yield from _playing(season, away)
        case "deciding":
            yield from _votes(season)
            yield from _unsealing(season)
            if season.until is not None and all(each.upheld is not None for each in season.objections.values()):
                yield Due(season.until, "end")


def _unsealing(season: Season) -> Iterator[Due]:
    number = next_unsealed(season)
    if number is not None:
        yield Due(season.draws[number].at, "unseal", number)


def _closing(season: Season) -> Iterator[Due]:
    if season.closed_at is None:
        yield Due(season.calendar.closes, "close", needs_poll=True)
    elif season.groups:
        yield _lots(season, Due(season.closed_at, "draw", 1))
    else:
        yield _lots(season, Due(season.closed_at, "divide"))


def _lots(season: Season, what: Due) -> Due:
    """Behind the public number that goes into them, if the league wants one: it is waited for, but not for ever."""
    number = max(1, what.about)
    if not season.settings.draw.beacon or season.beacon_of(number):
        return what
    asked = season.beacons.get(number)
    if asked is None:
        return Due(what.at, "beacon", number)
    return what._replace(at=max(what.at, asked.asked_at + BEACON))


UNANSWERED = 14 * DAY  # an objection: whoever leads the season is gone


def _votes(season: Season) -> Iterator[Due]:
    for number, each in season.objections.items():
        asked = (petition for petition in season.petitions.values() if petition.asked.person is None)
        if each.upheld is None and all(petition.at < each.at for petition in asked):
            yield Due(each.at + UNANSWERED, "unanswered", number)
    for petition in season.petitions.values():
        if petition.status == "open":
            yield Due(petition.asked.closes, "count", petition.asked.number, needs_poll=True)


def _playing(season: Season, away: Mapping[int, int]) -> Iterator[Due]:
    for table in season.tables.values():
        if table.begun is not None and not table.is_over:
            yield from _running(season, table)
    for table, at in beginnings(season, away):
        yield Due(at, "begin", table.number)
    for table in season.tables.values():
        if table.vacated is not None and not table.is_over:
            yield Due(table.vacated + LACKING, "lacking", table.number)
    for person in silent(season):
        yield Due(season.calendar.closes, "out", person)
    if season.settings.format in DRAWN:
        yield from _drawing(season)
    elif season.settings.format == "pool":
        yield from _matching(season)
    if all(table.is_over for table in season.tables.values()):
        yield Due(season.calendar.ends, "decide")
    else:
        yield Due(season.calendar.ends, "stop", needs_poll=True)


def _drawing(season: Season) -> Iterator[Due]:
    """None is made of tables that would be void at once."""
    made = max(season.draws)
    at = _next_draw(season, made)
    if at is not None and at < season.calendar.too_late:
        yield _lots(season, Due(at, "draw", made + 1, needs_poll=True))
    else:
        yield from _not_begun(season)


def _matching(season: Season) -> Iterator[Due]:
    """Day after day while enough people wait."""
    at = next_matching(season)
    if at is not None:
        yield Due(at, "match", needs_poll=True)
    else:
        yield from _not_begun(season)


def _not_begun(season: Season) -> Iterator[Due]:
    for table in season.tables.values():
        if table.begun is None and not table.is_over:
            yield Due(season.calendar.too_late, "void", table.number)


def _next_draw(season: Season, made: int) -> int | None:
    """It does not wait for tables, but in a cup: there nobody knows before who is left. None: there is none now."""
    at = later(season.draws[made].at, season.settings.rounds.days, season.calendar.zone)
    if season.settings.format != "cup":
        return at if made < season.settings.draws else None
    tables = [season.tables[number] for number in season.draws[made].tables]
    if len(tables) == 1 or not all(table.is_over for table in tables):
        return None
    return max(at, *(table.noted_at or 0 for table in tables))


def _running(season: Season, table: Table) -> Iterator[Due]:
    end = end_of(season, table)
    for hours in WARNINGS:
        if hours not in table.warned and table.begun is not None and end - hours * HOUR > table.begun:
            yield Due(end - hours * HOUR, "warn", table.number, hours)
    for number, search in table.searches.items():
        if not search.over and not search.filled:
            yield Due(search.at + season.settings.reserves.hours * HOUR, "ask", table.number, number)
    if end < season.calendar.ends:
        yield Due(end, "limit", table.number, needs_poll=True)


def silent(season: Season) -> list[int]:
    """Who has lost too large a part of their seats by silence to go on."""
    lost: dict[int, int] = {}
    for table in season.tables.values():
        for each in table.left:
            if each.silent and each.leaves is not None:
                lost[each.leaves] = lost.get(each.leaves, 0) + 1
    share = season.settings.leaving.share
    return [
        person
        for person, count in sorted(lost.items())
        if count >= LEAST_SILENT
        and 100 * count >= share * (count + len(season.running(person)))
        and person in season.people
        and not season.people[person].gone
    ]


def end_of(season: Season, table: Table) -> int:
    """When time ends a running table: its days without pauses of the league, or the season's end."""
    days = season.settings.limits.game_days
    if table.limit is not None:
        return min(table.limit, season.calendar.ends)
    if not days or table.begun is None:
        return season.calendar.ends
    return min(_counted(season, table.begun, days * DAY), season.calendar.ends)


def _counted(season: Season, start: int, length: int) -> int:
    """So many seconds later, of those that no pause of the league takes."""
    end = start + length
    for pause in sorted(season.pauses, key=lambda each: each.start):
        if pause.start < end and pause.end is not None:
            end += max(0, pause.end - max(pause.start, start))
    return end


# -- what begins ---


AWAY = 48 * HOUR  # longer than that, and a table waits
WAITS = 14 * DAY  # at most so long


def beginnings(season: Season, away: Mapping[int, int]) -> list[tuple[Table, int]]:
    """The tables that can begin and when, in the order of their numbers; nobody is ever above their load."""
    load = season.settings.table.load
    running, freed = _load(season), _freed(season)
    found = []
    for table in sorted(season.tables.values(), key=lambda each: each.number):
        waits = table.begun is None and not table.is_over and table.is_whole
        if waits and all(running.get(person, 0) < load for person in table.seated):
            at = _out_of_pause(season, _begins(season, table, freed, away))
            if at is not None:
                found.append((table, at))
            for person in table.seated:
                running[person] = running.get(person, 0) + 1
    return found


def _out_of_pause(season: Season, at: int) -> int | None:
    """When it is over, for what would fall into a pause of the league; None: nobody has said when that is."""
    for pause in sorted(season.pauses, key=lambda each: each.start):
        if pause.start <= at and (pause.end is None or at < pause.end):
            if pause.end is None:
                return None
            at = pause.end
    return at


def in_pause(season: Season, at: int) -> bool:
    """Does the league pause then?"""
    return _out_of_pause(season, at) != at


def _load(season: Season) -> dict[int, int]:
    found: dict[int, int] = {}
    for table in season.tables.values():
        for person in table.seated if table.begun is not None and not table.is_over else ():
            found[person] = found.get(person, 0) + 1
    return found


def _begins(season: Season, table: Table, freed: Mapping[int, int], away: Mapping[int, int]) -> int:
    """At once; with somebody away when they are back, at most two weeks late."""
    free = max(season.drawn_at(table), *(freed.get(person, 0) for person in table.seated))
    back = max((away.get(person, 0) for person in table.seated), default=0)
    return free if back - free <= AWAY else min(back, free + WAITS)


def _freed(season: Season) -> dict[int, int]:
    """When a table of theirs ended last, by person."""
    found: dict[int, int] = {}
    for table in season.tables.values():
        for person in table.people if table.noted_at is not None else ():
            found[person] = max(found.get(person, 0), table.noted_at or 0)
    return found


def entered(season: Season) -> tuple[list[int], list[int]]:
    """Who plays when entries close, and who is left out: not mustered, or behind the last place, by arrival."""
    mustered = season.calendar.musters is not None and season.called
    here = [(person, each) for person, each in season.people.items() if not each.gone]
    willing = sorted(
        (each.since, person) for person, each in here if each.answer or (each.answer is None and not mustered)
    )
    most = season.settings.entry.most or len(willing)
    plays = {person for _, person in willing[:most]}
    return sorted(plays), sorted(person for person, _ in here if person not in plays)
