"""Foreign exchange: confidence pledged to another country (E5.14)."""

from __future__ import annotations

from pbem.core.refusal import Illegal
from pbem.core.seat import Seat
from pbem.games.empire.rules.accounts import inflation
from pbem.games.empire.rules.ground.who import country_for
from pbem.games.empire.rules.orders import Aid
from pbem.games.empire.rules.people.owners import country_named
from pbem.games.empire.rules.world import World


def pledge(w: World, player: Seat, order: Aid) -> None:
    """The whole pledge from now on. Raises `Illegal`."""
    country = country_for(w, player, order, lambda _: True)
    to = country_named(w, order.to)
    if to == country:
        raise Illegal("trade.barred", what=country, why="own")
    if to is None:
        candidates = [each for each in w.countries if each != country]
        raise Illegal("name.unknown", read=order.to, kind="country", candidates=candidates)
    before = dict(w.country(country).exchange).get(to, 0)
    if order.amount < 0 or (order.amount < before and w.state.active != player):
        raise Illegal("aid.amount")
    if order.amount == before:
        return
    w.change_country(country, exchange=_with(w.country(country).exchange, to, order.amount))
    w.note("pledged", country, to=to, amount=order.amount, before=before)
    inflation.retest(w, country)
    inflation.retest(w, to)


def _with(old: tuple[tuple[str, int], ...], to: str, amount: int) -> tuple[tuple[str, int], ...]:
    """A raised pledge is the newest one; a lowered one keeps its age."""
    if amount < dict(old).get(to, 0):
        return tuple((id_, amount if id_ == to else points) for id_, points in old if id_ != to or amount)
    return (*((id_, points) for id_, points in old if id_ != to), (to, amount))
