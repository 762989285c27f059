"""The games there are; the only place that lists them."""

from pbem.core.game import Registry
from pbem.games.imperial import GAME as IMPERIAL

GAMES: Registry = {game.id: game for game in (IMPERIAL,)}
