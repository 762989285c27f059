"""The games there are; the only place that lists them."""

from __future__ import annotations

from collections.abc import Iterator, MutableMapping
from importlib import import_module

from pbem.core.game import AnyGame, Registry


class _Shelf(MutableMapping[str, AnyGame]):
    """The games by their ids. Each is imported when it is taken: no command waits for a game that it does not need."""

    def __init__(self, *ids: str) -> None:
        self._games: dict[str, AnyGame | None] = dict.fromkeys(ids)

    def __getitem__(self, id_: str) -> AnyGame:
        found = self._games[id_]
        if found is None:
            found = self._games[id_] = import_module(f"pbem.games.{id_}").GAME
        return found

    def __setitem__(self, id_: str, game: AnyGame) -> None:
        self._games[id_] = game

    def __delitem__(self, id_: str) -> None:
        del self._games[id_]

    def __iter__(self) -> Iterator[str]:
        return iter(self._games)

    def __len__(self) -> int:
        return len(self._games)

    def __contains__(self, id_: object) -> bool:
        return id_ in self._games


# The first one is that of play files and set-ups which name none: they are of a time when there was no other.
GAMES: Registry = _Shelf("imperial", "empire")
