"""Imperial, by Mac Gerdts."""

from pbem.core.game import Game
from pbem.games.imperial.bots import BOTS
from pbem.games.imperial.data.editions import imperial
from pbem.games.imperial.presentation.presenter import PRESENTER
from pbem.games.imperial.rules.game import Imperial
from pbem.games.imperial.rules.orders import Order
from pbem.games.imperial.rules.state import State

GAME: Game[Imperial, State, Order] = Game(
    id="imperial",
    tag="imp",
    players=range(2, 7),
    load=imperial,
    presenter=PRESENTER,
    left_out={
        "nations.*.armies.*": 0,
        "nations.*.friendly_armies.*": 0,
        "nations.*.fleets.*": 0,
        "players.*.bonds.*": [],
    },
    bots=BOTS,
)
