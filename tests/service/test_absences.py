"""Absences by mail: who is told, what the answer says, and which time does not count."""

from __future__ import annotations

from pbem.host.calendar.counting import Pause
from pbem.host.session.absences import Absence, absences, allowed
from pbem.host.session.acts import Away, Back, Done, Seated
from tests.service.bureau import DAY, HOUR, NAMES, Bureau, address
from tests.service.test_moderation import acts, told
from tests.service.test_petition_letters import letter_of


def done(*acts: tuple[int, Away | Back | Seated]) -> tuple[Done, ...]:
    return tuple(Done(seq=n, at=at, turn=1, act=act) for n, (at, act) in enumerate(acts))


def away(start: int, end: int, seat: str = "anton") -> Away:
    return Away(by=seat, start=start, end=end)


def test_a_newer_absence_a_return_and_a_substitute_end_an_older_one() -> None:
    assert absences(done((5, away(10, 90)), (20, away(50, 60)))) == (
        Absence(seat="anton", start=10, end=20),
        Absence(seat="anton", start=50, end=60),
    )
    assert absences(done((5, away(10, 90)), (7, Back(by="anton")))) == ()
    assert absences(done((5, away(10, 90)), (30, Seated(by="operator", seat="anton", person=7)))) == (
        Absence(seat="anton", start=10, end=30),
    )
    assert absences(done((50, away(10, 90)))) == (Absence(seat="anton", start=50, end=90),)  # nothing is retroactive


def test_what_does_not_count_is_limited_for_each_seat() -> None:
    course = done((0, away(0, 2 * DAY)), (3 * DAY, away(4 * DAY, 9 * DAY)), (3 * DAY, away(0, DAY * 9, "bert")))
    assert allowed(course, "anton", 3) == (Pause(start=0, end=2 * DAY), Pause(start=4 * DAY, end=5 * DAY))
    assert allowed(course, "anton", 1) == (Pause(start=0, end=DAY),)
    assert allowed(course, "anton", 0) == ()


def test_the_others_are_told_and_the_answer_says_what_goes_on(bureau: Bureau) -> None:
    bureau.write("bert", "zone Europe/Berlin")
    sent = bureau.write("bert", "standing peace\naway until tomorrow")
    assert bureau.outcomes("bert") == [("filed", None), ("set", None)]
    assert told(sent) == sorted({*NAMES} - {"bert"})
    assert "bert is away until" in letter_of(bureau, "emil", "is away").subject
    answer = " ".join(bureau.answers("bert")[-1].text.split())
    assert "the clock goes on" in answer
    assert "These standing orders of yours answer by themselves" in answer
    bureau.write("bert", "status")
    assert "You are away from" in " ".join(bureau.answers("bert")[-1].text.split())
    bureau.write("bert", "away none")
    assert [act["type"] for act in acts(bureau)] == ["away", "back"]
    assert "You are away" not in bureau.answers("bert")[-1].text


def test_reminders_and_the_deadline_move_with_the_absence(lots: None) -> None:
    bureau = Bureau()
    bureau.open(away_days=10)
    start = bureau.slot.started or 0
    bureau.clock.advance(HOUR)
    bureau.write("anton", "away until tomorrow")
    (end,) = (act["end"] for act in acts(bureau))
    assert bureau.slot.deadline == end + 23 * HOUR
    assert start + DAY < end + 23 * HOUR
    assert [mail for mail in bureau.at(start + 13 * HOUR) if "left" in mail.subject] == []
    reminded = bureau.at(end + 11 * HOUR + 60)
    assert [mail.to for mail in reminded] == [address("anton")]
    bureau.write("emil", "rules")
    assert "for 10 days at most in the whole game" in " ".join(bureau.answers("emil")[-1].text.split())


def test_an_absence_is_so_in_all_games_of_a_person(bureau: Bureau) -> None:
    other = bureau.server.new_game(bureau.terms(), [f"{name}={address(name)}" for name in NAMES[:3]])
    for name in NAMES[:3]:
        bureau.write(name, "join", subject=f"[{other.id}] you are invited")
    sent = bureau.write("claudia", "away until tomorrow")
    assert sorted({mail.to for mail in sent if f"[{other.id}" in mail.subject}) == [address(n) for n in NAMES[:2]]
    bureau.write("claudia", "away none", subject=f"[{other.id}] hello")
    assert [act["type"] for act in acts(bureau)] == ["away", "back"]


def test_a_preview_leaves_nobody_away(bureau: Bureau) -> None:
    bureau.write("anton", "preview\naustria: taxation\naway until tomorrow")
    assert bureau.outcomes("anton") == [("tried", None), ("tried", None)]
    assert acts(bureau) == []
