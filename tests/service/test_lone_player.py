"""Somebody plays against bots alone: begun by mail or at the server, and played by mail."""

from __future__ import annotations

from typing import Any

import pytest

from pbem.core.bot import LEVELS
from pbem.core.seat import Seat, Setup
from pbem.games.imperial.bots import BOTS
from pbem.host.ports import Mail
from pbem.host.session.terms import Terms, terms_of, with_bots
from tests.service.bureau import DAY, MINUTE, Bureau
from tests.service.test_arrivals import public  # noqa: F401
from tests.service.test_moderation import acts, check_record
from tests.service.test_openings import ZOE, answer_to, ask

LATER = 11 * MINUTE


def words(mail: Mail) -> str:
    return " ".join(mail.text.split())


def play_on(bureau: Bureau, who: str, rounds: int) -> list[Mail]:
    """The player answers when asked, and the bots in their time; what was sent."""
    sent: list[Mail] = []
    for _ in range(rounds):
        orders = orders_of(bureau, who)
        sent += bureau.write(ZOE, orders, subject="[imp-1]") if orders else bureau.tick(LATER)
    return sent


def orders_of(bureau: Bureau, who: str) -> str:
    with bureau.server.games.work() as desk:
        session = desk.session(desk.game("imp-1"))
        rules: Any = session.rules
        mine = [decision for decision in session.pending() if decision.seat == who]
        orders = [rules.notation.write(BOTS["fair"](rules, session.state, each, lambda _: 0)) for each in mine]
    return "\n".join(orders)


def answered(bureau: Bureau) -> list[str]:
    """For whom bots have answered."""
    return [entry["answers"][0]["seat"] for entry in bureau.entries if entry["cause"]["kind"] == "bot"]


@pytest.mark.slow
def test_a_game_against_three_hard_bots_begins_at_once(public: Bureau) -> None:  # noqa: F811
    sent = ask(public, ZOE, "new game players 4 bots 3 option bots=hard")
    assert public.game.status == "running"
    assert {act["seat"] for act in acts(public) if act["type"] == "bot_seated"} == {"bot1", "bot2", "bot3"}
    assert {mail.to for mail in sent} == {ZOE}
    assert not any("A bot answers" in mail.subject for mail in sent)  # that was agreed on
    told = play_on(public, "zoe", 4)
    assert {mail.to for mail in told} == {ZOE}
    report = " ".join(words(mail) for mail in told)
    assert all(f"A bot played for bot{number}:" in report for number in (1, 2, 3))
    assert not public.alarms
    check_record(public)


def test_a_lap_is_one_letter(public: Bureau) -> None:  # noqa: F811
    """Bots that nobody could come back for need no time to think: what they did is told with what is asked next."""
    ask(public, ZOE, "new game players 4 bots 3 option bots=fair")
    began = public.clock.now()
    letters = [told for _ in range(5) for told in play_on(public, "zoe", 1)]
    assert len(letters) == 5
    assert all("Please answer by" in words(letter) for letter in letters)
    assert public.clock.now() == began
    report = " ".join(map(words, letters))
    assert all(f"A bot played for bot{number}:" in report for number in (1, 2, 3))
    check_record(public)


def test_they_wait_while_no_mail_goes_out_and_while_time_stands_still(public: Bureau) -> None:  # noqa: F811
    ask(public, ZOE, "new game players 4 bots 3")
    public.server.app.moderate("imp-1", ["pause 2 days: a holiday"])
    known = answered(public)
    orders = orders_of(public, "zoe")
    public.write(ZOE, orders, subject="[imp-1]")
    assert answered(public) == known
    public.tick(2 * DAY)
    public.tick(MINUTE)
    assert len(answered(public)) > len(known)
    public.postman.down = True
    public.write(ZOE, orders_of(public, "zoe"), subject="[imp-1]")
    public.tick(MINUTE)
    known = answered(public)
    public.write(ZOE, orders_of(public, "zoe"), subject="[imp-1]")
    public.tick(MINUTE)
    assert answered(public) == known


def test_those_who_came_for_somebody_silent_wait_for_them(public: Bureau) -> None:  # noqa: F811
    ask(public, ZOE, "new game players 4 bots 3")
    public.server.app.moderate("imp-1", ["bot zoe: she is ill"])
    public.tick(MINUTE)
    known = len(answered(public))
    public.tick(MINUTE)
    assert len(answered(public)) == known
    public.tick(LATER)
    assert len(answered(public)) > known


def test_what_is_agreed_on_tells_of_them(public: Bureau) -> None:  # noqa: F811
    (letter, *_) = ask(public, ZOE, "neue Partie Spieler 3 Bots 1 Option bots=easy")
    assert public.game.status == "inviting"
    assert "Auf einem Platz spielt von Anfang an ein Bot (Stufe: leicht)." in words(letter)
    assert "antwortet dort ein Bot (Stufe: leicht)" in words(letter)


def test_who_is_invited_plays_against_bots_too(lots: None) -> None:
    desk = Bureau()
    made = desk.server.new_game(Terms(setup=Setup(), bots="fair", bot_seats=3), [f"zoe={ZOE}"])
    assert made.id == "imp-1"
    (invitation,) = desk.tick()
    answer_to(desk, invitation, "yes")
    assert desk.game.status == "running"
    assert len(desk.entries) >= 4
    assert play_on(desk, "zoe", 4)
    check_record(desk)


@pytest.mark.parametrize("wish", ["players 4 bots 4", "players 2 bots 9"])
def test_somebody_must_play(public: Bureau, wish: str) -> None:  # noqa: F811
    (letter,) = ask(public, ZOE, f"new game {wish}")
    assert "No game can be played with" in words(letter)
    with public.store.transaction() as repository:
        assert not [*repository.games()]


def test_the_names_of_bots_are_nobody_elses() -> None:
    terms = with_bots(Terms(setup=Setup(seats=(Seat("bot2"), Seat("anna"))), bot_seats=3))
    assert terms.setup.seats == ("bot2", "anna", "bot1", "bot3", "bot4")


def test_yes_is_a_fair_bot() -> None:
    assert terms_of(Setup(options={"bots": "yes"})).level == "fair"
    assert [terms_of(Setup(options={"bots": level})).level for level in LEVELS] == [*LEVELS]
    assert terms_of(Setup(options={"bot_seats": "2"})).bot_seats == 2
