"""Fighters that fly with unarmed aircraft, as escorts do with bombers (E15.21)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from pbem.core.refusal import Illegal
from pbem.core.seat import Seat
from pbem.games.empire.geography.grid import square_of
from pbem.games.empire.rules.air import ack_ack, airways, missions
from pbem.games.empire.rules.air.missions import Mission
from pbem.games.empire.rules.ground import pirate
from pbem.games.empire.rules.orders import Move
from pbem.games.empire.rules.state import Unit
from pbem.games.empire.rules.world import World


class Escorts:
    """They join what they escort where it starts, fly its way with it, and then home."""

    def __init__(self, w: World, mission: Mission) -> None:
        self._w, self._mission = w, mission
        self._passed: set[str] = set()

    def ready(self) -> list[str]:
        """Those who are still there and have not fought: a fighter fights one battle a slot."""
        w = self._w
        return [id_ for id_ in self._mission.escorts if id_ in w.units and w.units[id_].attacked != w.now]

    def join(self, start: str) -> None:
        """Each from its base."""
        w = self._w
        for id_ in list(self._mission.escorts):
            squares = airways.path(w, w.units[id_].owner, w.units[id_].at, start)
            for square in squares[:-1]:
                pirate.looked_at(w, square, w.player(w.units[id_].owner))
            self._fired_at(id_, squares[:-1])

    def fly_over(self, square: str) -> None:
        """Hostile ack-ack of the square fires low at each of them, once."""
        if square not in self._passed:
            self._passed.add(square)
            for id_ in self._mission.planes:
                self._fired_at(id_, [square])

    def _fired_at(self, id_: str, squares: Sequence[str]) -> None:
        """Who is lost, or aborts and flies home from there, escorts no more."""
        turned = ack_ack.pass_over(self._w, squares, id_)
        if turned is not None:
            self._mission.turned[id_] = turned
        if turned is not None or id_ not in self._w.units:
            self._mission.escorts.remove(id_)


@contextmanager
def flying(w: World, player: Seat, order: Move, planes: Sequence[Unit]) -> Iterator[Escorts | None]:
    """Who flies with these aircraft, as long as those fly. Raises `Illegal`."""
    if not order.escort:
        yield None
        return
    start = square_of(planes[0].at)
    for unit in planes:
        if w.kind(unit).class_ != "air" or w.kind(unit).military or square_of(unit.at) != start:
            raise Illegal("way.none", what=unit.id, square=w.map.shown(unit.at), to=order.way[-1], why="no_escort")
    mission = Mission(
        square=square_of(order.way[-1]),
        bombers=[],
        escorts=list(dict.fromkeys(order.escort)),
        via=(start, *map(square_of, order.way[:-1])),
        home=missions.named_home(w, order.home),
    )
    missions.planned(w, player, mission)
    everyone, escorts = mission.planes, Escorts(w, mission)
    w.note("escorts", w.units[everyone[0]].owner, units=everyone, planes=[unit.id for unit in planes])
    escorts.join(start)
    yield escorts
    missions.forget_lost(w, mission)
    missions.fly_home(w, mission, everyone)
