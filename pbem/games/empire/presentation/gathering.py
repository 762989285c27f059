"""Events that differ in their place alone, told once: a phone shows one line for nine farms."""

from __future__ import annotations

from collections.abc import Hashable, Sequence

from pbem.core.presenter import Event

GATHERED = ("yielded", "born")  # their sentences take several places
SILENT = ("Changed", "Veiled")


def gathered(events: Sequence[Event]) -> list[Event]:
    """The same events, those in a row that are alike as one with all their places."""
    told: list[Event] = []
    row: dict[Hashable, list[str]] = {}
    for event in events:
        if event["type"] in SILENT:
            continue
        if event["type"] != "Noted" or event["what"] not in GATHERED:
            row = {}
            told.append(event)
            continue
        alike = _without_place(event)
        if alike not in row:
            row[alike] = []
            told.append({**event, "facts": {**event["facts"], "at": row[alike]}})
        row[alike].append(event["facts"]["at"])
    return told


def places_of(at: str | Sequence[str]) -> Sequence[str]:
    """One place, or those of several events that are told as one."""
    return [at] if isinstance(at, str) else at


def _without_place(event: Event) -> Hashable:
    facts = {name: fact for name, fact in event["facts"].items() if name != "at"}
    return event["what"], event["country"], repr(sorted(facts.items()))
