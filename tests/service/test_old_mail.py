"""Mail of ours that is old goes: not what may still be asked for, nothing is told twice, and some at a time."""

from __future__ import annotations

from collections import Counter

import pytest
from msgspec.structs import replace

from pbem.host.lobby.tickets import LIFE
from pbem.host.messages.rows import ReminderJob, post
from pbem.mail.retention import PAGE, PAGES, SENT_DAYS, UNSENT_DAYS
from tests.fakes import MemoryStore
from tests.service.bureau import DAY, HOST, HOUR, NAMES, Bureau, address
from tests.service.season import START, playing
from tests.service.test_proposals import PREVIEW

STEP = 5  # days


def rows(bureau: Bureau, kind: str = "") -> dict[str, int]:
    """The rows of the outbox, and when they were due."""
    assert isinstance(bureau.store, MemoryStore)
    return {row.id: row.due for row in bureau.store.posted(kind=kind)}


def about_no_game(bureau: Bureau) -> set[str]:
    assert isinstance(bureau.store, MemoryStore)
    return {row.id for row in bureau.store.posted() if row.game is None}


def go_on(bureau: Bureau, days: int) -> None:
    """Now and then somebody writes; the clock ends the turns of all who don't."""
    for number in range(days // STEP):
        bureau.write(NAMES[number % 6], "status")
        bureau.tick(STEP * DAY)


def test_what_was_written_can_be_answered_for_a_shorter_time_than_it_is_kept() -> None:
    assert LIFE < SENT_DAYS * DAY


def test_mail_of_a_game_goes_when_it_has_gone_on(bureau: Bureau) -> None:
    go_on(bureau, SENT_DAYS)
    never = {id_ for id_ in rows(bureau) if "reminder" in id_}
    first = {
        id_
        for id_, due in rows(bureau).items()
        if due < bureau.clock.now() - (SENT_DAYS - STEP) * DAY and id_ not in never
    }
    assert len(first) > 10
    assert not [id_ for id_ in never if rows(bureau)[id_] < bureau.clock.now() - (UNSENT_DAYS + STEP) * DAY]
    go_on(bureau, 20)
    assert not {
        id_ for id_, due in rows(bureau, "imp-1").items() if due < bureau.clock.now() - (SENT_DAYS + STEP) * DAY
    }
    assert not first & {*rows(bureau, "answer.")}
    sent = Counter(mail.message_id for mail in bureau.postman.sent)
    assert max(sent.values()) == 1, "nothing is told twice"
    assert bureau.server.app.vitals().delivered is not None


@pytest.fixture
def suspended(bureau: Bureau) -> Bureau:
    """A question has been open for two years: one reminder has gone out, and an answer has proposed something."""
    bureau.write("anton", PREVIEW)
    bureau.tick(14 * HOUR)
    bureau.server.app.moderate("imp-1", ["pause: the server moves"])
    before = rows(bureau, "imp-1").keys() | rows(bureau, "answer.").keys()
    for _ in range(30):
        bureau.tick(25 * DAY)
    assert before <= rows(bureau).keys()
    bureau.server.app.moderate("imp-1", ["resume"])
    bureau.tick(HOUR)
    return bureau


def test_a_proposal_stays_while_its_question_is_open(suspended: Bureau) -> None:
    suspended.write("anton", "yes")
    assert suspended.outcomes("anton") == [("played", None)]


def test_a_reminder_is_told_once_while_its_question_is_open(suspended: Bureau) -> None:
    """Those of a slot are planned anew when somebody else begins to write for the seat."""
    told = Counter(row for row in rows(suspended) if "reminder.12" in row)
    suspended.write("anton", "away tomorrow: bert@players.test writes for me")
    suspended.tick(HOUR)
    assert Counter(row for row in rows(suspended) if "reminder.12" in row) == told
    reminded = [mail for mail in suspended.postman.to(address("anton")) if ".reminder.12." in mail.message_id]
    assert len(reminded) == 1


def test_of_a_game_that_gathers_all_stays() -> None:
    bureau = Bureau()
    bureau.invite()
    bureau.tick()
    asked = rows(bureau)
    assert len(asked) > 5
    for _ in range(10):
        bureau.tick(20 * DAY)
    assert asked.keys() <= rows(bureau).keys()


def test_what_is_about_no_game_goes_and_no_letter_is_answered_twice(bureau: Bureau) -> None:
    letters = [
        bureau.letter("stranger@players.test", "hello", subject="hello", to=HOST),
        bureau.letter("anton", "address anton@work.test", subject="[imp-1] my address"),
    ]
    for raw in letters:
        bureau.mailbox.add(raw, bureau.clock.now())
    bureau.tick()
    known = about_no_game(bureau)
    assert [id_.partition(".")[0] for id_ in sorted(known)] == ["answer", "confirm"]
    go_on(bureau, SENT_DAYS - STEP)
    assert known <= rows(bureau).keys()
    go_on(bureau, 3 * STEP)
    assert not known & rows(bureau).keys()
    before = len(bureau.postman.sent)
    for raw in letters:
        bureau.mailbox.add(raw, bureau.clock.now())
    bureau.tick()
    assert len(bureau.postman.sent) == before


def test_an_alarm_is_told_once_as_long_as_what_it_tells_of_lasts(bureau: Bureau) -> None:
    """That something is out of reach is noted for itself: the mail that told it may go meanwhile."""
    bureau.mailbox.down = True
    bureau.tick(HOUR)
    bureau.tick(HOUR)
    (told,) = about_no_game(bureau)
    bureau.tick(DAY)
    bureau.server.app.moderate("imp-1", ["pause: the server moves"])
    bureau.tick()
    for _ in range(SENT_DAYS + 1):
        bureau.tick(DAY)
    bureau.mailbox.down = False
    bureau.tick()
    assert told not in rows(bureau)
    assert [mail.message_id.partition(".well.")[1] for mail in bureau.alarms] == ["", ".well."]


def test_mail_of_a_season_stays_as_long_as_it_lasts() -> None:
    bureau = playing()
    asked = {id_ for id_, due in rows(bureau, "euro-1").items() if due <= bureau.clock.now()}
    assert len(asked) >= 6
    bureau.at(START + (SENT_DAYS + 10) * DAY)
    bureau.tick()
    assert asked <= rows(bureau).keys()
    bureau.to("deciding")
    assert asked <= rows(bureau).keys()
    bureau.to("ended")
    last = {id_ for id_ in rows(bureau) if id_.startswith("euro-1.final.")}
    bureau.tick(SENT_DAYS // 2 * DAY)
    bureau.write("stranger@players.test", "hello", subject="hello", to=HOST)
    assert not asked & rows(bureau).keys()
    assert len(last) == len(last & rows(bureau).keys()) == 6
    bureau.tick(SENT_DAYS * DAY)
    assert not rows(bureau, "euro-1")
    sent = Counter(mail.message_id for mail in bureau.postman.sent)
    assert max(sent.values()) == 1, "nothing is told twice"


def test_some_go_at_a_time(bureau: Bureau) -> None:
    """However much has piled up, as when an older program has never let anything go."""
    many, now = PAGE * PAGES + 1_000, bureau.clock.now()
    with bureau.store.transaction() as repository:
        job = ReminderJob(slot="gone")
        old = [post(f"old.{n}", address("anton"), job, now=now - 100 * DAY, game="imp-1") for n in range(many)]
        repository.post(replace(row, due=now - 100 * DAY) for row in old)
        for row in old:
            repository.put_away(row.id)
    bureau.restart()
    bureau.tick(DAY)
    assert len(rows(bureau, "old.")) == many - PAGE * PAGES
    bureau.tick()
    assert not rows(bureau, "old.")
