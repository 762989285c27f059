"""Claims: a small game with all that Imperial has not."""

from __future__ import annotations

import random

from msgspec import Struct
from msgspec.structs import replace

from pbem.core.bot import LEVELS, SUBSTITUTE
from pbem.core.game import Game
from pbem.core.seat import Seat, Setup
from pbem.host.play.adjudicator import Adjudicator
from pbem.host.play.executor import hear
from pbem.host.play.results import Submission
from pbem.host.session.session import Session
from tests.conformance.fake_presenter import ClaimsPresenter
from tests.conformance.fake_rules import NOTATION, RULES, Claims, Order, State, Wager, careful, cares, demanding

CLAIMS_GAME: Game[Claims, State, Order] = Game(
    id="claims",
    tag="imp",
    players=range(3, 4),
    usual=Setup(game="claims"),
    load=lambda setup: RULES,
    presenter=ClaimsPresenter(),
    left_out={"praised.*.*": 0, "praised.*": {}, "marks.*": None, "watched.*.*": False, "watched.*": {}},
    bots=dict.fromkeys(LEVELS, careful),
    reasoning={SUBSTITUTE: cares},
    critic=demanding,
)


# -- how it is tried ---


class ClaimsMatch(Struct, frozen=True, kw_only=True):
    seed: int
    setup: Setup = Setup(
        game="claims", edition="", board="", setup="", seats=tuple(map(Seat, ("anton", "bert", "claudia")))
    )


def play_on(session: Session, match: ClaimsMatch, most: int) -> None:
    """By letters and by the clock."""
    dice = random.Random(match.seed)
    for at in range(1, most):
        for decision in session.pending():
            order = dice.choice([Wager(amount=at), careful(RULES, session.state, decision, dice.randrange), None])
            if order is None:
                Adjudicator(session).lapse(decision, at)
            else:
                hear(session, decision.seat, [NOTATION.write(order)], Submission(at=at))


def others_wagers_changed(state: State, seat: Seat | None) -> State:
    return replace(state, wagers={who: made if who == seat else made + 7 for who, made in state.wagers.items()})
