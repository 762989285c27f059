"""The games there are; the only place that lists them."""

from pbem.core.game import Registry
from pbem.games.empire import GAME as EMPIRE
from pbem.games.imperial import GAME as IMPERIAL

# The first one is that of play files and set-ups which name none: they are of a time when there was no other.
GAMES: Registry = {game.id: game for game in (IMPERIAL, EMPIRE)}
