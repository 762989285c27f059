"""What holds at every step of games by lot: battles, retreats, contact and zones."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import pairwise

import pytest

from pbem.games.empire.geography.grid import distance, square_of
from pbem.games.empire.rules import orders as od
from pbem.games.empire.rules.combat.prospects import battle_is_over
from pbem.games.empire.rules.combat.retreats import is_open_to
from pbem.games.empire.rules.economy.supply import _matched
from pbem.games.empire.rules.ground.sides import guards, is_land_unit
from pbem.games.empire.rules.ground.terrain import cost, group
from pbem.games.empire.rules.ground.zones import over
from tests.empire.bookkeeping import noted
from tests.empire.random_play import Step, games, seeds

WORST = {"attacked": 6, "naval_attack": 3, "gun_fired": 3}
OTHERS = ("hit", "advanced", "landing_failed", "naval_attack", "overrun_spoiled", "rolled_out")


def fights_once(step: Step) -> None:
    """Nobody attacks twice in a game turn, nobody is attacked twice in a slot (E4.10, E12.14)."""
    attackers = [id_ for note in noted(step, "attacked") for id_ in note.facts["attackers"]]
    defenders = [id_ for note in noted(step, "attacked") for id_ in note.facts["defenders"]]
    assert len(attackers) == len({*attackers})
    for id_ in attackers:
        assert step.before.units[id_].fought < step.before.turn, id_
    for id_ in {*defenders} & step.before.units.keys():
        unit = step.before.units[id_]
        again = any(id_ == note.facts["unit"] for note in noted(step, "retreated"))
        assert unit.retreated or again or (defenders.count(id_) == 1 and unit.attacked != step.before.slot), id_


def keeps_to_the_odds(step: Step) -> None:
    """No odds worse than allowed; without a die only 7-1, 5-1 without a retreat, or nobody (E12.9, E12.10, E14.6)."""
    for note in noted(step, *WORST):
        if note.facts.get("odds"):
            force, against = (int(each) for each in note.facts["odds"].split("-"))
            assert against <= WORST[note.what]
            assert force > 0
            if note.what == "attacked":
                attack, defense = Fraction(note.facts["attack"]), Fraction(note.facts["defense"])
                if defense > 0:
                    assert Fraction(attack, defense) >= (
                        Fraction(force, against) if force >= against else Fraction(1, against)
                    )
                assert note.facts["column"] is not None or against == 0 or force >= 5


def retreats_lawfully(step: Step) -> None:
    """Two steps, not back, not to where the attack came from, not into zones and people that are hostile (E12.13)."""
    w = step.now
    alone = len(noted(step, "attacked")) == 1 and not noted(step, *OTHERS)
    for note in noted(step, "retreated"):
        way = [note.facts["start"], *note.facts["way"]]
        squares = [square_of(part) for part in way]
        known = {**step.after.units, **step.before.units}
        if note.facts["unit"] not in known:  # bombs have made it another one, and it is lost
            continue
        kind = known[note.facts["unit"]].kind
        assert len(way) == 3
        assert len({each for part in way for each in group(w, part)}) >= 3
        assert all(distance(one, other) == 1 for one, other in pairwise(squares))
        assert all(any(cost(w, kind, own, other) is not None for own in group(w, one)) for one, other in pairwise(way))
        if alone:
            unit = step.after.units.get(note.facts["unit"])
            assert unit is None or unit.at == way[-1]
            assert unit is None or all(is_open_to(w, unit.owner, part) for part in way[1:] if unit.owner in w.countries)
            foes = [id_ for a in noted(step, "attacked") for id_ in a.facts["attackers"]]
            if note.facts["unit"] not in foes:
                assert not {
                    step.before.units[id_].at for id_ in foes if distance(step.before.units[id_].at, way[0]) <= 1
                } & {*way[1:]}


def exchanges(step: Step) -> None:
    """The defenders, and attackers with at least as much AF as the DF lost, no more than needed (E12.12)."""
    fights = noted(step, "attacked")
    if len(fights) != 1 or fights[0].facts["result"] != "EX" or fights[0].facts["support"] or noted(step, "advanced"):
        return
    kinds, facts = step.was.tables.kinds, fights[0].facts
    lost = [note.facts["unit"] for note in noted(step, "lost")]
    assert {*facts["defenders"]} <= {*lost}
    against = sum(
        kinds[step.before.units[id_].kind].df for id_ in facts["defenders"] if not step.before.units[id_].retreated
    )
    af = {id_: kinds[step.before.units[id_].kind].af for id_ in facts["attackers"]}
    mine = [id_ for id_ in lost if id_ in af]
    exposed = {id_ for id_ in af if distance(step.before.units[id_].at, facts["at"]) <= 1}
    assert sum(af[id_] for id_ in mine) >= against or exposed <= {*mine} or not against
    assert all(sum(af[other] for other in mine if other != id_) < against for id_ in mine) or _named(step)


def _named(step: Step) -> bool:
    return isinstance(step.order, od.Battle) and any(isinstance(a, od.Attack) and a.lose for a in step.order.attacks)


def kills_on_contact(step: Step) -> None:
    """No people of whom a hostile army's zone is over are left, but in the palace (E13.3, E13.5)."""
    w = step.now
    if w.state.phase != "turn":
        return
    for name, part in step.after.parts.items():
        for country, held in part.held.items():
            if held.people() and name in w.map.land and not guards(w, country, name):
                assert not over(w, name, country, regular=True), (name, country)


def owes_no_battle(step: Step) -> None:
    """Who rolls out has fought what he met and could fight: a unit that came into a zone has attacked (E12.6)."""
    if not isinstance(step.order, od.Rollout) or step.order.forced or battle_is_over(step.was):
        return
    w = step.was
    for unit in step.before.units.values():
        if (
            w.player(unit.owner) == step.answer.seat
            and unit.came
            and unit.fought < step.before.turn
            and unit.at in w.map.land
        ):
            foes = [foe for foe in over(w, unit.at, unit.owner) if foe.attacked != step.before.slot]
            inflated = w.countries[unit.owner].inflation or w.owned(unit.owner, "chemicals") < 1
            weak = all(6 * w.kind(unit).af < 3 * w.kind(foe).df + 4 for foe in foes)
            assert not foes or inflated or weak or not is_land_unit(w, unit), (unit, foes)


CHECKS: tuple[Callable[[Step], None], ...] = (
    fights_once, keeps_to_the_odds, retreats_lawfully, exchanges, kills_on_contact, owes_no_battle,
)  # fmt: skip


@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__)
def test_at_every_step(check: Callable[[Step], None]) -> None:
    for seed in seeds():
        for step in games(seed):
            if step.refusal is None and not isinstance(step.order, od.Undo):
                try:
                    check(step)
                except AssertionError as failed:
                    raise AssertionError(f"game {seed}, order {step.number}: {step.order}\n{failed}") from failed


# -- food (13) ---


def can_all_eat(reach: Sequence[Sequence[str]], left: dict[str, int]) -> bool:
    """Plain search: everybody somewhere."""
    if not reach:
        return True
    return any(left[pile] and can_all_eat(reach[1:], {**left, pile: left[pile] - 1}) for pile in reach[0])


def test_nobody_goes_without_for_one_behind_him() -> None:
    """And everybody eats who can, when those before him change piles (E10.8)."""
    dice = random.Random(13)
    for _ in range(400):
        piles = {pile: dice.randint(0, 2) for pile in "ABC"}
        reach = [dice.sample("ABC", dice.randint(0, 3)) for _ in range(dice.randint(1, 6))]
        eats = _matched(reach, dict(piles))
        assert all(pile in reach[eater] for eater, pile in eats.items())
        assert all([*eats.values()].count(pile) <= much for pile, much in piles.items())
        fed: list[Sequence[str]] = []
        for eater, found in enumerate(reach):
            assert (eater in eats) == can_all_eat([*fed, found], piles)
            fed += [found] if eater in eats else []
