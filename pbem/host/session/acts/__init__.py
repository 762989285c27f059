"""What is done beside the orders, by a person or by the clock: it stands in the log, and nothing takes it back.

Who did it (`by`) is called as `actors` tells. The tags are what logs hold: none is ever changed.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec
from msgspec import Struct

from pbem.host.session.acts.course import CourseAct
from pbem.host.session.acts.seats import SeatAct
from pbem.host.session.acts.time import TimeAct
from pbem.host.session.acts.votes import VoteAct

Act = CourseAct | SeatAct | TimeAct | VoteAct


class Done(Struct, frozen=True, kw_only=True):
    """An act in its place in the log."""

    seq: int
    at: int
    turn: int  # during which it was done
    act: Act
    back: int | None = None  # of a rewinding: the entry after which the game stands again


def standing(done: Sequence[Done]) -> list[Done]:
    """What was done in the course that the game has kept: nothing of turns that were taken back, as `log.live` has it.

    Most acts count all the same; this is for those that only say what followed from an order.
    """
    kept: list[Done] = []
    upto = done[-1].seq if done else 0
    for each in reversed(done):
        if each.seq <= upto:
            upto = each.seq if each.back is None else each.back
            kept.append(each)
    return kept[::-1]


def entered(act: Act) -> Mapping[str, Any]:
    """An act as the log keeps it."""
    plain: Mapping[str, Any] = msgspec.json.decode(msgspec.json.encode(act))
    return plain


def read_act(plain: Mapping[str, Any]) -> Act:
    """An act that the log has kept. Raises `msgspec.ValidationError` for one that is of a later release."""
    act: Act = msgspec.convert(plain, Act)
    return act
