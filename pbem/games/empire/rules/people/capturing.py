"""Capture rules in force (E5.12, E7.14), and when they end."""

from __future__ import annotations

from pbem.core.seat import Seat
from pbem.games.empire.rules.accounts import inflation
from pbem.games.empire.rules.people import governors
from pbem.games.empire.rules.world import World


def in_force(w: World, country: str) -> bool:
    """Because its governor is dead, or it is in inflation."""
    about = w.country(country)
    return about.capture is not None or about.inflation


def ends(w: World, player: Seat) -> None:  # noqa: ARG001
    """Capture rules of any country that end with the start of this slot do; it gets its next governor (E4.6)."""
    for id_, country in list(w.countries.items()):
        if country.capture is None or _place(country.capture) > (w.state.turn, w.state.place + 1):
            continue
        w.change_country(id_, capture=None)
        w.note("capture_ended", id_)
        if country.player is not None and not governors.has_governor(w, id_) and not governors.succeed(w, id_):
            _die(w, id_)


def _place(slot: str) -> tuple[int, int]:
    turn, place = slot.split(".")
    return int(turn), int(place)


def _die(w: World, country: str) -> None:
    """Without any worker it is dead: what it has stays, without owner, and is hostile to all."""
    takers = [to for to, _ in w.country(country).exchange]
    w.change_country(country, player=None, inflation=False, in_slot=False, exchange=(), tied=False)
    w.note("country_died", country)
    for id_, other in list(w.countries.items()):
        if any(to == country for to, _ in other.exchange):
            w.change_country(id_, exchange=tuple(each for each in other.exchange if each[0] != country))
            takers.append(id_)
    for taker in dict.fromkeys(takers):
        if taker in w.countries and w.country(taker).player is not None:
            inflation.retest(w, taker)
