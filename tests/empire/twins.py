"""Two games by mail that differ only in what is secret: whoever may not know it gets the same letters and pages."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from unittest.mock import patch

from pbem.core.seat import Setup
from pbem.games.empire.rules.state import State
from pbem.host.play.adjudicator import Adjudicator
from pbem.host.ports import Mail
from pbem.host.reporting.publish import publish
from tests.fakes import MemoryStore
from tests.service.bureau import HOUR, Bureau, address

POSITION = (
    "turn {turn}", "slot {0}", "capital {0} C3", "capital {1} J3", "workers {0} C3 3", "workers {1} J3 3",
    "goods {0} C3 60 food, 5 oil, 5 chemicals", "goods {1} J3 60 food, 5 oil, 5 chemicals",
)  # fmt: skip
DIGEST = re.compile(rb"[0-9a-f]{64}")
SECRET = "7" * 64


class Twin(Bureau):
    """A game of Empire; of all twins the seats and dice are the same."""

    def __init__(self, *seats: str, setup: str = "bare", pictures: bool = False, **options: str) -> None:
        self.pictures = pictures
        super().__init__()
        with patch("pbem.host.session.unit_of_work.Games.new_secret", lambda _: SECRET):
            agreed = Setup(game="empire", board="training", setup=setup, options=options)
            self.server.new_game(self.terms(setup=agreed), [f"{name}={address(name)}" for name in seats])
            for name in seats:
                self.write(name, "join")
        self.order: Sequence[str] = self.state.order

    def copied(self, *, pictures: bool = False) -> Twin:
        """The same game, which may go on in another way."""
        made = object.__new__(Twin)
        made.pictures = pictures
        assert isinstance(self.store, MemoryStore)
        Bureau.__init__(made, self.store.copy(), self.identity)
        made.clock.set(self.clock.now())
        made.letters, made.order = self.letters, self.order
        return made

    @property
    def state(self) -> State:
        with self.server.games.work() as desk:
            state = desk.session(desk.game("emp-1")).state
        assert isinstance(state, State)
        return state

    def lay_out(self, *more: str, turn: int = 5) -> None:
        with self.server.games.work() as desk:
            session = desk.session(desk.game("emp-1"))
            lines = (text.format(*self.order, turn=turn) for text in (*POSITION, *more))
            Adjudicator(session).lay_out(self.clock.now(), [session.parser.given(text, 0) for text in lines])
            publish(desk, desk.game("emp-1"), self.clock.now())
        self.tick()

    def write(self, who: str, text: str, **more: str) -> list[Mail]:
        self.clock.advance(HOUR)
        return super().write(who, text, **{"subject": "Re: [emp-1] your slot", **more})

    def told(self, who: str) -> list[Mail]:
        """All that somebody has got."""
        return self.postman.to(address(who))

    def published(self, root: Path) -> Mapping[str, bytes]:
        """Each file of the archive, without the digests of what happened."""
        self.server.archivist(root).build()
        files = (file for file in sorted(root.rglob("*")) if file.is_file())
        return {file.relative_to(root).as_posix(): DIGEST.sub(b"#", file.read_bytes()) for file in files}
