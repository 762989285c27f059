"""The Pirate is hidden: positions that differ only in his sheet look alike to who does not see him (E18.3)."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

import pytest
from msgspec.structs import replace

from pbem.core.chance import Lots, Withheld
from pbem.core.decision import Answer
from pbem.core.game import Unheard
from pbem.core.refusal import Illegal
from pbem.core.seat import Seat, Setup, Sight
from pbem.games.empire.data.editions import empire
from pbem.games.empire.rules import orders as od
from pbem.games.empire.rules.events import Changed
from pbem.games.empire.rules.game import Empire
from pbem.games.empire.rules.ground import pirate
from pbem.games.empire.rules.state import State
from pbem.host.commands.table import COMMANDS
from pbem.language.parser import Parser

ANTON, BERT = Seat("anton"), Seat("bert")
HEAD = (
    "turn 3",
    "slot anton",
    "capital anton C3",
    "capital bert J3",
    "goods anton C3 200 food, 5 chemicals, 5 oil",
    "goods bert J3 200 food, 5 chemicals, 5 oil",
    "workers anton C3 3",
    "workers bert J3 3",
)


def table(**options: str) -> Empire:
    setup = Setup(game="empire", edition="third_1976", board="training", setup="bare", seats=(ANTON, BERT))
    return empire(replace(setup, options=options))


def position(rules: Empire, lines: Sequence[str], seats: tuple[Seat, ...] = (ANTON, BERT)) -> State:
    parser = Parser(rules.notation, COMMANDS, seats)
    state = rules.blank(Setup(seats=seats))
    for event in rules.open(state, Lots("secret", "empire-1", 0), {}):
        state = rules.apply(state, event)
    for event in rules.given(state, [parser.given(line, place) for place, line in enumerate(lines)]):
        state = rules.apply(state, event)
    return state


def answer(rules: Empire, state: State, order: od.Order) -> Answer[od.Order]:
    (decision,) = rules.pending(state)
    return Answer(seat=decision.seat, order=order, decision=decision)


def played(rules: Empire, state: State, order: od.Order, seq: int = 1) -> tuple[State, list[Any]]:
    resolved = rules.resolve(state, [answer(rules, state, order)], Lots("secret", "empire-1", seq))
    return resolved.state, [*resolved.events]


def told(rules: Empire, state: State, events: Sequence[Any], viewer: Seat | None) -> str:
    seen = [rules.seen(state, event, viewer) for event in events]
    return repr([event for event in seen if event is not None])


@pytest.fixture
def rules() -> Empire:
    return table(pirate="none")


def test_two_places_of_his_look_alike(rules: Empire) -> None:
    here = position(rules, [*HEAD, "pirate bert G9", "aboard SCS1 5 steel"])
    there = position(rules, [*HEAD, "pirate bert A1"])
    for viewer in (ANTON, None):
        assert rules.view(here, viewer) == rules.view(there, viewer)
    assert rules.view(here, BERT) != rules.view(there, BERT)
    assert "SCS" not in json.dumps(rules.view(here, None))


def test_what_others_do_is_the_same(rules: Empire) -> None:
    lines = [*HEAD, "unit anton TNK1 F8", "unit anton BSH1 C10"]
    orders: list[od.Order] = [
        od.Move(units=("TNK1",), way=("F9",)),
        od.Battle(attacks=(od.Attack(targets=("SCS1",), at="C10", units=("BSH1",)),)),
        od.Rollout(),
    ]
    for order in orders:
        courses = []
        for place in ("G9", "A1"):
            state = position(rules, [*lines, f"pirate bert {place}"])
            try:
                state, events = played(rules, state, order)
            except Illegal as refusal:
                courses.append((refusal.code, str(refusal.facts)))
            else:
                courses.append((str(rules.view(state, ANTON)), told(rules, state, events, ANTON)))
        assert courses[0] == courses[1]


def test_who_comes_by_sees_him_and_nobody_else_is_told(rules: Empire) -> None:
    state = position(rules, [*HEAD, "pirate bert G9", "unit anton CGO1 F9"])
    assert not pirate.sighted_by(rules.world(state), ANTON)
    state, events = played(rules, state, od.Move(units=("CGO1",), way=("G9", "H9")))
    assert state.sightings == {ANTON: ("3.1 G9",)}
    assert "pirate_sighted" in told(rules, state, events, ANTON)
    assert "pirate" not in told(rules, state, events, None)
    assert rules.view(state, ANTON)["sightings"] == ["3.1 G9"]
    with pytest.raises(Illegal, match=r"undo\.barred"):
        rules.check(state, answer(rules, state, od.Undo()))


def test_who_sees_the_ship_does_not_see_into_it(rules: Empire) -> None:
    state = position(rules, [*HEAD, "pirate bert G9", "aboard SCS1 5 steel", "unit anton CGO1 G9"])
    units = rules.view(state, ANTON)["units"]
    assert units["SCS1"]["at"] == "G9"
    assert units["SCS1"]["cargo"] == {}
    assert "SUP1" not in units
    assert "pirate" not in rules.view(state, ANTON)["countries"]
    assert rules.view(state, BERT)["units"]["SCS1"]["cargo"]["steel"] == 5


def test_what_is_only_tried_does_not_find_him(rules: Empire) -> None:
    state = position(rules, [*HEAD, "pirate bert G9", "unit anton CGO1 F9"])
    w = rules.world(state, Withheld())
    w.change("CGO1", at="G9")
    pirate.look(w)
    assert not w.events
    assert pirate.hides(w, w.units["SCS1"], ANTON)


def test_he_announces_where_he_passes(rules: Empire) -> None:
    state = position(rules, [*HEAD, "slot bert", "pirate bert G9", "unit anton CGO1 G8"])
    state, events = played(rules, state, od.Move(units=("SCS1",), way=("G8", "G7")))
    passed = [event for event in events if getattr(event, "what", "") == "pirate_passed"]
    assert [(event.only, event.facts["before"], event.facts["after"]) for event in passed] == [((ANTON,), "G9", "G7")]
    assert "G7" not in told(rules, state, [event for event in events if event not in passed], ANTON)


def test_what_he_does_is_sealed(rules: Empire) -> None:
    state = position(rules, [*HEAD, "slot bert", "pirate bert G9"])
    state, events = played(rules, state, od.Move(units=("SCS1",), way=("G8",)))
    assert all(event.only == (BERT,) for event in events)
    assert rules.unheard(state, events, ANTON) == rules.unheard(state, events, None) == Unheard(order=True, apart=True)
    assert rules.unheard(state, events, BERT) == Unheard()


def test_the_bots_slot_is_played_with_the_last_roll_out() -> None:
    rules = table(pirate="bot", end_turns="6")
    state = position(rules, [*HEAD, "unit anton CGO1 D1", "aboard CGO1 3 food, 2 steel"])
    for seq in range(1, 9):
        if rules.finished(state):
            break
        view = rules.view(state, None)
        assert "SCS" not in json.dumps(view), "nobody has seen him beached"
        state, events = played(rules, state, od.Rollout(), seq)
        for event in events:
            if isinstance(event, Changed) and event.only is None:
                assert "SCS1" not in event.to.get("units", {})
                assert pirate.COUNTRY not in event.to.get("countries", {})
    assert rules.finished(state)
    assert rules.view(state, None)["pirate"] is not None
    assert state.order == (ANTON, BERT)


def test_a_raid_is_told_to_the_victim(rules: Empire) -> None:
    state = position(rules, [*HEAD, "slot bert", "pirate bert G9", "unit anton CGO1 G9", "aboard CGO1 2 steel"])
    state, events = played(rules, state, od.Raid(unit="SCS1", target="CGO1"))
    raid = next(event for event in events if getattr(event, "what", "") == "raided")
    assert set(raid.only or ()) == {ANTON, BERT}
    assert raid.facts["taken"] == {"steel": "2"}
    assert rules.view(state, Sight.ALL)["units"]["SCS1"]["cargo"]["steel"] == 2
