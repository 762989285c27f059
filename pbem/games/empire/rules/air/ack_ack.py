"""Ack-ack: installed and manned, it fires by itself at hostile aircraft (E15.15)."""

from __future__ import annotations

from collections.abc import Sequence

from pbem.core.seat import Seat
from pbem.games.empire.geography.grid import square_of
from pbem.games.empire.rules.pieces.losing import lose
from pbem.games.empire.rules.state import Unit
from pbem.games.empire.rules.world import World


def gunners(w: World, square: str) -> list[str]:
    """The countries whose workers man the guns of a square, one for each gun; its parts count as one (E1.6)."""
    found: list[str] = []
    for land in w.map.squares[square].land:
        part = w.part(land)
        working = sum(1 for gun in part.guns if gun.kind == "AA" and not gun.damaged)
        manned = [
            country
            for country, held in part.held.items()
            for crew in held.crews
            if "AA" in crew.tasks
            for _ in range(crew.count)
        ]
        found += manned[:working]
    return found


def hostile_guns(w: World, country: str, square: str) -> int:
    """How many fire at aircraft of that country there."""
    return sum(
        1
        for owner in gunners(w, square)
        if not w.friendly(owner, country, square) and not _holds_fire(w, owner, square)
    )


def _holds_fire(w: World, owner: str, square: str) -> bool:
    return holds_fire(w, w.player(owner), "ackack", square)


def holds_fire(w: World, player: Seat | None, what: str, square: str) -> bool:
    """Does the newest standing order about the square, else about all, say to hold fire?"""
    orders = list(w.standing(player, what))
    exact = [each for each in orders if each.at is not None and square_of(each.at) == square]
    general = [each for each in orders if each.at is None]
    return any(each.says == "none" for each in (exact or general)[:1])


def fire(w: World, square: str, planes: Sequence[str], table: str) -> list[str]:
    """Each gun fires once at each plane (`table`: high low non_combat). Gives those that abort."""
    aborted: list[str] = []
    for id_ in planes:
        for _ in range(hostile_guns(w, w.units[id_].owner, square) if id_ in w.units else 0):
            if id_ not in w.units or id_ in aborted:
                break
            face = w.die(f"ackack {square}", w.tables.ack_ack[table])
            result = w.tables.ack_ack[table][str(face)]
            w.rolled(f"ackack {square}", [face], result)
            w.note("ack_ack", w.units[id_].owner, unit=id_, at=square, result=result)
            if result == "lost":
                lose(w, w.units[id_], "shot_down")
            elif result == "aborts":
                aborted.append(id_)
    return aborted


def pass_over(w: World, squares: Sequence[str], id_: str, table: str = "low") -> str | None:
    """On the way, square by square. Where the plane turns back, if it does."""
    for square in squares:
        if id_ in w.units and fire(w, square, [id_], table):
            return square
    return None


def alive(w: World, units: Sequence[Unit]) -> list[str]:
    return [unit.id for unit in units if unit.id in w.units]
