"""`standing`: an order that answers questions the moment they arise; `standing none` withdraws them all."""

from __future__ import annotations

from typing import Any

from pbem.host.commands.cancel import withdraw
from pbem.host.play.executor import CommandExecutor, GameCommand
from pbem.host.play.results import Result, aside
from pbem.language.statements import Statement


def _file(executor: CommandExecutor, statement: Statement[Any]) -> Result:
    """The word alone asks what is on file."""
    return aside(statement) if statement.order is None else executor.filing.file(statement, "standing")


STANDING = GameCommand(
    name="standing",
    words=("standing", "dauernd", "permanente"),
    behind="[standing]",
    kept_from_deputies="file",
    do=_file,
)
NONE = GameCommand(
    name="standing_none",
    part_of="standing",
    behind="K_NONE",
    kept_from_deputies="file",
    do=lambda executor, statement: withdraw(executor, statement, "standing"),
)
