"""How much mail a person may bring about: in one letter, in a day, and to people who have never written to us.

What is over it is refused with one sentence, and nothing is lost: the writer can send it again, or later. The work of a
letter is limited where it is read (`adapters.letters`, `language.reader`, `language.press`), and letters that prove
nothing where they are answered (`floods`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from hashlib import sha256
from html import escape

from pbem.core.refusal import Illegal
from pbem.host.calendar.zones import DAY
from pbem.host.ports import OutboxRow, Person, Repository

LETTERS = 20  # because of one letter: its answer, and what is told to a table of six and its moderators
TOLD, TOLD_A_DAY = 2, 12  # of what one player says to all, in one letter and in a day: absences, petitions, remarks
WORDS = 1_900  # characters, as `length` counts them, of what one letter tells all beside orders and press
FURTHER = 1_200  # that each further thing told counts as
PRESIDING = 100  # because of a letter of somebody who leads the game: a few powers, each told to all
# What the game itself has to tell.
TURNS = ("report", "question", "digest", "reminder", "overdue", "substitute", "deputy")
SEASON = "season"  # what a season tells all who are in it; what they may ask of each other has bounds of its own
APPROACHES = 10  # people whom a person has us write to unasked, a day: three tables of four
AGAIN = 7 * DAY  # before somebody who has never written to us is written to once more
LAST = "asked."  # names of the marks: when an address was written to last,
UNWANTED = "unwanted."  # that it wants no mail,
SENT_FOR = "approach."  # and when a person had us write to somebody


class TooMuchMail(Exception):
    """A letter would have brought about more letters than it may."""

    def __init__(self, count: int, most: int) -> None:
        super().__init__(count, most)
        self.count, self.most = count, most


def check_letters(rows: Iterable[OutboxRow], most: int) -> None:
    """So many about each game. Raises `TooMuchMail`. A turn's reports and press are not counted."""
    count = max(Counter(row.game for row in rows if _counts(row)).values(), default=0)
    if count > most:
        raise TooMuchMail(count, most)


def _counts(row: OutboxRow) -> bool:
    return row.kind not in (*TURNS, "tally", SEASON) and ".press." not in row.id and row.due <= row.created


def check_words(code: str, *texts: str, further: int = 0) -> None:
    """What all get to read because of one letter has a limit. Raises `Illegal` with this code.

    `further`: the notices that the letter makes before that of the last text.
    """
    if (read := sum(map(length, texts)) + further * FURTHER) > WORDS:
        raise Illegal(code, most=WORDS, read=read)


def length(text: str) -> int:
    """Characters of plain English that are as long in a letter, where each text stands as it is and in HTML."""
    return (len(text.encode()) + len(escape(text).encode())) // 2


# -- people who have not asked for mail ---


def approach(repository: Repository, by: Person | None, address: str, now: int, *, blindly: bool = False) -> None:
    """A person has us write to an address, unasked. Raises `Illegal`; then nothing has changed.

    `blindly`: whoever asks must not find out whether the address is somebody's.
    """
    check_approach(repository, by, address, now, blindly=blindly)
    note_approach(repository, by, address, now)


def check_approach(repository: Repository, by: Person | None, address: str, now: int, *, blindly: bool = False) -> None:
    """May a person have us write there? None: the operator, who has no limit. Raises `Illegal`.

    Why an address gets no letter is not told: that would tell who has been written to, and what they said.
    """
    if is_unwanted(repository, address):
        raise Illegal("approach.not_now", read=address)
    if by is None:
        return
    last = repository.mark(LAST + _hidden(address))
    is_too_early = (blindly or not has_proved(repository, address)) and last is not None and now < last + AGAIN
    if is_too_early:
        raise Illegal("approach.not_now", read=address)
    first = repository.mark(_first(repository, by)) or 0
    if first > now - DAY:
        raise Illegal("approach.too_many", read=address, most=APPROACHES, at=first + DAY)


def note_approach(repository: Repository, by: Person | None, address: str, now: int) -> None:
    """It was done."""
    if by is not None:
        repository.set_mark(_first(repository, by), now)
        repository.set_mark(LAST + _hidden(address), now)


def refuse_mail(repository: Repository, person: Person, now: int) -> None:
    """Somebody says no to what they were asked; who has never sat at a table gets no such letter any more."""
    if all(
        m.person.id != person.id or m.joined is None for game in repository.games_of(person.id) for m in game.members
    ):
        repository.set_mark(UNWANTED + _hidden(person.address), now)


def is_unwanted(repository: Repository, address: str) -> bool:
    return repository.mark(UNWANTED + _hidden(address)) is not None


def welcome(repository: Repository, address: str) -> None:
    """They write to us themselves, or the operator knows better: they may be written to again."""
    if is_unwanted(repository, address):
        repository.set_mark(UNWANTED + _hidden(address), None)


def _first(repository: Repository, by: Person) -> str:
    """The mark of a person's first approach of the last ones: there are as many as a day may have."""
    names = (f"{SENT_FOR}{by.id}.{number}" for number in range(APPROACHES))
    return min(names, key=lambda name: repository.mark(name) or 0)


def has_proved(repository: Repository, address: str) -> bool:
    """Has a letter ever come from there that proved whose it was?"""
    person = repository.person_at(address)
    mine = repository.addresses(person.id) if person else ()
    return any(each.address == address and each.verified is not None for each in mine)


def _hidden(address: str) -> str:
    """An address that nobody can read out of the books again."""
    return sha256(address.lower().encode()).hexdigest()[:32]
