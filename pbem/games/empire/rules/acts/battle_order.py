"""The one battle order of a slot: all attacks are named before any die, then resolved as written (E12.7, E17.6)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from msgspec.structs import replace

from pbem.core.refusal import Illegal
from pbem.core.seat import Seat
from pbem.games.empire.geography.grid import square_of
from pbem.games.empire.rules.air import intercepting
from pbem.games.empire.rules.combat import aims
from pbem.games.empire.rules.combat.battle_context import Context
from pbem.games.empire.rules.combat.prospects import battle_is_over
from pbem.games.empire.rules.land import land_battle, landing, provisional
from pbem.games.empire.rules.orders import Assault, Attack, Battle, Strike
from pbem.games.empire.rules.sea import barrages, bombing, sea_battle, serpents, torpedoes
from pbem.games.empire.rules.world import World


class Pair(NamedTuple):
    """How a kind of attack is declared, which may raise `Illegal`, and how what was declared is resolved."""

    declare: Callable[[World, Seat, Any, Context], Any]
    resolve: Callable[[World, Any], None]


KINDS: Mapping[str, Pair] = {  # land sea bomb torpedo bombard shell intercept
    "land": Pair(land_battle.declare, land_battle.resolve),
    "sea": Pair(sea_battle.declare, sea_battle.resolve),
    "torpedo": Pair(torpedoes.declare, torpedoes.resolve),
    "bomb": Pair(bombing.declare, bombing.resolve),
    "bombard": Pair(barrages.declare_bombard, barrages.resolve),
    "shell": Pair(barrages.declare_shell, barrages.resolve),
    "intercept": Pair(intercepting.declare, intercepting.resolve),
}


BURN = tuple(KINDS[kind] for kind in ("land", "sea", "bombard", "shell"))  # what uses chemicals (E7.18)


def battle(w: World, player: Seat, order: Battle) -> None:
    if battle_is_over(w):
        raise Illegal("battle.once")
    ctx = Context()
    attacks = [_placed(w, player, attack) for attack in order.attacks]
    pairs = [KINDS[kind_of(w, attack)] for attack in attacks]
    plans = [pair.declare(w, player, attack, ctx) for attack, pair in zip(attacks, pairs, strict=True)]
    places = [attack.at or next((w.units[id_].at for id_ in attack.units if id_ in w.units), None)
              for attack in attacks]  # fmt: skip
    w.set(battled=True)
    provisional.fly(w)
    for plan, pair, place in zip(plans, pairs, places, strict=True):
        pair.resolve(w, plan)
        if pair in BURN and place is not None:
            serpents.wake(w, place)
    landing.after_battle(w, player)


def _placed(w: World, player: Seat, attack: Assault) -> Assault:
    """With its square."""
    if isinstance(attack, Attack) and not attack.at:
        return replace(attack, at=aims.place_of(w, player, attack.targets))
    return attack


def kind_of(w: World, attack: Assault) -> str:
    """Which pair an attack belongs to; `attack` by who attacks: ships and naval guns fight ships."""
    if isinstance(attack, Strike):
        return attack.verb
    if not isinstance(attack, Attack):
        return "bomb"
    if attack.at and _is_water(w, attack.at):
        return "sea"
    first = attack.units[0]
    kind = w.units[first].kind if first in w.units else w.tables.codes.get(first[:3], first)
    at_sea = first.startswith("naval_gun") or (kind in w.tables.kinds and w.tables.kinds[kind].class_ == "ship")
    return "sea" if at_sea else "land"


def _is_water(w: World, place: str) -> bool:
    square = w.map.squares.get(square_of(place))
    return not w.map.parts(place) and square is not None and not square.land
