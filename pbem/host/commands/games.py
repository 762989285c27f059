"""`games`: which games still gather their players."""

from __future__ import annotations

from pbem.host.commands.aside import Query, QueryContext
from pbem.host.lobby.open_games import gathering
from pbem.host.messages import sections


def _tell(context: QueryContext) -> sections.OpenGames:
    return gathering(context.work)


COMMAND = Query(name="games", words=("games", "Partien", "partite"), kept_from_deputies="own", anytime=True, tell=_tell)
