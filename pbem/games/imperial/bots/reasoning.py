"""Why a bot has played as it did, in a sentence: for whoever asks it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from pbem.core.bot import Pick, Reason, Reasoning
from pbem.core.decision import Decision
from pbem.games.imperial.bots.search import Search
from pbem.games.imperial.rules.orders import Order
from pbem.games.imperial.rules.state import State

if TYPE_CHECKING:
    from pbem.games.imperial.rules.game import Imperial


def _weighed(search: Search) -> Reasoning[Imperial, State, Order]:
    """How a bot that thinks ahead came to its answer."""

    def reason(game: Imperial, state: State, decision: Decision, order: Order, pick: Pick) -> Reason:
        """Where cash is secret no figures: they rest on what the bot holds, and so does what else it could pay for."""
        played = _line(game, order)
        if game.hides(state):
            return Reason(code="secret", facts={"order": played})
        leads = {each.order: each.lead for each in search.rated(game, state, decision, pick, also=(order,))}
        others = [each for each in leads if each != order]
        if not others:
            return Reason(code="only", facts={"order": played})
        lead, behind = round(leads[order]), round(leads[order] - leads[others[0]])
        facts = {"order": played, "lead": lead, "second": _line(game, others[0]), "behind": behind}
        return Reason(code="ahead", facts=facts)

    return reason


def _always(code: str) -> Reasoning[Imperial, State, Order]:
    """Of a bot that weighs nothing but what an order brings at once."""
    return lambda game, _state, _decision, order, _pick: Reason(code=code, facts={"order": _line(game, order)})


def reasoning(search: Search) -> Mapping[str, Reasoning[Imperial, State, Order]]:
    """Of the bots of each level."""
    return {"easy": _always("at_a_glance"), "fair": _always("at_once"), "hard": _weighed(search)}


def _line(game: Imperial, order: Order) -> str:
    """The order in one line."""
    return ", ".join(line.strip() for line in game.notation.write(order).splitlines())
