"""Empire (1976), the third edition of the typescript: colonies, economy and war on a map of hexes."""

from pbem.core.game import Game
from pbem.games.empire.bots import BOTS
from pbem.games.empire.data.editions import USUAL, drawn, empire
from pbem.games.empire.maps import MAPS
from pbem.games.empire.presentation.presenter import PRESENTER
from pbem.games.empire.rules.game import Empire
from pbem.games.empire.rules.orders import Order
from pbem.games.empire.rules.state import State
from pbem.games.empire.rules.views.documents import LEFT_OUT

GAME: Game[Empire, State, Order] = Game(
    id="empire",
    tag="emp",
    players=range(2, 9),
    usual=USUAL,
    load=empire,
    presenter=PRESENTER,
    left_out=LEFT_OUT,
    bots=BOTS,
    maps=MAPS,
    drawn=drawn,
)
