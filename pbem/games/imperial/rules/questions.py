"""What a seat must know to answer a question; the sentences are the templates'."""

from __future__ import annotations

from msgspec import to_builtins

from pbem.core.decision import Decision
from pbem.games.imperial.rules.investor import purchases, purchases_in, total_interest
from pbem.games.imperial.rules.places import Nation
from pbem.games.imperial.rules.position import armies_at
from pbem.games.imperial.rules.possible import legal_spaces, movable
from pbem.games.imperial.rules.prospects import offers, passing, prospect
from pbem.games.imperial.rules.reaches import reaches_of
from pbem.games.imperial.rules.resolution import Resolution
from pbem.games.imperial.rules.stacks import at
from pbem.games.imperial.rules.state import AwaitBattle, AwaitBid, AwaitForce, AwaitInvest, Maneuver
from pbem.games.imperial.rules.turn import TWICE, price_of, which_space


def ask(resolution: Resolution, decision: Decision) -> dict[str, object]:
    """The facts of one question, by its kind."""
    match decision.kind:
        case "turn":
            return _turn(resolution, Nation(decision.about or ""))
        case "battle":
            return _battle(resolution, Nation(decision.about or ""))
        case "swiss":
            return _swiss(resolution)
        case _:
            return _invest(resolution, decision)


def _turn(resolution: Resolution, nation: Nation) -> dict[str, object]:
    under_way = resolution.state.agenda[0]
    unfinished = isinstance(under_way, Maneuver)
    open_ = [] if unfinished else [*legal_spaces(resolution, nation)]
    task = under_way if isinstance(under_way, Maneuver) else Maneuver(nation=nation)
    moves = unfinished or any(space.startswith("maneuver") for space in open_)
    return {
        "kind": "turn",
        "nation": nation,
        "unfinished": unfinished,
        "spaces": [_space(resolution, nation, space) for space in open_],
        "passing": passing(resolution, nation, open_),
        "movable": [to_builtins(stack) for stack in movable(resolution, nation)],
        "reaches": [*reaches_of(resolution, task)] if moves else [],
    }


def _space(resolution: Resolution, nation: Nation, space: str) -> dict[str, object]:
    """A space that may be taken: for how much, how it is written, and what it would bring."""
    return {
        "space": space,
        "kind": space.rstrip("_12"),
        "word": space_word(resolution, nation, space),
        "price": price_of(resolution, resolution.state.rondel[nation], space),
        "brings": prospect(resolution, nation, space),
    }


def space_word(resolution: Resolution, nation: Nation, space: str) -> str:
    """The bare word where it means this space."""
    word = space.rstrip("_12")
    first = resolution.state.rondel[nation] is None
    return word if word not in TWICE or (not first and which_space(resolution, nation, word) == space) else space


def _battle(resolution: Resolution, nation: Nation) -> dict[str, object]:
    question = resolution.agenda[0]
    assert isinstance(question, AwaitBattle), "a battle question is open"
    state, region = resolution.state, question.region
    return {
        "kind": "battle",
        "nation": nation,
        "mover": question.nation,
        "unit": question.unit,
        "movers": question.movers,
        "status": question.status,
        "region": region,
        "armies": armies_at(state, region, nation),
        "fleets": at(state.fleets, region, nation),
    }


def _swiss(resolution: Resolution) -> dict[str, object]:
    question = resolution.agenda[0]
    assert isinstance(question, AwaitForce), "a Swiss Bank question is open"
    nation = question.nation
    return {
        "kind": "swiss",
        "nation": nation,
        "space": question.turn.space,
        "interest": total_interest(resolution, nation),
        "treasury": resolution.state.treasury[nation],
    }


def _invest(resolution: Resolution, decision: Decision) -> dict[str, object]:
    question = resolution.agenda[0]
    if isinstance(question, AwaitBid):
        found = purchases_in(resolution, decision.seat, question.nation)
    else:
        assert isinstance(question, AwaitInvest), "somebody is asked to invest"
        found = purchases(resolution, decision.seat, question.only)
    return {
        "kind": decision.kind,
        "nation": decision.about,
        "cash": resolution.state.cash[decision.seat],
        "offers": offers(resolution, decision.seat, found),
    }
