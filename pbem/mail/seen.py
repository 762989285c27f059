"""Which letter it is that came, and how often it was met.

None may come round after round, and keep the others from being read: a meeting is written down before the letter is
looked at, so that one counts, too, that kills or hangs the daemon. (Letters do not cut the power, so that it need not
be durable.)

The same one twice is dealt with once, but two that bear one Message-ID are two: anybody can put another's Message-ID
into a letter, also before that one is written. So a letter is the same only if it comes from the same sender and says
the same.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from msgspec import Struct
from msgspec.structs import replace

from pbem.host.messages.rows import mark
from pbem.host.ports import Letter, LetterReader, Noted, RawLetter, Repository
from pbem.host.session.unit_of_work import Games, UnitOfWork
from pbem.mail.rate_limit import FLOOD, UNPROVED

ROUNDS = 3  # in which a letter is tried; then it is moved aside


class Attempts:
    """Counts them in the books, by the place where the letter lies in the mailbox."""

    def __init__(self, games: Games) -> None:
        self._games = games
        self._excused: Counter[str] = Counter()  # what was no fault of the letter's

    def another(self, raw: RawLetter) -> int:
        """The letter is met now; for the how manieth time. Raises `Conflict`, `StoreDown`."""
        name = _name(raw)
        return self._games.do(lambda work: work.repository.count(name), durable=False) - self._excused[name]

    def are_new(self, raws: Sequence[RawLetter]) -> bool:
        """Was none of them met before? Then all are met now, for the first time. Raises `Conflict`, `StoreDown`.

        Which of them kills the daemon is seen when they are met again, one by one: the others come behind it.
        """
        return self._games.do(lambda work: self._met_together(work, raws), durable=False)

    def _met_together(self, work: UnitOfWork, raws: Sequence[RawLetter]) -> bool:
        if any((work.repository.mark(_name(raw)) or 0) > self._excused[_name(raw)] for raw in raws):
            return False
        for raw in raws:
            work.repository.count(_name(raw))
        return True

    def excuse(self, raw: RawLetter) -> None:
        """The last meeting does not count: nothing could be done for any letter then."""
        self._excused[_name(raw)] += 1

    def over(self, work: UnitOfWork, raw: RawLetter) -> None:
        """The letter has been dealt with."""
        work.repository.set_mark(_name(raw), None)


def _name(raw: RawLetter) -> str:
    return f"met {raw.uidvalidity}.{raw.uid}"


# -- the same one twice ---


class Known(Struct, frozen=True, kw_only=True):
    """A letter under the id by which the books know it, or will."""

    letter: Letter
    fate: str | None = None  # what became of it, if it has been dealt with
    is_resent: bool = False  # the writer's letter of that Message-ID was dealt with, and this one says something else


def recognised(repository: Repository, letter: Letter, raw: RawLetter, read: LetterReader) -> Known:
    """docs/reference/procedure.md, section 8.3: the same Message-ID twice is dealt with once."""
    first = repository.noted(letter.id)
    if first is None:
        return Known(letter=letter)
    if not _is_from(first, letter):
        letter = replace(letter, id=f"{letter.id} {mark(letter.sender.lower())}")
        first = repository.noted(letter.id)
    if first is None or not _says_else(repository, first, letter, raw, read):
        return Known(letter=letter, fate=first.fate if first else None)
    other = replace(letter, id=f"{letter.id} {mark(''.join(letter.lines))}")
    return Known(letter=other, fate=repository.fate(other.id), is_resent=not _proved_nothing(first))


def _is_from(noted: Noted, letter: Letter) -> bool:
    """Of somebody who was erased only the mark is left that the letter was dealt with."""
    is_erased = not noted.sender and noted.fate != "ignored no_sender"
    return is_erased or noted.sender.lower() == letter.sender.lower()


def _says_else(repository: Repository, noted: Noted, letter: Letter, raw: RawLetter, read: LetterReader) -> bool:
    """What came on another way bears other marks of the way, and is the same letter."""
    if _was_a_machines(noted) and letter.ignored is None:
        return True
    held = repository.raw(noted.id)
    if held is None or raw.raw.startswith(held.raw) or held.raw.startswith(raw.raw):
        return False
    return read(held.raw).lines != letter.lines


def _was_a_machines(noted: Noted) -> bool:
    return noted.fate.startswith("ignored ") and noted.fate != FLOOD


def _proved_nothing(noted: Noted) -> bool:
    """Was it perhaps somebody else's, under the writer's name? Then it takes nothing from the writer's own letter."""
    return _was_a_machines(noted) or noted.fate in UNPROVED
