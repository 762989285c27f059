"""A bot that plays any seat: it farms, mines, builds works that earn EDU, makes, arms, guards and attacks at good odds.

Each call proposes orders one after the other, the most useful first; the first that the rules accept is given. What has
been done is never proposed again, so a slot comes to its roll-out.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from pbem.core.bot import LEVELS, Bot, Pick
from pbem.core.decision import Answer, Decision
from pbem.core.refusal import Illegal
from pbem.core.seat import Seat
from pbem.games.empire.bots import army, hauling, industry, land, outposts, placing, seen, settling
from pbem.games.empire.rules import orders as od
from pbem.games.empire.rules.game import Empire
from pbem.games.empire.rules.state import State
from pbem.games.empire.rules.world import World


def settler(rules: Empire, state: State, decision: Decision, _pick: Pick) -> od.Order:
    if decision.kind == "capital" and not seen.is_short(w := rules.world(state)):
        return od.Capital(squares=(placing.capital(w),))
    if decision.kind != "turn":
        return rules.rollout(state, decision)
    for order in _ideas(rules.world(state), decision.seat):
        if _is_legal(rules, state, decision, order):
            return order
    if _is_legal(rules, state, decision, od.Rollout()):
        return od.Rollout()
    return rules.rollout(state, decision)


def _is_legal(rules: Empire, state: State, decision: Decision, order: od.Order) -> bool:
    try:
        rules.check(state, Answer(seat=decision.seat, order=order, decision=decision))
    except Illegal:
        return False
    return True


def _ideas(w: World, seat: Seat) -> Iterator[od.Order]:
    for country in w.countries_of(seat):
        yield from army.landings(w, country)
        yield from army.fights(w, country)
        yield from settling.returning(w, country)
        yield from land.resuming(w, country)
        yield from hauling.hauling(w, country)
        yield from industry.running(w, country)
        yield from outposts.building(w, country)
        yield from land.working(w, country)
        yield from army.arming(w, country)
        yield from outposts.leaving(w, country)
        yield from industry.scrapping(w, country)
        yield from settling.settling(w, country)
        yield from land.stopping(w, country)
        yield from army.marches(w, country)
        yield from army.duties(w, country)


BOTS: Mapping[str, Bot[Empire, State, od.Order]] = dict.fromkeys(LEVELS, settler)  # one for every level
