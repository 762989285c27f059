"""Positions that `given` lines describe (language.md, section 8): they set, they do not add."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction

from pbem.core.refusal import Illegal, Impossible, Refusal
from pbem.core.seat import Seat
from pbem.games.empire.geography.grid import square_of
from pbem.games.empire.rules.given.named import country_of, number_of, player_of, refuse_water, whole
from pbem.games.empire.rules.given.pieces import PIECES
from pbem.games.empire.rules.given.places import PLACES
from pbem.games.empire.rules.ground.who import land_part
from pbem.games.empire.rules.orders import Given
from pbem.games.empire.rules.pieces.naval_table import swims
from pbem.games.empire.rules.state import Country
from pbem.games.empire.rules.world import World

_Setter = Callable[[World, Given], None]


def lay_out(w: World, lines: Sequence[Given]) -> None:
    """All lines, in their order; what they make is looked at when all are done. Raises `Impossible`."""
    for act in (_set, _check_stands):
        for place, line in enumerate(lines):
            try:
                act(w, line)
            except Refusal as refusal:
                raise Impossible(place, refusal) from None


def _set(w: World, line: Given) -> None:
    _SETTERS[line.what](w, line)


def _check_stands(w: World, line: Given) -> None:
    """What neither swims nor flies is on land, or aboard something (another line may say that). Raises `Illegal`."""
    unit = w.units.get(line.unit or "") if line.what == "unit" else None
    if unit is None or unit.at in w.map.land or unit.aboard is not None or swims(w, unit.kind):
        return
    if w.kind(unit).class_ != "air":
        refuse_water(w, unit.id, unit.at)
    if unit.state != "up":
        raise Illegal("air.airport", unit=unit.id, square=w.map.shown(unit.at))


def _turn(w: World, line: Given) -> None:
    w.set(turn=number_of(line))


def _slot(w: World, line: Given) -> None:
    player = player_of(w, line.who)
    w.set(place=w.state.order.index(player))
    for id_, country in list(w.countries.items()):
        w.change_country(id_, in_slot=country.player == player)


def _capital(w: World, line: Given) -> None:
    part = land_part(w, line.squares[0])
    w.change_part(part, city=True, site=True)
    w.change_country(country_of(w, line), capital=part)


def _field(name: str) -> _Setter:
    def setter(w: World, line: Given) -> None:
        w.change_country(country_of(w, line), **{name: number_of(line)})

    return setter


def _debt(w: World, line: Given) -> None:
    country = country_of(w, line)
    w.change_country(country, debts={**w.country(country).debts, str(line.kind): Fraction(line.amounts[""])})


def _exchange(w: World, line: Given) -> None:
    country = country_of(w, line)
    rest = tuple(each for each in w.country(country).exchange if each[0] != line.other)
    w.change_country(country, exchange=(*rest, (str(line.other), number_of(line))))


def _inflation(w: World, line: Given) -> None:
    w.change_country(country_of(w, line), inflation=True)


def _friendly(w: World, line: Given) -> None:
    country = country_of(w, line)
    other = str(line.other)
    player = w.player(other) if other in w.countries else player_of(w, other)
    for id_ in w.countries_of(w.player(country) or Seat("")):
        w.change_country(id_, friendly={**w.country(id_).friendly, str(player): tuple(map(square_of, line.squares))})


def _further(w: World, line: Given) -> None:
    player = player_of(w, line.other)
    rank = len(w.countries_of(player))
    w.countries[str(line.who)] = Country(player=player, abroad=True, rank=rank, in_slot=w.state.active == player)


def _wind(w: World, line: Given) -> None:
    face = str(number_of(line))
    if face not in w.tables.dice["wind"]:
        raise Illegal("order.unreadable", read=face, candidates=(), expected=())
    w.set(wind=str(w.tables.dice["wind"][face]))


def _capture(w: World, line: Given) -> None:
    w.change_country(country_of(w, line), capture=line.amounts[""])


def _booked(w: World, line: Given) -> None:
    country = country_of(w, line)
    w.change_country(country, **{f"booked_{word}": whole(amount) for word, amount in line.amounts.items()})


_SETTERS: Mapping[str, _Setter] = {
    **PIECES,
    **PLACES,
    "turn": _turn,
    "slot": _slot,
    "capital": _capital,
    "confidence": _field("confidence"),
    "fund": _field("fund"),
    "tax": _field("tax"),
    "edu": _field("edu"),
    "investment": _field("investment"),
    "debt": _debt,
    "exchange": _exchange,
    "inflation": _inflation,
    "friendly": _friendly,
    "country": _further,
    "wind": _wind,
    "capture": _capture,
    "booked": _booked,
}
