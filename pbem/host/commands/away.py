"""`away`: somebody will be away for a while, and perhaps who writes for them meanwhile."""

from __future__ import annotations

from pbem.core.game import AnyOrder
from pbem.core.refusal import Illegal
from pbem.host.play.absences import declare
from pbem.host.play.executor import CommandExecutor, GameCommand
from pbem.host.play.results import Result, result
from pbem.language.absences import read_leave
from pbem.language.statements import Statement


def _declare(executor: CommandExecutor, statement: Statement[AnyOrder]) -> Result:
    """Say that one is away for a while, or there again."""
    leave = read_leave(statement.text)
    if leave.back or leave.span or leave.deputy is not None:
        executor.check_telling()
    told = declare(executor.session, executor.seat, leave, executor.at, executor.submission.zone)
    return result("set" if told else "shown", statement)


AWAY = GameCommand(
    name="away",
    words=("away", "abwesend", "assente"),
    behind="_away*",
    low_priority=True,
    kept_from_deputies="own",
    do=_declare,
    again=Illegal("away.again"),
)
