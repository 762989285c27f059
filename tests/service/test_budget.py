"""How much mail a person may bring about: in one letter, in a day, and to people who have never written to us."""

from __future__ import annotations

import random
from itertools import pairwise

import pytest

from pbem.host.ports import Mail
from pbem.host.session.budget import APPROACHES, FURTHER, LETTERS, TOLD, TOLD_A_DAY, WORDS, check_letters, welcome
from pbem.mail.rate_limit import IDLE_A_DAY, MISREAD
from tests.service.bureau import DAY, HOUR, NAMES, OPERATOR, Bureau, address

STRANGERS = [f"victim{n}@bank.test" for n in range(30)]


def codes(bureau: Bureau, who: str) -> set[str | None]:
    return {code for _, code in bureau.outcomes(who)}


def others(sent: list[Mail]) -> list[Mail]:
    """Without a turn's reports, and press."""
    return [mail for mail in sent if not any(kind in mail.message_id for kind in (".report.", ".question.", ".press."))]


def to_strangers(bureau: Bureau) -> list[str]:
    return [mail.to for mail in bureau.postman.sent if mail.to in STRANGERS]


@pytest.mark.parametrize(
    "lines",
    [
        [f"away from {n % 28 + 1}.12.2027 to {n % 28 + 1}.1.2028" for n in range(100)],
        [f"away from 1.12.2027 to 1.1.2028 deputy {stranger}" for stranger in STRANGERS],
        [f"petition abort\nend petition\nwithdraw P-{n}" for n in range(1, 60)],
        [f"petition replace bert by {stranger}: gone\nend petition" for stranger in STRANGERS],
        [f"address {stranger}" for stranger in STRANGERS],
        ["interpret anton 1: so\nend interpretation"] * 40,
    ],
)
def test_no_letter_makes_many(bureau: Bureau, lines: list[str]) -> None:
    sent = bureau.write("anton", "\n".join(lines))
    assert address("anton") in [mail.to for mail in sent if mail.answers]
    assert len(others(sent)) <= LETTERS
    assert sum(len(mail.text.encode()) for mail in others(sent) if not mail.answers) < 64 * 1024
    assert len(to_strangers(bureau)) <= TOLD or "address" in lines[0]


def test_the_last_absence_of_a_letter_counts(bureau: Bureau) -> None:
    bureau.write("anton", "away 1.12.2027 to 3.12.2027\naway 5.12.2027 to 9.12.2027\naustria: taxation")
    assert bureau.outcomes("anton") == [("refused", "away.again"), ("set", None), ("played", None)]


def test_a_day_has_an_end_of_what_one_tells_to_all_and_the_next_begins_anew(bureau: Bureau) -> None:
    for number in range(TOLD_A_DAY + 3):
        bureau.write("anton", f"away {number + 1}.12.2027 to 31.12.2027")
    assert codes(bureau, "anton") == {"told.day"}
    assert "within a day" in bureau.answers("anton")[-1].text
    bureau.tick(after=DAY)
    bureau.write("anton", "away 3.12.2027 to 31.12.2027")
    assert bureau.outcomes("anton") == [("set", None)]


@pytest.mark.slow
def test_strangers_get_few_letters_on_random_days(bureau: Bureau) -> None:
    dice = random.Random(7)
    written: dict[str, list[int]] = {}
    by_day: list[int] = []
    forms = ("address {}", "away 1.12.2027 to 1.1.2028 deputy {}", "petition replace bert by {}: gone\nend petition")
    for _ in range(8):
        began = bureau.clock.now()
        before = len(to_strangers(bureau))
        for _ in range(5):
            names = dice.sample(STRANGERS[:8], 3)
            bureau.write("anton", "\n".join(dice.choice(forms).format(name) for name in names))
        for stranger in to_strangers(bureau)[before:]:
            written.setdefault(stranger, []).append(began)
        by_day.append(len(to_strangers(bureau)) - before)
        bureau.tick(after=dice.choice((DAY, 2 * DAY, 30 * HOUR)))
    assert max(by_day) <= APPROACHES
    assert written
    assert all(after - at >= 6 * DAY for days in written.values() for at, after in pairwise(days))


def test_a_no_is_remembered_till_they_write_themselves(bureau: Bureau) -> None:
    bureau.write("anton", f"away 1.12.2027 to 1.1.2028 deputy {STRANGERS[0]}")
    assert to_strangers(bureau) == STRANGERS[:1]
    asked = next(mail for mail in bureau.postman.sent if mail.to == STRANGERS[0])
    bureau.write(STRANGERS[0], "no", to=asked.reply_to or "")
    for _ in range(3):
        bureau.tick(after=8 * DAY)
        before = len(to_strangers(bureau))
        bureau.write("bert", f"petition replace anton by {STRANGERS[0]}: gone")
        assert codes(bureau, "bert") == {"approach.not_now"}
        assert len(to_strangers(bureau)) == before
    with pytest.raises(ValueError, match="wants no mail"):
        bureau.server.new_game(bureau.terms(), [STRANGERS[0], address("gerda")])
    with bureau.store.transaction() as repository:
        welcome(repository, STRANGERS[0])
    bureau.server.new_game(bureau.terms(), [STRANGERS[0], address("gerda")])


def test_a_no_to_a_seat_is_remembered_though_the_letter_proved_whose_it_is(bureau: Bureau) -> None:
    bureau.write("anton", f"petition replace bert by {STRANGERS[0]}: gone")
    asked = next(mail for mail in bureau.postman.sent if mail.to == STRANGERS[0])
    (told,) = (mail for mail in bureau.write(STRANGERS[0], "no", to=asked.reply_to or "") if mail.to == STRANGERS[0])
    assert "will not give you a seat" in told.text
    bureau.tick(after=8 * DAY)
    bureau.write("claudia", f"away 1.12.2027 to 1.1.2028 deputy {STRANGERS[0]}")
    assert codes(bureau, "claudia") == {"approach.not_now"}


def test_a_machine_without_signs_is_not_answered_for_ever(bureau: Bureau) -> None:
    """It has a ticket: it answers what we answer."""
    letters = [bureau.write("bert", f"I am on holiday until May, number {n}") for n in range(40)]
    rounds = [sum(mail.to == address("bert") for mail in sent) for sent in letters]
    assert rounds == [1] * IDLE_A_DAY[MISREAD] + [0] * (40 - IDLE_A_DAY[MISREAD])
    assert "last answer within a day" in bureau.answers("bert")[-1].text
    assert bureau.write("anton", "austria: taxation")
    bureau.write("bert", "board")
    assert bureau.replies("bert")[-1].told


def test_ordinary_heavy_use_meets_no_limit(bureau: Bureau) -> None:
    maneuver = "\n".join(["austria: maneuver", *["  A vienna - budapest"] * 60])
    bureau.write("anton", f"preview\n{maneuver}")
    assert "letter.long" not in codes(bureau, "anton")
    orders = [f"advance {nation}: investor" for nation in ("austria", "italy", "france", "britain")] * 20
    bureau.write("anton", "\n".join([*orders, "status", "board", "history", "rules", "clock", "petitions"]))
    assert "letter.long" not in codes(bureau, "anton")
    bureau.write(OPERATOR, "status")  # the answer holds the operator's token
    long = "; ".join(f"treasury italy {n}" for n in range(60))
    assert len(others(bureau.write(OPERATOR, f"correct {long}: counted again"))) == len(NAMES) + 1
    for number in range(30):
        bureau.server.new_game(bureau.terms(), [f"p{number}.{n}@new.test" for n in range(6)])


def test_what_would_be_too_much_mail_is_not_done(bureau: Bureau, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pbem.mail.inbox.LETTERS", 3)
    before = len(bureau.entries)
    (mail,) = bureau.write("anton", "petition abort")
    assert "One letter may bring about 3 letters" in " ".join(mail.text.split())
    assert (bureau.replies("anton")[-1].problem, len(bureau.entries)) == ("letter.much", before)
    check_letters([], 0)


def test_a_letter_has_so_many_answers(bureau: Bureau) -> None:
    bureau.write(
        "anton", "\n".join(f"help {word}" for word in ("import", "press", "status", "clock") for _ in range(5))
    )
    assert codes(bureau, "anton") == {None}
    bureau.write("anton", "\n".join(["board", "rules", "clock", *(f"history {n}" for n in range(1, 99))]))
    assert len(bureau.replies("anton")[-1].told) <= 14


def test_a_leader_does_so_many_things_in_one_letter(bureau: Bureau) -> None:
    bureau.write(OPERATOR, "status")
    before = len(bureau.entries)
    bureau.write(OPERATOR, "\n".join(["pause 2 days: a storm", "resume: it is over"] * 11))
    assert {code for _, code in bureau.outcomes(OPERATOR)} == {None, "power.too_many"}
    assert len(bureau.entries) == before


LONG = "I am tired of it. " * 200


@pytest.mark.parametrize(
    ("who", "code", "lines"),
    [
        ("anton", "petition.too_long", ["petition abort", "{}"]),
        ("anton", "petition.too_long", ["petition clarify {}"]),
        ("anton", "petition.too_long", ["petition abort", "so it is", "end petition", "petition clarify {}"]),
        ("anton", "petition.too_long", ["away 1.12.2027 to 3.12.2027", "petition abort", "{}"]),
        (OPERATOR, "press.too_long", ["announce: {}"]),
        (OPERATOR, "press.too_long", ["pause 2 days: {}"]),
        (OPERATOR, "press.too_long", ["pause 2 days: a storm", "announce: {}"]),
    ],
)
def test_what_one_letter_tells_all_has_a_length(bureau: Bureau, who: str, code: str, lines: list[str]) -> None:
    bureau.write(OPERATOR, "status")
    further = FURTHER if who == "anton" and "{}" not in lines[0] and len(lines) > 2 else 0
    for text, told in ((LONG[: WORDS - 50 - further], None), (LONG, code), ("ä" * WORDS, code), ("&<" * 400, code)):
        tried = bureau.copy()
        sent = others(tried.write(who, "\n".join(lines).format(text)))
        assert sum(len(mail.text.encode()) + len((mail.html or "").encode()) for mail in sent) < 80 * 1024
        assert told in codes(tried, who)
        answer = next(mail.text for mail in sent if mail.answers)
        assert (f"up to {WORDS} characters long" in " ".join(answer.split())) is bool(told)


def test_a_remark_is_as_short(bureau: Bureau) -> None:
    bureau.write("anton", f"interpret bert 1: {LONG}")
    assert codes(bureau, "anton") == {"petition.too_long"}
    bureau.write("anton", f"object R-1: {LONG}")
    assert codes(bureau, "anton") == {"petition.too_long"}
