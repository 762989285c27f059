"""What a board is made of: nations, regions, units, and the ways of armies between them."""

from __future__ import annotations

from typing import Literal, NewType

from msgspec import Struct

Nation = NewType("Nation", str)
Region = NewType("Region", str)
Unit = Literal["army", "fleet"]

# Clockwise on the rondel; the order and the ids are the same in every rule book (games/imperial/RULINGS.md, B3).
SPACES = (
    "factory",
    "production_1",
    "maneuver_1",
    "investor",
    "import",
    "production_2",
    "maneuver_2",
    "taxation",
)


class Place(Struct, frozen=True, kw_only=True):
    """A region: a home province when it has a nation, else free land or sea."""

    id: Region
    kind: Literal["home", "land", "sea", "impassable"]
    nation: Nation | None = None
    makes: Unit | None = None  # what a factory here would produce
    port: Region | None = None  # the sea with the anchor
    works: bool = False  # a factory stands here at the start


class Route(Struct, frozen=True, kw_only=True, gc=False):
    """A way of one army: by rail, one move over land or over seas, and by rail again."""

    embarked: Region  # where the own move begins
    seas: tuple[Region, ...] = ()
    landed: Region  # where it ends
    rail: bool = False  # no own move at all
