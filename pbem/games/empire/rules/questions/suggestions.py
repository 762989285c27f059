"""Orders that a player could give now, for the examples of a question: each is tried before it is shown."""

from __future__ import annotations

from collections.abc import Iterator

from pbem.core.seat import Seat
from pbem.games.empire.rules import orders as od
from pbem.games.empire.rules.ground import placing
from pbem.games.empire.rules.ground.terrain import beside
from pbem.games.empire.rules.world import World

PICKS = (("truck", "cargo_ship"), ("road", "truck"))


def suggestions(w: World, seat: Seat, kind: str) -> Iterator[od.Order]:
    match kind:
        case "capital":
            yield od.Capital(squares=(placing.usual(w), *w.map.starts[-1:]))
            yield od.Capital(squares=(placing.usual(w),))
        case "picks":
            yield from (od.Picks(items=items) for items in PICKS)
        case _:
            for country in w.countries_of(seat):
                yield from _in_slot(w, country)
            yield od.Rollout()


def _in_slot(w: World, country: str) -> Iterator[od.Order]:
    """A walk, a farm, a mine, a work: one of each where there is somebody for it."""
    places = [part for part in w.places_of(country) if part in w.map.land and _idle(w, country, part)]
    for part in places[:8]:
        yield od.Farm(squares=(part,))
        yield from (od.Develop(mark=kind, at=part) for kind in w.map.marks.get(part, {}))
        yield from (od.Make(item=item, at=part) for item in ("power", "steel", "hmx"))
        yield from (od.Build(item=item, squares=(part,)) for item in ("PS", "SM", "dock"))
        yield from (od.Move(kind="worker", count=1, start=part, way=(other,)) for _, other in [*beside(w, part)][:1])


def _idle(w: World, country: str, part: str) -> bool:
    return any(crew.kind == "worker" and not crew.tasks for crew in w.held(part, country).crews)
