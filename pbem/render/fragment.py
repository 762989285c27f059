"""What the page to order from is told, small enough for the fragment of a link: a browser sends it to nobody."""

from __future__ import annotations

import json
import zlib
from base64 import urlsafe_b64encode
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from pbem.core.choice import Choice, Step

MARK = "."  # of this way to pack, stock and words included: another with each change, none of base64's letters
_FIRST = 0xA1  # the letter of the first word: behind all that stands in orders
Label = Callable[[Choice], str]


def fragment(facts: Mapping[str, Any], stock: str) -> str:
    """JSON, deflated (RFC 1951) and in URL-safe base64 without padding (RFC 4648 section 5), behind `MARK`.

    `stock` is ASCII that much of it repeats: whoever inflates it must have read that first.
    """
    deflate = zlib.compressobj(9, wbits=-15, zdict=stock.encode("ascii"))
    told = json.dumps(facts, ensure_ascii=False, separators=(",", ":")).encode()
    return MARK + urlsafe_b64encode(deflate.compress(told) + deflate.flush()).decode().rstrip("=")


def packed(step: Step, label: Label, words: Iterable[str] = ()) -> list[Any]:
    """`[before, between, none, least, most, choices]`; `label` says what a choice costs and brings, or nothing.

    Behind it, if there is any, how much there is of what choices take: numbered on from the steps around it, so that
    what is offered twice looks the same.
    `words` that the page knows, too, are told by one letter each, in the order of the alphabet.
    """
    return _Packer(label, words).step(step, ())


class _Packer:
    def __init__(self, label: Label, words: Iterable[str]) -> None:
        self.label = label
        self.letters = {word: chr(_FIRST + place) for place, word in enumerate(sorted(words))}

    def step(self, step: Step, outer: Sequence[str]) -> list[Any]:
        names = (*outer, *step.room)
        of = [self.choice(one, names) for one in step.of]
        room = [[*step.room.values()]] if step.room else []
        return [step.before, step.between, step.none, step.least, step.most, of, *room]

    def choice(self, choice: Choice, names: Sequence[str]) -> list[Any]:
        """`[text, at, times, label, steps, takes, cost, payer]` without zeros at the end.

        An `at` of 1: the text's last word. `takes`: a number for each, or its complement for each that is added.
        """
        at: Any = 1 if choice.at and choice.text.rpartition(" ")[2] == choice.at else self.short(choice.at or "") or 0
        then = [self.step(step, names) for step in choice.then]
        times = choice.times if choice.times > 1 else 0
        number = {name: place for place, name in enumerate(names)}  # the innermost of a name counts
        takes = [number[n] if taken > 0 else ~number[n] for n, taken in choice.takes.items() for _ in range(abs(taken))]
        text, label = self.short(choice.text), self.label(choice) or 0
        found = [text, at, times, label, then or 0, takes or 0, choice.cost, choice.payer or 0]
        while not found[-1]:
            found.pop()
        return found

    def short(self, text: str) -> str:
        return " ".join(self.letters.get(word, word) for word in text.split(" "))
