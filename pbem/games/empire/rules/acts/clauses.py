"""What an order may say besides: a clause that means nothing for what is ordered is refused, never passed over."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from msgspec import Struct

from pbem.core.refusal import Illegal
from pbem.games.empire.rules import orders as od
from pbem.games.empire.rules.acts.battle_order import kind_of
from pbem.games.empire.rules.economy.making import POWER
from pbem.games.empire.rules.land.arming import PIRATE
from pbem.games.empire.rules.movement.building import CROSSINGS, cmx_turns
from pbem.games.empire.rules.movement.linear import LINES, UNDERWATER
from pbem.games.empire.rules.pieces.carrying import PEOPLE
from pbem.games.empire.rules.world import World

FORTS = ("fort", "pillbox")
ACROSS = (*LINES, *UNDERWATER)
FROM_SHIPS = ("bridge", *UNDERWATER)


class Clause(NamedTuple):
    """A field of an order: for what it means something, how it is written, and why it means nothing else."""

    field: str
    means: Callable[[World, Any], bool]
    written: Callable[[Any], str]
    why: str  # a reason's id


def _lasts(w: World, item: str) -> bool:
    return any(row.item == item and row.turns > 1 for row in w.setting.recipes)


def _is_built_in_turns(w: World, item: str) -> bool:
    return item in ACROSS or cmx_turns(w, item) > 1


def _most_squares(order: od.Build) -> int:
    if order.item in ACROSS:
        return len(order.squares)
    return 2 if order.item in CROSSINGS else 1


def _further(order: od.Build) -> str:
    return " ".join(f"- {square}" for square in order.squares[_most_squares(order) :])


CLAUSES: Mapping[type[Struct], tuple[Clause, ...]] = {
    od.Move: (
        Clause("hold", lambda _, o: bool(o.cargo), lambda _: "hold", "nothing_to_hold"),
        Clause("escort", lambda _, o: o.kind not in PEOPLE, lambda o: f"escort {', '.join(o.escort)}", "no_escort"),
    ),
    od.Develop: (Clause("ship", lambda w, o: not w.map.parts(o.at), lambda o: f"with {o.ship}", "offshore_only"),),
    od.Make: (
        Clause("inputs", lambda _, o: o.item != "power" or len(o.inputs) == 1, lambda o: f"from {', '.join(o.inputs)}",
               "one_fuel"),
        Clause("factory", lambda _, o: o.item != "power" or o.factory == POWER, lambda o: f"in {o.factory}",
               "in_station"),
        Clause("book", lambda w, o: _lasts(w, o.item), lambda o: f"book {o.book}", "one_turn"),
    ),
    od.Build: (
        Clause("squares", lambda _, o: len(o.squares) <= _most_squares(o), _further, "one_work"),
        Clause("facing", lambda _, o: o.item in FORTS, lambda o: f"facing {o.facing}", "forts_only"),
        Clause("workers", lambda _, o: o.item in LINES, lambda o: f"with {o.workers} workers", "parties_only"),
        Clause("ship", lambda _, o: o.item in FROM_SHIPS, lambda o: f"with {o.ship}", "ships_only"),
        Clause("book", lambda w, o: _is_built_in_turns(w, o.item), lambda o: f"book {o.book}", "one_turn"),
    ),
    od.Repair: (Clause("to", lambda _, o: o.what in (*ACROSS, *CROSSINGS), lambda o: f"- {o.to}", "one_work"),),
    od.Destroy: (Clause("facing", lambda _, o: o.what in FORTS, lambda o: f"facing {o.facing}", "forts_only"),),
    od.Arm: (
        Clause("units", lambda _, o: o.kind != "sac", lambda o: f"from {', '.join(o.units)}", "from_workers"),
        Clause("aboard", lambda _, o: o.kind != PIRATE or not o.units, lambda o: f"aboard {o.aboard}", "named_ship"),
    ),
    od.Attack: (
        Clause("every", lambda _, a: not a.targets, lambda _: "all", "named_already"),
        Clause("advance", lambda w, a: kind_of(w, a) == "land", lambda _: "advance", "land_only"),
    ),
}  # fmt: skip


def check(w: World, order: Struct) -> None:
    """Raises `Illegal` (`clause.idle`) for the first clause that means nothing."""
    for clause in CLAUSES.get(type(order), ()):
        if getattr(order, clause.field) and not clause.means(w, order):
            raise Illegal("clause.idle", clause=clause.written(order), why=clause.why)
    for attack in getattr(order, "attacks", ()):
        check(w, attack)
