"""The sheets of the records (E6.1 to E6.3), as lines: each is a sentence `sheet_lines.KIND` with its facts."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from msgspec import Struct

from pbem.core.presenter import Event, Sheet, Tables, View
from pbem.games.empire.data.editions import tables as printed
from pbem.games.empire.geography.grid import map_order, square_of
from pbem.games.empire.presentation.tables import of, place_rows, unit_rows

LINES = (
    "road",
    "railroad",
    "power_line",
    "pipeline",
    "underwater_power_line",
    "underwater_pipeline",
    "canal",
    "mountain_road",
)
DONE = (  # what a turn sheet tells (E6.2)
    "develops", "opened", "farms", "stopped", "polluted", "builds", "finished", "laid", "settled", "manned", "made",
    "powered", "consumed", "destroyed", "burnt", "dumped", "goods_lost", "lost", "died", "armed", "disarmed",
    "founded", "born", "captured", "recorded",
)  # fmt: skip
TRADED = ("offered", "accepted", "rejected", "offer_lapsed", "offer_void", "transferred", "pledged", "exchange_fell")
WITH_BOTH = ("to", "parent")  # facts that name another country


class Line(Struct, frozen=True, kw_only=True):
    kind: str
    facts: Mapping[str, Any]


def tables(view: View, about: str | None, sheet: Sheet) -> Tables:
    """The lines of a sheet; those of the turn sheet and of trade are what happened."""
    found = _SHEETS[sheet.kind](view, of(view, about), sheet)
    return {"lines": [*found]}


_Lines = Iterator[Line]


def of_thing(view: View, about: str) -> Tables:
    """What is told of a square, or of a unit."""
    places = [row for row in place_rows(view, view["countries"]) if about in (row.at, square_of(row.at))]
    units = _placed(view, [*view["countries"]], lambda id_, unit: about in (id_, unit["at"], square_of(unit["at"])))
    lines = [*units]
    return {"places": places} | ({"lines": lines} if lines or not places else {})


def _economic(_: View, countries: Sequence[str], sheet: Sheet) -> _Lines:
    for id_ in countries:
        rows = [row for row in sheet.ledger["economic"].get(id_, ()) if sheet.round in (None, row["turn"])]
        if rows:
            yield Line(kind="country", facts={"country": id_})
        for row in rows:
            yield Line(kind="economic", facts=row)


def _hup(view: View, countries: Sequence[str], sheet: Sheet) -> _Lines:
    turn = sheet.round or view["turn"]
    for id_ in countries:
        yield Line(kind="country_turn", facts={"country": id_, "turn": turn})
        for good, row in sheet.ledger["hup"].get(id_, {}).get(str(turn), {}).items():
            yield Line(kind="hup", facts={"good": good, **row})


def _military(view: View, countries: Sequence[str], _: Sheet) -> _Lines:
    yield from _placed(view, countries, _is_military)


def _inle(view: View, countries: Sequence[str], sheet: Sheet) -> _Lines:
    """What stands on no other sheet: other units but those that develop a square, and what lies outside cities."""
    developing = sheet.ledger["developing"]
    yield from _placed(view, countries, lambda id_, unit: not _is_military(id_, unit) and id_ not in developing)
    for row in place_rows(view, countries):
        if row.goods and not row.city:
            yield Line(kind="goods", facts={"at": row.at, "country": row.country, "goods": row.goods})


def _is_military(_id: str, unit: Mapping[str, Any]) -> bool:
    """Land units, warships and armed aircraft."""
    kind = printed().kinds[unit["kind"]]
    return kind.df > 0 or kind.class_ == "land" or kind.military or kind.nbf > 0 or unit["kind"] == "submarine"


def _placed(view: View, countries: Sequence[str], wanted: Callable[[str, Mapping[str, Any]], bool]) -> _Lines:
    rows = [row for row in unit_rows(view, countries) if wanted(row.id, view["units"][row.id])]
    for row in sorted(rows, key=lambda each: (countries.index(each.country), map_order(each.at))):
        steps = view["units"][row.id]["steps"]
        facts = {field: getattr(row, field) for field in row.__struct_fields__} | {"steps": steps}
        yield Line(kind="unit", facts=facts)


def _cities(view: View, countries: Sequence[str], _: Sheet) -> _Lines:
    rows = {(row.at, row.country): row for row in place_rows(view, countries)}
    for at, square in view["squares"].items():
        owner = square.get("control")
        if square.get("city") and owner in countries:
            row = rows.get((at, owner))
            facts = {
                "at": at,
                "country": owner,
                "factories": [
                    {"kind": kind, "damaged": each["state"] == "damaged", "ran": each["ran"]}
                    for kind, all_ in square.get("factories", {}).items()
                    for each in all_
                ],
                "items": square.get("items", ()),
                "installed": square.get("installed", {}),
                "works": square.get("works", {}),
                "workers": row.workers if row else 0,
                "officials": row.officials if row else (),
                "goods": row.goods if row else {},
            }
            yield Line(kind="city", facts=facts)


def _linear(view: View, _countries: Sequence[str], _: Sheet) -> _Lines:
    """Of everybody: lines have no owner."""
    for kind in LINES:
        places = [border for border, lines in view["borders"].items() if kind in lines]
        places += [at for at, square in view["squares"].items() if kind in square.get("items", ())]
        if places:
            yield Line(kind="linear", facts={"what": kind, "places": places})


def _listed(view: View, countries: Sequence[str], _: Sheet) -> _Lines:
    for id_ in countries:
        row = view["countries"][id_]
        keys = ("player", "capital", "governor", "parent", "turns_held", "friendly", "inflation", "capture")
        facts = {"country": id_, **{key: row[key] for key in keys}, "score": view["standing"][id_]["score"]}
        yield Line(kind="listed", facts=facts)


def _turn(view: View, countries: Sequence[str], sheet: Sheet) -> _Lines:
    wanted = sheet.round or view["turn"]
    yield Line(kind="turn", facts={"turn": wanted})
    yield from _happened(sheet.events, countries, DONE, wanted)


def _trade(view: View, countries: Sequence[str], sheet: Sheet) -> _Lines:
    yield from _happened(sheet.events, countries, TRADED, sheet.round)
    for id_ in countries:
        for to, points in view["countries"][id_]["exchange"].items():
            yield Line(kind="exchange", facts={"country": id_, "to": to, "points": points})
    for name, offer in view["offers"].items():
        players = {view["countries"][id_]["player"] for id_ in countries}
        if players & {offer["from"], offer["to"]}:
            yield Line(
                kind="offer", facts={"name": name, "giver": offer["from"], "taker": offer["to"], "what": offer["what"]}
            )


def _happened(events: Sequence[Event], countries: Sequence[str], wanted: Sequence[str], turn: int | None) -> _Lines:
    now = 0
    for event in _standing(events):
        if event["type"] != "Noted":
            continue
        what, facts = event["what"], event["facts"]
        if what == "slot_began":
            now = int(facts["slot"].partition(".")[0])
        elif what == "turn_ended":
            now = facts["turn"] + 1
        elif turn in (None, now) and what == "rolled_out" and "recorded" in wanted and facts["forced"]:
            yield Line(kind="happened", facts={"event": event})
        elif turn in (None, now) and what in wanted:
            named = {event["country"], *(facts.get(key) for key in WITH_BOTH)}
            if named & {*countries}:
                yield Line(kind="happened", facts={"event": event})


def _standing(events: Sequence[Event]) -> list[Event]:
    """Without what was taken back."""
    orders: list[list[Event]] = [[]]
    for event in events:
        if event["type"] == "Undone":
            del orders[-2:-1]
            continue
        orders[-1].append(event)
        if event["type"] == "Changed":
            orders.append([])
    return [event for order in orders for event in order]


_SHEETS: Mapping[str, Callable[[View, Sequence[str], Sheet], _Lines]] = {
    "economic": _economic,
    "hup": _hup,
    "military": _military,
    "cities": _cities,
    "turn": _turn,
    "trade": _trade,
    "linear": _linear,
    "inle": _inle,
    "countries": _listed,
}
