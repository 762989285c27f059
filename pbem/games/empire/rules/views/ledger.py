"""What the records keep beside the position: the sheets of E6.1 that the state document does not tell."""

from __future__ import annotations

from typing import Any

import msgspec

from pbem.core.seat import Viewer
from pbem.games.empire.rules.accounts import hup
from pbem.games.empire.rules.ground import secrets
from pbem.games.empire.rules.state import Hup, Row
from pbem.games.empire.rules.views.documents import amount
from pbem.games.empire.rules.world import World


def ledger(w: World, viewer: Viewer) -> dict[str, Any]:
    """By country: the rows of E6.3, and the HUP sheets by turn and good; the units that develop a square."""
    seen = secrets.Sight(w, viewer)
    shown = [id_ for id_ in w.countries if seen.country(id_)]
    turns = range(1, w.state.turn + 1)
    return {
        "economic": {id_: [_row(row) for row in w.country(id_).rows if not row.inherited] for id_ in shown},
        "hup": {id_: {str(turn): _hup(hup.sheet(w.hup, id_, turn)) for turn in turns} for id_ in shown},
        "developing": sorted(unit.id for unit in w.units.values() if unit.tasks and unit.owner in shown),
    }


def _row(row: Row) -> dict[str, Any]:
    found = {field: getattr(row, field) for field in row.__struct_fields__ if field != "inherited"}
    return dict(msgspec.to_builtins(found, enc_hook=str))


def _hup(rows: dict[str, Hup]) -> dict[str, Any]:
    return {
        good: {key: amount(getattr(row, key)) for key in ("had", "used", "produced", "closing")}
        for good, row in rows.items()
    }
