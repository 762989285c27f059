"""Letters that prove nothing: few are answered, and little is said; players do not notice."""

from __future__ import annotations

from pbem.adapters.composing import Sender, compose
from pbem.service.floods import A_DAY, AN_HOUR
from pbem.service.ports import Mail
from tests.service.bureau import DAY, HOST, HOUR, OPERATOR, Bureau, address

IMPORT = "austria: import A lemberg"


def answers(mails: list[Mail]) -> list[str]:
    return [mail.to for mail in mails if mail.to != OPERATOR]


def test_one_stranger_is_answered_a_few_times_a_day(bureau: Bureau) -> None:
    sent = [mail for _ in range(20) for mail in bureau.write("eve@home.test", "hello", to=HOST)]
    assert answers(sent) == ["eve@home.test"] * A_DAY
    assert [mail.to for mail in bureau.alarms] == [OPERATOR]
    bureau.clock.advance(DAY)
    assert answers(bureau.write("eve@home.test", "hello", to=HOST)) == ["eve@home.test"]


def test_many_strangers_together_are_answered_some_times_an_hour(bureau: Bureau) -> None:
    for number in range(100):
        bureau.drop(f"eve{number}@home.test", "hello", to=HOST, subject="hello")
    assert len(answers(bureau.tick())) == AN_HOUR
    sent = bureau.write("anton", IMPORT)
    assert address("anton") in answers(sent)
    assert bureau.document["nations"]["austria_hungary"]["armies"] == {"lemberg": 1}
    assert answers(bureau.write("berta@home.test", "hello", to=HOST)) == []
    bureau.clock.advance(HOUR)
    assert answers(bureau.write("berta@home.test", "hello", to=HOST)) == ["berta@home.test"]


def test_letters_that_wait_for_days_are_counted_by_when_they_were_filed(bureau: Bureau) -> None:
    start = bureau.clock.now()
    for day in range(4):
        for _ in range(10):
            bureau.drop("eve@home.test", "hello", to=HOST, arrived=start + day * (DAY + HOUR))
    bureau.clock.advance(5 * DAY)
    assert len([to for to in answers(bureau.tick()) if to == "eve@home.test"]) == 4 * A_DAY


def test_nobody_can_have_a_player_flooded_by_writing_in_his_name(bureau: Bureau) -> None:
    sent = [mail for _ in range(20) for mail in bureau.write("anton", "hello", to=HOST)]
    assert answers(sent) == [address("anton")] * A_DAY
    assert answers(bureau.write("anton", "show")) == [address("anton")]


def test_a_machine_without_any_sign_is_soon_left_alone(bureau: Bureau) -> None:
    """It answers each of our letters at once, under our own subject, and hides what it is."""
    mails = bureau.write("robot@home.test", "hello", to=HOST, subject="hello")
    said = 0
    while (mail := next((each for each in mails if each.to == "robot@home.test"), None)) and said < 50:
        said += 1
        mails = bureau.write("robot@home.test", "I am away", to=HOST, subject=f"Re: {mail.subject}")
    assert said == A_DAY


def test_a_stranger_is_told_little_more_than_he_wrote(bureau: Bureau) -> None:
    """Measured in bytes on the wire, against letters as mail programs write them."""
    for text in ("hello", "x" * 5_000):
        raw = bureau.letter("eve@home.test", text, to=HOST, subject="hello", User_Agent="x" * 200, X_Trace="y" * 300)
        bureau.mailbox.add(raw, bureau.clock.now())
        (mail,) = bureau.tick()
        assert mail.html is None
        assert len(bytes(compose(mail, Sender(address=HOST), 0))) <= 2 * len(raw)
