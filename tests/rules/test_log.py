"""The log holds everything: it reads back, folds to the same position, and is the same bytes everywhere."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import msgspec
import pytest

from pbem.adapters.editions import imperial
from pbem.service.replay import Replay
from pbem.table.log import Entry, broken_link, fold, write
from tests.rules.tables import encoded, refereed, setup

ROOT = Path(__file__).parents[2]
GIVEN = ROOT / "tests" / "plays" / "battle" / "line_became_impossible.play"
SCRIPT = """
import hashlib, sys
from pathlib import Path
from pbem.adapters.editions import imperial
from pbem.service.replay import Replay
from pbem.table.log import write
from tests.rules.tables import refereed
digest = hashlib.sha256()
for seed, players, bot in ((1, 5, "random"), (2, 3, "greedy")):
    for entry in refereed(seed, players, bot, 150)[1].entries:
        digest.update(write(entry))
replay = Replay(Path(sys.argv[1]).read_text(encoding="utf-8"), imperial, str)
replay.run()
for entry in replay.record.entries:
    digest.update(write(entry))
print(digest.hexdigest(), replay.document())
"""


def replayed() -> Replay:
    replay = Replay(GIVEN.read_text(encoding="utf-8"), imperial, str)
    replay.run()
    return replay


def decoded(rules: Any, entries: list[Entry[Any, Any]]) -> list[Entry[Any, Any]]:
    return [rules.decoder().decode(write(entry)) for entry in entries]


@pytest.mark.parametrize(("seed", "players"), [(1, 2), (2, 4), (3, 6)])
def test_a_log_reads_back_and_folds_to_the_same_position(seed: int, players: int) -> None:
    game, record, referee = refereed(seed, players, "random", 200)
    entries = decoded(game, record.entries)
    assert entries == record.entries
    assert broken_link(entries) is None
    state = fold(game.blank(setup(players)), entries, game.apply)
    assert encoded(state) == encoded(referee.state)
    assert game.document(state) == game.document(referee.state)


def test_given_positions_read_back() -> None:
    replay = replayed()
    entries = decoded(replay.referee.rules, replay.record.entries)
    assert entries == replay.record.entries
    state = fold(replay.referee.rules.blank(replay.play.setup), entries, replay.referee.rules.apply)
    assert replay.referee.rules.document(state) == replay.document()


def test_a_changed_entry_breaks_the_chain() -> None:
    entries = refereed(1, 3, "random", 30)[1].entries
    changed = [*entries[:5], msgspec.structs.replace(entries[5], at=entries[5].at + 1), *entries[6:]]
    assert broken_link(changed) == 5
    assert broken_link([*entries[:5], *entries[6:]]) == 5


def test_the_same_bytes_under_every_hash_seed() -> None:
    told = {run(seed) for seed in ("0", "4711")}
    assert len(told) == 1


def run(hash_seed: str) -> bytes:
    command = [sys.executable, "-c", SCRIPT, str(GIVEN)]
    environment = {**os.environ, "PYTHONHASHSEED": hash_seed, "PYTHONPATH": str(ROOT)}
    return subprocess.run(command, env=environment, cwd=ROOT, check=True, capture_output=True).stdout
