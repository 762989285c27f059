"""Which units take a line of a maneuver, and what they must keep to before they go (R8 to R12, R15)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final, Protocol

from pbem.core.refusal import Illegal
from pbem.games.imperial.notation.write import write_line
from pbem.games.imperial.rules.battle import attack_refusal
from pbem.games.imperial.rules.board import Board
from pbem.games.imperial.rules.orders import Line, Status
from pbem.games.imperial.rules.places import Nation, Region, Unit
from pbem.games.imperial.rules.resolution import Resolution
from pbem.games.imperial.rules.stacks import Stacks, at
from pbem.games.imperial.rules.state import Maneuver, State, Task

Counts = Mapping[Status | None, int]
_ANY: Final[tuple[Status | None, ...]] = (None,)
_BOTH: Final[tuple[Status | None, ...]] = ("friendly", "hostile")


class Taken(Protocol):
    """Who has taken their line in a maneuver."""

    @property
    def moved(self) -> Mapping[str, int]: ...
    @property
    def carried(self) -> Mapping[Region, int]: ...


def pool(unit: Unit, region: Region, status: Status | None) -> str:
    """Names the units of one kind that stand in one place in one way."""
    return f"{unit} {region}" if status is None else f"{unit} {region} {status}"


def fresh(state: State, nation: Nation, unit: Unit, region: Region, status: Status | None, task: Taken) -> int:
    """How many of these have not taken their line yet; a fleet that has carried may not move (R15)."""
    stacks = state.fleets if unit == "fleet" else state.friendly if status == "friendly" else state.armies
    stack = stacks.get(region)
    if stack is None or nation not in stack:
        return 0
    gone = task.moved.get(pool(unit, region, status), 0) if task.moved else 0
    if unit == "fleet" and task.carried:
        gone = max(gone, task.carried.get(region, 0))
    return stack[nation] - gone


def statuses(resolution: Resolution, nation: Nation, region: Region) -> tuple[Status | None, ...]:
    """In which ways armies may stand there; the friendly leave first."""
    home = resolution.board.home_of[region]
    return _ANY if home is None or home == nation else _BOTH


def waiting(resolution: Resolution, task: Maneuver) -> Iterator[tuple[Unit, Region, Status | None, int]]:
    """The units in each place that have not taken their line, fleets first: so many.

    Armies that stand in both ways in one place are parted by status; of others it is not told.
    """
    board, state, nation = resolution.board, resolution.state, task.nation
    for region in _places(board, nation, state.fleets):
        count = fresh(state, nation, "fleet", region, None, task)
        if count > 0:
            yield "fleet", region, None, count
    for region in _places(board, nation, state.armies, state.friendly):
        found: list[tuple[Status | None, int]] = []
        for way in statuses(resolution, nation, region):
            count = fresh(state, nation, "army", region, way, task)
            if count > 0:
                found.append((way, count))
        for way, count in found:
            yield "army", region, way if len(found) > 1 else None, count


def _places(board: Board, nation: Nation, *stacks: Stacks) -> Sequence[Region]:
    """Where units of the nation stand, in the board's order."""
    regions: list[Region] = []
    for each in stacks:
        for region, stack in each.items():
            if nation in stack:
                regions.append(region)
    return board.sorted({*regions}) if len(regions) > 1 else regions


# -- those who go ---


def pick(resolution: Resolution, nation: Nation, line: Line, task: Taken) -> Counts:
    """Which units take the line, by status. Raises units.none, status.nowhere, unit.absent or unit.moved."""
    state, need, unit, region = resolution.state, line.count, line.unit, line.region
    if need < 1:
        raise Illegal("units.none", unit=unit, region=region)
    wanted = _wanted(resolution, nation, line)
    chosen: dict[Status | None, int] = {}
    for status in wanted:
        here = fresh(state, nation, unit, region, status, task)
        if here >= need:
            chosen[status] = need
            return chosen
        if here > 0:
            chosen[status] = here
            need -= here
    raise _missing(resolution, nation, line, wanted)


def _wanted(resolution: Resolution, nation: Nation, line: Line) -> tuple[Status | None, ...]:
    if line.unit == "fleet":
        return _ANY
    standing = statuses(resolution, nation, line.region)
    if line.leaving is not None:
        if line.leaving not in standing:
            raise Illegal("status.nowhere", region=line.region, unit=line.unit)
        return (line.leaving,)
    if line.target is None and line.status is not None and len(standing) > 1:
        return _changing_first(line)
    return standing


def _changing_first(line: Line) -> tuple[Status | None, ...]:
    """A change takes those who stand otherwise; with an attack, those who stand so already will do."""
    other: Status = "friendly" if line.status == "hostile" else "hostile"
    return (other, line.status) if line.attack else (other,)


def _missing(resolution: Resolution, nation: Nation, line: Line, wanted: tuple[Status | None, ...]) -> Illegal:
    there = at(resolution.state.fleets, line.region, nation)
    if line.unit == "army":
        stacks = [resolution.state.friendly if s == "friendly" else resolution.state.armies for s in wanted]
        there = sum(at(stack, line.region, nation) for stack in stacks)
    facts = {"unit": line.unit, "region": line.region, "nation": nation, "count": line.count, "has": there}
    return Illegal("unit.moved" if there >= line.count else "unit.absent", **facts)


# -- may they? ---


def is_plain(resolution: Resolution, task: Task) -> bool:
    """Can no line be refused, if every other government answers peace? Of others it must be tried out.

    Only those are looked at whose course nothing can alter: fresh units that go to sea, or by land, and no two of which
    attack in the same place.
    """
    assert isinstance(task, Maneuver), "only a maneuver is rehearsed"
    board, nation, railway = resolution.board, task.nation, resolution.railway(task.nation)
    left: dict[tuple[Unit, Region], int] = {}
    attacked: set[Region] = set()
    for line in task.lines:
        unit, origin, target = line.unit, line.region, line.target
        if target is None or line.count < 1:
            return False
        if unit == "fleet":
            is_way = target in board.sails[origin]
        else:
            is_way = line.via is None and line.leaving is None and railway.route(origin, target) is not None
            is_way = is_way and (line.status is not None or not board.is_foreign(target, nation))
        if (unit, origin) not in left:
            left[unit, origin] = _all_fresh(resolution, nation, unit, origin, task)
        left[unit, origin] -= line.count
        if not is_way or left[unit, origin] < 0:
            return False
        if line.attack is not None:
            if target in attacked or attack_refusal(resolution, nation, line):
                return False
            attacked.add(target)
    return not task.destroy


def _all_fresh(resolution: Resolution, nation: Nation, unit: Unit, region: Region, task: Taken) -> int:
    """How many units there have not taken their line yet, however they stand."""
    units = 0
    for way in _ANY if unit == "fleet" else statuses(resolution, nation, region):
        units += max(0, fresh(resolution.state, nation, unit, region, way, task))
    return units


def check_staying(resolution: Resolution, nation: Nation, line: Line, leaving: Counts) -> None:
    """Raises order.incomplete, status.nowhere, status.fixed or status.last_factory."""
    if line.status is None and line.attack is None:
        raise Illegal("order.incomplete", space="maneuver", text=write_line(line))
    if line.status is None or (line.unit == "army" and {*leaving} == {line.status}):
        return
    if line.unit == "fleet" or not resolution.board.is_foreign(line.region, nation):
        raise Illegal("status.nowhere", region=line.region, unit=line.unit)
    if not resolution.edition.options.status_change:
        raise Illegal("status.fixed", region=line.region)
    if line.status == "hostile" and resolution.last_free_factory(line.region):
        raise Illegal("status.last_factory", region=line.region)


def status_there(resolution: Resolution, nation: Nation, line: Line, target: Region) -> Status | None:
    """As what armies enter; against their will friendly where the last free factory is (R12). Raises status.missing."""
    home = resolution.board.home_of[target]
    if home is None or home == nation:
        return None
    if resolution.last_free_factory(target):
        return "friendly"
    if line.status is None:
        raise Illegal("status.missing", region=target, nation=home)
    return line.status


def check_sailing(resolution: Resolution, nation: Nation, origin: Region, target: Region) -> None:
    """Raises move.not_adjacent."""
    reaches = resolution.board.sails[origin]
    if target not in reaches:
        raise Illegal("move.not_adjacent", unit="fleet", region=origin, target=target, nation=nation, reaches=reaches)
