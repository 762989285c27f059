"""What countries do with one another: nothing comes or goes by it but to another owner, and it can be taken back."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable
from fractions import Fraction

import pytest
from msgspec.structs import replace

from pbem.core.chance import Lots
from pbem.core.decision import Answer
from pbem.core.refusal import Illegal, Refusal
from pbem.core.seat import Seat, Setup
from pbem.games.empire.data.editions import empire
from pbem.games.empire.rules import orders as od
from pbem.games.empire.rules.acts.table import ACTS
from pbem.games.empire.rules.events import Noted
from pbem.games.empire.rules.game import Empire
from pbem.games.empire.rules.ground import placing
from pbem.games.empire.rules.ground.ways import reach
from pbem.games.empire.rules.state import State
from pbem.games.empire.rules.world import World
from pbem.host.commands.table import COMMANDS
from pbem.language.parser import Parser

SEATS = tuple(map(Seat, ("anton", "bert", "carl")))
COUNTRIES = (*SEATS, "corinth", "delos")
SQUARES = ("C3", "D4", "E4", "F3", "J3", "C8", "D5", "I4", "D8", "A1")
KINDS = ("truck", "cargo_ship", "worker", "governor", "ambassador", "sac", "barge")
GOODS = ("steel", "oil", "food")
POSITION = (
    "turn 5", "slot anton", "capital anton C3", "capital bert J3", "capital carl C8", "country corinth anton",
    "goods anton C3 5 oil, 40 food, 4 steel", "goods bert D4 3 steel", "goods carl C8 40 food", "workers anton C3 6",
    "workers bert J3 6", "workers carl C8 6", "workers anton D4 3", "workers carl D4 2", "workers bert E4 2",
    "workers corinth D5 2", "governor anton C3", "governor bert J3", "governor carl C8", "unit anton CGO1 E4 beached",
    "unit bert CGO2 E4 docked", "unit carl CGO3 F3", "unit bert CRU1 F3", "unit anton BSH1 F3", "unit carl TRK1 D4",
    "unit bert TRK2 E4", "unit anton SAC2 E4", "unit bert INF2 I4", "unit carl BRG1 E4 beached", "inflation carl",
    "aboard CGO2 2 steel, 1 workers", "capture bert 6.1",
)  # fmt: skip


def _begun() -> tuple[Empire, State]:
    rules = empire(Setup(game="empire", edition="third_1976", board="training", setup="bare", seats=SEATS))
    state = rules.blank(Setup(seats=SEATS))
    for event in rules.open(state, Lots("people", "people"), {}):
        state = rules.apply(state, event)
    parser = Parser(rules.notation, COMMANDS, SEATS)
    for event in rules.given(state, [parser.given(text, line) for line, text in enumerate(POSITION)]):
        state = rules.apply(state, event)
    return rules, state


def _some_order(state: State, dice: random.Random) -> od.Order:
    pick = dice.choice
    mine = [unit.id for unit in state.units.values() if state.countries[unit.owner].player == state.active]
    what = pick([*state.units, *KINDS, *GOODS])
    item = od.Item(what, pick([None, 1, 2]))
    by = pick(["worker", *mine])
    made: list[Callable[[], od.Order]] = [
        lambda: od.Attitude(player=pick(SEATS), friendly=pick([True, False]), squares=(pick(SQUARES),)),
        lambda: od.Transfer(unit=pick([*state.units, "corinth"]), to=pick(COUNTRIES)),
        lambda: od.Give(item=item, at=pick(SQUARES), to=pick(COUNTRIES)),
        lambda: od.Accept(offer=f"T-{dice.randint(1, max(1, state.offered))}"),
        lambda: od.Aid(country=pick(COUNTRIES), to=pick(COUNTRIES), amount=dice.randint(0, 12)),
        lambda: od.Found(name="delos", at=pick(SQUARES), parts=(od.Part(what, pick([None, 1, 2]), pick(SQUARES)),)),
        lambda: od.Ambassador(at=pick(SQUARES)),
        lambda: od.Seize(target=what, at=pick([None, *SQUARES]), by=by),
        lambda: od.Take(items=(od.Item(pick(GOODS), 1),), at=pick(SQUARES), by=by),
        lambda: od.Capture(item=item, at=pick([None, *SQUARES]), units=(pick(mine or ["CGO1"]),)),
    ]
    return pick(made)()


def _all_there_is(state: State) -> Counter[str]:
    """Goods, people but for their office, and units, whoever has them."""
    found: Counter[str] = Counter(unit.kind for unit in state.units.values())
    helds = [held for part in state.parts.values() for held in part.held.values()]
    helds += [held for unit in state.units.values() for held in unit.holds.values()]
    for held in helds:
        found["people"] += held.people()
        for good in held.goods:
            found[good] += int(held.amount(good))
    return found


@pytest.mark.parametrize("seed", range(6))
def test_only_owners_change(seed: int) -> None:
    rules, state = _begun()
    dice, done = random.Random(seed), 0
    before = _all_there_is(state)
    for entry in range(200):
        order = _some_order(state, dice)
        answer = Answer(seat=state.active or SEATS[0], order=order)
        try:
            rules.check(state, answer)
        except Refusal:
            continue
        done += 1
        new = rules.resolve(state, [answer], Lots("people", "people", entry)).state
        assert _all_there_is(new) == before, order
        if len(new.before) > len(state.before):
            undone = rules.resolve(new, [replace(answer, order=od.Undo())], Lots("x", "x")).state
            assert replace(undone, barred=None) == replace(state, barred=None)
        state = new
    assert done > 10


def test_capitals_keep_apart_by_the_nearer_way() -> None:
    rules, state = _begun()
    w = rules.world(replace(state, parts={}, capitals={SEATS[0]: "C3"}))
    legal = placing.legal_parts(w)
    for part, land in w.map.land.items():
        ways = reach(w, "worker", part, Fraction(12), lambda _: True)
        back = reach(w, "worker", "C3", Fraction(12), lambda _: True)
        near = "C3" in ways or part in back
        assert (part in legal) == (land.terrain in placing.TERRAIN and not near), part


def test_a_die_that_was_thrown_stands_though_the_order_does_not(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever order it is: what has been drawn can't be refused any more, and nothing else has happened."""

    def thrown_in_vain(w: World, player: Seat, order: od.Order) -> None:
        w.rolled("trial", w.roll("trial"))
        w.set(wind="N")
        raise Illegal("goods.short", what="steel", needs=1, has=0)

    monkeypatch.setitem(ACTS, od.Births, thrown_in_vain)
    rules, state = _begun()
    answer = Answer(seat=SEATS[0], order=od.Births(at="C3", on=False), decision=rules.pending(state)[0])
    events = rules.resolve(state, [answer], Lots("people", "people", 9)).events
    assert [event.what if isinstance(event, Noted) else type(event).__name__ for event in events] == [
        "Rolled",
        "broken_off",
        "Changed",
    ]
    rules.check(state, answer)  # a check ends at the die
