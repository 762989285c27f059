"""Imperial, by Mac Gerdts."""

from pbem.core.game import Game
from pbem.games.imperial.bots import BOTS, REASONING
from pbem.games.imperial.bots.judging import judged
from pbem.games.imperial.data.editions import USUAL, imperial
from pbem.games.imperial.presentation.presenter import PRESENTER
from pbem.games.imperial.rules.documents import LEFT_OUT
from pbem.games.imperial.rules.game import Imperial
from pbem.games.imperial.rules.orders import Order
from pbem.games.imperial.rules.state import State

GAME: Game[Imperial, State, Order] = Game(
    id="imperial",
    tag="imp",
    players=range(2, 7),
    usual=USUAL,
    load=imperial,
    presenter=PRESENTER,
    left_out=LEFT_OUT,
    bots=BOTS,
    reasoning=REASONING,
    critic=judged,
)
