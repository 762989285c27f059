"""Lines that a reader could send back, made for his own question: every one of them would be accepted."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from msgspec.structs import replace

from pbem.adapters.positions import rules_of
from pbem.rules.imperial import orders as od
from pbem.rules.imperial.board import Board, Nation, Region, Unit
from pbem.rules.imperial.game import Imperial
from pbem.service.correspondence import View

FEW = 4
Facts = Mapping[str, Any]


def examples(facts: Facts, view: View, *, alone: bool = True) -> list[str]:
    """A few answers in the order language; `alone` when the reader is asked nothing else."""
    orders = [*_ORDERS[facts["kind"]](facts, view)][:FEW]
    if not alone:
        orders = [_named(order, facts) for order in orders]
    return [rules_of(view).phrases.write(order) for order in orders]


def _named(order: od.Order, facts: Facts) -> od.Order:
    """A fight says for which of the reader's nations it is."""
    return replace(order, nation=Nation(facts["nation"])) if isinstance(order, od.Fight) else order


def _turn(facts: Facts, view: View) -> Iterator[od.Order]:
    """The spaces that cost least first, each with something that can be done there."""
    turns = _Turns(rules_of(view), Nation(facts["nation"]), view)
    if facts["unfinished"]:
        yield od.Turn(nation=turns.nation, space="maneuver", work=od.Move(lines=()))
        return
    open_ = [space for space in facts["spaces"] if space["code"] is None]
    for space in sorted(open_, key=lambda space: space["price"]):
        order = turns.at(space["word"])
        if order is not None:
            yield order


class _Turns:
    """What a nation could do on each space."""

    def __init__(self, rules: Imperial, nation: Nation, view: View) -> None:
        self.rules = rules
        self.board: Board = rules.board
        self.nation = nation
        self.view = view
        self.own = view["nations"][nation]

    def at(self, word: str) -> od.Turn | None:
        """A turn on that space; None when there is nothing to do on it."""
        turn = od.Turn(nation=self.nation, space=word)
        works: Mapping[str, Callable[[], od.Work | None]] = {
            "factory": self._factory,
            "import": self._import,
            "maneuver": self._maneuver,
        }
        name = word.rstrip("_12")
        if name not in works:
            return turn
        work = works[name]()
        return None if work is None else replace(turn, work=work)

    def _factory(self) -> od.Work | None:
        free = [r for r in self._homes() if r not in self.own["factories"]]
        affordable = self.own["treasury"] >= self.rules.edition.factory_cost
        return od.Build(region=free[0]) if free and affordable else None

    def _import(self) -> od.Work | None:
        """A fleet and an army, as far as the money and the pieces last."""
        ports = [r for r in self._homes() if self.board.places[r].port is not None]
        inland = [r for r in self._homes() if r not in ports]
        choice: tuple[tuple[Unit, list[Region]], ...] = (("fleet", ports), ("army", inland))
        placed = [(unit, places[-1]) for unit, places in choice if places and self._left(unit) > 0]
        units = [od.Units(unit=unit, region=region) for unit, region in placed]
        affordable = units[: self.own["treasury"] // self.rules.edition.import_price]
        return od.Buy(units=tuple(affordable)) if affordable else None

    def _maneuver(self) -> od.Work | None:
        lines = [line for line in (self._sailing(), self._marching()) if line is not None]
        return od.Move(lines=tuple(lines)) if lines else None

    def _sailing(self) -> od.Line | None:
        for region in self.own["fleets"]:
            port = self.board.places[region].port
            target = port if port is not None else next(iter(self.board.seas_beside[region]), None)
            if target is not None:
                return _line("fleet", region, target)
        return None

    def _marching(self) -> od.Line | None:
        for region in self.own["armies"]:
            for target in self.board.land_beside[region]:
                if self.board.places[target].kind == "land":
                    return _line("army", region, target)
        return None

    def _homes(self) -> list[Region]:
        return [r for r in self.board.homes[self.nation] if not self._occupied(r)]

    def _occupied(self, region: Region) -> bool:
        others = (row for nation, row in self.view["nations"].items() if nation != self.nation)
        return any(row["armies"].get(region, 0) > row["friendly_armies"].get(region, 0) for row in others)

    def _left(self, unit: Unit) -> int:
        stacks: Mapping[str, int] = self.own["fleets" if unit == "fleet" else "armies"]
        return self.board.supply[self.nation][unit] - sum(stacks.values())


def _line(unit: Unit, region: str, target: Region) -> od.Line:
    return od.Line(unit=unit, region=Region(region), target=target)


def _battle(facts: Facts, _: View) -> Iterator[od.Order]:
    yield od.Fight()
    if facts["armies"] and facts["fleets"]:
        yield od.Fight(unit="fleet")
    if min(facts["movers"], facts["armies"] + facts["fleets"]) > 1:
        yield od.Fight(pairs=None)
    yield od.Peace()


def _invest(facts: Facts, view: View) -> Iterator[od.Order]:
    """The dearest new bond, one given back for a higher one, and none."""
    bonds = [od.Purchase(**bond) for bond in facts["bonds"]]
    new = sorted((b for b in bonds if b.back is None), key=lambda b: _rank(b, view))
    higher = sorted((b for b in bonds if b.back is not None), key=lambda b: _rank(b, view))
    for bond in (*new[:1], *higher[:1]):
        yield od.Invest(choices=(bond,))
    others = [b for b in new if b.nation != new[0].nation]
    if others:
        yield od.Invest(choices=(new[0], others[0]), else_none=True)
    yield od.Invest(choices=())


def _rank(bond: od.Purchase, view: View) -> tuple[int, int]:
    return (-bond.price, -view["nations"][bond.nation]["power"])


def _bid(facts: Facts, _: View) -> Iterator[od.Order]:
    bonds: Sequence[Mapping[str, Any]] = sorted(facts["bonds"], key=lambda bond: -bond["price"])
    for bond in bonds[:1]:
        yield od.Bid(nation=Nation(bond["nation"]), price=bond["price"])
    yield od.Bid()


def _swiss(_facts: Facts, _view: View) -> Iterator[od.Order]:
    yield od.Force()
    yield od.LetPass()


_ORDERS: Mapping[str, Callable[[Facts, View], Iterator[od.Order]]] = {
    "turn": _turn,
    "battle": _battle,
    "invest": _invest,
    "bid": _bid,
    "swiss": _swiss,
}


def standing_example(facts: Facts, view: View) -> str | None:
    """How the same answer could be given in advance."""
    orders: Mapping[str, od.Order] = {
        "battle": od.StandingFight(nation=facts.get("mover"), region=facts.get("region")),
        "swiss": od.StandingForce(nation=facts.get("nation")),
    }
    order = orders.get(facts["kind"])
    return None if order is None else f"standing {rules_of(view).phrases.write(order)}"
