"""`cancel`: drafts and advance orders are thrown away."""

from __future__ import annotations

from typing import Any

from pbem.host.play.executor import CommandExecutor, GameCommand
from pbem.host.play.results import Result, result
from pbem.host.session.filed_orders import filed
from pbem.language.statements import Statement


def withdraw(executor: CommandExecutor, statement: Statement[Any], *kinds: str) -> Result:
    """Nothing of these kinds stays on file."""
    for kind in kinds:
        for order in filed(executor.session, executor.seat, kind):
            executor.session.record.discard(order)
    return result("withdrawn", statement)


COMMAND = GameCommand(
    name="cancel",
    words=("cancel", "verwerfe", "annulla"),
    kept_from_deputies="file",
    do=lambda executor, statement: withdraw(executor, statement, "draft", "advance"),
)
