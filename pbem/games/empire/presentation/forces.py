"""What stands where, as pictures and text maps group it: from the state document (language.md, section 9)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple, TypeAlias

from pbem.games.empire.geography.grid import map_order

View: TypeAlias = Mapping[str, Any]
_ARMY = "SAC SUP INF BRI ARM REC ART MEC ABN CON"
_FLEET = "BSH CGO CAR CRU DES FSH TNK PIR SCS SUB BRG RAF SAI YAC LIN SER"
_WINGS = "CPL GAL FTR STB TAC BAL PLI SLP GOO"
ARMY, FLEET, WINGS = (frozenset(codes.split()) for codes in (_ARMY, _FLEET, _WINGS))


class Stack(NamedTuple):
    """The units of one country and sort in one place."""

    owner: str
    sort: str  # army fleet wings wheels
    ids: tuple[str, ...]


def sort_of(unit: str) -> str:
    """By its id."""
    code = unit[:3]
    return "army" if code in ARMY else "fleet" if code in FLEET else "wings" if code in WINGS else "wheels"


def stacks(view: View) -> dict[str, list[Stack]]:
    """By place, what does not travel in something else; the army first."""
    found: dict[str, dict[tuple[str, str], list[str]]] = {}
    units = {**(view.get("serpents") or {}), **view.get("units", {})}
    for id_, unit in sorted(units.items(), key=lambda each: (each[0][:3], _number(each[0]))):
        if unit.get("at") and not unit.get("aboard"):
            found.setdefault(unit["at"], {}).setdefault((sort_of(id_), unit.get("owner") or ""), []).append(id_)
    return {
        at: [Stack(owner, sort, tuple(ids)) for (sort, owner), ids in sorted(found[at].items())]
        for at in sorted(found, key=map_order)
    }


def _number(id_: str) -> int:
    return int(id_[3:]) if id_[3:].isdecimal() else 0


def letters(view: View) -> dict[str, str]:
    """A letter for each country: its first one, else the next of its own that is free."""
    found: dict[str, str] = {}
    for country in sorted(view.get("countries", {})):
        own = [each.upper() for each in country if each.isalpha()]
        free = [each for each in (*own, *"ABCDEFGHIJKLMNOPQRSTUVWXYZ") if each not in found.values()]
        found[country] = free[0] if free else "?"
    return found


def seats(view: View) -> list[str]:
    """The players in a fixed order, for their colours: as they move first in the game, the Pirate apart."""
    named = {each.get("player") for each in view.get("countries", {}).values()} | {*view.get("players", {})}
    return sorted(each for each in named if each)


def player_of(view: View, country: str) -> str:
    found: str | None = view.get("countries", {}).get(country, {}).get("player")
    return found or country


def controllers(view: View) -> Iterator[tuple[str, str]]:
    """Places with the country that controls them."""
    for place, square in view.get("squares", {}).items():
        if square.get("control"):
            yield place, square["control"]
