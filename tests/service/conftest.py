"""A bureau for the tests of the service."""

from __future__ import annotations

import pytest

from tests.service.bureau import Bureau


@pytest.fixture
def lots(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every lot is the first: the seats in the order of `NAMES`, with the flags in the order of `FLAGS`."""
    monkeypatch.setattr("pbem.core.chance.draw", lambda *_: 0)


@pytest.fixture
def desk(lots: None) -> Bureau:
    """A server at which nothing has happened yet."""
    return Bureau()


@pytest.fixture(scope="session")
def opened() -> Bureau:
    """A game of six that has just begun. It is copied for each test."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("pbem.core.chance.draw", lambda *_: 0)
        made = Bureau()
        made.open()
    return made


@pytest.fixture
def begun(opened: Bureau) -> Bureau:
    """A game of six that has just begun, with the letters that began it."""
    return opened.copy(with_sent=True)


@pytest.fixture
def bureau(opened: Bureau) -> Bureau:
    """A game of six that has just begun: Anton is awaited for Austria-Hungary."""
    return opened.copy()
