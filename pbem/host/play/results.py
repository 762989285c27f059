"""What became of each order of a letter."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal, get_args

from msgspec import Struct
from msgspec.structs import replace

from pbem.core.game import AnyOrder
from pbem.core.lapse import Lapsed
from pbem.core.refusal import Illegal, Refusal
from pbem.language.statements import Statement

Changed = Literal["played", "filed", "drafted", "set", "withdrawn", "done", "asked", "posted", "voted", "heard"]
Outcome = Changed | Literal["refused", "held", "shown", "nothing", "unused", "passed", "tried", "sent", "unsent"]


class Result(Struct, frozen=True, kw_only=True):
    """What became of one order of a letter."""

    outcome: Outcome
    text: str  # as the writer wrote it
    line: int
    refusal: Refusal | None = None
    kept: str | None = None  # what of it is on file now, in the order language
    seq: int | None = None  # the entry it made
    aside: Statement[AnyOrder] | None = None  # for the house to answer
    to: tuple[str, ...] = ()  # the seats that press has gone to
    flaws: tuple[Lapsed, ...] = ()  # what else in it can't be done
    told: Mapping[str, Any] = {}  # what more there is to say of what was done, as the sentence `says.OUTCOME` needs it


def aside(statement: Statement[AnyOrder], *, stopped: bool = False) -> Result:
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
    if found.aside and found.aside.command.kind == "preference" and found.aside.rest:
        return replace(found, outcome="held", aside=None)
    return replace(
        found, outcome="tried" if found.outcome in get_args(Changed) else found.outcome, kept=None, seq=None, told={}
    )


def result(outcome: Outcome, statement: Statement[AnyOrder], **more: Any) -> Result:
    return Result(outcome=outcome, text=statement.text, line=statement.line, **more)
