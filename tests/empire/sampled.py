"""Games of Empire that are played for the tests of all games."""

from __future__ import annotations

import random

from msgspec import Struct
from msgspec.structs import replace

from pbem.core.bot import SUBSTITUTE
from pbem.core.decision import Answer
from pbem.core.seat import Seat, Setup
from pbem.games.empire import GAME
from pbem.games.empire.rules.state import State
from pbem.host.play.adjudicator import Adjudicator
from pbem.host.play.executor import hear
from pbem.host.play.results import Submission
from pbem.host.session.session import Session

SEATS = ("anton", "bert", "claudia")


class EmpireMatch(Struct, frozen=True, kw_only=True):
    seed: int
    players: int = 2
    options: tuple[tuple[str, str], ...] = ()

    @property
    def setup(self) -> Setup:
        seats = tuple(map(Seat, SEATS[: self.players]))
        return Setup(
            game="empire",
            edition="third_1976",
            board="training",
            setup="training",
            seats=seats,
            options=dict(self.options),
        )


def play_on(session: Session, match: EmpireMatch, most: int) -> None:
    """Its bots, by letters, with some silence of players."""
    dice = random.Random(match.seed)
    bot = GAME.bots[SUBSTITUTE]
    for at in range(1, 4 * most):
        for decision in session.pending()[:1]:
            if dice.random() < 0.03:
                Adjudicator(session).lapse(decision, at)
                continue
            order = bot(session.rules, session.state, decision, dice.randrange)
            session.rules.check(session.state, Answer(seat=decision.seat, order=order, decision=decision))
            hear(session, decision.seat, [session.rules.notation.write(order)], Submission(at=at))


def others_secrets_changed(state: State, seat: Seat | None) -> State:
    """Others' picks while they are sealed, and their standing orders."""
    picked = {who: picks if who == seat else picks[::-1] for who, picks in state.picked.items()}
    kept = {id_: each for id_, each in state.standing.items() if each.seat == seat}
    return replace(state, picked=picked if state.phase == "picks" else state.picked, standing=kept)
