"""The lots of a season: a chain of links fixed before, and keys that follow from a link and all it is drawn from."""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Iterable, Sequence
from typing import TypeVar

import msgspec

from pbem.core.chance import draw

T = TypeVar("T")


def chain(seed: str, length: int) -> list[str]:
    """The links x[0] … x[length]; the seed is the last. x[0] is published first, draw n reveals x[n]."""
    links = [seed]
    for _ in range(length):
        links.append(digest(links[-1]))
    return links[::-1]


def seed_of(secret: str, number: int) -> str:
    """Of one chain of a pool that may need several, from 0: none of them tells of the others."""
    return digest(f"chain {number} {secret}")


def follows(link: str, before: str) -> bool:
    """Is this the link behind that one?"""
    return digest(link) == before


def digest(text: str) -> str:
    """The SHA-256 of a text, in hex: of a link, of a luck word before it is told."""
    return hashlib.sha256(text.encode()).hexdigest()


def canonical(value: object) -> bytes:
    """What is hashed: JSON with its keys sorted, without spaces, in UTF-8. No numbers but whole ones."""
    return msgspec.json.encode(msgspec.to_builtins(value, str_keys=True, order="sorted"))


def key_of(link: str, inputs: object) -> bytes:
    """The key of a draw: from its link and from everything it is drawn from."""
    of = hashlib.sha256(canonical(inputs)).digest()
    return hmac.new(link.encode(), of, hashlib.sha256).hexdigest().encode()


def shuffled(items: Iterable[T], key: bytes, purpose: str) -> list[T]:
    """Fisher-Yates from the end; each exchange is a lot of its own."""
    order = list(items)
    for last in range(len(order) - 1, 0, -1):
        other = draw(key, f"{purpose} {last}", last + 1)
        order[last], order[other] = order[other], order[last]
    return order


def lot_order(people: Sequence[int], key: bytes, purpose: str) -> dict[int, int]:
    """The place that the lot gives to each, from 0."""
    return {person: place for place, person in enumerate(shuffled(people, key, purpose))}


def sealed(drawing: object, link: str) -> str:
    """What is published of a drawing that tells who sits where, until its last table is over."""
    return hashlib.sha256(canonical(drawing) + link.encode()).hexdigest()
