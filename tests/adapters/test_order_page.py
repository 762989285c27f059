"""The page to order from in a real browser: what is pointed at there is read as the order that was meant."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from threading import Thread
from urllib.parse import parse_qs, urlsplit

import pytest

from pbem.adapters.site.serving import web_server
from pbem.core.decision import Decision
from pbem.games.imperial.rules import orders as od
from pbem.games.imperial.rules.state import State
from pbem.host.commands.table import COMMANDS
from pbem.language.parser import Parser
from pbem.render.order_page import order_page
from tests.adapters.order_questions import PRESENTER, link
from tests.browser import Browser, Page, browser
from tests.rules.pointing import DONE, as_offered, pointed
from tests.rules.tables import Match, opened, play

pytestmark = pytest.mark.browser

LANGUAGES = ("en", "de", "it")
CROWDED = Match(seed=11, bot="greedy", crowded=True)
BUTTONS = "[...document.querySelectorAll('#choices button')]"
SAID = "document.getElementById('said').textContent"


@pytest.fixture(scope="module")
def chromium() -> Iterator[Browser]:
    with browser() as made:
        yield made


@pytest.fixture(scope="module")
def web(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """An archive with the page and a position, where it is served."""
    root = tmp_path_factory.mktemp("archive")
    put(root)
    server = web_server(root, "127.0.0.1", 0)
    thread = Thread(target=server.serve_forever)
    thread.start()
    yield f"http://127.0.0.1:{server.server_address[1]}/"
    server.shutdown()
    thread.join()
    server.server_close()


def put(root: Path) -> None:
    state = opened(CROWDED)
    for place, text in {
        "order/imperial/index.html": order_page(PRESENTER, COMMANDS.sentences),
        "imp-1/turn-0/position.json": json.dumps(CROWDED.game.view(state, None)),
    }.items():
        (root / place).parent.mkdir(parents=True)
        (root / place).write_text(text, "utf-8")


def asked(state: State) -> Decision:
    return CROWDED.game.pending(state)[0]


def open_(page: Page, url: str) -> Page:
    """Its fragment is gone when it is ready."""
    page.call("Page.navigate", url=url)
    page.wait("document.documentElement.dataset.ready === '' && !location.hash")
    return page


def crowded(page: Page, web: str, language: str = "en") -> Page:
    state = opened(CROWDED)
    open_(page, link(CROWDED.game, state, asked(state), language, web))
    page.wait("document.querySelectorAll('#pieces g').length")
    return page


def click(page: Page, text: str) -> None:
    button = (
        "document.getElementById('done')"
        if text == DONE
        else f"{BUTTONS}.find((one) => one.dataset.of === {json.dumps(text)})"
    )
    page.value(f"{button}.click()")


def body(page: Page, id_: str = "send") -> str:
    """What the letter says that a link writes."""
    query = parse_qs(urlsplit(page.value(f"document.getElementById('{id_}').href")).query)
    return query["body"][0].replace("\r\n", "\n").strip()


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_is_pointed_at_is_read_as_it_was_meant(chromium: Browser, web: str, language: str) -> None:
    """Orders of a bot, clicked one choice after another; the text in the reader's words reads back to the same."""
    page, parser = chromium.page(width=390), Parser(CROWDED.game.notation, COMMANDS, CROWDED.setup.seats)
    for step in play(CROWDED, most=24):
        if step.decision is None or isinstance(step.order, od.Skip | od.Plan):
            continue
        text = as_offered(step)
        picks = pointed(step.game.choices(step.before, step.decision), text)
        assert picks is not None
        open_(page, link(step.game, step.before, step.decision, language, web))
        for pick in picks[:-1] if picks[-1:] == [DONE] else picks:
            click(page, pick)
        assert parser.order(body(page)) == parser.order(text)
        assert body(page, "preview").partition("\n")[2] == body(page)
    assert page.complaints == []
