"""What is left to chance: draws of the seed, numbered for each step of the work."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TypeVar

from pbem.core.chance import draw

T = TypeVar("T")


class Again(Exception):
    """This try leads nowhere; the next one draws on."""


class Draws:
    """Purposes are `map|STEP|n`; n counts on over all tries."""

    def __init__(self, seed: str) -> None:
        self._secret = seed.encode()
        self._counts: dict[str, int] = {}

    def pick(self, step: str, among: int) -> int:
        """One of 0 … among-1."""
        number = self._counts[step] = self._counts.get(step, 0) + 1
        return draw(self._secret, f"map|{step}|{number}", among)

    def one(self, step: str, of: Sequence[T]) -> T:
        return of[self.pick(step, len(of))]

    def between(self, step: str, least: int, most: int) -> int:
        """Both can be drawn."""
        return least + self.pick(step, most - least + 1)

    def shuffled(self, step: str, of: Iterable[T]) -> list[T]:
        found = [*of]
        for last in range(len(found) - 1, 0, -1):
            other = self.pick(step, last + 1)
            found[last], found[other] = found[other], found[last]
        return found
