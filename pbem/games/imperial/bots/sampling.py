"""The answers that are worth a thought: a few of each kind, the likely ones first."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from pbem.core.bot import Pick
from pbem.core.decision import Answer, Decision
from pbem.core.refusal import Illegal
from pbem.games.imperial.bots.simple import bonds_worth, greedy_bot, greedy_work, random_work
from pbem.games.imperial.rules import orders as od
from pbem.games.imperial.rules.legal import legal_orders
from pbem.games.imperial.rules.places import Nation
from pbem.games.imperial.rules.possible import building_sites, legal_spaces
from pbem.games.imperial.rules.resolution import Resolution
from pbem.games.imperial.rules.state import Maneuver, State

if TYPE_CHECKING:
    from pbem.games.imperial.rules.game import Imperial

SITES = 3  # for a factory
IDEAS = 2  # for what to import or where to move, beside the greedy one
BONDS = 2  # of each nation


def sampled(game: Imperial, state: State, decision: Decision, pick: Pick) -> Sequence[od.Order]:
    """Different answers that the rules would take; the greedy bot's is the first."""
    greedy = greedy_bot(game, state, decision, pick)
    others = (order for order in _ideas(game, state, decision, pick) if may(game, state, decision, order))
    return tuple(dict.fromkeys((greedy, *others)))


def may(game: Imperial, state: State, decision: Decision, order: od.Order) -> bool:
    """Would the rules take it as an answer?"""
    try:
        game.check(state, Answer(seat=decision.seat, order=order, decision=decision))
    except Illegal:
        return False
    return True


def _ideas(game: Imperial, state: State, decision: Decision, pick: Pick) -> Iterator[od.Order]:
    resolution = Resolution(game.board, game.edition, state)
    match decision.kind:
        case "turn":
            yield from _turns(resolution, Nation(decision.about or ""), pick)
        case "invest":
            yield from (od.Invest(choices=(bond,)) for bond in _bonds(resolution, decision))
            yield od.Invest(choices=())
        case "battle":
            yield from (od.Peace(), od.Fight(nation=Nation(decision.about or "")))
        case _:
            yield from legal_orders(resolution, decision)


def _turns(resolution: Resolution, nation: Nation, pick: Pick) -> Iterator[od.Turn]:
    if isinstance(resolution.state.agenda[0], Maneuver):
        works: dict[str, Iterator[od.Work | None]] = {"maneuver": _moves(resolution, nation, "maneuver_1", pick)}
    else:
        works = {space: _works(resolution, nation, space, pick) for space in legal_spaces(resolution, nation)}
    for space, several in works.items():
        yield from (od.Turn(nation=nation, space=space, work=work) for work in several)


def _works(resolution: Resolution, nation: Nation, space: str, pick: Pick) -> Iterator[od.Work | None]:
    """What a nation could do on a space."""
    match space:
        case "factory":
            sites = [*building_sites(resolution, nation)][:SITES]
            yield from (od.Build(region=region) for region in sites)
            if not sites:
                yield od.Build(region=None)
        case "import" | "maneuver_1" | "maneuver_2":
            yield from _moves(resolution, nation, space, pick)
        case _:
            yield None


def _moves(resolution: Resolution, nation: Nation, space: str, pick: Pick) -> Iterator[od.Work | None]:
    yield greedy_work(resolution, nation, space)
    yield from (random_work(resolution, nation, space, pick) for _ in range(IDEAS))


def _bonds(resolution: Resolution, decision: Decision) -> Iterator[od.Purchase]:
    """The best bonds of each nation, the best of all first."""
    worth = dict(bonds_worth(resolution, decision))
    ranked = sorted(worth, key=lambda bond: -worth[bond])
    for place, bond in enumerate(ranked):
        if sum(other.nation == bond.nation for other in ranked[:place]) < BONDS:
            yield bond
