"""How the command line writes instants."""

from __future__ import annotations

from datetime import UTC, datetime


def utc(at: int) -> str:
    """Seconds UTC as a day and a time: Tue 22 Dec 2098 11:00 UTC."""
    return datetime.fromtimestamp(at, UTC).strftime("%a %d %b %Y %H:%M UTC")
