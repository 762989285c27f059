"""Two countries of a player may do together only what one could (E4.9)."""

from __future__ import annotations

import random
from collections import Counter

from msgspec.structs import replace

from pbem.core.decision import Answer
from pbem.games.empire.rules import orders as od
from pbem.games.empire.rules.held import EMPTY, both
from pbem.games.empire.rules.state import State, Unit
from tests.empire.bookkeeping import holdings
from tests.empire.random_orders import Orders
from tests.empire.random_play import Step, taken
from tests.empire.random_positions import position, table

TRIED = (od.Move, od.Load, od.Unload, od.Develop, od.Farm, od.Make, od.Disarm)
SEEDS = range(14)


def as_one(state: State, country: str, other: str) -> State:
    """The position in which the first country has all that the second one has, too."""
    parts = {}
    for name, part in state.parts.items():
        held = {c: h for c, h in part.held.items() if c != other}
        if other in part.held:
            held[country] = both(held.get(country, EMPTY), part.held[other])
        marks = {kind: replace(mark, by=country if mark.by == other else mark.by) for kind, mark in part.marks.items()}
        parts[name] = replace(part, held=held, marks=marks, farm=country if part.farm == other else part.farm)
    units = {id_: _of(unit, country, other) for id_, unit in state.units.items()}
    countries = {id_: found for id_, found in state.countries.items() if id_ != other}
    return replace(state, parts=parts, units=units, countries=countries)


def _of(unit: Unit, country: str, other: str) -> Unit:
    holds = {c: h for c, h in unit.holds.items() if c != other}
    if other in unit.holds:
        holds[country] = both(holds.get(country, EMPTY), unit.holds[other])
    return replace(unit, owner=country if unit.owner == other else unit.owner, holds=holds)


def where_all_is(step: Step) -> Counter[object]:
    """People and goods by place, units with where they are; nothing of whose they are."""
    w = step.now
    found: Counter[object] = Counter()
    for _, place, held in holdings(w):
        for good in held.goods.keys() - {"oil", "chemicals"}:  # debts are each country's own
            found[place, good] += held.amount(good)  # type: ignore[assignment]
        for kind in ("worker", "governor", "ambassador"):
            found[place, kind] += held.people(kind)
    found.update((unit.id, unit.kind, unit.at, unit.state, unit.aboard) for unit in w.units.values())
    return +found


def alone(order: od.Order) -> od.Order:
    return replace(order, country=None)


def test_what_two_countries_do_one_could_do() -> None:
    """Whatever is ordered of two, is legal for one that has it all, and leads to the same places."""
    compared = 0
    for seed in SEEDS:
        dice = random.Random(seed)
        rules = table(dice)
        state = position(rules, dice)
        further = state.countries.get("further")
        if further is None or further.player is None:
            continue
        mine = str(further.player)
        state = replace(state, place=state.order.index(further.player))
        if state.countries[mine].inflation or further.inflation:
            continue
        one = as_one(state, mine, "further")
        for number in range(1, 150):
            (decision,) = rules.pending(state)
            order = Orders(rules.world(state), decision.seat, dice).some()
            if not isinstance(order, TRIED):
                continue
            step = taken(rules, state, Answer(seat=decision.seat, order=order, decision=decision), number)
            if step.refusal is not None:
                continue
            same = taken(rules, one, Answer(seat=decision.seat, order=alone(order), decision=decision), number)
            assert same.refusal is None, (seed, number, order, same.refusal.code, same.refusal.facts)
            assert where_all_is(same) == where_all_is(step), (seed, number, order)
            state, one = step.after, same.after
            compared += 1
    assert compared > 10
