"""Sheets of a game's own, asked for by `records`: what happened, and what of it only one seat may see."""

from __future__ import annotations

import pytest

from pbem.core.presenter import Sheet
from tests.conformance.test_claims import awaited, bureau
from tests.service.bureau import NAMES, Bureau
from tests.service.test_records import looked_up

__all__ = ["bureau"]


def asked(bureau: Bureau, who: str, line: str) -> Sheet:
    own = looked_up(bureau, who, line).own
    assert own is not None
    return own


def test_a_sheet_tells_what_happened_and_what_is_ones_own(bureau: Bureau) -> None:
    who = awaited(bureau)
    other = next(seat for seat in NAMES[:3] if seat != who)
    bureau.write(who, "wager 7\nrest")
    mine, theirs = asked(bureau, who, "records found"), asked(bureau, other, "registri trov 1")
    assert (mine.kind, mine.round, mine.ledger) == ("found", None, {"wager": 7})
    assert (theirs.kind, theirs.round, theirs.ledger) == ("found", 1, {"wager": None})
    assert "Wagered" in {event["type"] for event in mine.events}
    assert "Wagered" not in {event["type"] for event in theirs.events}


def test_the_answer_is_worded_by_the_game(bureau: Bureau) -> None:
    who = awaited(bureau)
    bureau.write(who, "wager 7\nrest\nlanguage en")
    (letter,) = bureau.write(who, "records found")
    assert "What was found." in letter.text
    assert "Your wager: 7" in letter.text
    assert letter.html is not None
    assert "Your wager: 7" in letter.html


def test_a_number_is_that_of_a_round_where_the_game_counts_so(bureau: Bureau) -> None:
    for _ in range(3):
        bureau.write(awaited(bureau), "rest")
    who = awaited(bureau)
    said = looked_up(bureau, who, "records orders 1").said
    assert [(one.turn, one.text) for one in said] == [(1, "rest"), (1, "rest")]
    assert {row.turn for row in looked_up(bureau, who, "move order 1").rows} == {1, 2}
    assert looked_up(bureau, who, "records 1").view is not None


@pytest.mark.parametrize("line", ["records found 9", "records found 0"])
def test_a_sheet_is_of_a_round_that_has_come(bureau: Bureau, line: str) -> None:
    who = awaited(bureau)
    bureau.write(who, line)
    assert bureau.outcomes(who) == [("refused", "records.turn")]
