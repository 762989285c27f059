"""Inflation: when it holds, and what falls with it (E5.2, E5.14, E7.13)."""

from __future__ import annotations

from pbem.games.empire.rules.world import World


def is_inflated(w: World, country: str) -> bool:
    return w.country(country).inflation


def test(w: World, country: str) -> None:
    """At a roll-out. Tied countries are tested together, when the last of them in the slot has its new record."""
    together = tied(w, country)
    if any(w.country(each).in_slot for each in together):
        return
    _settle(w, together)


def retest(w: World, country: str) -> None:
    """Because an exchange has changed."""
    _settle(w, tied(w, country))


def tied(w: World, country: str) -> list[str]:
    """The countries whose test is made together with this one's, itself among them: founders and founded (E5.2)."""
    found = [country]
    for each in found:
        about = w.country(each)
        near = [about.parent] if about.tied and about.parent is not None else []
        near += [id_ for id_, other in w.countries.items() if other.tied and other.parent == each]
        alive = (id_ for id_ in near if id_ in w.countries and w.country(id_).player is not None)
        found += [id_ for id_ in dict.fromkeys(alive) if id_ not in found]
    return found


def received(w: World, countries: list[str]) -> int:
    """Exchange that others have pledged to them, less what they have pledged to others (G-39)."""
    given = taken = 0
    for id_, country in w.countries.items():
        if country.player is None:
            continue
        for to, points in country.exchange:
            taken += points if to in countries else 0
            given += points if id_ in countries else 0
    return taken - given


def shortage(w: World, countries: list[str]) -> int:
    """How far twice their confidence with exchange is below fund and Investment; 0 or less: no inflation."""
    abouts = [w.country(each) for each in countries]
    worth = sum(about.confidence for about in abouts) + received(w, countries)
    return sum(about.fund + about.investment for about in abouts) - 2 * worth


def _settle(w: World, countries: list[str]) -> None:
    fallen: list[str] = []
    missing = -(-shortage(w, countries) // 2)
    for country in reversed(countries):
        missing, takers = _withdraw(w, country, missing, countries)
        fallen += takers
    now = shortage(w, countries) > 0
    for country in countries:
        if w.country(country).inflation != now:
            w.change_country(country, inflation=now)
            w.note("inflation_began" if now else "inflation_ended", country)
    for taker in dict.fromkeys(fallen):
        if w.country(taker).player is not None:
            retest(w, taker)


def _withdraw(w: World, country: str, missing: int, but: list[str]) -> tuple[int, list[str]]:
    """Pledges fall, newest first, to what keeps their giver out of inflation (E5.14). Who took them is told."""
    if missing <= 0:
        return missing, []
    kept, takers = [], []
    for to, points in reversed(w.country(country).exchange):
        less = 0 if to in but else max(0, min(points, missing))
        missing -= less
        if less:
            takers.append(to)
            w.note("exchange_fell", country, to=to, amount=points - less, by=less)
        if points - less:
            kept.append((to, points - less))
    if takers:
        w.change_country(country, exchange=tuple(reversed(kept)))
    return missing, takers
