"""`rules`: what the game is played by."""

from __future__ import annotations

from pbem.host.commands.aside import Query, QueryContext
from pbem.host.messages import sections
from pbem.host.reporting.rules_in_force import rules_in_force


def _tell(context: QueryContext) -> sections.RulesInForce:
    return rules_in_force(context.work, context.game)


COMMAND = Query(name="rules", words=("rules", "Regeln", "regole"), anytime=True, tell=_tell)
