"""`cancel`: drafts and advance orders are thrown away; with a number behind it, that one of a turn's drafts."""

from __future__ import annotations

from typing import Any

from pbem.core.refusal import Illegal
from pbem.host.play.executor import CommandExecutor, GameCommand
from pbem.host.play.results import Result, result
from pbem.host.session.filed_orders import filed, numbered
from pbem.language.statements import Statement


def withdraw(executor: CommandExecutor, statement: Statement[Any], *kinds: str) -> Result:
    """Nothing of these kinds stays on file."""
    for kind in kinds:
        for order in filed(executor.session, executor.seat, kind):
            executor.session.record.discard(order)
    return result("withdrawn", statement)


def _cancel(executor: CommandExecutor, statement: Statement[Any]) -> Result:
    if not statement.rest:
        return withdraw(executor, statement, "draft", "advance")
    known = dict(enumerate(numbered(executor.session, executor.seat), 1))
    if int(statement.rest) not in known:
        raise Illegal("draft.number", read=statement.rest, most=len(known))
    executor.session.record.discard(known[int(statement.rest)])
    return result("withdrawn", statement)


COMMAND = GameCommand(
    name="cancel",
    words=("cancel", "verwerfe", "annulla"),
    behind="[NUMBER]",
    kept_from_deputies="file",
    do=_cancel,
)
