"""Letters that prove nothing: few are answered, and little is said; players do not notice."""

from __future__ import annotations

import pytest

from pbem.adapters.composing import FromAddress, compose
from pbem.bootstrap import Server
from pbem.host.lobby.policy import LobbyPolicy, OpenTo
from pbem.host.ports import Mail, MailFolder
from pbem.mail.rate_limit import A_DAY, AN_HOUR
from tests.service.bureau import DAY, HOST, HOUR, OPERATOR, Bureau, address

IMPORT = "austria: import A lemberg"
FEW = 4_000  # bytes on the wire


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


WAYS = {  # how a letter may be addressed, and what it may say, to be answered though it proves nothing
    "nothing": {"text": "hello", "subject": "hello"},
    "a game": {"text": IMPORT, "subject": "[imp-1] your turn"},
    "no game": {"text": IMPORT, "subject": "[imp-99] your turn"},
    "another's token": {"text": IMPORT, "subject": "[imp-1.abcdefgh2345]"},
    "an address to confirm": {"text": "confirm", "subject": "[confirm-1.abcdefgh2345]"},
    "an address to take back": {"text": "undo", "subject": "[undo-1.abcdefgh2345]"},
    "nobody's address": {"text": "confirm", "subject": "[confirm-999999999.abcdefgh2345]"},
    "a number too large": {"text": "confirm", "subject": f"[confirm-{'9' * 30}.abcdefgh2345]"},
    "a game to open": {"text": "new game", "subject": "hello"},
    "a game to join": {"text": "join imp-1", "subject": "hello"},
    "an edition": {"text": "new game\nedition: nonsense\nplayers: 99999", "subject": "hello"},
    "games": {"text": "games", "subject": "hello"},
    "help": {"text": "help\nhelp orders\nstatus\nhistory", "subject": "hello"},
    "powers": {"text": "moderator: pause 3 days", "subject": "[imp-1]"},
    "petitions": {"text": "petition rewind 1", "subject": "[imp-1]"},
}


OPENING = ("a game to open", "a game to join", "an edition", "games")  # what depends on who may start games
OPEN_TO = [(way, open_to) for way in WAYS for open_to in ("anyone", "known", "nobody")[: 3 if way in OPENING else 1]]


@pytest.mark.parametrize("who", ["eve@home.test", "anton"])
@pytest.mark.parametrize(("way", "open_to"), OPEN_TO)
def test_whatever_proves_nothing_is_answered_a_few_times_and_in_a_few_kilobytes(
    bureau: Bureau, way: str, who: str, open_to: OpenTo
) -> None:
    policy = LobbyPolicy(open_to=open_to)
    bureau.restart_with(Server(bureau.store, bureau.clock, bureau.server.host, bureau.identity, policy=policy))
    sent = []
    for number in range(A_DAY + 2):
        text = WAYS[way]["text"] + "\n" + "long " * 4_000 * (number == 1)
        sent += bureau.write(who, text, to=HOST, subject=WAYS[way]["subject"])
    mails = [mail for mail in sent if mail.to != OPERATOR]
    assert {mail.to for mail in mails} == {address(who)}
    assert len(mails) <= A_DAY
    for mail in mails:
        most = FEW if who == "eve@home.test" else 10 * FEW
        assert len(compose(mail, FromAddress(address=HOST), 0)) <= most
    assert "fault" not in bureau.store.fates().values()


def test_letters_that_are_too_long_are_answered_a_few_times_a_day(bureau: Bureau) -> None:
    for _ in range(2 * A_DAY):
        bureau.mailbox.add(bureau.letter("anton", "x" * 20_000, to=HOST), bureau.clock.now(), cut=10_000)
    assert answers(bureau.tick()) == [address("anton")] * A_DAY


def test_a_fault_of_ours_is_owned_up_to_a_few_times_a_day(bureau: Bureau, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever finds one could else have anybody flooded, and the operator, too."""
    monkeypatch.setattr("pbem.mail.routes.answer_about_address", lambda *_: 1 // 0)
    sent = [mail for _ in range(2 * A_DAY) for mail in bureau.write("eve@home.test", "hello", to=HOST)]
    assert answers(sent) == ["eve@home.test"] * A_DAY
    assert len(bureau.alarms) == A_DAY
    assert len(bureau.mailbox.on(MailFolder.kept)) == 2 * A_DAY


def test_a_letter_in_anothers_name_is_quoted_to_him_in_short(bureau: Bureau) -> None:
    (mail,) = bureau.write("anton", ("y" * 600 + "\n") * 60, to=HOST)
    assert len(mail.text) < 15_000
    assert mail.text.count("y …") == 40


def test_who_has_proved_nothing_yet_gets_no_more_than_a_stranger(bureau: Bureau) -> None:
    """An address that somebody has put into his letter is in the books from then on."""
    policy = LobbyPolicy(open_to="anyone")
    bureau.restart_with(Server(bureau.store, bureau.clock, bureau.server.host, bureau.identity, policy=policy))
    for _ in range(2):
        (mail,) = bureau.write("eve@home.test", "new game", to=HOST, subject="hello")
        assert mail.html is None
    (mail,) = bureau.write("eve@home.test", "new game", to=mail.reply_to or "", subject="hello")
    assert mail.html is not None


def test_a_stranger_is_told_little_more_than_he_wrote(bureau: Bureau) -> None:
    """Measured in bytes on the wire, against letters as mail programs write them."""
    for text in ("hello", "x" * 5_000):
        raw = bureau.letter("eve@home.test", text, to=HOST, subject="hello", User_Agent="x" * 200, X_Trace="y" * 300)
        bureau.mailbox.add(raw, bureau.clock.now())
        (mail,) = bureau.tick()
        assert mail.html is None
        assert len(compose(mail, FromAddress(address=HOST), 0)) <= 2 * len(raw)
