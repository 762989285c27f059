"""Fixtures for every test: the servers, real and embedded."""

from __future__ import annotations

import gc
import os
import signal
from collections.abc import Generator, Iterator
from pathlib import Path

import pytest
from hypothesis import settings

from pbem.adapters.embedded_server import EmbeddedMailServer
from tests import servers
from tests.browser import Browser, browser
from tests.databases import DATABASES, url_of
from tests.depth import DEEP, USUAL, examples_of
from tests.fakes import FakeClock

settings.register_profile("steady", max_examples=examples_of(USUAL), derandomize=not DEEP, database=None, deadline=None)
settings.load_profile("steady")


# What may be missing where all servers are.
OPTIONAL = ("PBEM_DEEP", "PBEM_TEST_FIRSTRUN", "PBEM_TEST_WHEEL", "systemd-analyze")
GARBAGE = (20_000, 20, 20)  # looked for so rarely: a test makes little, and whole games stay for many tests


def pytest_configure() -> None:
    """Whoever is told to end ends what they have started first."""
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    gc.disable()


def pytest_collection_finish() -> None:
    """What is there before the first test stays to the end: nobody looks for garbage among it."""
    gc.freeze()
    gc.set_threshold(*GARBAGE)
    gc.enable()


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_makereport() -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Where all servers have to be there, as in CI, nothing is left out but what asks for more than they are."""
    report = yield
    if report.skipped and os.environ.get("PBEM_REQUIRE_SERVERS") == "1" and isinstance(report.longrepr, tuple):
        reason = report.longrepr[2]
        if not any(asked in reason for asked in OPTIONAL):
            report.outcome, report.longrepr = "failed", f"{reason}: PBEM_REQUIRE_SERVERS=1 lets nothing be left out"
    return report


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """What is slow goes first, so that nobody waits for it at the end."""
    items.sort(key=lambda item: item.get_closest_marker("slow") is None)


@pytest.fixture(autouse=True, scope="session")
def no_process_is_left() -> Iterator[None]:
    """What the tests start ends with them (told where the system lists the children of a process)."""
    yield
    left = [child for each in Path("/proc/self/task").glob("*/children") for child in _read_if_there(each).split()]
    assert [_read_if_there(Path(f"/proc/{child}/cmdline")).replace("\0", " ") for child in left] == []


def _read_if_there(what: Path) -> str:
    """Nothing of a thread or process that has ended meanwhile; what a thread started is another's child then."""
    try:
        return what.read_text()
    except OSError:
        return ""


@pytest.fixture
def clock() -> FakeClock:
    """A clock that stands still; the embedded post office stamps letters with it."""
    return FakeClock()


@pytest.fixture
def post_office(clock: FakeClock) -> Iterator[EmbeddedMailServer]:
    """The embedded post office, without accounts."""
    with EmbeddedMailServer({}, clock) as office:
        yield office


@pytest.fixture(scope="session")
def one_chromium() -> Iterator[Browser]:
    """Started once: that takes longer than most tests with it."""
    with browser() as made:
        yield made


@pytest.fixture
def chromium(one_chromium: Browser) -> Iterator[Browser]:
    """A Chromium without pages. Mark the test `browser`."""
    yield one_chromium
    one_chromium.close_pages()


@pytest.fixture
def dovecot() -> Iterator[servers.Dovecot]:
    """A Dovecot that can do all it can do. Mark the test `dovecot`."""
    with servers.dovecot() as server:
        yield server


@pytest.fixture
def old_dovecot() -> Iterator[servers.Dovecot]:
    """A Dovecot that calls folders INBOX.Name and has no MOVE, IDLE or UIDPLUS. Mark the test `dovecot`."""
    with servers.dovecot(separator=".", prefix="INBOX.", capability="IMAP4rev1 NAMESPACE") as server:
        yield server


@pytest.fixture
def postfix() -> Iterator[servers.Postfix]:
    """A Postfix that keeps Maildirs. Mark the test `mta`."""
    with servers.postfix() as server:
        yield server


@pytest.fixture
def real_mail() -> Iterator[servers.RealMail]:
    """Postfix in front of Dovecot, in the shape of a `EmbeddedMailServer`. Mark the test `dovecot` and `mta`."""
    with servers.real_mail() as mail:
        yield mail


@pytest.fixture(scope="session")
def postgres() -> Iterator[str]:
    """The url of a PostgreSQL database for tests, which empty it; PBEM_TEST_POSTGRES may name one that is there."""
    given = os.environ.get("PBEM_TEST_POSTGRES")
    if given:
        yield given.replace("postgresql://", "postgresql+psycopg://")
        return
    with servers.postgres() as url:
        yield url


@pytest.fixture(params=DATABASES)
def database(request: pytest.FixtureRequest) -> str:
    """The url of a new database, once of each kind."""
    return url_of(request.param, request)
