"""A game of Empire in the archive: its pages are written, and tell what happened."""

from __future__ import annotations

import random
from pathlib import Path

from pbem.bootstrap import Server
from pbem.core.log import Cause
from pbem.core.seat import Setup
from pbem.games.empire import GAME
from pbem.host.lobby.invitations import answer_invitation
from pbem.host.messages.host_identity import HostIdentity
from pbem.host.play.adjudicator import Adjudicator
from pbem.host.reporting.publish import publish
from pbem.host.session.identity import Identity
from pbem.host.session.terms import Terms
from tests.fakes import FakeClock, MemoryStore

SLOTS = 3


def test_a_game_has_its_pages(tmp_path: Path) -> None:
    clock, host = FakeClock(), HostIdentity(domain="pbem.test", operator="operator@pbem.test")
    server = Server(MemoryStore(), clock, host, Identity(key=b"a key for tests", address="pbem@pbem.test"))
    people = [f"{name}={name}@players.test" for name in ("anton", "bert")]
    tag = server.new_game(Terms(setup=Setup(game="empire")), people).id
    with server.games.work() as desk:
        for member in desk.game(tag).members:
            answer_invitation(desk, desk.game(tag), member, ["join"], clock.now())
    while play_one(server, tag, clock) <= SLOTS:
        pass
    server.archivist(tmp_path).update()
    pages = {page.parent.name: page.read_text("utf-8") for page in (tmp_path / tag).rglob("index.html")}
    assert {tag, "turn-0", f"turn-{SLOTS}"} <= {*pages}
    assert ">1.1</a>" in pages[tag]
    assert any("sets up a farm" in page for page in pages.values())


def play_one(server: Server, tag: str, clock: FakeClock) -> int:
    """An order of the bot; the number of the slot that is awaited then."""
    with server.games.work() as desk:
        session = desk.session(desk.game(tag))
        decision = session.pending()[0]
        order = GAME.bots["substitute"](session.rules, session.state, decision, random.Random(1).randrange)
        Adjudicator(session).play(decision.seat, order, [decision], clock.now(), Cause(kind="bot"))
        publish(desk, desk.game(tag), clock.now())
        return session.state.turn * 2 + session.state.place - 1 if session.state.turn else 0
