"""Anonymous games: no letter to anybody, and nothing that is published, tells who the others are."""

from __future__ import annotations

import email
import re
from collections.abc import Iterator
from email.policy import default
from functools import cache
from pathlib import Path

import msgspec
import pytest
from msgspec import Struct

from pbem.adapters.composing import FromAddress as Letterbox
from pbem.adapters.smtp import compose
from pbem.core.seat import Setup
from pbem.games.imperial.data.editions import imperial
from pbem.host.commands.table import COMMANDS
from pbem.host.messages.rows import jobs_of, read_job
from pbem.host.ports import Mail
from pbem.host.session.anonymity import NAMES
from pbem.host.session.terms import Terms
from pbem.host.session.unit_of_work import Games
from pbem.language.parser import Parser
from pbem.language.tokens import tokenize
from tests.fakes import MemoryStore
from tests.service.bureau import HOST, HOUR, OPERATOR, Bureau

BATTLE = ("rondel france factory", "turn france", "fleet france w med 1", "fleet italy ionian 1")


class Somebody(Struct, frozen=True):
    """A person, and all that would tell who he is."""

    name: str
    address: str
    language: str
    zone: str
    traces: tuple[str, ...]  # of his zone, his house and his mail program


PEOPLE = (
    Somebody("Quirin Zwick", "q.zwick@alphahaus.test", "de", "Pacific/Chatham", ("Chatham", "+1345", "+1245")),
    Somebody("Wanda Kowalczyk", "wanda_k@betadom.test", "it", "Asia/Kathmandu", ("Kathmandu", "+0545")),
    Somebody("Yusuf Öztürk", "y_oz@gammaev.test", "en", "Australia/Eucla", ("Eucla", "+0845")),
    Somebody("Maebh Farrelly", "mb77@deltamail.test", "en", "America/St_Johns", ("St_Johns", "NST", "NDT", "-0330")),
    Somebody("Oskar Lindqvist", "oskar.l@epsilonpost.test", "de", "Asia/Tokyo", ("Tokyo", "JST", "+0900")),
    Somebody("Fiamma Belcastro", "fb81@zetaposta.test", "it", "Africa/Maputo", ("Maputo", "CAT", "+0200")),
)
YES = {"en": "join", "de": "ja", "it": "sì"}
IN_WORDS = {  # of a letter in that language, and of none in the others
    "en": ("Austria-Hungary", "Great Britain", "Your letter", "Everybody"),
    "de": ("Österreich-Ungarn", "Großbritannien", "Dein Brief", "Bitte"),
    "it": ("Austria-Ungheria", "Gran Bretagna", "La tua lettera", "ogni"),
}
TAXES = {"en": "Austria-Hungary: taxation", "de": "Österreich-Ungarn: Steuer", "it": "Austria-Ungheria: tassazione"}
ASKED = {
    "en": "help\nrules\nboard\nclock\nhistory\nstatus\npress\norders",
    "de": "Hilfe\nRegeln\nBrett\nUhr\nVerlauf\nLage\nPresse\nBefehle",
    "it": "aiuto\nregole\ntabellone\norologio\ncronaca\nstato\nstampa\nordini",
}


class Play:
    """An anonymous game of six, from the invitation to what is written after the end.

    What is between them depends on nothing that is agreed on for the end.
    """

    def __init__(self, anonymous: str) -> None:
        self.bureau = Bureau()
        terms = Terms(setup=Setup(), anonymous=anonymous)  # type: ignore[arg-type]
        self.bureau.server.new_game(terms, [f"{each.name}={each.address}" for each in PEOPLE])
        self.bureau.tick()
        self.begin()
        if anonymous == "until_end":
            self.course()
        self.end()

    @property
    def seats(self) -> dict[str, Somebody]:
        by_address = {each.address: each for each in PEOPLE}
        return {member.seat: by_address[member.person.address] for member in self.bureau.game.members}

    def seat_of(self, who: Somebody) -> str:
        return next(seat for seat, each in self.seats.items() if each == who)

    def governor(self, nation: str) -> Somebody:
        return self.seats[self.bureau.document["nations"][nation]["government"]]

    def write(self, who: Somebody, text: str, subject: str = "Re: [imp-1]") -> list[Mail]:
        """In the way that he and his program write."""
        local, _, house = who.address.partition("@")
        more = {
            "User_Agent": f"{who.name.split()[0]}Mail 3",
            "Organization": house,
            "Date": f"Tue, 03 Mar 2026 12:00:00 {next((t for t in who.traces if t[0] in '+-'), '+0000')}",
            "Content_Language": who.language,
        }
        self.bureau.letters += 1
        id_ = f"<{self.bureau.letters}.{local}@mx.{house}>"
        text = f"{text}\n-- \n{who.name}\n{house}"
        return self.bureau.write(f"{who.name} <{who.address}>", text, subject=subject, id_=id_, **more)

    def begin(self) -> None:
        first, *others = PEOPLE
        self.write(first, "decline", "Re: [imp-1] invitation")
        for number, each in enumerate((*others, first)):
            settings = f"language {each.language}\nzone {each.zone}"
            press = f"press to {self.seat_of(PEOPLE[0])}: One more." if each != first else "rules"
            self.write(each, f"{settings}\n{YES[each.language]}\n{press}", "Re: [imp-1] invitation")
            if number == 2:
                self.write(each, "rules\nhelp", "Re: [imp-1] invitation")

    def course(self) -> None:
        austria, italy = self.governor("austria_hungary"), self.governor("italy")
        self.write(italy, "advance italy: factory rome\nstanding fight\ndraft italy: investor")
        self.write(austria, "austria: factory treiste\npress: Never sent.")
        self.write(austria, "preview\naustria: import A lemberg")
        self.write(austria, f"austria: import A lemberg\npress to all: I am {self.seat_of(austria)}.\nStay calm.")
        for each in PEOPLE:
            self.write(each, ASKED[each.language])
            self.write(each, {"en": "calendar yes", "de": "Kalender ja", "it": "calendario sì"}[each.language])
        self.write(italy, f"press to {self.seat_of(austria)}: Thank you.")
        self.write(Somebody("Nobody", "nobody@elsewhere.test", "en", "UTC", ()), "austria: investor")
        stray = self.bureau.way_back(PEOPLE[3].address)
        self.bureau.write("stray@elsewhere.test", "austria: investor", to=stray)
        self.write(PEOPLE[1], "reports digest 08:00")
        self.write(PEOPLE[4], "reports round")
        self.write(PEOPLE[5], "address fiamma.b@zetaposta.test")
        for _ in range(5):
            self.bureau.tick(6 * HOUR)
        self.absence()
        late = self.bureau.awaited[0][0]
        self.bureau.server.app.moderate("imp-1", [f"bot {late}: he rests"])
        self.bureau.tick(HOUR)
        self.write(self.seats[late], "status\nclock")
        self.bureau.given(*BATTLE)
        self.write(italy, "standing none")
        self.write(self.governor("france"), "france: maneuver F w med - ionian")
        self.write(italy, "fight\ngive italy 1")

    def absence(self) -> None:
        """Somebody is away, a fellow player writes for him, another would rather not, and an address is of no use."""
        away = {
            "en": "away until tomorrow deputy",
            "de": "abwesend bis morgen Vertreter",
            "it": "assente fino a domani",
        }
        away["it"] += " sostituto"
        awaited = self.bureau.awaited[0][0]
        absent, (deputy, other) = self.seats[awaited], [seat for seat in self.seats if seat != awaited][:2]
        self.write(absent, f"{away[absent.language]} ada@elsewhere.test")
        self.write(absent, f"{away[absent.language]} {other}")
        self.write(self.seats[other], f"as {awaited}: decline")
        self.write(self.seats[other], f"as {awaited}: status")
        self.write(absent, f"{away[absent.language]} {deputy}")
        nation = self.bureau.document["nation"].replace("_", " ")
        self.write(self.seats[deputy], f"as {awaited}: {nation}: investor\npress to all: Hello!")
        self.write(absent, "away none")

    def end(self) -> None:
        works = [f"factory {city}" for city in ("trieste", "prague", "lemberg")]
        self.bureau.given(
            "power austria_hungary 24", "rondel austria_hungary maneuver_2", "turn austria_hungary", *works
        )
        austria = self.governor("austria_hungary")
        self.write(austria, TAXES[austria.language])
        assert self.bureau.game.status == "finished"
        for each in PEOPLE:
            self.write(each, ASKED[each.language])
        self.write(PEOPLE[2], "press to all: A fine game.")

    def letters(self, who: Somebody) -> list[Mail]:
        return [mail for mail in self.bureau.postman.sent if mail.to == who.address]


@cache
def play(anonymous: str) -> Play:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("pbem.core.chance.draw", lambda *_: 0)
        return Play(anonymous)


def opened(mail: Mail) -> str:
    """All that stands in a mail as it goes out: its headers, and the content of every part."""
    return "\n".join(_parts(mail))


def _parts(mail: Mail) -> Iterator[str]:
    message = email.message_from_bytes(compose(mail, Letterbox(address=HOST), 0), policy=default)
    for part in message.walk():
        yield from (f"{name}: {value}" for name, value in part.items())
        if not part.is_multipart():
            content = part.get_content()
            yield content if isinstance(content, str) else content.decode("latin-1")


def told_of(person: Somebody, text: str, *, names: bool = True) -> list[str]:
    """What of this person stands in a text."""
    local, _, house = person.address.partition("@")
    sought = [person.address, local, house, house.partition(".")[0], *person.traces]
    sought += [part for part in person.name.split() if names]
    lowered = text.lower()
    there = [each for each in sought if each.lower() in lowered]
    return [each for each in there if re.search(rf"(?<![\w.]){re.escape(each)}(?!\w)", text, re.IGNORECASE)]


both = pytest.mark.parametrize("anonymous", [pytest.param("until_end", marks=pytest.mark.slow), "always"])


@both
def test_no_letter_tells_who_the_others_are(anonymous: str) -> None:
    game = play(anonymous)
    for reader in PEOPLE:
        for mail in game.letters(reader):
            is_final, whole = anonymous == "until_end" and _is_final(game, mail), opened(mail)
            for other in PEOPLE:
                found = told_of(other, whole, names=not is_final)
                assert other == reader or not found, (mail.message_id, other.name, found)


@both
def test_every_letter_is_in_the_language_of_its_reader_alone(anonymous: str) -> None:
    game = play(anonymous)
    for reader in PEOPLE:
        since = next(n for n, mail in enumerate(game.letters(reader)) if mail.answers) + 1
        for mail in game.letters(reader)[since:]:
            for language, words in IN_WORDS.items():
                found = [word for word in words if word in _without_orders(mail.text)]
                assert language == reader.language or not found, (mail.message_id, found)


@both
def test_nothing_that_is_published_tells_who_anybody_is(anonymous: str) -> None:
    game = play(anonymous)
    record = game.bureau.server.app.record("imp-1")
    assert [told_of(each, record) for each in PEOPLE] == [[]] * len(PEOPLE)
    assert {seat for seat in game.seats if seat in record} == {*game.seats}


@both
def test_the_archive_tells_no_more_than_the_end_did(anonymous: str, tmp_path: Path) -> None:
    play(anonymous).bureau.copy().server.archivist(tmp_path).build()
    files = [file for file in tmp_path.rglob("*") if file.is_file()]
    assert any(file.name == "index.html" for file in files)
    for file in files:
        text = file.read_bytes().decode("utf-8", "replace")
        found = [told_of(each, text, names=anonymous == "always") for each in PEOPLE]
        assert found == [[]] * len(PEOPLE), file


def test_the_game_was_one_with_every_kind_of_letter() -> None:
    game = play("until_end")
    assert isinstance(game.bureau.store, MemoryStore)
    rows = [row for row in game.bureau.store.posted() if row.to != OPERATOR]
    jobs = [msgspec.to_builtins(job) for row in rows for job in jobs_of(read_job(row))]
    kinds = {job["content"]["type"] if "content" in job else job["type"] for job in jobs}
    assert kinds >= {"invitation", "reply", "press", "unused", "report", "question", "reminder", "deputy", "deputised"}
    assert any(_is_final(game, mail) for mail in game.letters(PEOPLE[0]))
    assert any(file.name == "deadline.ics" for mail in game.bureau.postman.sent for file in mail.attachments)
    told = [job["content"]["told"] for job in jobs if job.get("content", {}).get("type") == "reply"]
    assert {part["type"] for parts in told for part in parts} >= {
        "help", "rules", "board", "clock", "history", "press", "preview",
    }  # fmt: skip
    assert not game.bureau.alarms


def _is_final(game: Play, mail: Mail) -> bool:
    return game.bureau.game.secret in re.sub(r"\s", "", mail.text)


def _without_orders(text: str) -> str:
    """Without the writer's own words, which an answer repeats, and press."""
    return "\n".join(line for line in text.splitlines() if not re.match(r"[✓✗–] | {4}", line))


# -- the end ---


def test_at_the_end_the_names_are_told_where_that_was_agreed() -> None:
    game = play("until_end")
    for reader in PEOPLE:
        (final,) = [mail for mail in game.letters(reader) if _is_final(game, mail)]
        for seat, who in game.seats.items():
            assert re.search(rf"{seat} (was|war|era) {who.name}", final.text)
            assert who.name in (final.html or "")


def test_they_are_not_told_where_it_was_not() -> None:
    game = play("always")
    finals = [mail for reader in PEOPLE for mail in game.letters(reader) if _is_final(game, mail)]
    assert len(finals) == len(PEOPLE)
    assert not any(who.name in mail.text for mail in finals for who in PEOPLE)


def test_the_secret_of_the_lots_does_not_tell_who_was_who(monkeypatch: pytest.MonkeyPatch) -> None:
    """It is published in the end, and players may know who took part."""
    monkeypatch.setattr(Games, "new_secret", lambda _: "00")
    drawn = set()
    for _ in range(12):
        bureau = Bureau()
        made = bureau.invite(3, anonymous="always")
        drawn.add(tuple(member.seat for member in sorted(made.members, key=lambda member: member.person.address)))
    assert len(drawn) > 1


# -- names ---


def test_members_stand_in_the_order_of_their_names_not_of_their_invitations() -> None:
    for _ in range(5):
        seats = [member.seat for member in Bureau().invite(6, anonymous="always").members]
        assert seats == sorted(seats)
        assert {*seats} <= {*NAMES}


def test_names_are_no_beginning_of_anything_in_the_order_language() -> None:
    lexicon = Parser(imperial(Setup()).notation, COMMANDS, NAMES)._grammar.lexicon
    others = [terminal for terminal in lexicon._listed if terminal != "SEAT"]
    for name in NAMES:
        assert lexicon.find(tokenize(name, 1), others) is None, name
    assert len({name[0] for name in NAMES}) == len(NAMES)


def test_there_are_not_more_players_than_names() -> None:
    with pytest.raises(ValueError, match="at most 8"):
        Bureau().server.new_game(
            Terms(setup=Setup(), anonymous="always"), [f"player{n}@players.test" for n in range(9)]
        )


def test_the_invitation_lists_nobody_and_who_joined_is_not_told(desk: Bureau) -> None:
    desk.invite(3, anonymous="until_end")
    sent = desk.tick()
    seats = [member.seat for member in desk.game.members]
    for mail in sent:
        assert "with 2 other players." in " ".join(mail.text.split())
        assert len([seat for seat in seats if seat in mail.text]) == 1
    (answer,) = desk.write("bert", "join")
    assert "It begins when all who are invited have joined, too." in " ".join(answer.text.split())
    assert not any(seat in answer.text for seat in seats)


# -- press ---


@pytest.mark.parametrize(
    "text",
    [
        "Hello!\nMy best wishes,\nQuirin",
        "Hello!\n– quirin zwick –",
        "So be it.\nYours, Quirin",
        "Signed, Quirin Zwick-Meier",
        "Yours, q.zwick",
        "Hello from Quirin Zwick",
        "Write to q.zwick@alphahaus.test",
    ],
)
def test_press_that_tells_who_its_writer_is_is_not_sent(text: str) -> None:
    answer, sent = _pressed("always", text)
    assert "would tell the others who you are" in " ".join(answer.text.split())
    assert sent == []


@pytest.mark.parametrize("text", ["Hello!\nBest wishes", "A zwick in time", "Quirin is what Zwick would call a name"])
def test_press_that_does_not_is_sent(text: str) -> None:
    assert len(_pressed("always", text)[1]) == 1


def test_in_other_games_press_may_be_signed() -> None:
    assert len(_pressed("no", "Hello!\nAnton")[1]) == 1


def test_after_the_end_a_name_may_stand_in_press_where_names_are_known() -> None:
    game = play("until_end")
    bureau = game.bureau.copy()
    who = PEOPLE[3]
    text = f"press to {game.seat_of(PEOPLE[0])}: Bye!\n{who.name}"
    assert [mail.to for mail in bureau.write(who.address, text) if not mail.answers] == [PEOPLE[0].address]


@pytest.mark.parametrize(
    ("anonymous", "outcome", "words"),
    [
        ("always", "press.tells_who", "petition clarify Fleets"),
        ("always", "press.tells_who", "object R-1: The tax is wrong."),
        ("no", None, "petition clarify Fleets"),
    ],
)
def test_a_petition_or_a_remark_that_tells_who_its_writer_is_is_not_posted(
    anonymous: str, outcome: str | None, words: str
) -> None:
    bureau = Bureau()
    who = f"{PEOPLE[0].name} <{PEOPLE[0].address}>"
    first = f"{PEOPLE[0].name if anonymous != 'no' else 'anton'}={PEOPLE[0].address}"
    bureau.server.new_game(Terms(setup=Setup(), anonymous=anonymous), [first, "bert=bert@players.test"])  # type: ignore[arg-type]
    for each in (who, "bert@players.test"):
        bureau.write(each, "yes")
    bureau.write(who, f"{words}\nBest wishes,\nQuirin")
    assert bureau.outcomes(PEOPLE[0].address) == [("refused" if outcome else "posted", outcome)]


def _pressed(anonymous: str, text: str) -> tuple[Mail, list[Mail]]:
    """What the first of two is answered to press, and what the other gets."""
    bureau = Bureau()
    who = PEOPLE[0]
    first = f"{who.name}={who.address}" if anonymous != "no" else "anton=q.zwick@alphahaus.test"
    bureau.server.new_game(Terms(setup=Setup(), anonymous=anonymous), [first, "bert=bert@players.test"])  # type: ignore[arg-type]
    bureau.tick()
    sent = bureau.write(f"{who.name} <{who.address}>", f"press to all: {text}")
    return sent[0], [mail for mail in sent if mail.to == "bert@players.test"]
