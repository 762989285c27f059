"""What happens together is told together, and once: to each reader one letter about a game.

Random courses of a whole server: players order, give, vote and go away, moderators hold, rewind and rule, time ends.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, example, given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from pbem.adapters.store.schema import outbox
from pbem.host.clock.timing import is_petition
from pbem.host.messages.rows import corrects, jobs_of, read_job
from pbem.host.ports import Mail, Member, OutboxRow
from pbem.host.session.absences import held
from tests.service.bureau import DAY, HOUR, MINUTE, NAMES, Bureau, address, prefix
from tests.service.test_petition_letters import answer, letter_of

MODERATOR = "zoe@players.test"
NEW = "nina@players.test"
COURSES = 3

MOVES = ("taxation", "investor", "production_1", "maneuver_1: none", "import 2 A", "taxation\ngive {nation} 1")
WORDS = (
    "give austria 1",
    "petition suspend 30h because of snow",
    "petition clarify Fleets: they float",
    "petition finish",
    "petition change time\nSET slot_hours = 48\nend petition",
    "for P-1",
    "for P-2",
    "against P-1",
    "abstain P-1",
    "press to all: well then",
    "status",
    "away until tomorrow",
    "away none",
    "object R-1: no",
    "no idea what to write",
)
POWERS = (
    "pause 2 days: the server moves",
    "resume: go on",
    "announce: snow",
    "rewind to turn 1: so",
    "roll forward: so",
    "close turn 1: he sleeps",
    "extend anton 12h: ill",
    "correct treasury italy 17: so",
    "bot bert: so",
    "pause: till I say so\nresume: now",
)
moves = st.tuples(st.just("move"), st.sampled_from(MOVES))
steps = st.one_of(
    moves,
    moves,
    st.tuples(st.just("write"), st.sampled_from(NAMES), st.sampled_from(WORDS)),
    st.tuples(st.just("write"), st.just("zoe"), st.sampled_from(POWERS)),
    st.tuples(st.just("pass"), st.sampled_from([HOUR, 13 * HOUR, DAY, 2 * DAY])),
)


def is_apart(mail: Mail) -> bool:
    """Has it an hour or a thread of its own?"""
    return bool(re.search(r"\.(reminder|press|stead|deputy|digest|overdue|tally)\.", mail.message_id))


def check_round(sent: Sequence[Mail]) -> None:
    """Of one letter, or one awakening of the clock."""
    readers = Counter(mail.to for mail in sent if mail.game and not is_apart(mail))
    assert not [*filter(lambda each: each[1] > 1, readers.items())], [(m.to, m.subject) for m in sent]
    for mail in sent:
        open_ = {*re.findall(r"^    for (P-\d+)$", mail.text, re.MULTILINE)}
        over = {*re.findall(r"Petition (P-\d+) has (?:passed|failed)", mail.text)}
        assert not open_ & over, mail.text
        deadlines = re.findall(r"^Please answer by (.*)\.$", mail.text, re.MULTILINE)
        assert len({*deadlines}) == len(deadlines), mail.text


def check_course(bureau: Bureau, rewound: bool) -> None:
    """No turn and no decision was told to anybody in two letters; each open question was asked once."""
    for who in {*map(address, NAMES), MODERATOR}:
        mails = [mail for mail in bureau.postman.to(who) if "Corrected deadline" not in mail.subject]
        turns = Counter(turn for mail in mails for turn in {*re.findall(r" · R-(\d+)$", mail.text, re.MULTILINE)})
        assert rewound or not [*filter(lambda each: each[1] > 1, turns.items())], who
        ended = Counter(one for mail in mails for one in re.findall(r"^Petition (P-\d+) has", mail.text, re.MULTILINE))
        assert all(count == 1 for count in ended.values()), who
    assert not [mail.text for mail in bureau.alarms if "fault of ours" in mail.text]
    with bureau.server.games.work() as desk:
        bots = desk.session(desk.game("imp-1")).position.done
    asked = Counter(
        key for row in sent_rows(bureau) for job in jobs_of(read_job(row)) for key in getattr(job, "starts", ())
    )
    for slot in bureau.slots:
        if not is_petition(slot) and slot.seat not in held(bots):
            assert asked[slot.key] == 1 or rewound, slot


def sent_rows(bureau: Bureau) -> list[OutboxRow]:
    sent = {row.id for row in bureau.store.rows(outbox).values() if row.state == "sent"}
    return [row for row in bureau.store.posted() if row.id in sent and not corrects(read_job(row))]


@pytest.fixture(scope="module")
def ready(opened: Bureau) -> Bureau:
    made = opened.copy()
    with made.server.games.work() as desk:
        zoe = desk.repository.add_person("Zoe", MODERATOR, 0)
        desk.repository.save_game(replace(desk.game("imp-1"), moderators=(Member(person=zoe, seat="", told=0),)))
    return made


def do(bureau: Bureau, step: tuple[Any, ...]) -> list[Mail]:
    match step:
        case ("move", text) if bureau.game.status == "running" and bureau.awaited:
            seat, _, nation = bureau.awaited[0]
            return bureau.write(seat, f"{nation}: {text.format(nation=nation)}", subject="Re: [imp-1] your turn")
        case ("write", who, text):
            return bureau.write(who if who in NAMES else MODERATOR, text, subject="Re: [imp-1] well")
        case ("pass", seconds):
            return bureau.tick(seconds)
        case _:
            return []


@settings(
    max_examples=COURSES,
    phases=(Phase.explicit, Phase.generate),
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(course=st.lists(steps, min_size=4, max_size=12))
@example(course=[("move", "taxation\ngive {nation} 1"), ("move", "taxation"), ("write", "zoe", "rewind to turn 1: so")])
def test_each_reader_gets_one_letter(ready: Bureau, course: list[tuple[Any, ...]]) -> None:
    bureau = ready.copy()
    for step in course:
        check_round(do(bureau, step))
    check_course(bureau, any("rewind" in str(step) for step in course))


# -- one by one ---


def test_the_answer_to_an_order_is_its_report_too(bureau: Bureau) -> None:
    """P4 of those who played: with what else the letter did, and the next question to its writer."""
    sent = bureau.write("anton", "austria: taxation\ngive italy 1", subject="Re: [imp-1] your turn", id_="<1@a.test>")
    assert sorted(prefix(sent)) == sorted(NAMES)
    (own,) = [mail for mail in sent if mail.to == address("anton")]
    assert own.answers
    assert own.in_reply_to == "<1@a.test>"
    assert own.subject.startswith("Re: [imp-1")
    assert "austria: taxation\n  played" in own.text
    assert "· R-1" in own.text
    assert own.text.count("anton gives 1m in cash to the treasury of Italy") == 1


def test_the_last_to_join_gets_one_letter(desk: Bureau) -> None:
    desk.invite()
    desk.tick()
    for name in NAMES[:5]:
        desk.write(name, "join", subject="[imp-1] you are invited")
    sent = desk.write("fritz", "join", subject="[imp-1] you are invited")
    assert sorted(prefix(sent)) == sorted(NAMES)
    (own,) = [mail for mail in sent if mail.to == address("fritz")]
    assert own.answers
    assert "Welcome!" in own.text
    assert "WHAT HAPPENED" in own.text


def test_a_petition_that_passes_is_told_with_the_pause_that_it_brings(bureau: Bureau) -> None:
    bureau.write("anton", "petition suspend 30h because of snow")
    for who in ("bert", "claudia"):
        bureau.write(who, "for P-1")
    sent = bureau.write("daniel", "for P-1")
    assert sorted(prefix(sent)) == sorted(NAMES)
    for mail in sent:
        assert "Petition P-1 has passed" in mail.text
        assert "Time does not count from" in mail.text


def test_a_petition_carries_the_question_of_whoever_is_asked(bureau: Bureau) -> None:
    sent = bureau.write("bert", "petition clarify Fleets: they float")
    (own,) = [mail for mail in sent if mail.to == address("anton")]
    assert "Open to Austria-Hungary" in own.text
    assert "    for P-1" in own.text


def test_who_takes_a_seat_is_thanked_and_told_all_in_one_letter(bureau: Bureau) -> None:
    bureau.write("anton", f"petition replace bert by {NEW}")
    for who in ("claudia", "daniel", "emil"):
        bureau.write(who, "for P-1")
    bureau.tick(DAY + MINUTE)
    sent = answer(bureau, NEW, letter_of(bureau, NEW, "bert"), "accept")
    (own,) = [mail for mail in sent if mail.to == NEW]
    assert own.answers
    assert "The seat of bert is yours from now on" in " ".join(own.text.split())
    assert "THE NATIONS" in own.text
    answer(bureau, NEW, own, "advance italy: taxation")
    assert bureau.outcomes(NEW) == [("filed", None)]


def test_what_happens_within_a_minute_waits_for_one_letter(bureau: Bureau) -> None:
    bureau.gather_seconds = 60
    bureau.restart()
    assert prefix(bureau.write("anton", "austria: taxation")) == ["anton"]
    bureau.clock.advance(30)
    assert prefix(bureau.write("claudia", "petition clarify Fleets: they float")) == ["claudia"]
    assert bureau.tick(29) == []
    sent = bureau.tick(1)
    assert sorted(prefix(sent)) == sorted({*NAMES} - {"anton", "claudia"})
    for mail in sent:
        assert "· R-1" in mail.text
        assert "Fleets" in mail.text
    assert prefix(bureau.tick(30)) == ["anton"]
    assert bureau.tick(MINUTE) == []
    assert bureau.slot.started is not None
