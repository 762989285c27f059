"""The colours of the hex board: pale land under dark letters, players apart in lightness, too."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec import Struct

PAPER, INK, FAINT = "#fbf7ee", "#2b2620", "#6d6558"
WHITE = "#fffdf6"
NEW = "#ff8a00"  # the rim of what is new
GRID = "#8d8672"
GROUND: Mapping[str, str] = {
    "sea": "#c3dcea",
    "lake": "#a9d3ec",
    "reef": "#a8c6cf",
    "open": "#f3edd3",
    "partial_forest": "#dfe8c0",
    "forest": "#a8c88f",
    "desert": "#f5dda0",
    "oasis": "#f5dda0",
    "swamp": "#c5d4c0",
    "mountains": "#d3c2a2",
    "full_mountain": "#9a8979",
}
RIVER, RIVER_EDGE = "#3f8fc4", "#1f5f8e"
ROAD, RAIL, WIRE, PIPE, ROCK = "#a2632c", "#2b2620", "#8a3fb0", "#0b7d78", "#5d4a3a"


class Colours(Struct, frozen=True):
    fill: str
    ink: str  # of letters on it
    edge: str


PLAYERS: Sequence[Colours] = (  # as far apart for colour-blind eyes as eight can be, and from the Pirate's black
    Colours("#e8452c", "#ffffff", "#7a170a"),
    Colours("#2458d8", "#ffffff", "#0d2a78"),
    Colours("#f7bf16", "#241c00", "#7d5f00"),
    Colours("#128a5e", "#ffffff", "#06432c"),
    Colours("#5a1780", "#ffffff", "#33094b"),
    Colours("#7cc8f5", "#06233f", "#1a628f"),
    Colours("#c45fa0", "#1d0314", "#70215a"),
    Colours("#6b1a10", "#ffffff", "#360a05"),
)
PIRATE = Colours("#1d1f22", "#ffffff", "#000000")
NOBODY = Colours("#cfc8ba", "#2b2620", "#6d6558")
