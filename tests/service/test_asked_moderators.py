"""What a game asks of the moderator: who gets the letter, what stands still, and how it goes on."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from pbem.core.decision import MODERATOR
from pbem.core.seat import Setup
from pbem.games import GAMES
from tests.service.bureau import HOUR, Bureau
from tests.service.test_moderation import MODERATOR as ZOE
from tests.service.test_moderation import appoint

GIVEN = (
    "turn 5",
    "slot anton",
    "capital anton C3",
    "capital bert J3",
    "goods anton C3 5 oil, 5 chemicals, 20 food",
    "goods bert J3 5 oil, 5 chemicals, 20 food",
    "unit bert INF1 E4",
    "unit anton INF2 D4",
    "unit anton INF3 D4",
)


@pytest.fixture
def bureau(monkeypatch: pytest.MonkeyPatch) -> Bureau:
    monkeypatch.setitem(GAMES, "empire", replace(GAMES["empire"], tag="imp"))  # type: ignore[attr-defined]
    return Bureau()


def table(bureau: Bureau, *, led_by: str = ZOE) -> Bureau:
    """A game of Empire in which the moderator reads the dice of battles on land; it is anton's slot."""
    setup = Setup(game="empire", setup="bare", board="training", options={"land_crt": "referee"})
    bureau.open(2, setup=setup)
    if led_by:
        appoint(bureau, led_by)
    bureau.given(*GIVEN)
    return bureau


def asked(bureau: Bureau) -> list[str]:
    return [each["seat"] for each in bureau.document["awaiting"]]


def deadline(bureau: Bureau) -> int | None:
    return next(slot.deadline for slot in bureau.slots if slot.seat == "anton")


def test_the_moderator_is_mailed_the_question_and_the_slot_goes_on_with_the_answer(bureau: Bureau) -> None:
    table(bureau)
    before = deadline(bureau)
    assert before is not None
    sent = bureau.write("anton", "attack E4 with INF2, INF3")
    (letter,) = [mail for mail in sent if mail.to == ZOE]
    assert "INF2 and INF3 attack INF1 at E4 at 2-1" in " ".join(letter.text.split())
    assert all(f"ruling {choice}" in letter.text for choice in ("AE", "AR", "EX", "DR", "DE"))
    assert asked(bureau) == [MODERATOR, "anton"]
    assert deadline(bureau) is None
    bureau.tick(48 * HOUR)
    assert asked(bureau) == [MODERATOR, "anton"]
    bureau.write(ZOE, "ruling stays")
    assert bureau.outcomes(ZOE) == [("refused", "ruling.choice")]
    (told,) = [mail for mail in bureau.write(ZOE, "ruling DE") if mail.to == "anton@players.test"]
    assert "The moderator rules on E4: defenders eliminated." in told.text
    assert "Your slot 5." in told.subject
    assert bureau.outcomes(ZOE) == [("done", None)]
    assert asked(bureau) == ["anton"]
    assert bureau.document["units"].keys() == {"INF2", "INF3"}
    after = deadline(bureau)
    assert after is not None
    assert 48 * HOUR <= after - before < 49 * HOUR
    bureau.write("anton", "rollout")
    assert asked(bureau) == ["bert"]
    assert bureau.server.app.verify("imp-1").honest


def test_orders_are_refused_while_one_hangs(bureau: Bureau) -> None:
    table(bureau)
    bureau.write("anton", "attack E4 with INF2, INF3\nrollout")
    assert bureau.outcomes("anton") == [("played", None), ("refused", "order.not_awaited")]
    assert "The moderator is asked first, about E4" in " ".join(bureau.answers("anton")[-1].text.split())


def test_where_nobody_moderates_the_operator_is_asked(bureau: Bureau) -> None:
    table(bureau, led_by="")
    bureau.write("anton", "attack E4 with INF2, INF3")
    assert "waits for a ruling" in bureau.alarms[-1].text
    assert "ruling DE" in bureau.alarms[-1].text
    bureau.server.app.moderate("imp-1", ["ruling AE"])
    assert asked(bureau) == ["anton"]
    assert bureau.document["units"].keys() == {"INF1"}


def test_a_party_does_not_rule(bureau: Bureau) -> None:
    table(bureau, led_by="bert@players.test")
    bureau.write("anton", "attack E4 with INF2, INF3")
    assert "waits for a ruling" in bureau.alarms[-1].text
    bureau.write("bert", "moderator\nruling AE")
    assert bureau.outcomes("bert") == [("refused", "power.own_cause")]
    assert asked(bureau) == [MODERATOR, "anton"]


@pytest.mark.parametrize("word", ["Entscheid DE", "decisione DE", "RULING de"])
def test_a_ruling_in_other_words(bureau: Bureau, word: str) -> None:
    table(bureau)
    bureau.write("anton", "attack E4 with INF2, INF3")
    bureau.write(ZOE, word)
    assert asked(bureau) == ["anton"]
