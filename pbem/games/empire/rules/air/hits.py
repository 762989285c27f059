"""What bombs and shells do to what they hit (E16.4, E16.5)."""

from __future__ import annotations

from fractions import Fraction
from math import floor

from msgspec.structs import replace

from pbem.games.empire.rules.air.targets import Target, contents
from pbem.games.empire.rules.combat import retreats, wrecks
from pbem.games.empire.rules.held import chosen
from pbem.games.empire.rules.people.working import leave_task
from pbem.games.empire.rules.pieces.becoming import become
from pbem.games.empire.rules.pieces.losing import lose
from pbem.games.empire.rules.state import Unit
from pbem.games.empire.rules.world import World

SEVERITY = ("Ne", "L", "S")
LOSES = {  # what a unit becomes when a part of it is hit, and the part
    "retreat_lose_hau": {"infantry_brigade": "infantry_regiment", "artillery_brigade": "infantry_regiment"},
    "retreat_lose_tank": {"armored_brigade": "infantry_brigade"},
    "retreat_lose_tracked_transport": {"mechanized_brigade": "infantry_brigade", "recon_unit": "infantry_regiment"},
    "retreat_lose_air_transport_unit": {"airborne_regiment": "infantry_regiment"},
    "retreat_lose_cmx": {"construction_brigade": "infantry_brigade"},
    "retreat_lose_hau_cmx": {"construction_brigade": "infantry_regiment"},
}


def cell(w: World, factor: int, face: int) -> str:
    """A result of the table: Ne S L, with a star where the bomber may be lost."""
    monotone = w.options["bombing_table"] == "monotone"
    table = w.tables.bombing_results_monotone if monotone else w.tables.bombing_results
    return str(table[str(face)][factor - 1])


def rolled(w: World, target: Target, bombs: int) -> tuple[str, list[str]]:
    """The most severe of so many dice, and the cell of each (E16.4)."""
    if target.factor == 0:
        return "S", []
    cells: list[str] = []
    faces = {side: cell(w, target.factor, side) for side in range(1, int(w.tables.dice["faces"]) + 1)}
    for _ in range(bombs):
        face = w.die(f"bomb {target.name} {target.square}", faces, column=str(target.factor))
        cells.append(cell(w, target.factor, face))
        w.rolled(f"bomb {target.name} {target.square}", [face], cells[-1])
    return max((each.rstrip("*") for each in cells), key=SEVERITY.index, default="Ne"), cells


def strike(w: World, target: Target, result: str, by: str) -> None:
    """Do to the target what the result says."""
    _, severe, light = w.tables.bombing_targets[target.row]
    effect = severe if result == "S" else light if result == "L" else "none"
    w.note("hit", target.owner, target=target.name, at=target.square, result=result, effect=effect, by=by)
    if effect == "none" or (target.unit is not None and target.unit not in w.units):
        return
    w.finality("killed")
    if target.unit is not None:
        _strike_unit(w, w.units[target.unit], effect)
    elif target.row == "worker":
        _strike_worker(w, target)
    elif target.row == "empty_square":
        for land in w.map.squares[target.square].land or (target.square,):
            w.change_part(land, bombed=w.now)
    else:
        _strike_thing(w, target, effect)


def still_there(w: World, target: Target) -> bool:
    """Has nothing before it in the battle order done away with it?"""
    if target.unit is not None:
        return target.unit in w.units
    if target.row == "empty_square":
        return True
    part = w.part(target.part)
    if target.row == "worker":
        return target.owner is not None and w.held(target.part, target.owner).workers > 0
    if target.other:
        return target.item in w.border(target.part, target.other).standing
    if target.row in ("ack_ack", "naval_gun"):
        return any(gun.kind == target.item for gun in part.guns)
    if target.side:
        return target.side in part.forts
    if target.item.startswith("work "):
        return any(work.item == target.item[5:] and work.what == "build" for work in part.works)
    return target.item in part.items or any(factory.kind == target.item for factory in part.factories)


def _strike_unit(w: World, unit: Unit, effect: str) -> None:
    if effect in ("sunk", "destroyed"):
        lose(w, unit, "sunk")
    elif effect.startswith("steps_"):
        wrecks.damage(w, unit, int(effect[6:]))
    elif effect == "cargo":
        wrecks.destroy_cargo(w, unit)
    else:
        kind = LOSES.get(effect, {}).get(unit.kind)
        hurt = w.change(unit.id, attacked=w.now) if kind is None else reduced(w, unit, kind)
        retreats.retreat(w, [hurt], None, "bombed")


def reduced(w: World, unit: Unit, kind: str) -> Unit:
    """It has become another unit, which has used as much."""
    return w.units[become(w, unit, kind, attacked=w.now)]


def _strike_worker(w: World, target: Target) -> None:
    """A worker retreats; nobody takes over the task in this slot (E16.7)."""
    assert target.owner is not None, "workers are somebody's"
    crew = chosen(w.held(target.part, target.owner), 1, "worker")[0]
    for task in crew.tasks:
        barred = {**w.part(target.part).barred, f"{target.owner} {task}": w.state.turn}
        w.change_part(target.part, barred=barred)
    retreats.retreat_people(w, target.part, target.owner, crew)


def _strike_thing(w: World, target: Target, effect: str) -> None:
    part = w.part(target.part)
    if target.other:
        _strike_line(w, target, effect)
    elif target.row == "ack_ack" or target.row == "naval_gun":
        _strike_gun(w, target, effect)
    elif target.side:
        forts = dict(part.forts)
        if effect == "destroyed":
            del forts[target.side]
        else:
            forts[target.side] = replace(forts[target.side], damaged=True)
        w.change_part(target.part, forts=forts)
    elif target.item in part.items:
        _strike_item(w, target, effect)
    elif target.item.startswith("work "):
        _strike_work(w, target, effect)
    else:
        _strike_factory(w, target, effect)


def _strike_work(w: World, target: Target, effect: str) -> None:
    """Like a finished one (E16.6): who was at it is free, and nobody goes on with what is damaged (E8.10)."""
    hit = next(x for x in w.part(target.part).works if f"work {x.item}" == target.item and x.what == "build")
    leave_task(w, target.part, f"work {hit.id}")
    left = [] if effect == "destroyed" else [replace(hit, pairs=0, by="", damaged=True)]
    works = w.part(target.part).works
    w.change_part(target.part, works=tuple(new for old in works for new in (left if old is hit else [old])))


def _strike_factory(w: World, target: Target, effect: str) -> None:
    factories = list(w.part(target.part).factories)
    place = next(i for i, factory in enumerate(factories) if factory.kind == target.item)
    if effect == "destroyed":
        del factories[place]
    else:
        factories[place] = replace(factories[place], state="damaged")
    w.change_part(target.part, factories=tuple(factories))


def _strike_line(w: World, target: Target, effect: str) -> None:
    found = w.border(target.part, target.other)
    lines, hurt = ([each for each in those if each != target.item] for those in (found.lines, found.hurt))
    w.change_border(target.part, target.other, lines, [*hurt, target.item] if effect == "road" else hurt)


def _strike_gun(w: World, target: Target, effect: str) -> None:
    guns = list(w.part(target.part).guns)
    place = next(i for i, gun in enumerate(guns) if gun.kind == target.item)
    if effect == "destroyed":
        del guns[place]
    elif effect.startswith("steps_"):
        steps = guns[place].steps + int(effect[6:])
        guns[place] = replace(guns[place], steps=steps)
        if steps >= int(w.tables.naval["steps"]["naval_gun"]):
            del guns[place]
    else:
        guns[place] = replace(guns[place], damaged=True)
    w.change_part(target.part, guns=tuple(guns))


def _strike_item(w: World, target: Target, effect: str) -> None:
    part = w.part(target.part)
    if effect in ("destroyed_half", "third"):
        _lose_contents(w, target, Fraction(1, 2) if effect == "destroyed_half" else Fraction(1, 3))
        part = w.part(target.part)
    if effect in ("damaged", "road"):
        if part.hurt.count(target.item) < part.items.count(target.item):
            w.change_part(target.part, hurt=(*part.hurt, target.item))
    elif effect != "third":
        items = list(part.items)
        items.remove(target.item)
        w.change_part(target.part, items=tuple(items))
        _cast_off(w, target)


def _cast_off(w: World, target: Target) -> None:
    """Ships of a dock that is gone lie at sea."""
    if target.item == "dock" and "dock" not in w.part(target.part).items and target.square not in w.map.harbors:
        for unit in w.in_square(target.square):
            if unit.state == "docked":
                w.change(unit.id, state="sea")


def _lose_contents(w: World, target: Target, share: Fraction) -> None:
    """So much of what is in it, rounded down: goods from the last kind, units from the highest number."""
    inside = contents(w, target.item, target.square)
    inside.sort(key=lambda u: (-w.unit_order(u)[1], w.unit_order(u)[0]))
    for unit in inside[: floor(len(inside) * share)]:
        lose(w, unit, "bombed")
    if target.item == "warehouse":
        for country, held in list(w.part(target.part).held.items()):
            total = floor(sum((held.amount(good) for good in held.goods), Fraction(0)) * share)
            for good in sorted(held.goods, key=lambda each: -w.tables.places[each]):
                gone = min(Fraction(total), held.amount(good))
                w.take_goods(target.part, country, good, gone)
                total -= int(gone)
