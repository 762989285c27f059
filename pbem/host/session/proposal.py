"""What an answer of ours proposes: a yes plays it, once, while it stands."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct


class Proposal(Struct, frozen=True, kw_only=True):
    """A text that would do."""

    text: str  # in the order language
    kind: Literal["preview", "mended", "part"]  # what was previewed; what a line was meant for; what of one is legal
    serials: tuple[int, ...]  # of the questions that it answers
    seq: int  # of the last entry when it was made
    turn: int  # then


class Found(Struct, frozen=True, kw_only=True):
    """The proposal that a yes may be about."""

    proposal: Proposal
    named: bool | None  # is it the letter with it that is answered? None: the letter does not tell
    used: bool = False  # has its writer played since?
