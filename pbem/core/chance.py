"""Lots: drawn from a secret whose digest was published before, so that anyone can draw them again."""

from __future__ import annotations

import hashlib
import hmac
from typing import Protocol

from msgspec import Struct


class Draw(Struct, frozen=True, kw_only=True):
    """One lot: `result` is one of 0 … among-1."""

    purpose: str
    among: int
    result: int


class Chance(Protocol):
    def pick(self, purpose: str, among: int) -> int:
        """One of 0 … among-1; what is drawn for one purpose never depends on another."""
        ...


class Lots:
    """Chance by HMAC-SHA256 of the game's secret; keeps what was drawn."""

    def __init__(self, secret: str, game: str) -> None:
        self._secret = secret.encode()
        self._game = game
        self.draws: list[Draw] = []

    def pick(self, purpose: str, among: int) -> int:
        result = draw(self._secret, f"{self._game}|{purpose}", among)
        self.draws.append(Draw(purpose=purpose, among=among, result=result))
        return result


class NoLots:
    """Chance where nothing may be left to it."""

    def pick(self, purpose: str, among: int) -> int:
        raise ValueError(f"nothing is drawn here, but a lot was asked for {purpose!r} among {among}")


def commitment(secret: str) -> str:
    """What is published before the first lot: the SHA-256 of the secret, in hex."""
    return hashlib.sha256(secret.encode()).hexdigest()


def draw(secret: bytes, purpose: str, among: int) -> int:
    """Even odds by rejection: numbers above the last whole multiple of `among` are drawn again."""
    limit = 2**64 - 2**64 % among
    attempt = 0
    while True:
        digest = hmac.new(secret, f"{purpose}|{attempt}".encode(), hashlib.sha256).digest()
        number = int.from_bytes(digest[:8], "big")
        if number < limit:
            return number % among
        attempt += 1
