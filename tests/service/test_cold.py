"""Letters are the same, to the byte, whether pieces of them were remembered or each is made as if it were the first."""

from __future__ import annotations

import gc
from functools import _lru_cache_wrapper

import pytest

from pbem.adapters.composing import FromAddress, compose
from pbem.adapters.store.rows import Rows
from pbem.games.imperial.bots import BOTS
from pbem.host.ports import Mail
from pbem.render.wording import Wording
from tests.fakes import MemoryStore
from tests.service.bureau import HOST, NAMES, Bureau

TURNS, PLAYERS = 2, 2


def _is_ours(cache: _lru_cache_wrapper[object]) -> bool:
    """Does it remember what was made for letters? What is read once from a file is no matter here."""
    return cache.__module__.startswith("pbem.") and cache.cache_parameters()["maxsize"] is not None


class Forgetful(Bureau):
    """A server that shows pictures, and may forget what it made whenever it has sent a letter."""

    pictures = True

    def __init__(self, opened: Bureau, *, forgets: bool) -> None:
        assert isinstance(opened.store, MemoryStore)
        super().__init__(opened.store.copy(), opened.identity)
        self.clock.set(opened.clock.now())
        self.mails: list[bytes] = []
        gc.unfreeze()  # what is frozen is not told
        found = gc.get_objects()
        self._caches = [each for each in found if isinstance(each, _lru_cache_wrapper) and _is_ours(each)]
        self._wordings = [each for each in found if isinstance(each, Wording)]
        gc.freeze()
        assert self._caches
        self.postman.delay = self._forgetting if forgets else self._keep

    def _keep(self, mail: Mail) -> None:
        self.mails.append(compose(mail, FromAddress(address=HOST), self.clock.now()))

    def _forgetting(self, mail: Mail) -> None:
        self._keep(mail)
        for kept in self._caches:
            kept.cache_clear()
        for wording in self._wordings:
            wording._made_once.clear()
            wording._filled_before.clear()

    def play(self) -> None:
        """Two play, who read one language in two zones."""
        self.write(NAMES[0], "language it")
        self.write(NAMES[1], "language it\nzone Australia/Sydney")
        for _ in range(TURNS):
            with self.server.games.work() as work:
                session = work.session(work.game("imp-1"))
                decision = session.pending()[0]
                order = BOTS["greedy"](session.rules, session.state, decision, lambda _: 0)  # type: ignore[arg-type]
                seat, text = decision.seat, session.rules.notation.write(order)
            self.write(seat, text)


def test_what_is_remembered_changes_no_byte(lots: None, monkeypatch: pytest.MonkeyPatch) -> None:
    opened = Bureau()
    opened.open(PLAYERS)
    warm = Forgetful(opened, forgets=False)
    warm.play()
    cold = Forgetful(opened, forgets=True)  # it finds all that words letters by now
    assert cold._wordings
    monkeypatch.setattr(Rows, "_remember", lambda *_: None)
    cold.play()
    assert len(warm.mails) > TURNS * PLAYERS
    assert any(b"image/png" in mail for mail in warm.mails)
    assert cold.mails == warm.mails
