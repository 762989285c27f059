"""Python hashes names differently in each process: no order of sets decides anything."""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path

import msgspec
import pytest

from pbem.core.log import write
from pbem.games import GAMES
from pbem.games.imperial.bots.search import Search
from pbem.host.archive.replay import Replay
from tests.empire.random_play import play as play_empire
from tests.rules.tables import NO_CARD, Match, adjudicated, play

GIVEN = Path(__file__).parents[1] / "plays" / "battle" / "line_became_impossible.play"
SECRET = Match(seed=5, players=5, bot="mixed", crowded=True, options=(("cash", "secret"),))


def reckoned() -> list[str]:
    """What must come out alike: logs of both games, a position, and what a bot that thinks ahead finds."""
    manual = Match(seed=2, players=3, bot="greedy", edition="manual", start="experienced", options=NO_CARD)
    played = [adjudicated(match, 150)[1] for match in (Match(seed=1, players=5, crowded=True), manual)]
    replay = Replay(GIVEN.read_text(encoding="utf-8"), GAMES, str)
    replay.run()
    events = (msgspec.json.encode([*step.events], enc_hook=str) for step in play_empire(0, 40))
    return [
        *(digest(map(write, record.entries)) for record in (*played, replay.record)),
        str(replay.document()),
        digest(events),
        str([*thought()]),
    ]


def thought() -> Iterable[object]:
    for step in [*play(SECRET, 60)][::15]:
        if step.decision is not None:
            yield Search(40)(step.game, step.before, step.decision, lambda _: 0)


def digest(texts: Iterable[bytes]) -> str:
    return hashlib.sha256(b"\n".join(texts)).hexdigest()


@pytest.mark.slow
def test_the_same_bytes_under_any_hash_seed() -> None:
    code = "from tests.rules.test_hash_seeds import reckoned; print(*reckoned(), sep='\\n')"
    environment = {**os.environ, "PYTHONHASHSEED": "4711"}
    run = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True)
    assert run.stdout.splitlines() == reckoned()
