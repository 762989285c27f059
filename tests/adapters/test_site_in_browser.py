"""The archive in a real browser: stepping, filters, search, narrow and dark, with and without scripts."""

from __future__ import annotations

import base64
import json
import re
from collections.abc import Iterator
from itertools import product
from pathlib import Path
from threading import Thread
from urllib.parse import quote
from xml.etree import ElementTree

import pytest

from pbem.adapters.site.serving import web_server
from pbem.core.languages import LANGUAGES
from tests.adapters.site_games import SHORT, Archive, Club
from tests.adapters.test_league_pages import NAMES, kept, published
from tests.browser import Browser, Page
from tests.league.played import Play, settings
from tests.rules.tables import Match

pytestmark = pytest.mark.browser

# An archive is opened as files, too, from a folder without any server.
WAYS = pytest.mark.parametrize(
    "served", [True, pytest.param(False, marks=pytest.mark.slow)], ids=["served", "as files"]
)
PAGES = [
    "",
    "games/imp-1/",
    "players/",
    "players/1/",
    "nations/",
    "search/",
    "imp-1/",
    "imp-2/",
    "imp-1/turn-0/",
    "imp-1/turn-9/",
    "imp-1/lots/",
]
GAME_PAGES = ("imp-1/", "imp-2/", "imp-1/turn-0/", "imp-1/turn-9/")
SORTS = ("", "players/", "search/", "imp-1/", "imp-1/turn-9/")
CUT = "[...document.querySelectorAll('.control a, .scroll:has(.standings), .standings th')].filter(e => e.scrollWidth > e.clientWidth).map(e => e.textContent)"
LONGER = "document.querySelectorAll('.control dd').forEach(dd => dd.append(...Array.from({length: 19}, () => dd.firstChild.cloneNode(true))))"
SHOWN = (
    "[...document.querySelectorAll('.games > li')].filter(row => !row.hidden).map(row => row.dataset.game).join(' ')"
)


@pytest.fixture(scope="module")
def web(archive: Archive) -> Iterator[str]:
    """Where the archive is served."""
    server = web_server(archive.root, "127.0.0.1", 0)
    thread = Thread(target=server.serve_forever)
    thread.start()
    yield f"http://127.0.0.1:{server.server_address[1]}/"
    server.shutdown()
    thread.join()
    server.server_close()


def at(page: Page, path: str) -> None:
    page.wait(f"location.pathname === '/{path}' && document.readyState === 'complete'")


@pytest.mark.slow
def test_keys_step_from_turn_to_turn(chromium: Browser, web: str) -> None:
    page = chromium.page().go(f"{web}imp-1/")
    for key, there in [
        ("ArrowRight", "imp-1/turn-0/"),
        ("ArrowRight", "imp-1/turn-1/"),
        ("ArrowRight", "imp-1/turn-2/"),
        ("ArrowLeft", "imp-1/turn-1/"),
        ("Home", "imp-1/turn-0/"),
    ]:
        page.press(key)
        at(page, there)
    page.press("ArrowLeft")  # there is none before the first
    at(page, "imp-1/turn-0/")
    assert page.complaints == []


@pytest.mark.slow
def test_keys_in_a_field_are_its_own(chromium: Browser, web: str) -> None:
    page = chromium.page().go(f"{web}imp-1/")
    page.value("document.querySelector('.find input').focus()")
    page.write("factory")
    page.wait("document.querySelectorAll('.hits li').length")
    page.press("ArrowLeft")
    page.press("Home")
    at(page, "imp-1/")


@pytest.mark.slow
def test_a_swipe_over_the_board_steps(chromium: Browser, web: str) -> None:
    page = chromium.page(width=390, height=844).go(f"{web}imp-1/turn-3/")
    box = page.value("(b => [b.x, b.y, b.width, b.height])(document.querySelector('.board').getBoundingClientRect())")
    middle = box[1] + box[3] / 2
    page.swipe((300, middle), (90, middle + 8))
    at(page, "imp-1/turn-4/")
    page.swipe((90, middle), (300, middle))
    at(page, "imp-1/turn-3/")
    page.swipe((200, middle), (215, middle + 120))  # scrolling is no step
    at(page, "imp-1/turn-3/")


@pytest.mark.slow
def test_lists_are_filtered_and_older_ones_fetched(chromium: Browser, web: str) -> None:
    page = chromium.page().go(web)
    assert page.value(SHOWN) == "imp-3 imp-2"
    page.value("document.querySelector('.filters [name=state]').focus()")
    page.value(
        "(s => { s.value = 'finished'; s.dispatchEvent(new Event('input', {bubbles: true})) })"
        "(document.querySelector('[name=state]'))"
    )
    page.wait(f"({SHOWN}) === 'imp-3 imp-1'")
    assert page.value("document.querySelector('.count').textContent") == "2 games shown"
    page.value("document.querySelector('.games > li[data-game=imp-1] a').click()")
    at(page, "imp-1/")
    page.go(web)
    page.value("document.querySelector('[name=words]').focus()")
    page.write("fritz IMP")
    page.wait(f"({SHOWN}) === 'imp-2'")
    page.go(web)
    page.value("document.querySelector('a.older').click()")
    page.wait(f"({SHOWN}) === 'imp-3 imp-2 imp-1'")
    assert page.complaints == []


@pytest.mark.slow
def test_words_are_found_in_all_games_and_marked(chromium: Browser, web: str) -> None:
    page = chromium.page().go(f"{web}search/")
    page.value("document.querySelector('.find input').focus()")
    page.write("marker austria")
    page.wait("document.querySelector('.find').ariaBusy === 'false'")
    assert page.value("document.querySelectorAll('.hits li').length") > 3
    assert page.value("document.querySelector('.more').hidden")
    games = page.value(
        "[...new Set([...document.querySelectorAll('.hits b')].map(each => each.textContent))].join(' ')"
    )
    assert games == "imp-3 imp-2 imp-1"
    assert page.value("location.search") == "?q=marker%20austria"
    page.value("document.querySelector('.hits li:last-child a').click()")
    page.wait("document.querySelectorAll('main:not(:has(.hits)) mark').length")
    words = page.value("[...document.querySelectorAll('mark')].map(each => each.textContent.toLowerCase()).join(' ')")
    assert {*words.split()} == {"marker", "austria"}
    assert page.complaints == []


def test_a_hit_shows_the_words_in_their_sentence(chromium: Browser, web: str) -> None:
    page = chromium.page().go(f"{web}search/?q=Paris")
    page.wait("document.querySelectorAll('.hits mark').length")
    assert page.value("document.querySelector('.hits p').textContent.includes(' ')")
    assert page.value("document.querySelector('.hits mark').textContent") == "Paris"


@pytest.mark.slow
def test_seasons_are_found_by_their_people(chromium: Browser, tmp_path: Path) -> None:
    play = Play(settings(), 14)
    play.play()
    kept(tmp_path, published(play))
    person = play.season.groups["2a"][0]
    page = chromium.page().go(f"file://{tmp_path}/search/index.html?q={NAMES[person]}")
    page.wait("document.querySelectorAll('.hits mark').length")
    links = page.value("[...document.querySelectorAll('.hits a')].map(each => new URL(each.href).pathname).join(' ')")
    assert links == f"{tmp_path}/leagues/euro/1/2a/"
    assert page.complaints == []


@pytest.mark.slow
def test_the_lots_are_proved_at_a_button(chromium: Browser, archive: Archive) -> None:
    for path, shown in (("imp-1", True), ("imp-2", False)):  # one is over, the other one's secret is still one
        page = chromium.page().go(f"file://{archive.root}/{path}/lots/index.html")
        assert page.value("Boolean(document.querySelector('.proof:not([hidden]) button'))") is shown
        if shown:
            page.value("document.querySelector('.proof button').click()")
            page.wait("document.querySelector('.proof span').textContent.startsWith('It has:')")
            lots = page.value(
                "[...document.querySelectorAll('[data-purpose]')].map((one) => one.querySelector('b').textContent)"
            )
            assert len(lots) == len(dealt(archive, path)) > 3
            assert {*lots} == {"✓ follows from the secret"}
            page.value("document.querySelectorAll('[data-purpose]')[2].dataset.result ^= 1")
            page.value("document.querySelector('.proof button').click()")
            page.wait("document.querySelector('.proof span').textContent.includes('not every lot')")
            lots = page.value("[...document.querySelectorAll('.lots b')].map((one) => one.textContent.slice(0, 1))")
            assert "".join(lots).strip("✓") == "✗", "the one that was tampered with"
            page.value("document.querySelector('.proof').dataset.secret += '0'")
            page.value("document.querySelector('.proof button').click()")
            page.wait("document.querySelector('.proof span').textContent.startsWith('It has not:')")
        assert page.complaints == []


def dealt(archive: Archive, game: str) -> list[str]:
    """What its log says was drawn."""
    log = (archive.root / game / "log.jsonl").read_text("utf-8").splitlines()
    return [draw["purpose"] for line in log for draw in json.loads(line).get("draws", ())]


def test_words_that_are_nowhere_are_not_found(chromium: Browser, web: str) -> None:
    page = chromium.page().go(f"{web}search/?q=hannibal")
    page.wait("document.querySelector('.count').textContent === '0 places found'")


MOVES = "getComputedStyle(document.querySelector('.mover')).offsetDistance"
SEEN = "getComputedStyle(document.querySelector('.mover')).visibility"
HALFWAY = "each.pause(); const { delay, duration } = each.effect.getTiming(); each.currentTime = delay + duration / 2;"


def maneuver(archive: Archive) -> int:
    """A turn in which units move, and that is not the newest."""
    turns = len(archive.json("imp-1/game.json")["turns"])
    return next(n for n in range(1, turns - 1) if archive.page(f"imp-1/turn-{n}").xpath("//*[@class='mover']"))


@pytest.mark.slow
def test_units_travel_along_their_arrows(chromium: Browser, web: str, archive: Archive) -> None:
    number = maneuver(archive)
    travels = "document.querySelector('.board svg').getAnimations({subtree: true})"
    page = chromium.page(still=False).go(f"{web}imp-1/turn-{number}/")
    assert page.value(SEEN) == "hidden"  # who comes from elsewhere sees where they are
    page.go(f"{web}imp-1/turn-{number - 1}/")
    page.press("ArrowRight")
    at(page, f"imp-1/turn-{number}/")
    page.wait(f"{SEEN} === 'visible'")
    assert 5 < float(page.value(f"{travels}.forEach(each => {{ {HALFWAY} }}), {MOVES}").rstrip("%")) < 95
    assert page.value(f"{travels}.forEach(each => each.finish()), {MOVES}") == "100%"
    assert page.value("getComputedStyle(document.querySelector('.board .is')).opacity") == "1"
    page.press("ArrowLeft")
    at(page, f"imp-1/turn-{number - 1}/")
    assert page.value("document.querySelector('.board svg').classList.length") == 0
    assert page.complaints == []


@pytest.mark.slow
def test_nothing_moves_where_no_motion_is_wanted(chromium: Browser, web: str, archive: Archive) -> None:
    number = maneuver(archive)
    page = chromium.page().go(f"{web}imp-1/turn-{number - 1}/")
    page.press("ArrowRight")
    at(page, f"imp-1/turn-{number}/")
    assert page.value(SEEN) == "hidden"
    assert page.value("document.querySelector('.board svg').getAnimations({subtree: true}).length") == 0


@pytest.mark.slow
def test_a_tap_looks_closer_and_two_fingers_make_it_larger(chromium: Browser, web: str) -> None:
    """On a phone the picture is the map alone; closer it is whole, and a finger moves it without stepping."""
    page = chromium.page(width=390, height=844).go(f"{web}imp-1/turn-3/")
    size = "(b => b.width / b.height)(document.querySelector('.board svg').getBoundingClientRect())"
    assert page.value(size) == pytest.approx(600 / 590, rel=0.01)
    page.value("document.querySelector('.board > svg').dispatchEvent(new MouseEvent('click', {bubbles: true}))")
    page.wait("document.querySelector('dialog.closer').open")
    assert page.value(size) == pytest.approx(600 / 920, rel=0.01)
    was = page.value("document.querySelector('.pan svg').clientWidth")
    for kind, apart in (("touchStart", 40), ("touchMove", 60), ("touchMove", 80)):
        points = [{"x": 195 + side * apart, "y": 400, "id": side} for side in (0, 1)]
        page.call("Input.dispatchTouchEvent", type=kind, touchPoints=points)
    page.call("Input.dispatchTouchEvent", type="touchEnd", touchPoints=[])
    assert page.value("document.querySelector('.pan svg').clientWidth") > 1.5 * was
    page.swipe((300, 400), (90, 408))
    at(page, "imp-1/turn-3/")
    page.value("document.querySelector('.closer button:not([type])').click()")
    page.wait("document.querySelector('.board > svg') !== null")
    assert page.complaints == []


@WAYS
def test_a_slider_and_charts_lead_to_any_turn(chromium: Browser, web: str, archive: Archive, served: bool) -> None:
    root, name = (web, "") if served else (f"file://{archive.root}/", "index.html")
    page = chromium.page().go(f"{root}imp-1/turn-9/{name}")
    page.wait("!document.querySelector('.to-turn input').disabled")
    last = len(archive.json("imp-1/game.json")["turns"]) - 1
    assert page.value("document.querySelector('.to-turn input').max") == str(last)
    page.value("(s => { s.value = 4; s.dispatchEvent(new Event('input')); })(document.querySelector('.to-turn input'))")
    assert "Round" in page.value("document.querySelector('.to-turn span').textContent")
    page.value("document.querySelector('.to-turn input').dispatchEvent(new Event('change'))")
    page.wait(f"location.pathname.endsWith('/imp-1/turn-4/{name}')")
    page.go(f"{root}imp-1/{name}")
    box = "document.querySelector('.charts figure').getBoundingClientRect()"
    page.value(
        f"(b => document.querySelector('.charts figure').dispatchEvent(new MouseEvent('click', {{clientX: b.x + b.width / 5}})))({box})"
    )
    page.wait(f"location.pathname.match('/imp-1/turn-[0-9]+/{name}$')")
    assert page.complaints == []


@pytest.mark.slow
@WAYS
def test_a_game_plays_by_itself_to_its_end(chromium: Browser, web: str, archive: Archive, served: bool) -> None:
    """As quickly as a reader may choose, who chooses once."""
    root, name = (web, "") if served else (f"file://{archive.root}/", "index.html")
    last = len(archive.json("imp-1/game.json")["turns"]) - 1
    page = chromium.page(still=False)
    page.go(f"{root}imp-1/{name}")
    page.value(
        "(s => { s.value = '4'; s.dispatchEvent(new Event('change')); })(document.querySelector('.speed select'))"
    )
    page.value("document.querySelector('.play').click()")
    page.wait(f"location.pathname.endsWith('/imp-1/turn-0/{name}')")
    page.wait(f"location.pathname.endsWith('/imp-1/turn-1/{name}')")
    page.wait("document.querySelector('.play').textContent.includes('Pause')")
    assert page.value("document.activeElement.className") == "play"
    assert page.value("document.querySelector('.speed select').value") == "4"
    page.value("document.activeElement.click()")
    assert "Play" in page.value("document.querySelector('.play').textContent")
    page.go(f"{root}imp-1/turn-{last - 1}/{name}")
    page.value("document.querySelector('.play').click()")
    page.wait(f"location.pathname.endsWith('/imp-1/turn-{last}/{name}') && document.readyState === 'complete'")
    assert page.value("document.querySelector('.play').hidden")  # there it ends
    assert page.complaints == []


def test_an_archive_is_read_without_a_server(chromium: Browser, archive: Archive) -> None:
    page = chromium.page().go(f"file://{archive.root}/index.html")
    page.value("document.querySelector('.games a').click()")
    page.wait("location.pathname.endsWith('/imp-3/index.html') && document.readyState === 'complete'")
    page.press("ArrowRight")
    page.wait("location.pathname.endsWith('/imp-3/turn-0/index.html') && document.readyState === 'complete'")
    assert (
        page.value("fetch(document.querySelector('.board image').href.baseVal).then(() => 'read', () => 'closed')")
        == "closed"
    )
    shown = "new Promise(done => { const i = new Image(); i.onload = () => done(i.naturalWidth); i.src = document.querySelector('.board image').href.baseVal })"
    assert page.value(shown) == 600


@pytest.mark.slow
@pytest.mark.parametrize("served", [True, False], ids=["served", "as files"])
def test_a_picture_is_saved_whole(chromium: Browser, web: str, archive: Archive, served: bool, tmp_path: Path) -> None:
    root, name = (web, "") if served else (f"file://{archive.root}/", "index.html")
    page = chromium.page().go(f"{root}imp-1/turn-9/{name}")
    page.call("Browser.setDownloadBehavior", behavior="allow", downloadPath=str(tmp_path))
    page.value("document.querySelector('.save').click()")
    saved = tmp_path / "imp-1-9.svg"
    for _ in range(300):
        if saved.exists() and saved.stat().st_size:
            break
        page.value("new Promise(done => setTimeout(done, 20))")
    tags = {element.tag.partition("}")[2] for element in ElementTree.parse(saved).iter()}
    assert "image" not in tags
    whole = ElementTree.parse(saved).getroot()
    assert whole.get("viewBox") == "0 0 600 920"
    ids = {element.get("id") for element in whole.iter()}
    assert {"rome", "names"} <= ids  # the map and the names are in it
    used = {value[1:] for element in whole.iter() if (value := element.get("href"))}
    assert used <= ids


@pytest.mark.slow
@WAYS
def test_words_may_be_misspelt(chromium: Browser, web: str, archive: Archive, served: bool) -> None:
    root, name = (web, "") if served else (f"file://{archive.root}/", "index.html")
    page = chromium.page()
    for written, meant in [
        ("taxtion", "taxtion → taxation"),
        ("AUSTRAI taxatoin", "austrai taxatoin → austria taxation"),
        ("rome", ""),
        ("Röme", ""),
    ]:
        page.go(f"{root}search/{name}?q={quote(written)}")
        page.wait("document.querySelector('.hits li') && document.querySelector('.find').ariaBusy === 'false'")
        said = page.value("document.querySelector('.instead').textContent")
        assert said == meant
    page.value("document.querySelector('.hits a').click()")
    page.wait(f"location.pathname.match('/turn-[0-9]+/{name}$') && document.querySelectorAll('mark').length")
    assert page.complaints == []


@pytest.mark.slow
def test_umlauts_may_be_written_as_two_letters(chromium: Browser, tmp_path: Path) -> None:
    club = Club()
    club.play(SHORT, 5)
    club.server.archivist(tmp_path, language="de").build()
    page = chromium.page()
    for written in ("Österreich", "oesterreich", "osterreich", "OESTERR", "Grossbritannien", "großbrit"):
        page.go(f"file://{tmp_path}/search/index.html?q={quote(written)}")
        page.wait("document.querySelector('.hits li') && document.querySelector('.find').ariaBusy === 'false'")
        assert page.value("document.querySelector('.instead').textContent") == ""
        page.value("document.querySelector('.hits a').click()")
        page.wait("document.querySelectorAll('main:not(:has(.hits)) mark').length")


@pytest.mark.parametrize(("width", "dark"), [(360, False), pytest.param(1280, True, marks=pytest.mark.slow)])
def test_pages_fit_and_work(chromium: Browser, web: str, width: int, dark: bool) -> None:
    page = chromium.page(width=width, height=800, dark=dark)
    dim = "getComputedStyle(document.body).backgroundColor.match(/\\d+/g).map(Number).every(c => c < 60)"
    pictures = "[...document.images].every(i => (i.loading === 'lazy' && !i.complete) || i.naturalWidth > 0)"
    small = "[...document.querySelectorAll('.steps a, button:not([hidden]), select, input')].filter(e => e.offsetParent && e.offsetHeight < 36).length"
    for path in PAGES:
        page.go(f"{web}{path}")
        assert page.value("document.documentElement.scrollWidth") <= width, path
        assert page.value(dim) is dark, path
        assert page.value(pictures), path
        assert page.value(small) == 0, path
        assert page.complaints == [], path


@pytest.fixture(scope="module")
def in_all_languages(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Three games in each language: one is over and has notes, one has only begun, and one is played by six with long
    names.
    """
    club, root = Club(), tmp_path_factory.mktemp("languages")
    club.play(SHORT)
    club.begin(SHORT)
    long = Match(seed=11, players=6, bot="greedy")
    tag = club.begin(long, ["Maximiliane", "Bartholomaeus", "Konstantinos", "Wilhelmine", "Theodora", "Friedrich"])
    for _ in club.steps(tag, long, 14):
        pass
    for language in LANGUAGES:
        keeper = club.server.archivist(root / language, language=language, notes=True)
        assert keeper.build().failed == {}
        assert [*keeper.annotate()] == ["imp-1"]
    return root


@pytest.mark.slow
@pytest.mark.parametrize("language", LANGUAGES)
def test_no_page_scrolls_sideways(chromium: Browser, in_all_languages: Path, language: str) -> None:
    """On small phones, in every language, with text twice as large (WCAG 2.2, 1.4.4 and 1.4.10)."""
    page = chromium.page(width=360, height=800)
    lists = ("", "games/imp-1/", "players/", "players/1/", "players/4/", "nations/", "search/", "search/?q=anton")
    ratings = ("ratings/imperial/",)
    games = (*GAME_PAGES, "imp-3/", "imp-3/turn-0/", "imp-3/turn-6/", "order/imperial/")
    for path in (*lists, *ratings, *games):
        place, _, asked = path.partition("?")
        page.go(f"file://{in_all_languages}/{language}/{place}index.html{asked and '?'}{asked}")
        page.wait(
            "!document.querySelector('form.everywhere') || !location.search || document.querySelectorAll('.hits li').length"
        )
        page.value("document.querySelectorAll('details').forEach(each => each.open = true)")
        page.value(LONGER)
        for width in (320, 360, 390):
            page.call("Emulation.setDeviceMetricsOverride", width=width, height=800, deviceScaleFactor=1, mobile=True)
            for size in (100, 200):
                page.value(f"document.documentElement.style.fontSize = '{size}%'")
                assert page.value("document.documentElement.scrollWidth") <= width, (path, width, size)
                assert size == 200 or page.value(CUT) == [], (path, width)


@pytest.mark.slow
def test_a_deadline_is_told_by_the_readers_clock_too(chromium: Browser, archive: Archive, tmp_path: Path) -> None:
    waiting = (archive.root / "imp-2/index.html").read_text("utf-8")
    waiting = waiting.replace(
        '<ul class="next">\n<li>', '<ul class="next">\n<li><time datetime="2027-01-15T08:00:00Z">08:00 UTC</time>'
    )
    (tmp_path / "imp-2").mkdir()
    (tmp_path / "imp-2/index.html").write_text(waiting, "utf-8")
    (tmp_path / "assets").symlink_to(archive.root / "assets")
    for zone, told in (("Asia/Kolkata", "13:30"), ("UTC", "")):
        page = chromium.page()
        page.call("Emulation.setTimezoneOverride", timezoneId=zone)
        page.go(f"file://{tmp_path}/imp-2/index.html")
        item = page.value("document.querySelector('.next li').textContent")
        assert told in item
        assert ("(" in item) is bool(told)


FOLDS = "[...document.querySelectorAll('details.fold')].map(each => each.open)"


@pytest.mark.slow
def test_what_is_long_is_folded_on_a_phone_and_stays_as_it_was_left(chromium: Browser, web: str) -> None:
    for width, is_open in ((390, False), (1280, True)):
        page = chromium.page(width=width, height=844).go(f"{web}imp-1/turn-9/")
        folds = page.value(FOLDS)
        assert folds
        assert {*folds} == {is_open}
        page.value("document.querySelector('details[data-fold=position] > summary').click()")
        page.press("ArrowRight")
        at(page, "imp-1/turn-10/")
        page.wait(f"document.querySelector('details[data-fold=position]').open === {'false' if is_open else 'true'}")
        page.call("Page.printToPDF")
        assert all(page.value(FOLDS))  # paper has all of it


@pytest.mark.slow
@pytest.mark.parametrize("path", ["", "imp-1/", "imp-1/turn-9/", "search/?q=marker"])
def test_nothing_moves_while_a_page_comes(chromium: Browser, web: str, path: str) -> None:
    """Whatever a script adds has its place already."""
    page = chromium.page(width=390, height=844)
    page.call(
        "Page.addScriptToEvaluateOnNewDocument",
        source="""
        self.shifted = 0;
        new PerformanceObserver((list) => { for (const each of list.getEntries()) shifted += each.value; })
          .observe({ type: "layout-shift", buffered: true });
    """,
    )
    page.go(f"{web}{path}")
    page.wait("!location.search || document.querySelectorAll('.hits li').length")
    page.value("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")
    assert page.value("shifted") < 0.01


@pytest.mark.slow
def test_nothing_bars_anybody(chromium: Browser, in_all_languages: Path) -> None:
    """Each page in every language; of each sort one at each width, light and dark."""
    page = chromium.page()
    for path in PAGES:
        for language in LANGUAGES:
            page.look(width=390, dark=language == "de")
            page.go(f"file://{in_all_languages}/{language}/{path}index.html")
            assert page.barriers() == [], (path, language)
        for width, dark in product((320, 390, 768, 1280), (False, True)) if path in SORTS else ():
            page.look(width=width, dark=dark)
            assert page.barriers() == [], (path, width, dark)


@pytest.mark.slow
def test_a_turn_is_printed_on_two_pages(chromium: Browser, in_all_languages: Path) -> None:
    """The longest one; the first page has the board and what happened on it."""
    turns = [*in_all_languages.glob("*/imp-*/turn-[1-9]*/index.html")]
    longest = max(turns, key=lambda file: len(file.read_bytes()))
    page = chromium.page().go(f"file://{longest}")
    printed = base64.b64decode(page.call("Page.printToPDF", paperWidth=8.27, paperHeight=11.69)["data"])
    assert len(re.findall(rb"/Type\s*/Page\b", printed)) <= 2
    page.call("Emulation.setEmulatedMedia", media="print")
    page.call("Emulation.setDeviceMetricsOverride", width=688, height=1010, deviceScaleFactor=1, mobile=False)
    board, told = page.value(
        "['.board svg', '.events'].map(each => document.querySelector(each).getBoundingClientRect().top)"
    )
    assert max(board, told) < 300


def test_what_is_missing_of_older_games_is_told(chromium: Browser, web: str, archive: Archive) -> None:
    page = chromium.page()
    page.call("Network.enable")  # without it the next call does nothing
    page.call("Network.setCacheDisabled", cacheDisabled=True)  # another test may have read the list
    page.go(web)
    older = archive.root / "games/imp-1/index.html"
    away = older.with_name("away")
    older.rename(away)
    try:
        page.value("document.querySelector('a.older').click()")
        page.wait("document.querySelector('.missing').textContent.includes('again')")
        assert page.value(SHOWN) == "imp-3 imp-2"
    finally:
        away.rename(older)
    page.value("document.querySelector('a.older').click()")
    page.wait("document.querySelector('.missing').textContent === ''")
    assert page.value(SHOWN) == "imp-3 imp-2 imp-1"


@pytest.mark.slow
@pytest.mark.parametrize(("language", "one", "two"), [("en", "1 game shown", "3 games shown"), ("de", "1 Partie", "3 Partien"), ("it", "1 partita", "3 partite")])  # fmt: skip
def test_one_is_counted_as_one(chromium: Browser, in_all_languages: Path, language: str, one: str, two: str) -> None:
    page = chromium.page().go(f"file://{in_all_languages}/{language}/index.html")
    count = "document.querySelector('.filters .count').textContent"
    assert page.value(count) == two
    page.value("document.querySelector('[name=words]').focus()")
    page.write("imp-1")
    page.wait(f"{count} === '{one}'")


@pytest.mark.slow
def test_everything_is_reached_with_the_keyboard(chromium: Browser, web: str) -> None:
    """One goes from one thing to the next, sees where one is, and can leave all of them."""
    page = chromium.page().go(f"{web}imp-1/turn-9/")
    seen = []
    for _ in range(40):
        page.call("Input.dispatchKeyEvent", type="keyDown", key="Tab", code="Tab", windowsVirtualKeyCode=9)
        page.call("Input.dispatchKeyEvent", type="keyUp", key="Tab", code="Tab", windowsVirtualKeyCode=9)
        seen.append(page.value("document.activeElement.textContent.trim()"))
        assert page.value(
            "document.activeElement === document.body || getComputedStyle(document.activeElement).outlineStyle !== 'none'"
        )
        if seen[-1] == "The position as JSON":
            break
    assert seen[0] == "Go to the content"
    assert {"Games", "Search", "▶ Play", "Save the picture", "Next →"} <= {*seen}
    assert seen[-1] == "The position as JSON"


def test_without_scripts_everything_can_be_read(chromium: Browser, web: str) -> None:
    page = chromium.page()
    page.call("Emulation.setScriptExecutionDisabled", value=True)
    page.go(web)
    older = f"{web}games/imp-1/"
    assert page.value("document.querySelector('a.older').href") == older
    assert not page.value("document.querySelector('.filters').checkVisibility()")
    page.call("Page.navigate", url=f"{web}search/")
    page.wait("document.querySelector('noscript')?.innerText.includes('JavaScript')")
