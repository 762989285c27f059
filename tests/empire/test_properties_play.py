"""What holds at every step of games by lot: BTA and space, orders and refusals, dice, slots that others end."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from functools import lru_cache

import msgspec
import pytest

from pbem.core.chance import Draw, Lots, draw
from pbem.core.decision import Answer
from pbem.core.refusal import Illegal
from pbem.core.seat import Seat
from pbem.games.empire.rules import orders as od
from pbem.games.empire.rules.events import Rolled
from pbem.games.empire.rules.game import Empire
from pbem.games.empire.rules.ground.sides import are_one_side, is_land_unit, land_units
from pbem.games.empire.rules.ground.terrain import beside, cost
from pbem.games.empire.rules.pieces import space
from pbem.games.empire.rules.pieces.carrying import aboard, check_fits, size
from pbem.games.empire.rules.state import State
from pbem.games.empire.rules.world import World
from pbem.host.commands.table import COMMANDS
from pbem.language.parser import Parser
from tests.empire.bookkeeping import PEOPLE, accounted, holdings, noted
from tests.empire.random_orders import Orders
from tests.empire.random_play import Step, games, seeds, some_answer

BTA = 12
HANDING = (od.Give, od.Accept, od.Transfer, od.Found, od.Seize, od.Take, od.Listing, od.Attitude, od.Aid, od.Standing)
CALM_DICE = (
    "confidence",
    "birth",
    "serpent",
    "beast",
    "gun",
    "shoot",
)  # what is thrown behind a slot: also the Pirate's shots


def encoded(state: State) -> bytes:
    return msgspec.json.encode(state, enc_hook=str)


# -- BTA (5, 6) ---


def left_over(w: World) -> Counter[str]:
    """BTA that are left to people and goods, whose-ever they are."""
    found: Counter[str] = Counter()
    for _, _, held in holdings(w):
        for good, lots in held.goods.items():
            found[good] += sum((BTA - used) * much for used, much in lots)  # type: ignore[assignment]
        found[PEOPLE] += sum((BTA - crew.used) * crew.count for crew in held.crews)  # type: ignore[misc]
    found[PEOPLE] += sum(BTA - unit.used for unit in w.units.values() if is_land_unit(w, unit))  # type: ignore[assignment]
    return found


def gives_no_bta(step: Step) -> None:
    """In a game turn BTA are only used; what is new has not used any (E2.2, E4.9)."""
    if step.before.turn != step.after.turn:
        return
    was, now, said = left_over(step.was), left_over(step.now), accounted(step)[0]
    if noted(step, "disarmed", "armed", "hit", "lost"):
        now = Counter({PEOPLE: now[PEOPLE]})  # arms lie on the ground again
    for what, much in now.items():
        new = sum((BTA * max(Fraction(0), said.get(what, Fraction(0))), _begun(step, what)), Fraction(0))
        assert much <= was[what] + new, (what, was[what], much)
    for id_, unit in step.after.units.items():
        old = step.before.units.get(id_)
        if old is not None:
            assert unit.used >= old.used, unit
            assert unit.fought >= old.fought, unit


def _begun(step: Step, good: str) -> Fraction:
    """What a work gave back that was not begun, what came back of a factory, or what a recipe made and used at once."""
    said = Fraction(0)
    if noted(step, "rolled_out", "made", "finished"):
        said = Fraction(BTA * 20)
    return said if good != PEOPLE else Fraction(BTA * len(noted(step, "born")))


def hands_over_no_chances(step: Step) -> None:
    """Who has done something has done it, whoever's he is then (E4.9)."""
    if not isinstance(step.order, HANDING) or noted(step, "died", "lost", "contact"):
        return
    assert _people(step.was) == _people(step.now)
    for id_, unit in step.after.units.items():
        old = step.before.units[id_]
        assert (unit.used, unit.job, unit.fought, unit.attacked, unit.done) == (
            old.used,
            old.job,
            old.fought,
            old.attacked,
            old.done,
        )


def _people(w: World) -> Counter[tuple[object, ...]]:
    return Counter(
        key
        for _, _, held in holdings(w)
        for crew in held.crews
        for key in [(crew.used, crew.job, crew.hungry, crew.thirsty)] * crew.count
    )


# -- space (8) ---


def leaves_room(step: Step) -> None:
    """Minor squares, docks and airports; what was too full before, or has been damaged, is not made fuller."""
    was, now = step.was, step.now
    for name, part in step.after.parts.items():
        if part.city:
            room = space.city_room(now, name, planned=False)
            assert room >= 0 or room >= space.city_room(was, name, planned=False), name
        if name in now.map.land and "airport" in part.items and not noted(step, "hit", "destroyed"):
            assert space.airport_room(now, name) >= min(Fraction(0), space.airport_room(was, name)), name
        if not part.city and name in now.map.land:
            assert len(part.factories) <= max(1, len(was.part(name).factories)), name
    for name in {unit.at for unit in step.after.units.values() if unit.state == "docked"}:
        if not noted(step, "hit", "destroyed") and name in now.map.water:
            assert space.dock_room(now, name, "") >= min(Fraction(0), space.dock_room(was, name, "")), name


def stacks(step: Step) -> None:
    """At most three of a side where one has come (E12.4); who retreats may be more (E12.14)."""
    w = step.now
    for id_, unit in step.after.units.items():
        old = step.before.units.get(id_)
        has_come = old is None or old.at != unit.at or old.aboard != unit.aboard
        if (
            has_come
            and is_land_unit(w, unit)
            and unit.aboard is None
            and unit.state == "ground"
            and unit.at in w.map.land
        ):
            side = [u for u in land_units(w, unit.at) if are_one_side(w, unit.owner, u.owner, unit.at)]
            assert len(side) <= 3 or unit.retreated or noted(step, "landing_failed"), unit


def carries_what_fits(step: Step) -> None:
    """E2.4."""
    w = step.now
    for id_, unit in step.after.units.items():
        riders = [u for u in w.aboard(id_) if not u.towed]
        assert all(u.at == unit.at for u in w.aboard(id_)), unit
        if step.before.units.get(id_) != unit or any(step.before.units.get(u.id) != u for u in riders):
            load = aboard(w, unit)
            if load:
                check_fits(w, unit.kind, id_, load, {})


def leaves_no_loose_goods(step: Step) -> None:
    """Five objects outside a city without warehouse (E11.9)."""
    if not noted(step, "rolled_out"):
        return
    w = step.now
    for country in w.countries_of(step.answer.seat):
        for name in w.places_of(country):
            part = w.part(name)
            if name in w.map.land and not part.city and "warehouse" not in part.items:
                held = w.held(name, country)
                objects = sum((size(w, good) * held.amount(good) for good in held.goods if good != "cmx"), Fraction(0))
                assert objects <= 5, (name, country, objects)


# -- orders (7) ---


def reads_back(step: Step) -> None:
    if isinstance(step.order, od.Rollout | od.Undo | od.Standing):
        return
    (found,) = (
        _parser(step.rules, step.before.seats).read(step.rules.notation.write(step.order).splitlines()).statements
    )
    assert found.order == step.order, step.rules.notation.write(step.order)


@lru_cache(maxsize=2)
def _parser(rules: Empire, seats: tuple[Seat, ...]) -> Parser[od.Order]:
    return Parser(rules.notation, COMMANDS, seats)


def undoes(step: Step) -> None:
    """What can be taken back is taken back whole."""
    if len(step.after.before) <= len(step.before.before) or step.answer.seat != step.after.active:
        return
    answer = Answer(seat=step.answer.seat, order=od.Undo(), decision=step.answer.decision)
    state = step.rules.resolve(step.after, [answer], Lots("", "")).state
    before = msgspec.structs.replace(step.before, barred=state.barred)
    assert state == before


# -- dice (11, 12) ---


def throws_openly(step: Step) -> None:
    """Each die is told, and thrown once for one purpose; the same order throws the same dice, in another entry others."""
    faces = [face for event in step.events if isinstance(event, Rolled) for face in event.faces]
    assert sorted(faces) == sorted(each.result + 1 for each in step.draws if not _is_lot(each))
    assert len({each.purpose for each in step.draws}) == len(step.draws)
    assert all(each.purpose.startswith(f"{step.number} ") for each in step.draws)
    again = Lots("lots", "lots", step.number)
    assert [*step.rules.resolve(step.before, [step.answer], again).events] == [*step.events]
    assert again.draws == [*step.draws]


def _is_lot(drawn: Draw) -> bool:
    """Where the Pirate comes to sea, and whither his bot sails."""
    return drawn.purpose.split()[2] == "pirate"


CHECKS: tuple[Callable[[Step], None], ...] = (
    gives_no_bta, hands_over_no_chances, leaves_room, stacks, carries_what_fits, leaves_no_loose_goods, reads_back, undoes,
    throws_openly,
)  # fmt: skip


@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__)
def test_at_every_step(check: Callable[[Step], None]) -> None:
    for seed in seeds():
        for step in games(seed):
            if step.refusal is None and not isinstance(step.order, od.Undo):
                try:
                    check(step)
                except AssertionError as failed:
                    raise AssertionError(f"game {seed}, order {step.number}: {step.order}\n{failed}") from failed


# -- slots that others end (14, 15) ---


def closes(step: Step, dice: random.Random) -> None:
    """Whatever lies on file, it ends the slot, throws no die of a battle and leaves nothing open."""
    rules, state = step.rules, step.after
    (decision,) = rules.pending(state)
    written = [Orders(rules.world(state), decision.seat, dice).some() for _ in range(dice.choice((0, 3, 6)))]
    left: list[od.Order] = [order for order in written if not isinstance(order, od.Undo)]
    for entry in range(1, 9):
        lapse = rules.lapse(state, decision, left, dice.choice((0, 2)))
        left = [*lapse.left]
        answer = Answer(seat=decision.seat, order=lapse.order, decision=decision)
        rules.check(state, answer)
        resolved = rules.resolve(state, [answer], Lots("closed", "closed", entry))
        thrown = [event.purpose.split()[0] for event in resolved.events if isinstance(event, Rolled)]
        calm = {*CALM_DICE} if isinstance(lapse.order, od.Rollout) else {"wind"}
        assert set(thrown) <= calm, thrown
        state = resolved.state
        if decision not in rules.pending(state):
            break
    assert not left
    assert isinstance(lapse.order, od.Rollout)
    assert bool(rules.pending(state)) != rules.finished(state)


def test_a_slot_that_others_end() -> None:
    for seed in seeds():
        dice = random.Random(seed)
        for step in games(seed)[::12]:
            if not step.rules.finished(step.after):
                closes(step, dice)


# -- at large ---


def test_refused_orders_change_nothing() -> None:
    for seed in seeds():
        for step in games(seed)[::12]:
            before, dice = encoded(step.after), random.Random(seed)
            for _ in range(2):
                if step.rules.finished(step.after):
                    continue
                answer, chance = some_answer(step.rules, step.after, dice), Lots("tried", "tried")
                try:
                    step.rules.resolve(step.after, [answer], chance)
                except Illegal:
                    assert not chance.draws
            assert encoded(step.after) == before


def test_ways_are_symmetric_on_equal_terrain() -> None:
    for seed in seeds():
        w = games(seed)[0].now
        for part in w.map.land:
            for _, other in beside(w, part):
                if w.map.land[part].terrain == w.map.land[other].terrain and w.part(part).city == w.part(other).city:
                    for kind in ("worker", "truck", "armored_brigade", "artillery_brigade", "cow"):
                        assert cost(w, kind, part, other) == cost(w, kind, other, part), (part, other)


def test_dice_are_even() -> None:
    """100 000 of one secret; at five degrees of freedom 20.5 is passed once in a thousand secrets."""
    faces = Counter(draw(b"one secret", f"empire-1|{number} 5.1 land D5 1", 6) for number in range(100_000))
    expected = 100_000 / 6
    assert sum((faces[face] - expected) ** 2 / expected for face in range(6)) < 20.5


def test_purposes_are_used_once_in_a_game() -> None:
    for seed in seeds():
        purposes = [each.purpose for step in games(seed) for each in step.draws]
        assert len(purposes) == len({*purposes})
