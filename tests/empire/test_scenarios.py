"""Games of Empire from one end to the other, by mail and in files (the acceptance's scenarios 2 and 11)."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

import pytest

from pbem.core.seat import Setup
from pbem.games import GAMES
from pbem.games.empire.rules.state import State
from pbem.host.archive.replay import Replay
from pbem.host.archive.verify import verify_play
from pbem.host.play.adjudicator import Adjudicator
from pbem.host.ports import Mail
from pbem.host.reporting.publish import publish
from pbem.host.session.session import Session
from pbem.host.session.terms import Terms
from tests.service.bureau import HOUR, Bureau, address, prefix

EIGHT_TURNS = Path(__file__).parents[1] / "plays_empire" / "scenarios" / "eight_turns.play"
SEATS = ("anton", "bert", "claudia", "daniel")
POSITION = (  # of the first to the fourth in the order
    "turn 5", "slot {0}", "capital {0} C3", "capital {1} J3", "capital {2} C8", "capital {3} J8",
    "workers {0} C3 3", "workers {0} B8 4", "workers {1} J3 3", "workers {1} I2 1", "workers {2} C8 3",
    "goods {0} C3 60 food, 5 oil", "goods {0} B8 40 food", "goods {1} J3 60 food", "goods {2} C8 60 food",
    "unit {0} INF1 C3", "governor {3} D4",
)  # fmt: skip


class Match:
    """Four people who write to a server about one game; whoever is late may be rolled out by another one."""

    def __init__(self, position: Sequence[str] = POSITION) -> None:
        self.bureau = Bureau()
        setup = Setup(game="empire", board="training", setup="bare")
        people = [f"{name}={address(name)}" for name in SEATS]
        self.tag = self.bureau.server.new_game(Terms(setup=setup, policy="on_request"), people).id
        for name in SEATS:
            self.write(name, "join")
        with self.bureau.server.games.work() as desk:
            session = desk.session(desk.game(self.tag))
            self.order = session.state.order
            lines = [session.parser.given(text.format(*self.order), at) for at, text in enumerate(position)]
            Adjudicator(session).lay_out(self.bureau.clock.now(), lines)
            publish(desk, desk.game(self.tag), self.bureau.clock.now())
        self.bureau.tick()

    def write(self, who: str, text: str, after: int = 0) -> list[Mail]:
        self.bureau.clock.advance(after)
        return self.bureau.write(who, text, subject=f"Re: [{self.tag}] your turn")

    def session(self) -> Session:
        with self.bureau.server.games.work() as desk:
            return desk.session(desk.game(self.tag))

    @property
    def state(self) -> State:
        state = self.session().state
        assert isinstance(state, State)
        return state

    @property
    def electors(self) -> Sequence[str]:
        session = self.session()
        return session.rules.seats(session.state)

    def roll(self, country: str) -> tuple[int, int]:
        """What was thrown, and what counts."""
        found = re.fullmatch(r"(\d+)(?:→(\d+))?", self.state.countries[country].roll)
        assert found is not None
        return int(found[1]), int(found[2] or found[1])


@pytest.mark.slow
def test_four_turns_by_mail() -> None:
    match = Match()
    anton, bert, claudia, daniel = match.order
    # 5.1: a country is founded, which has no slot and no vote; Daniel loses his governor
    match.write(anton, "found corinth at B8 with 3 workers B8, 40 food B8\nINF1 - C4\nrollout")
    assert match.state.order == match.order
    assert match.electors == match.order
    # 5.2: a forced close carries out what is written, and is late
    match.write(bert, "draft\ndevelop iron I2")
    match.write(claudia, f"rollout {bert}", 25 * HOUR)
    assert match.state.slot == "5.3"
    thrown, counted = match.roll(bert)
    assert counted == max(2, thrown - 1)
    assert match.state.countries[bert].edu == 6
    # 5.3: two days late
    match.write(claudia, "rollout", 49 * HOUR)
    thrown, counted = match.roll(claudia)
    assert counted == max(2, thrown - 2)
    match.write(daniel, "rollout")
    assert match.state.slot == "6.1"
    assert match.state.countries[daniel].player is None
    # 6.1: time stands still for two days; a country goes to somebody who has none
    match.write(anton, "petition suspend 48h A wedding")
    for name in (bert, claudia):
        match.write(name, "for P-1")
    match.write(anton, f"transfer corinth to {daniel}")
    match.write(daniel, "accept T-1")
    match.write(anton, "rollout", 60 * HOUR)
    assert match.state.countries[anton].roll.isdecimal()
    for name in (bert, claudia):
        match.write(name, "rollout")
    # 7: he moves right behind the parent, and votes after a whole game turn
    assert match.state.order == (anton, daniel, bert, claudia)
    assert daniel not in match.electors
    match.write(anton, "rollout")
    match.write(daniel, "1 worker B8 - B9\nrollout")
    with match.bureau.store.transaction() as repository:
        person = repository.add_person("nina", address("nina"), 0)
        repository.wait(person.id, 0)
    sent = match.write(claudia, f"petition replace {bert}: he is silent")
    assert "nina" in prefix(sent)
    offer = next(mail for mail in match.bureau.postman.to(address("nina")) if "accept P-2" in mail.text)
    match.bureau.write("nina", "accept P-2", subject=f"Re: {offer.subject}", to=offer.reply_to or "")
    for name in (anton, claudia):
        match.write(name, "for P-2")
    match.bureau.tick(25 * HOUR)
    match.write("nina", "develop iron I2\nrollout")
    match.write(claudia, "rollout")
    assert match.state.slot == "8.1"
    assert set(match.electors) == {*match.order}
    for name in (anton, daniel, "nina", claudia):
        match.write(name, "rollout")
    assert match.state.slot == "9.1"


def test_a_preview_tells_the_odds_and_draws_no_die() -> None:
    more = ("goods {0} C3 5 chemicals, 5 oil", "unit {1} INF2 C4", "unit {0} SAI1 F3 consumed",
            "unit {0} BSH1 G3", "unit {1} CRU1 G3", "unit {1} CGO9 G1", "unit {0} BSH2 G1",
            "airport C3", "unit {0} STB1 C3", "aboard STB1 1 bomb", "factory SM J3")  # fmt: skip
    match = Match((*POSITION, *more))
    first = match.order[0]
    before = match.state
    answer = " ".join(match.write(first, "preview\nattack C4 with INF1")[0].text.split())
    assert "1-1, column 1-1: 1: attackers eliminated, 2: attackers retreat, 3: exchange" in answer
    told = {
        "SAI1 - F2": "1: N, 2: E, 3: Q, 4: S, 5: W, 6: P.",
        "attack CRU1 at G3 with BSH1": "3-1, column 3-1: 1: attacker loses 2 steps, 2: miss, 3: defender loses 2 steps",
        "attack CGO9 at G1 with BSH2": "3, column 3: 1: nothing, 2: nothing, 3: sunk, 4: sunk, 5: sunk, 6: cargo lost.",
        "bomb SM at J3 with STB1": "column 3: 1: no effect, 2: no effect, with a star, 3: severe, 4: severe, 5: severe, 6: light.",
    }
    for order, note in told.items():
        assert note in " ".join(match.write(first, f"preview\n{order}")[0].text.split())
        assert match.bureau.outcomes(first) == [("refused", "preview.die")]
    assert match.state == before
    match.write(first, "undo")
    assert match.bureau.outcomes(first) == [("refused", "undo.barred")]
    match.write(first, "attack C4 with INF1\nundo")
    assert match.bureau.outcomes(first) == [("played", None), ("refused", "undo.barred")]


@pytest.mark.slow
def test_eight_turns_are_the_same_whenever_they_are_played() -> None:
    """Decided once more from what is written, it is the same to the byte."""
    replay = Replay(EIGHT_TURNS.read_text("utf-8"), GAMES, lambda refusal: refusal.code)
    replay.run()
    finding = verify_play("eight turns", replay)
    assert finding.honest, finding.fault
    assert finding.entries == len(replay.record.entries)
    orders = {type(answer.order) for entry in replay.record.entries for answer in entry.answers}
    assert len(orders) >= 30, sorted(order.__name__ for order in orders)
