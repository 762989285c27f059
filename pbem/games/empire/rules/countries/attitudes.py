"""Friendliness, as players declare it (E13.1)."""

from __future__ import annotations

from pbem.core.refusal import Illegal
from pbem.core.seat import Seat
from pbem.games.empire.geography.grid import map_order, square_of
from pbem.games.empire.rules.ground import own_slot
from pbem.games.empire.rules.ground.who import known_square
from pbem.games.empire.rules.orders import Attitude
from pbem.games.empire.rules.world import BUT, World


def declare(w: World, player: Seat, order: Attitude) -> None:
    """Friendlier at any time, hostile in the own slot (R-17). Raises `Illegal`."""
    other = Seat(order.player) if order.player in w.state.seats else w.player(order.player)
    if other is None or other == player:
        raise Illegal("name.unknown", read=order.player, kind="seat", candidates=_others(w, player))
    if not order.friendly:
        own_slot.check_active(w, player)
    mine = w.countries_of(player)
    if order.country is not None:
        mine = [order.country]
    squares = tuple(sorted({known_square(w, name) for name in order.squares}, key=map_order))
    for country in mine:
        _set(w, country, other, squares, friendly=order.friendly)
    w.note("declared", order.country, player=player, to=other, friendly=order.friendly, squares=list(squares))


def _others(w: World, player: Seat) -> list[str]:
    return [seat for seat in w.state.seats if seat != player]


def _set(w: World, country: str, other: Seat, squares: tuple[str, ...], *, friendly: bool) -> None:
    """All squares are `()`; all but some are those with a dash before them."""
    declared = dict(w.country(country).friendly)
    old = declared.get(str(other))
    change = _added if friendly else _without
    new = change(old, squares)
    if new is None:
        declared.pop(str(other), None)
    else:
        declared[str(other)] = new
    w.change_country(country, friendly=declared)


def _added(old: tuple[str, ...] | None, squares: tuple[str, ...]) -> tuple[str, ...] | None:
    if not squares or old == ():
        return ()
    if old is None:
        return squares
    if old[0].startswith(BUT):
        return tuple(each for each in old if each[1:] not in squares)
    return tuple(sorted({*old, *squares}, key=map_order))


def _without(old: tuple[str, ...] | None, squares: tuple[str, ...]) -> tuple[str, ...] | None:
    if not squares or old is None:
        return None
    if old == () or old[0].startswith(BUT):
        left = {each[1:] for each in old} | {*squares}
        return tuple(BUT + each for each in sorted(left, key=map_order))
    return tuple(each for each in old if square_of(each) not in squares) or None
