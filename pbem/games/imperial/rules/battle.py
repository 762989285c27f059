"""Battles: one unit against one, when either side wants it (new edition, Fleets and Battles; R8 to R10)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from msgspec.structs import replace

from pbem.core.refusal import Illegal
from pbem.games.imperial.rules import events as ev
from pbem.games.imperial.rules.orders import Fight, Line, Status
from pbem.games.imperial.rules.places import Nation, Region, Unit
from pbem.games.imperial.rules.position import armies_at, clockwise, present_at
from pbem.games.imperial.rules.resolution import Resolution
from pbem.games.imperial.rules.stacks import at
from pbem.games.imperial.rules.state import AwaitBattle, Maneuver, Reply, State

# -- the active nation attacks ---


def attack_refusal(resolution: Resolution, nation: Nation, line: Line) -> Illegal | None:
    """Why the line's own attack can't be made, attack.no_target or attack.which; None when it can, or there is none."""
    if line.attack is None:
        return None
    region = line.target or line.region
    armies, fleets = targets(resolution, line.unit, region, line.attack)
    if line.attack == nation or not _counted(armies, fleets, line.attack_unit):
        return Illegal("attack.no_target", region=region, target=line.attack, unit=line.attack_unit)
    if armies and fleets and line.attack_unit is None:
        return Illegal("attack.which", region=region, target=line.attack)
    return None


def check_attack(resolution: Resolution, nation: Nation, line: Line) -> None:
    """Raises attack.no_target or attack.which."""
    refusal = attack_refusal(resolution, nation, line)
    if refusal is not None:
        raise refusal


def attack(
    resolution: Resolution, nation: Nation, line: Line, region: Region, movers: Mapping[Status | None, int]
) -> Counter[Status | None]:
    """Each mover fights while there is a target, the friendly first; how many were lost, by status."""
    assert line.attack is not None, "no attack was ordered"
    lost: Counter[Status | None] = Counter()
    for status, count in movers.items():
        armies, fleets = targets(resolution, line.unit, region, line.attack)
        unit: Unit = line.attack_unit or ("army" if armies else "fleet")
        pairs = min(count, armies if unit == "army" else fleets)
        if pairs:
            _Battle(resolution, nation, line.unit, region, status).match(line.attack, unit, pairs, by=nation)
            lost[status] = pairs
    return lost


def targets(resolution: Resolution, unit: Unit, region: Region, foe: Nation) -> tuple[int, int]:
    """Armies and fleets of a nation that such a unit can fight there; in harbour only army against fleet."""
    armies, fleets = armies_at(resolution.state, region, foe), at(resolution.state.fleets, region, foe)
    in_harbour = unit == "fleet" and not resolution.board.is_sea(region)
    return (armies, 0) if in_harbour else (armies, fleets)


def able_to_fight(state: State, question: AwaitBattle, nation: Nation, unit: Unit | None) -> int:
    """How many units of a nation that is asked can fight, of one kind or of both."""
    armies, fleets = armies_at(state, question.region, nation), at(state.fleets, question.region, nation)
    return _counted(armies, fleets, unit)


def _counted(armies: int, fleets: int, unit: Unit | None) -> int:
    if unit is None:
        return armies + fleets
    return armies if unit == "army" else fleets


class _Battle:
    """The movers in one place, and those they are matched with."""

    def __init__(
        self, resolution: Resolution, nation: Nation, unit: Unit, region: Region, status: Status | None
    ) -> None:
        self.resolution = resolution
        self.nation = nation
        self.unit = unit
        self.region = region
        self.status = status

    def match(self, foe: Nation, foe_unit: Unit, pairs: int, *, by: Nation) -> None:
        lying = at(self.resolution.state.friendly, self.region, foe) if foe_unit == "army" else 0
        self.resolution.emit(
            ev.BattleFought(
                region=self.region,
                nation=self.nation,
                unit=self.unit,
                status=self.status,
                foe=foe,
                foe_unit=foe_unit,
                foe_friendly=min(pairs, lying),
                pairs=pairs,
                by=by,
            )
        )


# -- the others are asked ---


def question(
    resolution: Resolution, task: Maneuver, line: Line, region: Region, status: Status | None, movers: int
) -> AwaitBattle | None:
    """The question to every other government with units there (R8, R9); None where nobody is who could fight."""
    asked, first = _others(resolution, task.nation, line.unit, region), line.ask
    if not asked:
        return None
    if first:
        asked = [*(nation for nation in first if nation in asked), *(n for n in asked if n not in first)]
    return AwaitBattle(
        nation=task.nation,
        unit=line.unit,
        region=region,
        status=status,
        movers=movers,
        asked=tuple(asked),
        replies=_known(task, region, asked) if task.every else {},
    )


def _others(resolution: Resolution, nation: Nation, unit: Unit, region: Region) -> list[Nation]:
    """Nations that could fight, clockwise from the active player, one player's in turn order."""
    state = resolution.state
    present, government = present_at(state, region), state.government
    present.discard(nation)
    able: list[Nation] = []
    for foe in resolution.board.nations:
        if foe in present and any(targets(resolution, unit, region, foe)):
            able.append(foe)
    active = government[nation]
    assert active is not None, "a vacant nation does not move"
    if len(able) == 1:
        return able if government[able[0]] not in (None, active) else []
    return [n for seat in clockwise(state, active)[1:] for n in able if government[n] == seat]


def _known(task: Maneuver, region: Region, asked: Sequence[Nation]) -> dict[Nation, Reply]:
    """Who has said before that they fight every mover."""
    named = {nation: f"{nation}@{region}" for nation in asked}
    return {n: Reply(pairs=-1, unit=task.every[k]) for n, k in named.items() if k in task.every}


def unanswered(question: AwaitBattle) -> tuple[Nation, ...]:
    replies = question.replies
    if not replies:
        return question.asked
    return tuple([nation for nation in question.asked if nation not in replies])


def check_fight(resolution: Resolution, question: AwaitBattle, nation: Nation, fight: Fight) -> None:
    """Raises units.none, attack.no_target or units.short."""
    if fight.pairs is not None and fight.pairs < 1:
        raise Illegal("units.none", unit=fight.unit, region=question.region)
    able = able_to_fight(resolution.state, question, nation, fight.unit)
    facts = {"region": question.region, "nation": nation, "unit": fight.unit}
    if not able:
        raise Illegal("attack.no_target", target=nation, region=question.region, unit=fight.unit)
    if fight.pairs is not None and fight.pairs > min(able, question.movers):
        raise Illegal("units.short", needs=fight.pairs, has=min(able, question.movers), **facts)


def reply(resolution: Resolution, question: AwaitBattle, nation: Nation, answer: Reply) -> None:
    """Keep a government's answer, in place of the question on the agenda."""
    seat = resolution.state.government[nation]
    assert seat is not None, "a vacant nation is not asked"
    resolution.emit(ev.BattleAnswered(seat=seat, nation=nation, fights=answer.pairs != 0))
    resolution.agenda[0] = replace(question, replies={**question.replies, nation: answer})


def fight_every(resolution: Resolution, question: AwaitBattle, nation: Nation, unit: Unit | None) -> None:
    """This nation fights every mover there for the rest of the maneuver."""
    task = resolution.agenda[1]
    assert isinstance(task, Maneuver), "a battle is asked within a maneuver"
    every = {**task.every, f"{nation}@{question.region}": unit}
    resolution.agenda[1] = replace(task, every=every)


def carry_out(resolution: Resolution, question: AwaitBattle) -> None:
    """All have answered: match the pairs in the order asked, while movers stand."""
    movers = question.movers
    for nation in question.asked:
        movers -= _carry_out_one(resolution, question, nation, movers)
    if movers < question.movers:
        _forget_lost(resolution, question, question.movers - movers)


def _carry_out_one(resolution: Resolution, question: AwaitBattle, nation: Nation, movers: int) -> int:
    answer = question.replies[nation]
    wanted = movers if answer.pairs < 0 else min(answer.pairs, movers)
    if not wanted:
        return 0
    armies, fleets = targets(resolution, question.unit, question.region, nation)
    order: tuple[tuple[Unit, int], ...] = (("army", armies), ("fleet", fleets))
    battle = _Battle(resolution, question.nation, question.unit, question.region, question.status)
    fought = 0
    for unit, there in order:
        pairs = min(wanted - fought, there) if answer.unit in (None, unit) else 0
        if pairs > 0:
            battle.match(nation, unit, pairs, by=nation)
            fought += pairs
    return fought


def _forget_lost(resolution: Resolution, question: AwaitBattle, lost: int) -> None:
    """The lost movers had taken their line; they no longer count among those who have."""
    task = resolution.agenda[0]
    assert isinstance(task, Maneuver), "a battle is asked within a maneuver"
    key = f"{question.unit} {question.region} {question.status or ''}".strip()
    moved = {**task.moved, key: task.moved.get(key, 0) - lost}
    resolution.agenda[0] = replace(task, moved={k: n for k, n in moved.items() if n > 0})
