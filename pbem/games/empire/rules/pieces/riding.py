"""What moves with what carries or pulls it: it uses BTA at its carrier's rate (E2.2)."""

from __future__ import annotations

from fractions import Fraction

from msgspec.structs import replace

from pbem.games.empire.rules.held import Crew, Held, every_crew, put
from pbem.games.empire.rules.world import World


def shift(w: World, id_: str, part: str, bta: Fraction) -> None:
    """A unit is then in another part, with all aboard and on its tow."""
    others = w.aboard(id_)
    unit = w.units[id_]
    holds = {country: worn(w, held, bta) for country, held in unit.holds.items()}
    w.change(id_, at=part, used=_capped(w, unit.used + bta), holds=holds)
    for other in others:
        shift(w, other.id, part, bta)


def worn(w: World, held: Held, bta: Fraction) -> Held:
    """Goods and people that were carried so far."""
    if not bta:
        return held
    new = Held(crews=held.crews)
    for good, lots in held.goods.items():
        for used, amount in lots:
            new = put(new, good, amount, _capped(w, used + bta))

    def tired(crew: Crew) -> Crew:
        return replace(crew, used=_capped(w, crew.used + bta))

    return every_crew(new, tired)


def _capped(w: World, used: Fraction) -> Fraction:
    return min(used, Fraction(w.tables.bta))
