"""What a letter says is possible, and what it would bring: the same as what then happens."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from msgspec import convert

from pbem.core.decision import Answer
from pbem.core.seat import Setup
from pbem.games import GAMES
from pbem.games.imperial.data.editions import imperial
from pbem.games.imperial.rules import events as ev
from pbem.games.imperial.rules import orders as od
from pbem.games.imperial.rules.places import Nation
from pbem.host.archive.replay import Replay
from tests.rules.tables import Match, Step, examples, matches, play

TABLE = "seats anton bert claudia\nflags anton austria_hungary, bert italy, claudia france\n"
ITALY = f"""{TABLE}
given treasury italy 8
given power italy 6
given tax italy 6
given rondel italy production_1
given factory venice
given flag tunis italy
given flag greece italy
given army austria_hungary venice 1 hostile
given army italy rome 2
given army italy vienna 1 hostile
given army italy vienna 2 friendly
given fleet italy naples 1
given turn italy
"""
INVESTING = f"""{TABLE}
given rondel austria_hungary maneuver_1
given cash bert 14
given investor bert
given treasury austria_hungary 9
anton> austria: investor
"""


def asked(text: str) -> dict[str, Any]:
    """The facts of the first question of a play."""
    session = Replay(text, GAMES, str)
    session.run()
    state, rules = session.session.state, session.session.rules
    facts: dict[str, Any] = rules.ask(state, rules.pending(state)[0])
    return facts


def brings(text: str, space: str) -> dict[str, Any]:
    return next(one["brings"] for one in asked(text)["spaces"] if one["space"] == space)


# -- spaces ---


def test_taxation() -> None:
    """Two free factories and two flags are 6; six units are paid for, so nothing is left."""
    text = ITALY.replace("production_1", "maneuver_2")
    assert brings(text, "taxation") == {
        "before": 6, "revenue": 6, "bonus": 0, "power": 7, "collected": 0, "ends": False,
    }  # fmt: skip


def test_taxation_pays_a_bonus_and_the_treasury() -> None:
    text = f"{TABLE}given rondel italy maneuver_2\ngiven factory venice\ngiven factory genoa\ngiven turn italy\n"
    assert brings(text, "taxation") == {
        "before": 0, "revenue": 8, "bonus": 3, "power": 3, "collected": 8, "ends": False,
    }  # fmt: skip


def test_taxation_ends_the_game() -> None:
    text = f"{TABLE}given rondel italy maneuver_2\ngiven factory venice\ngiven power italy 24\ngiven turn italy\n"
    assert brings(text, "taxation")["ends"]


def test_investor_pays_others_first_and_the_government_what_remains() -> None:
    text = f"{ITALY}given treasury italy 1\ngiven cash bert 5\ngiven bond claudia italy 6\n"
    assert brings(text, "investor") == {
        "paid": [{"seat": "claudia", "amount": 4}, {"seat": "bert", "amount": 0}],
        "by_government": 3,
        "unpaid": 4,
    }


def test_production_and_what_stands_idle() -> None:
    assert brings(ITALY, "production_2") == {
        "army": ["rome"],
        "fleet": ["naples"],
        "occupied": ["venice"],
        "supply": [],
    }


def test_production_without_pieces() -> None:
    fleets = imperial(Setup()).board.supply[Nation("italy")]["fleet"]
    text = f"{TABLE}given rondel italy factory\ngiven fleet italy naples {fleets}\ngiven turn italy\n"
    assert brings(text, "production_1")["supply"] == ["naples"]


@pytest.mark.parametrize(("treasury", "affordable"), [(8, True), (4, False)])
def test_factory(treasury: int, affordable: bool) -> None:
    text = f"{ITALY.replace('production_1', 'taxation')}given treasury italy {treasury}\n"
    found = brings(text, "factory")
    assert found == {"regions": ["genoa", "florence"], "cost": 5, "treasury": treasury, "affordable": affordable}


@pytest.mark.parametrize(("treasury", "units"), [(0, 0), (2, 2), (8, 3)])
def test_import(treasury: int, units: int) -> None:
    found = brings(f"{ITALY}given treasury italy {treasury}\n", "import")
    assert found["units"] == units
    assert found["army"] == ["rome", "naples", "genoa", "florence"]
    assert found["fleet"] == ["naples", "genoa"]


def test_passing_investor() -> None:
    facts = asked(f"{ITALY}given investor claudia\n")
    assert facts["passing"] == {
        "spaces": ["import", "production_2"],
        "holder": "claudia",
        "amount": 2,
        "banks": (),
    }


def test_swiss_bank_may_force_the_stop() -> None:
    text = f"""{TABLE}
given bond anton france 12
given bond anton germany 12
given treasury italy 20
given rondel italy maneuver_1
given turn italy
"""
    assert asked(text)["passing"]["banks"] == ("claudia",)


def test_every_unit_that_could_move_has_a_line() -> None:
    lines = [convert(line, od.Line) for line in asked(ITALY)["movable"]]
    assert [(line.count, line.unit, line.region, line.leaving) for line in lines] == [
        (1, "fleet", "naples", None),
        (2, "army", "vienna", "friendly"),
        (1, "army", "vienna", "hostile"),
        (2, "army", "rome", None),
    ]


# -- bonds ---


def test_what_may_be_lent_and_who_would_govern() -> None:
    offers = {offer["nation"]: offer for offer in asked(INVESTING)["offers"]}
    assert [(bond["price"], bond["interest"]) for bond in offers["germany"]["new"]] == [
        (4, 2), (6, 3), (12, 5), (16, 6),
    ]  # fmt: skip
    assert [(bond["back"], bond["price"]) for bond in offers["italy"]["higher"]] == [(9, 12), (9, 16), (9, 20), (9, 25)]
    assert offers["italy"]["governs_from"] is None
    assert offers["germany"]["government"] == "claudia"
    assert offers["germany"]["governs_from"] == 12


# -- in whole games ---


@examples(6)
@given(matches())
def test_it_comes_as_foreseen(match: Match) -> None:
    """Whatever space is taken, whatever is bought: the facts of the question told it before."""
    for step in play(match, most=80):
        facts = step.game.ask(step.before, step.decision) if step.decision else {}
        if facts.get("spaces") and isinstance(step.order, od.Turn):
            _check_space(step, facts)
        for bond in (event for event in step.events if isinstance(event, ev.BondBought)):
            _check_bond(step, facts, bond)


def _check_space(step: Step, facts: dict[str, Any]) -> None:
    moved = next((event for event in step.events if isinstance(event, ev.MarkerMoved)), None)
    if moved is None:  # a Swiss Bank is asked first
        return
    told = next(one for one in facts["spaces"] if one["space"] == moved.space)
    assert told["price"] == moved.paid
    for event in step.events:
        match event:
            case ev.Taxed():
                assert (told["brings"]["revenue"], told["brings"]["bonus"]) == (event.revenue, event.bonus)
            case ev.PowerGained():
                assert told["brings"]["power"] == event.power
            case ev.TaxCollected():
                assert told["brings"]["collected"] == event.amount
            case ev.InterestPaid():
                assert {"seat": event.seat, "amount": event.paid} in told["brings"]["paid"]
            case ev.UnitProduced():
                assert event.region in told["brings"][event.unit]
            case ev.FactoryBuilt():
                assert told["brings"]["affordable"]
                assert event.region in told["brings"]["regions"]
            case ev.UnitsImported():
                assert event.count <= told["brings"]["units"]
                assert event.region in told["brings"][event.unit]
            case _:
                pass


def _check_bond(step: Step, facts: dict[str, Any], bond: ev.BondBought) -> None:
    offer = next(one for one in facts["offers"] if one["nation"] == bond.nation)
    assert bond.price in [one["price"] for one in (*offer["new"], *offer["higher"]) if one["back"] == bond.back]
    if offer["government"] != bond.seat and any(isinstance(event, ev.CardMoved) for event in step.events):
        enough = offer["governs_from"] is not None and bond.paid >= offer["governs_from"]
        assert enough == (step.after.government[bond.nation] == bond.seat)


@examples(6)
@given(matches())
def test_all_lines_for_the_movable_units_are_legal(match: Match) -> None:
    """Each by itself, and all of them together."""
    for step in play(match, most=80):
        if step.decision is None or step.decision.kind != "turn":
            continue
        facts: dict[str, Any] = step.game.ask(step.before, step.decision)
        words = [one["word"] for one in facts["spaces"] if one["kind"] == "maneuver"]
        words += ["maneuver"] if facts["unfinished"] else []
        lines = tuple(convert(line, od.Line) for line in facts["movable"])
        for some in (lines, *((line,) for line in lines)) if words else ():
            order = od.Turn(nation=Nation(facts["nation"]), space=words[0], work=od.Move(lines=some))
            step.game.check(step.before, Answer(seat=step.decision.seat, order=order, decision=step.decision))
