"""Attackers who move into a part that their attack has emptied (E12.15)."""

from __future__ import annotations

from collections.abc import Sequence

from pbem.games.empire.rules.combat.stopping import room
from pbem.games.empire.rules.ground.sides import hostile_land_units
from pbem.games.empire.rules.ground.terrain import are_joined
from pbem.games.empire.rules.people import contact
from pbem.games.empire.rules.pieces.riding import shift
from pbem.games.empire.rules.world import World


def advance(w: World, part: str, ids: Sequence[str]) -> None:
    """Those that stand beside it, in the order written, as far as the stack has room; it costs no BTA."""
    came: list[str] = []
    for id_ in ids:
        unit = w.units.get(id_)
        if unit is None or unit.retreated or are_joined(w, unit.at, part):
            continue
        if hostile_land_units(w, unit.owner, part) or room(w, unit, part) <= 0:
            continue
        shift(w, id_, part, w.tables.joined_parts)
        w.change(id_, tasks=())
        contact.met(w, w.units[id_])
        came.append(id_)
    if came:
        w.note("advanced", w.units[came[0]].owner, units=came, to=part)
