"""Leaves a database behind, in the middle of a game, for later programs to go on with: see `test_released.py`.

At a release: `python -m tests.releasing tests/released/VERSION.json`. The files that are there are never made anew.
"""

from __future__ import annotations

import json
import sys
import tempfile
from base64 import b64encode
from contextlib import closing
from pathlib import Path
from typing import Any
from unittest.mock import patch

from sqlalchemy import select

from pbem.adapters.store import VERSION
from pbem.adapters.store.migrations import engine_at
from pbem.adapters.store.schema import metadata
from pbem.adapters.store.sql import SqlStore
from tests.service.bureau import HOST, HOUR, NAMES, Bureau, address

SECRET = f"{15:064x}"
NOON = 1_700_000_000
LATER = 10**6  # times that the mail server takes nothing


def played(bureau: Bureau) -> dict[str, Any]:
    """Three play, two gather, and letters wait; what the game is then."""
    bureau.clock.set(NOON)
    bureau.open(3)
    bureau.write(bureau.awaited[0][0], "austria: import A lemberg, A vienna")
    for _ in range(5):
        seat, kind, nation = bureau.awaited[0]
        bureau.clock.advance(HOUR)
        bureau.write(seat, f"{nation}: investor" if kind == "turn" else "invest none")
    awaited = bureau.awaited[0][0]
    one, other = (name for name in NAMES[:3] if name != awaited)
    bureau.write(one, "standing peace")
    bureau.write(other, "advance italy: taxation")
    bureau.write(one, "press to all: Grüße = € 你好, wait for me")
    bureau.write(one, "address another@players.test")
    bureau.write(other, "petition clarify Railways\nDo they end at the sea?")
    bureau.write("zoe", "hello", subject="hello", to=HOST)
    bureau.server.new_game(bureau.terms(), [f"{name}={address(name)}" for name in ("gerda", "anton")])
    bureau.tick()
    bureau.write("gerda", "join", subject="[imp-2] you are invited")
    bureau.postman.fail("451 later", times=LATER)
    bureau.write(awaited, "invest none")
    bureau.write("gerda", "nonsense", subject="[imp-2] hm")
    bureau.clock.advance(HOUR)
    return {
        "now": bureau.clock.now(),
        "document": bureau.document,
        "awaited": bureau.awaited,
        "papers": bureau.papers,
        "version": VERSION,
    }


def rows(url: str) -> dict[str, list[dict[str, Any]]]:
    with engine_at(url).connect() as connection:
        return {
            name: [
                {key: plain(value) for key, value in row.items()}
                for row in connection.execute(select(table)).mappings()
            ]
            for name, table in metadata.tables.items()
        }


def plain(value: Any) -> Any:
    return {"base64": b64encode(value).decode()} if isinstance(value, bytes) else value


def main(into: Path) -> None:
    with (
        tempfile.TemporaryDirectory() as folder,
        patch("pbem.host.session.unit_of_work.Games.new_secret", lambda _: SECRET),
    ):
        url = f"sqlite:///{folder}/pbem.sqlite"
        with closing(SqlStore(url)) as store:
            told = played(Bureau(store))
        left = {**told, "tables": rows(url)}
    into.write_text(json.dumps(left, ensure_ascii=False, indent=0, sort_keys=True) + "\n", "utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
