"""The position as tables of letters and pages."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from typing import Any

from msgspec import Struct, convert

from pbem.core.presenter import Event, Facts, Standing, View
from pbem.games.empire.data.editions import tables as printed
from pbem.games.empire.geography.grid import NEAR, distance, map_order, square_of
from pbem.games.empire.presentation.focus import around

LOSSES = (
    "lost", "died", "governor_died", "country_died", "captured", "seized", "goods_taken", "raided", "cargo_destroyed",
    "damaged", "destroyed", "hit", "landing_failed", "retreated", "had_no_retreat", "people_retreated",
)  # fmt: skip
ATTACKS = ("attacked", "naval_attack", "mission", "torpedoed", "intercepted", "raided")
ECONOMY = ("confidence", "edu", "cost", "investment", "fund", "tax")


class CountryRow(Struct, frozen=True, kw_only=True):
    """A row of the economic table; with what has changed since the letter before."""

    id: str
    player: str | None
    figures: Mapping[str, int]
    change: int  # of confidence
    roll: str | None
    inflation: bool
    capture: str | None
    workers: int
    population: int
    food: int
    debts: Mapping[str, str]
    units: Mapping[str, int]  # how many of each kind


class StandingRow(Struct, frozen=True, kw_only=True):
    """How a country stands (E19.2)."""

    country: str
    player: str | None
    confidence: float  # mean of its turns
    investment: float
    cities: int
    inflation: bool
    score: int


class EmpireStanding(Standing, frozen=True, kw_only=True):
    """A row of the final ranking, with what it is the sum of."""

    countries: Sequence[StandingRow]


class RecordRow(Struct, frozen=True, kw_only=True):
    """A turn of the economic record (E6.3)."""

    turn: int
    investment: int
    cost: int
    fund: int
    tax: int
    confidence: int
    edu: int
    roll: str
    inherited: bool  # of the country that it was founded from


class EconomicRecord(Struct, frozen=True, kw_only=True):
    country: str
    player: str | None
    rows: Sequence[RecordRow]


class PlaceRow(Struct, frozen=True, kw_only=True):
    """What a country has in a square."""

    at: str
    country: str
    workers: int
    tasks: Mapping[str, int]
    officials: Sequence[str]
    goods: Mapping[str, int | str]
    factories: Sequence[str]
    items: Sequence[str]
    units: Sequence[str]
    city: bool


class ChartRow(Struct, frozen=True, kw_only=True):
    """What the map as text shows: all of a small one, else what lies around these squares."""

    view: View
    around: Sequence[str]
    explained: bool = True  # with what its signs mean


class UnitRow(Struct, frozen=True, kw_only=True):
    id: str
    country: str
    kind: str
    at: str
    state: str
    left: str  # BTA
    cargo: Mapping[str, int | str]
    aboard: str | None


def country_rows(view: View, before: View | None) -> list[CountryRow]:
    return [_country(view, before, id_, row) for id_, row in view["countries"].items()]


def _country(view: View, before: View | None, id_: str, row: Mapping[str, Any]) -> CountryRow:
    was = (before or {}).get("countries", {}).get(id_, row)
    units: dict[str, int] = {}
    for unit in view["units"].values():
        if unit["owner"] == id_:
            units[unit["kind"]] = units.get(unit["kind"], 0) + 1
    food = sum(_whole(square.get("goods", {}).get(id_, {}).get("food", 0)) for square in view["squares"].values())
    return CountryRow(
        id=id_,
        player=row["player"],
        figures={key: row[key] for key in ECONOMY},
        change=row["confidence"] - was["confidence"],
        roll=row["roll"],
        inflation=row["inflation"],
        capture=row["capture"],
        workers=row["workers"],
        population=row["population"],
        food=food,
        debts={what: due for what, due in row["debts"].items() if due != "0"},
        units={kind: units[kind] for kind in sorted(units, key=_place)},
    )


def _whole(amount: int | str) -> int:
    return amount if isinstance(amount, int) else 0


def _place(kind: str) -> int:
    return printed().places[kind]


def place_rows(view: View, countries: Iterable[str]) -> list[PlaceRow]:
    """The squares of some countries, in map order."""
    wanted = set(countries)
    rows: list[PlaceRow] = []
    for at in sorted({*view["squares"], *(unit["at"] for unit in view["units"].values())}, key=map_order):
        square = view["squares"].get(at, {})
        here = [(id_, unit) for id_, unit in view["units"].items() if unit["at"] == at and unit["aboard"] is None]
        for country in view["countries"]:
            if country in wanted:
                row = _at(at, square, here, country)
                rows += [row] if row.workers or row.goods or row.units or row.officials else []
    return rows


def places_near(view: View, place: str) -> list[PlaceRow]:
    """Everybody's squares that the map as text shows around a place."""
    return [row for row in place_rows(view, view["countries"]) if distance(square_of(row.at), place) <= NEAR]


def _at(at: str, square: Mapping[str, Any], here: Sequence[tuple[str, Any]], country: str) -> PlaceRow:
    own = square.get("control") == country
    return PlaceRow(
        at=at,
        country=country,
        workers=square.get("workers", {}).get(country, 0),
        tasks=square.get("tasks", {}).get(country, {}),
        officials=square.get("officials", {}).get(country, ()),
        goods=square.get("goods", {}).get(country, {}),
        factories=[kind for kind, all_ in square.get("factories", {}).items() for _ in all_] if own else (),
        items=square.get("items", ()) if own else (),
        units=[id_ for id_, unit in here if unit["owner"] == country],
        city=bool(square.get("city")),
    )


def unit_rows(view: View, countries: Iterable[str]) -> list[UnitRow]:
    wanted = set(countries)
    return [_unit(id_, unit) for id_, unit in view["units"].items() if unit["owner"] in wanted]


def _unit(id_: str, unit: Mapping[str, Any]) -> UnitRow:
    left = str(max(Fraction(0), 12 - Fraction(unit["used"])))
    return UnitRow(id=id_, country=unit["owner"], kind=unit["kind"], at=unit["at"], state=unit["state"], left=left,
                   cargo=unit["cargo"], aboard=unit["aboard"])  # fmt: skip


def of(view: View, about: str | None) -> list[str]:
    """The countries that a name means: one, those of a player, or all."""
    if about is None:
        return [*view["countries"]]
    return [id_ for id_, row in view["countries"].items() if about in (id_, row["player"])]


def headline(events: Sequence[Event]) -> Facts | None:
    """The slot that has ended, or the zero turn."""
    noted = {event["what"]: event["facts"] for event in events if event["type"] == "Noted"}
    if "rolled_out" in noted:
        return {"player": noted["rolled_out"]["player"], "slot": noted["rolled_out"]["slot"]}
    return {"player": None, "slot": None} if {"capital_placed", "picks_opened"} & {*noted} else None


def deeds(events: Sequence[Event]) -> Facts:
    """What somebody did in a slot, up to its roll-out, for a list of slots."""
    notes: list[Event] = []
    for event in events:
        if event["type"] == "Noted":
            notes.append(event)
            if event["what"] == "rolled_out":
                break
    entered = [note["facts"] for note in notes if note["what"] == "recorded"]
    return {
        "confidence": entered[0]["confidence"] if entered else None,
        "change": entered[0]["change"] if entered else 0,
        "works": [note["facts"]["item"] for note in notes if note["what"] == "finished"],
        "attacks": sum(note["what"] in ATTACKS for note in notes),
        "lost": sum(note["what"] == "lost" for note in notes),
    }


def economic_records(view: View) -> list[EconomicRecord]:
    """Of all countries that have rolled out."""
    return [
        EconomicRecord(country=id_, player=view["countries"][id_]["player"], rows=convert(rows, list[RecordRow]))
        for id_, rows in view["records"].items()
        if rows
    ]


def standing_rows(view: View) -> list[StandingRow]:
    """The highest first; none in the zero turn."""
    rows = [_standing(id_, view["countries"][id_]["player"], row) for id_, row in view.get("standing", {}).items()]
    return sorted(rows, key=lambda row: -row.score) if view["turn"] else []


def _standing(country: str, player: str | None, row: Mapping[str, Any]) -> StandingRow:
    means = {key: float(Fraction(row[key])) for key in ("confidence", "investment")}
    return StandingRow(country=country, player=player, **means,
                       cities=row["cities"], inflation=row["inflation"], score=row["score"])  # fmt: skip


def standings(view: View) -> list[EmpireStanding]:
    scores, winners = view["scores"], view["winners"]
    ranked = sorted(scores, key=lambda seat: (-scores[seat], seat not in winners))
    rows = standing_rows(view)
    return [
        EmpireStanding(seat=seat, points=scores[seat], countries=[row for row in rows if row.player == seat])
        for seat in ranked
    ]


def is_turn_over(view: View, before: View | None) -> bool:
    """Has a game turn ended since? At the end of the game its letter gives the standing itself."""
    if before is None:
        return False
    was: int = before["turn"]
    now: int = view["turn"]
    return 0 < was < now


def offer_rows(view: View) -> list[Mapping[str, Any]]:
    return [{"name": name, **offer} for name, offer in view["offers"].items()]


def losses(events: Sequence[Event], view: View, seat: str) -> list[Event]:
    """What a player's countries have lost in them, and what their standing orders have answered."""
    own = {id_ for id_, row in view["countries"].items() if row["player"] == seat}
    return [
        event
        for event in events
        if event["type"] == "Noted" and event["what"] in LOSSES and (event["country"] in own or _is_robbed(event, seat))
    ]


def _is_robbed(event: Event, seat: str) -> bool:
    return bool(event["what"] == "raided" and event["facts"].get("player") == seat)


def chart_rows(view: View, before: View | None) -> list[ChartRow]:
    """The map for whoever reads letters as text; its signs are explained once a turn, and to whoever asks."""
    return [ChartRow(view=view, around=around(view), explained=before is None or is_turn_over(view, before))]
