"""Players of wood, from one that plays anything legal to one that thinks ahead."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from pbem.core.bot import Bot, Pick, Reasoning
from pbem.core.decision import Decision
from pbem.games.imperial.bots.reasoning import reasoning
from pbem.games.imperial.bots.search import Search
from pbem.games.imperial.bots.seen import as_seen
from pbem.games.imperial.bots.simple import greedy_bot, random_bot
from pbem.games.imperial.rules.orders import Order
from pbem.games.imperial.rules.state import State

if TYPE_CHECKING:
    from pbem.games.imperial.rules.game import Imperial

WHIMS = 8.0  # millions by which an easy bot misjudges what things are worth
POSITIONS = 400  # a hard bot looks at for one answer; with these it takes well below two seconds on a slow core


def easy(game: Imperial, state: State, decision: Decision, pick: Pick) -> Order:
    """Does what is sensible, but seldom what is best."""
    return greedy_bot(game, as_seen(game, state, decision.seat, pick), decision, pick, WHIMS)


def fair(game: Imperial, state: State, decision: Decision, pick: Pick) -> Order:
    """Does what promises most at once."""
    return greedy_bot(game, as_seen(game, state, decision.seat, pick), decision, pick)


HARD = Search(POSITIONS)
BOTS: dict[str, Bot[Imperial, State, Order]] = {
    "random": random_bot,
    "greedy": greedy_bot,
    "easy": easy,
    "fair": fair,
    "hard": HARD,
}
REASONING: Mapping[str, Reasoning[Imperial, State, Order]] = reasoning(HARD)
