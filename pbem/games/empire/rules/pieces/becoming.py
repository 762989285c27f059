"""A land unit that takes up more arms, or loses some, is another kind of unit from then on (E12.1, E12.3, E16.5)."""

from __future__ import annotations

from collections.abc import Sequence

from pbem.games.empire.rules.ground.sides import LAND
from pbem.games.empire.rules.state import Unit
from pbem.games.empire.rules.world import World

KEPT = ("aboard", "state", "used", "armed", "fought", "attacked", "came", "landed", "retreated", "hungry", "thirsty",
        "job", "done")  # fmt: skip


def become(w: World, old: Unit, kind: str, **fields: object) -> str:
    """A unit of another kind in its place, with what it has done in this turn; what it carried lies on the ground."""
    kept = {name: getattr(old, name) for name in KEPT} | fields
    for country, held in old.holds.items():
        w.merge(old.aboard or old.at, country, held)
    w.change(old.id, holds={})
    w.remove(old.id)
    new = w.new_unit(kind, old.owner, old.at, **kept).id
    enlist(w, old.owner, [old.id], [new])
    return new


def enlist(w: World, country: str, old: Sequence[str], new: Sequence[str]) -> None:
    """For the pay: what it had. A unit under another number is one unit still, who disarms wholly is none (E7.16)."""
    if country not in w.countries:  # serpents are nobody's
        return
    new = [id_ for id_ in new if w.tables.kinds[w.tables.codes[id_[:3]]].class_ in LAND]
    paid = [id_ for id_ in w.country(country).paid if id_ not in old]
    w.change_country(country, paid=(*paid, *(id_ for id_ in new if id_ not in paid)))
