"""Random battles on the training map, held against a plainer reading of section 12 of the rules."""

from __future__ import annotations

from functools import cache
from itertools import product
from typing import Any, NamedTuple

from hypothesis import assume, given
from hypothesis import strategies as st

from pbem.core.chance import Lots
from pbem.core.decision import Answer
from pbem.core.refusal import Illegal
from pbem.core.seat import Seat, Setup
from pbem.games.empire.data.editions import empire
from pbem.games.empire.geography.grid import distance, neighbours
from pbem.games.empire.rules import orders as od
from pbem.games.empire.rules.events import Event, Noted, Rolled
from pbem.games.empire.rules.game import Empire
from pbem.games.empire.rules.reducer import apply
from pbem.games.empire.rules.state import State, Unit

ANTON, BERT = Seat("anton"), Seat("bert")
PLACES = ("C2", "C3", "C4", "D2", "D3", "D4", "E3", "E4", "F4", "G4", "C5", "B4")
RIVER = {"B4", "C4", "D3", "E4"}
FORCE = {"SAC": (1, 1), "INF": (1, 1), "BRI": (2, 2), "ARM": (3, 3), "REC": (1, 1), "ART": (4, 1), "MEC": (2, 2)}
TABLE = {  # E12.11, die by die
    "1-6": "AE AE AE AE AE AR", "1-5": "AE AE AE AE AR AR", "1-4": "AE AE AE AR AR DR", "1-3": "AE AE AR AR EX DR",
    "1-2": "AE AR AR EX DR DR", "1-1": "AE AR EX DR DR DE", "2-1": "AR EX EX DR DE DE", "3-1": "EX EX DR DE DE DE",
    "4-1": "EX DR DE DE DE DE", "5-1": "DR DR DE DE DE DE", "6-1": "DR DE DE DE DE DE",
}  # fmt: skip


class Stand(NamedTuple):
    code: str
    at: str


stands = st.builds(Stand, st.sampled_from(sorted(FORCE)), st.sampled_from(PLACES))


@cache
def rules() -> Empire:
    return empire(Setup(game="empire", edition="third_1976", board="training", setup="bare", seats=(ANTON, BERT)))


class Fight(NamedTuple):
    before: State
    after: State
    events: list[Event]

    def noted(self, what: str) -> list[dict[str, Any]]:
        return [dict(e.facts) for e in self.events if isinstance(e, Noted) and e.what == what]

    @property
    def dice(self) -> list[Rolled]:
        return [event for event in self.events if isinstance(event, Rolled)]


def position(own: list[Stand], foes: list[Stand]) -> State:
    """Anton's units and bert's, three at most in a part, each part with one side only."""
    lines = [od.Given(what="turn", amounts={"": "5"}), od.Given(what="slot", who="anton")]
    lines += [od.Given(what="capital", who=who, squares=(at,)) for who, at in (("anton", "C3"), ("bert", "J3"))]
    lines.append(od.Given(what="goods", who="anton", squares=("B2",), items=(("chemicals", "9"), ("oil", "9"))))
    there: dict[str, list[str]] = {}
    for number, (who, stand) in enumerate([*product(["anton"], own), *product(["bert"], foes)], 1):
        others = there.setdefault(stand.at, [])
        if len(others) < 3 and set(others) <= {who}:
            others.append(who)
            lines.append(od.Given(what="unit", who=who, unit=f"{stand.code}{number}", squares=(stand.at,)))
    table = rules()
    state = table.blank(Setup(seats=(ANTON, BERT)))
    for event in table.open(state, Lots("secret", "test"), {}):
        state = apply(state, event)
    for event in table.given(state, lines):
        state = apply(state, event)
    return state


def fought(state: State, at: str, units: list[str], secret: str, target: str = "") -> Fight | str:
    """The attack, or the code of its refusal."""
    table = rules()
    attack = od.Attack(at=at, units=tuple(units), targets=(target,) if target else ())
    order = od.Battle(attacks=(attack,))
    (decision,) = table.address(state, ANTON, order)
    try:
        resolved = table.resolve(state, [Answer(seat=ANTON, order=order, decision=decision)], Lots(secret, "test"))
    except Illegal as refusal:
        return refusal.code
    return Fight(state, resolved.state, resolved.events)


def plain_odds(own: list[Unit], foes: list[Unit], at: str) -> tuple[int, int, str]:
    """Sums and odds as E12.9 and E12.16 say, where there are neither ships nor forts."""
    attack = sum(FORCE[unit.id[:3]][0] for unit in own)
    doubled = at == "D3" or all(unit.at in RIVER for unit in own)
    defense = sum(FORCE[unit.id[:3]][1] for unit in foes) * (2 if doubled else 1)
    odds = f"{attack // defense}-1" if attack >= defense else f"1-{-(-defense // attack)}"
    return attack, defense, odds


@given(
    st.lists(stands, min_size=1, max_size=6), st.lists(stands, min_size=1, max_size=4), st.data(), st.text(max_size=3)
)
def test_battles_are_as_the_rules_say(own: list[Stand], foes: list[Stand], data: st.DataObject, secret: str) -> None:
    state = position(own, foes)
    army = {owner: [u for u in state.units.values() if u.owner == owner] for owner in ("anton", "bert")}
    assume(army["bert"])
    at = data.draw(st.sampled_from(sorted({unit.at for unit in army["bert"]})))
    near = [unit for unit in army["anton"] if distance(unit.at, at) == 1]
    assume(near)
    units = data.draw(st.lists(st.sampled_from(near), min_size=1, unique_by=lambda unit: unit.id))
    defenders = [unit for unit in army["bert"] if unit.at == at]
    attack, defense, odds = plain_odds(units, defenders, at)
    found = fought(state, at, [unit.id for unit in units], secret)
    if int(odds.split("-")[1]) > 6:
        assert found == "battle.odds"
        return
    assert isinstance(found, Fight), found
    (told,) = found.noted("attacked")
    assert (told["attack"], told["defense"], told["odds"]) == (str(attack), str(defense), odds)
    if found.dice:
        (rolled,) = found.dice
        column = "6-1" if int(odds.split("-")[0]) > 6 else odds
        assert told["result"] == TABLE[column].split()[rolled.faces[0] - 1]
        assert int(odds.split("-")[0]) < 7
    else:
        assert int(odds.split("-")[0]) >= 5
        assert told["result"] == "DE"
    check_outcome(found, told["result"], units, defenders)
    for flight in found.noted("retreated"):
        check_retreat(found, flight)


def check_outcome(found: Fight, result: str, own: list[Unit], foes: list[Unit]) -> None:
    left = found.after.units
    if result in ("DE", "EX"):
        assert not [unit for unit in foes if unit.id in left]
    if result == "AE":
        assert not [unit for unit in own if unit.id in left]
    if result in ("DE", "DR"):
        assert all(left[unit.id].at == unit.at for unit in own)
    if result == "EX":
        lost = sum(FORCE[unit.id[:3]][0] for unit in own if unit.id not in left)
        printed = sum(FORCE[unit.id[:3]][1] for unit in foes)
        assert lost >= printed or not [unit for unit in own if unit.id in left]
    assert all(left[unit.id].fought == 5 for unit in own if unit.id in left)


def check_retreat(found: Fight, flight: dict[str, Any]) -> None:
    """Two steps, not back, and never beside an enemy who stood there already."""
    start, (first, second) = flight["start"], flight["way"]
    assert first in neighbours(start)
    assert second in neighbours(first)
    assert second != start
    owner = found.before.units[flight["unit"]].owner
    barred = {"ARM": {*FORESTS, SWAMP}, "MEC": {*FORESTS, SWAMP}, "REC": {SWAMP}, "ART": {SWAMP}}
    enemies = [unit for unit in found.after.units.values() if unit.owner != owner]
    for enemy in enemies:
        if enemy.at == found.before.units[enemy.id].at and second not in barred.get(enemy.id[:3], ()):
            assert distance(enemy.at, second) > 1 or not beside(enemy.at, second)


FORESTS = ("D5", "C6", "D6", "E2")
SWAMP = "E5"


def beside(one: str, other: str) -> bool:
    land = rules().world(rules().blank(Setup(seats=(ANTON, BERT)))).map.land
    return one == other or any(other in parts for parts in land[one].open.values())


@given(st.lists(stands, min_size=1, max_size=6), st.lists(stands, min_size=1, max_size=4))
def test_what_is_owed_can_be_fought(own: list[Stand], foes: list[Stand]) -> None:
    """A roll-out that is refused for a battle leaves a battle that is not refused."""
    state = position(own, foes)
    table = rules()
    (decision,) = table.address(state, ANTON, od.Rollout())
    try:
        table.resolve(state, [Answer(seat=ANTON, order=od.Rollout(), decision=decision)], Lots("a", "test"))
    except Illegal as refusal:
        assert refusal.code == "battle.owed"
        owing = refusal.facts["units"]
        assert isinstance(owing, list)
        w = table.world(state)
        foes_left = [unit for unit in w.units.values() if unit.owner == "bert"]
        mine = [unit for unit in w.units.values() if unit.owner == "anton"]
        near = {foe.id: [unit.id for unit in mine if distance(unit.at, foe.at) == 1] for foe in foes_left}
        tries = [
            (foe, each) for foe in foes_left for each in (near[foe.id], *([unit] for unit in near[foe.id])) if each
        ]
        found = [fought(state, foe.at, units, "a", foe.id) for foe, units in tries if set(units) & set(owing)]
        assert any(isinstance(each, Fight) for each in found)
