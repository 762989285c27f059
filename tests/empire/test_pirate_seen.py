"""Every way of seeing the Pirate: who sees him by it, who does not, and what each is told (E18.3, E18.4, E18.7)."""

from __future__ import annotations

import json
from typing import NamedTuple

import pytest
from msgspec.structs import replace

from pbem.core.seat import Seat, Setup, Viewer
from pbem.games.empire.data.editions import empire
from pbem.games.empire.geography.grid import square_of
from pbem.games.empire.rules import orders as od
from pbem.games.empire.rules.game import Empire
from tests.empire.letters_game import LettersGame
from tests.empire.test_pirate import HEAD, played, position, told
from tests.service.bureau import NAMES

ANTON, BERT, CARLA = Seat("anton"), Seat("bert"), Seat("carla")


class Way(NamedTuple):
    """A position in carla's slot, an order of hers, and who sees her ship by it."""

    given: tuple[str, ...]
    order: od.Order
    seen_by: tuple[Seat, ...]


def sails(*way: str) -> od.Move:
    return od.Move(units=("SCS1",), way=way)


WAYS = {
    "beached, by all": Way(("pirate carla G8",), od.Move(units=("SCS1",), way=("H7",), ending="beach"), (ANTON, BERT)),
    "a worker on the shore": Way(("pirate carla G8", "workers anton H7b 1"), sails("H7"), (ANTON,)),
    "a truck on the shore": Way(("pirate carla G8", "unit anton TRK1 H7b"), sails("H7"), (ANTON,)),
    "a ship in the square": Way(("pirate carla G8", "unit bert CGO1 G9"), sails("G9"), (BERT,)),
    "a dived submarine": Way(("pirate carla G8", "unit bert SUB1 G9 dived"), sails("G9"), (BERT,)),
    "an aircraft over it": Way(("pirate carla G8", "unit anton CPL1 G9 up"), sails("G9"), (ANTON,)),
    "passing by": Way(("pirate carla G7", "unit anton CGO1 G8"), sails("G8", "G9"), (ANTON,)),
    "his raid": Way(("pirate carla G8", "unit anton CGO1 G8"), od.Raid(unit="SCS1", target="CGO1"), (ANTON,)),
    "nobody there": Way(("pirate carla G8", "unit anton CGO1 F7", "workers bert H7b 1"), sails("G9"), ()),
}


def table() -> Empire:
    setup = Setup(game="empire", edition="third_1976", board="training", setup="bare", seats=(ANTON, BERT, CARLA))
    return empire(replace(setup, options={"pirate": "carla"}))


@pytest.mark.parametrize("name", WAYS)
def test_who_sees_him_is_told_and_nobody_else(name: str) -> None:
    way, rules = WAYS[name], table()
    before = position(rules, [*HEAD, "slot carla", *way.given], seats=(ANTON, BERT, CARLA))
    after, events = played(rules, before, way.order)
    where = square_of(after.units["SCS1"].at)
    viewers: tuple[Viewer, ...] = (ANTON, BERT, None)
    for viewer in viewers:
        seen = rules.view(after, viewer)
        is_told = bool(viewer is not None and after.sightings.get(Seat(str(viewer))))
        assert is_told == (viewer in way.seen_by)
        is_in_sight = (viewer in way.seen_by and name != "passing by") or "by all" in name
        assert ("SCS1" in seen["units"]) == is_in_sight
        if viewer not in way.seen_by and "by all" not in name:
            assert "SCS1" not in json.dumps(seen) + told(rules, after, events, viewer)
            assert f"'{where}'" not in told(rules, after, events, viewer)
        assert "pirate" not in seen["countries"]
    assert rules.view(after, CARLA)["units"]["SCS1"]["at"] == where


def test_his_record_is_opened_when_it_is_over() -> None:
    rules = table()
    state = position(rules, [*HEAD, "slot carla", "pirate carla G8"], seats=(ANTON, BERT, CARLA))
    assert "pirate" not in rules.view(state, None)["countries"]
    over = replace(state, phase="over")
    for viewer in (ANTON, None):
        assert rules.view(over, viewer)["countries"]["pirate"]["confidence"] == 10
        assert rules.view(over, viewer)["units"]["SCS1"]["cargo"]["food"] == 10


def test_his_player_reads_nothing_of_who_sees_him() -> None:
    game = LettersGame()
    setup = Setup(game="empire", setup="bare", options={"pirate": "claudia"})
    game.server.new_game(game.terms(setup=setup), [f"{name}={name}@players.test" for name in NAMES[:3]])
    for name in NAMES[:3]:
        game.send(name, "join")
    game.lay_out("turn 4", "slot claudia", "pirate claudia G8", "workers anton H7b 1")
    game.send("claudia", "SCS1 - H7")
    answer = game.answers("claudia")[-1]
    assert "SCS1 sails" in answer.text
    assert "see the Pirate" not in answer.text
