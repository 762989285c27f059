"""An archive read back from its files alone, to be proved."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from pbem.adapters.site.files import Folder
from pbem.adapters.site.game_archive import lines_of
from pbem.adapters.site.records import GameFile, nested_game
from pbem.core.game import Registry, game_of
from pbem.core.presenter import PagePresenter, View
from pbem.host.archive.proof import Page, Published


class Damaged(Exception):
    """The file that tells what is published of a game can't be read."""


def games_in(root: Path) -> list[str]:
    """The games that have a folder in the archive."""
    return sorted((file.parent.name for file in root.glob("*/game.json")), key=lambda name: (len(name), name))


def published(root: Path, game: str, games: Registry) -> Published:
    """What is published of a game. Raises `Damaged`, and `ValueError` for a game that there is not."""
    folder = Folder(root)
    file = folder.load(f"{game}/game.json", GameFile, nested_game)
    if file is None:
        raise Damaged(f"{game}: game.json can't be read")
    pages = tuple(_pages(folder, file))
    record = folder.read(f"{game}/{game}.play")
    return Published(
        **file.shared(),
        sealed=file.sealed,
        turns=pages,
        log=tuple((folder.read(f"{game}/log.jsonl") or b"").splitlines()),
        record=None if record is None else record.decode("utf-8", "replace"),
        flaw=_flaw(file, [page.position for page in pages], game_of(games, file.setup).presenter.pages),
    )


def _flaw(file: GameFile, positions: Sequence[View], pages: PagePresenter) -> str:
    """What game.json tells that the positions do not."""
    newest = positions[-1] if positions else {}
    try:
        lines = lines_of(positions, pages)
    except (KeyError, TypeError, AttributeError):
        return ""  # that is told turn by turn
    told = {key: newest.get(key) for key in ("scores", "winners")}
    if told != {"scores": file.scores, "winners": None if file.winners is None else [*file.winners]}:
        return "game.json tells another result than the last position"
    numbers = {kind: {whose: [*line] for whose, line in lines.items()} for kind, lines in file.series.items()}
    return "" if numbers == lines else "game.json tells other amounts than the positions"


def _pages(folder: Folder, file: GameFile) -> Iterator[Page]:
    for line in file.turns:
        path = f"{file.game}/turn-{line.number}/position.json"
        yield Page(last=line.last, digest=line.digest, position=folder.load(path, dict[str, Any]) or {})
