"""Lots: drawn from a secret whose digest was published before, so that anyone can draw them again."""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Callable, Sequence
from itertools import count
from typing import Protocol, TypeAlias, TypeVar

from msgspec import Struct

from pbem.core.refusal import DieNeeded

T = TypeVar("T")


class Draw(Struct, frozen=True, kw_only=True, gc=False):
    """One lot: `result` is one of 0 … among-1."""

    purpose: str
    among: int
    result: int


class Undrawn(ValueError):
    """A lot was asked for where there is none."""

    def __init__(self, purpose: str, among: int) -> None:
        super().__init__(f"nothing is drawn here, but a lot was asked for {purpose!r} among {among}")
        self.purpose = purpose


class Secrets(Protocol):
    """Where what nobody may guess comes from; a `random.Random` fits, for whoever wants the same course again."""

    def randbytes(self, n: int, /) -> bytes: ...
    def choice(self, seq: Sequence[T], /) -> T: ...
    def sample(self, population: Sequence[T], /, k: int) -> list[T]: ...


class Chance(Protocol):
    @property
    def draws(self) -> Sequence[Draw]:
        """What has been drawn."""
        ...

    @property
    def salt(self) -> str:
        """What nobody can guess before the secret is told, for this entry; "" where there is no secret."""
        ...

    def pick(self, purpose: str, among: int) -> int:
        """One of 0 … among-1; what is drawn for one purpose never depends on another."""
        ...


class _Drawn:
    """What is drawn for one entry, each purpose once: whatever is drawn again needs another one."""

    def __init__(self, salt: str = "") -> None:
        self.draws: list[Draw] = []
        self.salt = salt
        self._purposes: set[str] = set()

    def _keep(self, purpose: str, among: int, result: int) -> int:
        if purpose in self._purposes:
            raise ValueError(f"{purpose!r} has been drawn in this entry")
        self._purposes.add(purpose)
        self.draws.append(Draw(purpose=purpose, among=among, result=result))
        return result


class Lots(_Drawn):
    """Chance by HMAC-SHA256 of the game's secret.

    `entry` is the number by which the entry is known for which it is drawn in the course of a game. The number stands
    in the purpose, so that what is played anew after a rewinding has other dice.
    """

    def __init__(self, secret: str, game: str, entry: str | None = None) -> None:
        self._secret = secret.encode()
        self._game = game
        self._before = "" if entry is None else f"{entry} "
        super().__init__(_mac(self._secret, f"{game}|{self._before}veil").hex())

    def pick(self, purpose: str, among: int) -> int:
        named = self._before + purpose
        return self._keep(named, among, draw(self._secret, f"{self._game}|{named}", among))


class Scripted(_Drawn):
    """Chance that is written down: the next draw has the next result, whatever it is for.

    It takes nothing away from them: what is tried twice, or refused, sees the same ones again.
    """

    def __init__(self, results: Sequence[int], entry: str) -> None:
        super().__init__()
        self._results = results
        self._before = f"{entry} "

    def pick(self, purpose: str, among: int) -> int:
        place = len(self.draws)
        if place >= len(self._results) or self._results[place] >= among:
            raise Undrawn(purpose, among)
        return self._keep(self._before + purpose, among, self._results[place])


class NoLots:
    """Chance where nothing may be left to it."""

    draws: Sequence[Draw] = ()
    salt = ""

    def pick(self, purpose: str, among: int) -> int:
        raise Undrawn(purpose, among)


class Withheld:
    """Chance while an order is only tried, whatever entry it would make: it tells nothing."""

    draws: Sequence[Draw] = ()
    salt = ""

    def __init__(self, _entry: str = "") -> None:
        pass

    def pick(self, purpose: str, among: int) -> int:
        raise DieNeeded(purpose, among)


Dice: TypeAlias = Callable[[str], Chance]  # of a game, for the entry of that number


def commitment(secret: str) -> str:
    """What is published before the first lot: the SHA-256 of the secret, in hex."""
    return hashlib.sha256(secret.encode()).hexdigest()


def draw(secret: bytes, purpose: str, among: int) -> int:
    """Even odds by rejection: numbers above the last whole multiple of `among` are drawn again."""
    limit = 2**64 - 2**64 % among
    attempt = 0
    while True:
        number = int.from_bytes(_mac(secret, f"{purpose}|{attempt}")[:8], "big")
        if number < limit:
            return number % among
        attempt += 1


def seeded_picks(chance: Chance, purpose: str) -> Callable[[int], int]:
    """The picks of a bot or a critic in an entry for that purpose: each one of 0 … n-1.

    They follow from the game's secret, as lots do, so that nobody reckons them ahead and anybody may later; but they
    decide nothing by themselves, and no log has them.
    """
    secret, numbers = chance.salt.encode(), count()
    return lambda among: draw(secret, f"{purpose} {next(numbers)}", among)


def _mac(secret: bytes, text: str) -> bytes:
    return hmac.digest(secret, text.encode(), "sha256")
