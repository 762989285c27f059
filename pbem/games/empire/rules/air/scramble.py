"""Who comes up against a mission: scrambles by standing order or default, and patrols (E15.10 to E15.18)."""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil

from pbem.core.seat import Seat
from pbem.games.empire.geography.grid import distance, map_order, square_of
from pbem.games.empire.rules.air import air_fights
from pbem.games.empire.rules.air.airways import CARRIER_AIR, is_base
from pbem.games.empire.rules.orders import Standing
from pbem.games.empire.rules.questions import asking
from pbem.games.empire.rules.state import Unit
from pbem.games.empire.rules.world import World

USUAL = {"match": None, "none": "none", "all": "all"}  # by option, where no standing order says more


def interceptors(
    w: World, square: str, owner: str | None, unit: str | None, flown: int, mission: Sequence[str]
) -> tuple[list[str], bool]:
    """Planes that come up for a country's possession, and whether they fight whatever the odds (`always`).

    Patrols over the square come first, then the owner's, then those of who has given notice of it (E15.11, E15.17).
    """
    enemy = w.units[mission[0]].owner
    risen, always = patrols_over(w, square, enemy), False
    for player in _defenders(w, square, owner, unit, enemy):
        more, fights = called(w, player, square, flown, mission)
        risen += more
        always = always or fights
    return risen, always


def called(w: World, player: Seat, square: str, flown: int, planes: Sequence[str]) -> tuple[list[str], bool]:
    """So many of a player's as the standing order or the default says."""
    ready = _ready(w, player, square, flown, planes)
    says = _ordered(w, player, square)
    if says is None:
        says = _asked(w, player, square, ready, planes) if ready else None
    if says is None:
        says = USUAL[w.options["scramble"]]
    most = len(planes)
    if says in ("all", "always"):
        most = len(ready)
    elif says == "none":
        most = 0
    elif says is not None:
        most = int(says)
    return ready[:most], says == "always"


def _defenders(w: World, square: str, owner: str | None, unit: str | None, enemy: str) -> list[Seat]:
    """Players whose aircraft come up: the owner, and those who protect what is attacked."""
    first = None if owner is None else w.player(owner)
    found = [] if first is None else [first]
    for seat in w.state.order:
        if seat in found or owner is None or not _is_hostile(w, seat, enemy, square):
            continue
        for each in w.standing(seat, "protect"):
            named = unit in each.units or (each.at is not None and square_of(each.at) == square)
            if named and _holds(w, each) and (each.to is None or each.to in (owner, w.player(owner))):
                found.append(seat)
                break
    return found


def _is_hostile(w: World, seat: Seat, country: str, square: str) -> bool:
    return any(not w.friendly(each, country, square) for each in w.countries_of(seat))


def _holds(w: World, notice: Standing) -> bool:
    return notice.until is None or notice.until >= w.state.turn


def guards(w: World, square: str, country: str) -> list[Seat]:
    """Players whose notice for a square is broken by an unarmed aircraft over it (E15.11, E15.14)."""
    found = []
    for seat in w.state.order:
        notices = (n for n in w.standing(seat, "protect") if n.at is not None and square_of(n.at) == square)
        if _is_hostile(w, seat, country, square) and any(_holds(w, notice) for notice in notices):
            found.append(seat)
    return found


def _asked(w: World, player: Seat, square: str, ready: Sequence[str], planes: Sequence[str]) -> str | None:
    """How many come up, as their owner answers under `ask yes`; None: as many as usual."""
    count = {"match": min(len(planes), len(ready)), "none": 0, "all": len(ready)}[w.options["scramble"]]
    default = Standing(what="scramble", at=square, says=str(count) if count else "none")
    said = asking.of_owner(w, "scramble", square, player, default, at=square, ready=list(ready), planes=len(planes))
    return said.says if said is not None else None


def _ordered(w: World, player: Seat | None, square: str) -> str | None:
    """What a standing order says of that square, or of any."""
    found = list(w.standing(player, "scramble"))
    exact: list[Standing] = [each for each in found if each.at is not None and square_of(each.at) == square]
    orders = exact or [each for each in found if each.at is None]
    return orders[0].says if orders else None


def _ready(w: World, player: Seat, square: str, flown: int, planes: Sequence[str]) -> list[str]:
    """Nearest bases first, ties in map order."""
    from_ships = all(w.units[id_].aboard is not None and square_of(w.units[id_].at) == square for id_ in planes)
    found = [unit for unit in w.units.values() if w.player(unit.owner) == player and _can_rise(w, unit)]
    near = [
        unit
        for unit in found
        if distance(square_of(unit.at), square) <= flown - 1
        or (from_ships and unit.aboard is not None and square_of(unit.at) == square)
    ]
    near.sort(key=lambda u: (distance(square_of(u.at), square), map_order(u.at), w.unit_order(u)))
    return [unit.id for unit in near]


def _can_rise(w: World, unit: Unit) -> bool:
    if unit.kind not in CARRIER_AIR or unit.attacked == w.now or unit.state != "ground" or unit.holds:
        return False
    if unit.aboard is not None:
        return w.units[unit.aboard].kind == "carrier"
    return is_base(w, unit, unit.at)


def patrols_over(w: World, square: str, enemy: str) -> list[str]:
    """Hostile planes on patrol over the square (E15.17)."""
    up = [u for u in w.units.values() if u.state == "up" and u.kind in CARRIER_AIR and square_of(u.at) == square]
    up = [u for u in up if not w.friendly(u.owner, enemy, square) and u.attacked != w.now]
    return [unit.id for unit in sorted(up, key=w.unit_order)]


def engage(
    w: World, square: str, risen: Sequence[str], always: bool, escorts: Sequence[str], bombers: Sequence[str]
) -> tuple[list[str], list[str]]:
    """Steps (b) to (d). Gives bombers that abort, and those that are lost though their bombs fall."""
    free = engage_escorts(w, square, risen, always, escorts)
    aborted: list[str] = []
    dropped: list[str] = []
    for fighters, bomber in air_fights.dealt(free, _by_number(w, bombers)):
        gone, last = air_fights.attack_bombers(w, square, fighters, [bomber])
        aborted += gone
        dropped += last
    return aborted, dropped


def engage_escorts(w: World, square: str, risen: Sequence[str], always: bool, escorts: Sequence[str]) -> list[str]:
    """Step (c). Gives those who are left for what the escorts defend."""
    risen, escorts = _by_number(w, risen), _by_number(w, escorts)
    needed = _engaging(w, risen, escorts)
    if not risen or (needed is None and not always):
        return []
    for id_ in (*risen, *escorts):
        w.change(id_, attacked=w.now)
    used = risen if needed is None else risen[:needed]
    for fighters, against in air_fights.shared(used, escorts[: 2 * len(used)]):
        air_fights.fight(w, square, fighters, against)
    return [id_ for id_ in risen[len(used) :] if id_ in w.units]


def _by_number(w: World, ids: Sequence[str]) -> list[str]:
    return sorted(ids, key=lambda id_: w.unit_order(w.units[id_]))


def _engaging(w: World, risen: Sequence[str], escorts: Sequence[str]) -> int | None:
    """How many engage the escorts, each of whom must be fought at 1-2 or better (E15.9, E15.10). None: they can't."""
    for count in range(ceil(len(escorts) / 2), min(len(escorts), len(risen)) + 1):
        if all(air_fights.is_legal(w, *group) for group in air_fights.shared(risen[:count], escorts)):
            return count
    return None
