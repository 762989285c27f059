"""What a person does with letters that need one: look at them, deal with them again, drop them."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from pbem.host.messages.rows import mark
from pbem.host.ports import Dead, Noted, RawLetter, Repository, Unknown
from pbem.mail.context import Context
from pbem.mail.inbox import Inbox

Kept = Noted | Dead


def name_of(one: Kept) -> str:
    """What a person calls it: short enough to be typed, and safe in a shell."""
    return mark(one.id)[:8] if isinstance(one, Noted) else one.id


class KeptLetters:
    """Letters to us that a person should look at, and letters of ours that were given up. Raises `Unknown`."""

    def __init__(self, context: Context, inbox: Inbox) -> None:
        self._games = context.games
        self._clock = context.clock
        self._inbox = inbox

    def all(self) -> Sequence[Kept]:
        """Those to us first."""
        with self._games.work() as work:
            return _all(work.repository)

    def find(self, name: str) -> tuple[Kept, RawLetter | None]:
        """The one of that name or id, with its bytes as far as they are here; of letters to us any."""
        with self._games.work() as work:
            one = _found(work.repository, name)
            return one, work.repository.raw(one.id)

    def retry(self, name: str) -> str:
        """What came of it.

        A letter to us is dealt with as if it came now for the first time, but counts as filed when it was; one of ours
        is sent with the next round.
        """
        with self._games.work() as work:
            one = _found(work.repository, name)
            if isinstance(one, Dead):
                work.repository.revive(one.id, self._clock.now())
                return "waits to be sent again"
            raw = work.repository.raw(one.id) if one.kept else None
        if raw is None:
            raise Unknown(f"{name} was dealt with ({one.fate}): only letters that are kept can be tried again.")
        self._inbox.take(replace(raw, again=raw.again + 1))
        with self._games.work() as work:
            return _settled(work.repository, one, raw.again)

    def drop(self, name: str) -> str | None:
        """Nobody needs to look at it any more; its id, if it came to us."""
        with self._games.work() as work:
            one = _found(work.repository, name)
            if isinstance(one, Dead):
                work.repository.clear_away(one.id)
                return None
            work.repository.drop(one.id)
            return one.id


def _all(repository: Repository) -> Sequence[Kept]:
    return [*repository.kept(), *repository.dead()]


def _found(repository: Repository, name: str) -> Kept:
    meant = [one for one in _all(repository) if name in (one.id, name_of(one))]
    noted = repository.noted(name)
    if not meant and noted is None:
        raise Unknown(f"No letter that waits is called {name}; `pbem letters list` names them.")
    return meant[0] if meant else noted or meant[0]


def _settled(repository: Repository, one: Noted, times: int) -> str:
    """A letter that can be read now has got its own id, and what lay under the other is of no use any more."""
    again = repository.raw(one.id)
    if again is None or again.again > times:
        noted = repository.noted(one.id)
        return noted.fate if noted else "answered"
    repository.drop(one.id)
    return "answered"
