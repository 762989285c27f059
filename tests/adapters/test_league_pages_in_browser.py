"""The pages of leagues as a browser shows them: on small phones, in every language, to everybody."""

from __future__ import annotations

from pathlib import Path

import pytest

from pbem.core.languages import LANGUAGES
from tests.adapters.test_league_pages import kept, published
from tests.browser import Browser
from tests.league.played import Play, settings

pytestmark = [pytest.mark.browser, pytest.mark.slow]

SEASON = "leagues/euro/1/"
PAGES = ("leagues/", "leagues/euro/", "leagues/euro/honours/", SEASON, *(f"{SEASON}{page}" for page in ("2a/", "tables/", "tables/1/", "draws/1/", "acts/")))  # fmt: skip


@pytest.fixture(scope="module")
def archives(tmp_path_factory: pytest.TempPathFactory) -> Path:
    play = Play(settings(), 14)
    play.play()
    root = tmp_path_factory.mktemp("leagues")
    for language in LANGUAGES:
        kept(root / language, published(play), language)
    return root


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_page_scrolls_sideways(chromium: Browser, archives: Path, language: str) -> None:
    page = chromium.page(width=360, height=800)
    for path in PAGES:
        page.go(f"file://{archives}/{language}/{path}index.html")
        for width in (320, 390):
            page.call("Emulation.setDeviceMetricsOverride", width=width, height=800, deviceScaleFactor=1, mobile=True)
            for size in (100, 200):
                page.value(f"document.documentElement.style.fontSize = '{size}%'")
                assert page.value("document.documentElement.scrollWidth") <= width, (path, width, size)
        assert page.complaints == []


def test_nothing_bars_anybody(chromium: Browser, archives: Path) -> None:
    """In light and dark, narrow and wide."""
    page = chromium.page()
    for path in PAGES:
        for language, width, dark in (("en", 320, False), ("de", 768, True), ("it", 1280, False)):
            page.look(width=width, dark=dark)
            page.go(f"file://{archives}/{language}/{path}index.html")
            assert page.barriers() == [], (path, language)
