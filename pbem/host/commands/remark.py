"""`interpret` and `object`: how a player reads another's order, or that they object to a report."""

from __future__ import annotations

from typing import Any

from pbem.host.governance import voting
from pbem.host.governance.remarks import remark
from pbem.host.play.executor import CommandExecutor, GameCommand
from pbem.host.play.results import Result, result
from pbem.language.petitions import Remark
from pbem.language.statements import Statement


def _post(executor: CommandExecutor, statement: Statement[Any]) -> Result:
    said = statement.motion
    assert isinstance(said, Remark), "a remark has been read"
    voting.count(executor.session, executor.at)
    executor.check_said(said.words, is_told=True)
    remark(executor.session, executor.seat, said, executor.at)
    return result("posted", statement)


COMMAND = GameCommand(name="remark", part_of="petitions", behind=None, kept_from_deputies="petition", do=_post)
