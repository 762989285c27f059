"""A bureau for the tests of the service."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from pbem.adapters.store.sql import SqlStore
from tests.fakes import FakeStore
from tests.service.bureau import Bureau


@pytest.fixture
def lots(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every lot is the first: the seats in the order of `NAMES`, with the flags in the order of `FLAGS`."""
    monkeypatch.setattr("pbem.core.chance.draw", lambda *_: 0)


@pytest.fixture(params=["memory", "sqlite"])
def desk(request: pytest.FixtureRequest, lots: None, tmp_path: Path) -> Iterator[Bureau]:
    """A server at which nothing has happened yet, over either store."""
    sql = request.param == "sqlite"
    store = SqlStore(f"sqlite:///{tmp_path / 'pbem.sqlite'}") if sql else FakeStore()
    yield Bureau(store)
    store.close()


@pytest.fixture(scope="session")
def opened() -> Bureau:
    """A game of six that has just begun. It is copied for each test."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("pbem.core.chance.draw", lambda *_: 0)
        made = Bureau()
        made.open()
    return made


@pytest.fixture
def bureau(opened: Bureau) -> Bureau:
    """A game of six that has just begun: Anton is awaited for Austria-Hungary."""
    return opened.copy()
