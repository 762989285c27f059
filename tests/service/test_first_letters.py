"""First letters: who asks, what this is, how to answer, and how to read it in one's own language."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

import pytest

from pbem.host.ports import Mail
from tests.service.bureau import HOST, Bureau, address
from tests.service.test_moderation import MODERATOR, appoint
from tests.service.test_openings import YAN, ZOE, answer_to, ask, office
from tests.service.test_substitutes import NEW, OLD, wait

LINES = ("Auf Deutsch: antworte mit „language de“.", "In italiano: rispondi con “language it”.")


def first(bureau: Bureau, who: str) -> Mail:
    return bureau.postman.to(address(who))[-1]


@cache
def invited() -> tuple[Bureau, Mail]:
    bureau = Bureau()
    bureau.invite(3)
    bureau.tick()
    return bureau, first(bureau, "bert")


@cache
def invited_by_a_player() -> tuple[Bureau, Mail]:
    bureau = office("anyone")
    ask(bureau, ZOE, "new game players 4")
    answer_to(bureau, first(bureau, ZOE), f"invite {NEW}")
    return bureau, first(bureau, NEW)


@cache
def called() -> tuple[Bureau, Mail]:
    bureau = office("anyone")
    ask(bureau, YAN, "waiting list")
    ask(bureau, ZOE, "new game players 4")
    return bureau, first(bureau, YAN)


@cache
def offered() -> tuple[Bureau, Mail]:
    bureau = Bureau()
    bureau.open()
    bureau.write("anton", f"petition replace bert by {NEW}: he moves house")
    return bureau, first(bureau, NEW)


@cache
def nominated() -> tuple[Bureau, Mail]:
    bureau = Bureau()
    bureau.open()
    appoint(bureau, MODERATOR)
    bureau.write(MODERATOR, f"promote {NEW}: I am away", to=bureau.way_back(MODERATOR))
    return bureau, first(bureau, NEW)


@cache
def asked_to_deputise() -> tuple[Bureau, Mail]:
    bureau = Bureau()
    bureau.open()
    bureau.write("bert", f"away until tomorrow deputy {NEW}")
    return bureau, first(bureau, NEW)


def copied(made: Callable[[], tuple[Bureau, Mail]]) -> tuple[Bureau, Mail]:
    """Each is written once, and answered in a copy."""
    bureau, mail = made()
    return bureau.copy(), mail


KINDS: tuple[tuple[Callable[[], tuple[Bureau, Mail]], str], ...] = (
    (invited, "The operator of this server invites you"),
    (invited_by_a_player, "zoe invites you"),
    (called, "zoe has started a game"),
    (offered, "anton has named you"),
    (nominated, "asks you to moderate imp-1, a game of Imperial"),
    (asked_to_deputise, "bert, one of 6 players in a game of Imperial"),
)


@pytest.mark.parametrize(("made", "who"), KINDS)
def test_a_first_letter_says_who_asks_and_comes_again_in_the_language_that_its_reader_chooses(
    made: Callable[[], tuple[Bureau, Mail]], who: str
) -> None:
    bureau, mail = copied(made)
    assert who in " ".join(mail.text.split())
    assert [line for line in mail.text.splitlines() if line in LINES] == [*LINES]
    assert "“help” in a reply" in mail.text
    sent = answer_to(bureau, mail, "help")
    (told,) = [each for each in sent if each.to == mail.to]
    assert "HELP" in told.text
    sent = [each for each in answer_to(bureau, mail, "language de") if each.to == mail.to]
    answer, again = sorted(sent, key=lambda each: not each.answers)
    assert "auf Deutsch" in " ".join(answer.text.split())
    assert "In English: reply with “language en”." in again.text
    assert again.html
    assert "%20imp-1" in again.html or "mailto:" in again.html


def test_the_letter_that_came_again_can_be_answered() -> None:
    for made in (invited, invited_by_a_player, called, offered, nominated, asked_to_deputise):
        bureau, mail = copied(made)
        answer_to(bureau, mail, "language de")
        again = next(each for each in reversed(bureau.postman.to(mail.to)) if not each.answers)
        answer_to(bureau, again, "ja")
        told = bureau.replies(mail.to)[-1].problem
        assert told in {"invitation.joined", "opening.joined", "accept.accepted", "promote.accepted", "deputy.accepted"}


def test_in_an_anonymous_game_nobody_is_named() -> None:
    bureau = Bureau()
    bureau.invite(3, anonymous="always")
    bureau.tick()
    mail = first(bureau, "bert")
    assert mail.subject.endswith("You are invited to a game of Imperial")
    assert "You are invited to a game of Imperial by e-mail." in " ".join(mail.text.split())


def test_who_is_not_asked_chooses_nothing() -> None:
    bureau = office("anyone")
    bureau.open()
    wait(bureau, OLD)
    before = len(bureau.postman.to(OLD))
    bureau.write(OLD, "language de", to=HOST, subject="[imp-1] hello")
    (answer,) = bureau.postman.to(OLD)[before:]
    assert "Nobody plays in this game from your address" in " ".join(answer.text.split())
