"""The note on a turn whose time was ended by others: what was void of it, and what follows of itself."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import msgspec

from pbem.core.decision import Answer, Decision
from pbem.core.lapse import Lapse, Lapsed
from pbem.core.refusal import Illegal
from pbem.games.imperial.notation.write import write
from pbem.games.imperial.rules import orders as od
from pbem.games.imperial.rules.drafts import Table, fallback, flaw, sifted
from pbem.games.imperial.rules.state import State

SMALL = {"battle": "no_battle", "swiss": "let_pass", "invest": "no_purchase", "bid": "no_bid"}  # by question
EMPTY = {"factory": "nothing_built", "import": "nothing_bought", "maneuver": "nothing_moved"}  # by action


def lapse(game: Table, state: State, decision: Decision, written: od.Order | None) -> Lapse[od.Order]:
    """What stands of what was written; what is left out of it, and why; and what follows of itself from the rest."""
    stands = fallback(game, state, decision, written)
    note = _small if decision.kind in SMALL else _turn
    return Lapse(order=stands, notes=tuple(note(game, state, decision, written, stands)))


def _small(
    game: Table, state: State, decision: Decision, written: od.Order | None, stands: od.Order
) -> Iterator[Lapsed]:
    if written is not None and stands == written:
        return
    if written is not None:
        wrong = flaw(game, state, Answer(seat=decision.seat, order=written, decision=decision))
        yield from [_void(written, wrong)] if wrong else []
    yield Lapsed(void=False, code=SMALL[decision.kind])


def _turn(
    game: Table, state: State, decision: Decision, written: od.Order | None, stands: od.Order
) -> Iterator[Lapsed]:
    if isinstance(written, od.Turn):
        answer: Answer[od.Order] = Answer(seat=decision.seat, order=written, decision=decision)
        yield from (_void(part, wrong) for part, wrong in sifted(game, state, answer, written, decision)[1])
    if not isinstance(stands, od.Turn):
        # Of a turn for which nothing was written the event tells it.
        yield from [Lapsed(void=False, code="skipped")] if written is not None else []
        return
    if not isinstance(written, od.Turn) and not isinstance(stands.work, od.Move):
        yield Lapsed(void=False, code="next_space")
    yield from _implied(stands, written)


def _implied(stands: od.Turn, written: od.Order | None) -> Iterator[Lapsed]:
    """What the clock's answer says that was not written."""
    if stands.work in (od.Build(region=None), od.Buy(units=()), od.Move(lines=())):
        if not isinstance(written, od.Turn) or written.work != stands.work:
            yield Lapsed(void=False, code=EMPTY[stands.space.rstrip("_12")])
        return
    if not isinstance(stands.work, od.Move):
        return
    own = written.work.lines if isinstance(written, od.Turn) and isinstance(written.work, od.Move) else ()
    for line in stands.work.lines:
        if line not in own:
            part = od.Turn(nation=stands.nation, space=stands.space, work=od.Move(lines=(line,)))
            yield Lapsed(void=False, code="friendly", text=_line(part))
    yield Lapsed(void=False, code="others_stay")


def _line(order: od.Order) -> str:
    return " ".join(write(order).split())


def flaws(game: Table, state: State, answer: Answer[od.Order]) -> Sequence[Lapsed]:
    """The parts of a turn that can't be carried out, in the order in which they would be."""
    if answer.decision is None or not isinstance(answer.order, od.Turn):
        return ()
    void = sifted(game, state, answer, answer.order, answer.decision, strict=True)[1]
    return [_void(part, wrong) for part, wrong in void]


def _void(order: od.Order, wrong: Illegal) -> Lapsed:
    facts: dict[str, Any] = msgspec.to_builtins(wrong.facts)
    return Lapsed(void=True, code=wrong.code, facts=facts, text=_line(order))
