"""What nobody is told who may not know it, at every step of games by lot."""

from __future__ import annotations

import random

from msgspec.structs import replace

from pbem.core.seat import Seat
from pbem.games.empire.rules.ground import pirate
from pbem.games.empire.rules.held import EMPTY, NOTHING, put
from pbem.games.empire.rules.orders import Standing, Undo
from pbem.games.empire.rules.state import Kept, State
from tests.empire.random_play import Step, games, seeds

SCUTTLE = Standing(what="raid", says="scuttle")


def with_other_secrets(step: Step, viewer: Seat | None) -> State:
    """The Pirate's sheet and hold, and all standing orders of others, are other ones."""
    state = step.after
    kept = {id_: each for id_, each in state.standing.items() if each.seat == viewer}
    other = next(seat for seat in state.seats if seat != viewer)
    state = replace(state, standing={**kept, f"{other} 9": Kept(seat=other, number=9, order=SCUTTLE)})
    w = step.now
    ship = pirate.ship(w)
    if state.pirate is None or pirate.is_known_to(w, viewer):
        return state
    sheet = replace(state.countries[state.pirate], confidence=-5, fund=77, cost=3, booked_edu=9, inflation=True)
    state = replace(state, countries={**state.countries, state.pirate: sheet})
    if ship is not None:
        hold = put(ship.holds.get(state.pirate, EMPTY), "steel", 9)
        changed = replace(ship, holds={**ship.holds, state.pirate: hold})
        if not pirate.sighted_by(w, viewer):
            changed = replace(changed, used=NOTHING, steps=0)
        state = replace(state, units={**state.units, ship.id: changed})
    return state


def test_who_may_not_know_sees_the_same() -> None:
    """Also where his ship lies, while nobody sees it."""
    for seed in seeds():
        for step in games(seed)[::10]:
            if step.rules.finished(step.after) or step.after.phase != "turn":
                continue
            for viewer in (step.after.seats[step.number % len(step.after.seats)], None):
                other = with_other_secrets(step, viewer)
                assert step.rules.view(step.after, viewer) == step.rules.view(other, viewer), (
                    seed,
                    step.number,
                    viewer,
                )


def test_what_is_published_makes_up_what_all_see() -> None:
    """Who folds only what he is told gets to the position that he sees."""
    for seed in seeds():
        steps = [step for step in games(seed) if step.refusal is None]
        for viewer in (random.Random(seed).choice(steps[0].before.seats), None):
            state = steps[0].before
            for step in steps:
                if (
                    isinstance(step.order, Undo)
                    or step.rules.finished(step.after)
                    or state.pirate is not None
                    or step.after.pirate is not None
                ):
                    break
                for event in step.events:
                    if step.rules.seen(step.after, event, viewer) is not None:
                        state = step.rules.apply(state, event)
                assert step.rules.view(state, viewer) == step.rules.view(step.after, viewer), (
                    seed,
                    step.number,
                    viewer,
                )
