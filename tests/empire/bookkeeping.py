"""What there is in a position, and what of it the log accounts for: a second, plainer way of keeping the books."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from typing import Any

from pbem.games.empire.rules.construction.works import materials_of
from pbem.games.empire.rules.economy.supply import parts_of
from pbem.games.empire.rules.events import Noted
from pbem.games.empire.rules.ground.sides import is_land_unit
from pbem.games.empire.rules.held import Held
from pbem.games.empire.rules.state import Unit
from pbem.games.empire.rules.world import World
from tests.empire.random_play import Step

Stock = dict[str, Fraction]
MACHINES = ("cmx", "hmx", "td")
# notes behind which goods or people may be gone that the log does not count one by one
VIOLENT = ("odds", "lost", "hit", "cargo_destroyed", "died", "mission", "attacked", "raided", "torpedoed", "stays")
PEOPLE = "people"


def holdings(w: World) -> Iterator[tuple[str, str, Held]]:
    """Country, place and what it has there."""
    for name, part in w.parts.items():
        yield from ((country, name, held) for country, held in part.held.items())
    for unit in w.units.values():
        yield from ((country, unit.id, held) for country, held in unit.holds.items())


def stock(w: World, country: str | None = None) -> Stock:
    """Goods and people of a country, or of all: in piles and holds, in units as arms, in works not yet a turn old."""
    found: Counter[str] = Counter()
    for owner, _, held in holdings(w):
        if country in (None, owner):
            _count(found, held)
    for unit in w.units.values():
        if country in (None, unit.owner):
            _count_unit(w, found, unit)
    for name, part in w.parts.items():
        for work in part.works:
            if not work.done and country in (None, work.by):
                found.update(materials_of(w, name, work))
        for owner, goods in part.returns.items():
            if country in (None, owner):
                found.update(goods)
    return {what: Fraction(much) for what, much in found.items() if much}


def _count(found: Counter[str], held: Held) -> None:
    for good in held.goods:
        found[good] += held.amount(good)  # type: ignore[assignment]
    found[PEOPLE] += held.people()


def _count_unit(w: World, found: Counter[str], unit: Unit) -> None:
    if is_land_unit(w, unit):
        found.update(parts_of(w, unit.kind))  # type: ignore[arg-type]
        found[PEOPLE] += 1


def noted(step: Step, *whats: str) -> list[Noted]:
    return [event for event in step.events if isinstance(event, Noted) and (not whats or event.what in whats)]


def difference(one: Mapping[str, Fraction], other: Mapping[str, Fraction]) -> Stock:
    every = {*one, *other}
    return {what: d for what in every if (d := one.get(what, Fraction(0)) - other.get(what, Fraction(0)))}


def accounted(step: Step) -> tuple[Stock, int]:
    """What the log says has come (more) or gone (less); and how many machines of some kind went into a recipe."""
    found: Counter[str] = Counter()
    machines = 0
    for note in noted(step):
        if note.what == "made":
            machines += _made(step, found, note.facts)
        elif note.what == "finished":
            _finished(step, found, note)
        elif note.what in SAID and _counts(step, note):
            found.update(SAID[note.what](note.facts))
    return {what: Fraction(much) for what, much in found.items() if much}, machines


SAID: Mapping[str, Callable[[Any], Mapping[str, Any]]] = {
    "powered": lambda facts: {facts["fuel"]: -1},
    "farms": lambda _: {"food": -1},
    "yielded": lambda facts: {facts["what"]: int(facts["count"])},
    "fed": lambda facts: {"food": facts["starved"] - facts["fed"] - facts["out"]},
    "paid": lambda facts: {"food": -facts["booked"]},
    "debt_paid": lambda facts: {facts["good"]: -1},
    "goods_lost": lambda facts: {facts["what"]: -Fraction(facts["count"])},
    "burnt": lambda facts: {facts["what"]: -Fraction(facts["count"])},
    "dumped": lambda facts: {facts["what"]: -Fraction(facts["count"])},
    "consumed": lambda facts: {facts["what"]: -facts["count"]},
    "armed": lambda _: {"small_arms_unit": -1},
    "settled": lambda _: {"colony_piece": -1},
    "born": lambda _: {PEOPLE: 1},
    "died": lambda facts: {PEOPLE: -sum(facts["people"].values())},
    "pirate_at_sea": lambda _: {"food": 10, PEOPLE: 3},
}


def _counts(step: Step, note: Noted) -> bool:
    """Power is no good, units have no count, arms of land units stay; who takes over a farm does not sow."""
    facts = note.facts
    match note.what:
        case "powered":
            return bool(facts["fuel"] != "water_power")
        case "farms":
            return facts["at"] not in step.before.parts or step.before.parts[facts["at"]].farm != note.country
        case "yielded":
            return bool(facts["what"] != "power") and not _comes_back(step, note)
        case "consumed":
            return facts["count"] is not None
        case "armed":
            return bool(facts["kind"] == "pirate_ship")
    return True


def _made(step: Step, found: Counter[str], facts: Mapping[str, Any]) -> int:
    """Inputs with the first turn, the product with the last; tells how many machines were among the inputs."""
    if facts["item"] == "fresh_water":
        return 0
    named = getattr(step.order, "inputs", ())
    rows = [row for row in step.rules.setting.recipes if row.item == facts["item"] and facts["factory"] in row.made_in]
    fits = [
        row
        for row in rows
        if sorted("machine" if each in MACHINES and "machine" in row.inputs else each for each in named)
        == sorted(row.inputs)
    ]
    used = [row for row in fits or rows if _was_used(step, row, facts)]
    row = (used or rows)[0]
    runs = facts["count"] // row.qty
    if facts["turn"] == 1:
        found.subtract({good: much * runs for good, much in row.inputs.items() if good != "machine"})
    if facts["turn"] == facts["turns"] and row.item in step.rules.setting.tables.goods:
        found[row.item] += facts["count"]
    return int(row.inputs.get("machine", 0)) * runs if facts["turn"] == 1 else 0


def _was_used(step: Step, row: Any, facts: Mapping[str, Any]) -> bool:
    """Is less there of what goes into it?"""
    less = difference(stock(step.now), stock(step.was))
    return all(less.get(good, Fraction(0)) < 0 for good in row.inputs if good != "machine" and good != row.item)


def _comes_back(step: Step, note: Noted) -> bool:
    """Of a scrapped factory: it has been counted all the time."""
    part = step.before.parts.get(note.facts["at"])
    return (
        part is not None
        and note.facts["what"] in part.returns.get(note.country or "", {})
        and note.facts["what"] in MACHINES
    )


def _finished(step: Step, found: Counter[str], note: Noted) -> None:
    """The materials of a work that stood in its first turn are gone now."""
    part, item = note.facts["at"], note.facts["item"]
    works = step.before.parts[part].works
    after = {work.id for work in step.after.parts[part].works} if part in step.after.parts else set()
    work = next(w for w in works if w.item == item and w.what == note.facts["what"] and w.id not in after)
    if not work.done:
        found.subtract(materials_of(step.was, part, work))
    if work.what == "deinstall":
        found["aa_gun" if item == "AA" else "naval_gun"] += 1
    if work.what == "scrap":
        old, new = step.before.parts[part].returns, step.after.parts[part].returns
        for good in MACHINES:
            found[good] += sum(c.get(good, 0) for c in new.values()) - sum(c.get(good, 0) for c in old.values())
