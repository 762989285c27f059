"""Fighters against fighters, and against bombers (E15.5 to E15.10)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from math import ceil, floor

from pbem.games.empire.rules.pieces.losing import lose
from pbem.games.empire.rules.world import World


def column(attack: Fraction, defense: Fraction) -> str:
    """Attack to defense, rounded for the defender: `2-1`, `1-1`, `1-2`, or beyond."""
    if attack >= defense:
        return f"{floor(attack / defense)}-1"
    return f"1-{ceil(defense / attack)}"


def strength(w: World, id_: str) -> Fraction:
    return w.kind(w.units[id_]).strength


def fight_odds(w: World, attackers: Sequence[str], defenders: Sequence[str]) -> str:
    """Of fighters against fighters, as text."""
    attack = sum((strength(w, id_) for id_ in attackers), Fraction(0))
    return column(attack, sum((strength(w, id_) for id_ in defenders), Fraction(0)))


def is_legal(w: World, attackers: Sequence[str], defenders: Sequence[str]) -> bool:
    """1-2 or better (E15.6)."""
    against, worst = (odds.split("-")[1] for odds in (fight_odds(w, attackers, defenders), w.tables.air["worst_odds"]))
    return int(against) <= int(worst)


def fight(w: World, square: str, attackers: Sequence[str], defenders: Sequence[str]) -> None:
    """Interceptors on escorts; at odds that are not allowed they leave them alone."""
    if not is_legal(w, attackers, defenders):
        return
    odds = fight_odds(w, attackers, defenders)
    if int(odds.split("-")[0]) >= int(w.tables.air["automatic"]):
        _report(w, square, attackers, defenders, odds, "D")
        _all(w, defenders)
        return
    faces = _column(w, w.tables.fighter_fighter, odds)
    face = w.die(f"air {square}", faces, odds=odds, column=odds)
    result = faces[str(face)]
    w.rolled(f"air {square}", [face], result)
    _report(w, square, attackers, defenders, odds, result)
    match result:
        case "A":
            _all(w, attackers)
        case "D":
            _all(w, defenders)
        case "exchange":
            _all(w, [*attackers, *defenders])
        case _:
            _all(w, [*attackers[:1], *defenders[:1]])


def _column(w: World, table: Mapping[str, Sequence[str]], odds: str) -> dict[str, str]:
    """What each face brings at these odds."""
    sides = (str(side) for side in range(1, int(w.tables.dice["faces"]) + 1))
    return {side: table[side][table["odds"].index(odds)] for side in sides}


def bomber_strength(w: World, id_: str) -> Fraction:
    return Fraction(1, 2) if w.units[id_].kind == "tac" else Fraction(1)


def attack_bombers(
    w: World, square: str, fighters: Sequence[str], bombers: Sequence[str]
) -> tuple[list[str], list[str]]:
    """Those that abort, and those that are lost though their bombs fall."""
    ours = sum((bomber_strength(w, id_) for id_ in bombers), Fraction(0))
    theirs = sum((strength(w, id_) for id_ in fighters), Fraction(0))
    odds = column(ours, theirs)
    first, _, second = odds.partition("-")
    if int(second) > 2:
        _report(w, square, fighters, bombers, odds, "B")
        _all(w, bombers)
        return [], []
    odds = "2-1" if int(first) > 2 else odds
    faces = _column(w, w.tables.bomber_fighter, odds)
    face = w.die(f"air {square}", faces, odds=odds, column=odds)
    result = faces[str(face)]
    w.rolled(f"air {square}", [face], result)
    _report(w, square, fighters, bombers, odds, result)
    match result:
        case "B" | "both_B":
            _all(w, bombers)
        case "one_B":
            _all(w, bombers[:1])
        case "exchange_1":
            _all(w, [*bombers[:1], *fighters[:1]])
        case "F":
            _all(w, fighters)
        case "B_aborts":
            return list(bombers), []
        case "B_drops":
            _all(w, bombers)
            return [], list(bombers)
    return [], []


def _all(w: World, ids: Sequence[str]) -> None:
    for id_ in ids:
        if id_ in w.units:
            lose(w, w.units[id_], "shot_down")


def _report(w: World, square: str, one: Sequence[str], other: Sequence[str], odds: str, result: str) -> None:
    w.note("air_fight", at=square, attackers=list(one), defenders=list(other), odds=odds, result=result)


def dealt(fighters: Sequence[str], targets: Sequence[str]) -> list[tuple[list[str], str]]:
    """One on each in number order, then a second, at most three (E15.10)."""
    groups: list[tuple[list[str], str]] = [([], target) for target in targets]
    for place, fighter in enumerate(fighters):
        if groups and place < 3 * len(groups):
            groups[place % len(groups)][0].append(fighter)
    return [group for group in groups if group[0]]


def shared(fighters: Sequence[str], escorts: Sequence[str]) -> list[tuple[list[str], list[str]]]:
    """So many fighters against the escorts, evenly."""
    groups: list[tuple[list[str], list[str]]] = [([fighter], []) for fighter in fighters]
    for place, escort in enumerate(escorts):
        groups[place % len(groups)][1].append(escort)
    return groups
