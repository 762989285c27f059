"""A small game of Empire by letters, for its golden letters: two seats, a battle, records, a reminder, the end."""

from __future__ import annotations

import random
from collections.abc import Iterator
from contextlib import contextmanager
from unittest.mock import patch

from pbem.adapters.mail_renderer.renderer import AllPages
from pbem.bootstrap import Server
from pbem.core.seat import Setup
from pbem.host.messages import letters
from pbem.host.play.adjudicator import Adjudicator
from pbem.host.ports import Mail
from pbem.host.reporting.publish import publish
from pbem.mail.mail_writer import Envelope
from tests.service.bureau import HOUR, Bureau

LOOKED_UP = {
    "board": "board C3",
    "history": "history",
    "move_order": "move order",
    "records": "records anton",
    "records_of_a_square": "records C3",
    "rules": "rules",
}
SHEETS = ("economic", "hup 1", "military", "cities", "turn 1", "trade", "linear", "inle", "countries")
FACES = 6
FIRST_SLOT = """
1 worker C3 - C4; 1 worker C3 - B3; 1 worker C3 - B2
farm C4, B3, B2
build power station at C3
make 2 steel at C3
"""
WAR = ("unit anton INF1 I3", "unit anton INF2 I2", "unit bert SAC9 J2", "goods anton C3 5 chemicals, 10 food, 3 steel")


class LettersGame(Bureau):
    """Its letters, as they were handed to whoever words them."""

    office = Server

    def __init__(self) -> None:
        super().__init__()
        self.worded: list[tuple[letters.Message, Envelope]] = []

    def send(self, who: str, text: str) -> None:
        self.write(who, text, subject="Re: [emp-1] your slot")

    def last(self, who: str) -> letters.Message:
        """The last letter to somebody."""
        return next(content for content, told in reversed(self.worded) if told.to.startswith(f"{who}@"))

    def lay_out(self, *lines: str) -> None:
        with self.server.games.work() as desk:
            game = desk.game("emp-1")
            session = desk.session(game)
            read = [session.parser.given(line, number) for number, line in enumerate(lines)]
            Adjudicator(session).lay_out(self.clock.now(), read)
            publish(desk, game, self.clock.now())
        self.tick()


def lot(_: bytes, purpose: str, among: int) -> int:
    """Dice show their highest face, so that an attack succeeds; of all else the first is drawn."""
    return among - 1 if among == FACES else 0


@contextmanager
def _listening(game: LettersGame) -> Iterator[None]:
    """What is worded while this lasts is kept, too."""
    worded = AllPages.mail

    def mail(self: AllPages, content: letters.Message, envelope: Envelope) -> Mail:
        game.worded.append((content, envelope))
        return worded(self, content, envelope)

    with patch.object(AllPages, "mail", mail), patch("pbem.core.chance.draw", lot):
        yield


def played() -> dict[str, letters.Message]:
    """One of each kind, by name."""
    game, found = LettersGame(), {}

    def keep(name: str, who: str) -> None:
        found[name] = game.last(who)

    game.server.games.secrets = random.Random(1)  # type: ignore[assignment]
    with _listening(game):
        setup = Setup(game="empire", options={"end_turns": "2"})
        people = [f"{name}={name}@players.test" for name in ("anton", "bert")]
        game.server.new_game(game.terms(setup=setup), people)
        game.tick()
        keep("invitation", "anton")
        game.send("anton", "join")
        game.send("bert", "join")
        keep("opening", "anton")
        keep("opening_of_another", "bert")
        game.send("anton", "capital C3 else J3")
        keep("question_capital", "bert")
        game.send("bert", "capital J3")
        keep("question_picks", "anton")
        game.send("bert", "picks truck, road")
        game.send("anton", "picks truck, road")
        keep("notice_of_a_slot", "anton")
        keep("notice_to_others", "bert")
        game.send("anton", FIRST_SLOT)
        keep("answer", "anton")
        game.send("anton", "draft\n1 worker C3 - C2\nfarm C2")
        keep("answer_of_a_draft", "anton")
        game.tick(12 * HOUR)
        keep("reminder", "anton")
        game.lay_out(*WAR)
        game.send("anton", "preview\nattack J2 with INF1, INF2 advance")
        keep("answer_preview", "anton")
        game.send("anton", "attack J2 with INF1, INF2 advance")
        keep("answer_battle", "anton")
        game.send("anton", "transfer COW1 to bert")
        game.send("anton", "rollout")
        keep("slot_report_own", "anton")
        keep("slot_report_of_losses", "bert")
        for sheet in SHEETS:
            game.send("bert", f"records anton {sheet}")
            keep(f"records_{sheet.partition(' ')[0]}", "bert")
        for name, line in LOOKED_UP.items():
            game.send("bert", line)
            keep(name, "bert")
        game.tick(25 * HOUR)
        keep("turn_report", "anton")
        keep("turn_report_to_others", "bert")
        game.tick(25 * HOUR)
        game.tick(25 * HOUR)
        keep("final", "anton")
    return found
