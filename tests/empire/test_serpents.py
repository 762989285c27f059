"""Sea serpents: what they do from their birth to their sleep, and what wakes them (E18.8 to E18.10)."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence

from pbem.core.chance import Draw
from pbem.core.seat import Seat, Setup
from pbem.games.empire.data.editions import empire
from pbem.games.empire.rules.sea import serpents
from pbem.games.empire.rules.state import State
from pbem.games.empire.rules.world import World

SEATS = (Seat("anton"), Seat("bert"))


class Dice:
    """These faces, one after another."""

    draws: Sequence[Draw] = ()

    def __init__(self, *faces: int) -> None:
        self.left = deque(faces)

    def pick(self, _purpose: str, _among: int) -> int:
        return self.left.popleft() - 1


def world(*faces: int, at: str = "G9", born: int = 3) -> World:
    setup = Setup(game="empire", edition="third_1976", board="training", setup="bare", seats=SEATS)
    rules = empire(setup)
    state = State(seats=SEATS, phase="turn", turn=5, order=SEATS, births={"1": born})
    w = World(rules.setting, state, Dice(*faces))
    w.new_unit("sea_serpent", "", at, state="dived")
    return w


def test_its_states_follow_one_another() -> None:
    w = world(*(1, 1, 1), *(4, 1, 1), *(1, 1, 1))
    states = []
    for _ in range(5):
        serpents.phaser_turn(w)
        states.append((w.units["SER1"].at, w.units["SER1"].state))
    assert states == [("G7", "sea"), ("G9", "dived"), ("G7", "dived"), ("G7", "stored"), ("G7", "stored")]


def test_chemicals_of_war_wake_it() -> None:
    w = world(1, 1, 1)
    w.change("SER1", state=serpents.ASLEEP)
    serpents.wake(w, "G8")
    assert w.units["SER1"].state == serpents.ASLEEP
    serpents.wake(w, "G9")
    serpents.phaser_turn(w)
    assert (w.units["SER1"].at, w.units["SER1"].state) == ("G7", "sea")


def test_it_tries_six_directions_at_most() -> None:
    w = world(4, 6, 6, *(4,) * 5)  # south, and south again, where the map ends
    serpents.phaser_turn(w)
    assert w.units["SER1"].at == "G10"
    assert not w.chance.left  # type: ignore[attr-defined]


def test_each_ocean_has_three() -> None:
    w = world(6, 1, born=2)
    w.change("SER1", state=serpents.ASLEEP)
    w.options = {**w.options, "serpents": "yes"}
    serpents.phaser_turn(w)
    assert w.state.births["1"] == 3
    assert (w.units["SER2"].at, w.units["SER2"].state) == ("F5", "dived")
    serpents.phaser_turn(World(w.setting, w.state, Dice()))
