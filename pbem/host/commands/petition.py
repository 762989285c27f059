"""`petition change` and the like: all players are asked to vote."""

from __future__ import annotations

from typing import Any

from pbem.host.governance import asking, voting
from pbem.host.play.executor import CommandExecutor, GameCommand
from pbem.host.play.results import Result, result
from pbem.language.petitions import Motion
from pbem.language.statements import Statement


def _post(executor: CommandExecutor, statement: Statement[Any]) -> Result:
    motion = statement.motion
    assert isinstance(motion, Motion), "a petition has been read"
    voting.count(executor.session, executor.at)
    executor.check_said(motion.words, is_told=True)
    asking.post(executor.session, executor.seat, motion, executor.at, executor.submission.zone)
    return result("posted", statement)


COMMAND = GameCommand(name="petition", part_of="petitions", behind=None, kept_from_deputies="petition", do=_post)
