"""What an order says besides is obeyed or refused: no clause of any order is passed over in silence."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, get_args

import pytest
from msgspec import Struct
from msgspec.structs import fields, replace

from pbem.core.chance import Lots
from pbem.core.decision import Answer
from pbem.core.refusal import Illegal
from pbem.games import GAMES
from pbem.games.empire.notation.write import write
from pbem.games.empire.rules import orders as od
from pbem.games.empire.rules.game import Empire
from pbem.games.empire.rules.state import State
from pbem.host.archive.replay import Replay
from pbem.host.reporting.chapters import blank
from tests.depth import DEEP
from tests.empire.reading import reader

PLAYS = Path(__file__).parents[1] / "plays_empire"
FILES = sorted(file for file in PLAYS.rglob("*.play") if file.parent.name != "scenarios")
SAMPLE = FILES if DEEP else FILES[5::24]
STEEL = (od.Item("steel", 1),)
SAID: Mapping[str, tuple[Any, ...]] = {  # by field: several things that it could say, of which one at most is so anyway
    "aboard": ("CGO1", "CGO2"), "at": ("C3", "D4", "F4"), "book": ("first", "last", "spread"),
    "cargo": (STEEL, (od.Item("coal", 1),)), "carrier": ("CGO1", "LOC1"), "cmx": (2, 3), "count": (0, 1, 2, 7),
    "country": ("anton", "bert", "corinth"), "ending": ("dock", "beach"), "escort": (("FTR1",), ("FTR2",)),
    "facing": ("N", "S"), "factory": ("SM", "PS", "NSY"), "grade": (1, 2, 3), "home": ("C3", "E4", "J3"),
    "inputs": (("coal",), ("oil",), ("steel",), ("coal", "oil")), "kind": (), "lose": (("INF1",), ("CRU2",)),
    "of": ("AA", "fort"), "parts": ((od.Part("worker", 1, "C3"),), (od.Part("worker", 2, "C3"),)),
    "ship": ("CGO1", "CGO2", "FTR1"), "says": ("all", "none"), "source": ("CGO1", "CGO2"), "squares": (("C4",), ("J3",)),
    "start": ("C3", "D4", "F4"), "support": (("BSH1",), ("STB1",)), "take": (STEEL, (od.Item("coal", 1),)),
    "targets": (("INF1",), ("CGO1",)), "to": ("C4", "J3"), "units": (("INF1",), ("SAC1",)), "until": (8, 9),
    "via": (("F4",), ("D4",)), "what": (), "workers": (2, 3),
}  # fmt: skip
ALONE = {"hold": True, "every": True, "advance": True}  # said or not
UNSAID = {"fits", "lapsed", "forced"}  # by no word of an order
ONLY_IN_SOME_COURSE = {  # dice, others and what stands there decide
    ("Attack", "lose"), ("Attack", "advance"), ("Raid", "take"), ("Bomb", "via"), ("Capital", "squares"),
}  # fmt: skip
SAID_ANYWAY = {("Attack", "every"), ("Move", "every"), ("Move", "hold")}  # all there; kept aboard what does not land
SAID_ANYWAY |= {  # any of a player's countries may say what holds for all of them, or before there are any
    (kind, "country") for kind in ("Capital", "Picks", "Listing", "Ruling", "Transfer", "Standing", "StandingNone")
}
Step = tuple[Empire, State, Answer[od.Order]]


def steps(file: Path) -> Iterator[Step]:
    """Every order of a play that was carried out, with the position before it."""
    replay = Replay(file.read_text("utf-8"), GAMES, lambda refusal: refusal.code)
    replay.run()
    loaded = replay.equip(())
    state = blank(loaded).state
    for entry in replay.record.entries:
        if len(entry.answers) == 1:
            yield loaded.rules, state, entry.answers[0]
        for event in entry.events:
            state = loaded.rules.apply(state, event)


def sayings(order: Struct) -> Iterator[tuple[tuple[str, str, int], Struct]]:
    """The order with something said besides, by the clause, and in which attack it stands."""
    for field in fields(order):
        old, name = getattr(order, field.name), (type(order).__name__, field.name, 0)
        if field.name == "attacks":
            for place, attack in enumerate(old):
                for (kind, clause, _), said in sayings(attack):
                    yield (kind, clause, place), replace(order, attacks=(*old[:place], said, *old[place + 1 :]))
        elif field.name == "squares" and old:
            yield from ((name, replace(order, squares=(*old, *more))) for more in SAID["squares"])
        elif not field.required and field.name in ALONE and not old:
            yield name, replace(order, **{field.name: True})
        elif not field.required and old in (None, "", ()):
            yield from ((name, replace(order, **{field.name: said})) for said in SAID.get(field.name, ()))


def can_be_written(order: Any) -> bool:
    read = reader().read(write(order).splitlines()).statements
    return [each.order for each in read] == [order]


def outcome(step: Step, order: Any) -> object:
    rules, state, answer = step
    try:
        return rules.resolve(state, [replace(answer, order=order)], Lots("lots", "lots", 1))
    except Illegal as refusal:
        return refusal.code


def passed_over(step: Step) -> list[tuple[str, str]]:
    """What was said besides, and changes nothing: one of several things may be so anyway."""
    order = step[2].order
    plain = outcome(step, order)
    same = defaultdict(list)
    for clause, said in sayings(order):
        if outcome(step, said) == plain and can_be_written(said):
            same[clause].append(write(said))
    found = {clause: said for clause, said in same.items() if clause[:2] not in ONLY_IN_SOME_COURSE | SAID_ANYWAY}
    return [(clause[1], said[-1]) for clause, said in found.items() if len(said) > (clause[1] not in ALONE)]


@pytest.mark.parametrize("file", SAMPLE, ids=[file.stem for file in SAMPLE])
def test_what_is_said_besides_is_obeyed_or_refused(file: Path) -> None:
    assert [found for step in steps(file) for found in passed_over(step)] == []


def test_every_clause_is_tried() -> None:
    """So that none that is new is forgotten."""
    kinds = (*get_args(od.Order), *get_args(od.Assault))
    clauses = {field.name for kind in kinds if kind is not od.Given for field in fields(kind) if not field.required}
    assert clauses - SAID.keys() - ALONE.keys() - UNSAID == set()
