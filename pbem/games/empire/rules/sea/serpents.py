"""Sea serpents, in the phaser turn behind the last slot of a game turn (E18.8 to E18.10).

What a serpent does next follows from its state and from what it did last (`done`): born or woken, it swims dived and
comes up; from the surface it swims as a cruiser and dives; then it swims dived once more, and sleeps.
"""

from __future__ import annotations

from math import floor

from pbem.games.empire.geography.grid import DIRECTIONS, direction_to, map_order, square_of
from pbem.games.empire.rules.combat import wrecks
from pbem.games.empire.rules.ground import pirate
from pbem.games.empire.rules.ground.wind import direction
from pbem.games.empire.rules.pieces import naval_table
from pbem.games.empire.rules.sea import unarmed
from pbem.games.empire.rules.state import Unit
from pbem.games.empire.rules.world import World

KIND = "sea_serpent"
TRIES = 6
DOWN_AGAIN, TIRED = "down_again", "tired"
ASLEEP = "stored"  # its state


def phaser_turn(w: World) -> None:
    if w.options["serpents"] == "no" and not _all(w):
        return
    for serpent in _all(w):
        _next_state(w, serpent)
    if w.options["serpents"] == "yes":
        for place, ocean in enumerate(w.map.oceans, 1):
            _birth(w, str(place), ocean)


def wake(w: World, part: str) -> None:
    """Chemicals were used for war in its square: it begins again."""
    if square_of(part) not in w.map.squares:
        return
    for unit in w.in_square(square_of(part)):
        if is_asleep(unit):
            w.change(unit.id, state="dived", done="")
            w.note("serpent_woke", unit=unit.id, at=unit.at)


def is_asleep(unit: Unit) -> bool:
    """Nothing touches it."""
    return unit.kind == KIND and unit.state == ASLEEP


def _all(w: World) -> list[Unit]:
    return sorted((unit for unit in w.units.values() if unit.kind == KIND), key=w.unit_order)


def _birth(w: World, ocean: str, squares: frozenset[str]) -> None:
    born, most = w.state.births.get(ocean, 0), int(w.tables.serpents["at_most"])
    if born >= most:
        return
    purpose = f"birth ocean {ocean}"
    face = w.die(purpose)
    is_born = face in w.tables.serpents["born_on"]
    w.rolled(purpose, [face], "born" if is_born else "none")
    if is_born:
        sea = sorted((name for name in squares if w.map.squares[name].terrain == "sea"), key=map_order)
        square = sea[w.pick(f"{w.now} {purpose} square", len(sea))]
        serpent = w.new_unit(KIND, "", w.map.squares[square].water[0], state="dived", made=w.now)
        w.set(births={**w.state.births, ocean: born + 1})
        w.note("serpent_born", unit=serpent.id, at=square)


def _next_state(w: World, serpent: Unit) -> None:
    if serpent.state == "sea":
        _swim(w, serpent, state="dived", done=DOWN_AGAIN)
    elif serpent.done == DOWN_AGAIN:
        _swim(w, serpent, state="dived", done=TIRED)
    elif serpent.done == TIRED:
        w.change(serpent.id, state=ASLEEP, done="")
        w.note("serpent_sleeps", unit=serpent.id, at=serpent.at)
    elif serpent.state != ASLEEP:
        _swim(w, serpent, state="sea", done="")


def _swim(w: World, serpent: Unit, state: str, done: str) -> None:
    """A die for the direction, two for the squares; where it is blocked, a new die for the rest, at most six."""
    start, purpose = serpent.at, f"serpent {serpent.id[3:]}"
    left = 0
    for attempt in range(TRIES):
        heading = direction(w, purpose)
        if not attempt:
            dice = w.roll(purpose, int(w.tables.serpents["distance_dice"]))
            left = sum(dice)
            w.rolled(purpose, dice, str(left))
        left = _straight(w, serpent.id, DIRECTIONS.index(heading), left, purpose)
        if not left or serpent.id not in w.units:
            break
    if serpent.id in w.units:
        w.change(serpent.id, state=state, done=done)
        w.note("serpent_swam", unit=serpent.id, start=start, at=w.units[serpent.id].at, state=state)


def _straight(w: World, id_: str, heading: int, left: int, purpose: str) -> int:
    """On in one direction, attacking what it meets; how many squares are left where it is blocked."""
    while left and id_ in w.units:
        to = _ahead(w, w.units[id_], heading)
        if to is None:
            return left
        w.change(id_, at=to)
        left -= 1
        for other in _met(w, w.units[id_]):
            if id_ in w.units and other.id in w.units:
                _attack(w, w.units[id_], w.units[other.id], purpose)
    return left


def _ahead(w: World, serpent: Unit, heading: int) -> str | None:
    """Not up single lines, nor through canals."""
    waters = w.kind(serpent).waters
    for part, kind in sorted(w.map.water[serpent.at].links.items(), key=lambda link: map_order(link[0])):
        if kind in waters and direction_to(square_of(serpent.at), square_of(part)) == heading:
            return part
    return None


def _met(w: World, serpent: Unit) -> list[Unit]:
    """Dived submarines when it is dived, else ships at sea. Nobody but the Pirate knows whether it met him."""
    wanted = "dived" if serpent.state == "dived" else "sea"
    ships = [ship for ship in w.at(serpent.at) if naval_table.is_ship(w, ship) and ship.kind != KIND]
    return [s for s in ships if s.state == wanted and s.aboard is None and not pirate.is_in_ship(w, s)]


def _attack(w: World, serpent: Unit, ship: Unit, purpose: str) -> None:
    force, against = naval_table.factor(w, serpent), naval_table.defense(w, ship)
    if force < 1:
        return
    if not against:
        unarmed.strike(w, ship, floor(force), purpose)
        return
    odds = naval_table.odds(force, against)
    if naval_table.is_automatic(w, odds):
        wrecks.sink(w, ship)
        return
    if naval_table.is_legal(w, odds):
        face = w.die(purpose)
        cell = naval_table.result(w, odds, face)
        w.rolled(purpose, [face], f"{ship.id} {odds} {cell}")
        wrecks.damage(w, ship, naval_table.steps(cell, "D"))
        wrecks.damage(w, serpent, naval_table.steps(cell, "A"))
