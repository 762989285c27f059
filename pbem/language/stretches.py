"""Stretches of a letter that are kept as they are written: they are parted from the orders before those are read."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Literal, TypeVar

from msgspec import Struct

from pbem.core.refusal import Unreadable
from pbem.language.tokens import ends_letter

IsOrder = Callable[[str], bool]  # would the line, read by itself, do something?


class Stretch(Struct, kw_only=True):
    """Lines of a letter that belong together."""

    kind: Literal["press", "petition", "vote", "remark"]  # the command that it is
    line: int  # where it begins; both from 1
    column: int = 1
    first: str  # the line that it begins on, from there
    below: list[tuple[int, str]] = []  # the lines under it, with their numbers

    @property
    def place(self) -> tuple[int, int]:
        return self.line, self.column

    @property
    def text(self) -> str:
        """All of it as written."""
        return "\n".join([self.first, *(line for _, line in self.below)]).rstrip()

    def check_below(self, is_order: IsOrder) -> None:
        """An order there would be mailed to rivals. Raises `Unreadable`."""
        for number, line in self.below:
            if is_order(line):
                raise Unreadable(f"{self.kind}.order_inside", line=number, column=1, read=line.strip())


S = TypeVar("S", bound=Stretch)


def part(
    lines: Sequence[str], begun: Callable[[int, str, bool], S | None], ends: Callable[[str], bool]
) -> tuple[list[str], list[S]]:
    """The lines without these stretches, each still at its number; and the stretches.

    `begun` is asked for the one that begins on a line, by its number, and told whether one above is open. It goes on
    to a line that `ends` it, to the next one, or to the end of the letter; a vote is one line.
    """
    rest, found, is_open = [*lines], [], False
    for number, line in enumerate(lines, 1):
        if ends_letter(line):
            break
        new = begun(number, line, is_open)
        if new:
            found.append(new)
            is_open, rest[number - 1] = new.kind != "vote", line[: new.column - 1]
        elif is_open:
            rest[number - 1] = ""
            is_open = not ends(line)
            if is_open:
                found[-1].below.append((number, line.rstrip()))
    return rest, found
