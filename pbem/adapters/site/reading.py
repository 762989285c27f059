"""An archive read back from its files alone, to be proved."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from pbem.adapters.site.files import Folder
from pbem.adapters.site.records import GameFile
from pbem.service.proof import Page, Published


class Damaged(Exception):
    """The file that tells what is published of a game can't be read."""


def games_in(root: Path) -> list[str]:
    """The games that have a folder in the archive."""
    return sorted((file.parent.name for file in root.glob("*/game.json")), key=lambda name: (len(name), name))


def published(root: Path, game: str) -> Published:
    """What is published of a game. Raises `Damaged`."""
    folder = Folder(root)
    file = folder.load(f"{game}/game.json", GameFile)
    if file is None:
        raise Damaged(f"{game}: game.json can't be read")
    record = folder.read(f"{game}/{game}.play")
    return Published(
        game=game,
        setup=file.setup,
        commitment=file.commitment,
        secret=file.secret,
        sealed=file.sealed,
        turns=tuple(_pages(folder, file)),
        log=tuple((folder.read(f"{game}/log.jsonl") or b"").splitlines()),
        record=None if record is None else record.decode("utf-8", "replace"),
    )


def _pages(folder: Folder, file: GameFile) -> Iterator[Page]:
    for line in file.turns:
        path = f"{file.game}/turn-{line.number}/position.json"
        yield Page(last=line.last, digest=line.digest, position=folder.load(path, dict[str, Any]) or {})
