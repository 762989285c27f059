"""A letter made from a link of ours alone is understood: it has no thread, quotes nothing, and need only be sent."""

from __future__ import annotations

from collections.abc import Callable
from urllib.parse import parse_qs, unquote, urlsplit

import pytest
from lxml import html

from pbem.adapters.mail_renderer.sections import WELCOME
from pbem.host.ports import Mail
from pbem.host.session.identity import Identity
from tests.service.bureau import DAY, HOST, HOUR, IDENTITY, NAMES, Bureau, address
from tests.service.test_clock import BATTLE, SWISS
from tests.service.test_moderation import MODERATOR, appoint

NEW, UNKNOWN = "nina@players.test", "olaf@players.test"
NO_TAGS = Identity(key=IDENTITY.key, address=HOST, tags=False)
DONE = {"played", "filed", "voted", "shown", "set"}
CHANGE = "petition change: it is too slow\nset slot_hours = 48"
Link = tuple[str, str, str]  # address, subject and text


def links(mail: Mail) -> list[Link]:
    """The letters that the links of a letter write."""
    urls = [urlsplit(str(link)) for link in html.document_fromstring(mail.html or "").xpath("//a/@href")]
    found = [(url.path, parse_qs(url.query)) for url in urls if url.scheme == "mailto"]
    return [(unquote(path), query["subject"][0], query["body"][0]) for path, query in found]


def last(bureau: Bureau, who: str) -> Mail:
    return bureau.postman.to(address(who))[-1]


def say(bureau: Bureau, who: str, text: str) -> None:
    """Reply to the last letter they got."""
    mail = last(bureau, who)
    bureau.write(who, text, to=mail.reply_to or HOST, subject=f"Re: {mail.subject}")


# In each language, and with the token in the address or in the subject, which no language has a part in.
READERS = [(IDENTITY, "en"), (NO_TAGS, "de"), (IDENTITY, "it")]


@pytest.fixture(scope="module", params=READERS, ids=lambda of: f"{of[0].tags}-{of[1]}")
def begun(request: pytest.FixtureRequest) -> Bureau:
    """A game of six whose players all read that language, and somebody who waits for a seat."""
    identity, language = request.param
    made = Bureau(identity=identity)
    with made.store.transaction() as repository:
        for each in (*map(address, NAMES), NEW, MODERATOR):
            person = repository.add_person(each.partition("@")[0], each, 0, language=language)
            repository.wait(person.id, 0) if each == NEW else None
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("pbem.core.chance.draw", lambda *_: 0)
        made.invite(6)
        made.tick()
        assert follow(made, last(made, NAMES[0])) == 5
        for name in NAMES:
            to, subject, body = links(last(made, name))[0]
            made.write(name, body, to=to, subject=subject)
    assert made.game.status == "running"
    return made


def follow(bureau: Bureau, mail: Mail) -> int:
    """Send two of the letters that its links write, each as if it were the only one; how many there are.

    To readers of other languages others are sent.
    """
    found = links(mail)
    step = 1 + len(found) // 2
    for to, subject, body in found[bureau.letters % step :: step]:
        world = bureau.copy()
        world.write(mail.to, body, to=to, subject=subject)
        told = world.replies(mail.to)[-1]
        assert told.problem is None or told.problem in WELCOME, (body, told.problem)
        assert {line.outcome for line in told.lines} <= DONE, (body, told.lines)
    return len(found)


# -- what asks something; each gives the letter ---


def _turn(bureau: Bureau) -> Mail:
    return last(bureau, "anton")


def _maneuver(bureau: Bureau) -> Mail:
    bureau.given("army austria_hungary vienna 2", "fleet austria_hungary trieste 1", "army austria_hungary trieste 1")
    say(bureau, "bert", "status")
    return last(bureau, "anton")


def _battle(bureau: Bureau) -> Mail:
    bureau.given(*BATTLE)
    say(bureau, "claudia", "france: maneuver F w med - ionian")
    return last(bureau, "bert")


def _invest(bureau: Bureau) -> Mail:
    say(bureau, "anton", "austria: investor")
    return last(bureau, bureau.awaited[0][0])


def _swiss(bureau: Bureau) -> Mail:
    bureau.given(*SWISS)
    say(bureau, "anton", "austria: import A vienna")
    return last(bureau, "bert")


def _reminder(bureau: Bureau) -> Mail:
    bureau.tick(12 * HOUR)
    return last(bureau, "anton")


def _vote(bureau: Bureau) -> Mail:
    say(bureau, "claudia", CHANGE)
    return last(bureau, "bert")


def _tally(bureau: Bureau) -> Mail:
    say(bureau, "claudia", CHANGE)
    bureau.tick(DAY)
    return last(bureau, "bert")


def _report(bureau: Bureau) -> Mail:
    say(bureau, "claudia", CHANGE)
    say(bureau, "anton", "austria: taxation")
    return last(bureau, "daniel")


def _removal(bureau: Bureau) -> Mail:
    appoint(bureau, MODERATOR)
    say(bureau, "anton", "petition remove moderator zoe: no answers")
    return last(bureau, "bert")


def _offer(bureau: Bureau) -> Mail:
    say(bureau, "claudia", "petition replace bert: he is silent")
    return last(bureau, NEW)


def _nomination(bureau: Bureau) -> Mail:
    appoint(bureau, MODERATOR)
    say(bureau, "anton", "austria: taxation")
    say(bureau, MODERATOR, f"promote {UNKNOWN}: I need help")
    return last(bureau, UNKNOWN)


def _deputy(bureau: Bureau) -> Mail:
    say(bureau, "anton", "away until tomorrow deputy bert")
    return next(mail for mail in bureau.postman.to(address("bert")) if "anton" in mail.subject and links(mail))


def _deputy_asked(bureau: Bureau) -> Mail:
    say(bureau, "anton", f"away until tomorrow deputy {NEW}")
    return last(bureau, NEW)


def _confirm(bureau: Bureau) -> Mail:
    say(bureau, "anton", "address anton@work.example")
    return last(bureau, "anton@work.example")


def _undo(bureau: Bureau) -> Mail:
    to, subject, body = links(_confirm(bureau))[0]
    bureau.write("anton@work.example", body, to=to, subject=subject)
    return last(bureau, "anton")


def _gathers(bureau: Bureau) -> Mail:
    bureau.write("anton", "new game players 3", to=HOST, subject="another one")
    say(bureau, "anton", "new game players 3")
    return last(bureau, NEW)


ASKING: dict[Callable[[Bureau], Mail], int] = {  # and how many links it has at least
    _turn: 8,
    _maneuver: 8,
    _battle: 2,
    _invest: 10,
    _swiss: 2,
    _reminder: 8,
    _vote: 3,
    _tally: 3,
    _report: 3,
    _removal: 3,
    _offer: 1,
    _nomination: 2,
    _deputy: 1,
    _deputy_asked: 1,
    _confirm: 1,
    _undo: 1,
    _gathers: 1,
}


@pytest.mark.parametrize("asks", ASKING, ids=lambda asks: asks.__name__[1:])
def test_each_link_of_a_letter_that_asks_is_an_answer(begun: Bureau, asks: Callable[[Bureau], Mail]) -> None:
    bureau = begun.copy(with_sent=True)
    assert follow(bureau, asks(bureau)) >= ASKING[asks]


@pytest.mark.parametrize(
    ("asked", "answer"),
    [
        (
            "reach A vienna",
            "Austria-Hungary, army in Vienna: Budapest, Prague, Lemberg, Trieste, Genoa, Venice, Berlin",
        ),
        ("reach vienna", "by sea with its fleet in the Ionian Sea: Rome, Naples, Greece, Tunis."),
        ("reach ionian", "fleet in the Ionian Sea: Western Mediterranean Sea, Eastern Mediterranean Sea."),
        ("Reichweite München", "No unit stands in Munich. Beside it lie Vienna, Prague, Dijon, Berlin"),
        ("reach nowhere", "There is no place “nowhere”. Write the name of a place after the word"),
        ("portata", "refused. Write the name of a place after the word, as in “reach munich”."),
    ],
)
def test_where_units_could_go_is_told_by_a_letter(bureau: Bureau, asked: str, answer: str) -> None:
    bureau.given("army austria_hungary vienna 2", "fleet austria_hungary ionian_sea 1")
    (told,) = bureau.write("anton", asked)
    assert answer in " ".join(told.text.split())
