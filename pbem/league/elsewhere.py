"""A season that was played elsewhere, read from its results: rows as those of `results.csv`, a line for each seat."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from decimal import Decimal, InvalidOperation
from typing import NamedTuple, cast, get_args

from msgspec import Struct

from pbem.league.acts import Chair, Group, How, Imported, ImportedTable, Noted, SeatResult, TableDrawn
from pbem.league.calendar import written
from pbem.league.points import HUNDRED

COLUMNS = (
    *("season", "division", "group", "draw", "table", "game", "began", "ended", "how", "seat", "person", "name"),
    *("position", "place", "score", "points", "rated", "held_from", "held_to", "services"),
)
NEEDED = ("table", "name", "place", "points")
FIRST_ROW = 2  # of a file whose first line names its columns
MOST_TABLE = 99_999

Row = Mapping[str, str]


class Wrong(NamedTuple):
    """A row that can't be, and why, in English as all of the command line."""

    line: int
    why: str


class Seat(Struct, frozen=True, kw_only=True):
    """One row, read."""

    line: int
    table: int
    group: str
    draw: int
    began: int | None
    ended: int
    how: str
    name: str
    number: int | None  # where the file tells one: of whoever sat there at the end
    chair: int | None  # whose seat it was at first
    position: str
    place: int
    score: int | None
    points: int


def seats(rows: Sequence[Row], now: int) -> tuple[list[Seat], list[Wrong]]:
    """What the rows tell, and all that is wrong with them."""
    read: list[Seat] = []
    wrong: list[Wrong] = []
    for line, row in enumerate(rows, FIRST_ROW):
        try:
            read.append(_seat(row, line, now))
        except ValueError as problem:
            wrong.append(Wrong(line, str(problem)))
    return read, sorted([*wrong, *_together(read)])


def _seat(row: Row, line: int, now: int) -> Seat:
    """Raises `ValueError`."""
    if row.get("game"):
        raise ValueError(f"game should be empty, and is {row['game']}: what was played here is not imported")
    how = row.get("how") or "played"
    if how not in (*get_args(How), "void"):
        raise ValueError(f"how should be one of {', '.join(get_args(How))}, void; it is {how}")
    name = row.get("name", "").strip()
    if not name and row.get("person"):
        raise ValueError("name is missing")
    return Seat(
        line=line,
        table=_number(row, "table", 1, MOST_TABLE),
        group=row.get("group", "").strip().lower() or (row.get("division") or ""),
        draw=_number(row, "draw", 0, MOST_TABLE, usual=0),
        began=_instant(row, "began"),
        ended=_instant(row, "ended") or now,
        how=how,
        name=name,
        number=_number(row, "person", 1, 10**9, usual=0) or None,
        chair=_number(row, "seat", 1, 10**9, usual=0) or None,
        position=row.get("position", "").strip(),
        place=_number(row, "place", 1, 99),
        score=_number(row, "score", -(10**6), 10**6) if row.get("score") else None,
        points=_hundredths(row),
    )


def _number(row: Row, key: str, least: int, most: int, usual: int | None = None) -> int:
    text = (row.get(key) or "").strip().removeprefix("T-").removeprefix("D-")
    if not text and usual is not None:
        return usual
    if not text.lstrip("-").isdecimal() or not least <= int(text) <= most:
        raise ValueError(f"{key} should be a number from {least} to {most}, and is {text or 'empty'}")
    return int(text)


def _hundredths(row: Row) -> int:
    text = (row.get("points") or "").strip()
    try:
        worth = Decimal(text) * HUNDRED
    except InvalidOperation:
        raise ValueError(f"points should be a number as 4.50, and is {text or 'empty'}") from None
    if worth != int(worth):
        raise ValueError(f"points should have two decimals at most, and is {text}")
    return int(worth)


def _instant(row: Row, key: str) -> int | None:
    text = (row.get(key) or "").strip()
    try:
        return written(text) if text else None
    except ValueError:
        raise ValueError(f"{key} should be an instant as 2027-01-11T12:00:00Z, and is {text}") from None


def _together(read: Sequence[Seat]) -> Iterator[Wrong]:
    """What is wrong with rows beside each other."""
    groups: dict[str, str] = {}
    sat: set[tuple[int, str]] = set()
    for each in read:
        if each.name and groups.setdefault(each.name, each.group) != each.group:
            yield Wrong(each.line, f"{each.name} is in group {groups[each.name]} above, and in {each.group} here")
        if each.name and (each.table, each.name) in sat:
            yield Wrong(each.line, f"{each.name} sits at table {each.table} twice")
        sat.add((each.table, each.name))
    for own in _by_table(read).values():
        if len(own) == 1:
            yield Wrong(own[0].line, f"table {own[0].table} has this seat alone")
        told = {(each.group, each.draw, each.how) for each in own}
        if len(told) > 1:
            yield Wrong(own[0].line, f"table {own[0].table} has other groups, draws or endings in other rows")
        if min(each.place for each in own) != 1 and own[0].how != "void":
            yield Wrong(own[0].line, f"at table {own[0].table} nobody came first")


def _by_table(read: Sequence[Seat]) -> dict[int, list[Seat]]:
    found: dict[int, list[Seat]] = {}
    for each in read:
        found.setdefault(each.table, []).append(each)
    return found


def imported(read: Sequence[Seat], number_of: Callable[[Seat], int | None], *, rated: bool) -> Imported:
    """The season as one act; `number_of` tells who somebody is here, None of a bot."""
    people = {each.line: number_of(each) for each in read}
    told: dict[int | None, int | None] = {each.number: people[each.line] for each in read if each.number}
    chairs = {each.line: _chair(each, people[each.line], told) for each in read}
    groups: dict[str, set[int]] = {}
    for each in read:
        if chairs[each.line] > 0:
            groups.setdefault(each.group, set()).add(chairs[each.line])
    tables = [_table(number, own, people, chairs) for number, own in sorted(_by_table(read).items())]
    made = tuple(Group(name=name, people=tuple(sorted(groups[name]))) for name in sorted(groups))
    return Imported(groups=made, tables=tuple(tables), rated=rated)


def _chair(seat: Seat, person: int | None, told: Mapping[int | None, int | None]) -> int:
    """Whose seat it was at first: whose number the file tells for it, else who sat there at the end; below 0 where
    nobody knows."""
    first = told.get(seat.chair) if seat.chair and seat.chair != seat.number else person
    return first or -seat.line


def _table(
    number: int, own: Sequence[Seat], people: Mapping[int, int | None], chairs: Mapping[int, int]
) -> ImportedTable:
    first = own[0]
    results = tuple(
        SeatResult(
            seat=chairs[each.line], person=people[each.line], place=each.place, score=each.score, points=each.points
        )
        for each in own
    )
    void = first.how == "void"
    drawn = tuple(Chair(person=chairs[each.line], position=each.position) for each in own)
    noted = Noted(
        table=number,
        how=cast("How", "hand" if void else first.how),
        seats=() if void else results,
        void=void,
        rated=not void,
    )
    return ImportedTable(
        drawn=TableDrawn(number=number, group=first.group, chairs=drawn),
        draw=first.draw,
        began=first.began,
        ended=first.ended,
        noted=noted,
    )
