"""Picks that are laid in Turn 2 where workers walked in Turn 1 (E3.6)."""

from __future__ import annotations

import itertools

from pbem.core.refusal import Illegal
from pbem.core.seat import Seat
from pbem.games.empire.geography.grid import border, square_of
from pbem.games.empire.rules.construction.grounds import check_crossing
from pbem.games.empire.rules.ground.who import country_for, known_square
from pbem.games.empire.rules.orders import Lay
from pbem.games.empire.rules.world import World

BORDERS = ("road", "railroad", "power_line")


def lay(w: World, player: Seat, order: Lay) -> None:
    if w.state.turn != 2:
        raise Illegal("lay.turn")
    country = country_for(w, player, order, lambda each: order.item in w.country(each).picks)
    squares = [known_square(w, name) for name in order.squares]
    if order.item in BORDERS:
        if len(squares) < 2:
            raise Illegal("build.path", item=order.item, why="not_adjacent")
        for one, other in itertools.pairwise(squares):
            _border(w, country, order.item, one, other)
    else:
        _work(w, country, order.item, squares)
    w.note("laid", country, item=order.item, at=" - ".join(squares))


def _spend(w: World, country: str, item: str) -> None:
    picks = list(w.country(country).picks)
    if item not in picks:
        raise Illegal("goods.short", where=country, has="0", good=item, needs="1")
    picks.remove(item)
    w.change_country(country, picks=tuple(picks))


def _border(w: World, country: str, item: str, one: str, other: str) -> None:
    key = border(one, other)
    if key not in w.country(country).walked:
        raise Illegal("lay.not_walked", border=key)
    if item in w.border(one, other).lines:
        raise Illegal("build.exists", item=item, square=key)
    _spend(w, country, item)
    w.change_border(one, other, [*w.border(one, other).lines, item])


def _work(w: World, country: str, item: str, squares: list[str]) -> None:
    """A canal or mountain road, where a worker ended Turn 1 in a square that it touches."""
    check_crossing(w, item, squares)
    ended = {square_of(part) for part in w.country(country).ended}
    if not ended & set(squares):
        raise Illegal("lay.not_walked", border=" - ".join(squares))
    _spend(w, country, item)
    if len(squares) > 1:
        w.change_border(squares[0], squares[1], [*w.border(squares[0], squares[1]).lines, item])
        return
    land = w.map.squares[squares[0]].land[0]
    w.change_part(land, items=(*w.part(land).items, item))
