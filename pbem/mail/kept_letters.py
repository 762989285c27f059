"""What a person does with letters that need one: look at them, deal with them again, drop them."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from pbem.host.messages.rows import mark
from pbem.host.ports import Clock, Dead, Noted, RawLetter, Repository, Unknown
from pbem.host.session.unit_of_work import Games
from pbem.mail.inbox import Inbox

Kept = Noted | Dead


def name_of(one: Kept) -> str:
    """What a person calls it: short enough to be typed, and safe in a shell."""
    return mark(one.id)[:8] if isinstance(one, Noted) else one.id


class KeptLetters:
    """Letters to us that a person should look at, and letters of ours that were given up. Raises `Unknown`."""

    def __init__(self, games: Games, clock: Clock, inbox: Inbox) -> None:
        self._games = games
        self._clock = clock
        self._inbox = inbox

    def all(self) -> Sequence[Kept]:
        """Those to us first."""
        with self._games.work() as work:
            return _all(work.books)

    def find(self, name: str) -> tuple[Kept, RawLetter | None]:
        """The one of that name or id, with its bytes as far as they are here; of letters to us any."""
        with self._games.work() as work:
            one = _found(work.books, name)
            return one, work.books.raw(one.id)

    def retry(self, name: str) -> str:
        """What came of it.

        A letter to us is dealt with as if it came now for the first time, but counts as filed when it was; one of ours
        is sent with the next round.
        """
        with self._games.work() as work:
            one = _found(work.books, name)
            if isinstance(one, Dead):
                work.books.revive(one.id, self._clock.now())
                return "waits to be sent again"
            raw = work.books.raw(one.id) if one.kept else None
        if raw is None:
            raise Unknown(f"{name} was dealt with ({one.fate}): only letters that are kept can be tried again.")
        self._inbox.take(replace(raw, again=raw.again + 1))
        with self._games.work() as work:
            return _settled(work.books, one, raw.again)

    def drop(self, name: str) -> str | None:
        """Nobody needs to look at it any more; its id, if it came to us."""
        with self._games.work() as work:
            one = _found(work.books, name)
            if isinstance(one, Dead):
                work.books.clear_away(one.id)
                return None
            work.books.drop(one.id)
            return one.id


def _all(books: Repository) -> Sequence[Kept]:
    return [*books.kept(), *books.dead()]


def _found(books: Repository, name: str) -> Kept:
    meant = [one for one in _all(books) if name in (one.id, name_of(one))]
    noted = books.noted(name)
    if not meant and noted is None:
        raise Unknown(f"No letter that waits is called {name}; `pbem letters list` names them.")
    return meant[0] if meant else noted or meant[0]


def _settled(books: Repository, one: Noted, times: int) -> str:
    """A letter that can be read now has got its own id, and what lay under the other is of no use any more."""
    again = books.raw(one.id)
    if again is None or again.again > times:
        noted = books.noted(one.id)
        return noted.fate if noted else "answered"
    books.drop(one.id)
    return "answered"
