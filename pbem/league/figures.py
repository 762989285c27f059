"""What the tables of a season come to: standings, the order of divisions, who goes up and down, what is rated."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from string import ascii_lowercase
from typing import Any

from msgspec.structs import replace

from pbem.league import acts
from pbem.league.lots import key_of, lot_order
from pbem.league.points import HUNDRED, MEAN
from pbem.league.ranking import Charges, Finish, Row, across, standings
from pbem.league.ratings import RatedSeat, RatedTable
from pbem.league.state import Person, Season, Table

PLAIN = 500  # the mean that costs are written for


def charges(season: Season, person: Person) -> Charges:
    """What counts against somebody, in the points of the season's system."""
    settings = season.settings
    late = max(0, person.late - person.forgiven)
    lateness = min(settings.lateness.most, settings.lateness.cost * max(0, late - settings.lateness.free))
    leaving = 0 if person.excused else settings.leaving.cost * person.left
    times = MEAN[settings.scoring.system] // PLAIN
    return Charges(off=times * (person.penalty + HUNDRED * (lateness + leaving)), late=late)


# -- standings ---


def groups(season: Season) -> Mapping[str, Sequence[int]]:
    """Who is compared with whom, by the name of the group; where tables are drawn again and again all are one, ""."""
    return season.groups or {"": [each.person for each in season.entrants]}


def group_standings(season: Season, name: str = "") -> list[Row]:
    """The rows of a group as they are now; tables that are not over don't count."""
    people, scoring = groups(season)[name], season.settings.scoring
    counted = season.settings.pool.best if season.settings.format == "pool" else scoring.counted
    tables = [finishes(season, table) for table in _tables(season, name)]
    own = {person: charges(season, season.people[person]) for person in people}
    lots = _lots(season, name)
    ties: Any = scoring.ties  # words that are known, or the settings would have been refused
    return standings(people, [each for each in tables if each], ties, lots, own, counted)


def _tables(season: Season, name: str) -> list[Table]:
    own = [each for each in season.tables.values() if each.drawn is not None and each.drawn.group == name]
    return sorted(own, key=lambda each: each.number)


def _lots(season: Season, name: str) -> dict[int, int]:
    """By the season's first draw; while that is sealed in the order of the numbers."""
    first, people = season.draws.get(1), sorted(groups(season)[name])
    for drawing in first.drawings if first else ():
        if drawing.inputs.get("group", "") == name and first:
            return lot_order(people, key_of(first.link, drawing.inputs), f"ties {name}".strip())
    return {person: place for place, person in enumerate(people)}


def finishes(season: Season, table: Table) -> list[Finish]:
    """What a table that is over counts for; nothing for one that is not, or void where that gives nothing."""
    result = table.by_hand or table.noted
    if result is None or table.drawn is None:
        return []
    if isinstance(result, acts.Voided) or (isinstance(result, acts.Noted) and result.void):
        par = MEAN[season.settings.scoring.system]
        is_par = season.settings.scoring.void == "par"
        return [Finish(line=person, place=None, points=par) for person in table.people] if is_par else []
    return [finish for seat in result.seats for finish in _of_seat(season, table, seat)]


def _of_seat(season: Season, table: Table, seat: acts.SeatResult) -> list[Finish]:
    """Who left a seat gets nothing; whoever sits there then plays for no line of this group."""
    if seat.person == seat.seat:
        return [Finish(line=seat.seat, place=seat.place, points=seat.points, score=seat.score)]
    others = Finish(line=None, place=seat.place, points=seat.points, score=seat.score)
    if not left_badly(season, table, seat.seat):
        return [others]
    return [others, Finish(line=seat.seat, place=None, points=0)]


def left_badly(season: Season, table: Table, person: int) -> bool:
    """Did they leave their seat there without leave?"""
    gone = [each for each in table.left if each.leaves == person and each.seat == person]
    return bool(gone) and not gone[-1].leave and not season.people[person].excused


def services(season: Season) -> list[tuple[int, int, int]]:
    """(person, table, hundredths) for each seat that somebody took over: with `par` at least the mean."""
    found = []
    least = MEAN[season.settings.scoring.system] if season.settings.reserves.par == "yes" else 0
    for table in season.tables.values():
        result = table.by_hand or table.noted
        seats = {seat.seat: seat for seat in result.seats} if result else {}
        for each in table.left:
            seat = seats.get(each.seat)
            if each.comes is not None and each.comes != each.seat and seat is not None:
                own = seat.points if seat.person == each.comes else 0
                found.append((each.comes, table.number, max(least, own)))
    return found


# -- what the next draw follows ---


def before_draw(season: Season, number: int) -> Season:
    """As that draw sees it: the tables of one that it takes the place of are no more."""
    is_pool = season.settings.format == "pool"
    kept = (each for each in season.tables.values() if each.draw < number or (is_pool and each.draw != number))
    tables = {table.number: table for table in kept}
    return replace(season, tables=tables)


def round_scores(season: Season, running: Mapping[int, Mapping[int, int]]) -> dict[int, int]:
    """Everybody's hundredths for a draw; a running table counts as it stands (`running`), or as the mean."""
    found = {each.person: 0 for each in season.entrants}
    for table in season.tables.values():
        now = running.get(table.number, dict.fromkeys(table.people, MEAN[season.settings.scoring.system]))
        over = {each.line: each.points for each in finishes(season, table) if each.line is not None}
        for person, points in (over if table.is_over else now if table.begun is not None else {}).items():
            found[person] = found.get(person, 0) + points
    return found


def is_open(season: Season) -> bool:
    """Does a table run still, whose standing a draw would have to take as it is?"""
    return any(table.begun is not None and not table.is_over for table in season.tables.values())


def still_in(season: Season, number: int) -> list[int]:
    """Who is drawn in that draw: in a cup the best of each table of the draw before, in last tables the best of all."""
    settings, everybody = season.settings, sorted(each.person for each in season.entrants)
    here = [person for person in everybody if not season.people[person].gone]
    if settings.format == "cup" and number > 1:
        return sorted(_left_in_cup(season, season.draws[number - 1].tables, {*here}))
    if settings.rounds.cut and number > settings.rounds.count:
        best = [row.line for row in group_standings(season) if row.line in here]
        return sorted(best[: settings.rounds.cut])
    return here


def _left_in_cup(season: Season, tables: Sequence[int], here: Collection[int]) -> list[int]:
    """The best of each table, and of the others the best while they would be too few for any table."""
    table, advance = season.settings.table, season.settings.rounds.advance
    ranked = [_ranked(season, season.tables[number], here) for number in tables]
    through = [person for own in ranked for _, person in own[:advance]]
    others = sorted((place, lot, person) for own in ranked for (place, lot), person in own[advance:])
    missing = max(0, min(table.allowed) - len(through))
    return [*through, *(person for _, _, person in others[:missing])]


def _ranked(season: Season, table: Table, here: Collection[int]) -> list[tuple[tuple[int, int], int]]:
    """Place and lot of those who are here still, the best first; without a result the lot alone decides."""
    lots = _lots(season, "")
    places = {each.line: each.place for each in finishes(season, table) if each.place is not None}
    if not places:
        places = dict.fromkeys(table.people, 1)
    own = [(place, person) for person, place in places.items() if person in here and person is not None]
    return sorted(((place or 0, lots.get(person, 0)), person) for place, person in own)


# -- the end ---


def division_of(name: str) -> int:
    return int(name.rstrip(ascii_lowercase) or 1)


def final_order(season: Season) -> list[list[int]]:
    """Each division from its first to its last, over all its groups."""
    if season.settings.format == "cup":
        return [_cup_order(season)]
    levels: dict[int, list[Sequence[Row]]] = {}
    for name in groups(season):
        levels.setdefault(division_of(name), []).append(group_standings(season, name))
    order = []
    for number in sorted(levels):
        people = sorted(row.line for rows in levels[number] for row in rows)
        order.append([row.line for row in across(levels[number], _division_lots(season, number, people))])
    return order


def _division_lots(season: Season, number: int, people: Sequence[int]) -> dict[int, int]:
    """By the season's first draw; in the order of the numbers where nothing was drawn."""
    if 1 not in season.draws:
        return {person: place for place, person in enumerate(people)}
    key = key_of(season.draws[1].link, {"league": season.tag, "ties": number})
    return lot_order(people, key, f"ties {number}")


def _cup_order(season: Season) -> list[int]:
    """Who came farther is before; at one stage by place, then as the standings have them."""
    stage: dict[int, tuple[int, int]] = {}
    for table in season.tables.values():
        places = {each.line: each.place for each in finishes(season, table)}
        for person in table.people:
            own = (-table.draw, places.get(person) or len(table.people))
            stage[person] = min(stage.get(person, own), own)
    rows = group_standings(season)
    return [row.line for row in sorted(rows, key=lambda row: (stage.get(row.line, (0, 0)), row.place))]


def borders(season: Season) -> list[int]:
    """How many go up over each border: so many of each group below it. None where a group's standings are void."""
    moving: dict[int, int] = {}
    for name in groups(season):
        moving[division_of(name)] = moving.get(division_of(name), 0) + (not is_void(season, name))
    return [season.settings.divisions.up * moving[number] for number in sorted(moving) if number > 1]


def is_void(season: Season, name: str) -> bool:
    """Did fewer than half of the group's tables end with a result? Then nobody moves from it."""
    tables = _tables(season, name)
    return 2 * sum(_has_result(table) for table in tables) < len(tables)


def _has_result(table: Table) -> bool:
    if table.by_hand is not None:
        return isinstance(table.by_hand, acts.Scored)
    return table.noted is not None and not table.noted.void


def ended(season: Season, digest: str = "") -> acts.Ended:
    """The act that ends the season: final standings, the order of the divisions, honours."""
    rows = {name: group_standings(season, name) for name in groups(season)}
    places = tuple(
        acts.Place(group=name, person=row.line, place=row.place, points=row.points)
        for name, own in rows.items()
        for row in own
    )
    order = tuple(tuple(level) for level in final_order(season))
    everybody = [row for own in rows.values() for row in own]
    most = max((row.wins for row in everybody), default=0)
    honours = {
        "champion": order[0][:1] if order else (),
        "wins": tuple(sorted(row.line for row in everybody if row.wins == most > 0)),
        "never_late": tuple(sorted(row.line for row in everybody if row.played and not row.late)),
        "services": tuple(sorted({person for person, _, _ in services(season)})),
    }
    return acts.Ended(standings=places, order=order, borders=tuple(borders(season)), honours=honours, digest=digest)


# -- ratings ---


def rated_tables(season: Season) -> list[RatedTable]:
    """What counts for ratings, each with the instant at which its result was noted."""
    own = (table for table in season.tables.values() if season.game_of(table) and table.is_over)
    told = (rated_table(season, table) for table in own)
    return [table for table in told if table.seats]


def rated_table(season: Season, table: Table) -> RatedTable:
    """One that is over; it counts for nobody where the league, or the result, is not rated."""
    result = table.by_hand or table.noted
    void = isinstance(result, acts.Voided) or (isinstance(result, acts.Noted) and result.void)
    counts = season.settings.rating.rated == "yes" and isinstance(result, acts.Noted | acts.Scored) and result.rated
    sat = result.seats if result and counts and table.noted and not void else ()
    seats = tuple(_rated_seat(season, table, seat) for seat in sat)
    return RatedTable(end=table.noted_at or 0, game=season.game_of(table), seats=seats)


def _rated_seat(season: Season, table: Table, seat: acts.SeatResult) -> RatedSeat:
    if seat.person == seat.seat:
        return RatedSeat(person=seat.person, place=seat.place)
    leaver = seat.seat if left_badly(season, table, seat.seat) else None
    return RatedSeat(person=seat.person, place=seat.place, how="upwards" if seat.half else "not", leaver=leaver)
