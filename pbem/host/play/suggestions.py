"""What of the names that a word may be meant for fits what is asked: nothing else is suggested."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec.structs import replace

from pbem.core.choice import everything
from pbem.core.decision import Decision
from pbem.core.game import AnyOrder
from pbem.core.refusal import Unreadable
from pbem.core.seat import Seat
from pbem.host.play.proposals import MOST, Rehearse, does, whole
from pbem.host.play.results import Result
from pbem.host.session.session import Session
from pbem.language.command import UNREAD
from pbem.language.statements import Statement
from pbem.language.tokens import fold
from pbem.language.words import FILLERS


def narrowed(
    session: Session, seat: Seat, statements: Sequence[Statement[AnyOrder]], results: Sequence[Result], try_: Rehearse
) -> list[Result]:
    """The same with those suggestions alone with which a line would be done, or which name what is offered.

    Of many lines only the first are looked at so closely; the others bring no suggestion.
    """
    unread = (each for each in statements if each.command is UNREAD and each.refusal)
    said = {id(each.refusal): each for each in unread if each.refusal and each.refusal.facts.get("candidates")}
    close = [*said.values()][:MOST]
    offered = {word for each in session.pending() if close and each.seat == seat for word in _offered(session, each)}
    fitting = {id(each.refusal): tuple(_fitting(session, seat, each, offered, try_)) for each in close}
    return [
        _with_these(each, fitting.get(id(each.refusal), ())) if id(each.refusal) in said else each for each in results
    ]


def _with_these(result: Result, names: tuple[str, ...]) -> Result:
    refusal = result.refusal
    if not isinstance(refusal, Unreadable) or not refusal.code.startswith(("name.", "order.")):
        return result
    code = refusal.code
    if code == "name.ambiguous" and names and fold(str(refusal.facts["read"])) not in FILLERS:
        return result  # it is told with all that it may mean
    if code == "name.ambiguous":  # what it says is nothing, or means nothing here
        code, names = "order.unreadable", ()
    facts = {**refusal.facts, "candidates": names}
    return replace(result, refusal=Unreadable(code, line=refusal.line, column=refusal.column, **facts))


def _fitting(
    session: Session, seat: Seat, statement: Statement[AnyOrder], offered: set[str], try_: Rehearse
) -> Iterator[str]:
    meant = [*session.parser.instead(statement)]
    readable = [(name, said) for name, said in meant if not said.refusal]
    for name, said in readable or meant:
        texts = () if said.refusal else whole(session, seat, said)
        if any(does(try_, text.splitlines()) for text in texts) or not offered.isdisjoint(session.parser.ids(name)):
            yield name


def _offered(session: Session, decision: Decision) -> Iterator[str]:
    """All that the answers to a question name."""
    for choice in everything(session.rules.choices(session.state, decision)):
        yield from (word.strip(":,") for word in (*choice.text.split(), *choice.key.split()))
