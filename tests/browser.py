"""A real browser for the tests: Chromium without a window, spoken to through the pipe of its DevTools."""

from __future__ import annotations

import base64
import fcntl
import json
import os
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from importlib.resources import files
from itertools import count
from typing import Any

from tests.servers import require

PATIENCE = 600.0  # seconds within which a page must have done what is asked
_FLAGS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-default-apps",
    "--disable-dev-shm-usage",
    "--hide-scrollbars",
    "--mute-audio",
    "--remote-debugging-pipe",
)


class Browser:
    """Chromium: one message after another, each ended by a NUL byte (chromium's --remote-debugging-pipe)."""

    def __init__(self, to: int, from_: int) -> None:
        self._to = to
        self._from = from_
        self._numbers = count(1)
        self._rest = b""
        self._targets: list[str] = []
        self.events: list[dict[str, Any]] = []

    def call(self, method: str, session: str | None = None, **params: Any) -> dict[str, Any]:
        """The result of a command; raises `RuntimeError` with what the browser says against it."""
        number = next(self._numbers)
        message = {"id": number, "method": method, "params": params, **({"sessionId": session} if session else {})}
        os.write(self._to, json.dumps(message).encode() + b"\0")
        while True:
            answer = self._read()
            if answer.get("id") != number:
                self.events.append(answer)
            elif "error" in answer:
                raise RuntimeError(f"{method}: {answer['error']['message']}")
            else:
                result: dict[str, Any] = answer["result"]
                return result

    def _read(self) -> dict[str, Any]:
        while b"\0" not in self._rest:
            part = os.read(self._from, 1 << 20)
            if not part:
                raise RuntimeError("the browser has gone")
            self._rest += part
        raw, _, self._rest = self._rest.partition(b"\0")
        answer: dict[str, Any] = json.loads(raw)
        return answer

    def page(self, *, width: int = 1280, height: int = 900, dark: bool = False, still: bool = True) -> Page:
        """An empty page of that size; narrow ones are touched with fingers. On a still one nothing moves."""
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        page = Page(self, session)
        page.look(width=width, height=height, dark=dark, still=still)
        page.call("Page.enable")
        page.call("Runtime.enable")
        page.call("Log.enable")
        self._targets.append(target)
        return page

    def close_pages(self) -> None:
        """All that were opened, and with them what was told of them."""
        while self._targets:
            self.call("Target.closeTarget", targetId=self._targets.pop())
        self.events.clear()


class Page:
    """One page, and what can be done on it."""

    def __init__(self, browser: Browser, session: str) -> None:
        self._browser = browser
        self._session = session

    def call(self, method: str, **params: Any) -> dict[str, Any]:
        return self._browser.call(method, self._session, **params)

    def look(self, *, width: int, height: int = 900, dark: bool = False, still: bool = True) -> None:
        """From now on it has that size and those colours."""
        phone = width < 600
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=phone)
        self.call("Emulation.setTouchEmulationEnabled", enabled=phone)
        scheme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
        motion = {"name": "prefers-reduced-motion", "value": "reduce" if still else "no-preference"}
        self.call("Emulation.setEmulatedMedia", features=[scheme, motion])

    def go(self, url: str) -> Page:
        """Open an address and wait until everything on the page is there."""
        self.call("Page.navigate", url=url)
        self.wait(f"location.href === {json.dumps(url)} && document.readyState === 'complete'")
        return self

    def value(self, script: str) -> Any:
        """What an expression gives, promises kept."""
        done = self.call("Runtime.evaluate", expression=script, awaitPromise=True, returnByValue=True)
        if "exceptionDetails" in done:
            raise RuntimeError(str(done["exceptionDetails"]))
        return done["result"].get("value")

    def wait(self, script: str) -> Any:
        """Wait until the expression is true; what it gives then."""
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            try:
                found = self.value(script)
            except RuntimeError:  # the page is just being changed for another
                found = None
            if found:
                return found
            time.sleep(0.02)
        raise AssertionError(f"{script} has not come true at {self.value('location.href')}")

    def press(self, key: str) -> None:
        self.call("Input.dispatchKeyEvent", type="keyDown", key=key)
        self.call("Input.dispatchKeyEvent", type="keyUp", key=key)

    def write(self, text: str) -> None:
        """Into the field that has the focus."""
        self.call("Input.insertText", text=text)

    def swipe(self, from_: tuple[float, float], to: tuple[float, float]) -> None:
        """One finger over the page."""
        points = [from_, ((from_[0] + to[0]) / 2, (from_[1] + to[1]) / 2), to]
        for kind, (x, y) in zip(("touchStart", "touchMove", "touchMove"), points, strict=True):
            self.call("Input.dispatchTouchEvent", type=kind, touchPoints=[{"x": x, "y": y}])
        self.call("Input.dispatchTouchEvent", type="touchEnd", touchPoints=[])

    def barriers(self) -> list[str]:
        """What axe finds against it as it is shown now: the rule, and where."""
        if not self.value("'axe' in window"):
            self.value(f"{_axe()}; 0")
        found: list[str] = self.value(
            "axe.run({resultTypes: ['violations']}).then((found) =>"
            " found.violations.flatMap((rule) => rule.nodes.map((one) => `${rule.id}: ${one.html}`)))"
        )
        return found

    def picture(self) -> bytes:
        """The whole page as a PNG."""
        shot = self.call("Page.captureScreenshot", captureBeyondViewport=True)
        return base64.b64decode(shot["data"])

    @property
    def events(self) -> list[dict[str, Any]]:
        """What the browser has told of it so far."""
        return [event for event in self._browser.events if event.get("sessionId") == self._session]

    @property
    def complaints(self) -> list[str]:
        """What the page's scripts and its server did wrong so far."""
        mine = self.events
        thrown = [event["params"] for event in mine if event["method"] == "Runtime.exceptionThrown"]
        logged = [event["params"]["entry"] for event in mine if event["method"] == "Log.entryAdded"]
        return [str(one) for one in (*thrown, *(entry for entry in logged if entry["level"] in ("error", "warning")))]


@cache
def _axe() -> str:
    return (files("axe_core_python") / "axe.min.js").read_text("utf-8")


def _high(end: int) -> int:
    """The same file under a number that is not 3 or 4."""
    moved = fcntl.fcntl(end, fcntl.F_DUPFD_CLOEXEC, 20)
    os.close(end)
    return moved


@contextmanager
def browser() -> Iterator[Browser]:
    """A Chromium of one's own."""
    require("chromium", package="chromium")
    to_read, to, from_, from_write = (_high(end) for end in (*os.pipe(), *os.pipe()))
    with tempfile.TemporaryDirectory(prefix="pbem-browser-", ignore_cleanup_errors=True) as home:
        # it reads from 3 and writes to 4; dash knows no file numbers above 9
        command = ["bash", "-c", f'exec "$@" 3<&{to_read} 4>&{from_write}', "bash", "chromium"]
        process = subprocess.Popen(
            [*command, *_FLAGS, f"--user-data-dir={home}", "about:blank"],
            pass_fds=(to_read, from_write),
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        os.close(to_read)
        os.close(from_write)
        made = Browser(to, from_)
        try:
            yield made
            made.call("Browser.close")
        finally:
            os.close(to)
            os.close(from_)
            try:
                process.wait(10)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
