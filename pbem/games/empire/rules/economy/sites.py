"""Active sites of a country in inflation (E7.14): half of them may run."""

from __future__ import annotations

from math import ceil

from pbem.core.refusal import Illegal
from pbem.games.empire.rules.economy.developing import FOOD
from pbem.games.empire.rules.ground.sides import controls
from pbem.games.empire.rules.world import World


def begin(w: World, country: str) -> None:
    """A slot begins: what was counted in another one holds no more."""
    w.change_country(country, sites_may=None, sites_used=0)
    if w.country(country).inflation:
        count(w, country)


def count(w: World, country: str) -> None:
    """Once, at the start of the slot, before anything yields."""
    n = sum(_sites(w, country, part) for part in w.parts)
    may = ceil(n / 2) if w.options["inflation_sites"] == "ceil" else n // 2
    w.change_country(country, sites_may=may, sites_used=0)


def _sites(w: World, country: str, part: str) -> int:
    found = w.part(part)
    resources = sum(mark.due for kind, mark in found.marks.items() if mark.by == country and kind not in FOOD)
    worker = part in w.map.land and w.held(part, country).workers and controls(w, country, part)
    return resources + (sum(factory.state == "working" for factory in found.factories) if worker else 0)


def run(w: World, country: str) -> None:
    """A factory runs. Raises `Illegal` (`sites.used`)."""
    if not w.country(country).inflation:
        return
    if w.country(country).sites_may is None:
        count(w, country)
    found = w.country(country)
    may = found.sites_may or 0
    if found.sites_used >= may:
        raise Illegal("sites.used", country=country, used=found.sites_used, may=may)
    w.change_country(country, sites_used=found.sites_used + 1)
