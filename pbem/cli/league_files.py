"""What the commands about leagues are given: files of people, of results, and of whole seasons."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator, Sequence
from pathlib import Path

import msgspec

from pbem.host.leagues.importing import Exported
from pbem.league import elsewhere

TABLE = re.compile(r"[Tt]-?(\d+)")
COLUMNS = ("address", "name", "language", "zone", "apart", "note")


def exported(file: Path) -> Exported:
    """Raises `ValueError`."""
    try:
        return msgspec.json.decode(file.read_bytes(), type=Exported)
    except msgspec.MsgspecError as problem:
        raise ValueError(f"{file} is no season.json: {problem}") from None


def adopted(words: Sequence[str]) -> Iterator[tuple[str, int | None]]:
    """Each game, with the number of the table behind it."""
    left = [*words]
    while left:
        game = left.pop(0)
        found = TABLE.fullmatch(left[0]) if left else None
        if found:
            left.pop(0)
        yield game, int(found[1]) if found else None


def people(file: Path) -> list[dict[str, str]]:
    """Who is to be entered. Raises `ValueError`."""
    return _sheet(file, COLUMNS, ("address",))


def results(file: Path) -> list[dict[str, str]]:
    """A line for each seat. Raises `ValueError`."""
    return _sheet(file, elsewhere.COLUMNS, elsewhere.NEEDED)


def _sheet(file: Path, columns: Sequence[str], needed: Sequence[str]) -> list[dict[str, str]]:
    """Raises `ValueError`."""
    with file.open(encoding="utf-8-sig", newline="") as lines:
        rows = csv.DictReader(lines)
        names = rows.fieldnames or ()
        if any(name not in columns for name in names) or any(name not in names for name in needed):
            told = f"{', '.join(needed)} {'is' if len(needed) == 1 else 'are'} needed"
            raise ValueError(f"{file}: the first line should name the columns, of {', '.join(columns)}: {told}")
        return [{name: (value or "").strip() for name, value in row.items() if name} for row in rows]
