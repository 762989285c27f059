"""The page to order from: what its links hold over the questions of bot games; how soon it is ready on a slow phone."""

from __future__ import annotations

import json
import statistics
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from threading import Thread
from urllib.parse import urlsplit

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from pbem.adapters.site.serving import web_server
from pbem.core.languages import LANGUAGES
from pbem.games.imperial.rules import orders as od
from pbem.host.commands.table import COMMANDS
from pbem.render.order_page import order_page
from tests.adapters.order_questions import CROWDED, POSITION, PRESENTER, letter_to, link
from tests.browser import Page, browser
from tests.rules.pointing import as_offered
from tests.rules.tables import Match, Step, opened, play

MATCHES = [Match(seed=seed, players=n, bot=bot) for seed in (1, 2, 3) for n in (4, 6) for bot in ("greedy", "random")]
SLOWER = 4  # times than this machine
VISITS = 9
READY = """new MutationObserver((_, watch) => {
  if (document.documentElement.dataset.ready !== "") return;
  window.readyAt = performance.now();
  watch.disconnect();
}).observe(document, { subtree: true, attributes: true })"""


def main() -> None:
    steps = [step for match in MATCHES for step in play(match) if step.decision]
    fragments = sorted(len(urlsplit(page_of(step, language)).fragment) for step in steps for language in LANGUAGES)
    bodies = [length for step in steps for length in body_lengths(step)]
    print(f"{len(steps)} questions in {len(LANGUAGES)} languages")
    print(
        f"fragment: median {statistics.median(fragments):.0f}, p99 {fragments[len(fragments) * 99 // 100]}, "
        f"most {fragments[-1]} bytes (p99 at most 1300)"
    )
    print(f"text of an order in a link: most {max(bodies)} characters (at most 1600)")
    print(f"the page: {len(the_page().encode()) / 1e3:.1f} kB (at most 100)")
    empty, ready = visits()
    print(
        f"ready with a processor {SLOWER} times slower: median {ready:.0f} ms (at most 1000), "
        f"{ready / empty:.1f} times an empty page"
    )


def page_of(step: Step, language: str, pages: str = "https://games.example/") -> str:
    assert step.decision is not None
    return link(step.game, step.before, step.decision, language, pages)


def body_lengths(step: Step) -> Iterator[int]:
    """Of the order that was given, as a link has it."""
    if not isinstance(step.order, od.Skip | od.Plan):
        for language in LANGUAGES:
            yield len(letter_to(as_offered(step), language).partition("body=")[2])


def the_page() -> str:
    return order_page(PRESENTER, COMMANDS.sentences)


def visits() -> tuple[float, float]:
    """Median ms from the tap to an empty page that is there, and to a question that can be answered."""
    with tempfile.TemporaryDirectory() as folder, browser() as chromium:
        root, state = Path(folder), opened(CROWDED)
        position = json.dumps(CROWDED.game.view(state, None))
        for place, text in (("order/imperial/index.html", the_page()), (POSITION, position), ("empty.html", "<p>")):
            (root / place).parent.mkdir(parents=True, exist_ok=True)
            (root / place).write_text(text, "utf-8")
        server = web_server(root, "127.0.0.1", 0)
        thread = Thread(target=server.serve_forever)
        thread.start()
        web = f"http://127.0.0.1:{server.server_address[1]}/"
        page = chromium.page(width=390, height=844)
        page.call("Page.addScriptToEvaluateOnNewDocument", source=READY)
        page.call("Emulation.setCPUThrottlingRate", rate=SLOWER)
        asked = link(CROWDED.game, state, CROWDED.game.pending(state)[0], "de", web)
        try:
            pairs = [(empty(page, f"{web}empty.html"), ready(page, asked)) for _ in range(VISITS)]
        finally:
            server.shutdown()
            thread.join()
            server.server_close()
    return statistics.median(one for one, _ in pairs), statistics.median(one for _, one in pairs)


def empty(page: Page, url: str) -> float:
    page.go(url)
    return float(page.wait("performance.getEntriesByType('navigation')[0].loadEventEnd"))


def ready(page: Page, url: str) -> float:
    page.call("Page.navigate", url=url)
    return float(page.wait("window.readyAt"))


if __name__ == "__main__":
    main()
