"""The archive as files: the same however it grew, whole at any time, with nothing in it that is nobody's business."""

from __future__ import annotations

import json
import mailbox
import os
import re
import shutil
import urllib.request
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from datetime import UTC, datetime
from http.client import HTTPConnection
from itertools import pairwise
from pathlib import Path
from threading import Thread
from typing import Any
from urllib.parse import urljoin, urlsplit

import pytest
from jinja2 import UndefinedError
from lxml import etree, html
from msgspec.structs import replace

from pbem.adapters.site.files import Folder
from pbem.adapters.site.find import Index, Vocabulary, kept, renewed, widened, words_of
from pbem.adapters.site.lists import BY, list_of
from pbem.adapters.site.pages import SitePages, site_pages
from pbem.adapters.site.records import Card, GameFile, Tallies
from pbem.adapters.site.serving import web_server
from pbem.adapters.site.tables import counted, places, ranked
from pbem.bootstrap import prove_archive
from pbem.core.languages import LANGUAGES
from pbem.files import resource
from pbem.games import GAMES
from pbem.games.imperial import GAME
from pbem.host.clock.slots import note
from pbem.host.play.adjudicator import Adjudicator
from pbem.host.ports import Press
from pbem.host.reporting.publish import publish
from pbem.host.session.acts import Decided, Deemed, Ended, Petitioned, Rewound, Voted, Withdrawn
from pbem.render.wording import own_sentences
from tests.adapters.site_games import SHORT, Archive, Club, files
from tests.rules.tables import SECRET, Match
from tests.service.bureau import HOUR, Bureau
from tests.service.test_moderation import MODERATOR, appoint

ATOM = {"a": "http://www.w3.org/2005/Atom"}
HEAVIEST = 150_000  # bytes of a page without its pictures


# -- how it grows ---


@pytest.mark.slow
def test_an_archive_that_grew_turn_by_turn_is_the_one_made_at_once(tmp_path: Path) -> None:
    club = Club()
    grown = Archive(tmp_path / "grown", club)
    for match, most in ((SHORT, 100), (Match(seed=2, players=2), 9)):
        tag = club.begin(match)
        grown.archivist.update()
        for step in club.steps(tag, match, most):
            if step < 5 or step % 5 == 0:
                grown.archivist.update()
    grown.archivist.update()
    built = Archive(tmp_path / "built", club)
    built.archivist.build()
    ours, theirs = files(grown.root), files(built.root)
    assert ours.keys() == theirs.keys()
    assert [path for path in ours if ours[path] != theirs[path]] == []


def test_nothing_new_touches_nothing(tmp_path: Path) -> None:
    archive = Archive(tmp_path, Club())
    archive.club.play(SHORT, 9)
    archive.archivist.build()
    before = {path: (tmp_path / path).stat().st_mtime_ns for path in files(tmp_path)}
    archive.archivist.build()
    archive.archivist.update()
    assert before == {path: (tmp_path / path).stat().st_mtime_ns for path in files(tmp_path)}


@pytest.mark.slow
def test_a_turn_touches_the_same_few_files_however_many_games_there_are(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("pbem.adapters.site.lists.BY", 9)
    club = Club()
    archive = Archive(tmp_path, club)
    touched = []
    for more in (2, 12):
        for _ in range(more):
            tag = club.begin(SHORT)
        archive.archivist.build()
        for _ in club.steps(tag, SHORT, 1):
            archive.archivist.update()
            before = {path: (tmp_path / path).stat().st_mtime_ns for path in files(tmp_path)}
        for _ in club.steps(tag, SHORT, 1):
            archive.archivist.update()
        after = {path: (tmp_path / path).stat().st_mtime_ns for path in files(tmp_path)}
        touched.append([path.replace(tag, "imp") for path in after if before.get(path) != after[path]])
    assert len(touched[0]) == len(touched[1]) <= 19


@pytest.mark.slow
@pytest.mark.parametrize(("language", "word"), [("de", "Runde"), ("it", "Giro")])
def test_a_game_is_told_again_in_full_when_the_words_change(tmp_path: Path, language: str, word: str) -> None:
    archive = Archive(tmp_path / "first", Club())
    archive.club.play(SHORT, 10)
    archive.archivist.build()
    archive.archivist = archive.club.server.archivist(archive.root, language=language)
    archive.archivist.build()
    fresh = Archive(tmp_path / "fresh", archive.club)
    fresh.archivist = archive.club.server.archivist(fresh.root, language=language)
    fresh.archivist.build()
    assert files(archive.root) == files(fresh.root)
    assert archive.page("").get("lang") == language
    assert word in archive.text("imp-1/turn-3")


@pytest.mark.slow
def test_what_broke_off_is_made_good(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Killed before any one of its files is put in place, the archive is whole again after the next time."""
    club = Club()
    archive = Archive(tmp_path / "a", club)
    tag = club.play(SHORT, 1)
    archive.archivist.build()
    for _ in club.steps(tag, replace(SHORT, seed=9), 1):
        pass
    before = files(archive.root)
    real, count = os.replace, 0

    def count_or_die(source: Path, target: Path) -> None:
        nonlocal count
        count -= 1
        if count == 0:
            raise KeyboardInterrupt
        real(source, target)

    archive.archivist.build()
    after = files(archive.root)
    writes = sum(before.get(path) != content for path, content in after.items())
    monkeypatch.setattr("pbem.adapters.site.files.os.replace", count_or_die)
    for last in range(1, writes + 1):
        shutil.rmtree(archive.root)
        for path, content in before.items():
            (archive.root / path).parent.mkdir(parents=True, exist_ok=True)
            (archive.root / path).write_bytes(content)
        count = last
        with pytest.raises(KeyboardInterrupt):
            archive.archivist.build()
        count = 0
        archive.archivist.build()
        left = {path: content for path, content in files(archive.root).items() if not path.endswith(".new")}
        assert left == after, last


def test_a_game_whose_pages_can_not_be_made_stays_as_it_was(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its files fit together, those of the others are brought up, and it is made good later."""
    club = Club()
    archive = Archive(tmp_path, club)
    for seed in (1, 2):
        club.play(replace(SHORT, seed=seed), 2)
    assert archive.archivist.build().failed == {}
    before = files(tmp_path)
    for tag in ("imp-1", "imp-2"):
        for _ in club.steps(tag, replace(SHORT, seed=9), 3):
            pass
    real = SitePages.game

    def fail(self: SitePages, file: GameFile, *rest: Any) -> str:
        if file.game == "imp-1":
            raise UndefinedError("a fault of ours")
        return real(self, file, *rest)

    with monkeypatch.context() as patch:
        patch.setattr(SitePages, "game", fail)
        brought = archive.archivist.build()
        archive.archivist.update()
    assert (brought.told, [*brought.failed]) == (("imp-2",), ["imp-1"])
    after = files(tmp_path)
    assert {path for path in after if path.startswith("imp-1/") and after[path] != before.get(path)} == set()
    assert after["imp-2/game.json"] != before["imp-2/game.json"]
    assert [proof.fault for proof in prove_archive(tmp_path)] == ["", ""]
    archive.archivist.update()
    assert files(tmp_path)["imp-1/game.json"] != before["imp-1/game.json"]
    assert [proof.fault for proof in prove_archive(tmp_path)] == ["", ""]


def test_what_was_taken_back_is_gone_and_the_log_keeps_it(tmp_path: Path) -> None:
    club = Club()
    archive = Archive(tmp_path, club)
    tag = club.play(SHORT, 6)
    archive.archivist.update()
    newest = archive.json("imp-1/game.json")["turns"][-1]["number"]
    with club.server.games.work() as desk:
        game = desk.game(tag)
        course = club.server.games.positions(desk.repository, game)
        then = next(position for position in course if position.turn == newest - 1)
        Adjudicator(desk.session(game)).rewind(
            club.clock.now(), then, Rewound(by="operator", turn=then.turn, why="A wrong die.")
        )
        publish(desk, game, club.clock.now())
    archive.archivist.update()
    assert f"Turn {newest} was taken back" in archive.text(f"imp-1/turn-{newest}")
    assert not (tmp_path / f"imp-1/turn-{newest}/position.json").exists()
    assert f"turn-{newest}/" not in (tmp_path / "index.html").read_text("utf-8")
    assert f"turn-{newest}/" not in (tmp_path / "imp-1/feed.xml").read_text("utf-8")
    assert [proof.fault for proof in prove_archive(tmp_path)] == [""]
    for _ in club.steps(tag, SHORT, 4):
        pass
    archive.archivist.update()
    assert "was taken back" not in archive.text(f"imp-1/turn-{newest}")
    said = archive.text(f"imp-1/turn-{newest - 1}")
    assert f"operator took the game back to turn {newest - 1}. A wrong die." in said
    assert [proof.fault for proof in prove_archive(tmp_path)] == [""]


# -- what is in it ---


def pages_of(archive: Archive) -> Sequence[str]:
    return [path for path in files(archive.root) if path.endswith(".html")]


def test_every_link_leads_somewhere(archive: Archive) -> None:
    there = files(archive.root)
    for path in pages_of(archive):
        page = html.fromstring(there[path].decode())
        for element, _, link, _ in page.iterlinks():
            if element.get("rel") != "prefetch" and not urlsplit(link).scheme:
                target = urlsplit(urljoin(f"/{path}", link)).path[1:]
                target = target + "index.html" if not target or target.endswith("/") else target
                assert target in there, (path, link)


def test_no_page_is_heavy(archive: Archive) -> None:
    there = files(archive.root)
    shared = sum(len(content) for path, content in there.items() if path.startswith("assets/"))
    heaviest = max(pages_of(archive), key=lambda path: len(there[path]))
    assert len(there[heaviest]) + shared < HEAVIEST, heaviest


def test_nothing_tells_an_address(archive: Archive) -> None:
    for path, content in files(archive.root).items():
        addresses = {*re.findall(rb"[\w.+-]+@[\w-]+\.\w[\w.]*", content)}
        assert {address.partition(b"@")[2] for address in addresses} <= {b"archive.invalid"}, path
        assert b"secret-home" not in content, path


def test_pages_are_accessible(archive: Archive) -> None:
    for path in pages_of(archive):
        page = html.parse(archive.root / path).getroot()
        assert page.get("lang") == "en"
        (skip,) = page.xpath("//a[@class='skip']/@href")
        assert page.xpath("//main[@id='main']/descendant-or-self::*[@id=$id]", id=skip[1:]), path
        assert len(page.xpath("//h1")) == 1, path
        levels = [int(heading.tag[1]) for heading in page.xpath("//h1 | //h2 | //h3")]
        assert all(after <= before + 1 for before, after in pairwise(levels)), path
        assert all(image.get("alt") for image in page.xpath("//img")), path
        assert all(nav.get("aria-label") for nav in page.xpath("//nav")), path
        assert all(field.xpath("ancestor::label") for field in page.xpath("//input | //select")), path
        assert all(table.xpath("caption") and table.xpath(".//th[@scope]") for table in page.xpath("//table")), path
        names = [
            a.text_content().strip() or a.get("aria-label") or a.xpath("string(.//img/@alt)") for a in page.xpath("//a")
        ]
        assert all(names), path
        assert len({*page.xpath("//@id")}) == len(page.xpath("//@id")), path


def test_pages_load_nothing_from_elsewhere(archive: Archive) -> None:
    for path, content in files(archive.root).items():
        if path.endswith((".html", ".css", ".js", ".svg")):
            assert not re.search(rb"(src|href|url\()\s*=?\s*[\"']?(https?:)?//", content), path


def test_a_turn_page_tells_orders_sentences_money_and_position(archive: Archive) -> None:
    taxed = next(line for line in archive.json("imp-1/game.json")["turns"] if line["action"] == "taxation")
    text = archive.text(f"imp-1/turn-{taxed['number']}")
    assert re.search(r"Round \d+, [\w-]+( \w+)?: taxation", text)
    assert "wrote:" in text
    assert "of tax revenue from" in text
    assert "The nations Austria-Hungary" in text
    assert taxed["digest"] in text


def test_the_game_page_tells_the_end_and_the_secret(archive: Archive) -> None:
    text = archive.text("imp-1")
    game = archive.json("imp-1/game.json")
    assert "The final standings" in text
    assert game["secret"] in text
    assert f"Won by {game['winners'][0]}" in text
    assert "Won by" not in archive.text("imp-2")
    assert archive.json("imp-2/game.json")["secret"] is None


def test_charts_show_the_last_turn_of_each_round(archive: Archive) -> None:
    chart = etree.parse(archive.root / "imp-1/charts/power.svg").getroot()
    game, position = archive.json("imp-1/game.json"), archive.json("imp-1/turn-2/position.json")
    last = {nation: amounts[-1] for nation, amounts in game["series"]["power"].items()}
    told = chart.findtext("{http://www.w3.org/2000/svg}desc")
    assert str(max(last.values())) in told
    assert {nation: amounts[2] for nation, amounts in game["series"]["treasury"].items()} == {
        nation: row["treasury"] for nation, row in position["nations"].items()
    }


def test_the_course_marks_battles_and_governments_and_tells_who_governed_when(archive: Archive) -> None:
    turns, page = archive.json("imp-1/game.json")["turns"], archive.page("imp-1")
    marked = {link.get("href") for link in page.xpath("//table[@class='course']//a[span[@aria-label='battle']]")}
    assert marked == {f"turn-{turn['number']}/" for turn in turns if turn["battles"]}
    assert marked
    changes = [turn for turn in turns if "austria_hungary" in turn["governments"]]
    reigns = page.xpath("//dl[@class='control']/dd[1]/a")
    assert [link.get("href") for link in reigns] == [f"turn-{turn['number']}/" for turn in changes]
    assert [link.text for link in reigns] == [turn["governments"]["austria_hungary"] or "–" for turn in changes]


def test_bonds_stand_beside_the_board_the_free_ones_last(archive: Archive) -> None:
    view = archive.json("imp-1/turn-9/position.json")
    *players, free = archive.page("imp-1/turn-9").xpath("//table[@class='bonds']/tbody/tr")
    held = {row.xpath("th")[0].text: [cell.text_content() for cell in row.xpath("td")] for row in players}
    for seat, row in view["players"].items():
        assert held[seat] == [" ".join(map(str, row["bonds"].get(nation, ()))) or "–" for nation in view["nations"]]
    assert sum(len(row.xpath("td/b")) for row in players) == 6  # each nation has one government
    assert free.text_content().startswith("free")


def test_a_stranger_is_told_who_leads_what_comes_next_and_what_the_words_mean(archive: Archive) -> None:
    for path, over in (("imp-2/turn-1", False), ("imp-2", False), ("imp-1", True)):
        page = archive.page(path)
        heads = [each.text_content() for each in page.xpath("//h2")]
        assert ("Points, if the game ended now" in heads) is not over, path  # then the standings tell it
        assert ("The final standings" in heads) is over, path
        assert ("Who is next" in heads) is not over, path
        assert all(each.text_content().strip() for each in page.xpath("//details[@class='reading']//dt | //dd"))
    view = archive.json("imp-2/turn-1/position.json")
    page = archive.page("imp-2/turn-1")
    leads = page.xpath("//section[h2='Points, if the game ended now']//li")
    told = [(each.text.strip(), int(each.xpath("string(b)"))) for each in leads]
    assert dict(told) == view["running"]
    assert [points for _, points in told] == sorted(view["running"].values(), reverse=True)


def test_a_page_is_described_in_whole_words(archive: Archive) -> None:
    for path in ("", "players", "players/1", "nations", "search", "games/imp-1", "imp-1", "imp-1/turn-9"):
        (about,) = archive.page(path).xpath("//meta[@name='description']/@content")
        assert 10 < len(about) <= 162, path
        assert about.endswith((".", " …")), (path, about)


def test_the_log_is_as_it_was_stored(archive: Archive) -> None:
    with archive.club.store.transaction() as repository:
        stored = repository.entries("imp-1")
    assert (archive.root / "imp-1/log.jsonl").read_bytes() == b"".join(raw + b"\n" for raw in stored)
    assert archive.club.server.app.record("imp-1") == (archive.root / "imp-1/imp-1.play").read_text("utf-8")


def test_the_reports_are_a_mailbox(archive: Archive) -> None:
    box = mailbox.mbox(archive.root / "imp-1/reports.mbox", create=False)
    turns = archive.json("imp-1/game.json")["turns"]
    assert len(box) == len(turns)
    last = box[len(turns) - 1]
    assert last["Subject"].startswith("[imp-1] The game is over")
    assert "THE NATIONS" in last.get_payload(decode=True).decode()
    assert len({message["Message-ID"] for message in box}) == len(turns)
    box.close()


@pytest.mark.parametrize("path", ["feed.xml", "imp-1/feed.xml"])
def test_feeds_are_atom(archive: Archive, path: str) -> None:
    atom = "{http://www.w3.org/2005/Atom}"
    feed = etree.fromstring((archive.root / path).read_bytes())
    entries = feed.findall(f"{atom}entry")
    assert feed.tag == f"{atom}feed"
    assert 10 <= len(entries) <= 30
    for element in (feed, *entries):
        assert all(element.findtext(f"{atom}{name}") for name in ("id", "title", "updated"))
    times = [entry.findtext(f"{atom}updated") for entry in entries]
    assert times == sorted(times, reverse=True)
    assert feed.findtext(f"{atom}updated") == times[0]
    assert len({entry.findtext(f"{atom}id") for entry in entries}) == len(entries)
    for entry in entries:
        link = entry.find(f"{atom}link").get("href")
        assert (archive.root / os.path.normpath(f"{os.path.dirname(path)}/{link}".lstrip("/")) / "index.html").exists()
        assert entry.find(f"{atom}content")[0].tag == "{http://www.w3.org/1999/xhtml}div"


def test_a_feed_says_where_the_archive_is(tmp_path: Path) -> None:
    club = Club()
    club.play(SHORT, 3)
    club.server.archivist(tmp_path, url="https://games.example.org/").build()
    for path in ("feed.xml", "imp-1/feed.xml"):
        links = re.findall(r'href="([^"]*)"', (tmp_path / path).read_text("utf-8"))
        assert all(link.startswith("https://games.example.org/") for link in links)


def test_ids_in_feeds_are_this_servers_and_for_ever(tmp_path: Path) -> None:
    """RFC 4151: with the domain of the server; what was published under an id keeps it, whatever becomes of its page."""
    club = Club()
    tag = club.play(SHORT, 3)
    ids: list[list[str]] = []
    for language, url in (("en", ""), ("de", ""), ("de", "https://games.example.org/")):
        club.server.archivist(tmp_path, language=language, url=url).build()
        feeds = [etree.parse(tmp_path / path) for path in ("feed.xml", f"{tag}/feed.xml")]
        ids.append([id_ for feed in feeds for id_ in feed.xpath("//a:id/text()", namespaces=ATOM)])
    day = f"{datetime.fromtimestamp(club.clock.now(), UTC):%Y}"
    assert ids[0] == ids[1] == ids[2]
    assert all(re.match(rf"tag:pbem\.test,({day}-\d\d-\d\d|2025):", id_) for id_ in ids[0])
    assert len({*ids[0]}) == 2 + (len(ids[0]) - 2) // 2  # two feeds of the same turns
    other = Club()
    other.clock.advance(86_400)
    other.play(SHORT, 3)
    other.server.archivist(tmp_path / "other").build()
    found = etree.parse(tmp_path / "other/feed.xml").xpath("//a:entry/a:id/text()", namespaces=ATOM)
    assert not {*found} & {*ids[0]}


def test_an_id_that_the_first_archives_published_stays(tmp_path: Path) -> None:
    club = Club()
    tag = club.play(SHORT, 3)
    archive = Archive(tmp_path, club)
    archive.archivist.build()
    old = archive.json(f"{tag}/game.json")
    for one in old["recent"]:
        del one["id"]
    (tmp_path / tag / "game.json").write_text(json.dumps({**old, "made": "0.3.0"}))
    for _ in club.steps(tag, SHORT, 1):
        pass
    archive.archivist.update()
    ids = etree.parse(tmp_path / tag / "feed.xml").xpath("//a:entry/a:id/text()", namespaces=ATOM)
    assert [id_.partition(",")[0] for id_ in ids] == ["tag:pbem.test"] + ["tag:pbem.invalid"] * len(old["recent"])


def test_any_web_server_may_read_the_archive_and_nothing_else(tmp_path: Path) -> None:
    """Under the umask of the printed unit, and when it had been made so before."""
    before = os.umask(0o077)
    try:
        archive = Archive(tmp_path / "of" / "games", Club())
        archive.club.play(SHORT, 3)
        archive.archivist.build()
        (tmp_path / "private").write_text("a key")
        (archive.root / "link").symlink_to(tmp_path / "private")
        for narrow in (False, True):
            if narrow:
                for path in [archive.root, *archive.root.rglob("*")]:
                    if not path.is_symlink():
                        path.chmod(0o700 if path.is_dir() else 0o600)
                archive.archivist.build()
            everything = [path for path in [archive.root, *archive.root.rglob("*")] if not path.is_symlink()]
            modes = {(path.is_dir(), path.stat().st_mode & 0o777) for path in everything if path.name != ".lock"}
            assert modes == {(True, 0o755), (False, 0o644)}
        assert (tmp_path / "private").stat().st_mode & 0o777 == 0o600
    finally:
        os.umask(before)


def test_petitions_stand_beside_the_turn_in_which_they_were_posted(tmp_path: Path) -> None:
    club = Club()
    archive = Archive(tmp_path, club)
    tag = club.play(SHORT, 3)
    posted = Petitioned(
        by="bert",
        number=1,
        kind="change",
        title="A slower clock",
        text="Two days\neach.",
        sets=(("slot_hours", "48"),),
        electors=("anton", "bert", "claudia"),
        closes=2_000_000_000,
    )
    with club.server.games.work() as desk:
        session, now = desk.session(desk.game(tag)), club.clock.now()
        note(session, now, posted)
        note(session, now, Voted(by="anton", number=1, vote="against", comment="Too <slow>."))
        note(session, now, Deemed(by="clock", seat="claudia", numbers=(1,)))
        note(session, now, Decided(by="clock", number=1, passed=False))
        note(session, now, replace(posted, number=2, title="Peace", text="", sets=()))
        note(session, now, Withdrawn(by="bert", number=2))
    for _ in club.steps(tag, replace(SHORT, seed=8), 1):
        archive.archivist.build()
    newest = archive.json("imp-1/game.json")["turns"][-1]["number"]
    page = archive.page(f"imp-1/turn-{newest}")
    told = [" ".join(p.text.split()) for p in page.xpath("//section[@class='acts']//p")]
    told = [line for line in told if "0:00 hours" not in line]  # how long answers took
    assert told == [
        "bert posts P-1: A slower clock (slot_hours = 48)",
        "anton votes on P-1: Against. Too <slow>.",
        "claudia has rolled out: the vote on P-1 stands, and counts as Quorum where there was none.",
        "P-1 has failed.",
        "bert posts P-2: Peace",
        "bert withdraws P-2.",
    ]
    assert page.xpath("string(//section[@class='acts']//blockquote)") == "Two days\neach."
    assert [proof.fault for proof in prove_archive(tmp_path)] == [""]


def test_the_move_order_sheet_tells_how_each_turn_was_closed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Who answered how fast, whose time was ended by whom, and what a moderator did for whom and why."""
    monkeypatch.setattr("pbem.core.chance.draw", lambda *_: 0)
    bureau = Bureau()
    bureau.open()
    appoint(bureau, MODERATOR)
    bureau.clock.advance(3 * HOUR)
    bureau.write("anton", "austria: taxation")
    bureau.write("claudia", "advance france: taxation")
    for _ in range(30):
        bureau.tick(HOUR)  # bert writes nothing
    bureau.write(MODERATOR, "act for daniel, he is ill: britain: taxation")
    bureau.server.archivist(tmp_path).build()
    pages = [html.fromstring((tmp_path / f"imp-1/turn-{n}/index.html").read_text("utf-8")) for n in range(1, 5)]
    sheets = [" ".join(page.xpath("string(//section[@class='sheet'])").split()) for page in pages]
    assert "anton, Austria-Hungary’s turn: 3:00 hours, from" in sheets[0]
    assert "bert, Italy’s turn: 2" in sheets[1]
    assert re.search("Rolled out by the clock, [^;]*; witness: claudia", sheets[1])
    assert "Nothing was on file, so nothing was made up." in sheets[1]
    assert "claudia, France’s turn: at once" in sheets[2]
    deeds = " ".join(pages[3].xpath("string(//section[@class='acts'])").split())
    assert "moderator Zoe gave orders for daniel: britain: taxation" in deeds
    assert "he is ill" in deeds
    assert "The moderator wrote for daniel:" in pages[3].text_content()
    front = html.fromstring((tmp_path / "imp-1/index.html").read_text("utf-8"))
    rows = [[cell.text_content() for cell in row] for row in front.xpath("//table[@class='league']/tbody/tr")]
    assert [row[:2] for row in rows[:3]] == [["anton", "1"], ["bert", "1"], ["claudia", "1"]]
    assert rows[0] == ["anton", "1", "3:00", "0", "0"]
    assert rows[1][-1] == "1"
    assert "0:00 hours" not in deeds
    (proof,) = prove_archive(tmp_path)
    assert proof.fault == ""


def test_why_a_game_was_ended_is_told(tmp_path: Path) -> None:
    club = Club()
    archive = Archive(tmp_path, club)
    tag = club.play(SHORT, 3)
    with club.server.games.work() as desk:
        note(desk.session(desk.game(tag)), club.clock.now(), Ended(by="operator", why="Nobody <writes>."))
        publish(desk, desk.game(tag), club.clock.now())
    archive.archivist.update()
    text = archive.text("imp-1")
    assert "Ended before its time" in text
    assert "operator ended the game before its end. Nobody <writes>." in text
    assert archive.text("players").endswith(
        "No game is finished yet. Made by pbem, the adjudicator of these games. The times are UTC."
    )
    assert [proof.fault for proof in prove_archive(tmp_path)] == [""]


def test_press_stands_beside_its_turn(tmp_path: Path) -> None:
    archive = Archive(tmp_path, Club())
    tag = archive.club.begin(SHORT)
    shouted = Press(
        number=1, at=archive.club.clock.advance(9), seat="bert", to=("all",), text="<b>Peace!</b>\nor not", answer="a.1"
    )
    with archive.club.store.transaction() as repository:
        repository.add_press(tag, shouted)
    archive.archivist.build()
    assert "Press to all bert" in archive.text("imp-1")
    assert "Press to all" not in archive.text("imp-1/turn-0")
    for _ in archive.club.steps(tag, SHORT, 1):
        archive.archivist.update()
    assert archive.page("imp-1/turn-1").xpath("string(//blockquote)") == "<b>Peace!</b>\nor not"
    assert "Press to all" not in archive.text("imp-1")
    assert index_of(archive, "imp-1").words["peace"] == (1,)


def test_secret_cash_is_nowhere_before_the_end(tmp_path: Path) -> None:
    match = replace(SHORT, options=SECRET)
    club = Club()
    archive = Archive(tmp_path, club)
    tag = club.play(match, 9)
    archive.archivist.update()
    assert not (tmp_path / "imp-1/log.jsonl").exists()
    assert not (tmp_path / "imp-1/imp-1.play").exists()
    assert "Something of this game is still secret: cash" in archive.text("imp-1")
    assert {file.name for file in (tmp_path / "imp-1/charts").iterdir()} == {"power.svg", "treasury.svg"}
    assert {row["cash"] for row in archive.json("imp-1/turn-3/position.json")["players"].values()} == {None}
    assert next(str(proof) for proof in prove_archive(tmp_path)).endswith(
        "its log is sealed while it would tell a secret"
    )
    for _ in club.steps(tag, match):
        pass
    archive.archivist.update()
    assert [proof.fault for proof in prove_archive(tmp_path)] == [""]
    assert "The record as a play file" in archive.text("imp-1")


def test_an_archive_is_proved_from_its_files(archive: Archive, tmp_path: Path) -> None:
    assert [proof.fault for proof in prove_archive(archive.root)] == ["", "", ""]
    copy = tmp_path / "copy"
    shutil.copytree(archive.root, copy)
    (copy / "imp-2/turn-2/position.json").unlink()
    assert [proof.fault for proof in prove_archive(copy)] == ["", "turn 2: the position is not what the log gives", ""]


def _without_its_last_line(text: str) -> str:
    return "".join(text.splitlines(keepends=True)[:-1])


def _sealed(text: str) -> str:
    return text.replace('"sealed":false', '"sealed":true')


def _hushed(text: str) -> str:
    return re.sub(r'"secret":"\w+"', '"secret":null', text)


TAMPERED: Mapping[str, tuple[str, Callable[[str], str], str]] = {
    "an order": ("log.jsonl", lambda t: t.replace("taxation", "investor", 1), r"entry \d+: .* does not fit its digest"),
    "the end of the log": ("log.jsonl", _without_its_last_line, r"the log tells \d+ turns, but \d+ are published"),
    "an entry": ("log.jsonl", lambda t: re.sub(r"\n.*\n", "\n", t, count=1), "entry 1: .* the chain is broken"),
    "a link": ("log.jsonl", lambda t: re.sub(r'"prev":"[1-9a-f]', '"prev":"0', t), "entry [01]: .*"),
    "a lot": ("log.jsonl", lambda t: re.sub(r'"result":\d', '"result":9', t, count=1), "entry 0: .* its digest"),
    "a treasury": (
        "turn-7/position.json",
        lambda t: t.replace('"treasury":', '"treasury":1', 1),
        "turn 7: the position is not what the log gives",
    ),
    "no JSON": ("turn-7/position.json", lambda t: t[:-9], "turn 7: the position is not what the log gives"),
    "the play file": ("imp-1.play", lambda t: t.replace("taxation", "investor", 1), "the play file is not .*"),
    "the secret": ("game.json", lambda t: t.replace('"secret":"', '"secret":"0'), "the secret is not the one .*"),
    "no secret": ("game.json", _hushed, "the game is over, but the secret of its lots is not told"),
    "not over": (
        "game.json",
        lambda t: _hushed(t.replace('"finished":true', '"finished":false')),
        "the game is over, but the secret of its lots is not told",
    ),
    "sealed": ("game.json", _sealed, "its log is kept back, but there is nothing secret in it"),
    "a digest": ("game.json", lambda t: re.sub(r'"digest":"\w', '"digest":"z', t, count=1), "turn 0 ends with .*"),
    "who won": (
        "game.json",
        lambda t: re.sub(r'"winners":\["', '"winners":["x', t),
        "game.json tells another result .*",
    ),
    "a score": (
        "game.json",
        lambda t: re.sub(r'("scores":{"\w+":)', r"\g<1>9", t),
        "game.json tells another result .*",
    ),
    "a chart": (
        "game.json",
        lambda t: re.sub(r'("power":{"\w+":\[)', r"\g<1>9", t),
        "game.json tells other amounts .*",
    ),
    "a seat": ("game.json", lambda t: re.sub(r'"seats":\["\w', '"seats":["z', t, count=1), ".+"),
}


@pytest.mark.parametrize("what", TAMPERED)
def test_what_was_tampered_with_is_found_in_the_files(archive: Archive, tmp_path: Path, what: str) -> None:
    name, tamper, fault = TAMPERED[what]
    shutil.copytree(archive.root / "imp-1", tmp_path / "imp-1")
    file = tmp_path / "imp-1" / name
    text = file.read_text("utf-8")
    assert tamper(text) != text
    file.write_text(tamper(text), "utf-8")
    (proof,) = prove_archive(tmp_path)
    assert re.fullmatch(fault, proof.fault)


# -- the tables ---


PAGES = GAME.presenter.pages


def card(game: str, moved: int, **scores: int) -> Card:
    best = max(scores.values())
    return Card(
        game=game,
        edition="new",
        setup="standard",
        seats=tuple(scores),
        people={seat: ord(seat[0]) for seat in scores},
        began=0,
        moved=moved,
        finished=True,
        turns=9,
        round=9,
        own={
            "nation": None,
            "power": {"italy": 25, "france": 5},
            "government": {"italy": next(iter(scores)), "france": None},
        },
        scores=scores,
        who={},
        winners=tuple(seat for seat, points in scores.items() if points == best),
    )


def test_places_and_points_are_tallied() -> None:
    tallies = counted(
        Tallies(), [card("imp-1", 1, anna=9, ben=9, cleo=3), card("imp-2", 2, ben=5, anna=7)], lambda _: PAGES
    )
    assert places(card("imp-1", 1, anna=9, ben=9, cleo=3)) == {"anna": 1, "ben": 1, "cleo": 3}
    assert [
        (rank, each.name, each.games, each.wins, each.finishes, each.points) for rank, _, each in ranked(tallies)
    ] == [
        (1, "anna", 2, 2, [2], 16),
        (2, "ben", 2, 1, [1, 1], 14),
        (3, "cleo", 1, 0, [0, 0, 1], 3),
    ]
    italy, france = PAGES.tally_rows(tallies.own)
    assert (italy.games, italy.power, italy.ended, italy.won, italy.vacant) == (2, "25.0", "100 %", "50 %", "0 %")
    assert (france.ended, france.won, france.vacant) == ("0 %", "0 %", "100 %")


def test_of_equal_points_the_winner_is_first() -> None:
    tied = replace(card("imp-1", 1, anna=9, ben=9, cleo=3), winners=("ben",))
    assert places(tied) == {"anna": 2, "ben": 1, "cleo": 3}


def test_who_was_anonymous_is_called_as_before_or_by_his_name() -> None:
    hidden = replace(
        card("imp-2", 2, emu=9, yak=5), people={"emu": 97, "yak": 99}, who={"emu": "Anna A.", "yak": "Cleo C."}
    )
    tallies = counted(Tallies(), [card("imp-1", 1, anna=9, ben=5), hidden], lambda _: PAGES)
    assert {person: tally.name for person, tally in tallies.people.items()} == {
        "97": "anna",
        "98": "ben",
        "99": "Cleo C.",
    }


def test_a_game_of_nobody_counts_for_the_nations_only() -> None:
    tallies = counted(Tallies(), [replace(card("imp-1", 1, emu=9, yak=5), people={})], lambda _: PAGES)
    assert tallies.people == {}
    assert [row.games for row in PAGES.tally_rows(tallies.own)] == [1, 1]


def test_the_tables_are_on_their_pages(archive: Archive) -> None:
    game = archive.json("imp-1/game.json")
    assert game["winners"][0] in archive.text("players")
    assert "Austria-Hungary2" in archive.text("nations")
    person = game["people"][game["winners"][0]]
    assert "imp-1" in archive.text(f"players/{person}")
    assert "running" in archive.text(f"players/{person}")


# -- lists and search ---


def test_a_chart_says_what_it_shows(archive: Archive) -> None:
    power, _, score = archive.page("imp-1").xpath("//div[@class='charts']//img/@alt")
    last = archive.json("imp-1/game.json")["series"]
    assert power.startswith("Power points, round by round. After round ")
    assert re.findall(r" (\d+)[,.]", power) == [
        str(v[-1]) for v in sorted(last["power"].values(), key=lambda v: -v[-1])
    ]
    best = max(values[-1] for values in last["score"].values())
    ahead = [seat for seat, values in last["score"].items() if values[-1] == best]
    assert score.endswith(f" In front: {', '.join(ahead)}.")


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_game_without_a_turn_tells_what_it_waits_for(tmp_path: Path, language: str) -> None:
    club = Club()
    tag = club.begin(SHORT)
    archive = Archive(tmp_path, club)
    archive.archivist = club.server.archivist(tmp_path, language=language)
    archive.archivist.build()
    page, waits = archive.page(tag), archive.json(f"{tag}/game.json")["awaited"][0]["seat"]
    assert page.xpath("//table[@class='course'] | //div[@class='charts']") == []
    assert not (tmp_path / tag / "charts").exists()
    (told,) = page.xpath("//ul[@class='next']")
    assert waits in told.text_content()
    assert page.xpath("//input[@type='range'] | //button[@class='play'][not(@hidden)]") == []  # there is nowhere to go
    for _ in club.steps(tag, SHORT, 12):
        pass
    archive.archivist.update()
    assert len(archive.page(tag).xpath("//table[@class='course'] | //div[@class='charts']")) == 2


def test_games_stand_in_lists_of_fifty() -> None:
    assert [list_of(f"imp-{number}") for number in (1, BY, BY + 1, 10 * BY)] == ["imp-1", "imp-1", "imp-2", "imp-10"]
    assert list_of("odd") == "odd"


def index_of(archive: Archive, game: str) -> Index:
    return kept(Folder(archive.root), f"{game}/search.js", Index)


def test_a_list_of_games_knows_which_has_which_word(archive: Archive) -> None:
    words = kept(Folder(archive.root), "search/imp-1.js", Vocabulary)
    assert words.games == ("imp-1",)
    assert words.words.keys() == index_of(archive, "imp-1").words.keys()
    both = widened(words, "imp-9", ["rome", "zeppelin"])
    assert (both.words["rome"], both.words["zeppelin"]) == ((0, 1), (1,))
    assert "zeppelin" not in widened(both, "imp-9", ["rome"]).words


def test_words_are_folded_as_the_page_folds_them() -> None:
    assert words_of("Österreich-Ungarn’s 3 Armées, in_Rom 4m, groß") == {
        "gross",
        "osterreich",
        "ungarn",
        "armees",
        "in",
        "rom",
        "4m",
    }


def test_an_index_forgets_what_was_taken_back() -> None:
    index = renewed(Index(), 0, [(0, "Opening", "anton rome"), (1, "Italy", "rome naples")])
    again = renewed(index, 1, [(1, "Russia", "kiew rome")])
    assert again == Index(
        titles={"0": "Opening", "1": "Russia"},
        texts={"0": "anton rome", "1": "kiew rome"},
        words={"anton": (0,), "rome": (0, 1), "kiew": (1,)},
    )


def test_turns_are_found_by_places_and_players(archive: Archive) -> None:
    index = index_of(archive, "imp-1")
    game = archive.json("imp-1/game.json")
    assert index.titles.keys() == {str(line["number"]) for line in game["turns"]}
    assert index.words[game["setup"]["seats"][0]][0] == 0
    assert index.words["imp"] == (0,)
    for turn in index.words["taxation"]:
        assert "axation" in archive.text(f"imp-1/turn-{turn}")


# -- words, looks, serving ---


def test_the_archive_has_words_of_its_own() -> None:
    """No sentence of the letters is hidden by one of the archive's."""
    for language in LANGUAGES:
        assert not own_sentences("templates/site", language).keys() & own_sentences("templates/mail", language).keys()


def test_every_word_of_the_archive_is_used() -> None:
    folders = [resource("templates/site"), resource("games/imperial/templates")]
    files = [file for folder in folders for file in folder.iterdir()]
    templates = " ".join(file.read_text("utf-8") for file in files if file.name.endswith(".j2"))
    code = " ".join(path.read_text("utf-8") for path in (Path(__file__).parents[2] / "pbem/adapters/site").glob("*.py"))
    for key in own_sentences("templates/site", "en"):
        named = f"'{key}'" in templates or f'"{key}"' in code
        before = key.rpartition(".")[0]
        made = f"'{before}.' ~" in templates or f'"{before}.{{' in code
        built = (made and before != "site") or key.split(".")[1] in ("games", "players", "search")
        assert named or built, key


def test_every_act_has_a_sentence() -> None:
    from typing import get_args

    from pbem.host.session.acts import Act

    tags = {kind.__struct_config__.tag for kind in get_args(Act)}
    assert tags == {
        key.removeprefix("site.acts.") for key in own_sentences("templates/site", "en") if key.startswith("site.acts.")
    }


def schemes() -> Mapping[str, Mapping[str, str]]:
    """The colours of the style sheet, light and dark."""
    pages = site_pages(GAMES)
    css = next(content for name, content in pages.assets() if name == "site.css").decode()
    blocks = [re.findall(r"--(\w+): (#\w{6})", block) for block in re.findall(r":root \{(.*?)\}", css, re.S)]
    light, dark = (dict([*ours, *own]) for ours, own in zip(blocks[:2], blocks[2:], strict=True))
    return {"light": light, "dark": {**light, **dark}}


def luminance(colour: str) -> float:
    parts = [int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5)]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one: str, other: str) -> float:
    bright, dim = sorted((luminance(one), luminance(other)), reverse=True)
    return (bright + 0.05) / (dim + 0.05)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_contrast_is_enough(scheme: str) -> None:
    """WCAG 2.1, AA: 4.5 for text, 3 for what is drawn."""
    colours = schemes()[scheme]
    for ground in ("paper", "sheet"):
        for text in ("ink", "quiet", "accent", "link", "gain", "loss"):
            assert contrast(colours[text], colours[ground]) >= 4.5, (text, ground)
    assert contrast(colours["ink"], colours["mark"]) >= 4.5


@contextmanager
def served(root: Path) -> Iterator[tuple[str, int]]:
    web = web_server(root, "127.0.0.1", 0)
    thread = Thread(target=web.serve_forever)
    thread.start()
    try:
        yield "127.0.0.1", web.server_address[1]
    finally:
        web.shutdown()
        thread.join()
        web.server_close()


def test_a_browser_gets_pages_feeds_and_logs_as_what_they_are(archive: Archive) -> None:
    kinds = {}
    with served(archive.root) as (host, port):
        for path in ("", "imp-1/", "feed.xml", "imp-1/log.jsonl", "imp-1/imp-1.play", "imp-1/reports.mbox"):
            with urllib.request.urlopen(f"http://{host}:{port}/{path}") as answer:
                kinds[path] = answer.headers["Content-Type"].partition(";")[0]
    assert [*kinds.values()] == [
        "text/html",
        "text/html",
        "application/atom+xml",
        "application/jsonl",
        "text/plain",
        "application/mbox",
    ]


def test_nobody_is_led_out_of_the_archive(tmp_path: Path) -> None:
    root = tmp_path / "site"
    (root / "games").mkdir(parents=True)
    (root / "index.html").write_text("the archive")
    (tmp_path / "secret").mkdir()
    (tmp_path / "secret" / "index.html").write_text("a key")
    (root / "file").symlink_to(tmp_path / "secret" / "index.html")
    (root / "folder").symlink_to(tmp_path / "secret")
    (root / "same").symlink_to(root / "index.html")
    with served(root) as (host, port):
        answers = {}
        for path in ("", "same", "file", "folder/", "folder/index.html", "../secret/", "%2e%2e/secret/", "games/"):
            with closing(HTTPConnection(host, port)) as connection:
                connection.request("GET", f"/{path}")
                answer = connection.getresponse()
                answers[path] = answer.status
                assert b"a key" not in answer.read()
    assert answers == {**dict.fromkeys(answers, 404), "": 200, "same": 200}


def test_a_visitor_who_goes_away_is_no_fault(caplog: pytest.LogCaptureFixture) -> None:
    web = web_server(Path(), "127.0.0.1", 0)
    with closing(web.socket), caplog.at_level("INFO"):
        for fault in (BrokenPipeError("gone"), ConnectionResetError("gone"), KeyError("ours")):
            try:
                raise fault
            except (OSError, KeyError):
                web.handle_error(web.socket, ("127.0.0.1", 1))
    assert [record.levelname for record in caplog.records] == ["INFO", "INFO", "ERROR"]


def test_a_nation_without_a_government_so_far_has_no_reigns() -> None:
    pages, view = GAMES["imperial"].presenter.pages, {"nations": {"italy": {}, "france": {}}, "players": {"anton": {}}}
    italy, france = pages.control([{"governments": {"italy": "anton"}}, {"governments": {}}], view)
    assert [(one.seat, one.turn, one.turns) for one in italy.reigns] == [("anton", 0, 2)]
    assert france.reigns == ()
