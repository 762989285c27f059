"""Figures as files: CSV after RFC 4180, instants after ISO 8601 in UTC."""

from __future__ import annotations

import csv
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from io import StringIO
from typing import Any

Sheet = Sequence[Mapping[str, Any]]


def iso(at: int | None) -> str:
    return "" if at is None else datetime.fromtimestamp(at, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def instant_of(written: str) -> int | None:
    """What `iso` wrote. Raises `ValueError`."""
    if not written:
        return None
    return int(datetime.strptime(written, "%Y-%m-%dT%H:%M:%SZ").replace(tzinfo=UTC).timestamp())


def csv_of(sheet: Sheet, columns: Sequence[str] = ()) -> bytes:
    """`columns`: where there may be no row to take them from."""
    out = StringIO(newline="")
    writer = csv.DictWriter(out, fieldnames=columns or [*sheet[0]])
    writer.writeheader()
    writer.writerows(sheet)
    return out.getvalue().encode()
