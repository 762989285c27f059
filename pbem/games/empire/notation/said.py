"""What the words of an order say, one after another."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from pbem.games.empire.rules import orders as od

_SIGNS = ("TO", "COMMA", "PLUS", "ALSO", "COLON")
KINDS = ("KIND", "OFFICIAL", "WORKER")
SITES = ("FACTORY", "ITEM", "FORT", "CITY", "GUN")  # what stands in a place


def square(written: str) -> str:
    """`d8A` is D8a."""
    part = written[-1].lower() if written[-1].isalpha() else ""
    return written[: len(written) - len(part)].upper() + part


def _offer(written: str) -> str:
    return f"T-{int(''.join(filter(str.isdecimal, written)))}"


_TURNED: Mapping[str, Callable[[str], str]] = {
    "UNIT": lambda written: "".join(written.split()).upper(),
    "SQUARE": square,
    "COUNTRY": str.lower,
}


class Said:
    """An order's parts by the keyword before them: `load CGO1 from CGO2` is CGO1 under load and CGO2 under from."""

    def __init__(self, tree: Any) -> None:
        self.words: list[str] = []  # the keywords as they follow each other
        self._parts: dict[str, list[Any]] = {"": []}
        for child in tree.children:
            kind = getattr(child, "type", "")
            if kind.startswith("K_"):
                self.words.append(kind[2:].lower())
            elif child is not None and kind not in _SIGNS:
                self._parts.setdefault(self.words[-1] if self.words else "", []).append(child)

    def __contains__(self, word: str) -> bool:
        return word in self.words

    def word(self, *words: str) -> Any:
        """Which of these words it says; the empty text for none."""
        return next((word for word in self.words if word in words), "")

    def all(self, *kinds: str, under: str | None = None) -> tuple[str, ...]:
        """What it names of these kinds."""
        said = [part for word, parts in self._parts.items() if under in (None, word) for part in parts]
        return tuple(_TURNED.get(p.type, str)(str(p)) for p in said if getattr(p, "type", "") in kinds)

    def one(self, *kinds: str, under: str | None = None) -> str:
        return self.all(*kinds, under=under)[0]

    def maybe(self, *kinds: str, under: str | None = None) -> str | None:
        return next(iter(self.all(*kinds, under=under)), None)

    def count(self) -> int | None:
        number = self.maybe("NUMBER")
        return None if number is None else int(number)

    def trees(self, name: str, under: str | None = None) -> list[Said]:
        """Its parts of that name."""
        said = [part for word, parts in self._parts.items() if under in (None, word) for part in parts]
        return [Said(part) for part in said if getattr(part, "data", "") == name]

    @property
    def squares(self) -> tuple[str, ...]:
        return self.all("SQUARE")

    @property
    def at(self) -> str:
        return self.one("SQUARE")

    @property
    def units(self) -> tuple[str, ...]:
        return self.all("UNIT")

    @property
    def offer(self) -> str:
        """With its letter or without."""
        return _offer(self.one("OFFER", "NUMBER"))

    @property
    def who(self) -> str:
        return self.one("SEAT", "COUNTRY", "PIRATE")

    @property
    def items(self) -> tuple[od.Item, ...]:
        return tuple(each.item for each in self.trees("item"))

    @property
    def item(self) -> od.Item:
        """A unit, or so many of something."""
        unit = self.maybe("UNIT")
        return od.Item(unit, 1) if unit else od.Item(self.one("GOOD", *KINDS), self.count())

    def names(self, name: str, *under: str) -> tuple[str, ...]:
        """Units, kinds and naval guns with their squares, as they stand in an attack."""
        return tuple(" ".join(each.all("UNIT", "GUN", "SQUARE", *KINDS)) for w in under for each in self.trees(name, w))
