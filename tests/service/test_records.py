"""Records: what anybody in the game may look up, and what stays secret (docs/reference/procedure.md, section 7)."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from pbem.core.seat import Setup
from pbem.host.messages.sections import Records
from tests.service.bureau import DAY, Bureau


def looked_up(bureau: Bureau, who: str, line: str) -> Records:
    bureau.write(who, line)
    (found,) = bureau.replies(who)[-1].told
    assert isinstance(found, Records)
    return found


def test_the_records_of_one_nation_tell_only_of_it(bureau: Bureau) -> None:
    (answer,) = bureau.write("fritz", "records italy")
    assert "Italy (governed by bert)" in answer.text or "Italy (bert)" in answer.text
    assert "France" not in answer.text.partition("RECORDS")[2]
    assert "The position as it is now: Italy." in answer.text


def test_records_of_a_turn_tell_the_position_after_it(bureau: Bureau) -> None:
    bureau.write("anton", "austria: import A lemberg")
    bureau.write("bert", "italy: import A rome")
    after = looked_up(bureau, "fritz", "records italy turn 1").view
    assert after is not None
    assert after["nations"]["austria_hungary"]["armies"] == {"lemberg": 1}
    assert after["nations"]["italy"]["armies"] == {}


def test_records_of_orders_tell_what_was_written(bureau: Bureau) -> None:
    bureau.write("anton", "austria: import A lemberg")
    bureau.write("bert", "italy: import A rome")
    said = looked_up(bureau, "fritz", "records orders").said
    assert [(one.turn, one.seat) for one in said] == [(1, "anton"), (2, "bert")]
    assert [one.turn for one in looked_up(bureau, "fritz", "Unterlagen Italien Befehle").said] == [2]
    assert [one.turn for one in looked_up(bureau, "fritz", "registri anton ordini turno 1").said] == [1]
    assert looked_up(bureau, "fritz", "records anton orders 2").said == ()


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ("records atlantis", "records.unknown"),
        ("records rome", "records.unknown"),
        ("records italy 1", "records.turn"),
        ("records 9", "records.turn"),
        ("move order 9", "records.turn"),
    ],
)
def test_what_there_are_no_records_of(bureau: Bureau, line: str, code: str) -> None:
    bureau.write("anton", line)
    assert bureau.outcomes("anton") == [("refused", code)]


@pytest.mark.parametrize("line", ["move order", "moveorder", "Zeittafel", "tabella dei tempi", "records move order 1"])
def test_the_move_order_sheet_tells_times_and_who_was_late(bureau: Bureau, line: str) -> None:
    bureau.tick(DAY + 60)
    bureau.tick(60)
    (answer,) = bureau.write("fritz", line)
    (found,) = bureau.replies("fritz")[-1].told
    assert isinstance(found, Records)
    assert [(row.seat, row.late, row.by) for row in found.rows] == [("anton", 1, "clock")]
    assert "Late so far: anton by 1 period." in answer.text


def test_secret_cash_is_secret_in_the_records_too(lots: None) -> None:
    bureau = Bureau()
    secret = replace(bureau.terms(), setup=Setup(options={"cash": "secret"}))
    bureau.terms = lambda **_: secret  # type: ignore[method-assign]
    bureau.open()
    bureau.write("anton", "austria: import A lemberg")
    for line in ("records", "records bert", "records 1"):
        view = looked_up(bureau, "anton", line).view
        assert view is not None
        assert view["players"]["bert"]["cash"] is None
        assert view["players"]["anton"]["cash"] is not None
        assert view["running"] is None


def test_before_the_beginning_there_are_none(lots: None) -> None:
    desk = Bureau()
    desk.invite(2)
    desk.tick()
    desk.write("anton", "records")
    assert ("refused", "letter.not_begun") in desk.outcomes("anton")


def test_after_the_end_they_can_be_asked_for(bureau: Bureau) -> None:
    bureau.finish()
    assert looked_up(bureau, "anton", "records italy").about == "italy"
