"""Ratings proved from an archive's files alone: what every game counts for, and what that comes to."""

from __future__ import annotations

import csv
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from io import StringIO
from typing import Any

import msgspec

from pbem.adapters.site.files import Folder
from pbem.adapters.site.rating_pages import GAMES, RATINGS, figures, rows_of
from pbem.adapters.site.reading import Damaged
from pbem.adapters.site.records import GameFile, nested_game
from pbem.adapters.site.sheets import instant_of
from pbem.core.outcome import ranks
from pbem.league.proof.evidence import Fault
from pbem.league.ratings import RatedSeat, RatedTable, Step, steps

Row = Mapping[str, str]


def sheet_of(folder: Folder, path: str) -> list[Row]:
    """The rows of a file; none where there is no such file."""
    text = (folder.read(path) or b"").decode("utf-8", "replace")
    return [*csv.DictReader(StringIO(text, newline=""))]


def steps_of(folder: Folder, path: str) -> list[Step]:
    """What a season's tables are said to have made of ratings. Raises `Damaged`."""
    return [_converted(row, Step, path, end=_instant(row.get("ended"), path)) for row in sheet_of(folder, path)]


def rated_of(folder: Folder, kind: str) -> list[RatedTable]:
    """Everything that is said to count for the ratings of a game of the registry. Raises `Damaged`."""
    path = f"ratings/{kind}/{GAMES}"
    seats: dict[tuple[int, str], list[RatedSeat]] = defaultdict(list)
    for row in sheet_of(folder, path):
        plain = {"person": row.get("person") or None, "how": row.get("counts"), "leaver": row.get("left") or None}
        key = _instant(row.get("ended"), path), row.get("game") or ""
        seats[key].append(_converted({**row, **plain}, RatedSeat, path))
    return [RatedTable(end=end, game=game, seats=tuple(own)) for (end, game), own in sorted(seats.items())]


def _converted(row: Mapping[str, Any], kind: type[msgspec.Struct], path: str, **more: Any) -> Any:
    try:
        return msgspec.convert({**row, **more}, kind, strict=False)
    except msgspec.ValidationError as problem:
        raise Damaged(f"{path} can't be read: {problem}") from None


def _instant(written: str | None, path: str) -> int:
    try:
        found = instant_of(written or "")
    except ValueError as problem:
        raise Damaged(f"{path} can't be read: {problem}") from None
    if found is None:
        raise Damaged(f"{path} can't be read: an instant is missing")
    return found


# -- the ratings of all ---


def rating_faults(folder: Folder, kind: str, rated: Sequence[RatedTable]) -> Iterator[Fault]:
    """What games of no league tell otherwise, and what the list tells otherwise than all games give."""
    path = f"ratings/{kind}/{GAMES}"
    leagues = {row.get("game") for row in sheet_of(folder, path) if row.get("season")}
    for table in rated:
        if table.game not in leagues and not _is_told(folder, table):
            yield Fault("V9", table.game, f"it did not come to what {path} says")
    newest = {step.person: step for step in steps({}, rated)}
    wanted = [figures(row) for row in rows_of(newest)]
    told = [{key: row.get(key) for key in wanted[0]} for row in sheet_of(folder, f"ratings/{kind}/{RATINGS}")]
    for own, found in zip(wanted, told, strict=False):
        if own != found:
            yield Fault("V9", f"player {own['person']}", f"ratings/{kind}/{RATINGS} does not say what the games give")
    if len(wanted) != len(told):
        yield Fault("V9", RATINGS, "it tells of more people than the games give, or of fewer")


def _is_told(folder: Folder, table: RatedTable) -> bool:
    """Does the game's own file say who sat there, and who came where? Who sits on a bot's seat is told there, too."""
    file = folder.load(f"{table.game}/game.json", GameFile, nested_game)
    if file is None or file.scores is None or file.winners is None:
        return False
    places, seats = ranks(file.scores, file.winners), file.setup.seats
    return len(seats) == len(table.seats) and all(
        own.place == places.get(seat) and own.person in (None, file.people.get(seat))
        for seat, own in zip(seats, table.seats, strict=True)
    )
