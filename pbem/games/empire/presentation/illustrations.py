"""The pictures that stand in letters: the map, of a large one what lies around the pieces of whose slot it is."""

from __future__ import annotations

from pbem.core.presenter import Picture, View
from pbem.games.empire.data.editions import map_of
from pbem.games.empire.presentation.focus import around
from pbem.games.empire.presentation.pictures import PHONE, hex_png


def board(view: View, before: View | None) -> Picture:
    map_ = map_of(view["board"])
    png = hex_png(map_, view, around=around(view) or None, before=before)
    return Picture(name="board", alt=alt(view), wide=PHONE, png=png)


def alt(view: View) -> str:
    """The same in words, short: the tables of the letter have it all."""
    return f"{view['board']}, {view['slot'] or view['turn']}"


def is_board_changed(view: View, before: View) -> bool:
    return any(view[key] != before[key] for key in ("units", "squares", "borders"))
