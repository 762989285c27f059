"""The state document (language.md, section 9): what somebody may see of a position."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

from pbem.core.seat import Seat, Sight, Viewer
from pbem.games.empire.geography.grid import map_order
from pbem.games.empire.rules.accounts.record import headcount
from pbem.games.empire.rules.countries import handing
from pbem.games.empire.rules.course import endings
from pbem.games.empire.rules.ground import pirate, secrets
from pbem.games.empire.rules.ground.sides import controller
from pbem.games.empire.rules.held import OFFICIALS, Held
from pbem.games.empire.rules.pieces.carrying import PEOPLE
from pbem.games.empire.rules.state import Country, Mark, Part, Row, Unit, Work
from pbem.games.empire.rules.world import World

LEFT_OUT: Mapping[str, object] = {
    "units.*": None,
    "units.*.cargo": {},
    "units.*.cargo.*": 0,
    "countries.*.exchange": {},
    "countries.*.exchange.*": 0,
    "countries.*.friendly": {},
    "countries.*.friendly.*": [],
    "squares.*": {},
    "squares.*.control": None,
    "squares.*.workers": {},
    "squares.*.workers.*": 0,
    "squares.*.tasks": {},
    "squares.*.tasks.*": {},
    "squares.*.tasks.*.*": 0,
    "squares.*.officials": {},
    "squares.*.officials.*": [],
    "squares.*.goods": {},
    "squares.*.goods.*": {},
    "squares.*.goods.*.*": 0,
    "squares.*.city": False,
    "squares.*.site": False,
    "squares.*.factories": {},
    "squares.*.factories.*": [],
    "squares.*.works": {},
    "squares.*.works.*": {},
    "squares.*.works.*.done": 0,
    "squares.*.items": [],
    "squares.*.installed": {},
    "squares.*.installed.*": 0,
    "squares.*.farm": None,
    "squares.*.polluted": False,
    "squares.*.marks": {},
    "squares.*.marks.*": {},
    "squares.*.forts": {},
    "squares.*.forts.*": {},
    "squares.*.forts.*.manned": False,
    "borders.*": [],
    "offers": {},
    "offers.*": {},
    "serpents.*": None,
}


def document(
    w: World, awaiting: Sequence[Mapping[str, object]], about: Mapping[str, object], viewer: Viewer
) -> dict[str, Any]:
    """`about`: game, edition and board."""
    s = w.state
    over = s.phase == "over"
    seen = secrets.Sight(w, viewer)
    players = {seat: {"countries": w.countries_of(seat)} for seat in s.seats if w.countries_of(seat) or s.turn == 0}
    found: dict[str, Any] = {
        **about,
        "turn": s.turn,
        "round": s.turn,
        "slot": s.slot if s.phase == "turn" else None,
        "active": s.active,
        "order": [*s.order],
        "awaiting": awaiting,
        "finished": over,
        "scores": dict(s.scores) if s.scores is not None else None,
        "winners": winners(s.scores),
        "wind": s.wind,
        "end_turns": int(w.options["end_turns"]),
        "offers": {
            id_: {"from": w.player(o.giver), "to": handing.taking(w, o), "what": handing.told(o)}
            for id_, o in w.offers.items()
        },
        "players": players,
        "countries": {id_: _country(w, id_, c) for id_, c in w.countries.items() if seen.country(id_)},
        "squares": _squares(w, seen),
        "borders": {key: [*border.lines] for key, border in sorted(w.borders.items()) if border.lines},
        "units": {u.id: _unit(w, u, seen) for u in sorted(w.units.values(), key=w.unit_order) if seen.unit(u)},
    }
    if viewer is Sight.ALL or over:
        found |= {"pirate": _pirate(w), "serpents": _serpents(w)}
    else:
        found |= {"serpents": _serpents(w), "sightings": list(s.sightings.get(viewer, ())) if viewer else []}
        found |= {"pirate": _pirate(w)} if pirate.is_known_to(w, viewer) else {}
    if viewer is not Sight.ALL:  # the state document has neither
        found["records"] = {id_: [_row(row) for row in w.country(id_).rows] for id_ in found["countries"]}
        found["standing"] = {id_: _standing(w, id_) for id_ in found["countries"]}
    if viewer is Sight.ALL or s.phase not in ("capital", "picks"):
        found["picks"] = {seat: list(items) for seat, items in s.picked.items()}
    elif isinstance(viewer, str) and viewer in s.picked:
        found["picks"] = {viewer: list(s.picked[Seat(viewer)])}
    return found


def winners(scores: Mapping[Seat, int] | None) -> list[Seat] | None:
    if scores is None:
        return None
    return sorted(seat for seat, points in scores.items() if points == max(scores.values()))


def amount(value: Fraction) -> int | str:
    """A whole count is a number, a fraction is text."""
    return int(value) if value.denominator == 1 else str(value)


def goods(held: Held) -> dict[str, int | str]:
    return {good: amount(held.amount(good)) for good in sorted(held.goods)}


def _country(w: World, id_: str, c: Country) -> dict[str, Any]:
    edu, cost, investment = (
        (c.booked_edu, c.booked_cost, c.booked_investment) if c.in_slot else (c.edu, c.cost, c.investment)
    )
    workers, population = headcount(w, id_)
    return {
        "player": c.player,
        "confidence": c.confidence,
        "edu": edu,
        "last_edu": c.edu if c.in_slot else c.last_edu,
        "cost": cost,
        "investment": investment,
        "fund": c.fund,
        "tax": c.tax,
        "exchange": dict(sorted(c.exchange)),
        "roll": c.roll,
        "debts": {what: str(due) for what, due in c.debts.items()},
        "inflation": c.inflation,
        "capture": c.capture,
        "capital": c.capital,
        "governor": _governor(w, id_),
        "workers": workers,
        "population": population,
        "friendly": {player: [*squares] for player, squares in sorted(c.friendly.items())},
        "turns_held": c.turns_held,
        "parent": c.parent,
    }


def _row(row: Row) -> dict[str, Any]:
    """Of the economic record (E6.3)."""
    return {
        "turn": row.turn,
        "investment": row.investment,
        "cost": row.cost,
        "fund": row.fund,
        "tax": row.tax,
        "confidence": row.confidence,
        "edu": row.edu,
        "roll": row.roll,
        "inherited": row.inherited,
    }


def _standing(w: World, id_: str) -> dict[str, Any]:
    """How a country would come out now (E19.2)."""
    confidence, investment = endings.means(w, id_)
    return {
        "confidence": str(confidence),
        "investment": str(investment),
        "cities": endings.cities(w, id_),
        "inflation": w.country(id_).inflation,
        "score": endings.score(w, id_),
    }


def _governor(w: World, id_: str) -> str | None:
    for place in w.places_of(id_):
        if w.held(place, id_).people("governor"):
            return place
    aboard = (u.at for u in w.units.values() if id_ in u.holds and u.holds[id_].people("governor"))
    return next((w.map.shown(at) for at in aboard), None)


def _squares(w: World, seen: secrets.Sight) -> dict[str, Any]:
    names = sorted(w.parts, key=map_order)
    return {w.map.shown(name): found for name in names if (found := _square(w, name, w.part(name), seen))}


def _square(w: World, name: str, part: Part, seen: secrets.Sight) -> dict[str, Any]:
    held = {country: each for country, each in sorted(part.held.items()) if seen.holding(country, name)}
    forts = {side: _fort(part, side) for side in sorted(part.forts)}
    found = {
        "control": controller(w, name) if name in w.map.land else None,
        "workers": {country: each.workers for country, each in held.items() if each.workers},
        "tasks": {country: tasks for country, each in held.items() if (tasks := _tasks(part, each))},
        "officials": {country: officials for country, each in held.items() if (officials := _officials(each))},
        "goods": {country: goods(each) for country, each in held.items() if each.goods},
        "city": part.city,
        "site": part.site,
        "factories": _factories(part),
        "works": {work.item: _work(work) for work in part.works if _is_begun(work)},
        "items": sorted(part.items),
        "installed": dict(sorted(Counter(gun.kind for gun in part.guns).items())),
        "farm": part.farm,
        "polluted": part.polluted,
        "marks": {kind: _mark(mark) for kind, mark in sorted(part.marks.items())},
        "forts": forts,
    }
    return {key: value for key, value in found.items() if value not in (None, {}, [], False) or key == "control"}


def _is_begun(work: Work) -> bool:
    return work.what == "build" and work.begun


def _work(work: Work) -> dict[str, Any]:
    return {"done": work.done, "needs": work.needs, **({"damaged": True} if work.damaged else {})}


def _tasks(part: Part, held: Held) -> dict[str, int]:
    found: dict[str, int] = {}
    for crew in held.crews:
        for task in crew.tasks:
            word = _task_word(part, task)
            found[word] = found.get(word, 0) + crew.count
    return dict(sorted(found.items()))


def _task_word(part: Part, task: str) -> str:
    """A work by what is built."""
    if not task.startswith("work "):
        return task
    return next((work.item for work in part.works if task == f"work {work.id}"), "work")


def _officials(held: Held) -> list[str]:
    return sorted(crew.kind for crew in held.crews if crew.kind in OFFICIALS for _ in range(crew.count))


def _factories(part: Part) -> dict[str, list[dict[str, Any]]]:
    found: dict[str, list[dict[str, Any]]] = {}
    for factory in part.factories:
        found.setdefault(factory.kind, []).append({"state": factory.state, "ran": factory.ran or None})
    return dict(sorted(found.items()))


def _mark(mark: Mark) -> dict[str, Any]:
    return {"grade": mark.grade, "by": mark.by, "opened": mark.opened}


def _fort(part: Part, side: str) -> dict[str, Any]:
    manned = any(f"fort {side}" in crew.tasks for held in part.held.values() for crew in held.crews)
    return {"kind": part.forts[side].kind, "manned": manned, "damaged": part.forts[side].damaged}


def _cargo(holds: Sequence[Held]) -> dict[str, int | str]:
    """Whosever it is: goods of an owner stay aboard what another one takes over (E5.5)."""
    names = {good for held in holds for good in held.goods}
    found = {good: amount(sum((held.amount(good) for held in holds), Fraction(0))) for good in names}
    for kind, word in zip(PEOPLE, ("workers", "governors", "ambassadors"), strict=True):
        if count := sum(held.people(kind) for held in holds):
            found[word] = count
    return dict(sorted(found.items()))


def _unit(w: World, unit: Unit, seen: secrets.Sight) -> dict[str, Any]:
    cargo = _cargo([*unit.holds.values()]) if seen.hold(unit) else {}
    return {
        "owner": unit.owner,
        "kind": unit.kind,
        "at": w.map.shown(unit.at),
        "state": "ground" if unit.aboard and unit.state == "stored" else unit.state,
        "used": str(unit.used),
        "steps": unit.steps,
        "damaged": unit.steps > 0,
        "cargo": cargo,
        "aboard": unit.aboard,
        "attacked": unit.attacked or None,
        "made": int(unit.made.split(".")[0]) if unit.made else None,
    }


def _pirate(w: World) -> dict[str, Any] | None:
    if w.state.pirate is None:
        return None
    units = [unit for unit in w.units.values() if unit.owner == w.state.pirate]
    ship = next((unit for unit in units if unit.kind == "super_cargo_ship"), None)
    return {"at": w.map.shown(ship.at) if ship else None, "units": sorted(unit.id for unit in units)}


def _serpents(w: World) -> dict[str, Any]:
    found = [unit for unit in w.units.values() if unit.kind == "sea_serpent"]
    return {unit.id: {"at": w.map.shown(unit.at), "state": unit.state} for unit in found}
