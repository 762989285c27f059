"""The pictures that stand in letters: the map, of a large one what lies around the pieces of whose slot it is."""

from __future__ import annotations

from pbem.core.presenter import Picture, View
from pbem.games.empire.data.editions import map_of
from pbem.games.empire.geography.grid import square_of
from pbem.games.empire.presentation.pictures import PHONE, hex_png
from pbem.games.empire.presentation.tables import WHOLE


def board(view: View, before: View | None) -> Picture:
    map_ = map_of(view["board"])
    around = None if len(map_.squares) <= WHOLE else _around(view)
    png = hex_png(map_, view, around=around or None, before=before)
    return Picture(name="board", alt=alt(view), wide=PHONE, png=png)


def _around(view: View) -> list[str]:
    """Squares with people or units of the player whose slot it is."""
    own = {id_ for id_, row in view["countries"].items() if row["player"] == view["active"]}
    places = [square_of(at) for at, square in view["squares"].items() if own & {*square.get("workers", {})}]
    places += [square_of(unit["at"]) for unit in view["units"].values() if unit["owner"] in own]
    return list(dict.fromkeys(places))


def alt(view: View) -> str:
    """The same in words, short: the tables of the letter have it all."""
    return f"{view['board']}, {view['slot'] or view['turn']}"


def is_board_changed(view: View, before: View) -> bool:
    return any(view[key] != before[key] for key in ("units", "squares", "borders"))
