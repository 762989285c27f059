"""A bot that somebody writes to says in a sentence why it has played so, and nothing that is secret."""

from __future__ import annotations

import re
from functools import cache
from typing import Any

import pytest

from pbem.core.bot import LEVELS
from pbem.core.seat import Setup
from pbem.games import GAMES
from pbem.games.imperial.bots import BOTS, REASONING
from tests.conformance.fake_game import CLAIMS_GAME
from tests.service.bureau import HOUR, MINUTE, Bureau
from tests.service.test_lone_player import orders_of, words
from tests.service.test_moderation import acts
from tests.service.test_openings import ZOE, ask, office

LATER = 11 * MINUTE
ANSWERS = {
    "en": "a bot, answers: I played",
    "de": "ein Bot, antwortet: Ich habe",
    "it": "un bot, risponde: Ho giocato",
}


def lone(wish: str = "option bots=hard") -> Bureau:
    """A game of Zoe's against three bots, in which each has answered."""
    return _lone(wish).copy()


@cache
def _lone(wish: str) -> Bureau:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("pbem.core.chance.draw", lambda *_: 0)
        bureau = office("anyone")
        ask(bureau, ZOE, f"new game players 4 bots 3 {wish}")
        for _ in range(3):
            bureau.write(ZOE, orders_of(bureau, "zoe"), subject="[imp-1]")
    assert {act["seat"] for act in acts(bureau) if act["type"] == "bot_seated"} == {"bot1", "bot2", "bot3"}
    return bureau


def said(bureau: Bureau, text: str) -> str:
    """What somebody's letter is answered with."""
    (letter,) = bureau.write(ZOE, text, subject="[imp-1]")
    return words(letter)


def last_order(bureau: Bureau, seat: str) -> dict[str, Any]:
    """What a bot has answered last in a turn that is over."""
    answers = [entry["answers"][0] for entry in bureau.entries if entry["cause"]["kind"] == "bot"]
    found: dict[str, Any] = [each for each in answers if each["seat"] == seat][-1]
    return found


def test_a_bot_that_thinks_ahead_tells_what_it_weighed(lots: None) -> None:
    public = lone()
    told = said(public, "press to bot1: Why did you do that?")
    assert "bot1, a bot, answers: I played “" in told
    assert re.search(r"(ahead of|behind|level with) the best of the others; next best was “", told)
    assert "sent" in told
    assert said(public, "press to bot1: And once more?").count("a bot, answers") == 1


def test_it_thinks_what_it_thought_then(lots: None, monkeypatch: pytest.MonkeyPatch) -> None:
    """The figures are those that its answer was chosen by: it finds that answer best again."""
    found: list[tuple[Any, Any]] = []

    def reason(game: Any, state: Any, decision: Any, order: Any, pick: Any) -> Any:
        found.append((order, BOTS["hard"](game, state, decision, pick)))
        return REASONING["fair"](game, state, decision, order, pick)

    public = lone()
    monkeypatch.setitem(REASONING, "hard", reason)  # type: ignore[arg-type]
    for bot in ("bot1", "bot2", "bot3"):
        said(public, f"press to {bot}: Why?")
    assert len(found) == 3
    assert all(then == now for then, now in found)


@pytest.mark.parametrize("level", LEVELS)
def test_every_level_has_its_reasons_in_every_language(lots: None, level: str) -> None:
    public = lone(f"option bots={level}")
    for language, answers in ANSWERS.items():
        public.write(ZOE, f"language {language}", subject="[imp-1]")
        assert answers in said(public, "press to bot2: Why?")


def test_where_cash_is_secret_there_are_no_figures(lots: None) -> None:
    public = lone("option bots=hard option cash=secret")
    told = said(public, "press to bot1: Why?").partition("a bot, answers:")[2].partition(".")[0]
    assert "nothing else promised me more; figures would tell what I hold in secret" in told
    assert "points" not in told


@pytest.mark.slow
def test_press_to_several_or_to_players_has_no_answer(lots: None) -> None:
    public = lone()
    assert "a bot, answers" not in said(public, "press to bot1, bot2: Why?")
    assert "a bot, answers" not in said(public, "press to all: Why?")
    assert said(public, "press to bot1: Why?\nend press\npress to bot2: And you?").count("a bot, answers") == 1


def test_the_bot_of_somebody_silent_answers_and_they_read_it_too(bureau: Bureau) -> None:
    bureau.server.app.moderate("imp-1", ["bot anton: he is ill"])
    bureau.tick()
    sent = bureau.write("bert", "press to anton: Are you there?")
    assert sorted(mail.to.partition("@")[0] for mail in sent) == ["anton", "bert"]
    assert "anton, a bot, answers: I have answered nothing yet" in words(bureau.answers("bert")[-1])
    bureau.tick(LATER)
    bureau.write("bert", "press to anton: Why?")
    assert "anton, a bot, answers: I played “" in words(bureau.answers("bert")[-1])
    bureau.server.app.moderate("imp-1", ["no bot anton: he is back"])
    bureau.write("bert", "press to anton: Why?")
    assert "a bot, answers" not in words(bureau.answers("bert")[-1])


def test_how_often_it_is_asked_is_limited_as_press_is(lots: None) -> None:
    public = lone("option bots=fair")
    answers = [said(public, f"press to bot1: Why, {number}?") for number in range(21)]
    assert all("a bot, answers" in told for told in answers[:20])
    assert "a bot, answers" not in answers[20]


# -- a game of its own ---


def test_what_is_told_is_the_games(monkeypatch: pytest.MonkeyPatch) -> None:
    """With the whims that it had; where it has no reasons for a bot of that level, that is said."""
    monkeypatch.setitem(GAMES, CLAIMS_GAME.id, CLAIMS_GAME)  # type: ignore[attr-defined]
    for level, told in (("yes", "I rested, for there was nowhere left to dig."), ("hard", "I play by rules of thumb")):
        desk = Bureau()
        desk.open(3, setup=Setup(game="claims"), bots=level)
        who = str(desk.document["awaiting"][0]["seat"])
        other = next(seat for seat in ("anton", "bert") if seat != who)
        desk.server.app.moderate("imp-1", [f"bot {who}: a trial"])
        while str(desk.document["awaiting"][0]["seat"]) == who:
            desk.write(other, f"press to {who}: Why?")
            assert "I have answered nothing yet" in words(desk.answers(other)[-1])
            desk.tick(HOUR)
        desk.write(other, f"press to {who}: Why?")
        assert told in words(desk.answers(other)[-1])
