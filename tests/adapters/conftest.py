"""An archive for the tests of its pages."""

from __future__ import annotations

import pytest

from tests.adapters.site_games import MATCHES, Archive, Club


@pytest.fixture(scope="session")
def archive(tmp_path_factory: pytest.TempPathFactory) -> Archive:
    """Three games in one archive, each in a list of its own: two are over, one is running."""
    made = Archive(tmp_path_factory.mktemp("archive") / "site", Club())
    for match, most in MATCHES:
        made.club.play(match, most)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("pbem.adapters.site.lists.BY", 1)
        made.archivist.build()
    return made
