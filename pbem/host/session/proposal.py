"""What an answer of ours proposes: a yes does it, once, while it stands."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct


class Proposal(Struct, frozen=True, kw_only=True):
    """A text that would do."""

    text: str  # in the order language
    # What was previewed; what a line was meant for; what of one is legal; what stands in the subject.
    kind: Literal["preview", "mended", "part", "subject"]
    serials: tuple[int, ...]  # of the questions that it answers
    seq: int  # of the last entry when it was made
    turn: int  # then
    plays: bool = True  # would it be played at once? Otherwise it is kept on file, posted, or whatever its words do
    presides: bool = False  # are they the words of somebody who leads the game?


class Found(Struct, frozen=True, kw_only=True):
    """The proposal that a yes may be about."""

    proposal: Proposal
    named: bool | None  # is it the letter with it that is answered? None: the letter does not tell
    used: bool = False  # has its writer done anything since?
