"""Maneuver: fleets, then armies, then destruction, then flags (new edition, Maneuver; R8 to R17)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeVar

from msgspec.structs import replace

from pbem.core.refusal import Illegal
from pbem.games.imperial.notation.write import write_line
from pbem.games.imperial.rules import events as ev
from pbem.games.imperial.rules.battle import ask_others, attack, check_attack
from pbem.games.imperial.rules.board import Nation, Region, Unit
from pbem.games.imperial.rules.flags import place_flags
from pbem.games.imperial.rules.orders import Destroy, Line, Move, Status
from pbem.games.imperial.rules.resolution import Resolution
from pbem.games.imperial.rules.routes import Route, find_routes
from pbem.games.imperial.rules.state import Maneuver, at

K = TypeVar("K")


def begin(resolution: Resolution, nation: Nation, move: Move) -> None:
    resolution.first(plan(Maneuver(nation=nation), move))


def plan(task: Maneuver, move: Move) -> Maneuver:
    """The maneuver with these lines to carry out: all fleet lines before all army lines."""
    lines = [line for line in move.lines if isinstance(line, Line)]
    fleets = [line for line in lines if line.unit == "fleet"]
    armies = [line for line in lines if line.unit == "army"]
    destroy = [line.region for line in move.lines if isinstance(line, Destroy)]
    both = tuple(dict.fromkeys((*task.destroy, *destroy)))
    return replace(task, lines=(*fleets, *armies), destroy=both, open=False, failed=False)


def go_on(resolution: Resolution, task: Maneuver) -> None:
    """Carry out the next line; after the last one wait for what failed, or finish."""
    if task.lines:
        _carry_out(resolution, replace(task, lines=task.lines[1:]), task.lines[0])
    elif task.failed and _can_move(resolution, task):
        resolution.first(replace(task, open=True))
    else:
        _finish(resolution, task)


def rehearse(trial: Resolution) -> None:
    """Run the strict maneuvers on the agenda to their end; nobody is awaited in them. Raises `Illegal`."""
    while trial.agenda:
        task = trial.agenda.pop(0)
        if isinstance(task, Maneuver):
            go_on(trial, task)


# -- one line ---


def _carry_out(resolution: Resolution, task: Maneuver, line: Line) -> None:
    try:
        leaving = _pick(resolution, task, line)
        check_attack(resolution, task.nation, line)
        movement = _Movement(resolution, task, line, leaving)
        movement.prepare()
    except Illegal as refusal:
        if resolution.strict:
            raise
        resolution.emit(ev.LineDropped(nation=task.nation, text=write_line(line), code=refusal.code))
        resolution.first(replace(task, failed=True))
        return
    movement.go()


class _Movement:
    """The units of one line on their way; `prepare` may refuse, `go` never does."""

    def __init__(
        self, resolution: Resolution, task: Maneuver, line: Line, leaving: Mapping[Status | None, int]
    ) -> None:
        self.resolution = resolution
        self.task = task
        self.line = line
        self.leaving = leaving
        self.moved = dict(task.moved)
        self.carried = dict(task.carried)
        self.routes: dict[Route, int] = {}

    def prepare(self) -> None:
        if self.line.target is None:
            self._check_staying()
        elif self.line.unit == "fleet":
            _check_sailing(self.resolution, self.task.nation, self.line.region, self.line.target)
        else:
            self._check_status(self.line.target)
            self._find_routes(self.line.target)

    def go(self) -> None:
        if self.line.target is None:
            self._stay()
        elif self.line.unit == "fleet":
            self._sail(self.line.target)
        else:
            self._march(self.line.target)

    # -- may it? ---

    def _check_staying(self) -> None:
        line, resolution = self.line, self.resolution
        if line.status is None and line.attack is None:
            raise Illegal("order.incomplete", space="maneuver", text=write_line(line))
        if line.status is None or (line.unit == "army" and not self._changing()):
            return
        if line.unit == "fleet" or not resolution.board.is_foreign(line.region, self.task.nation):
            raise Illegal("status.nowhere", region=line.region, unit=line.unit)
        if not resolution.edition.options.status_change:
            raise Illegal("status.fixed", region=line.region)
        if line.status == "hostile" and resolution.last_free_factory(line.region):
            raise Illegal("status.last_factory", region=line.region)

    def _changing(self) -> int:
        """How many of the units change their status where they stand."""
        return sum(count for status, count in self.leaving.items() if status != self.line.status)

    def _check_status(self, target: Region) -> None:
        """Hostile or friendly must be said on entering a foreign home province, but for R12."""
        resolution = self.resolution
        if self.line.status is not None or not resolution.board.is_foreign(target, self.task.nation):
            return
        if not resolution.last_free_factory(target):
            raise Illegal("status.missing", region=target, nation=resolution.board.places[target].nation)

    def _find_routes(self, target: Region) -> None:
        line, nation = self.line, self.task.nation
        for route in find_routes(self.resolution, nation, line.region, target, line.via, self.carried, line.count):
            for sea in route.seas:
                _add(self.carried, sea, 1)
            _add(self.routes, route, 1)

    # -- it does ---

    def _stay(self) -> None:
        line, nation = self.line, self.task.nation
        standing = self.leaving
        changing = self._changing() if line.status is not None else 0
        if line.status is not None and changing:
            self.resolution.emit(
                ev.StatusChanged(nation=nation, count=changing, region=line.region, status=line.status)
            )
            standing = {line.status: line.count}
        self._arrive(line.region, standing, asks=bool(changing) and line.status == "hostile")

    def _sail(self, target: Region) -> None:
        line, nation = self.line, self.task.nation
        self.resolution.emit(ev.FleetsMoved(nation=nation, count=line.count, origin=line.region, target=target))
        self._arrive(target, {None: line.count}, asks=True)

    def _march(self, target: Region) -> None:
        status, laid_down = self._status_at(target)
        queue = [(left, count) for left, count in self.leaving.items() if count]
        for route, count in self.routes.items():
            while count:
                left, here = queue.pop(0)
                step = min(here, count)
                self._step(route, step, left, target, status, laid_down)
                count -= step
                if here > step:
                    queue.insert(0, (left, here - step))
        self._arrive(target, {status: self.line.count}, asks=True)

    def _status_at(self, target: Region) -> tuple[Status | None, bool]:
        """The status of those who arrive, and whether they are laid down against their will (R12)."""
        if not self.resolution.board.is_foreign(target, self.task.nation):
            return None, False
        if self.resolution.last_free_factory(target):
            return "friendly", self.line.status != "friendly"
        return self.line.status, False

    def _step(
        self,
        route: Route,
        count: int,
        left: Status | None,
        target: Region,
        status: Status | None,
        laid_down: bool,
    ) -> None:
        self.resolution.emit(
            ev.ArmiesMoved(
                nation=self.task.nation,
                count=count,
                origin=self.line.region,
                left=left,
                target=target,
                status=status,
                laid_down=laid_down,
                embarked=None if route.embarked == self.line.region else route.embarked,
                seas=route.seas,
                landed=None if route.landed == target else route.landed,
                rail=route.rail,
            )
        )

    def _arrive(self, region: Region, movers: Mapping[Status | None, int], *, asks: bool) -> None:
        """The active nation's own attack, then the others' answers (R8)."""
        resolution, line, nation = self.resolution, self.line, self.task.nation
        if line.attack:
            lost = attack(resolution, nation, line, region, movers)
            movers = {status: count - lost[status] for status, count in movers.items() if count > lost[status]}
        for status, count in movers.items():
            _add(self.moved, pool(line.unit, region, status), count)
        task = replace(self.task, moved=self.moved, carried=self.carried)
        resolution.first(task)
        for status, count in movers.items():
            if asks:
                ask_others(resolution, task, line, region, status, count)


def _add(counts: dict[K, int], key: K, more: int) -> None:
    counts[key] = counts.get(key, 0) + more


def pool(unit: Unit, region: Region, status: Status | None) -> str:
    """Names the units of one kind that stand in one place in one way."""
    return f"{unit} {region} {status or ''}".strip()


def fresh(resolution: Resolution, task: Maneuver, unit: Unit, region: Region, status: Status | None) -> int:
    """How many of these have not taken their line yet; a fleet that has carried may not move (R15)."""
    state, nation = resolution.state, task.nation
    moved = task.moved.get(pool(unit, region, status), 0)
    if unit == "fleet":
        return at(state.fleets, region, nation) - max(moved, task.carried.get(region, 0))
    stacks = state.friendly if status == "friendly" else state.armies
    return at(stacks, region, nation) - moved


def statuses(resolution: Resolution, nation: Nation, region: Region) -> tuple[Status | None, ...]:
    """In which ways armies may stand there; the friendly leave first."""
    return ("friendly", "hostile") if resolution.board.is_foreign(region, nation) else (None,)


def _pick(resolution: Resolution, task: Maneuver, line: Line) -> Mapping[Status | None, int]:
    """Which units take the line, by status. Raises units.none, status.nowhere, unit.absent or unit.moved."""
    if line.count < 1:
        raise Illegal("units.none", unit=line.unit, region=line.region)
    wanted = _wanted(resolution, task.nation, line)
    chosen: dict[Status | None, int] = {}
    need = line.count
    for status in wanted:
        here = min(need, fresh(resolution, task, line.unit, line.region, status))
        if here > 0:
            chosen[status] = here
            need -= here
    if need:
        _refuse_missing(resolution, task, line, wanted)
    return chosen


def _wanted(resolution: Resolution, nation: Nation, line: Line) -> tuple[Status | None, ...]:
    if line.unit == "fleet":
        return (None,)
    standing = statuses(resolution, nation, line.region)
    if line.leaving is not None and line.leaving not in standing:
        raise Illegal("status.nowhere", region=line.region, unit=line.unit)
    if line.leaving is not None:
        return (line.leaving,)
    if line.target is None and line.status is not None and len(standing) > 1:
        return _changing_first(line)
    return standing


def _changing_first(line: Line) -> tuple[Status | None, ...]:
    """A change takes those who stand otherwise; with an attack, those who stand so already will do."""
    other: Status = "friendly" if line.status == "hostile" else "hostile"
    return (other, line.status) if line.attack else (other,)


def _refuse_missing(resolution: Resolution, task: Maneuver, line: Line, wanted: tuple[Status | None, ...]) -> None:
    there = at(resolution.state.fleets, line.region, task.nation)
    if line.unit == "army":
        stacks = [resolution.state.friendly if s == "friendly" else resolution.state.armies for s in wanted]
        there = sum(at(stack, line.region, task.nation) for stack in stacks)
    facts = {
        "unit": line.unit,
        "region": line.region,
        "nation": task.nation,
        "count": line.count,
        "has": there,
    }
    raise Illegal("unit.moved" if there >= line.count else "unit.absent", **facts)


def _check_sailing(resolution: Resolution, nation: Nation, origin: Region, target: Region) -> None:
    place = resolution.board.places[origin]
    reachable = (place.port,) if place.kind == "home" else resolution.board.seas_beside[origin]
    if target not in reachable:
        reaches = tuple(sea for sea in reachable if sea)
        raise Illegal("move.not_adjacent", unit="fleet", region=origin, target=target, nation=nation, reaches=reaches)


def _can_move(resolution: Resolution, task: Maneuver) -> bool:
    """Has the nation a unit that has not moved?"""
    state, nation = resolution.state, task.nation
    if any(fresh(resolution, task, "fleet", r, None) > 0 for r in state.fleets if nation in state.fleets[r]):
        return True
    places = [r for r in {**state.armies, **state.friendly} if state.armies_at(r, nation)]
    return any(
        fresh(resolution, task, "army", r, status) > 0 for r in places for status in statuses(resolution, nation, r)
    )


# -- after the last line ---


def _finish(resolution: Resolution, task: Maneuver) -> None:
    for region in task.destroy:
        _destroy(resolution, task.nation, region)
    place_flags(resolution, task.nation)


def _destroy(resolution: Resolution, nation: Nation, region: Region) -> None:
    try:
        owner = _check_destroy(resolution, nation, region)
    except Illegal as refusal:
        if resolution.strict:
            raise
        text = write_line(Destroy(region=region))
        resolution.emit(ev.LineDropped(nation=nation, text=text, code=refusal.code))
        return
    armies = resolution.edition.destroyers
    resolution.emit(ev.FactoryDestroyed(nation=nation, region=region, owner=owner, armies=armies))


def _check_destroy(resolution: Resolution, nation: Nation, region: Region) -> Nation:
    """Whose factory three armies may destroy here (R13)."""
    owner = resolution.board.places[region].nation
    if owner is None or owner == nation or region not in resolution.state.factories:
        raise Illegal("destroy.no_factory", region=region, nation=nation)
    if resolution.last_free_factory(region):
        raise Illegal("destroy.last_factory", region=region, nation=owner)
    if resolution.state.units_at(region, owner):
        raise Illegal("destroy.defended", region=region, nation=owner)
    armies = at(resolution.state.armies, region, nation)
    if armies < resolution.edition.destroyers:
        raise Illegal("destroy.too_few", region=region, needs=resolution.edition.destroyers, has=armies)
    return owner
