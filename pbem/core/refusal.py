"""The two ways in which an order can fail; the sentences for them live in the templates."""

from __future__ import annotations


class Refusal(Exception):
    """Something a seat wrote that changes nothing: a stable code and the facts a sentence needs."""

    def __init__(self, code: str, **facts: object) -> None:
        super().__init__(code)
        self.code = code
        self.facts = facts


class Unreadable(Refusal):
    """The text can't be read: where (line and column from 1)."""

    def __init__(self, code: str, *, line: int, column: int, **facts: object) -> None:
        super().__init__(code, **facts)
        self.line = line
        self.column = column


class Illegal(Refusal):
    """The order is understood, but the rules forbid it here."""


class NotAwaited(Illegal):
    """Nobody awaits such an answer of this seat now.

    `about` is what the order would be about, and `is_open` whether another part of that answer is awaited.
    """

    def __init__(self, *, about: str | None = None, is_open: bool = False, **facts: object) -> None:
        super().__init__("order.not_awaited", **facts)
        self.about = about
        self.is_open = is_open


class DieNeeded(Illegal):
    """What comes next hangs on a die (or a lot) that is drawn only when an order is really played."""

    def __init__(self, purpose: str, among: int) -> None:
        super().__init__("preview.die", purpose=purpose, among=among)


class Impossible(Exception):
    """A given position that can't be: `line` counts the given lines from 0."""

    def __init__(self, line: int, refusal: Refusal) -> None:
        super().__init__(refusal.code)
        self.line = line
        self.refusal = refusal
