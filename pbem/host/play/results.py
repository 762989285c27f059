"""What became of each order of a letter."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Literal

from msgspec import Struct
from msgspec.structs import replace

from pbem.core.lapse import Lapsed
from pbem.core.refusal import Illegal, Refusal
from pbem.language.statements import Statement

Outcome = Literal[
    "played",
    "filed",
    "drafted",
    "refused",
    "held",
    "shown",
    "set",
    "withdrawn",
    "nothing",
    "unused",
    "passed",
    "tried",
    "sent",
    "unsent",
    "done",
    "asked",
    "posted",
    "voted",
    "heard",
]


class Result(Struct, frozen=True, kw_only=True):
    """What became of one order of a letter."""

    outcome: Outcome
    text: str  # as the writer wrote it
    line: int
    refusal: Refusal | None = None
    kept: str | None = None  # what of it is on file now, in the order language
    seq: int | None = None  # the entry it made
    aside: Statement[Any] | None = None  # for the house to answer
    to: tuple[str, ...] = ()  # the seats that press has gone to
    flaws: tuple[Lapsed, ...] = ()  # what else in it can't be done
    told: Mapping[str, Any] = {}  # what more there is to say of what was done, as the sentence `says.OUTCOME` needs it


class ReplyContext(Struct, frozen=True, kw_only=True):
    """What the writer had before their eyes: the letter of ours that they answer."""

    turn: int
    serial: int  # of the last question that had been asked then; -1 when that part of the game was taken back
    seq: int = -1  # of the last entry that it told


class Submission(Struct, frozen=True, kw_only=True):
    """The letter that is being heard."""

    at: int
    letter: str | None = None  # its id
    cause: str = "letter"
    seen: ReplyContext | None = None  # unless it answers no letter about a turn
    zone: str = "UTC"  # in which its writer means their times
    check_words: Callable[[str], None] | None = None  # raises `Illegal` for what the others must not read
    is_limited: bool = False  # has what it tells all the others a limit?
    deputy: str = ""  # who writes in the place of the player, as the log calls them
    answered: Callable[[int], str] | None = None  # what the writer's question got in that entry, in the order language


def aside(statement: Statement[Any], *, stopped: bool = False) -> Result:
    """A word to the house, which will answer it; press of a letter that is stopped goes nowhere."""
    if statement.refusal:
        return result("refused", statement, refusal=statement.refusal)
    if statement.to and stopped:
        return result("unsent", statement)
    return result("shown", statement, aside=statement)


def tried(found: Result) -> Result:
    """Of a preview: nothing was played, nothing is on file, nothing was chosen, no press was sent."""
    if found.aside and found.aside.to:
        return replace(found, outcome="unsent", aside=None, refusal=Illegal("press.preview"))
    if found.aside and found.aside.kind == "preference" and found.aside.rest:
        return replace(found, outcome="held", aside=None)
    done = found.outcome in (
        "done",
        "asked",
        "played",
        "filed",
        "drafted",
        "withdrawn",
        "posted",
        "voted",
        "heard",
        "set",
    )
    return replace(found, outcome="tried" if done else found.outcome, kept=None, seq=None, told={})


def result(outcome: Outcome, statement: Statement[Any], **more: Any) -> Result:
    return Result(outcome=outcome, text=statement.text, line=statement.line, **more)
