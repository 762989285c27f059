"""The page to order from in a real browser: what is pointed at there is read as the order that was meant."""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import cycle, product
from pathlib import Path
from threading import Thread
from urllib.parse import parse_qs, urlsplit

import pytest
from msgspec.structs import replace

from pbem.adapters.site.serving import web_server
from pbem.core.choice import Choice
from pbem.core.choice import Step as Tree
from pbem.core.decision import Decision
from pbem.core.languages import LANGUAGES
from pbem.games.imperial.rules import orders as od
from pbem.games.imperial.rules.state import State
from pbem.host.commands.table import COMMANDS
from pbem.language.parser import Parser
from pbem.render.fragment import MARK
from pbem.render.order_page import order_page
from pbem.render.wording import sentences
from tests.adapters.order_questions import PRESENTER, TOKEN, copy_of, link, of_each_kind, of_each_order
from tests.browser import Browser, Page
from tests.rules.pointing import DONE, as_offered, pointed, walked
from tests.rules.tables import Match, Step, opened, play

pytestmark = pytest.mark.browser

WIDTHS = (320, 390, 768, 1280)
CROWDED = Match(seed=11, bot="greedy", crowded=True)
BUTTONS = "[...document.querySelectorAll('#choices button')]"
SAID = "document.getElementById('said').textContent"


@pytest.fixture(scope="module")
def archive(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One with the page and a position."""
    root, state = tmp_path_factory.mktemp("archive"), opened(CROWDED)
    for place, text in {
        "order/imperial/index.html": order_page(PRESENTER, COMMANDS.sentences),
        "imp-1/turn-0/position.json": json.dumps(CROWDED.game.view(state, None)),
    }.items():
        (root / place).parent.mkdir(parents=True)
        (root / place).write_text(text, "utf-8")
    return root


@pytest.fixture(scope="module")
def web(archive: Path) -> Iterator[str]:
    """Where it is served."""
    server = web_server(archive, "127.0.0.1", 0)
    thread = Thread(target=server.serve_forever)
    thread.start()
    yield f"http://127.0.0.1:{server.server_address[1]}/"
    server.shutdown()
    thread.join()
    server.server_close()


def reader(step: Step) -> Parser:
    return Parser(step.game.notation, COMMANDS, step.before.seats)


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


def each_kind() -> Iterable[Step]:
    return of_each_kind().values()


def one_after_another() -> Iterable[Step]:
    return play(CROWDED, most=36)


@pytest.mark.parametrize("steps", [each_kind, pytest.param(one_after_another, marks=pytest.mark.slow)])
def test_what_is_pointed_at_is_read_as_it_was_meant(
    chromium: Browser, web: str, steps: Callable[[], Iterable[Step]]
) -> None:
    """Orders of a bot, clicked one choice after another; the text in the reader's words reads back to the same."""
    page = chromium.page(width=390)
    for step, language in zip(steps(), cycle(LANGUAGES), strict=False):
        if step.decision is None or isinstance(step.order, od.Skip | od.Plan):
            continue
        text = as_offered(step)
        picks, parser = pointed(step.game.choices(step.before, step.decision), text), reader(step)
        assert picks is not None
        open_(page, link(step.game, step.before, step.decision, language, web))
        for pick in picks[:-1] if picks[-1:] == [DONE] else picks:
            click(page, pick)
        assert parser.order(body(page)) == parser.order(text)
        assert body(page, "preview").partition("\n")[2] == body(page)
    assert page.complaints == []


@pytest.mark.parametrize("most", [3, pytest.param(30, marks=pytest.mark.slow)])
def test_the_page_offers_just_what_may_be_chosen(chromium: Browser, web: str, most: int) -> None:
    """Step by step the same as the tree says, with all that choices take from one another."""
    page, dice, match = chromium.page(width=390), random.Random(5), replace(CROWDED, seed=12)
    parser = Parser(match.game.notation, COMMANDS, match.setup.seats)

    def tapped(step: Tree, open_: Sequence[Choice], may_leave: bool) -> Choice | None:
        if step.least == step.most == len(step.of) == 1:
            return open_[0]  # nobody is asked
        assert page.value(f"{BUTTONS}.map((one) => one.dataset.of)") == [one.text for one in open_]
        assert page.value("document.getElementById('done').hidden") == (not may_leave)
        one = None if may_leave and dice.random() < 0.1 else dice.choice(open_)
        click(page, DONE if one is None else one.text)
        return one

    for step in play(match, most=most):
        if step.decision is None or step.decision.kind != "turn" or isinstance(step.order, od.Skip):
            continue
        offered = step.game.choices(step.before, step.decision)
        moving = next((one for one in offered.of if "maneuver" in one.text), offered.of[0])
        open_(page, link(step.game, step.before, step.decision, "en", web))
        click(page, moving.text)
        text = walked(replace(offered, of=(moving,)), tapped)
        assert parser.order(body(page)) == parser.order(text)
    assert page.complaints == []


@pytest.mark.slow
def test_what_rested_on_something_goes_with_it(chromium: Browser, web: str) -> None:
    """An army goes with the fleet that was to carry it; what stands beside it stays."""
    page = crowded(chromium.page(width=390), web)
    taken = "[...document.querySelectorAll('#taken button')]"
    for text in ("austria_hungary: maneuver", "A rome"):
        click(page, text)
    assert "- tunis" not in page.value(f"{BUTTONS}.map((one) => one.dataset.of)")
    page.value("document.getElementById('back').click()")
    carried = ("F trieste", DONE, "F north_sea", "- baltic_sea", DONE, "A rome", "- tunis")
    for text in carried:
        click(page, text)
    moved = "Austria-Hungary: maneuver\n  F Trieste - Ionian Sea\n  F North Sea - Baltic Sea\n  A Rome - Tunis via Ionian Sea"
    assert page.value(SAID) == moved
    page.value(f"{taken}[1].click()")
    assert page.value(SAID) == "Austria-Hungary: maneuver\n  F North Sea - Baltic Sea"


def test_what_was_chosen_is_shown_and_taken_back(chromium: Browser, web: str) -> None:
    """By a tap on it: what stands beside it stays. What it costs grows and shrinks with it; the ways are drawn."""
    page = crowded(chromium.page(width=390), web)
    taken, cost = "[...document.querySelectorAll('#taken button')]", "document.getElementById('costs').textContent"
    click(page, "austria_hungary: import")
    for unit in ("A vienna", "A lemberg", "A vienna"):
        click(page, unit)
    assert page.value(SAID) == "Austria-Hungary: import A Vienna, A Lemberg, A Vienna"
    assert page.value(cost) == "This costs 4m of your own cash + 3m of the treasury of Austria-Hungary"
    page.value(f"{taken}[1].click()")
    assert page.value(SAID) == "Austria-Hungary: import A Lemberg, A Vienna"
    assert page.value(cost) == "This costs 4m of your own cash + 2m of the treasury of Austria-Hungary"
    page.value(f"{taken}[0].click()")
    assert page.value(f"{taken}.length") == 0
    assert page.value("document.getElementById('send').getAttribute('aria-disabled')") == "true"
    click(page, "austria_hungary: maneuver")
    click(page, "F trieste")  # it can go nowhere else than to the Ionian Sea
    assert page.value("document.querySelectorAll('#routes .way').length") == 1
    assert page.value("[...document.querySelectorAll('.chosen')].map((one) => one.id).sort()") == [
        "ionian_sea",
        "trieste",
    ]


def test_a_place_is_tapped_on_the_map(chromium: Browser, web: str) -> None:
    """Where several things lie the list shows just these."""
    page = crowded(chromium.page(width=390), web)
    click(page, "austria_hungary: import")
    assert set(page.value(f"{BUTTONS}.map((one) => one.dataset.of)")) >= {"A trieste", "F trieste", "A lemberg"}
    tap = "document.getElementById('%s').dispatchEvent(new MouseEvent('click', {bubbles: true}))"
    page.value(tap % "trieste")
    assert page.value(f"{BUTTONS}.map((one) => one.dataset.of)") == ["A trieste", "F trieste"]
    assert page.value("document.getElementById('choose').textContent") == "Trieste"
    page.value("document.getElementById('all').click()")
    page.value(tap % "lemberg")
    assert page.value(SAID) == "Austria-Hungary: import A Lemberg"
    assert page.value("document.querySelectorAll('.can').length") > 3


@pytest.mark.slow
def test_a_turn_that_has_gone_on_since_is_told_of(chromium: Browser, web: str) -> None:
    """The archive has the position before it."""
    step, older = of_each_kind()["battle"], "document.getElementById('empty').textContent"
    assert step.decision is not None
    page = crowded(chromium.page(width=390), web)
    assert page.value(older) == ""
    open_(page, link(step.game, step.before, step.decision, "en", web))
    page.wait(f"{older}.startsWith('The board as it was before this turn')")
    assert page.value("document.querySelectorAll('#pieces g').length")


def test_the_keyboard_alone_is_enough(chromium: Browser, web: str) -> None:
    """And the focus is never lost: it stays on what was pressed, or goes where the answer goes on."""
    page = crowded(chromium.page(), web)
    focus = "document.activeElement.dataset.of || document.activeElement.id"
    page.value(f"{BUTTONS}.find((one) => one.dataset.of.endsWith('import')).focus()")
    enter(page)
    assert page.value(focus) == "choose"
    page.press("Tab")
    first = page.value(focus)
    for _ in range(2):
        enter(page)
        assert page.value(focus) == first
    assert page.value("document.querySelectorAll('#taken button').length") == 3
    page.value("document.querySelector('#taken button').focus()")
    enter(page)
    assert page.value(focus) == "choose"
    assert page.value("getComputedStyle(document.activeElement).outlineStyle") == "solid"


@pytest.mark.slow
def test_each_kind_is_answered_with_the_keyboard_alone(chromium: Browser, web: str) -> None:
    """From the top of the page with Tab to each choice in turn, and to the letter at last."""
    page = chromium.page(width=390)
    for kind, step in of_each_order().items():
        assert step.decision is not None
        text = as_offered(step)
        picks = pointed(step.game.choices(step.before, step.decision), text)
        assert picks is not None
        open_(page, link(step.game, step.before, step.decision, "en", web))
        for pick in picks[:-1] if picks[-1:] == [DONE] else picks:
            tab_to(page, pick)
            enter(page)
        tab_to(page, "send")
        assert reader(step).order(body(page)) == reader(step).order(text), kind


def tab_to(page: Page, of: str) -> None:
    """On from where the focus is, around the page if need be."""
    for _ in range(200):
        page.call("Input.dispatchKeyEvent", type="keyDown", key="Tab", code="Tab", windowsVirtualKeyCode=9)
        page.call("Input.dispatchKeyEvent", type="keyUp", key="Tab", code="Tab", windowsVirtualKeyCode=9)
        if page.value("document.activeElement.dataset.of || document.activeElement.id") == of:
            return
    raise AssertionError(f"{of} is not reached")


def enter(page: Page) -> None:
    page.call("Input.dispatchKeyEvent", type="keyDown", key="Enter", code="Enter", windowsVirtualKeyCode=13, text="\r")
    page.call("Input.dispatchKeyEvent", type="keyUp", key="Enter", code="Enter", windowsVirtualKeyCode=13)


@pytest.mark.slow
def test_what_is_too_long_for_a_link_is_copied(chromium: Browser, web: str) -> None:
    page = crowded(chromium.page(width=390), web)
    click(page, "austria_hungary: import")
    page.value("facts.longest = 30")
    click(page, "A vienna")
    assert page.value("['send', 'preview', 'copy'].map((id) => document.getElementById(id).hidden)") == [
        True,
        True,
        False,
    ]
    assert "too long" in page.value("document.getElementById('notice').textContent")
    page.value("document.getElementById('copy').click()")
    page.wait("document.getElementById('notice').textContent.includes('aste it into')")


@pytest.mark.slow
@pytest.mark.parametrize("language", LANGUAGES)
def test_it_fits_every_width(chromium: Browser, web: str, language: str) -> None:
    """Nothing scrolls sideways, and all that can be used has a size for fingers."""
    page = crowded(chromium.page(width=320), web, language)
    click(page, "austria_hungary: maneuver")
    click(page, "F north_sea")
    for width in WIDTHS:
        page.look(width=width)
        assert page.value("document.documentElement.scrollWidth") <= width
        small = "[...document.querySelectorAll('button, #ways a')].filter((one) => one.checkVisibility() && one.offsetHeight < 44)"
        assert page.value(f"{small}.length") == 0
    assert page.complaints == []


@pytest.mark.slow
def test_nothing_bars_anybody(chromium: Browser, web: str) -> None:
    """Each kind of question at each width, light and dark; and half answered."""
    page = chromium.page()
    for kind, step in of_each_kind().items():
        assert step.decision is not None
        open_(page, link(step.game, step.before, step.decision, "en", web))
        for width, dark in product(WIDTHS, (False, True)):
            page.look(width=width, dark=dark)
            assert page.barriers() == [], (kind, width, dark)
        page.look(width=390)
        page.value(f"{BUTTONS}[0].click()")
        assert page.barriers() == [], kind
    page.value("document.querySelector('h1').remove()")
    assert page.barriers() != [], "it would be seen"


def test_a_token_goes_nowhere(chromium: Browser, web: str, archive: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """Not into a request, a log or a file; the page asks its own archive for the position, and nobody for anything."""
    page = chromium.page(width=390)
    page.call("Network.enable")
    crowded(page, web)
    assert page.value("location.href") == f"{web}order/imperial/"
    assert page.value("JSON.stringify([{...localStorage}, {...sessionStorage}, document.cookie])") == '[{},{},""]'
    requests = [e["params"]["request"] for e in page.events if e["method"] == "Network.requestWillBeSent"]
    assert [one["url"] for one in requests] == [f"{web}order/imperial/", f"{web}imp-1/turn-0/position.json"]
    sent = [{key: said for key, said in one.items() if key != "urlFragment"} for one in requests]
    assert TOKEN not in json.dumps(sent) + "".join(capfd.readouterr())
    assert not any(TOKEN.encode() in file.read_bytes() for file in archive.rglob("*") if file.is_file())


@pytest.mark.slow
@pytest.mark.parametrize("language", LANGUAGES)
def test_a_link_that_this_page_cannot_read_says_what_would_do(chromium: Browser, web: str, language: str) -> None:
    """From before the fragment bore this mark, or cut off on its way; in the words of whoever reads it."""
    state, words = opened(CROWDED), sentences("templates/order", language)
    url = link(CROWDED.game, state, asked(state), language, web)
    assert f"#{MARK}" in url
    page = chromium.page(width=390)
    said = f"Object.defineProperty(navigator, 'language', {{ value: '{language}' }})"
    page.call("Page.addScriptToEvaluateOnNewDocument", source=said)
    for broken, why in {url.replace(f"#{MARK}", "#"): "outdated", url[:-40]: "broken"}.items():
        page.go("about:blank")
        page.call("Page.navigate", url=broken)
        page.wait("document.getElementById('notice')?.textContent")
        assert page.value("document.getElementById('notice').textContent") == words[f"order.{why}"]
        assert page.value("document.getElementById('ordering').hidden && !location.hash")


@pytest.mark.parametrize("language", LANGUAGES)
def test_an_attached_copy_needs_nothing_else(chromium: Browser, tmp_path: Path, language: str) -> None:
    """Opened as a file: the position and the choices lie in it; it is at most 100 kB."""
    state = opened(CROWDED)
    file = tmp_path / "order.html"
    file.write_bytes(copy_of(CROWDED.game, state, asked(state), language))
    assert file.stat().st_size <= 100_000
    page = chromium.page(width=390)
    page.call("Network.enable")
    open_(page, f"file://{file}")
    page.wait("document.querySelectorAll('#pieces g').length")
    click(page, "austria_hungary: import")
    assert body(page)
    mine = [e["params"]["request"]["url"] for e in page.events if e["method"] == "Network.requestWillBeSent"]
    assert mine == [f"file://{file}"]
    assert page.complaints == []


def test_without_a_letter_it_says_what_it_is_for(chromium: Browser, web: str) -> None:
    page = chromium.page(width=390).go(f"{web}order/imperial/")
    page.wait("document.getElementById('notice').textContent.startsWith('This page is opened from a letter')")
    page.call("Page.navigate", url=f"{web}order/imperial/#.nonsense")
    page.wait("document.getElementById('notice').textContent.startsWith('This link')")
    assert len((order_page(PRESENTER, COMMANDS.sentences)).encode()) <= 100_000
