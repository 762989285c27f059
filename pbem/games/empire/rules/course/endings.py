"""The end, and the scores (section 19)."""

from __future__ import annotations

from fractions import Fraction
from math import floor

from pbem.core.seat import Seat
from pbem.games.empire.rules.ground import pirate
from pbem.games.empire.rules.ground.sides import controls
from pbem.games.empire.rules.pieces import carrying
from pbem.games.empire.rules.world import World


def is_over(w: World) -> bool:
    """Is one player left, or none (E19.1)?"""
    alive = [seat for seat in w.state.seats if w.countries_of(seat)]
    return len(alive) < min(2, len(w.state.seats))


def end(w: World, why: str) -> None:
    for id_, offer in sorted(w.offers.items()):  # they lapse
        w.note("offer_lapsed", offer.giver, offer=id_)
    w.offers.clear()
    w.set(phase="over", scores=scores(w), serial=w.state.serial + 1)
    w.finality("over")
    w.note("game_ended", why=why, scores=dict(w.state.scores or {}))


def scores(w: World, *, shown: bool = False) -> dict[Seat, int]:
    """The sum of every seat's countries (E19.2). `shown`: as all may know it, without the Pirate's till the end."""
    hidden = {w.state.pirate} if shown and w.state.phase != "over" else set()
    return {
        seat: sum(score(w, country) for country in w.countries_of(seat) if country not in hidden)
        for seat in w.state.seats
    }


def score(w: World, country: str) -> int:
    found, weight = w.country(country), w.tables.scores
    if country == w.state.pirate:
        return found.confidence + _in_hold(w)
    if found.inflation or found.player is None:
        return weight["ruined"]
    return mean(w, country) + weight["city"] * cities(w, country)


def cities(w: World, country: str) -> int:
    return sum(1 for name, part in w.parts.items() if part.city and controls(w, country, name))


def _in_hold(w: World) -> int:
    """Whole objects aboard the Pirate's ship, in the sizes of E2.3."""
    ship = pirate.ship(w)
    load = {} if ship is None else carrying.aboard(w, ship)
    return floor(sum((carrying.size(w, what) * much for what, much in load.items()), Fraction(0)))


def mean(w: World, country: str) -> int:
    """Of confidence and Investment over its rows, rounded down."""
    confidence, investment = means(w, country)
    weight = w.tables.scores
    return floor(weight["confidence"] * confidence + weight["investment"] * investment)


def means(w: World, country: str) -> tuple[Fraction, Fraction]:
    """Of confidence and of Investment over its rows, in which its parent's count 0; before the first as it is."""
    found = w.country(country)
    if not found.rows:
        return Fraction(found.confidence), Fraction(0)
    own = [row for row in found.rows if not row.inherited]
    count = len(found.rows)
    return Fraction(sum(row.confidence for row in own), count), Fraction(sum(row.investment for row in own), count)
