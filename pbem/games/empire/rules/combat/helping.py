"""Ships, naval guns and aircraft that help in land battles (E17.1, E17.2)."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import floor

from msgspec import Struct
from msgspec.structs import replace

from pbem.core.refusal import Illegal
from pbem.core.seat import Seat
from pbem.games.empire.geography.grid import square_of
from pbem.games.empire.rules.accounts import debts
from pbem.games.empire.rules.accounts.inflation import is_inflated
from pbem.games.empire.rules.combat.battle_context import Context, has_attacked
from pbem.games.empire.rules.ground.sides import is_hostile
from pbem.games.empire.rules.ground.who import unit_of
from pbem.games.empire.rules.pieces import naval_table
from pbem.games.empire.rules.state import Gun, Unit
from pbem.games.empire.rules.world import World

GUN = "naval_gun "
BOMBERS = ("strategic_bomber", "tac")
BOMBS = ("bomb", "light_bomb")


class Help(Struct, frozen=True, kw_only=True):
    """What was named as support."""

    player: Seat | None = None
    air: tuple[str, ...] = ()
    ships: tuple[str, ...] = ()
    guns: tuple[str, ...] = ()  # parts
    most_air: Fraction = Fraction(0)  # BF, with what other attacks on the part get (E17.1, E17.2)
    most_naval: Fraction = Fraction(0)

    def __bool__(self) -> bool:
        return bool(self.air or self.ships or self.guns)


def named(w: World, player: Seat, names: Sequence[str], part: str, ctx: Context) -> Help:
    """Raises `Illegal` for what can't help there."""
    air, ships, guns = [], [], []
    for name in dict.fromkeys(names):
        if name.startswith(GUN):
            guns.append(_gun(w, player, name, part, ctx))
            continue
        unit = unit_of(w, player, name)
        ctx.use(w, unit)
        if unit.kind in BOMBERS:
            if bombs(unit) == 0:
                raise Illegal("battle.reach", unit=unit.id, target=part, square=w.map.shown(unit.at))
            air.append(unit.id)
        elif is_inflated(w, unit.owner):
            raise Illegal("inflation.barred", country=unit.owner)
        elif naval_factor(w, unit) and square_of(unit.at) == square_of(part):
            debts.owe(w, unit.owner, "chemicals", naval_factor(w, unit) * debts.rate(w, "naval_factor"))
            ships.append(unit.id)
        else:
            raise Illegal("battle.reach", unit=unit.id, target=part, square=w.map.shown(unit.at))
    found = Help(player=player, air=tuple(air), ships=tuple(ships), guns=tuple(guns))
    by_air = Fraction(sum(bombs(w.units[id_]) for id_ in air) * int(w.tables.land["bomb_factor"]))
    return replace(
        found,
        most_air=ctx.promise(f"air {part}", by_air, Fraction(int(w.tables.land["bomb_limit"]))),
        most_naval=ctx.promise(
            f"naval {part}", _naval(w, found, part, player), Fraction(int(w.tables.land["naval_limit"]))
        ),
    )


def _gun(w: World, player: Seat, name: str, part: str, ctx: Context) -> str:
    where = name.removeprefix(GUN)
    parts = w.map.parts(where)
    if len(parts) != 1:
        raise Illegal("square.part" if parts else "square.absent", square=where, parts=list(parts))
    place = parts[0]
    own = [(gun, owner) for gun, owner in batteries(w, place) if w.player(owner) == player]
    if not own or not _is_near(w, place, part):
        raise Illegal("battle.reach", unit=name, target=part, square=place)
    if any(gun.fought == w.state.turn for gun, _ in own):
        raise Illegal("battle.used", unit=name, done="attacked")
    ctx.use_thing(GUN + place)
    debts.owe(w, own[0][1], "chemicals", gun_factor(w, place, part, player) * debts.rate(w, "naval_factor"))
    return place


# -- how much ---


def bombs(unit: Unit) -> int:
    return floor(sum((held.amount(good) for held in unit.holds.values() for good in BOMBS), Fraction(0)))


def naval_factor(w: World, unit: Unit) -> Fraction:
    """BF of a ship that can help on land."""
    return naval_table.factor(w, unit) if w.kind(unit).class_ == "ship" and unit.state == "sea" else Fraction(0)


def batteries(w: World, part: str) -> list[tuple[Gun, str]]:
    """Naval guns that are manned, each with whose worker is at it."""
    guns = [gun for gun in w.part(part).guns if gun.kind == "naval_gun" and not gun.damaged]
    held = w.part(part).held
    crews = [
        country
        for country in sorted(held)
        for crew in held[country].crews
        if crew.kind == "worker" and crew.tasks == ("naval_gun",)
        for _ in range(crew.count)
    ]
    return list(zip(guns, crews, strict=False))


def gun_factor(w: World, place: str, part: str, player: Seat | None) -> Fraction:
    """Of a player's naval guns at a place against a part: 6 in its own square, 3 in the next ones, less a step each."""
    same = square_of(place) == square_of(part)
    full = int(w.tables.naval["factors"]["naval_gun_same" if same else "naval_gun_adjacent"])
    guns = [gun for gun, owner in batteries(w, place) if w.player(owner) == player]
    return Fraction(sum(max(0, full - gun.steps) for gun in guns))


def _is_near(w: World, place: str, part: str) -> bool:
    one, other = square_of(place), square_of(part)
    return one == other or other in w.map.around(one)


def _in_land_factors(w: World, naval: Fraction) -> Fraction:
    return min(naval / int(w.tables.land["naval_per_factor"]), Fraction(int(w.tables.land["naval_limit"])))


def _naval(w: World, found: Help, part: str, player: Seat | None) -> Fraction:
    if not w.map.squares[square_of(part)].water:
        return Fraction(0)
    ships = sum((naval_factor(w, w.units[id_]) for id_ in found.ships if id_ in w.units), Fraction(0))
    guns = sum((gun_factor(w, place, part, player) for place in found.guns), Fraction(0))
    return _in_land_factors(w, ships + guns)


def of_ships(w: World, found: Help, part: str) -> Fraction:
    """BF that ships and naval guns add on land."""
    return min(_naval(w, found, part, found.player), found.most_naval)


def of_air(found: Help, force: int) -> Fraction:
    """BF of the bombs that fall; 3 in one part at most."""
    return min(Fraction(force), found.most_air)


def for_defenders(w: World, defenders: Sequence[Unit], part: str) -> Fraction:
    """BF that ships in the square and guns beside it add to the defense: those of the defenders' friends (E17.2)."""
    if not defenders or not w.map.squares[square_of(part)].water:
        return Fraction(0)
    owner = defenders[0].owner
    square = square_of(part)
    ships = [u for u in w.in_square(square) if w.kind(u).class_ == "ship" and _helps(w, u.owner, owner, part)]
    naval = sum((naval_factor(w, unit) for unit in ships), Fraction(0))
    for near in (square, *w.map.around(square)):
        for place in w.map.squares[near].land:
            naval += gun_factor(w, place, part, w.player(owner))
    return _in_land_factors(w, naval)


def _helps(w: World, country: str, owner: str, part: str) -> bool:
    """Only a player's own: nobody is asked whether they help a friend."""
    return not is_hostile(w, country, owner, part) and w.player(country) == w.player(owner)


# -- what becomes of it ---


def spend(w: World, found: Help) -> None:
    """Ships and guns have made their attack."""
    for id_ in found.ships:
        has_attacked(w, id_)
    for place in found.guns:
        guns = [replace(gun, fought=w.state.turn) if gun.kind == "naval_gun" else gun for gun in w.part(place).guns]
        w.change_part(place, guns=tuple(guns))
