"""Ships without BF under attack: rolls on the bombing table (E14.8)."""

from __future__ import annotations

from pbem.games.empire.rules.combat import wrecks
from pbem.games.empire.rules.questions import rulings
from pbem.games.empire.rules.state import Unit
from pbem.games.empire.rules.world import World

WORST = ("S", "L", "Ne")


def strike(w: World, ship: Unit, rolls: int, purpose: str) -> str:
    """What it does to the ship."""
    effect = rolled(w, ship, rolls, purpose)
    wrecks.suffer(w, ship, effect)
    return effect


def rolled(w: World, ship: Unit, rolls: int, purpose: str) -> str:
    """So many rolls at the target's factor, of which the worst counts; stars do nothing. What it would do."""
    sides = range(1, int(w.tables.dice["faces"]) + 1)
    referee = rulings.is_asked(w, "naval_unarmed")
    told, column = (
        {str(side): "referee" if referee else worst(w, ship.kind, [side]) for side in sides},
        _column(w, ship),
    )
    w.note("odds", at=w.map.shown(ship.at), odds=f"{rolls}", column=column, faces=told)
    faces = [w.die(purpose, told, odds=f"{rolls}", column=column) for _ in range(rolls)]
    effect = worst(w, ship.kind, faces)
    if referee:
        w.rolled(purpose, faces, "referee")
        effect = _ruled(w, ship, faces, effect)
    else:
        w.rolled(purpose, faces, effect)
    return effect


def _column(w: World, ship: Unit) -> str:
    """Its factor as a target of bombs."""
    return str(w.tables.bombing_targets[ship.kind][0])


def _ruled(w: World, ship: Unit, faces: list[int], usual: str) -> str:
    """What the moderator says of the dice [G-4]: none cargo sunk."""
    said = {"none": "none", "cargo": "cargo"}.get(usual, "sunk")
    facts = {"unit": ship.id, "faces": faces, "at": w.map.shown(ship.at)}
    return rulings.ruled(w, "naval_unarmed", ship.id, said, [ship.owner], **facts)


def worst(w: World, kind: str, faces: list[int]) -> str:
    """The effect of the worst of these dice on a ship of that kind."""
    point, severe, light = w.tables.bombing_targets[kind]
    monotone = w.options["bombing_table"] == "monotone"
    table = w.tables.bombing_results_monotone if monotone else w.tables.bombing_results
    cells = {str(table[str(face)][point - 1]).rstrip("*") for face in faces}
    found = next((cell for cell in WORST if cell in cells), "Ne")
    return {"S": severe, "L": light, "Ne": "none"}[found]
