"""Games for the archive: played by bots, with the clock running from turn to turn."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest
from lxml import html
from msgspec.structs import replace

from pbem.bootstrap import Server
from pbem.core.log import Cause
from pbem.host.lobby.invitations import answer_invitation
from pbem.host.messages.host_identity import HostIdentity
from pbem.host.play.adjudicator import Adjudicator
from pbem.host.reporting.chapters import order_text
from pbem.host.reporting.publish import publish
from pbem.host.session.identity import Identity
from pbem.host.session.terms import Terms
from tests.fakes import FakeClock, MemoryStore
from tests.rules.tables import NAMES, Match, chosen

SHORT = Match(seed=5, players=3, bot="greedy")
NEAR = 15  # answers after which every nation is about to end the game
MATCHES = [  # and how many answers of each are played at most
    (SHORT, 100),
    (Match(seed=3, players=6), 12),
    (Match(seed=4, players=2, edition="first_2006", start="experienced"), 100),
]


class Club:
    """A server whose games are played without mail."""

    def __init__(self) -> None:
        self.clock = FakeClock()
        self.store = MemoryStore()
        host = HostIdentity(domain="pbem.test", operator="operator@pbem.test")
        self.server = Server(self.store, self.clock, host, Identity(key=b"a key for tests", address="pbem@pbem.test"))

    def begin(self, match: Match, names: Sequence[str] = NAMES) -> str:
        people = [f"{name}={name}@secret-home.test" for name in names[: match.players]]
        with pytest.MonkeyPatch.context() as patch:  # the same lots every time
            patch.setattr("pbem.host.session.unit_of_work.Games.new_secret", lambda _: f"{match.seed:064x}")
            game = self.server.new_game(Terms(setup=replace(match.setup, seats=())), people)
        with self.server.games.work() as desk:
            for member in game.members:
                answer_invitation(desk, desk.game(game.id), member, ["join"], self.clock.now())
        return game.id

    def steps(self, tag: str, match: Match, most: int = 100) -> Iterator[int]:
        """Play on, one answer at a time; after fifteen the end is near."""
        rng = random.Random(match.seed)
        for step in range(most):
            with self.server.games.work() as desk:
                game = desk.game(tag)
                session = desk.session(game)
                if game.status == "finished":
                    return
                at = self.clock.advance(rng.randrange(600, 90_000))
                if step == NEAR:
                    lines = [f"power {nation} 24" for nation in session.state.power]
                    Adjudicator(session).lay_out(at, [session.parser.given(line, 1) for line in lines])
                decision = rng.choice(session.pending())
                order = chosen(match, session.state, decision, rng)
                cause = "letter" if order_text(desk.loaded(game), order) else "lapse"  # nobody writes that they skip
                Adjudicator(session).play(decision.seat, order, [decision], at, Cause(kind=cause))
                publish(desk, game, at)
            yield step

    def play(self, match: Match, most: int = 100) -> str:
        tag = self.begin(match)
        for _ in self.steps(tag, match, most):
            pass
        return tag


class Archive:
    """A club and its archive."""

    def __init__(self, root: Path, club: Club) -> None:
        self.root = root
        self.club = club
        self.archivist = club.server.archivist(root)

    def page(self, path: str) -> Any:
        return html.fromstring((self.root / path / "index.html").read_text("utf-8"))

    def text(self, path: str) -> str:
        return " ".join(self.page(path).text_content().split())

    def json(self, path: str) -> Any:
        return json.loads((self.root / path).read_bytes())


def files(root: Path) -> Mapping[str, bytes]:
    """All that lies in an archive."""
    found = sorted(path for path in root.rglob("*") if path.is_file() and path.name != ".lock")
    return {str(path.relative_to(root)): path.read_bytes() for path in found}
