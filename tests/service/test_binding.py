"""A moment to take it back: an order is told at once, and binds some minutes after its filing (hold_minutes)."""

from __future__ import annotations

from functools import cache
from urllib.parse import quote

import pytest
from msgspec.structs import replace

from pbem.games import GAMES
from pbem.host.archive.replay import Replay
from pbem.host.clock.time_sheet import sheet
from pbem.host.messages.parts import Kept
from pbem.host.ports import Member
from tests.service.bureau import DAY, HOUR, MINUTE, NAMES, Bureau, address

MOMENT = 5 * MINUTE
MODERATOR = "zoe@players.test"


@cache
def _led() -> Bureau:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("pbem.core.chance.draw", lambda *_: 0)
        made = Bureau()
        made.open(hold_minutes=5)
    with made.server.games.work() as work:
        zoe = work.repository.add_person("Zoe", MODERATOR, 0)
        work.repository.save_game(replace(work.game("imp-1"), moderators=(Member(person=zoe, seat="", told=0),)))
    made.tick(MINUTE)
    return made


@pytest.fixture
def bureau(lots: None) -> Bureau:
    """A game of six with a moderator, in which an answer can be taken back for a moment."""
    return _led().copy(with_sent=True)


def rows(bureau: Bureau) -> tuple[Kept, ...]:
    with bureau.server.games.work() as work:
        return sheet(work.session(work.game("imp-1")).position.done)


def outcome(bureau: Bureau, who: str, text: str) -> tuple[str, str | None]:
    bureau.write(who, text)
    return bureau.outcomes(who)[-1]


def told(bureau: Bureau, who: str) -> str:
    return bureau.answers(who)[-1].text


def test_an_order_binds_after_its_moment_and_counts_from_its_filing(bureau: Bureau) -> None:
    filed, before = bureau.clock.now(), len(bureau.entries)
    sent = bureau.write("anton", "austria: taxation")
    assert bureau.outcomes("anton") == [("binds", None)]
    assert [mail.to for mail in sent] == [address("anton")], "nobody else hears of it"
    assert "5 minutes after it came in" in " ".join(told(bureau, "anton").split())
    assert sent[0].html
    assert "body=undo" in sent[0].html
    bureau.restart()
    assert bureau.tick(MOMENT - 1) == []
    assert len(bureau.entries) == before
    due = bureau.daemon._clock_service.next_instant()
    assert due == filed + MOMENT - 1, "the daemon wakes for it"
    sent = bureau.tick(2)
    assert {mail.to for mail in sent} >= {address(name) for name in NAMES}
    row = rows(bureau)[-1]
    assert (row.seat, row.end, row.counted, row.by) == ("anton", filed, MINUTE, "anton")
    assert bureau.entries[-1]["at"] == filed + MOMENT


def test_the_link_that_takes_it_back_is_the_reader_s_own(bureau: Bureau) -> None:
    """Whoever was the first to be told of one: the address in it proves who writes."""
    for who, order in (("anton", "austria: taxation"), ("bert", "italy: taxation")):
        (sent,) = [mail for mail in bureau.write(who, order) if mail.answers]
        assert f"mailto:{quote(sent.reply_to or '', safe='@')}?" in (sent.html or "")
        bureau.tick(MOMENT)


def test_undo_takes_it_back_and_the_time_runs_as_it_ran(bureau: Bureau) -> None:
    deadlines = [slot.deadline for slot in bureau.slots]
    bureau.write("anton", "austria: taxation")
    assert outcome(bureau, "anton", "show")[0] == "shown"
    assert "binds" in told(bureau, "anton")
    assert outcome(bureau, "anton", "undo") == ("undone", None)
    assert [slot.deadline for slot in bureau.slots] == deadlines
    before = len(bureau.entries)
    bureau.tick(HOUR)
    assert len(bureau.entries) == before
    bureau.tick(DAY)
    assert rows(bureau)[-1].by == "clock"


@pytest.mark.parametrize("words", ["undo", "rückgängig", "zurück", "ripristina", "annulla", "verwerfe"])
def test_words(bureau: Bureau, words: str) -> None:
    bureau.write("anton", "austria: taxation")
    bureau.write("anton", words)
    before = len(bureau.entries)
    bureau.tick(HOUR)
    assert len(bureau.entries) == before


def test_undo_says_why_not(bureau: Bureau) -> None:
    assert outcome(bureau, "anton", "undo") == ("refused", "undo.nothing")
    bureau.write("anton", "austria: taxation")
    bureau.clock.advance(MOMENT)
    assert outcome(bureau, "anton", "undo") == ("refused", "undo.played"), "filed in the second in which it binds"
    plain = Bureau()
    plain.open()
    plain.write("anton", "austria: taxation")
    assert outcome(plain, "anton", "undo") == ("refused", "undo.not_here")


def test_undo_that_was_filed_in_time_counts_however_late_it_is_read(bureau: Bureau) -> None:
    filed = bureau.clock.now()
    bureau.write("anton", "austria: taxation")
    bureau.mailbox.down = True
    bureau.tick(HOUR)
    bureau.mailbox.down = False
    bureau.drop("anton", "undo", arrived=filed + MOMENT - 1)
    before = len([entry for entry in bureau.entries if entry["answers"]])
    bureau.tick()
    assert len([entry for entry in bureau.entries if entry["answers"]]) == before


def test_an_outage_over_its_instant_stops_no_clock(bureau: Bureau) -> None:
    bureau.write("anton", "austria: taxation")
    bureau.asleep = True
    bureau.tick(3 * HOUR)
    assert [entry["act"]["type"] for entry in bureau.entries if entry["act"]][-1] == "time_kept"


def test_a_newer_order_takes_its_place_and_begins_anew(bureau: Bureau) -> None:
    bureau.write("anton", "austria: taxation")
    bureau.clock.advance(MOMENT - MINUTE)
    filed = bureau.clock.now()
    assert outcome(bureau, "anton", "austria: import none") == ("binds", None)
    assert outcome(bureau, "anton", "austria: factory moscow")[0] == "refused", "what is wrong leaves it alone"
    bureau.tick(MINUTE)
    assert not rows(bureau)
    bureau.tick(MOMENT)
    assert rows(bureau)[-1].end == filed
    assert bureau.entries[-1]["answers"][0]["order"]["space"] == "import"


def test_filed_in_time_it_is_not_late_though_it_binds_after_the_deadline(bureau: Bureau) -> None:
    (deadline,) = [slot.deadline for slot in bureau.slots]
    assert deadline is not None
    bureau.at(deadline - 2)
    sent = bureau.write("anton", "austria: taxation")
    sent += bureau.tick(MINUTE)
    assert [mail.to for mail in sent] == [address("anton")]
    bureau.tick(MOMENT)
    row = rows(bureau)[-1]
    assert (row.by, row.late, row.end) == ("anton", 0, deadline - 2)
    text = bureau.server.app.record("imp-1")
    assert "taxation" in text
    assert "hold" not in text
    again = Replay(text, GAMES, str)
    again.run()
    assert again.document() == bureau.document


def test_no_reminder_while_it_waits(bureau: Bureau) -> None:
    (deadline,) = [slot.deadline for slot in bureau.slots]
    assert deadline is not None
    bureau.at(deadline - HOUR - 2)
    bureau.write("anton", "austria: taxation")
    assert bureau.tick(5) == []


def test_nobody_can_roll_it_out(desk: Bureau) -> None:
    bureau = desk
    bureau.open(hold_minutes=5, policy="on_request")
    bureau.tick(25 * HOUR)
    bureau.write("anton", "austria: taxation")
    assert outcome(bureau, "bert", "rollout anton") == ("refused", "rollout.not_overdue")
    bureau.tick(MOMENT)
    assert (rows(bureau)[-1].by, rows(bureau)[-1].late) == ("anton", 1)


@pytest.mark.parametrize(
    ("power", "by"),
    [
        ("pause 2 days: a move", "anton"),
        ("extend anton 12h: ill", "anton"),
        ("close turn 1: he sleeps", "anton"),
        ("option hold_minutes = 0 with consent of all: so", "anton"),
        ("eject anton: gone", "anton"),
        ("bot anton: gone", "anton"),
        ("act for anton, he phoned: austria: investor", "anton"),
    ],
)
def test_whatever_a_moderator_does(bureau: Bureau, power: str, by: str) -> None:
    bureau.write("anton", "austria: taxation")
    bureau.write(MODERATOR, power, subject="[imp-1]")
    bureau.restart()
    bureau.tick(MOMENT)
    bureau.tick(MINUTE)
    mine = [row for row in rows(bureau) if row.seat == "anton" and not row.void]
    assert [row.by for row in mine] == [by], told(bureau, MODERATOR)


@pytest.mark.parametrize("power", ["rewind to turn 1: so", "correct treasury italy 17: so"])
def test_what_changes_the_position_lifts_it(bureau: Bureau, power: str) -> None:
    bureau.write("anton", "austria: taxation")
    bureau.tick(MOMENT)
    bureau.write("bert", "italy: taxation")
    bureau.write(MODERATOR, power, subject="[imp-1]")
    played = len(rows(bureau))
    bureau.tick(HOUR)
    assert len(rows(bureau)) == played


def test_a_deputy_orders_and_takes_back(bureau: Bureau) -> None:
    bureau.write("anton", "away until tomorrow, deputy bert")
    bureau.write("bert", "as anton: austria: taxation")
    assert bureau.outcomes("bert") == [("binds", None)]
    bureau.write("bert", "as anton: undo")
    assert bureau.outcomes("bert") == [("undone", None)]
    bureau.write("bert", "as anton: austria: taxation")
    bureau.tick(MOMENT)
    assert bureau.entries[-1]["act"]["deputy"] == "bert"


def test_standing_orders_and_previews_do_not_wait(bureau: Bureau) -> None:
    bureau.write("bert", "advance italy: taxation")
    assert outcome(bureau, "anton", "preview\naustria: taxation") == ("tried", None)
    bureau.write("anton", "austria: taxation")
    bureau.tick(MOMENT)
    assert [row.seat for row in rows(bureau)] == ["anton", "bert"]


def test_a_draft_is_played_after_its_moment_too(bureau: Bureau) -> None:
    bureau.write("anton", "draft austria: taxation")
    assert outcome(bureau, "anton", "play") == ("binds", None)
    assert outcome(bureau, "anton", "play") == ("refused", "draft.absent")
    bureau.tick(MOMENT)
    assert rows(bureau)[-1].seat == "anton"
