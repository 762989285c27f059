"""The engine against the second reckoning of `reckoner.py`: taxes, interest, scores, railways, convoys."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.core.chance import NoLots
from pbem.core.decision import Answer
from pbem.core.refusal import Illegal
from pbem.core.seat import Seat, Sight
from pbem.games.imperial.rules import events as ev
from pbem.games.imperial.rules import orders as od
from pbem.games.imperial.rules.game import Imperial
from pbem.games.imperial.rules.places import SPACES, Nation, Region
from pbem.games.imperial.rules.position import armies_at, credit_of
from pbem.games.imperial.rules.state import AwaitTurn, State
from tests.rules import reckoner
from tests.rules.tables import Match, after, examples, matches, opened, play

WORK: Mapping[str, od.Work | None] = {
    "factory": od.Build(region=None),
    "import": od.Buy(units=()),
    "maneuver_1": od.Move(lines=()),
    "maneuver_2": od.Move(lines=()),
}


# -- games ---


@examples(10)
@given(match=matches())
def test_taxes_interest_and_scores_of_whole_games(match: Match) -> None:
    for step in play(match):
        walk = [*step.walk()]
        for place, (_, event, state) in enumerate(walk):
            if isinstance(event, ev.MarkerMoved):
                check_space(step.game, event, state, walk[place + 1 :])
            elif isinstance(event, ev.GameEnded):
                document = step.game.view(state, Sight.ALL)
                assert event.scores == document["scores"] == reckoner.scores(document)
                assert sorted(event.winners) == document["winners"] == reckoner.winners(document)


def check_space(game: Imperial, marker: ev.MarkerMoved, state: State, walk: Sequence[Any]) -> None:
    """What the space does to a nation whose marker has just been moved to it and paid for."""
    assert marker.paid == reckoner.price(marker.before, marker.space)
    if marker.space == "taxation":
        check_taxes(game, marker, state, walk)
    elif marker.space == "investor":
        check_interest(game, marker, state, walk)


def check_taxes(game: Imperial, marker: ev.MarkerMoved, state: State, walk: Sequence[Any]) -> None:
    nation, seat, money_first = marker.nation, marker.seat, game.edition.options.taxation == "money_first"
    taxes = reckoner.taxation(game.view(state, Sight.ALL), nation, money_first=money_first)
    steps = [(event, following) for _, event, following in walk if isinstance(event, TAX_STEPS)]
    order = [type(event) for event, _ in steps]
    collected = [] if taxes.ends and not money_first else [ev.TaxCollected]
    assert order == [ev.Taxed, *([*collected, ev.PowerGained] if money_first else [ev.PowerGained, *collected])]
    (levy, done) = steps[0][0], steps[-1][1]
    assert (levy.revenue, levy.marker, levy.bonus) == (taxes.revenue, taxes.marker, taxes.bonus)
    assert done.tax[nation] == taxes.marker
    assert done.power[nation] == taxes.power
    assert done.treasury[nation] == state.treasury[nation] + taxes.income
    assert done.cash[seat] == state.cash[seat] + taxes.bonus
    assert taxes.ends == any(isinstance(event, ev.GameEnded) for _, event, _ in walk)
    gained = next(event for event, _ in steps if isinstance(event, ev.PowerGained))
    assert gained.points == taxes.points


TAX_STEPS = (ev.Taxed, ev.PowerGained, ev.TaxCollected)


def check_interest(game: Imperial, marker: ev.MarkerMoved, state: State, walk: Sequence[Any]) -> None:
    nation, seat = marker.nation, marker.seat
    payout = reckoner.interest(game.view(state, Sight.ALL), nation, state.cash[seat])
    paid = [event for _, event, _ in walk if isinstance(event, ev.InterestPaid)]
    assert payout.covered or game.edition.options.uncovered_investor == "allow"
    if payout.covered:
        assert {event.seat: event.paid for event in paid} == {
            s: n for s, n in payout.received.items() if due(state, s, nation)
        }
    assert sum(event.by_government for event in paid) == payout.government
    assert sum(event.paid - event.by_government for event in paid) == payout.treasury


def due(state: State, seat: str, nation: Nation) -> int:
    return credit_of(state, nation, Seat(seat))


# -- the spaces that may be chosen ---


@examples(10)
@given(match=matches(crowded=True))
def test_spaces_that_may_be_chosen(match: Match) -> None:
    """Six spaces at most, each beyond the third for two millions, Investor only when it is covered (p. 6; R3)."""
    game = match.game
    for step in play(match, 40):
        task = step.before.agenda[0]
        if isinstance(task, AwaitTurn):
            for space in SPACES:
                refusal = refused(game, step.before, od.Turn(nation=task.nation, space=space, work=WORK.get(space)))
                assert refusal == expected(game, step.before, task.nation, space), space


def expected(game: Imperial, state: State, nation: Nation, space: str) -> str | None:
    document: Any = game.view(state, Sight.ALL)
    before = document["nations"][nation]["rondel"]
    if reckoner.steps(before, space) > 6:
        return "space.too_far"
    cash = document["players"][document["nations"][nation]["government"]]["cash"] - reckoner.price(before, space)
    if cash < 0:
        return "cash.short"
    allowed = space != "investor" or game.edition.options.uncovered_investor == "allow"
    covered = allowed or reckoner.interest(document, nation, cash).covered
    return None if covered else "investor.uncovered"


def refused(game: Imperial, state: State, order: od.Order) -> str | None:
    decision = game.pending(state)[0]
    try:
        game.check(state, Answer(seat=decision.seat, order=order, decision=decision))
    except Illegal as refusal:
        return refusal.code
    return None


# -- the end, with every kind of tie ---


@examples(50)
@given(seed=st.integers(0, 2**20), players=st.integers(2, 6), money_first=st.booleans())
def test_scores_and_ties(seed: int, players: int, money_first: bool) -> None:
    """Positions that end with the next taxation; cash is laid out so that some or all of the players are level."""
    rng, edition = random.Random(seed), "first_2006" if money_first else "new"
    match = Match(seed=seed, players=players, edition=edition, crowded=True)
    game, state = match.game, opened(match)
    nation = state.nation
    assert nation is not None
    lines = [od.Given(what="power", nation=n, number=rng.choice([9, 14, 20, 20])) for n in game.board.nations]
    lines += [od.Given(what="power", nation=nation, number=24), od.Given(what="rondel", nation=nation, space="import")]
    lines += [od.Given(what="factory", region=region) for region in game.board.homes[nation]]
    lines += [_pair_of_bonds(game, rng, nation, players) for _ in range(6)]
    state = after(game, state, game.given(state, lines))
    ending = level(game, state, rng, nation)
    document: Any = game.view(ending, Sight.ALL)
    if document["finished"]:  # the factories may be occupied
        assert document["scores"] == reckoner.scores(document)
        assert document["winners"] == reckoner.winners(document)


def _pair_of_bonds(game: Imperial, rng: random.Random, nation: Nation, players: int) -> od.Given:
    seat = Match(players=players).setup.seats[rng.randrange(players)]
    where = rng.choice([nation, *game.board.nations])
    return od.Given(what="bond", seat=seat, nation=where, number=rng.choice([*game.edition.bonds]))


def level(game: Imperial, state: State, rng: random.Random, nation: Nation) -> State:
    """The game's end after cash has been laid out so that most players have the same points."""
    bare = after(game, state, game.given(state, cash_of(state, dict.fromkeys(state.seats, 0))))
    probe: Any = game.view(taxed(game, bare), Sight.ALL)
    points = reckoner.scores(probe)
    top = max(points.values())
    cash = {seat: top - points[seat] + (0 if rng.randrange(5) else 1) for seat in state.seats}
    return taxed(game, after(game, state, game.given(state, cash_of(state, cash))))


def cash_of(state: State, cash: Mapping[Seat, int]) -> list[od.Given]:
    return [od.Given(what="cash", seat=seat, number=amount) for seat, amount in cash.items()]


def taxed(game: Imperial, state: State) -> State:
    decision = game.pending(state)[0]
    order = od.Turn(nation=Nation(decision.about or ""), space="taxation")
    return game.resolve(state, [Answer(seat=decision.seat, order=order, decision=decision)], NoLots()).state


def test_ties_of_every_depth_occur() -> None:
    """The reckoner itself: level on points, then on the strongest nation, then on the second; then all win."""
    nations = {n: {"power": 20} for n in reckoner.TURN_ORDER} | {"italy": {"power": 25}, "russia": {"power": 24}}
    held = {"anton": {"italy": [9], "russia": [4]}, "bert": {"italy": [9], "russia": [4]}}

    def end(**bonds: Mapping[str, list[int]]) -> list[str]:
        document = {"nations": nations, "players": {s: {"cash": 0, "bonds": b} for s, b in bonds.items()}}
        points = reckoner.scores(document)
        for seat, player in document["players"].items():
            player["cash"] = 99 - points[seat]
        return reckoner.winners(document)

    assert end(**held) == ["anton", "bert"]
    assert end(**{**held, "bert": {"italy": [12]}}) == ["bert"]
    assert end(**{**held, "bert": {"italy": [9], "russia": [6]}}) == ["bert"]
    assert end(**{**held, "bert": {"italy": [9], "russia": [4], "france": [2]}}) == ["bert"]
    assert end(anton={"france": [4]}, bert={"germany": [4]}) == ["anton"]  # equal power: turn order (R25)


# -- railways and convoys ---


@examples(100)
@given(seed=st.integers(0, 2**20))
def test_the_way_of_an_army(seed: int) -> None:
    """From anywhere to anywhere, alone or several together: refused when there is no way, else the way of the rules."""
    rng = random.Random(seed)
    game, state, nation = maneuvering(seed, rng)
    document = game.view(state, Sight.ALL)
    for line in lines_of(game, state, nation, rng):
        assert line.target is not None
        armies = line.count
        taken = reckoner.one_by_one(
            document, nation, line.region, line.target, fleets_at_sea(game, state, nation), armies
        )
        code, moved = march(game, state, nation, line)
        if taken is None:
            assert code in ("move.no_convoy", "move.not_adjacent"), line
        else:
            assert code is None, line
            assert Counter(e.seas for e in moved for _ in range(e.count)) == Counter(taken), line
            for event in moved:
                check_way(document, nation, event)


def maneuvering(seed: int, rng: random.Random) -> tuple[Imperial, State, Nation]:
    """A crowded position in which a nation with many fleets may maneuver; nobody else's answer is awaited."""
    match = Match(seed=seed, players=6, crowded=True)
    game, state = match.game, opened(match)
    nation = rng.choice(game.board.nations)
    seas = [r for r in game.board.places if game.board.is_sea(r)]
    lines = [od.Given(what="fleet", nation=nation, region=r, number=0) for r in (*seas, *game.board.homes[nation])]
    lines = [line for line in lines if game.board.is_sea(line.region) or game.board.places[line.region].port]
    chosen = rng.choices(seas, k=rng.randrange(game.board.supply[nation]["fleet"]))
    lines += [od.Given(what="fleet", nation=nation, region=r, number=n) for r, n in Counter(chosen).items()]
    lines += [od.Given(what="rondel", nation=nation, space="factory"), od.Given(what="turn", nation=nation)]
    holder = state.government[nation]
    if holder is None:
        lines.append(od.Given(what="bond", seat=state.seats[0], nation=nation, number=9))
    return game, after(game, state, game.given(state, lines)), nation


def lines_of(game: Imperial, state: State, nation: Nation, rng: random.Random) -> Iterator[od.Line]:
    board = game.board
    places = [r for r, place in board.places.items() if place.kind in ("home", "land")]
    mine = [r for r in places if armies_at(state, r, nation)]
    for region in mine:
        for target in rng.sample(places, 6):
            foreign = board.is_foreign(target, nation)
            yield od.Line(
                count=rng.randint(1, armies_at(state, region, nation)),
                unit="army",
                region=region,
                target=target,
                status=rng.choice(["hostile", "friendly"]) if foreign else None,  # type: ignore[arg-type]
            )


def fleets_at_sea(game: Imperial, state: State, nation: Nation) -> dict[str, int]:
    return {sea: stack[nation] for sea, stack in state.fleets.items() if game.board.is_sea(sea) and nation in stack}


def march(game: Imperial, state: State, nation: Nation, *lines: od.Line) -> tuple[str | None, list[ev.ArmiesMoved]]:
    decision = game.pending(state)[0]
    order = od.Turn(nation=nation, space="maneuver_1", work=od.Move(lines=lines))
    try:
        answer = Answer(seat=decision.seat, order=order, decision=decision)
        events = game.resolve(state, [answer], NoLots()).events
    except Illegal as refusal:
        return refusal.code, []
    return None, [event for event in events if isinstance(event, ev.ArmiesMoved)]


def check_way(document: reckoner.Document, nation: Nation, event: ev.ArmiesMoved) -> None:
    """The places told on the way: rail to the start of the own move, and rail from its end."""
    embarked, landed = event.embarked or event.origin, event.landed or event.target
    assert embarked in reckoner.rail_net(document, nation, event.origin)
    if event.rail:
        assert event.target in reckoner.rail_net(document, nation, event.origin)
        return
    assert landed in reckoner.rail_net(document, nation, event.target)
    stations = [embarked, *event.seas, landed]
    assert all(b in reckoner.MAP.beside[a] for a, b in pairwise(stations))


@examples(50)
@given(seed=st.integers(0, 2**20))
def test_a_way_that_is_chosen_by_name(seed: int) -> None:
    """`via` names exactly the seas: in the order written when that can be sailed, else in any that can."""
    rng = random.Random(seed)
    game, state, nation = maneuvering(seed, rng)
    document, fleets = game.view(state, Sight.ALL), fleets_at_sea(game, state, nation)
    for line in lines_of(game, state, nation, rng):
        assert line.target is not None
        found = reckoner.ways(document, nation, line.region, line.target, fleets).by_sea
        named = (
            rng.choice(found) if found and rng.randrange(4) else tuple(rng.sample(reckoner.MAP.seas, rng.randint(1, 2)))
        )
        via = tuple(Region(sea) for sea in rng.sample(named, len(named)))
        possible = {seas for seas in found if sorted(seas) == sorted(via)}
        code, moved = march(
            game,
            state,
            nation,
            od.Line(unit="army", region=line.region, target=line.target, via=via, status=line.status),
        )
        if possible:
            assert code is None, line
            assert moved[0].seas == via or (via not in possible and moved[0].seas in possible)
        else:
            assert code == "move.no_convoy" if line.region != line.target else code


@examples(50)
@given(seed=st.integers(0, 2**20))
def test_a_fleet_carries_once_in_a_maneuver(seed: int) -> None:
    """Line by line, each fleet for one army, whatever the lines before have used."""
    rng = random.Random(seed)
    game, state, nation = maneuvering(seed, rng)
    document, left = game.view(state, Sight.ALL), Counter(fleets_at_sea(game, state, nation))
    written: list[od.Line] = []
    expected_seas: list[tuple[str, ...]] = []
    standing = Counter({region: armies_at(state, region, nation) for region in game.board.places})
    for line in lines_of(game, state, nation, rng):
        assert line.target is not None
        seas = reckoner.ways(document, nation, line.region, line.target, left).chosen()
        if seas is not None and standing[line.region] and not armies_at(state, line.target, nation):
            left.subtract(seas)
            standing[line.region] -= 1
            expected_seas.append(seas)
            written.append(od.Line(unit="army", region=line.region, target=line.target, status=line.status))
    code, moved = march(game, state, nation, *written)
    assert code is None, written
    told = [event.seas for event in moved]
    assert told == expected_seas[: len(told)]  # another government may be asked before the rest


@pytest.mark.parametrize("nation", reckoner.TURN_ORDER)
def test_railways_without_hostile_armies(nation: str) -> None:
    """All five home provinces are joined, but Dublin has no railway (FAQ, p. 14)."""
    nobody = {"armies": {}, "friendly_armies": {}}
    document = {"nations": dict.fromkeys(reckoner.TURN_ORDER, nobody)}
    homes = {region for region, owner in reckoner.MAP.home.items() if owner == nation}
    for region in homes:
        net = reckoner.rail_net(document, nation, region)
        assert net == ({"dublin"} if region == "dublin" else homes - {"dublin"})


def test_the_crowd_is_a_crowd() -> None:
    """The positions these tests are made of have convoys over one, two and three seas in them."""
    seen: Counter[int] = Counter()
    for seed in range(60):
        rng = random.Random(seed)
        game, state, nation = maneuvering(seed, rng)
        for line in lines_of(game, state, nation, rng):
            seen.update(len(event.seas) for event in march(game, state, nation, line)[1])
    assert min(seen[0], seen[1], seen[2], seen[3]) > 0, seen
