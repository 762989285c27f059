"""Slots of Empire played by letter: what they take, and how large the letters are that tell of them."""

from __future__ import annotations

import random
import statistics
import time
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from pbem.adapters.composing import FromAddress, compose
from pbem.bootstrap import Server
from pbem.core.bot import SUBSTITUTE
from pbem.core.chance import Withheld
from pbem.core.decision import Answer, Decision
from pbem.core.refusal import DieNeeded, Illegal
from pbem.core.seat import Setup
from pbem.games.empire import GAME
from pbem.games.empire.geography.grid import map_order
from pbem.games.empire.rules import orders as od
from pbem.games.empire.rules.game import Empire
from pbem.games.empire.rules.state import State
from pbem.host.ports import Mail
from tests.service.bureau import HOST, NAMES, Bureau

ORDERS = 40  # of a slot by letter
TURNS = 2  # that are played by letter


class Told(NamedTuple):
    lines: int
    slot: float  # seconds of the worst, with all letters that follow
    report: float  # seconds of each letter that was sent
    sizes: Mapping[str, float]  # kB, medians


def told(setup: Setup) -> Told:
    """The zero turn and some turns of a table, each slot one letter of so many orders."""
    taken, sent, sizes = [], [], []
    Bureau.office = Server  # wording is part of what it takes
    for pictures in (False, True):
        bureau = Bureau()
        bureau.pictures = pictures
        bureau.restart()
        game = bureau.invite(len(setup.seats), setup=setup)
        for name in NAMES[: len(setup.seats)]:
            bureau.write(name, "join", subject=f"[{game.id}] you are invited")
        pick = random.Random(1).randrange
        while True:
            rules, state = _position(bureau, game.id)
            if state.turn > TURNS:
                break
            decision = rules.pending(state)[0]
            lines = _lines(rules, state, decision, pick)
            began = time.process_time()
            mails = bureau.write(decision.seat, "\n".join(lines), subject=f"Re: [{game.id}] your turn")
            if decision.kind == "turn" and not pictures:
                taken.append((time.process_time() - began, len(lines), len(mails)))
            sent += mails if decision.kind == "turn" else []
        sizes.append(_reports(sent))
        sent.clear()
    slot, lines, _ = max(taken)
    plain, drawn = sizes
    return Told(
        lines,
        slot,
        statistics.median(seconds / mails for seconds, _, mails in taken),
        {
            "a letter of a slot: its text": _median(len(mail.text.encode()) for mail in plain),
            "… with its HTML": _median(len((mail.html or "").encode()) + len(mail.text.encode()) for mail in plain),
            "… as it is sent": _median(_bytes(mail) for mail in plain),
            "… with the picture": _median(_bytes(mail) for mail in drawn if mail.attachments),
        },
    )


def _position(bureau: Bureau, tag: str) -> tuple[Empire, State]:
    with bureau.server.games.work() as desk:
        session: Any = desk.session(desk.game(tag))
        return session.rules, session.state


def _reports(sent: Sequence[Mail]) -> list[Mail]:
    return [mail for mail in sent if not mail.answers]


def _bytes(mail: Mail) -> int:
    return len(bytes(compose(mail, FromAddress(address=HOST), 0)))


def _median(sizes: Any) -> float:
    found = [*sizes]
    return statistics.median(found) / 1000 if found else 0.0


def _lines(rules: Empire, state: State, decision: Decision, pick: Any) -> list[str]:
    """What the bot orders until its roll-out, then steps of workers to and fro: no slot of bots has so many."""
    lines: list[str] = []
    order = GAME.bots[SUBSTITUTE](rules, state, decision, pick)
    while decision.kind == "turn" and not isinstance(order, od.Rollout) and len(lines) < ORDERS - 1:
        state = _after(rules, state, decision, order) or state
        lines.append(rules.notation.write(order))
        order = GAME.bots[SUBSTITUTE](rules, state, decision, pick)
    if decision.kind != "turn":
        return [rules.notation.write(order)]
    while len(lines) < ORDERS - 1:
        found = next(_steps(rules, state, decision), None)
        if found is None:
            break
        step, state = found
        lines.append(rules.notation.write(step))
    return [*lines, "rollout"]


def _steps(rules: Empire, state: State, decision: Decision) -> Any:
    w = rules.world(state)
    for country in w.countries_of(decision.seat):
        for start in w.places_of(country):
            for goal in sorted(w.map.near.get(start, ())[1:], key=map_order):
                step = od.Move(country=country, kind="worker", count=1, start=start, way=(goal,))
                after = _after(rules, state, decision, step)
                if after is not None:
                    yield step, after


def _after(rules: Empire, state: State, decision: Decision, order: od.Order) -> State | None:
    """None: it is refused, or needs a die."""
    try:
        answer = Answer(seat=decision.seat, order=order, decision=decision)
        return rules.resolve(state, [answer], Withheld()).state
    except (Illegal, DieNeeded):
        return None
