"""Governors and ambassadors (E5.11, E5.12), and the order of a player's countries (E5.4)."""

from __future__ import annotations

from msgspec.structs import replace

from pbem.core.refusal import Illegal
from pbem.core.seat import Seat
from pbem.games.empire.geography.grid import map_order
from pbem.games.empire.rules.ground import own_slot
from pbem.games.empire.rules.ground.who import country_for, land_part, with_workers_at
from pbem.games.empire.rules.held import Crew, chosen, joined, without
from pbem.games.empire.rules.orders import Ambassador, Governor, Listing
from pbem.games.empire.rules.pieces import tasks
from pbem.games.empire.rules.world import World


def choose(w: World, player: Seat, order: Governor) -> None:
    """Where the next governor will be, should this one die."""
    part = land_part(w, order.at)
    country = country_for(w, player, order, with_workers_at(w, part), part)
    w.change_country(country, heir=part)
    w.note("heir_chosen", country, at=part)


def name_ambassador(w: World, player: Seat, order: Ambassador) -> None:
    part = land_part(w, order.at)
    country = country_for(w, player, order, with_workers_at(w, part), part)
    become(w, country, part, "ambassador")
    w.note("ambassador_named", country, at=part)


def become(w: World, country: str, place: str, office: str) -> None:
    """A worker, in a part or aboard, gets an office. Raises `Illegal`."""
    crew = least_busy(w, country, place)
    tasks.ended(w, country, place, crew)
    new = replace(crew, kind=office, tasks=(), job=False, stayed=False)
    w.set_held(place, country, joined(without(w.held(place, country), crew), new))


def least_busy(w: World, country: str, place: str) -> Crew:
    """One worker, without a task if there is one. Raises `Illegal`."""
    held = w.held(place, country)
    crews = chosen(held, 1, "worker", lambda crew: not crew.tasks) or chosen(held, 1, "worker")
    if not crews:
        raise Illegal("workers.short", square=place, has=0, needs=1)
    return crews[0]


def has_governor(w: World, country: str) -> bool:
    """On the map, or abroad."""
    if w.country(country).abroad or any(w.held(place, country).people("governor") for place in w.places_of(country)):
        return True
    return any(u.holds[country].people("governor") for u in w.units.values() if country in u.holds)


def succeed(w: World, country: str) -> bool:
    """The next governor (R-8); False when nobody is left who could be."""
    place = _next(w, country)
    if place is None:
        return False
    become(w, country, place, "governor")
    w.change_country(country, heir=None)
    w.note("governor_named", country, at=w.units[place].at if place in w.units else place)
    return True


def _next(w: World, country: str) -> str | None:
    """Where it is chosen, else in the capital, the city or part with most workers, else aboard."""
    about = w.country(country)
    for place in (about.heir, about.capital):
        if place is not None and w.held(place, country).workers:
            return place
    places = [place for place in w.places_of(country) if w.held(place, country).workers]
    cities = [place for place in places if w.part(place).city]
    if cities or places:
        return min(cities or places, key=lambda place: (-w.held(place, country).workers, map_order(place)))
    ships = [u for u in w.units.values() if country in u.holds and u.holds[country].workers]
    found = min(ships, key=lambda u: (-u.holds[country].workers, w.unit_order(u)), default=None)
    return found.id if found else None


# -- the list ---


def reorder(w: World, player: Seat, order: Listing) -> None:
    """For the next slot; those not named follow as they were."""
    own_slot.check_active(w, player)
    mine = w.countries_of(player)
    if strange := [each for each in order.countries if each not in mine]:
        raise Illegal("country.not_yours", country=strange[0])
    listed = list(dict.fromkeys([*order.countries, *mine]))
    for rank, country in enumerate(listed):
        w.change_country(country, next_rank=rank)
    w.note("countries_listed", listed[0], player=player, countries=listed)


def take_rank(w: World, player: Seat) -> None:
    """The order that was asked for in the slot before."""
    for country in w.countries_of(player):
        rank = w.country(country).next_rank
        if rank is not None:
            w.change_country(country, rank=rank, next_rank=None)
