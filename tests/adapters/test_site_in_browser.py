"""The archive in a real browser: stepping, filters, search, narrow and dark, with and without scripts."""

from __future__ import annotations

from collections.abc import Iterator
from threading import Thread

import pytest

from pbem.adapters.site.serving import web_server
from tests.adapters.site_games import Archive
from tests.browser import Browser, Page, browser

pytestmark = pytest.mark.browser

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
]
SHOWN = (
    "[...document.querySelectorAll('.games > li')].filter(row => !row.hidden).map(row => row.dataset.game).join(' ')"
)


@pytest.fixture(scope="module")
def chromium() -> Iterator[Browser]:
    with browser() as made:
        yield made


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


def test_keys_in_a_field_are_its_own(chromium: Browser, web: str) -> None:
    page = chromium.page().go(f"{web}imp-1/")
    page.value("document.querySelector('.find input').focus()")
    page.write("factory")
    page.wait("document.querySelectorAll('.hits li').length")
    page.press("ArrowLeft")
    page.press("Home")
    at(page, "imp-1/")


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
    page.wait("document.querySelectorAll('mark').length")
    words = page.value("[...document.querySelectorAll('mark')].map(each => each.textContent.toLowerCase()).join(' ')")
    assert {*words.split()} == {"marker", "austria"}
    assert page.complaints == []


def test_words_that_are_nowhere_are_not_found(chromium: Browser, web: str) -> None:
    page = chromium.page().go(f"{web}search/?q=hannibal")
    page.wait("document.querySelector('.count').textContent === '0 turns found'")


@pytest.mark.parametrize("path", PAGES)
@pytest.mark.parametrize(("width", "dark"), [(360, False), (1280, True)])
def test_pages_fit_and_work(chromium: Browser, web: str, path: str, width: int, dark: bool) -> None:
    page = chromium.page(width=width, height=800, dark=dark).go(f"{web}{path}")
    assert page.value("document.documentElement.scrollWidth") <= width
    dim = page.value("getComputedStyle(document.body).backgroundColor.match(/\\d+/g).map(Number).every(c => c < 60)")
    assert dim is dark
    pictures = "[...document.images].every(i => (i.loading === 'lazy' && !i.complete) || i.naturalWidth > 0)"
    assert page.value(pictures)
    small = "[...document.querySelectorAll('.steps a, button:not([hidden]), select, input')].filter(e => e.offsetParent && e.offsetHeight < 36).length"
    assert page.value(small) == 0
    assert page.complaints == []


def test_without_scripts_everything_can_be_read(chromium: Browser, web: str) -> None:
    page = chromium.page()
    page.call("Emulation.setScriptExecutionDisabled", value=True)
    page.call("Page.navigate", url=web)
    older = f"{web}games/imp-1/"
    page.wait("document.querySelector('a.older')?.href")
    assert page.value("document.querySelector('a.older').href") == older
    assert page.value("document.querySelector('.filters').hidden")
    page.call("Page.navigate", url=f"{web}search/")
    page.wait("document.querySelector('noscript')?.innerText.includes('JavaScript')")
