"""The first minutes of the demo: everybody's first impression."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import closing
from email.message import EmailMessage
from pathlib import Path
from typing import Any

import pytest

from pbem.adapters.store.sql import SqlStore
from pbem.demo import Company, play
from pbem.games import GAMES
from pbem.host.commands.table import COMMANDS
from pbem.host.reporting.chapters import done_in
from pbem.host.session.acts import TimeKept
from pbem.host.session.unit_of_work import Games, read_entries

MOVED = 3  # turns; more would tell nothing else


class Enough(Exception):
    """The demo has shown what it has to show."""


def test_its_letters_have_pictures_and_its_times_are_believable(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    letters: list[EmailMessage] = []
    real = Company.close

    def close(self: Company) -> None:
        letters.extend(letter for player in self.players for letter in player.letters)
        real(self)

    def watch(document: Mapping[str, Any]) -> None:
        if sum(nation["rondel"] is not None for nation in document["nations"].values()) >= MOVED:
            raise Enough

    monkeypatch.setattr(Company, "close", close)
    with pytest.raises(Enough):
        play(tmp_path, progress=watch)
    told = [letter for letter in letters if not str(letter["Subject"]).startswith("Re:")]
    reports = [letter for letter in told if "Turn" in str(letter["Subject"]) or "Round" in str(letter["Subject"])]
    pictures = [
        [part["Content-ID"] for part in letter.walk() if part.get_content_type() == "image/png"] for letter in reports
    ]
    assert len(reports) > MOVED
    assert all(pictures)
    with closing(SqlStore(f"sqlite:///{tmp_path / 'pbem.sqlite'}")) as store:
        games = Games(store, GAMES, COMMANDS)
        with games.work() as desk:
            entries = read_entries(games.load(desk.game("imp-1")).rules, desk.repository, "imp-1")
    kept = [closed for done in done_in(entries) if isinstance(done.act, TimeKept) for closed in done.act.closings]
    assert len(kept) >= MOVED
    assert all(15 * 60 <= closed.counted < 24 * 3_600 for closed in kept if closed.start is not None)
