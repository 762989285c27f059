"""A daemon that is killed at any instants of a season: the same log at the end, and each letter once.

A few kills are tried here; with PBEM_DEEP=200 so many.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from contextlib import contextmanager
from typing import NamedTuple

import pytest

from pbem.host.ports import Mail, Repository
from tests.depth import DEEP
from tests.fakes import MemoryStore
from tests.service.bureau import SlowPostman
from tests.service.season import SeasonBureau, settings

AT_ONCE = 20  # kills in one life of a season
SHORT = settings()
SECRET = f"{15:064x}"


class Killed(BaseException):
    """The process is gone: nothing catches it."""


class Death:
    """Kills at some of the steps that a daemon takes, before and after each transaction and each mail."""

    def __init__(self, steps: set[int]) -> None:
        self._steps = steps
        self.taken = 0
        self.is_near = False

    def step(self) -> None:
        self.taken += self.is_near
        if self.is_near and self.taken in self._steps:
            raise Killed


class MortalStore(MemoryStore):
    death: Death

    @contextmanager
    def transaction(self, *, durable: bool = True) -> Iterator[Repository]:
        with super().transaction(durable=durable) as repository:
            yield repository
            self.death.step()
        self.death.step()


class MortalPostman(SlowPostman):
    death: Death

    def send(self, mail: Mail) -> None:
        self.death.step()
        super().send(mail)
        self.death.step()


class MortalBureau(SeasonBureau):
    """Whoever runs the server starts the daemon again whenever it is gone."""

    def __init__(self, death: Death) -> None:
        store = MortalStore()
        store.death = self.death = death
        super().__init__(SHORT, store=store)
        self.postman = MortalPostman()
        self.postman.death = death
        self.restart()

    def restart(self) -> None:
        """What was under way goes out at once, at the same instant."""
        self.restart_with(self._server(0))

    def tick(self, after: int = 0) -> list[Mail]:
        self.clock.advance(after)
        before = len(self.postman.sent)
        while True:
            self.death.is_near = True
            try:
                super().tick()
            except Killed:
                self.restart()
            else:
                return self.postman.sent[before:]
            finally:
                self.death.is_near = False


class Course(NamedTuple):
    log: tuple[bytes, ...]
    letters: dict[str, str]  # to whom, by their ids: what they say is looked up when they go out
    steps: int


def season(steps: set[int]) -> Course:
    """Played to its end, whatever dies on the way."""
    death = Death(steps)
    bureau = MortalBureau(death)
    bureau.begun()
    bureau.to("ended")
    bureau.tick()
    with bureau.store.transaction() as repository:
        log = tuple(repository.acts(bureau.tag))
    letters = {mail.message_id: mail.to for mail in bureau.postman.sent}
    return Course(log, letters, death.taken)


@pytest.fixture(scope="module")
def whole() -> Iterator[Course]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("pbem.host.session.unit_of_work.Games.new_secret", lambda _: SECRET)
        yield season(set())


@pytest.mark.parametrize("seed", range(max(2, DEEP // AT_ONCE)))
def test_a_season_whose_daemon_is_killed_is_the_same_season(
    seed: int, whole: Course, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("pbem.host.session.unit_of_work.Games.new_secret", lambda _: SECRET)
    deaths = {*random.Random(seed).sample(range(1, whole.steps), AT_ONCE)}
    killed = season(deaths)
    assert killed.log == whole.log
    assert killed.letters == whole.letters
