"""A game of Empire in the archive: its pages tell what happened, its files prove it, and what is forged is found."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import msgspec
import pytest
from lxml import html
from msgspec.structs import replace

from pbem.adapters.site.reading import published
from pbem.bootstrap import Server, prove_archive
from pbem.core.bot import SUBSTITUTE
from pbem.core.chance import draw
from pbem.core.log import START, Cause, seal, write
from pbem.core.presenter import Sheet
from pbem.core.seat import Setup, Sight
from pbem.games import GAMES
from pbem.games.empire import GAME
from pbem.games.empire.data.editions import empire
from pbem.host.archive.proof import Page, Published, prove
from pbem.host.archive.record_play import play_file
from pbem.host.commands.table import COMMANDS
from pbem.host.lobby.invitations import answer_invitation
from pbem.host.messages.host_identity import HostIdentity
from pbem.host.play.adjudicator import Adjudicator
from pbem.host.reporting.chapters import whole
from pbem.host.reporting.publish import publish
from pbem.host.session.identity import Identity
from pbem.host.session.session import load_game
from pbem.host.session.terms import Terms, terms_of
from tests.fakes import FakeClock, MemoryStore

SLOTS = 4  # of two players, so that there are two turns to compare


class Told:
    """A game of two bots that is ended after a few slots, and the archive of it."""

    def __init__(self, root: Path) -> None:
        clock, host = FakeClock(), HostIdentity(domain="pbem.test", operator="operator@pbem.test")
        self.server = Server(MemoryStore(), clock, host, Identity(key=b"a key for tests", address="pbem@pbem.test"))
        people = [f"{name}={name}@players.test" for name in ("anton", "bert")]
        self.tag = self.server.new_game(Terms(setup=Setup(game="empire")), people).id
        with self.server.games.work() as desk:
            for member in desk.game(self.tag).members:
                answer_invitation(desk, desk.game(self.tag), member, ["join"], clock.now())
        while play_one(self.server, self.tag, clock) <= SLOTS:
            pass
        self.server.archivist(root / "running").update()
        self.server.app.moderate(self.tag, ["end with scores: it shows enough"])
        self.root = root / "over"
        self.server.archivist(self.root).build()
        self.running = root / "running"

    def page(self, path: str = "") -> str:
        return (self.root / self.tag / path / "index.html").read_text("utf-8")

    def json(self, path: str) -> Any:
        return json.loads((self.root / self.tag / path).read_bytes())

    @property
    def last(self) -> Any:
        return self.json(f"turn-{self.json('game.json')['turns'][-1]['number']}/position.json")

    @property
    def entries(self) -> list[Any]:
        return [json.loads(line) for line in (self.root / self.tag / "log.jsonl").read_bytes().splitlines()]


def play_one(server: Server, tag: str, clock: FakeClock) -> int:
    """An order of the bot; the number of the slot that is awaited then."""
    with server.games.work() as desk:
        session = desk.session(desk.game(tag))
        decision = session.pending()[0]
        order = GAME.bots[SUBSTITUTE](session.rules, session.state, decision, random.Random(1).randrange)
        Adjudicator(session).play(decision.seat, order, [decision], clock.now(), Cause(kind="bot"))
        publish(desk, desk.game(tag), clock.now())
        return session.state.turn * 2 + session.state.place - 1 if session.state.turn else 0


@pytest.fixture(scope="module")
def told(tmp_path_factory: pytest.TempPathFactory) -> Told:
    return Told(tmp_path_factory.mktemp("empire"))


def test_a_game_has_its_pages(told: Told) -> None:
    pages = {page.parent.name: page.read_text("utf-8") for page in (told.root / told.tag).rglob("index.html")}
    assert {told.tag, "lots", "turn-0", f"turn-{SLOTS}"} <= {*pages}
    assert ">1.1</a>" in pages[told.tag]
    assert any("sets up a farm" in page for page in pages.values())
    assert "The zero turn" in pages["turn-1"]


def test_one_steps_through_the_turns_with_the_map(told: Told) -> None:
    for number in range(1, SLOTS + 1):
        page = told.page(f"turn-{number}")
        assert f'href="../turn-{number - 1}/" rel="prev"' in page
        assert 'class="play"' in page
        assert page.count("<svg") == 1
    assert told.page("turn-1") != told.page("turn-2")


def test_charts_show_each_turn_as_it_was_entered(told: Told) -> None:
    """Not what a slot under way has booked so far."""
    series, last = told.json("game.json")["series"], told.last
    for country, rows in last["records"].items():
        for kind in ("investment", "edu", "fund"):
            assert [*dict.fromkeys(series[kind][country])][-1] == rows[-1][kind], kind
    for kind in ("confidence", "investment", "edu", "fund"):
        svg = (told.root / told.tag / f"charts/{kind}.svg").read_text("utf-8")
        assert all(f"{country} {series[kind][country][-1]}" in svg for country in last["records"])
        assert f'src="charts/{kind}.svg"' in told.page()


def test_the_record_and_the_standing_are_told(told: Told) -> None:
    position, page = told.last, text(told.page())
    for country, rows in position["records"].items():
        assert [row["turn"] for row in rows] == [1, 2]
        for row in rows:
            cells = [row[key] for key in ("turn", "roll", "edu", "cost", "investment", "confidence", "fund", "tax")]
            assert " ".join(map(str, cells)) in page
        mean = sum(row["confidence"] for row in rows) / len(rows), sum(row["investment"] for row in rows) / len(rows)
        cities = position["standing"][country]["cities"]
        assert f"mean confidence {mean[0]:.1f}, mean investment {mean[1]:.1f}, {cities} cit" in page
        assert position["scores"][country] == int(mean[0] + 2 * mean[1]) + 10 * cities


def test_the_state_document_has_neither_record_nor_standing() -> None:
    rules = empire(Setup(game="empire", seats=("anton", "bert")))
    state = rules.blank(Setup(game="empire", seats=("anton", "bert")))
    assert not {"records", "standing"} & {*rules.view(state, Sight.ALL)}
    assert {"records", "standing"} <= {*rules.view(state, None)}


def test_a_sheet_of_a_square_tells_the_square(told: Told) -> None:
    """`records C3 cities`: what stands there, as without the sheet."""
    view = told.last
    city = next(at for at, square in view["squares"].items() if square.get("city"))
    cities = Sheet(kind="cities", round=None, ledger={}, events=())
    found = GAME.presenter.records(view, city, cities)
    assert found == GAME.presenter.records(view, city)
    assert found["places"]


def test_capitals_are_counted(told: Told) -> None:
    page = text((told.root / "countries/index.html").read_text("utf-8"))
    assert re.search(r"training (C3|J3) 1 [01] \d+\.0", page)


def test_the_course_says_what_happened_in_a_slot(told: Told) -> None:
    course = (told.root / "emp-1/index.html").read_text("utf-8").partition('<table class="course">')[2]
    assert re.search(r'>1\.1</a> <span class="quiet">confidence \d+', course)


# -- dice ---


def test_each_die_is_told_with_what_followed(told: Told) -> None:
    page, plain = told.page("lots"), text(told.page("lots"))
    dice = [lot for entry in told.entries for lot in entry.get("draws", ())]
    assert len([lot for lot in dice if "confidence" in lot["purpose"]]) == 2 * SLOTS
    for lot in dice:
        assert f'data-purpose="{lot["purpose"]}" data-among="{lot["among"]}" data-result="{lot["result"]}"' in page
        if "confidence" in lot["purpose"]:
            assert f"(“{lot['purpose']}”): {lot['result'] + 1} on a die with 6 faces" in plain
    assert "Dice for the confidence of anton:" in plain
    assert "anton: rolled" in plain
    assert told.json("game.json")["secret"] in page


def test_a_die_is_drawn_again_as_the_page_says(told: Told) -> None:
    """The line of Python that stands there, with its own figures."""
    key, message, among = re.search(
        r"hmac\.new\(b(?:'|&#39;)(\w+)(?:'|&#39;), b(?:'|&#39;)(.+)\|0(?:'|&#39;), .* % (\d+)\)", told.page("lots")
    ).groups()  # type: ignore[union-attr]
    last = [lot for entry in told.entries for lot in entry.get("draws", ())][-1]
    assert message == f"{told.tag}|{last['purpose']}"
    assert draw(key.encode(), message, int(among)) == last["result"]


@pytest.mark.slow
def test_the_secret_is_told_at_the_end_alone(told: Told) -> None:
    secret = told.json("game.json")["secret"].encode()
    early = [file for file in told.running.rglob("*") if file.is_file()]
    assert early
    assert not [file for file in early if secret in file.read_bytes()]


# -- the proof ---


def test_the_files_prove_the_game(told: Told) -> None:
    assert told.server.app.verify(told.tag).honest
    assert [proof.fault for root in (told.running, told.root) for proof in prove_archive(root)] == ["", ""]


def _other_die(entry: Any) -> None:
    lot = entry["draws"][-1]
    lot["result"] = (lot["result"] + 1) % 6


def _no_dice(entry: Any) -> None:
    entry["draws"] = []


def _other_confidence(entry: Any) -> None:
    for event in entry["events"]:
        for country in event.get("to", {}).get("countries", {}).values():
            country["confidence"] += 1


FORGED: Mapping[str, tuple[Callable[[Any], None], str]] = {
    "a die": (_other_die, r"entry \d+: the lot for '\d+ 2\.2 confidence .+' is not what the secret gives"),
    "no dice": (_no_dice, r"entry \d+ \(slot 2\.2, .+: rollout\): the game's secret gives other lots: .*"),
    "a result": (_other_confidence, r"entry \d+ \(slot 2\.2, .+: rollout\): today's rules would have Changed with .*"),
}


@pytest.mark.parametrize("what", FORGED)
def test_what_is_forged_with_all_its_digests_is_found(told: Told, what: str) -> None:
    """The chain, the positions, the record and what is told of them are made to fit."""
    forge, fault = FORGED[what]
    entries = told.entries
    forge([entry for entry in entries if any("confidence" in lot["purpose"] for lot in entry.get("draws", ()))][-1])
    proof = prove(refitted(published(told.root, told.tag, GAMES), entries), GAMES)
    assert re.fullmatch(fault, proof.fault), proof.fault


def refitted(found: Published, raws: list[Any]) -> Published:
    loaded = load_game(GAMES, COMMANDS, terms_of(found.setup))
    entries: list[Any] = []
    for raw in raws:
        entry = loaded.rules.decoder().decode(msgspec.json.encode(raw))
        entries.append(seal(replace(entry, prev=entries[-1].hash if entries else START)))
    over = whole(loaded, entries).over
    pages = [(each.after, plain(loaded.rules.view(each.after.state, None))) for each in over]
    return replace(
        found,
        log=tuple(map(write, entries)),
        record=play_file(found.game, loaded, entries),
        turns=tuple(Page(last=after.count.last, digest=after.prev, position=position) for after, position in pages),
    )


def plain(value: object) -> Any:
    return msgspec.json.decode(msgspec.json.encode(value))


def text(page: str) -> str:
    return " ".join(" ".join(html.fromstring(page).itertext()).split())
