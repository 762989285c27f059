"""What happened since the last picture: ways taken, battles fought, what is new."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from msgspec import Struct

Told = Mapping[str, Any]  # an event as reports carry it: its fields, and its tag as "type"


class Way(Struct, frozen=True, kw_only=True):
    """Units of a nation that went from one region to another, and over which."""

    nation: str
    unit: str  # army or fleet
    over: tuple[str, ...]  # the first is where they came from, the last where they are
    count: int = 1


class Changes(Struct, frozen=True, kw_only=True):
    ways: tuple[Way, ...] = ()
    battles: frozenset[str] = frozenset()  # regions
    ruins: frozenset[str] = frozenset()
    works: frozenset[str] = frozenset()
    flags: frozenset[str] = frozenset()
    new: frozenset[tuple[str, str, str]] = frozenset()  # nation, region, and army, lying or fleet
    markers: frozenset[str] = frozenset()  # nations that moved on the rondel


_LAID = {"friendly": "lying", "hostile": "army"}


def changes(events: Sequence[Told]) -> Changes:
    by: dict[str, list[Told]] = {}
    for event in events:
        by.setdefault(event["type"], []).append(event)
    raised = [*by.get("UnitProduced", []), *by.get("UnitsImported", [])]
    turned = ((e["nation"], e["region"], _LAID[e["status"]]) for e in by.get("StatusChanged", []))
    return Changes(
        ways=tuple(_ways(events)),
        battles=_regions(by.get("BattleFought", [])),
        ruins=_regions(by.get("FactoryDestroyed", [])),
        works=_regions(by.get("FactoryBuilt", [])),
        flags=_regions(by.get("FlagPlaced", [])),
        new=frozenset([*((e["nation"], e["region"], e["unit"]) for e in raised), *turned]),
        markers=frozenset(e["nation"] for e in by.get("MarkerMoved", [])),
    )


def _regions(events: Sequence[Told]) -> frozenset[str]:
    return frozenset(event["region"] for event in events)


def _ways(events: Sequence[Told]) -> Iterator[Way]:
    for event in events:
        if event["type"] in ("FleetsMoved", "ArmiesMoved"):
            stops = [
                event["origin"],
                event.get("embarked"),
                *event.get("seas", ()),
                event.get("landed"),
                event["target"],
            ]
            over = tuple(dict.fromkeys(stop for stop in stops if stop))
            unit = "fleet" if event["type"] == "FleetsMoved" else "army"
            yield Way(nation=event["nation"], unit=unit, over=over, count=event["count"])
