"""Notes on a game that is over: made bit by bit, the same however often, and told on the pages of its turns."""

from __future__ import annotations

import json
import logging
from pathlib import Path
from typing import Any

import pytest
from lxml import html
from msgspec.structs import replace

from pbem.bootstrap import prove_archive
from pbem.core.seat import Setup
from pbem.games import GAMES
from pbem.host.archive import notes
from pbem.host.archive.archivist import Archivist
from tests.adapters.site_games import files
from tests.conformance.fake_game import CLAIMS_GAME
from tests.service.bureau import HOUR, Bureau

CHEAP = notes.EACH  # positions for one answer


@pytest.fixture
def over(monkeypatch: pytest.MonkeyPatch) -> Bureau:
    """A game that is over, in which somebody dug, somebody drilled, and somebody's time ran out."""
    monkeypatch.setitem(GAMES, CLAIMS_GAME.id, CLAIMS_GAME)  # type: ignore[attr-defined]
    desk = Bureau()
    desk.open(3, setup=Setup(game="claims"), bots="yes")
    seats = desk.document["seats"]
    claims = dict(zip(seats, (("amber", "birch"), ("cedar", "dune"), ("ember", "fjord")), strict=True))
    for turn in range(5):
        who = str(desk.document["awaiting"][0]["seat"])
        first, second = claims[who]
        if turn == 1:
            desk.tick(25 * HOUR)
        elif turn == 2:
            desk.server.app.moderate("imp-1", [f"bot {who}: a trial"])
            while str(desk.document["awaiting"][0]["seat"]) == who:
                desk.tick(HOUR)
            desk.server.app.moderate("imp-1", [f"no bot {who}: it was one"])
        else:
            desk.write(who, f"dig {first} {turn + 1}\ndrill {second}\nrest")
    if desk.game.status == "running":
        who = str(desk.document["awaiting"][0]["seat"])
        desk.write(who, f"drill {claims[who][0]}\nrest")
    while desk.game.status == "running":
        desk.write(str(desk.document["awaiting"][0]["seat"]), "rest")
    return desk


def archivist(desk: Bureau, root: Path) -> Archivist:
    return desk.server.archivist(root, notes=True)


def noted(root: Path) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads((root / "imp-1/notes.json").read_text())["notes"]
    return found


def words(page: Path) -> str:
    return " ".join(html.parse(str(page)).getroot().text_content().split())


def test_what_players_gave_is_judged_and_nothing_else(over: Bureau, tmp_path: Path) -> None:
    keeper = archivist(over, tmp_path)
    keeper.build()
    assert not (tmp_path / "imp-1/notes.json").exists()
    assert "Looking back" not in words(tmp_path / "imp-1/turn-1/index.html")
    assert [*keeper.annotate()] == ["imp-1"]
    made = noted(tmp_path)
    causes = {entry["seq"]: entry["cause"]["kind"] for entry in over.entries}
    assert {causes[note["entry"]] for note in made} == {"letter", "lapse"}
    assert {"bot", "letter", "lapse"} <= {*causes.values()}
    digs = [note for note in made if note["played"].startswith("dig")]
    assert digs
    assert all(note["lost"] == 6 - int(note["played"].split()[-1]) for note in digs)
    assert [*keeper.annotate()] == []


def test_pages_tell_them(over: Bureau, tmp_path: Path) -> None:
    keeper = archivist(over, tmp_path)
    keeper.build()
    before = files(tmp_path)
    [*keeper.annotate()]
    turns = {f"imp-1/turn-{note['turn']}/index.html" for note in noted(tmp_path)}
    changed = {path for path, raw in files(tmp_path).items() if before.get(path) != raw}
    assert changed == {"imp-1/index.html", "imp-1/game.json", "imp-1/notes.json", *turns}  # all else stays as it was
    first = words(tmp_path / "imp-1/turn-1/index.html")
    worst = max(noted(tmp_path), key=lambda note: note["lost"])
    assert "Looking back" in first
    assert "The bot would have played: dig" in words(tmp_path / f"imp-1/turn-{worst['turn']}/index.html")
    page = html.parse(str(tmp_path / "imp-1/index.html")).getroot()
    (lost,) = page.xpath("//section[@id='lost']")
    assert lost.xpath(".//a/@href")[0].startswith("turn-")
    for link in lost.xpath(".//a/@href"):
        place = tmp_path / "imp-1" / link.partition("#")[0] / "index.html"
        assert html.parse(str(place)).getroot().xpath("//section[@id='notes']")
    assert page.xpath("//a[@href='notes.json']")
    assert all(not proof.fault for proof in prove_archive(tmp_path))


def test_bit_by_bit_they_are_what_they_are_at_once(
    over: Bureau, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In rounds of one answer, each by another daemon; and made once more behind the removal of all that there was."""
    at_once, bit_by_bit = tmp_path / "at_once", tmp_path / "bit_by_bit"
    keeper = archivist(over, at_once)
    keeper.build()
    [*keeper.annotate()]
    monkeypatch.setattr(notes.Annotator.go_on, "__defaults__", (CHEAP,))
    archivist(over, bit_by_bit).build()
    rounds = 0
    while not (bit_by_bit / "imp-1/notes.json").exists():
        archivist(over, bit_by_bit).update()
        rounds += 1
    assert rounds >= len(noted(at_once))
    assert files(bit_by_bit) == files(at_once)


def test_a_round_of_the_daemon_makes_some(over: Bureau, tmp_path: Path) -> None:
    """Of games that ended before it looked, and of those that end later."""
    keeper = archivist(over, tmp_path)
    keeper.update()
    while not (tmp_path / "imp-1/notes.json").exists():
        keeper.update()
    assert "Looking back" in words(tmp_path / "imp-1/turn-1/index.html")
    before = files(tmp_path)
    keeper.update()
    assert files(tmp_path) == before


def test_what_cannot_be_judged_leaves_the_others_their_notes(
    over: Bureau, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    keeper = archivist(over, tmp_path)
    keeper.build()
    with caplog.at_level(logging.ERROR):
        [*keeper.annotate()]
    assert noted(tmp_path)
    assert not any(note["played"] == "drill ember" for note in noted(tmp_path))
    drilled = any(
        answer["order"].get("claim") == "ember" and answer["order"]["type"] == "Drill"
        for entry in over.entries
        for answer in entry["answers"]
    )
    assert ("could not be judged" in caplog.text) == drilled


def test_notes_on_another_course_of_the_game_are_made_anew(over: Bureau, tmp_path: Path) -> None:
    """As after books that were put back from a copy."""
    keeper = archivist(over, tmp_path)
    keeper.build()
    [*keeper.annotate()]
    before, file = files(tmp_path), tmp_path / "imp-1/notes.json"
    file.write_text(json.dumps({**json.loads(file.read_text()), "log": "another"}))
    archivist(over, tmp_path).build()
    assert not file.exists()
    assert [*archivist(over, tmp_path).annotate()] == ["imp-1"]
    assert files(tmp_path) == before


def test_a_game_without_a_critic_has_none(over: Bureau, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(GAMES, CLAIMS_GAME.id, replace(CLAIMS_GAME, critic=None))  # type: ignore[attr-defined]
    keeper = archivist(over, tmp_path)
    keeper.update()
    assert [*keeper.annotate()] == []
    assert not (tmp_path / "imp-1/notes.json").exists()
    page = html.parse(str(tmp_path / "imp-1/index.html")).getroot()
    assert not page.xpath("//section[@id='lost']")
    assert not page.xpath("//a[@href='notes.json']")
