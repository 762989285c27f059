"""What the engine looks up or leaves out is what it would find by trying: orders, ways, rehearsals, positions."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any, get_args

from hypothesis import given

from pbem.core.chance import NoLots
from pbem.core.decision import Answer, Decision
from pbem.core.log import fold, live, write
from pbem.core.refusal import Illegal
from pbem.games.imperial.rules import agenda, reducer
from pbem.games.imperial.rules import events as ev
from pbem.games.imperial.rules import orders as od
from pbem.games.imperial.rules.game import Imperial
from pbem.games.imperial.rules.legal import legal_orders
from pbem.games.imperial.rules.maneuver import plan, rehearse
from pbem.games.imperial.rules.movers import is_plain, waiting
from pbem.games.imperial.rules.places import SPACES, Nation, Region
from pbem.games.imperial.rules.resolution import Resolution
from pbem.games.imperial.rules.state import Maneuver, State, Task
from tests.rules.tables import Match, adjudicated, after, encoded, examples, fitting, matches, play


def course(game: Imperial, state: State) -> Resolution:
    return Resolution(game.board, game.edition, state)


def is_legal(game: Imperial, state: State, decision: Decision, order: od.Order) -> bool:
    try:
        game.check(state, Answer(seat=decision.seat, order=order, decision=decision))
    except Illegal:
        return False
    return True


def generated(game: Imperial, state: State, decision: Decision) -> list[od.Order]:
    return [*legal_orders(course(game, state), decision)]


# -- orders ---


@examples(4)
@given(match=matches())
def test_all_orders_that_are_made_are_legal(match: Match) -> None:
    for step in play(match, 40):
        for decision in match.game.pending(step.after):
            found = generated(match.game, step.after, decision)
            assert len({repr(order) for order in found}) == len(found)
            for order in found:
                assert is_legal(match.game, step.after, decision, order), order


@examples(4)
@given(match=matches())
def test_no_legal_order_is_left_out(match: Match) -> None:
    """Of all that could be written of those kinds, of maneuvers a sample: what is not made is refused."""
    rng, game = random.Random(match.seed), match.game
    for step in play(match, 40):
        for decision in game.pending(step.after):
            found = {*generated(game, step.after, decision)}
            for order in candidates(game, step.after, decision, rng):
                if order not in found:
                    assert not is_legal(game, step.after, decision, order), order


def candidates(game: Imperial, state: State, decision: Decision, rng: random.Random) -> Iterator[od.Order]:
    nation, prices = Nation(decision.about or ""), [*game.edition.bonds]
    match decision.kind:
        case "turn":
            begun = isinstance(state.agenda[0], Maneuver)
            for space in ["maneuver"] if begun else SPACES:
                yield from (od.Turn(nation=nation, space=space, work=w) for w in works(game, state, nation, space, rng))
        case "invest":
            yield from (
                od.Invest(choices=(od.Purchase(nation=lent_to, price=price, back=back),))
                for lent_to in game.board.nations
                for price in prices
                for back in (None, *prices)
            )
        case "bid":
            yield from (od.Bid(nation=nation, price=price) for price in prices)
        case "battle" if len([each for each in game.pending(state) if each.seat == decision.seat]) == 1:
            yield from (od.Fight(pairs=pairs) for pairs in range(1, 12))
        case _:
            return


def works(game: Imperial, state: State, nation: Nation, space: str, rng: random.Random) -> Iterator[od.Work | None]:
    regions = [*game.board.places]
    match space.rstrip("_12"):
        case "factory":
            yield from (od.Build(region=region) for region in regions)
        case "import":
            units = [(unit, region, count) for unit in ("army", "fleet") for region in regions for count in (1, 2, 3)]
            yield from (od.Buy(units=(od.Units(unit=u, region=r, count=c),)) for u, r, c in units)  # type: ignore[arg-type]
        case "maneuver":
            possible = [*every_line(game, state, nation)]
            yield from (od.Move(lines=(line,)) for line in rng.sample(possible, min(len(possible), 60)))
        case _:
            yield None


def every_line(game: Imperial, state: State, nation: Nation) -> Iterator[od.Line]:
    """One unit to anywhere, as what it can be there, fighting anybody or nobody."""
    table, task = course(game, state), state.agenda[0]
    begun = task if isinstance(task, Maneuver) else Maneuver(nation=nation)
    foes: list[tuple[Any, Any]] = [(None, None), *((n, u) for n in game.board.nations for u in ("army", "fleet"))]
    for unit, region, leaving, _ in waiting(table, begun):
        for target in (*game.board.places, None):
            ways: list[Any] = [None]
            if unit == "army" and target is not None and game.board.is_foreign(target, nation):
                ways = [None, "friendly"] if table.last_free_factory(target) else [None, "hostile", "friendly"]
                ways = ways[1:] if table.last_free_factory(target) else ways  # there it need not be said
            for status in ways:
                for foe, kind in foes:
                    line = od.Line(unit=unit, region=region, leaving=leaving, target=target, status=status)
                    yield line if foe is None else with_attack(line, foe, kind)


def with_attack(line: od.Line, foe: Nation, kind: Any) -> od.Line:
    return od.Line(
        unit=line.unit,
        region=line.region,
        leaving=line.leaving,
        target=line.target,
        status=line.status,
        attack=foe,
        attack_unit=kind,
    )


# -- ways ---


@examples(5)
@given(match=matches(crowded=True))
def test_railways_are_those_that_a_walk_over_the_board_finds(match: Match) -> None:
    """Each net by walking, each way over land by comparing all pairs of its ends."""
    game = match.game
    for step in [*play(match, 36)][::9]:
        table = course(game, step.after)
        for nation in game.board.nations:
            railway = table.railway(nation)
            nets = {region: walked(game, step.after, nation, region) for region in game.board.lands}
            for origin, starts in nets.items():
                assert {*railway.net(origin)} == starts
                beside = {near for start in starts for near in (start, *game.board.land_beside[start])}
                assert {*railway.near(origin)} == (beside & game.board.lands) - {origin}
                for target, ends in nets.items():
                    joined = bool(ends & {near for start in starts for near in game.board.land_beside[start]})
                    route = railway.route(origin, target)
                    assert (route is not None) == (origin != target and (target in starts or joined))
                    assert route is None or route.rail == (target in starts)


def walked(game: Imperial, state: State, nation: Nation, region: Region) -> set[Region]:
    def runs(place: Region) -> bool:
        return game.board.places[place].nation == nation and {*state.armies.get(place, ())} <= {nation}

    net, new = {region}, {region} if runs(region) else set()
    while new:
        new = {near for place in new for near in game.board.beside[place] if runs(near)} - net
        net |= new
    return net


# -- what is not rehearsed ---


@examples(10)
@given(match=matches())
def test_what_is_not_rehearsed_would_pass(match: Match) -> None:
    rng, game = random.Random(match.seed), match.game
    for step in play(match, 60):
        for decision in game.pending(step.after):
            nation = Nation(decision.about or "")
            order = fitting(game, step.after, decision, rng)
            if decision.kind != "turn" or not isinstance(order, od.Turn) or not isinstance(order.work, od.Move):
                continue
            trial = course(game, step.after)
            trial.strict, trial.agenda = True, [plan(Maneuver(nation=nation), order.work)]
            if is_plain(trial, trial.agenda[0]):
                rehearse(trial)


# -- positions ---


@examples(6)
@given(match=matches())
def test_the_position_after_is_the_fold_of_what_is_told(match: Match) -> None:
    for step in play(match, 80):
        for decision in match.game.pending(step.before)[:1]:
            if decision == step.decision:
                answers = [Answer(seat=decision.seat, order=step.order, decision=decision)]
                resolved = match.game.resolve(step.before, answers, NoLots())
                assert after(match.game, step.before, resolved.events) == resolved.state == step.after


@examples(3)
@given(match=matches())
def test_a_log_is_folded_from_what_happened_alone(match: Match) -> None:
    game, record, session = adjudicated(match, 60)
    raws = [write(entry) for entry in record.entries]
    whole = [game.decoder().decode(raw) for raw in raws]
    short = [game.happened().decode(raw) for raw in raws]
    assert [each.seq for each in live(short)] == [each.seq for each in live(whole)]
    blank = game.blank(match.setup)
    assert encoded(fold(blank, short, game.apply)) == encoded(fold(blank, whole, game.apply)) == encoded(session.state)


def test_every_event_and_every_task_has_its_function() -> None:
    assert {*reducer.REDUCERS} == {*get_args(ev.Event)}
    assert {*agenda.STEPS} == {*get_args(Task)}
