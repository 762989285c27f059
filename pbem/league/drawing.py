"""What a draw makes: groups, tables, positions; from a link and all that it depends on, anybody can draw it again."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import combinations
from string import ascii_lowercase
from typing import Any

from msgspec.structs import replace

from pbem.core.refusal import Illegal
from pbem.league.acts import Chair, Drawing, Entrant, Group, TableDrawn
from pbem.league.designs import cyclic_tables
from pbem.league.lots import digest, key_of, lot_order, shuffled
from pbem.league.movement import cut, moved, parted, snake
from pbem.league.pool import MILLION, Matching, Waiting, match
from pbem.league.positions import drawn_positions, fixed_positions
from pbem.league.rounds import Field, Pair, round_tables
from pbem.league.settings import FIXED, Settings
from pbem.league.sizes import division_sizes, group_sizes, table_sizes
from pbem.league.state import Season, Table

Positions = Mapping[int, Sequence[str]]  # by the size of a table
Apart = Collection[Pair]


def group_name(division: int, number: int) -> str:
    """The group of that number, from 0, in a division, from 1: 2b; behind 2z comes 2aa."""
    letters = ""
    number += 1
    while number:
        number, letter = divmod(number - 1, 26)
        letters = ascii_lowercase[letter] + letters
    return f"{division}{letters}"


# -- inputs: all that a key is made of ---


def _inputs(league: str, entrants: Iterable[Entrant], apart: Apart, beacon: str, **more: Any) -> dict[str, Any]:
    """What is empty is left out; who is kept apart stands in it as a digest only, till the season ends."""
    entries = [[each.person, each.luck] for each in sorted(entrants, key=lambda each: each.person)]
    secret = digest(repr(sorted(apart))) if apart else ""
    rest = {"apart": secret, "beacon": beacon, **more}
    return {"draw": 1, "entries": entries, "league": league, **{key: each for key, each in rest.items() if each}}


def dividing_inputs(season: Season, ratings: Mapping[int, int], apart: Apart, beacon: str = "") -> dict[str, Any]:
    """`ratings` are settled ones, in thousandths of what is shown."""
    by_rating = season.settings.groups.fill == "rating"
    more = {
        "borders": [*season.founded.borders],
        "last": [[*level] for level in season.founded.last],
        "ratings": [[person, ratings[person]] for person in sorted(ratings)] if by_rating else [],
        "resting": [*season.founded.resting],
    }
    return _inputs(season.tag, season.entrants, apart, beacon, **more)


def group_inputs(season: Season, name: str, apart: Apart, beacon: str = "") -> dict[str, Any]:
    people = season.groups[name]
    entrants = [each for each in season.entrants if each.person in people]
    return _inputs(season.tag, entrants, apart, beacon, group=name)


# -- fixed tables ---


def divide(settings: Settings, link: str, inputs: Mapping[str, Any], apart: Apart = ()) -> list[Group]:
    """The groups of all divisions, from the top. Raises `Illegal` where they can't be parted."""
    key, groups = key_of(link, inputs), settings.groups
    people = [person for person, _ in inputs["entries"]]
    sizes = group_sizes(len(people), groups.size, groups.least, groups.most)
    divisions = division_sizes(sizes, settings.divisions.shape if settings.format == "divisions" else (len(sizes),))
    made = []
    order = _order(settings, inputs, people, key)
    for number, (level, own) in enumerate(zip(cut(order, divisions), divisions, strict=True), 1):
        ranked = _filled(settings, inputs, level, key)
        parts = parted(snake(ranked, own), ranked, apart)
        made += [Group(name=group_name(number, place), people=tuple(sorted(part))) for place, part in enumerate(parts)]
    return made


def _order(settings: Settings, inputs: Mapping[str, Any], people: Sequence[int], key: bytes) -> list[int]:
    """From the top division's first to the last newcomer: by last season's places, new people by lot.

    Who rested begins a division lower, or at the bottom, behind those who are there by their places.
    """
    last, ratings = [[*level] for level in inputs.get("last", [])], dict(inputs.get("ratings", []))
    known = {person for level in last for person in level}
    lots = lot_order(people, key, "newcomers")
    new = sorted({*people} - known, key=lambda person: (-ratings.get(person, -(10**9)), lots[person]))
    if not last:
        return new
    levels = moved(last, inputs.get("borders", [0] * (len(last) - 1)), known - {*people}, new)
    for person in inputs.get("resting", []):
        _lower(levels, person, settings.divisions.rest)
    return [person for level in levels for person in level]


def _lower(levels: list[list[int]], person: int, rest: str) -> None:
    at = next((number for number, level in enumerate(levels) if person in level), None)
    if at is not None and rest != "none":
        levels[at].remove(person)
        levels[len(levels) - 1 if rest == "bottom" else min(at + 1, len(levels) - 1)].append(person)


def _filled(settings: Settings, inputs: Mapping[str, Any], level: Sequence[int], key: bytes) -> list[int]:
    """The order in which the people of a division are dealt into its groups; equals by lot."""
    lots = lot_order(sorted(level), key, "groups")
    match settings.groups.fill:
        case "lot":
            return sorted(level, key=lots.__getitem__)
        case "rating":
            ratings = dict(inputs.get("ratings", []))
            return sorted(level, key=lambda person: (-ratings.get(person, -(10**9)), lots[person]))
        case _:
            return [*level]


def draw_group(settings: Settings, link: str, inputs: Mapping[str, Any], positions: Positions, first: int) -> Drawing:
    """The tables of one group, numbered from `first` on."""
    key, name, seats = key_of(link, inputs), inputs["group"], settings.table.players
    people = [person for person, _ in inputs["entries"]]
    turns = [
        cyclic_tables(shuffled(people, key, f"order {name}{f' {turn}' if turn else ''}"), seats)
        for turn in range(settings.groups.turns)
    ]
    dealt = _dealt(turns, shuffled(positions.get(seats, ()), key, f"positions {name}"))
    tables = [
        TableDrawn(number=number, group=name, chairs=_chairs(table, own))
        for number, (table, own) in enumerate(zip([t for turn in turns for t in turn], dealt, strict=True), first)
    ]
    return Drawing(inputs=inputs, tables=tuple(tables))


def _dealt(turns: Sequence[Sequence[Sequence[int]]], positions: Sequence[str]) -> list[list[str]]:
    """Nobody has a position twice; where there are more tables than positions, not in a turn of the design."""
    everything = [table for turn in turns for table in turn]
    if not positions:
        return [[""] * len(table) for table in everything]
    each = len(turns[0][0]) * len(turns)
    parts = [everything] if each <= len(positions) else turns
    return [[positions[one] for one in deal] for part in parts for deal in fixed_positions(part, len(positions))]


def _chairs(table: Sequence[int], positions: Sequence[str]) -> tuple[Chair, ...]:
    return tuple(Chair(person=one, position=own) for one, own in zip(table, positions, strict=True))


# -- drawn tables ---


def positions_had(season: Season) -> dict[int, dict[str, int]]:
    """How often each person has had which position this season."""
    had: dict[int, dict[str, int]] = {}
    for table in season.tables.values():
        for chair in table.drawn.chairs if table.drawn else ():
            own = had.setdefault(chair.person, {})
            own[chair.position] = own.get(chair.position, 0) + 1
    return had


def round_inputs(
    season: Season,
    number: int,
    scores: Mapping[int, int],
    people: Sequence[int],
    apart: Apart,
    beacon: str = "",
    **more: Any,
) -> dict[str, Any]:
    """Scores in hundredths, who met whom, who sat at small tables, and the sizes."""
    table = season.settings.table
    met, short = _past(season)
    entrants = [each for each in season.entrants if each.person in {*people}]
    plain = _inputs(season.tag, entrants, apart, beacon, met=met, short=short, **more)
    sizes = [*table_sizes(len(people), table.players, table.allowed)]
    return {
        **plain,
        "draw": number,
        "scores": [[person, scores.get(person, 0)] for person in sorted(people)],
        "sizes": sizes,
    }


def _past(season: Season) -> tuple[list[list[int]], list[list[int]]]:
    """[a, b, times] for each pair that met, [person, times] for each who sat at a smaller table."""
    met: dict[Pair, int] = {}
    short: dict[int, int] = {}
    for table in season.tables.values():
        people = sorted(table.people)
        for pair in combinations(people, 2):
            met[pair] = met.get(pair, 0) + 1
        for person in people if len(people) < season.settings.table.players else ():
            short[person] = short.get(person, 0) + 1
    return [[*pair, times] for pair, times in sorted(met.items())], [[*each] for each in sorted(short.items())]


def draw_round(
    settings: Settings,
    link: str,
    inputs: Mapping[str, Any],
    positions: Positions,
    had: Mapping[int, Mapping[str, int]],
    first: int,
    apart: Apart = (),
    hours: Mapping[int, int] | None = None,
) -> Drawing:
    """The tables of a round; `had` tells how often each had which position this season, `hours` their clocks.

    Raises `Illegal` with a pair that can't be kept apart.
    """
    key = key_of(link, inputs)
    scores = dict(inputs["scores"])
    by_lot = settings.rounds.pairing == "lot"
    pots = dict(inputs.get("ratings", [])) if settings.rounds.first == "pots" and inputs["draw"] == 1 else None
    field = Field(
        players=tuple(sorted(scores)),
        sizes=tuple(inputs["sizes"]),
        wanted=settings.table.players,
        score=dict.fromkeys(scores, 0) if by_lot or pots is not None else scores,
        met={(a, b): times for a, b, times in inputs.get("met", [])},
        short=dict(inputs.get("short", [])),
        apart=frozenset(apart),
        hours=hours or {},
        far=settings.table.zones,
        strength=None if pots is None else {person: pots.get(person, 0) for person in scores},
    )
    drawn = round_tables(field, key)
    _check_apart(drawn.tables, field.apart)
    made = [_drawn_table(table, number, positions, had, key) for number, table in enumerate(drawn.tables, first)]
    return Drawing(inputs=inputs, tables=tuple(made), cost=drawn.cost)


def _check_apart(tables: Sequence[Sequence[int]], apart: Apart) -> None:
    for table in tables:
        together = [pair for pair in combinations(sorted(table), 2) if pair in apart]
        if together:
            raise Illegal("league.apart", people=together[0])


def smaller(season: Season, table: Table) -> TableDrawn | None:
    """The table with those who are left, where one of that size is allowed; they are dealt anew by the same key.

    None in groups, whose tables are all alike, and where nobody may know who sits there yet.
    """
    draw, left = season.draws.get(table.draw), [person for person in table.people if person in table.seated]
    fits = len(left) in season.settings.table.allowed and season.settings.format not in FIXED
    if draw is None or draw.is_sealed or not fits or len(left) == len(table.people):
        return None
    inputs = next(each.inputs for each in draw.drawings if table.number in {own.number for own in each.tables})
    others = replace(season, tables={each: own for each, own in season.tables.items() if each != table.number})
    return _drawn_table(left, table.number, season.positions, positions_had(others), key_of(draw.link, inputs))


# -- the pool ---


def match_inputs(
    season: Season, number: int, waiting: Iterable[Waiting], apart: Apart, beacon: str = ""
) -> dict[str, Any]:
    """Who waits below their load: [person, days, mu in millionths, with whom they sat lately]."""
    here = sorted(waiting, key=lambda each: each.person)
    who = [[each.person, each.days, each.mu, sorted(each.lately)] for each in here]
    people = {each.person for each in here}
    entrants = [each for each in season.entrants if each.person in people]
    return {**_inputs(season.tag, entrants, apart, beacon, waiting=who), "draw": number}


def draw_match(
    settings: Settings,
    link: str,
    inputs: Mapping[str, Any],
    positions: Positions,
    had: Mapping[int, Mapping[str, int]],
    number: int,
    apart: Apart = (),
) -> Drawing | None:
    """One table of those who wait; None when nobody can be seated. Each match is a draw with a link of its own."""
    key, pool = key_of(link, inputs), settings.pool
    rules = Matching(
        wanted=settings.table.players,
        allowed=settings.table.allowed,
        spread=round(pool.spread * MILLION),
        wait_days=pool.wait_days,
    )
    waiting = [
        Waiting(person=person, days=days, mu=mu, lately=frozenset(lately))
        for person, days, mu, lately in inputs.get("waiting", [])
    ]
    table = match(waiting, rules, apart, key)
    if table is None:
        return None
    return Drawing(inputs=inputs, tables=(_drawn_table(table, number, positions, had, key),))


def _drawn_table(
    table: Sequence[int], number: int, positions: Positions, had: Mapping[int, Mapping[str, int]], key: bytes
) -> TableDrawn:
    names = positions.get(len(table), ())
    times = {person: {place: had.get(person, {}).get(name, 0) for place, name in enumerate(names)} for person in table}
    deal = drawn_positions(table, len(names), times, key, f"positions T-{number}") if names else []
    return TableDrawn(number=number, chairs=_chairs(table, [names[one] for one in deal] or [""] * len(table)))
