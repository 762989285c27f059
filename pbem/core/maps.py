"""Boards that are files, drawn by people or made from a seed: what a game that has such offers for them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, Protocol


class Flaw(NamedTuple):
    """What is wrong with a map file, or only poor, and where."""

    line: int
    told: str
    is_mistake: bool = True


class Maps(Protocol):
    """The maps of one game."""

    @property
    def sizes(self) -> Sequence[str]:
        """What may be said instead of columns and rows."""
        ...

    def check(self, name: str, text: str) -> Sequence[Flaw]:
        """Everything that is wrong with the file of that name (without its ending), in the order of its lines."""
        ...

    def generate(self, name: str, size: str, players: int, seed: str) -> str:
        """The file of a new map: the same for the same words. Raises `ValueError` where there can't be one."""
        ...

    def shown(self, text: str, around: Sequence[str]) -> str:
        """A map without mistakes as lines of text, whole or around these places. Raises `ValueError`."""
        ...
