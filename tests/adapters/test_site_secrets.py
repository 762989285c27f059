"""Archives that are searched for what nobody may know yet: names, addresses, numbers of people, cash, drafts."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, get_args

import msgspec
import pytest

from pbem.core.seat import Setup
from pbem.host.archive.published import NUMBERS
from pbem.host.clock.slots import note
from pbem.host.play.adjudicator import Adjudicator
from pbem.host.reporting.publish import publish
from pbem.host.session.acts import Act, Corrected, Ended, Rewound
from pbem.host.session.terms import Terms
from tests.adapters.site_games import files
from tests.service.bureau import HOUR, Bureau
from tests.service.test_anonymity import PEOPLE, Somebody, told_of
from tests.service.test_moderation import MODERATOR, appoint

SUBSTITUTE = Somebody("Ludmila Vrchlik", "lv@etapost.test", "en", "UTC", ())
EVERYBODY = (*PEOPLE, SUBSTITUTE)
CASH = 77_123  # millions: nobody has so much by chance
FREE_TEXT = "Schnurrbart"  # a word that stands in drafts, private press and advance orders only


class Case:
    """A game in which something is secret, step by step, with an archive that grows and one that is made anew."""

    def __init__(self, root: Path, *, anonymous: str, cash: str) -> None:
        self.root = root
        self.bureau = Bureau()
        self.anonymous, self.cash = anonymous, cash
        self.searched: set[tuple[bytes, bool]] = set()  # contents, and whether the game was over
        options = {"cash": "secret"} if cash == "secret" else {}
        terms = Terms(setup=Setup(options=options), anonymous=anonymous)  # type: ignore[arg-type]
        names = [each.name if anonymous != "no" else each.name.split()[0].lower() for each in PEOPLE]
        people = [f"{name}={each.address}" for name, each in zip(names, PEOPLE, strict=True)]
        self.bureau.server.new_game(terms, people)

    @property
    def seats(self) -> dict[str, Somebody]:
        by_address = {each.address: each for each in EVERYBODY}
        return {member.seat: by_address[member.person.address] for member in self.bureau.game.members}

    def governor(self, nation: str) -> Somebody:
        return self.seats[self.bureau.document["nations"][nation]["government"]]

    def write(self, who: Somebody, text: str) -> None:
        self.bureau.clock.advance(HOUR)
        self.bureau.write(f"{who.name} <{who.address}>", f"{text}\n-- \n{who.name}", subject="Re: [imp-1]")

    def steps(self) -> Iterator[str]:
        yield "invited"
        for each in PEOPLE:
            self.write(each, "join")
        appoint(self.bureau, MODERATOR)
        yield "begun"
        austria, italy = self.governor("austria_hungary"), self.governor("italy")
        self.write(italy, f"draft italy: investor\npress to all: Hello.\npress to {self._seat(austria)}: {FREE_TEXT}")
        self.bureau.given(*(f"cash {seat} {CASH}" for seat in self.seats), "turn austria_hungary")
        yield "asked"
        self.write(austria, "austria: taxation")
        yield "one turn"
        self._correct(f"cash {self._seat(italy)} {CASH + 1}")
        self.write(italy, "italy: taxation")
        yield "corrected"
        self._seat_somebody(self._seat(italy))
        self.write(self.governor("france"), "france: taxation")
        self.write(self.governor("great_britain"), "britain: taxation")
        yield "a substitute"
        self._rewind()
        yield "taken back"
        self.write(self.governor("great_britain"), "britain: factory none")
        assert self.bureau.document["nation"] == "germany"
        yield "played on"

    def end(self) -> None:
        works = [f"factory {city}" for city in ("trieste", "prague", "lemberg")]
        last = ("power austria_hungary 24", "rondel austria_hungary maneuver_2", "turn austria_hungary", *works)
        self.bureau.given(*last)
        self.write(self.governor("austria_hungary"), "austria: taxation")
        assert self.bureau.game.status == "finished"

    def abandon(self) -> None:
        self._act(lambda session, now: note(session, now, Ended(by="operator", why="A test.")))
        assert self.bureau.game.status == "finished"

    def archive(self, *ways: str) -> Mapping[str, bytes]:
        """What is published now, as it has grown and perhaps anew."""
        for way in ("grown", *ways):
            self.bureau.copy().server.archivist(self.root / way).build()
        found = ((way, files(self.root / way)) for way in ("grown", *ways))
        return {f"{way}/{path}": content for way, there in found for path, content in there.items()}

    def _seat(self, who: Somebody) -> str:
        return next(seat for seat, each in self.seats.items() if each == who)

    def _act(self, do: Callable[[Any, int], None]) -> None:
        with self.bureau.server.games.work() as desk:
            game = desk.game("imp-1")
            do(desk.session(game), self.bureau.clock.now())
            publish(desk, game, self.bureau.clock.now())
        self.bureau.tick()

    def _correct(self, line: str) -> None:
        def do(session: Any, now: int) -> None:
            Adjudicator(session).correct(
                now, [session.parser.given(line, 1)], Corrected(by="operator", lines=(line,), why="A test.")
            )

        self._act(do)

    def _rewind(self) -> None:
        with self.bureau.server.games.work() as desk:
            course = self.bureau.server.games.positions(desk.repository, desk.game("imp-1"))
            then = next(position for position in course if position.turn == course[-1].turn - 1)
        self._act(
            lambda session, now: Adjudicator(session).rewind(
                now, then, Rewound(by="operator", turn=then.turn, why="A test.")
            )
        )

    def _seat_somebody(self, seat: str) -> None:
        self.bureau.write(MODERATOR, f"replace {seat} by {SUBSTITUTE.address}: A test.", subject="[imp-1]")
        (asked,) = self.bureau.postman.to(SUBSTITUTE.address)
        self.bureau.write(SUBSTITUTE.address, "accept", to=asked.reply_to or "", subject="Re: the seat")
        number = next(m.person.id for m in self.bureau.game.members if m.person.address == SUBSTITUTE.address)
        assert any((entry["act"] or {}).get("person") == number for entry in self.bureau.entries)


def traces(case: Case, published: Mapping[str, bytes]) -> list[tuple[str, str]]:
    """Who or what is found where, that may not be."""
    found: list[tuple[str, str]] = []
    over = case.bureau.game.status == "finished"
    hides_people = case.anonymous == "always" or (case.anonymous == "until_end" and not over)
    for path, content in published.items():
        if (content, over) in case.searched:
            continue  # most of it does not change from turn to turn
        case.searched.add((content, over))
        text = content.decode("utf-8", "replace")
        found += [
            (path, each.address) for each in EVERYBODY if each.address in text or each.address.partition("@")[2] in text
        ]
        if case.anonymous != "no":
            names_may = not hides_people
            found += [(path, mark) for each in EVERYBODY for mark in told_of(each, text, names=not names_may)]
        if hides_people:
            found += [(path, link) for link in re.findall(r"players/\d+/", text)]
            found += [(path, mark) for mark in re.findall(r'"person":\d+', text)]
            found += [(path, path) for _ in re.findall(r"/players/\d", path)]
        if case.cash == "secret" and not over:
            found += [(path, str(cash)) for cash in (CASH, CASH + 1) if str(cash) in text]
            found += [(path, mark) for mark in re.findall(r'"cash":(?:\d|{"\w+":\[\d)', text)]
        if FREE_TEXT.lower() in text.lower():
            found.append((path, FREE_TEXT))
    return found


RARER = (("always", "secret"), ("no", "secret"), ("until_end", "open"), ("always", "open"))
SECRETS = [("until_end", "secret"), *(pytest.param(*case, marks=pytest.mark.slow) for case in RARER)]


@pytest.mark.parametrize(("anonymous", "cash"), SECRETS)
def test_an_archive_keeps_what_is_secret_in_every_state_of_a_game(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, anonymous: str, cash: str
) -> None:
    """Played to its end, or abandoned."""
    monkeypatch.setattr("pbem.core.chance.draw", lambda *_: 0)
    case = Case(tmp_path / "running", anonymous=anonymous, cash=cash)
    for state in case.steps():
        assert traces(case, case.archive()) == [], state
    published = case.archive("anew")
    assert "anew/imp-1/index.html" in published
    assert traces(case, published) == []
    running = case.bureau
    for end in (case.end, case.abandon):
        case.bureau, case.root = running.copy(), tmp_path / end.__name__
        shutil.copytree(tmp_path / "running", case.root)
        end()
        assert traces(case, case.archive("at the end")) == [], end


def test_what_is_sought_is_found_where_it_is_no_secret(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Else the other test would find nothing anywhere."""
    monkeypatch.setattr("pbem.core.chance.draw", lambda *_: 0)
    case = Case(tmp_path, anonymous="until_end", cash="secret")
    for _ in case.steps():
        pass
    case.end()
    published = case.archive()
    everything = b"".join(published.values()).decode("utf-8", "replace")
    assert str(CASH) in everything
    assert all(each.name in everything for each in case.seats.values() if each in PEOPLE)
    log = [json.loads(line) for line in published["grown/imp-1/log.jsonl"].splitlines()]
    assert any((entry["act"] or {}).get("person") for entry in log)
    assert b"log.jsonl" in published["grown/imp-1/index.html"]


def test_a_number_in_an_act_is_known_to_be_somebodys_or_not() -> None:
    """The log of an anonymous game is sealed as soon as an act in it tells a person's number."""
    harmless = {
        "turn",
        "table",
        "number",
        "numbers",
        "start",
        "end",
        "at",
        "until",
        "length",
        "closes",
        "counted",
        "late",
        "was",
    }
    for kind in get_args(Act):
        for field in msgspec.structs.fields(kind):
            if "int" in str(field.type):
                assert field.name in harmless or field.name in NUMBERS, (kind, field.name)
