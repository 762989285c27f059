"""Missions of military aircraft, step by step (E15.1 to E15.4)."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from msgspec import Struct

from pbem.core.refusal import Illegal
from pbem.core.seat import Seat
from pbem.games.empire.geography.grid import distance, square_of
from pbem.games.empire.rules.accounts import debts
from pbem.games.empire.rules.accounts.inflation import is_inflated
from pbem.games.empire.rules.air import ack_ack, airways, scramble
from pbem.games.empire.rules.ground import pirate
from pbem.games.empire.rules.ground.who import known_square, land_part, unit_of
from pbem.games.empire.rules.pieces import traffic
from pbem.games.empire.rules.pieces.losing import lose
from pbem.games.empire.rules.state import Unit
from pbem.games.empire.rules.world import World


class Mission(Struct, kw_only=True):
    """What flies where; those that are lost or have turned back leave the lists."""

    square: str
    bombers: list[str]
    escorts: list[str]
    via: tuple[str, ...] = ()
    home: str | None = None
    alone: bool = False  # it bombs nothing: nobody comes up
    over: str | None = None  # a unit that is bombed or helped against
    turned: dict[str, str] = {}  # where planes turned back
    dropping: list[str] = []  # lost, though their bombs fall: what they carried counts
    cargo: dict[str, tuple[int, int]] = {}  # bombs and light bombs of each bomber at the start
    risen: list[str] = []  # fighters that came up against it, in the air until it flies home

    @property
    def planes(self) -> list[str]:
        return [*self.bombers, *self.escorts]


def planned(w: World, player: Seat, mission: Mission) -> None:
    """Checks a mission and enters its oil. Raises `Illegal`."""
    for id_ in mission.escorts:
        _check_fighter(w, unit_of(w, player, id_), mission)
    taken = Fraction(0)
    for id_ in mission.planes:
        unit = unit_of(w, player, id_)
        check_ready(w, unit)
        base = airways.base_of(w, unit)
        home = _home_of(unit, mission)
        if home != unit.at:
            airways.check_berth(w, unit, home, taken)
            taken += w.kind(unit).units
        airways.check_range(w, unit, airways.length([base, *mission.via, mission.square, home]), home)
        traffic.take_off(w, unit)
        traffic.land(w, unit, home)
    mission.cargo = {id_: carried(w.units[id_]) for id_ in mission.bombers}
    pay_oil(w, [w.units[id_] for id_ in mission.planes])


def check_ready(w: World, unit: Unit) -> None:
    """Raises `Illegal` unless it may fly a mission in this slot."""
    if not w.kind(unit).military:
        raise Illegal("battle.used", unit=unit.id, done="no_military")
    if is_inflated(w, unit.owner):
        raise Illegal("inflation.barred", country=unit.owner)
    if unit.made == w.now and w.options["made_moves"] == "no":
        raise Illegal("unit.fresh", unit=unit.id)
    if unit.state == "up":
        raise Illegal("air.cap_first", unit=unit.id)
    if unit.fought == w.state.turn:
        raise Illegal("battle.used", unit=unit.id, done=unit.done or "attacked")


def _check_fighter(w: World, unit: Unit, mission: Mission) -> None:
    """Who escorts or intercepts is a fighter, or a TAC without bombs (E15.5). Raises `Illegal`."""
    if not w.kind(unit).strength or any(carried(unit)):
        raise Illegal("battle.reach", unit=unit.id, target=mission.square, square=w.map.shown(unit.at))


def pay_oil(w: World, planes: Sequence[Unit]) -> None:
    """1/50 for each aircraft and slot in the air, or for each mission (E7.17). Raises `Illegal`."""
    rate = debts.rate(w, "flight")
    owners = dict.fromkeys(unit.owner for unit in planes)
    for owner in owners:
        fresh = [unit for unit in planes if unit.owner == owner and unit.flew != w.now]
        count = min(1, len(fresh)) if w.options["oil_flight"] == "mission" else len(fresh)
        debts.owe(w, owner, "oil", rate * count)
    for unit in planes:
        w.change(unit.id, flew=w.now)


def named_home(w: World, name: str | None) -> str | None:
    """A land part, or the square of a carrier. Raises `Illegal`."""
    if name is None:
        return None
    return land_part(w, name) if w.map.parts(name) else known_square(w, name)


def carried(unit: Unit) -> tuple[int, int]:
    """Bombs and light bombs aboard."""
    held = list(unit.holds.values())
    return int(sum(h.amount("bomb") for h in held)), int(sum(h.amount("light_bomb") for h in held))


def fly_out(w: World, mission: Mission, defender: str | None) -> None:
    """Steps (a) to (e): who is lost or turns back is no longer in the lists."""
    everyone = mission.planes
    starts = {id_: w.units[id_].at for id_ in everyone}
    flown = 0
    for id_ in everyone:
        stops = [starts[id_], *mission.via, mission.square]
        flown = max(flown, airways.length(stops))
        squares = [s for s in airways.route(w, w.units[id_].owner, stops) if s != mission.square]
        for square in squares:
            pirate.looked_at(w, square, w.player(w.units[id_].owner))
        turned = ack_ack.pass_over(w, squares, id_)
        if turned is not None:
            mission.turned[id_] = turned
            _turn_back(mission, [id_])
    forget_lost(w, mission)
    if mission.planes:
        pirate.looked_at(w, mission.square, w.player(w.units[mission.planes[0]].owner))
    if mission.planes and not mission.alone:
        risen, always = scramble.interceptors(w, mission.square, defender, mission.over, flown, mission.planes)
        mission.risen = _rise(w, risen)
        aborted, dropped = scramble.engage(w, mission.square, risen, always, mission.escorts, mission.bombers)
        mission.dropping += dropped
        _turn_back(mission, aborted)
        forget_lost(w, mission)
    _over_target(w, mission)


def _over_target(w: World, mission: Mission) -> None:
    """Ack-ack of the target: high against bombers, low against others; that of squares beside it low (E15.3)."""
    _turn_back(mission, ack_ack.fire(w, mission.square, list(mission.bombers), "high"))
    _turn_back(mission, ack_ack.fire(w, mission.square, list(mission.escorts), "low"))
    forget_lost(w, mission)
    for other in w.map.around(mission.square):
        _turn_back(mission, ack_ack.fire(w, other, [id_ for id_ in mission.bombers if id_ in w.units], "low"))
    forget_lost(w, mission)


def _turn_back(mission: Mission, ids: Sequence[str]) -> None:
    mission.bombers = [id_ for id_ in mission.bombers if id_ not in ids]
    mission.escorts = [id_ for id_ in mission.escorts if id_ not in ids]


def forget_lost(w: World, mission: Mission) -> None:
    _turn_back(mission, [id_ for id_ in mission.planes if id_ not in w.units])


def _rise(w: World, ids: Sequence[str]) -> list[str]:
    """They are in the air, patrols among them are so already; what is bombed does not hold them (E15.3)."""
    risen = [w.units[id_] for id_ in ids if w.units[id_].state != "up"]
    for unit in risen:
        w.change(unit.id, state="up", base=unit.aboard or unit.at, aboard=None)
    return [unit.id for unit in risen]


def _sink_down(w: World, mission: Mission) -> None:
    """Who came up lands where it came from, else where it can (E15.4)."""
    for id_ in mission.risen:
        if id_ not in w.units:
            continue
        unit = w.units[id_]
        home = airways.own_base(w, unit) or airways.nearest_base(w, unit, w.tables.bta - unit.used, mission.square)
        if home is None:
            lose(w, unit, "crashed")
        else:
            airways.put_down(w, unit, home)


def fly_home(w: World, mission: Mission, everyone: Sequence[str]) -> None:
    """Step (g), for all that still fly: ack-ack on the way back, and a place to land (E15.4)."""
    _sink_down(w, mission)
    for id_ in everyone:
        if id_ not in w.units:
            continue
        unit = w.units[id_]
        home = unit.at if id_ in mission.turned else _home_of(unit, mission)
        far = mission.turned.get(id_, mission.square)
        ack_ack.pass_over(w, airways.path(w, unit.owner, far, home), id_)
        if id_ in w.units:
            _land(w, w.units[id_], mission, home)


def _home_of(unit: Unit, mission: Mission) -> str:
    """Where it lands: named, or where it comes from."""
    named = mission.home
    return unit.at if named is None or square_of(named) == square_of(unit.at) else named


def _land(w: World, unit: Unit, mission: Mission, home: str) -> None:
    far = mission.turned.get(unit.id)
    stops = [unit.at, far] if far else [unit.at, *mission.via, mission.square]
    out = w.kind(unit).bta * airways.length(stops)
    if not _stands_open(w, unit, home):
        found = airways.nearest_base(w, unit, Fraction(w.tables.bta) - unit.used - out, stops[-1])
        if found is None:
            lose(w, unit, "crashed")
            return
        home = found
    back = w.kind(unit).bta * distance(square_of(stops[-1]), square_of(home))
    used = min(unit.used + out + back, Fraction(w.tables.bta))
    if home == unit.at:
        w.change(unit.id, used=used, fought=w.state.turn, done="flown")
    else:
        airways.put_down(w, unit, home, used=used, fought=w.state.turn, done="flown")


def _stands_open(w: World, unit: Unit, home: str) -> bool:
    """Is there still an airport for it, or a carrier? Where it comes from its place is kept."""
    if home != unit.at:
        return airways.takes(w, unit, home)
    return unit.aboard is not None or airways.is_base(w, unit, home)


def spend_bombs(w: World, id_: str) -> None:
    """Bombs are used up when dropped (E16.11)."""
    if id_ in w.units:
        for country in list(w.units[id_].holds):
            for good in ("bomb", "light_bomb"):
                amount = w.held(id_, country).amount(good)
                if amount:
                    w.take_goods(id_, country, good, amount)
