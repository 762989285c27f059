"""The board to order from: the map alone, to be pointed at."""

from __future__ import annotations

import re

from msgspec.structs import asdict

from pbem.core.presenter import Pointing
from pbem.games.imperial.presentation.pictures.drawing import drawing
from pbem.games.imperial.presentation.pictures.pieces import NATIONS


def pointing(board: str) -> Pointing:
    """Pieces stand in the largest room of a region; fleets in harbour in their own, `REGION.harbour`."""
    drawn = drawing(board)
    rooms = {region: fields[0] for region, fields in drawn.fields.items()}
    rooms |= {f"{region}.harbour": box for region, box in drawn.harbours.items()}
    return Pointing(
        svg=re.sub(r'<g id="\w+"', "<g", drawn.map),
        size=drawn.size,
        spots={place: (box.x, box.y, box.w, box.h) for place, box in rooms.items()},
        colours={nation: asdict(colours) for nation, colours in NATIONS.items()},
    )
