"""What players are told of the clock before the game, and of somebody who was late."""

from __future__ import annotations

from typing import Any

import pytest

from pbem.core.seat import Setup
from tests.service.bureau import DAY, HOUR, Bureau


def words(text: str) -> str:
    return " ".join(text.split())


@pytest.mark.parametrize(
    ("terms", "told"),
    [
        ({}, "When the time runs out, what you have on file is played, otherwise your turn is skipped, and the game goes on."),
        ({"grace_hours": 6}, "When the time runs out, all are told, and 6 hours later what you have on file is played"),
        ({"policy": "on_request"}, "an answer is still good, until another player ends the wait. Then what you have on file"),
        ({"policy": "on_request", "grace_hours": 6}, "until another player ends the wait, which can be done 6 hours later."),
        ({"policy": "lenient"}, "When the time runs out, all are told, and the game waits."),
    ],
)  # fmt: skip
def test_an_invitation_tells_who_ends_a_turn(terms: dict[str, Any], told: str) -> None:
    bureau = Bureau()
    bureau.invite(3, **terms)
    bureau.tick()
    assert told in words(bureau.postman.to("anton@players.test")[-1].text)


def test_a_report_tells_what_a_late_turn_has_cost_and_who_saw_it() -> None:
    bureau = Bureau()
    bureau.open(3, policy="on_request", setup=Setup(options={"lateness": "fee"}))
    late, other, third = _late_first(bureau)
    bureau.tick(2 * DAY + HOUR)
    bureau.write(other, f"rollout {late}")
    report = words(bureau.postman.to(f"{third}@players.test")[-1].text)
    assert f"{late} pays the bank 2m, because the turn of Austria-Hungary came late." in report
    assert f"Rolled out by {other}" in report
    assert f"; witness: {third}." in report


def test_who_can_no_longer_pay_is_told_of_the_fee() -> None:
    bureau = Bureau()
    bureau.open(3, policy="on_request", setup=Setup(options={"lateness": "fee"}))
    bureau.given("rondel austria_hungary investor", f"cash {_late_first(bureau)[0]} 4")
    bureau.tick(DAY + HOUR)
    late = _late_first(bureau)[0]
    told = bureau.postman.to(f"{late}@players.test")[-1].text.lower()
    assert ("taxation" in told, "factory" in told) == (True, False), "the fee leaves too little for it"
    bureau.write(late, "austria: factory trieste")
    answer = words(bureau.answers(_late_first(bureau)[0])[-1].text)
    assert "you have 3m once 1m is paid for being late" in answer


def _late_first(bureau: Bureau) -> tuple[str, str, str]:
    """The player who is awaited, the one after the next, and the next."""
    seats = ["anton", "bert", "claudia"]
    ((first, *_), *_) = bureau.awaited
    place = seats.index(first)
    return first, seats[place - 1], seats[(place + 1) % 3]
