"""`games`: which games still gather their players."""

from __future__ import annotations

from pbem.host import messages as co
from pbem.host.commands.aside import Enquiry, Question
from pbem.host.lobby.open_games import gathering
from pbem.language.openings import GAMES


def _tell(enquiry: Enquiry) -> co.OpenGames:
    return gathering(enquiry.desk)


COMMAND = Question(name="games", words=GAMES, kept_from_deputies="own", anytime=True, tell=_tell)
