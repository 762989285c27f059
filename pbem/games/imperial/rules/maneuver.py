"""Maneuver: fleets, then armies, then destruction, then flags (new edition, Maneuver; R8 to R17)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from msgspec.structs import replace

from pbem.core.refusal import Illegal
from pbem.games.imperial.notation.write import write_line
from pbem.games.imperial.rules import events as ev
from pbem.games.imperial.rules.battle import attack, check_attack, question
from pbem.games.imperial.rules.board import Railway
from pbem.games.imperial.rules.flags import place_flags
from pbem.games.imperial.rules.movers import check_sailing, check_staying, is_plain, pick, pool, status_there, waiting
from pbem.games.imperial.rules.orders import Destroy, Line, Move, Status
from pbem.games.imperial.rules.places import Nation, Region, Route
from pbem.games.imperial.rules.position import units_at
from pbem.games.imperial.rules.resolution import Resolution
from pbem.games.imperial.rules.routes import find_routes
from pbem.games.imperial.rules.stacks import at
from pbem.games.imperial.rules.state import AwaitBattle, Maneuver

_Company = tuple[Route, Mapping[Status | None, int]]  # armies that take the same way: so many, as what they leave


def plan(task: Maneuver, move: Move) -> Maneuver:
    """The maneuver with these lines to carry out: all fleet lines before all army lines."""
    fleets: list[Line] = []
    armies: list[Line] = []
    destroy = [*task.destroy]
    for line in move.lines:
        if not isinstance(line, Line):
            destroy.append(line.region)
        elif line.unit == "fleet":
            fleets.append(line)
        else:
            armies.append(line)
    both = tuple(dict.fromkeys(destroy))
    return replace(task, lines=(*fleets, *armies), destroy=both, open=False, failed=False)


def begin(resolution: Resolution, nation: Nation, move: Move) -> None:
    """Carry out what can be; what can't any more its government is asked about."""
    resolution.first(plan(Maneuver(nation=nation), move))


def begin_whole(resolution: Resolution, nation: Nation, move: Move) -> None:
    """It is carried out up to the first battle question, and all of it if every other government answers peace.

    Raises `Illegal`, and then the resolution is of no more use.
    """
    before, resolution.strict = resolution.agenda, True
    resolution.agenda = []
    go_on(resolution, plan(Maneuver(nation=nation), move))
    if resolution.agenda and not is_plain(resolution, resolution.agenda[-1]):
        rehearse(resolution.fork())
    resolution.agenda += before
    resolution.strict = False


def rehearse(trial: Resolution) -> None:
    """Run the strict maneuvers on the agenda to their end; nobody is awaited in them. Raises `Illegal`."""
    while trial.agenda:
        task = trial.agenda.pop(0)
        if isinstance(task, Maneuver):
            go_on(trial, task)


def go_on(resolution: Resolution, task: Maneuver) -> None:
    """Carry out the lines up to the next battle question; after the last one wait for what failed, or finish."""
    march = _March(resolution, task)
    for place, line in enumerate(task.lines, 1):
        questions = march.carry_out(line)
        if questions:
            resolution.first(*questions, march.task(task.lines[place:]))
            return
    done = march.task(())
    if march.failed and _can_move(resolution, done):
        resolution.first(replace(done, open=True))
    else:
        _finish(resolution, task)


class _March:
    """A maneuver under way."""

    def __init__(self, resolution: Resolution, task: Maneuver) -> None:
        self.resolution = resolution
        self.before = task
        self.nation = task.nation
        self.moved = {**task.moved}
        self.carried = {**task.carried}
        self.railway: Railway | None = None  # as it is until somebody has fought
        self.failed = task.failed

    def task(self, lines: tuple[Line, ...]) -> Maneuver:
        """What is left of it, with so many lines."""
        return replace(self.before, lines=lines, moved=self.moved, carried=self.carried, failed=self.failed)

    def carry_out(self, line: Line) -> Sequence[AwaitBattle]:
        """The battle questions that come up, the last one first; a line that can't be carried out is dropped."""
        resolution, nation, target = self.resolution, self.nation, line.target
        companies: Sequence[_Company] = ()
        try:
            leaving = pick(resolution, nation, line, self)
            if line.attack is not None:
                check_attack(resolution, nation, line)
            if target is None:
                check_staying(resolution, nation, line, leaving)
            elif line.unit == "fleet":
                check_sailing(resolution, nation, line.region, target)
            else:
                status = status_there(resolution, nation, line, target)
                companies = self._companies(line, target, leaving)
        except Illegal as refusal:
            if resolution.strict:
                raise
            resolution.emit(ev.LineDropped(nation=nation, text=write_line(line), code=refusal.code))
            self.failed = True
            return ()
        if target is None:
            return self._stay(line, leaving)
        if companies:
            return self._march(line, target, companies, status)
        resolution.emit(ev.FleetsMoved(nation=nation, count=line.count, origin=line.region, target=target))
        return self._arrive(line, target, leaving)

    def _companies(self, line: Line, target: Region, leaving: Mapping[Status | None, int]) -> Sequence[_Company]:
        """By land all go the same way."""
        if line.via is None:
            self.railway = self.railway or self.resolution.railway(self.nation)
            route = self.railway.route(line.region, target)
            if route is not None:
                return [(route, leaving)]
        routes = find_routes(self.resolution, self.nation, line.region, target, line.via, self.carried, line.count)
        return _aboard(routes, leaving)

    def _stay(self, line: Line, leaving: Mapping[Status | None, int]) -> Sequence[AwaitBattle]:
        changing = 0
        if line.status is not None:
            changing = sum(count for status, count in leaving.items() if status != line.status)
        if line.status is not None and changing:
            self.resolution.emit(
                ev.StatusChanged(nation=self.nation, count=changing, region=line.region, status=line.status)
            )
            leaving = {line.status: line.count}
        if changing and line.status == "hostile":
            return self._arrive(line, line.region, leaving)
        self._count(line, line.region, self._fight(line, line.region, leaving))
        return ()

    def _march(
        self, line: Line, target: Region, companies: Sequence[_Company], status: Status | None
    ) -> Sequence[AwaitBattle]:
        origin, laid_down = line.region, status == "friendly" != line.status
        for route, leaving in companies:
            seas, embarked, landed = route.seas, route.embarked, route.landed
            for left, count in leaving.items():
                for sea in seas:
                    self.carried[sea] = self.carried.get(sea, 0) + count
                self.resolution.emit(
                    ev.ArmiesMoved(
                        nation=self.nation,
                        count=count,
                        origin=origin,
                        left=left,
                        target=target,
                        status=status,
                        laid_down=laid_down,
                        embarked=None if embarked == origin else embarked,
                        seas=seas,
                        landed=None if landed == target else landed,
                        rail=route.rail,
                    )
                )
        return self._arrive(line, target, {status: line.count})

    def _arrive(self, line: Line, region: Region, movers: Mapping[Status | None, int]) -> Sequence[AwaitBattle]:
        """The active nation's own attack, then the others are asked (R8)."""
        if line.attack is not None:
            movers = self._fight(line, region, movers)
        self._count(line, region, movers)
        if not self.resolution.others_at(region, self.nation):
            return ()
        asked: list[AwaitBattle] = []
        for status, count in movers.items():
            battle = question(self.resolution, self.before, line, region, status, count)
            if battle is not None:
                asked.insert(0, battle)
        return asked

    def _fight(self, line: Line, region: Region, movers: Mapping[Status | None, int]) -> Mapping[Status | None, int]:
        """The own attack, and who is left of the movers."""
        if line.attack is None:
            return movers
        lost = attack(self.resolution, self.nation, line, region, movers)
        self.railway = None  # perhaps it is rid of its occupiers
        return {status: count - lost[status] for status, count in movers.items() if count > lost[status]}

    def _count(self, line: Line, region: Region, movers: Mapping[Status | None, int]) -> None:
        """They have taken their line."""
        for status, count in movers.items():
            name = pool(line.unit, region, status)
            self.moved[name] = self.moved.get(name, 0) + count


def _aboard(routes: Sequence[Route], leaving: Mapping[Status | None, int]) -> list[_Company]:
    """Who takes which route."""
    found: list[_Company] = []
    queue = [status for status, count in leaving.items() for _ in range(count)]
    for route, count in Counter(routes).items():
        here, queue = queue[:count], queue[count:]
        found.append((route, Counter(here)))
    return found


def _can_move(resolution: Resolution, task: Maneuver) -> bool:
    """Has the nation a unit that has not moved?"""
    return next(waiting(resolution, task), None) is not None


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
    owner = resolution.board.home_of[region]
    if owner is None or owner == nation or region not in resolution.state.factories:
        raise Illegal("destroy.no_factory", region=region, nation=nation)
    if resolution.last_free_factory(region):
        raise Illegal("destroy.last_factory", region=region, nation=owner)
    if units_at(resolution.state, region, owner):
        raise Illegal("destroy.defended", region=region, nation=owner)
    armies = at(resolution.state.armies, region, nation)
    if armies < resolution.edition.destroyers:
        raise Illegal("destroy.too_few", region=region, needs=resolution.edition.destroyers, has=armies)
    return owner
