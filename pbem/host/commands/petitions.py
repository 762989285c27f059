"""`petitions`: which are open, and how the last ones ended."""

from __future__ import annotations

from pbem.host.commands.aside import Query, QueryContext
from pbem.host.messages import sections
from pbem.host.reporting.tallies import listed


def _tell(context: QueryContext) -> sections.Petitions:
    done = context.work.session(context.game).position.done
    return listed(done, ended=context.game.status == "finished")


COMMAND = Query(name="petitions", words=("petitions", "Anträge", "petizioni"), tell=_tell)
