"""Squares that are developed over the end of a slot, and yield in the next (E7.1 to E7.7)."""

from __future__ import annotations

from fractions import Fraction

from msgspec.structs import replace

from pbem.core.refusal import Illegal
from pbem.core.seat import Seat
from pbem.games.empire.geography.grid import map_order
from pbem.games.empire.rules.accounts.booking import book
from pbem.games.empire.rules.economy.supply import food_for
from pbem.games.empire.rules.ground.sides import controls
from pbem.games.empire.rules.ground.who import any_part, known_square, land_part, unit_of
from pbem.games.empire.rules.held import Crew
from pbem.games.empire.rules.orders import Develop, Farm, Stop
from pbem.games.empire.rules.people.planned import check_room
from pbem.games.empire.rules.people.working import add_task, at_task, check_control, country_at, end_task, take_task
from pbem.games.empire.rules.pieces.carrying import aboard, check_fits
from pbem.games.empire.rules.state import Mark, Unit
from pbem.games.empire.rules.tables import Development
from pbem.games.empire.rules.world import World

GRADES = ("", "single", "double", "triple")
FOOD = ("farm", "fish")


def row(w: World, kind: str, grade: int) -> Development:
    return w.tables.development[kind if kind in FOOD else GRADES[grade]]


def develop(w: World, player: Seat, order: Develop) -> None:
    part = any_part(w, order.at)
    grade = w.map.marks.get(part, {}).get(order.mark)
    if grade is None:
        raise Illegal("develop.absent", mark=order.mark, square=order.at)
    if order.grade is not None:
        if not 1 <= order.grade <= grade:
            raise Illegal("clause.idle", clause=f"at {order.grade}", why="no_grade")
        grade = order.grade
    mark = w.part(part).marks.get(order.mark, Mark())
    if is_worked(w, part, order.mark, mark):
        others = w.player(mark.by or "") != player or w.speaks not in (None, mark.by)
        if others or mark.grade == grade or order.ship not in (None, mark.ship):
            raise Illegal("develop.taken", mark=order.mark, square=order.at)
        _regrade(w, part, order, mark, grade)
        return
    if part in w.map.land:
        country, ship = country_at(w, player, order, part), None
        check_control(w, country, part)
        _on_land(w, country, part, order.mark)
    else:
        country, ship = _offshore(w, player, order, part)
    marks = {**w.part(part).marks, order.mark: replace(mark, grade=grade, by=country, ship=ship, due=0)}
    w.change_part(part, marks=marks)
    w.note("develops", country, mark=order.mark, at=order.at, grade=grade)


def _regrade(w: World, part: str, order: Develop, mark: Mark, grade: int) -> None:
    """Who is at it goes on at another grade (E7.5)."""
    w.change_part(part, marks={**w.part(part).marks, order.mark: replace(mark, grade=grade)})
    w.note("develops", mark.by, mark=order.mark, at=order.at, grade=grade)


def _on_land(w: World, country: str, part: str, mark: str) -> None:
    """One worker develops any number of resources of their part, but only one farm or fish square (E7.2)."""
    needs = int(w.tables.city["takes"]["resource"])
    if w.part(part).city and w.part(part).marks.get(mark, Mark()).by is None and mark != "fish":
        check_room(w, part, needs)
    marks = w.map.marks[part]
    if not add_task(w, country, part, mark, lambda crew: set(crew.tasks) <= set(marks)):
        take_task(w, country, part, mark)


def _offshore(w: World, player: Seat, order: Develop, part: str) -> tuple[str, str]:
    alone = "fishing_ship" if order.mark == "fish" else "oil_tanker" if order.mark == "oil" else ""
    if order.ship is not None:
        ships = [unit_of(w, player, order.ship, order.at)]
    else:
        ships = [u for u in w.at(part) if w.player(u.owner) == player and w.kind(u).class_ == "ship"]
    for ship in ships:
        if ship.at == part and ship.kind == alone and not ship.tasks:
            w.change(ship.id, tasks=(order.mark,))
            return ship.owner, ship.id
        if ship.at == part and _has_idle(w, ship, order.mark):
            _aboard(w, ship, order.mark)
            return ship.owner, ship.id
    raise Illegal("unit.absent", unit=alone or "ship", at=order.at)


def _has_idle(w: World, ship: Unit, mark: str) -> bool:
    return any(crew.kind == "worker" and _is_free(crew, mark) for crew in w.held(ship.id, ship.owner).crews)


def _is_free(crew: Crew, mark: str) -> bool:
    return not crew.tasks or (mark != "fish" and "fish" not in crew.tasks)


def _aboard(w: World, ship: Unit, mark: str) -> None:
    if not add_task(w, ship.owner, ship.id, mark, lambda crew: _is_free(crew, mark)):
        take_task(w, ship.owner, ship.id, mark)


def is_worked(w: World, part: str, kind: str, mark: Mark) -> bool:
    """Is somebody at it still?"""
    if mark.by is None:
        return False
    if mark.ship is None:
        return at_task(w, mark.by, part, kind) > 0
    ship = w.units.get(mark.ship)
    if ship is None or ship.owner != mark.by or ship.at != part:
        return False
    return kind in ship.tasks or at_task(w, mark.by, ship.id, kind) > 0


# -- farms ---


def farm(w: World, player: Seat, order: Farm) -> None:
    for name in order.squares:
        if not w.map.squares[known_square(w, name)].land:
            raise Illegal("farm.barred", square=name)
        part = land_part(w, name)
        country = country_at(w, player, order, part)
        _check_farm(w, country, part)
        take_task(w, country, part, "farm")
        if w.part(part).farm != country:  # who takes over in the same slot needs no seed
            _sow(w, country, part)
        w.change_part(part, farm=country)
        w.note("farms", country, at=part)


def _sow(w: World, country: str, part: str) -> None:
    pile = food_for(w, country, part)
    if pile is None:
        raise Illegal("goods.short", where=part, has="0", good="food", needs="1")
    w.take_goods(pile, country, "food", w.tables.development["farm"].seed["food"])


def _check_farm(w: World, country: str, part: str) -> None:
    found = w.part(part)
    marked = w.options["farm_where"] == "open" or "farm" in w.map.marks.get(part, {})
    if w.map.land[part].terrain not in w.tables.farm_terrain or found.polluted or not marked:
        raise Illegal("farm.barred", square=part)
    check_control(w, country, part)
    if found.farm is not None and at_task(w, found.farm, part, "farm"):
        raise Illegal("develop.taken", mark="farm", square=part)


def stop(w: World, player: Seat, order: Stop) -> None:
    part = any_part(w, order.at)
    what = order.of or order.what if order.what == "manning" else order.what
    for country in w.countries_of(player):
        if order.country not in (None, country):
            continue
        for place in (part, *(u.id for u in w.at(part) if country in u.holds)):
            task = _task(w, country, place, what)
            if task is not None:
                end_task(w, country, place, task, 1)
                w.note("stopped", country, task=task, at=order.at)
                return
        for unit in w.at(part):
            if unit.owner == country and what in unit.tasks:
                w.change(unit.id, tasks=tuple(task for task in unit.tasks if task != what))
                w.note("stopped", country, task=what, at=order.at)
                return
    raise _nobody_at(w, part, order)


def _nobody_at(w: World, part: str, order: Stop) -> Illegal:
    """Why nothing can be stopped there."""
    found = w.part(part)
    manned = {*(gun.kind for gun in found.guns), *(fort.kind for fort in found.forts.values()), "canal"}
    if order.what == "manning" and order.of not in manned:
        return Illegal("factory.absent", factory=order.of, square=order.at)
    if order.what not in ("manning", *w.map.marks.get(part, {})):  # nor is there a farm of one's own
        return Illegal("develop.absent", mark=order.what, square=order.at)
    return Illegal("workers.short", square=order.at, has=0, needs=1)


def _task(w: World, country: str, place: str, what: str) -> str | None:
    """What somebody there is at; of forts any side."""
    tasks = [task for crew in w.held(place, country).crews for task in crew.tasks]
    return next((task for task in tasks if task == what or (what == "fort" and task.startswith("fort "))), None)


# -- over the end ---


def rollout(w: World, country: str) -> None:
    """What is worked at counts as developed over the end: Investment, and EDU the first time (E7.2 to E7.5)."""
    later = w.options["investment_when"] == "produced"
    for part in sorted(w.parts, key=map_order):
        found = w.part(part)
        marks = dict(found.marks)
        for kind, mark in found.marks.items():
            if mark.by == country:
                marks[kind] = _developed(w, country, part, kind, mark, later=later)
        if marks != found.marks:
            w.change_part(part, marks=marks)
        if found.farm == country:
            _farmed(w, country, part, later=later)


def _developed(w: World, country: str, part: str, kind: str, mark: Mark, *, later: bool) -> Mark:
    if not is_worked(w, part, kind, mark):
        return replace(mark, by=None, ship=None)
    now, was = row(w, kind, mark.grade), row(w, kind, mark.opened) if mark.opened else None
    edu = max(0, now.edu - (was.edu if was else 0)) if mark.grade > mark.opened else 0
    book(w, country, edu=edu, investment=0 if later else now.investment)
    if edu:
        w.note("opened", country, mark=kind, at=part, edu=edu)
    return replace(mark, opened=max(mark.opened, mark.grade), due=mark.grade)


def _farmed(w: World, country: str, part: str, *, later: bool) -> None:
    found = w.part(part)
    if not at_task(w, country, part, "farm"):
        w.change_part(part, farm=None)  # fallow
        return
    table = w.tables.development["farm"]
    book(w, country, edu=0 if found.farmed else table.edu, investment=0 if later else table.investment)
    w.change_part(part, farmed=True, farm_due=country)


# -- the yield ---


def yield_all(w: World, country: str) -> None:
    """At the start of its next slot, where the developer is still there and the part is controlled (E7.3)."""
    for part in sorted(w.parts, key=map_order):
        found = w.part(part)
        if found.farm_due == country:
            _yield_farm(w, country, part)
        for kind, mark in found.marks.items():
            if mark.due and mark.by == country:
                _yield_mark(w, country, part, kind, mark)
        if country in w.part(part).returns:
            _give_back(w, country, part)


def _yield_farm(w: World, country: str, part: str) -> None:
    w.change_part(part, farm_due=None)
    if w.part(part).farm == country and at_task(w, country, part, "farm") and controls(w, country, part):
        amount = w.tables.development["farm"].yield_
        w.put_goods(part, country, "food", amount)
        w.note("yielded", country, at=part, what="food", count=amount)
        if w.options["investment_when"] == "produced":
            book(w, country, investment=w.tables.development["farm"].investment)


def _yield_mark(w: World, country: str, part: str, kind: str, mark: Mark) -> None:
    marks = {**w.part(part).marks, kind: replace(mark, due=0)}
    w.change_part(part, marks=marks)
    if not is_worked(w, part, kind, mark) or (part in w.map.land and not controls(w, country, part)):
        return
    amount = _allowed(w, country, kind, row(w, kind, mark.due).yield_)
    if not amount:
        return
    if w.options["investment_when"] == "produced":
        book(w, country, investment=row(w, kind, mark.due).investment)
    if kind == "power":
        w.change_country(country, water={**w.country(country).water, part: amount})
    elif mark.ship is not None:
        amount = _stowed(w, country, w.units[mark.ship], "food" if kind == "fish" else kind, amount)
    else:
        w.put_goods(part, country, "food" if kind == "fish" else kind, amount)
    w.note("yielded", country, at=w.map.shown(part) if part in w.map.water else part,
           what="food" if kind == "fish" else kind, count=amount)  # fmt: skip


def _allowed(w: World, country: str, kind: str, amount: int) -> int:
    """In inflation only so many sites run; food squares are none (E7.14)."""
    found = w.country(country)
    if kind in FOOD or not found.inflation or found.sites_may is None:
        return amount
    amount = max(0, min(amount, found.sites_may - found.sites_used))
    w.change_country(country, sites_used=found.sites_used + amount)
    return amount


def _stowed(w: World, country: str, ship: Unit, good: str, amount: int) -> int:
    """As far as the ship holds; the rest is lost."""
    while amount:
        try:
            check_fits(w, ship.kind, ship.id, aboard(w, ship), {good: Fraction(amount)})
        except Illegal:
            amount -= 1
        else:
            w.put_goods(ship.id, country, good, amount)
            return amount
    return 0


def _give_back(w: World, country: str, part: str) -> None:
    """What comes back of a scrapped factory (E8.9)."""
    returns = dict(w.part(part).returns)
    for good, amount in returns.pop(country).items():
        w.put_goods(part, country, good, amount)
        w.note("yielded", country, at=part, what=good, count=amount)
    w.change_part(part, returns=returns)


def pollute(w: World, part: str) -> None:
    """A farm or fish square in whose part a factory runs is gone (E7.7)."""
    found = w.part(part)
    if found.farm is not None:
        end_task(w, found.farm, part, "farm")
        w.change_part(part, farm=None, farm_due=None, polluted=True)
        w.note("polluted", found.farm, at=part)
