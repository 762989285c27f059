"""The zero turn: cards, capitals, picks, and the first slot (section 3)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from pbem.core.game import Lots
from pbem.core.refusal import Illegal
from pbem.core.seat import Seat
from pbem.games.empire.rules.course import cards, slots
from pbem.games.empire.rules.ground import placing
from pbem.games.empire.rules.orders import Capital, Picks
from pbem.games.empire.rules.state import Country
from pbem.games.empire.rules.world import World

SHIPS = "ship"


def open_game(w: World, lots: Lots) -> None:
    """Draw and begin. Raises `ValueError` for lots, drawn before, that can't be."""
    placing.lay_works(w)
    if w.setting.setup == "bare":
        _open_bare(w, lots)
        return
    seats = players(w)
    drawn = cards.first(w, seats, lots)
    order = cards.in_order(drawn)
    w.note("cards_drawn", cards={str(seat): card for seat, card in drawn.items()}, order=list(order))
    w.set(phase="capital", placing=order, serial=1, beasts=_beasts(w, lots), drawn_order=_order(w, lots))
    w.finality("die_drawn")
    _take_capitals(w, lots)
    if w.state.phase == "picks":
        _take_picks(w, lots)


def _open_bare(w: World, lots: Lots) -> None:
    """No zero turn: a country for each seat but the Pirate's, who moves last, and nothing on the map."""
    for seat in players(w):
        w.countries[str(seat)] = Country(player=seat, abroad=True)
    order = (*(_order(w, lots) or players(w)), *(seat for seat in w.state.seats if seat not in players(w)))
    w.set(phase="turn", order=order, turn=1, place=0, serial=1)
    for country in w.countries_of(order[0]):
        w.change_country(country, in_slot=True)


def players(w: World) -> tuple[Seat, ...]:
    """Who has a capital: all but the Pirate's seat (E18.1)."""
    return tuple(seat for seat in w.state.seats if seat != w.options["pirate"])


# -- lots that are already drawn ---


def _given(w: World, lots: Lots, word: str) -> list[tuple[Seat, str]]:
    """Raises `ValueError`."""
    found = [(Seat(str(seat)), text.strip()) for seat, text in lots.get(word, ())]
    seats = [seat for seat, _ in found]
    if {*seats} - {*players(w)} or len({*seats}) != len(seats):
        raise ValueError(f"{word}: each is of another player of this game")
    return found


def _order(w: World, lots: Lots) -> tuple[Seat, ...]:
    found = tuple(seat for seat, _ in _given(w, lots, "order"))
    if found and len(found) != len(players(w)):
        raise ValueError("order: all players stand in it")
    return found


def _beasts(w: World, lots: Lots) -> dict[Seat, str]:
    found = dict(_given(w, lots, "beasts"))
    if {*found.values()} - {"bull", "cow"}:
        raise ValueError("beasts: bull or cow")
    return found


def _take_capitals(w: World, lots: Lots) -> None:
    wanted = dict(_given(w, lots, "capitals"))
    for seat in w.state.placing:
        if seat not in wanted:
            return
        _lot("capitals", partial(_settle, w, seat, (wanted[seat],)))


def _take_picks(w: World, lots: Lots) -> None:
    for seat, text in _given(w, lots, "picks"):
        items = tuple("_".join(word.lower().split()) for word in text.replace("+", ",").split(","))
        _lot("picks", partial(_choose, w, seat, items))


def _lot(word: str, take: Callable[[], None]) -> None:
    try:
        take()
    except Illegal as refusal:
        raise ValueError(f"{word}: {refusal.code} {dict(refusal.facts)}") from None


# -- capitals ---


def capital(w: World, player: Seat, order: Capital) -> None:
    """The first of the named squares that may hold one. Raises `Illegal`."""
    if w.state.phase != "capital" or w.state.placing[:1] != (player,):
        raise Illegal("order.not_awaited", seat=next(iter(w.state.placing), ""), slot="")
    _settle(w, player, order.squares)


def _settle(w: World, player: Seat, squares: Sequence[str]) -> None:
    part = placing.first_free(w, squares)
    placing.settle(w, player, part)
    w.finality("placed")
    w.note("capital_placed", str(player), at=part)
    rest = w.state.placing[1:]
    w.set(placing=rest, capitals={**w.state.capitals, player: part}, serial=w.state.serial + 1)
    if not rest:
        w.set(phase="picks")


def default_capital(w: World, seat: Seat) -> Capital:  # noqa: ARG001
    """The map's next free start, else the part with most to farm around it (language.md, section 2)."""
    return Capital(squares=(placing.usual(w),))


# -- picks ---


def picks(w: World, player: Seat, order: Picks) -> None:
    """Sealed until all have picked. Raises `Illegal`."""
    if w.state.phase != "picks" or player in w.state.picked or player not in players(w):
        raise Illegal("order.not_awaited", seat="", slot="")
    _choose(w, player, order.items)
    if w.state.phase == "picks":
        w.only = (str(player),)


def _choose(w: World, player: Seat, items: Sequence[str]) -> None:
    if len(items) != w.tables.picks or not all(_is_offered(w, item) for item in items):
        raise Illegal("picks.two")
    if any(_is_ship(w, item) for item in items) and not _has_shore(w, player):
        raise Illegal("picks.shore")
    w.set(picked={**w.state.picked, player: tuple(items)})
    w.finality("sealed")
    if len(w.state.picked) < len(players(w)):
        w.note("picked", str(player))
        return
    _begin(w)


def catalog(w: World, seat: Seat) -> list[tuple[str, int]]:
    """What a player may pick, and how many of it: for a capital without shore no ships."""
    shore, more = _has_shore(w, seat), {"bridge": 1} if _is_offered(w, "bridge") else {}
    return [(item, many) for item, many in {**w.tables.catalog, **more}.items() if shore or not _is_ship(w, item)]


def _is_offered(w: World, item: str) -> bool:
    return item in w.tables.catalog or (item == "bridge" and w.options["catalog_bridge"] == "yes")


def _is_ship(w: World, item: str) -> bool:
    return item in w.tables.kinds and w.kind(item).class_ == SHIPS


def _has_shore(w: World, seat: Seat) -> bool:
    """Has the capital water, that ships can lie in?"""
    return seat in w.state.capitals and bool(placing.water_of(w, w.state.capitals[seat]))


def default_picks(w: World, seat: Seat) -> Picks:
    return Picks(items=("cargo_ship", "truck") if _has_shore(w, seat) else ("truck", "road"))


# -- Turn 1 ---


def _begin(w: World) -> None:
    """Beasts, the order of movement, and the first slot."""
    w.note("picks_opened", picks={str(seat): list(w.state.picked[seat]) for seat in players(w)})
    beasts = {seat: w.state.beasts.get(seat) or _beast(w) for seat in players(w)}
    for seat, beast in beasts.items():
        w.new_unit(beast, str(seat), w.state.capitals[seat])
    w.note("beasts_drawn", beasts={str(seat): beast for seat, beast in beasts.items()})
    order = w.state.drawn_order
    if not order:
        drawn = cards.draw(w, "deck 2", players(w))
        order = cards.in_order(drawn)
        w.note("order_drawn", cards={str(seat): card for seat, card in drawn.items()}, order=list(order))
    w.set(phase="turn", order=order, drawn_order=order, beasts=beasts, turn=1, place=0)
    slots.begin(w)


def _beast(w: World) -> str:
    face = w.die("beast")
    found = "bull" if face % 2 else "cow"
    w.rolled("beast", [face], found)
    return found
