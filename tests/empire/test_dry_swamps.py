"""Rafts in swamps that touch no water: the training map has none, so that two of its forests become one."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from pbem.core.chance import Lots
from pbem.core.decision import Answer
from pbem.core.refusal import Illegal
from pbem.core.seat import Seat, Setup
from pbem.games.empire.data.editions import empire
from pbem.games.empire.geography.board import board
from pbem.games.empire.geography.map_file import read
from pbem.games.empire.rules.game import Empire
from pbem.games.empire.rules.orders import Rollout
from tests.empire.reading import given, order

TRAINING = Path(__file__).resolve().parents[2] / "games" / "empire" / "maps" / "training.map"
SWAMPS = {"  5   d d d f s": "  5   d d d s s", "  6   d a f f ^": "  6   d a f s ^"}  # D5 and D6
ANTON = Seat("anton")
POSITION = (
    "turn 5", "slot anton", "capital anton C3", "capital bert J3", "goods anton C3 40 food, 5 oil, 5 chemicals",
    "unit anton RAF1 E4 consumed", "aboard RAF1 1 worker", "unit anton RAF2 D6 consumed", "unit anton CGO1 E4",
    "unit bert INF1 H8",
)  # fmt: skip


class Table:
    def __init__(self) -> None:
        setup = Setup(game="empire", edition="third_1976", board="training", setup="bare", seats=(ANTON, Seat("bert")))
        text = TRAINING.read_text("utf-8")
        for old, new in SWAMPS.items():
            text = text.replace(old, new)
        usual = empire(setup)
        setting = replace(usual.setting, board=lambda: board(read(text)))
        self.rules = Empire(setting, usual.notation, {"game": "empire", "edition": "third_1976", "board": "training"})
        self.state = self.rules.blank(setup)
        self._happen(self.rules.open(self.state, Lots("swamps", "swamps"), {}))
        self._happen(self.rules.given(self.state, [given(line) for line in POSITION]))

    def _happen(self, events: Any) -> None:
        for event in events:
            self.state = self.rules.apply(self.state, event)

    def play(self, said: Any) -> None:
        (decision,) = self.rules.pending(self.state)
        answer = Answer(seat=decision.seat, order=order(said) if isinstance(said, str) else said, decision=decision)
        self._happen(self.rules.resolve(self.state, [answer], Lots("swamps", str(self.state.serial))).events)

    def where(self, unit: str) -> tuple[str, str]:
        found = self.state.units[unit]
        return found.at, str(found.used)


def test_a_raft_goes_through_a_swamp_without_water_and_out_again() -> None:
    table = Table()
    table.play("RAF1 - E5 - D5")  # from the river over the shore of a swamp into the dry one
    assert table.where("RAF1") == ("D5", "8")
    table.play("RAF1 - D6")
    assert table.where("RAF1") == ("D6", "12")
    table.play("RAF2 - D5 - E5")
    assert table.where("RAF2") == ("E5w", "8")
    with pytest.raises(Illegal, match=r"water\.barred"):
        table.play("CGO1 - D5")
    with pytest.raises(Illegal, match=r"water\.barred"):
        table.play("RAF2 - D5 - C5")  # no swamp


def test_slots_go_by_while_a_raft_lies_in_a_dry_swamp() -> None:
    table = Table()
    table.play("RAF1 - D5")
    for _ in range(4):
        table.play(Rollout())
    assert table.where("RAF1") == ("D5", "0")
    assert table.state.units["RAF1"].holds["anton"].workers == 1
