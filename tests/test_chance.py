"""Lots: what is drawn for a purpose follows from the secret alone, and is drawn once in an entry."""

from __future__ import annotations

import pytest

from pbem.core.chance import Chance, Draw, Lots, Scripted, draw


def test_what_is_drawn_follows_from_secret_game_entry_and_purpose() -> None:
    lots = Lots("autumn", "emp-1", 7)
    found = [lots.pick(f"3.1 land D{number} 1", 6) for number in range(1, 9)]
    assert found == [draw(b"autumn", f"emp-1|7 3.1 land D{number} 1", 6) for number in range(1, 9)]
    assert found == [5, 0, 3, 1, 3, 4, 4, 1]  # for ever
    assert lots.draws[1] == Draw(purpose="7 3.1 land D2 1", among=6, result=0)


@pytest.mark.parametrize("chance", [Lots("autumn", "emp-1", 7), Scripted([1, 2, 3], 7)], ids=["secret", "written"])
def test_a_purpose_is_drawn_once_in_an_entry(chance: Chance) -> None:
    chance.pick("wind", 6)
    chance.pick("gun E4", 6)
    with pytest.raises(ValueError, match="'7 wind' has been drawn in this entry"):
        chance.pick("wind", 6)
    assert [each.purpose for each in chance.draws] == ["7 wind", "7 gun E4"]
