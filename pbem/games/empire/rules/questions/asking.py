"""Questions in the middle of an order: it hangs until they are answered, and is then carried out once more.

Whatever asks does so by `answered`. An order is decided by the position, its dice and the answers alone, so that it
comes to the same question again, which then has its answer.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from msgspec.structs import replace

from pbem.core.chance import Chance
from pbem.core.refusal import Illegal
from pbem.core.seat import Seat
from pbem.games.empire.geography.grid import square_of
from pbem.games.empire.rules import orders as od
from pbem.games.empire.rules.asked import Hanging, Heard, Question
from pbem.games.empire.rules.countries import standing
from pbem.games.empire.rules.state import State
from pbem.games.empire.rules.world import Setting, World

STANDING = (od.Standing, od.StandingNone)


class Awaits(Exception):
    """An order that can't go on before this is answered."""

    def __init__(self, question: Question) -> None:
        super().__init__(question.kind)
        self.question = question


def answered(w: World, question: Question) -> od.Order | None:
    """The answer to a question; None where nobody is asked any more, so that the default holds. Raises `Awaits`."""
    if w.asks_nobody and not w.heard:
        return None
    if w.only is not None:
        question = replace(question, about=None, is_secret=True)
    w.note("asked", seat=question.seat, kind=question.kind, about=question.about)
    while w.heard:
        said = w.heard.pop(0)
        if said.is_answer:
            return said.order
        give(w, said.seat, said.order)
    raise Awaits(question)


def of_owner(
    w: World, kind: str, about: str, seat: Seat | None, default: od.Standing, **facts: Any
) -> od.Standing | None:
    """What an owner says under `ask yes` [R-23]; None where the default holds. Standing orders make no question."""
    if w.options["ask"] != "yes" or seat not in w.state.seats:
        return None
    assert seat is not None, "somebody sits there"
    default = replace(default, lapsed=True)
    said = answered(w, Question(seat=seat, kind=kind, about=about, facts=facts, default=default))
    return said if isinstance(said, od.Standing) else None


def give(w: World, seat: Seat, order: od.Order) -> None:
    """A standing order while something hangs. Raises `Illegal`."""
    only = w.only
    if isinstance(order, od.Standing):
        standing.give(w, seat, order)
    elif isinstance(order, od.StandingNone):
        standing.withdraw(w, seat, order)
    w.only = only


def hang(w: World, base: State, order: Hanging, question: Question) -> None:
    """Keep the order until that is answered.

    What it has changed so far is seen meanwhile; but a slot that was rolled out goes on until it is over.
    """
    if isinstance(order.order, od.Rollout):
        w.put_back(base)
    w.finality("asked")
    kept = replace(order, question=question, dice=tuple(w.drawn), told=len(w.events))
    is_new = not order.heard or order.heard[-1].is_answer
    w.set(hanging=kept, last=1 + max(w.before.serial, w.before.last) if is_new else w.before.last)


def again(setting: Setting, state: State, chance: Chance, said: Heard) -> World:
    """The position in which the order that hangs began, with what was drawn and said since."""
    hanging, base = state.hanging, state.resume or state
    assert hanging is not None, "an order hangs"
    w = World(replace(setting, options=hanging.options), base, chance, before=state, drawn=hanging.dice)
    w.heard = [*hanging.heard, said]
    w.set(last=state.last)
    w.finality("asked")
    return w


def fallen(w: World, state: State, refusal: Illegal) -> None:
    """By an answer the order has turned out to be against the rules: all is as it was before it."""
    hanging, base = state.hanging, state.resume
    assert hanging is not None, "an order hangs"
    w.put_back(base)
    w.set(last=state.last)
    w.note("order_fell", seat=hanging.seat, escort=refusal.facts.get("escort"))


# -- what answers ---


def is_answer(question: Question, order: od.Order) -> bool:
    """Is it of the kind that is asked for, and about the square that is asked about?"""
    if question.kind == "ruling":
        return isinstance(order, od.Ruling)
    if not isinstance(order, od.Standing) or order.what != question.kind:
        return False
    return question.kind != "scramble" or order.at in (None, question.facts["at"], square_of(question.facts["at"]))


def answers(question: Question) -> Sequence[od.Order]:
    """Some that would do."""
    if question.kind == "ruling":
        return [od.Ruling(choice=choice) for choice in question.facts["choices"]]
    if question.kind == "retreat":
        unit = question.facts["unit"]
        return [od.Standing(what="retreat", units=(unit,), to=end) for end in question.facts["choices"]]
    if question.kind == "scramble":
        at, ready = question.facts["at"], len(question.facts["ready"])
        return [od.Standing(what="scramble", at=at, says=says) for says in ("none", str(ready), "always")]
    return [od.Standing(what="raid", says=says) for says in ("yield", "scuttle")]


def check(question: Question, order: od.Order) -> None:
    """Raises `Illegal` (`ruling.choice`, `way.none`)."""
    facts = question.facts
    if isinstance(order, od.Ruling) and order.choice not in facts["choices"]:
        raise Illegal("ruling.choice", choices=list(facts["choices"]))
    if isinstance(order, od.Standing) and order.what == "retreat":
        ends = {name for end in facts["choices"] for name in (end, square_of(end))}
        if order.to not in ends or not _is_meant(order, facts["unit"], facts["at"]):
            raise Illegal("way.none", what=facts["unit"], square=facts["at"], to=order.to, why="no_retreat")


def _is_meant(order: od.Standing, unit: str, at: str) -> bool:
    return (not order.units or unit in order.units) and order.at in (None, at, square_of(at))
