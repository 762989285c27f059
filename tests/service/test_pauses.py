"""When time does not count, as the log tells it (docs/reference/procedure.md, section 6)."""

from __future__ import annotations

from pbem.host.calendar.counting import Pause
from pbem.host.clock.time_sheet import forced_in_a_row, lateness, sheet
from pbem.host.session.acts import Act, Closing, Done, Paused, Resumed, Seated, TimeKept, entered, read_act
from pbem.host.session.pauses import paused, pauses


def done(*acts: Act) -> list[Done]:
    return [Done(seq=seq, at=seq, turn=1, act=act) for seq, act in enumerate(acts)]


def pause(start: int, end: int | None, cause: str = "moderator") -> Paused:
    return Paused(by="operator", start=start, end=end, why="fair weather", cause=cause)  # type: ignore[arg-type]


def test_acts_come_back_from_the_log_as_they_were_entered():
    for act in (pause(1, None, "outage"), Resumed(by="operator", at=3, cause="outage")):
        assert read_act(entered(act)) == act


def test_a_pause_without_an_end_lasts_till_time_goes_on():
    held = done(pause(10, None), Resumed(by="operator", at=50))
    assert pauses(held[:1]) == (Pause(start=10, end=None),)
    assert pauses(held) == (Pause(start=10, end=50),)


def test_a_pause_may_end_before_its_time_but_not_after_it():
    assert pauses(done(pause(10, 100), Resumed(by="operator", at=50))) == (Pause(start=10, end=50),)
    assert pauses(done(pause(10, 100), Resumed(by="operator", at=200))) == (Pause(start=10, end=100),)


def test_a_pause_that_was_to_come_is_called_off():
    assert pauses(done(pause(100, 200), Resumed(by="operator", at=50))) == (Pause(start=100, end=100),)


def test_the_end_of_an_outage_ends_no_suspension():
    both = done(pause(10, 100, "petition"), pause(20, None, "outage"), Resumed(by="clock", at=50, cause="outage"))
    assert pauses(both) == (Pause(start=10, end=100), Pause(start=20, end=50))


def test_of_pauses_that_run_together_the_longest_is_told():
    both = done(pause(10, 100, "petition"), pause(20, None, "outage"))
    assert [window and window.cause for window in (paused(both, at) for at in (9, 10, 20, 100))] == [
        None,
        "petition",
        "outage",
        "outage",
    ]
    assert paused(both[:1], 100) is None


# -- the move order sheet ---


def closed(seat: str, late: int, by: str = "") -> TimeKept:
    return TimeKept(
        by=by or seat, closings=(Closing(seat=seat, kind="turn", start=0, counted=late * 86_400, late=late),)
    )


def test_lateness_stays_with_the_person():
    course = done(closed("anton", 2), closed("bert", 0), closed("anton", 1))
    assert lateness(course) == {"anton": 3}
    after = [*course, *done(Seated(by="operator", seat="anton", person=7), closed("bert", 1))]
    assert lateness(after) == {"bert": 1}


def test_how_often_others_had_to_end_somebodys_time():
    course = done(closed("anton", 1, "clock"), closed("anton", 0), closed("anton", 1, "bert"), closed("bert", 0))
    assert [row.forced for row in sheet(course)] == [True, False, True, False]
    assert (forced_in_a_row(course, "anton"), forced_in_a_row(course, "bert")) == (1, 0)
