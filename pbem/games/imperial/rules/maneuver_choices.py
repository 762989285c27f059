"""The lines that a maneuver offers, with all that they take from one another.

An army that goes overseas names the seas it is carried over: so each fleet is counted with whom it carries. What could
be refused because of another line, and no count tells when, is not offered: it can still be written.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence

from pbem.core.choice import Choice, Step
from pbem.games.imperial.rules import orders as od
from pbem.games.imperial.rules.battle import targets
from pbem.games.imperial.rules.movers import fresh, statuses, waiting
from pbem.games.imperial.rules.places import Nation, Region, Unit
from pbem.games.imperial.rules.position import units_at
from pbem.games.imperial.rules.possible import near
from pbem.games.imperial.rules.resolution import Resolution
from pbem.games.imperial.rules.routes import convoys, reach
from pbem.games.imperial.rules.stacks import at
from pbem.games.imperial.rules.state import Maneuver

_LINE = "\n  "
Takes = dict[str, int]


def lines(resolution: Resolution, task: Maneuver) -> Step:
    """The lines for the pieces that have not moved, fleets first, and for factories that could be destroyed."""
    return _Lines(resolution, task).step()


class _Lines:
    def __init__(self, resolution: Resolution, task: Maneuver) -> None:
        self.resolution, self.board, self.state = resolution, resolution.board, resolution.state
        self.task, self.nation = task, task.nation
        self.waiting = Counter[tuple[Unit, Region]]()
        for unit, region, _, count in waiting(resolution, task):
            self.waiting[unit, region] += count
        self.fleets = [region for unit, region in self.waiting if unit == "fleet"]
        self.armies = Counter({region: self._count("army", region) for unit, region in self.waiting if unit == "army"})
        self.by_land = {region: reach(resolution, task.nation, region) for region in self.armies}
        seas = self._open_seas()
        self.by_sea = {region: convoys(resolution, task.nation, region, seas) for region in self.armies}
        self.carrying = {s for ways in self.by_sea.values() for seas in ways.values() for way in seas for s in way}
        self.coming = Counter[Region]()
        for unit, region in self.waiting:
            self.coming.update(dict.fromkeys((region, *self._ends(unit, region)), self._count(unit, region)))
        self.safe = {region for region in self.board.places if self._may_be_hostile(region)}
        self.wanted = {region for region in self.state.factories if self._could_destroy(region)}
        self.room: Takes = {}

    def step(self) -> Step:
        fleets = [self._fleet(region) for region in self.fleets]
        armies = [choice for region in self.armies for choice in self._armies(region)]
        destroyed = [self._destroyed(region) for region in self.board.sorted(self.wanted)]
        of = tuple(one for one in (*fleets, *armies) if one.then[0].of) + tuple(destroyed)
        most = sum(one.times for one in of)
        return Step(of=of, least=0, most=most, room=self.room, before=_LINE, between=_LINE, none=" none")

    def _ends(self, unit: Unit, region: Region) -> Iterable[Region]:
        if unit == "fleet":
            return near(self.resolution, self.nation, unit, region)
        return self.board.sorted({*self.by_land[region], *self.by_sea[region]})

    def _count(self, unit: Unit, region: Region) -> int:
        return self.waiting[unit, region]

    # -- fleets ---

    def _open_seas(self) -> set[Region]:
        """Where a fleet that has not carried stands, or may sail before the armies move."""
        there = {end for region in self.fleets for end in near(self.resolution, self.nation, "fleet", region)}
        return there | {region for region in self.state.fleets if self._carriers(region)}

    def _carriers(self, region: Region) -> int:
        """The fleets that could carry an army if none of them moved."""
        if not self.board.is_sea(region):
            return 0
        return max(0, at(self.state.fleets, region, self.nation) - self.task.carried.get(region, 0))

    def _carry(self, region: Region, count: int = 1) -> Takes:
        """What somebody takes of the fleets of a sea."""
        return self._of(region, self._carriers(region), count) if region in self.carrying else {}

    def _fleet(self, region: Region) -> Choice:
        goes = [self._sailing(end) for end in self._ends("fleet", region)]
        stays = self._attacks("fleet", region, {})
        text, count = f"F {region}", self._count("fleet", region)
        then = (Step(of=(*goes, *stays)),)
        return Choice(text=text, key=text, at=region, times=count, takes=self._carry(region), then=then)

    def _sailing(self, end: Region) -> Choice:
        then = self._may_attack("fleet", end, self._carry(end))
        return Choice(text=f"- {end}", key=end, at=end, takes=self._carry(end, -1), then=then)

    # -- armies ---

    def _armies(self, region: Region) -> Iterator[Choice]:
        """Where they stand in both ways, each says which of them goes; a change or a fight takes the right one."""
        stacks, goes = self._fresh(region), tuple(self._going(region))
        if len(stacks) == 1:
            own = self._of_hostile(region) if "hostile" in stacks else {}
            stays = tuple(self._staying(region, dict.fromkeys(stacks, Takes())))
            yield self._army(f"A {region}", region, self.armies[region], own, (*goes, *stays))
            return
        pools = {status: self._of(f"A {region} {status}", count) for status, count in stacks.items()}
        pools["hostile"] |= self._of_hostile(region)
        for status, count in stacks.items():
            yield self._army(f"A {region} {status}", region, count, pools[status], goes)
        yield self._army(f"A {region}", region, self.armies[region], {}, tuple(self._staying(region, pools)))

    def _army(self, text: str, region: Region, count: int, takes: Takes, of: tuple[Choice, ...]) -> Choice:
        return Choice(text=text, key=text, at=region, times=count, takes=takes, then=(Step(of=of),))

    def _fresh(self, region: Region) -> Mapping[od.Status | None, int]:
        """Those that have not moved, in each way they stand."""
        ways = statuses(self.resolution, self.nation, region)
        counts = {status: fresh(self.state, self.nation, "army", region, status, self.task) for status in ways}
        return {status: count for status, count in counts.items() if count > 0}

    def _going(self, region: Region) -> Iterator[Choice]:
        for end in self._ends("army", region):
            carried = tuple(self._convoy(way) for way in self.by_sea[region].get(end, ()))
            via = (Step(of=carried, before=" via "),) if carried else ()
            yield Choice(text=f"- {end}", key=end, at=end, then=(*via, *self._entering(end)))

    def _convoy(self, way: Sequence[Region]) -> Choice:
        takes = {name: count for sea in way for name, count in self._carry(sea).items()}
        return Choice(text=" + ".join(way), key=" + ".join(way), takes=takes)

    def _entering(self, end: Region) -> tuple[Step, ...]:
        """As what it enters, and whom it fights there."""
        if not self.board.is_foreign(end, self.nation):
            return self._may_attack("army", end, {})
        lost, added = ({}, {}) if end not in self.safe else (self._of_hostile(end), self._of_hostile(end, -1))
        hostile = Choice(text="hostile", key="hostile", takes=added, then=self._may_attack("army", end, lost))
        friendly = Choice(text="friendly", key="friendly", then=self._may_attack("army", end, {}))
        return (Step(of=(hostile, friendly)),)

    def _staying(self, region: Region, pools: Mapping[od.Status | None, Takes]) -> Iterator[Choice]:
        """A change of status, or a fight where it stands, for which the friendly come first."""
        changes = self.resolution.edition.options.status_change
        if changes and "friendly" in pools and region in self.safe:
            takes = {**pools["friendly"], **self._of_hostile(region, -1)}
            yield Choice(text="hostile", key="hostile", at=region, takes=takes)
        if changes and "hostile" in pools:
            yield Choice(text="friendly", key="friendly", at=region, takes=pools["hostile"])
        yield from self._attacks("army", region, next(iter(pools.values())))

    # -- battles ---

    def _may_attack(self, unit: Unit, region: Region, lost: Takes) -> tuple[Step, ...]:
        attacks = tuple(self._attacks(unit, region, lost))
        return (Step(of=attacks, least=0),) if attacks else ()

    def _attacks(self, unit: Unit, region: Region, lost: Takes) -> Iterator[Choice]:
        """Each takes one of those who stand there; `lost` is what the attacker no longer does."""
        for foe in self.board.nations:
            counts = targets(self.resolution, unit, region, foe) if foe != self.nation else (0, 0)
            for kind, count in zip(("army", "fleet"), counts, strict=True):
                if count:
                    text = f"attack {foe} {kind}"
                    few = self._of(f"{kind} {foe} {region}", count) if count < self.coming[region] else {}
                    takes = {**lost, **few, **self._beaten(region, foe)}
                    yield Choice(text=text, key=text, takes=takes)

    # -- destruction ---

    def _destroyed(self, region: Region) -> Choice:
        takes = self._of_hostile(region, self.resolution.edition.destroyers)
        takes |= self._of(f"defended {region}", 0, self._defenders(region)) if self._defenders(region) else {}
        return Choice(text=f"destroy {region}", key=region, at=region, takes=takes)

    def _of_hostile(self, region: Region, count: int = 1) -> Takes:
        """What somebody takes of the armies that could destroy a factory there."""
        if region not in self.wanted:
            return {}
        return self._of(f"hostile {region}", at(self.state.armies, region, self.nation), count)

    def _beaten(self, region: Region, foe: Nation) -> Takes:
        """A factory is destroyed when none of its nation's units is left there."""
        defended = region in self.wanted and foe == self.board.places[region].nation
        return self._of(f"defended {region}", 0, -1) if defended else {}

    def _defenders(self, region: Region) -> int:
        owner = self.board.places[region].nation
        return units_at(self.state, region, owner) if owner else 0

    def _could_destroy(self, region: Region) -> bool:
        if not self.board.is_foreign(region, self.nation):
            return False
        enough = self.resolution.edition.destroyers
        there = at(self.state.armies, region, self.nation)
        moved = there - self._fresh(region).get("hostile", 0)
        all_ = self.coming[region] + moved if region in self.safe else there
        return all_ >= enough + self._defenders(region)

    def _may_be_hostile(self, region: Region) -> bool:
        """Whatever the others do, it won't be the last free factory of its nation (R12)."""
        owner = self.board.places[region].nation
        if owner is None or region not in self.state.factories:
            return True
        others = [r for r in self.resolution.free_factories(owner) if r != region]
        entered = [r for r in others if self.coming[r]]
        return len(others) > min(len(entered), self.armies.total() - 1)

    # -- what there is only so much of ---

    def _of(self, name: str, has: int, count: int = 1) -> Takes:
        self.room[name] = has
        return {name: count}
