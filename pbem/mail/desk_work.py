"""What a person does with letters that need one: look at them, deal with them again, drop them."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from pbem.host.messages.rows import mark
from pbem.host.ports import Clock, Dead, Noted, Repository, Unknown
from pbem.host.session.unit_of_work import Games
from pbem.mail.inbox import Inbox

Waiting = Noted | Dead


def name_of(one: Waiting) -> str:
    """What a person calls it: short enough to be typed, and safe in a shell."""
    return mark(one.id)[:8] if isinstance(one, Noted) else one.id


def waiting(books: Repository) -> Sequence[Waiting]:
    """Letters to us that a person should look at, then letters of ours that were given up."""
    return [*books.kept(), *books.dead()]


def found(books: Repository, name: str) -> Waiting:
    """The one of that name or id; of letters to us also one that needs nobody. Raises `Unknown`."""
    meant = [one for one in waiting(books) if name in (one.id, name_of(one))]
    noted = books.noted(name)
    if not meant and noted is None:
        raise Unknown(f"No letter that waits is called {name}; `pbem letters list` names them.")
    return meant[0] if meant else noted or meant[0]


def retry(games: Games, inbox: Inbox, clock: Clock, name: str) -> str:
    """What came of it. Raises `Unknown`.

    A letter to us is dealt with as if it came now for the first time, but counts as filed when it was; one of ours
    is sent with the next round.
    """
    with games.work() as desk:
        one = found(desk.books, name)
        if isinstance(one, Dead):
            desk.books.revive(one.id, clock.now())
            return "waits to be sent again"
        raw = desk.books.raw(one.id) if one.kept else None
    if raw is None:
        raise Unknown(f"{name} was dealt with ({one.fate}): only letters that are kept can be tried again.")
    inbox.take(replace(raw, again=raw.again + 1))
    with games.work() as desk:
        return _settled(desk.books, one, raw.again)


def _settled(books: Repository, one: Noted, times: int) -> str:
    """A letter that can be read now has got its own id, and what lay under the other is of no use any more."""
    again = books.raw(one.id)
    if again is None or again.again > times:
        noted = books.noted(one.id)
        return noted.fate if noted else "answered"
    books.drop(one.id)
    return "answered"


def drop(games: Games, name: str) -> str | None:
    """Nobody needs to look at it any more; its id, if it came to us. Raises `Unknown`."""
    with games.work() as desk:
        one = found(desk.books, name)
        if isinstance(one, Dead):
            desk.books.clear_away(one.id)
            return None
        desk.books.drop(one.id)
        return one.id
