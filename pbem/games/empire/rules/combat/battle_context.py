"""What a battle order has named so far (E17.6): each piece attacks once, and is attacked once (E4.10)."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from pbem.core.refusal import Illegal
from pbem.games.empire.rules.orders import Attack
from pbem.games.empire.rules.state import Unit
from pbem.games.empire.rules.world import World


class Context:
    """Filled while the attacks are declared."""

    def __init__(self) -> None:
        self.used: list[str] = []  # who attacks or helps
        self.named: list[str] = []  # what is attacked
        self.helped: dict[str, Fraction] = {}  # BF that has been promised, by kind and part: `air D5`, `naval D5`

    def use(self, w: World, unit: Unit) -> None:
        """Raises `Illegal` (`battle.used`)."""
        if unit.fought == w.state.turn:
            raise Illegal("battle.used", unit=unit.id, done=unit.done or "attacked")
        self.use_thing(unit.id)

    def use_thing(self, name: str) -> None:
        """What is no unit, such as a naval gun. Raises `Illegal` (`battle.used`)."""
        if name in self.used:
            raise Illegal("battle.used", unit=name, done="attacked")
        self.used.append(name)

    def name(self, target: str) -> None:
        """Raises `Illegal` (`battle.used`)."""
        if target in self.named:
            raise Illegal("battle.used", unit=target, done="been_attacked")
        self.named.append(target)

    def name_unit(self, w: World, unit: Unit) -> None:
        """Who has retreated into an overstack may be attacked again (E12.14). Raises `Illegal` (`battle.used`)."""
        if unit.retreated:
            return
        if unit.attacked == w.now:
            raise Illegal("battle.used", unit=unit.id, done="been_attacked")
        self.name(unit.id)

    def promise(self, what: str, force: Fraction, limit: Fraction) -> Fraction:
        """So much help, as far as the limit for the whole battle allows."""
        given = min(force, limit - self.helped.get(what, Fraction(0)))
        self.helped[what] = self.helped.get(what, Fraction(0)) + given
        return given

    def may_name(self, w: World, unit: Unit) -> bool:
        return unit.retreated or (unit.attacked != w.now and unit.id not in self.named)


def check_rested(w: World, unit: Unit) -> None:
    """Who took part in the battle order, or has raided, moves no more in the slot (E12.7). Raises `Illegal`."""
    if unit.fought == w.state.turn:
        raise Illegal("battle.used", unit=unit.id, done=unit.done or "attacked")


def check_losers(w: World, attack: Attack, mine: Sequence[str]) -> None:
    """Who is to be lost first takes part. Raises `Illegal`."""
    for id_ in attack.lose:
        if id_ not in mine:
            raise Illegal("battle.reach", unit=id_, target=attack.at, square=w.map.shown(attack.at))


def has_attacked(w: World, id_: str, done: str = "attacked") -> None:
    """It has made its one attack of this game turn."""
    if id_ in w.units:
        w.change(id_, fought=w.state.turn, done=done)


def was_attacked(w: World, id_: str) -> None:
    if id_ in w.units:
        w.change(id_, attacked=w.now)
