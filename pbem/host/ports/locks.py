"""What a worker is at, so that no other takes it up meanwhile.

Several workers may serve one server's books. What keeps the books right is the transaction; these keep workers out of
each other's way, and what follows in one game in its order. A worker that dies, however it does, lets go of everything.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from contextlib import contextmanager
from typing import Protocol


class Locks(Protocol):
    """Of one worker; what it has it may take once more, and then lets go of as often. All raise `StoreDown`."""

    @property
    def is_alone(self) -> bool:
        """Do its books know no other workers? Then it has whatever it asks for."""

    def take(self, names: Collection[str]) -> bool:
        """Have all of these, if no other worker has one of them."""

    def wait(self, names: Collection[str]) -> None:
        """Have all of these as soon as no other has one. Raises `Conflict` where that takes too long."""

    def release(self, names: Collection[str]) -> None:
        """Let go of them."""

    def workers(self) -> int:
        """How many are at work, oneself included."""


class Alone:
    """For books with one worker: nobody else is there."""

    is_alone = True

    def take(self, names: Collection[str]) -> bool:
        return True

    def wait(self, names: Collection[str]) -> None:
        """There is nobody to wait for."""

    def release(self, names: Collection[str]) -> None:
        """Nobody has waited for it."""

    def workers(self) -> int:
        return 1


@contextmanager
def held(locks: Locks, *names: str) -> Iterator[bool]:
    """Are they ours for as long as the block lasts?"""
    is_ours = locks.take(names)
    try:
        yield is_ours
    finally:
        if is_ours:
            locks.release(names)


@contextmanager
def waited_for(locks: Locks, *names: str) -> Iterator[None]:
    """They are ours for as long as the block lasts, which begins when no other has them."""
    locks.wait(names)
    try:
        yield
    finally:
        locks.release(names)


def of_game(game: str) -> str:
    """Deciding in a game, by letter or by the clock."""
    return f"game {game}"
