"""`advance`: a turn written before it is due."""

from __future__ import annotations

from typing import Any

from pbem.host.play.executor import CommandExecutor, GameCommand
from pbem.host.play.results import Result
from pbem.language.statements import Statement


def _file(executor: CommandExecutor, statement: Statement[Any]) -> Result:
    executor.rules.files.check_early(executor.state, statement.order)
    return executor.filing.file(statement, "advance")


COMMAND = GameCommand(
    name="advance",
    words=("advance", "vorab", "anticipo"),
    behind="early",
    kept_from_deputies="file",
    do=_file,
)
