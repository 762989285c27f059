"""A phone: opens letters as a mail program shows them, and follows with a finger what can be tapped there.

One tab of a browser. Links that write a letter are taken from the browser as they would go to the mail program.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Thread

from pbem.adapters.site.serving import web_server
from pbem.host.ports import Mail
from tests.browser import Browser, Page
from tests.rules.pointing import DONE
from tests.taps import Picker, Tap, Thumb, page_of, tap

# The mail program is asked to write the letter; nothing else is done to the link.
_TAKEN = """addEventListener("click", (event) => {
  const link = event.target.closest("a[href^='mailto:']");
  if (link) { event.preventDefault(); window.written = link.href; }
}, true)"""
_MIDDLE = """((one) => {
  one.scrollIntoView({ block: "end" });
  const { x, y, width, height } = one.getClientRects()[0], middle = [x + Math.min(width, innerWidth) / 2, y + height / 2];
  return one.contains(document.elementFromPoint(...middle)) ? middle : null;
})"""
_OPEN = """(() => {
  const seen = (id) => document.getElementById(id).checkVisibility(), all = document.querySelectorAll("#choices button");
  return [...[...all].map((one) => one.dataset.of), ...(seen("done") ? ["done"] : [])];
})()"""
_ON_MAP = "[...document.querySelectorAll('#board .can')].find((one) => one.id === %s)"
_CHOICE = "[...document.querySelectorAll('#choices button')].find((one) => one.dataset.of === %s)"
_WHOLE = "document.querySelectorAll('#pieces g').length || document.getElementById('empty').textContent"


class Phone(Thumb):
    """A tab of Chromium on a phone, and an archive in a folder that is served."""

    def __init__(self, page: Page, root: Path, web: str) -> None:
        self.page = page
        self.archive = root
        self.web = web
        page.call("Page.addScriptToEvaluateOnNewDocument", source=_TAKEN)
        self._frame = page.call("Page.getFrameTree")["frameTree"]["frame"]["id"]

    # -- what can be tapped ---

    def write(self, mail: Mail, link: str) -> Tap:
        self.open(mail)
        return self._written(_link(link))

    def point(self, mail: Mail, pick: Picker, *, preview: bool) -> Tap:
        self.open(mail)
        self.touch(_link(page_of(mail)))
        self.page.wait(f"document.documentElement.dataset.ready === '' && !location.hash && ({_WHOLE})")
        assert self.page.value("document.querySelectorAll('#pieces g').length")
        while found := self.page.value(_OPEN):
            self.choose(pick(found))
        return self._written(f"document.getElementById('{'preview' if preview else 'send'}')")

    def open(self, mail: Mail) -> None:
        """As a mail program shows it."""
        self.page.call("Page.navigate", url="about:blank")
        self.page.wait("location.href === 'about:blank' && document.readyState === 'complete'")
        self.page.call("Page.setDocumentContent", frameId=self._frame, html=mail.html or "")
        self.page.value(_TAKEN)

    def choose(self, text: str) -> None:
        """On the map where it shows; in the list where that doesn't say it all."""
        if text == DONE:
            self.touch("document.getElementById('done')")
            return
        place = _ON_MAP % json.dumps(text.rpartition(" ")[2])
        on_map = self.page.value(f"{place} && Boolean({_MIDDLE}({place}))")
        if on_map:
            self.touch(place)
        if not on_map or self.page.value("document.getElementById('all').checkVisibility()"):
            self.touch(_CHOICE % json.dumps(text))

    def _written(self, element: str) -> Tap:
        self.page.value("window.written = ''")
        self.touch(element)
        return tap(self.page.wait("window.written"))

    def touch(self, element: str) -> None:
        """A finger on the middle of an element; raises `AssertionError` if something lies above it."""
        middle = self.page.value(f"{_MIDDLE}({element})")
        assert middle, f"{element} is covered"
        (x, y) = middle
        self.page.call("Input.dispatchTouchEvent", type="touchStart", touchPoints=[{"x": x, "y": y}])
        self.page.call("Input.dispatchTouchEvent", type="touchEnd", touchPoints=[])


def _link(url: str) -> str:
    return f"[...document.links].find((one) => one.getAttribute('href') === {json.dumps(url)})"


@contextmanager
def phone(chromium: Browser, root: Path) -> Iterator[Phone]:
    """One tab for all letters, and an archive in that folder, served."""
    with web_server(root, "127.0.0.1", 0) as server:
        thread = Thread(target=server.serve_forever)
        thread.start()
        try:
            made = Phone(chromium.page(width=390, height=844), root, f"http://127.0.0.1:{server.server_address[1]}/")
            yield made
            assert made.page.complaints == []
        finally:
            server.shutdown()
            thread.join()
