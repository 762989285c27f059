"""What is published of leagues: pages, files and feeds, made of a season's log alone."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import get_args
from urllib.parse import urljoin

import pytest
from jinja2 import Environment, meta
from lxml import etree, html
from msgspec.structs import replace

from pbem.adapters.site import Site, find
from pbem.adapters.site.files import Folder
from pbem.adapters.site.season_pages import HIDDEN
from pbem.core.languages import LANGUAGES
from pbem.games import GAMES
from pbem.host.leagues.published import PublishedSeason
from pbem.league import acts
from pbem.league.log import CLOCK, behind, written
from pbem.league.settings import Rounds, Tables
from pbem.render.wording import sentences
from tests.league.played import Play, settings

NAMES = {number: f"Zanzibar{number:02}" for number in range(1, 31)}


def published(play: Play, upto: int | None = None) -> PublishedSeason:
    founded = play.entries[0].act
    assert isinstance(founded, acts.Founded)
    return PublishedSeason(
        tag=play.season.tag,
        league="euro",
        number=founded.season,
        settings=founded.settings,
        log=tuple(written(entry) for entry in play.entries[:upto]),
        names=NAMES,
    )


def kept(root: Path, season: PublishedSeason, language: str = "en") -> Site:
    site = Site(root, GAMES, language=language)
    with site.writing() as shelves:
        shelves.keep_season(season)
    return site


@pytest.fixture(scope="module")
def over() -> Play:
    play = Play(settings(), 14)
    play.play()
    return play


@pytest.fixture(scope="module", params=LANGUAGES)
def archive(request: pytest.FixtureRequest, over: Play, tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("leagues")
    kept(root, published(over), request.param)
    return root


def pages(root: Path) -> Iterator[Path]:
    return root.glob("leagues/**/index.html")


def test_each_link_leads_to_what_is_there(archive: Path) -> None:
    """But to games and players, whose folders are made of the games themselves."""
    for page in pages(archive):
        place = f"/{page.parent.relative_to(archive)}/"
        for link in html.fromstring(page.read_text("utf-8")).xpath("//main//a/@href | //footer//a/@href"):
            target = urljoin(place, link).lstrip("/")
            if target.startswith(("imp-", "players/")):
                continue
            file = archive / target / "index.html" if target.endswith("/") else archive / target
            assert file.is_file(), (place, link)


def test_nothing_is_left_unsaid(archive: Path) -> None:
    for page in pages(archive):
        text = html.fromstring(page.read_text("utf-8")).text_content()
        assert "site." not in text.replace("site.js", ""), page
        assert "{" not in text, page


def test_the_standings_say_what_the_log_gives(over: Play, archive: Path) -> None:
    ended = over.season.ended
    assert ended is not None
    page = html.fromstring((archive / "leagues/euro/1/2a/index.html").read_text("utf-8"))
    rows = [[cell.text_content() for cell in row] for row in page.xpath("(//table)[1]/tbody/tr")]
    wanted = [
        (str(each.place), NAMES[each.person], f"{each.points / 100:.2f}")
        for each in ended.standings
        if each.group == "2a"
    ]
    assert [(row[0], row[1], row[4]) for row in rows] == wanted


def test_sheets_have_the_columns_of_the_contract(over: Play, archive: Path) -> None:
    with (archive / "leagues/euro/1/results.csv").open(encoding="utf-8", newline="") as lines:
        rows = [*csv.DictReader(lines)]
    columns = "season,division,group,draw,table,game,began,ended,how,seat,person,name,position,place,score,points,rated,held_from,held_to,services"
    assert [*rows[0]] == columns.split(",")
    assert len(rows) == sum(len(table.people) for table in over.season.tables.values())
    whole = json.loads((archive / "leagues/euro/1/season.json").read_bytes())
    assert (whole["schema"], len(whole["acts"])) == ("pbem-league/1", len(over.entries))
    assert [row["place"] for row in whole["standings"]] == [
        each["place"] for each in json.loads((archive / "leagues/euro/1/standings.json").read_bytes())
    ]


def test_a_search_finds_the_season_by_its_name_and_its_groups_by_their_people(over: Play, archive: Path) -> None:
    folder = Folder(archive)
    assert b'"leagues/euro/1"' in (folder.read("search/seasons.js") or b"")
    index = find.kept(folder, "leagues/euro/1/search.js", find.PageIndex)
    assert [*index.paths] == ["", *(f"{name}/" for name in over.season.groups)]
    person = over.season.groups["2a"][0]
    (place,) = index.words[NAMES[person].lower()]
    assert index.paths[place] == "2a/"
    assert 0 in index.words["euro"]


def test_a_feed_tells_results_under_ids_of_their_own(archive: Path) -> None:
    for path in ("leagues/euro/feed.xml", "leagues/euro/1/feed.xml"):
        feed = etree.fromstring((archive / path).read_bytes())
        ids = feed.xpath("//a:entry/a:id/text()", namespaces={"a": "http://www.w3.org/2005/Atom"})
        assert len(ids) == len({*ids}) >= (3 if path == "leagues/euro/feed.xml" else 15)


def test_a_result_touches_few_files(over: Play, tmp_path: Path) -> None:
    before = next(place for place, entry in reversed([*enumerate(over.entries)]) if isinstance(entry.act, acts.Noted))
    kept(tmp_path, published(over, before))
    site = kept(tmp_path, published(over, before + 1))
    assert 0 < site.folder.written <= 12


@pytest.mark.parametrize("upto", [1, 2, 20, 36, 40, 55, None])
def test_an_archive_that_grew_is_the_one_made_at_once(
    over: Play, tmp_path: Path, upto: int | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("pbem.adapters.site.season_pages.BY", 10)
    for step in (1, 5, 30, 33, 42, 43, upto):
        if upto is None or (step or 0) <= upto:
            kept(tmp_path / "grown", published(over, step))
    kept(tmp_path / "at once", published(over, upto))
    assert _files(tmp_path / "grown") == _files(tmp_path / "at once")


def test_what_was_taken_back_is_told_by_all_pages(over: Play, tmp_path: Path) -> None:
    before = next(place for place, entry in enumerate(over.entries) if isinstance(entry.act, acts.Noted))
    noted, back = over.entries[before], acts.Rewound(to=before - 1)
    log = [*over.entries[: before + 1], behind(noted, noted.at, "operator", back)]
    log.append(behind(log[-1], noted.at, CLOCK, noted.act))
    for step in (before + 1, before + 2, before + 3):
        season = replace(published(over), log=tuple(map(written, log[:step])))
        kept(tmp_path / "grown", season)
    kept(tmp_path / "at once", season)
    assert _files(tmp_path / "grown") == _files(tmp_path / "at once")


def _files(root: Path) -> dict[str, bytes]:
    return {str(path.relative_to(root)): path.read_bytes() for path in root.rglob("*") if path.is_file()}


def test_who_shows_no_name_is_called_by_number(over: Play, tmp_path: Path) -> None:
    kept(tmp_path, replace(published(over), names={}))
    text = html.fromstring((tmp_path / "leagues/euro/1/2a/index.html").read_text("utf-8")).text_content()
    assert "player 10" in text


@pytest.mark.parametrize("kind", [each for each in get_args(acts.Act) if each not in HIDDEN])
def test_each_act_has_a_sentence_of_what_it_holds(kind: type[acts.Act]) -> None:
    tag, fields = kind.__struct_config__.tag, {*kind.__struct_fields__, "called", "say"}
    environment = Environment(autoescape=True)
    environment.filters["moment"] = str
    for language in LANGUAGES:
        said = sentences("templates/mail", language)[f"league_act.{tag}"]
        assert meta.find_undeclared_variables(environment.parse(said)) <= fields, language


def test_there_is_a_page_of_leagues_where_there_are_none(tmp_path: Path) -> None:
    with Site(tmp_path, GAMES).writing():
        pass
    assert "no league here yet" in (tmp_path / "leagues/index.html").read_text("utf-8")


def test_a_sealed_draw_tells_nothing_of_who_sits_where(tmp_path: Path) -> None:
    play = Play(settings(format="rounds", rounds=Rounds(count=2), table=Tables(anonymous="until_end")), 12)
    play.play(until=lambda what: what.what == "draw")
    play.do(acts.Sealed(number=1, digest="ab" * 32, tables=(1, 2, 3)))
    play.do(acts.Begun(table=1, game="imp-1"))
    season = published(play)
    kept(tmp_path, replace(season, names=NAMES))
    for place in ("draws/1", "tables", "tables/1"):
        text = (tmp_path / "leagues/euro/1" / place / "index.html").read_text("utf-8")
        assert "Zanzibar" not in text, place


@pytest.mark.parametrize(
    "formats", [lambda: settings(format="rounds"), lambda: settings(format="cup"), lambda: settings(format="series")]
)
def test_every_format_has_its_pages(formats: Callable[[], object], tmp_path: Path) -> None:
    play = Play(formats(), 16)  # type: ignore[arg-type]
    play.play()
    kept(tmp_path, published(play))
    assert len([*pages(tmp_path)]) > 10


@pytest.mark.parametrize(
    ("language", "line"), [("en", "enter euro"), ("de", "teilnehmen an euro"), ("it", "iscrivimi a euro")]
)
def test_the_page_of_a_league_says_how_to_enter(language: str, line: str, tmp_path: Path) -> None:
    play = Play(settings(), 14)
    play.play(until=lambda what: what.what == "call")
    kept(tmp_path, published(play), language)
    assert line in html.fromstring((tmp_path / "leagues/euro/index.html").read_text("utf-8")).text_content()
