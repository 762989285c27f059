"""The games there are; the only place that lists them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from importlib import import_module
from typing import Any

from pbem.core.game import AnyGame, Registry

# The first one is that of play files and set-ups which name none: they are of a time when there was no other.
NAMES = ("imperial", "empire")


class _Shelf(Mapping[str, AnyGame]):
    """The games by their ids. Each is imported when it is taken: no command waits for a game that it does not need."""

    def __getitem__(self, id_: str) -> AnyGame:
        if id_ not in NAMES:
            raise KeyError(id_)
        found: Any = import_module(f"pbem.games.{id_}").GAME
        return found  # type: ignore[no-any-return]

    def __contains__(self, id_: object) -> bool:
        return id_ in NAMES

    def __iter__(self) -> Iterator[str]:
        return iter(NAMES)

    def __len__(self) -> int:
        return len(NAMES)


GAMES: Registry = _Shelf()
