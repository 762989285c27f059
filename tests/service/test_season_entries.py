"""Who may enter a season."""

from __future__ import annotations

import pytest

from pbem.core.refusal import Illegal
from pbem.host.season.reliability import LEAST, Reliability, reliability
from tests.service.bureau import Bureau
from tests.service.season import DAY, SeasonBureau, settings


@pytest.mark.parametrize(("in_time", "asked", "may"), [(19, 20, True), (17, 20, False), (1, LEAST - 1, True)])
def test_who_is_late_too_often_does_not_enter_by_themselves(
    in_time: int, asked: int, *, may: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    bureau = SeasonBureau(settings(entry={"on_time": 90}))
    bureau.to("entries")
    monkeypatch.setattr("pbem.host.leagues.entries.reliability", lambda *_: Reliability(in_time, asked))
    if may:
        bureau.enter_as("playera")
    else:
        with pytest.raises(Illegal, match="on_time"):
            bureau.enter_as("playera")
        bureau.enter(["playera"])  # whoever leads the league may let them in
    assert bureau.number("playera") in bureau.season.people


def test_what_came_in_time_is_told_by_the_move_order_sheets_of_a_year() -> None:
    bureau = Bureau()
    bureau.open(3, policy="lenient")
    seat = bureau.awaited[0][0]
    bureau.clock.advance(25 * 3600)
    bureau.write(seat, "austria: factory trieste")

    def told(now: int) -> Reliability:
        with bureau.server.games.work() as work:
            person = next(each.person.id for each in work.game("imp-1").members if each.seat == seat)
            return reliability(work, person, now)

    assert told(bureau.clock.now()) == (0, 1)
    assert told(bureau.clock.now() + 366 * DAY) == (0, 0)
    assert Reliability(0, LEAST - 1).percent is None
    assert Reliability(0, LEAST).percent == 0
