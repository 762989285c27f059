"""Which letters a worker takes in hand: some at once, and where several read one mailbox those that no other has.

What a letter leads to must not depend on how many workers there are: letters about one game, and those of one sender,
are dealt with in the order in which they came. So a worker has the locks of what a letter is about for as long as it
deals with it, and passes over whatever comes behind a letter that it has passed over.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack
from functools import partial
from itertools import islice
from typing import TypeAlias

from msgspec import Struct

from pbem.host.ports import (
    Letter,
    LetterReader,
    Locks,
    Mailbox,
    MailboxDown,
    MailFolder,
    RawLetter,
    of_game,
    waited_for,
)
from pbem.host.session.unit_of_work import UnitOfWork
from pbem.mail.context import Context
from pbem.mail.errands import Errands
from pbem.mail.incoming import find_game

ALONE = 10  # letters at once; as many as the mailbox fetches at once
IN_HAND = 5  # where others read, too, so that they find some
_AT_ONCE = 100  # letters that are sorted in one transaction
_NEW = "letters about no game"  # what they begin, such as games, is numbered in their order


Placed: TypeAlias = tuple[RawLetter, MailFolder]
Deal: TypeAlias = Callable[[Sequence[RawLetter]], Iterable[Placed]]  # with letters; each as it is dealt with


class Sorted(Struct, frozen=True):
    """A letter by its header, and the locks of what it is about."""

    head: RawLetter
    about: tuple[str, ...]


class Sorting:
    """Parts the letters among the workers; one that is alone gets them all."""

    def __init__(self, context: Context, read: LetterReader) -> None:
        self._games = context.games
        self._identity = context.identity
        self._locks: Locks = context.games.store.locks
        self._read = read

    def hand_out(self, mailbox: Mailbox, deal: Deal, *, to_the_end: bool) -> None:
        """Have those dealt with that no other worker has in hand, some at a time, and shelved.

        One that does not come so far is known when it is read again. `to_the_end`: behind them those, too, that another
        had in hand and has not dealt with when it lets go of them. Raises `MailboxDown`, and what `deal` does.
        """
        if self._locks.is_alone:
            with Errands(mailbox) as errands:
                for some in errands.ahead(_in_hand(mailbox.unread())):
                    _dealt(some, deal, errands.shelve)
            return
        walk = _Walk(self._locks, self._sorted(mailbox.heads()))
        while True:
            with ExitStack() as hand:
                ours = walk.take(hand)
                if not ours:
                    break
                there = {letter.uid: letter for letter in mailbox.fetch(ours)}
                _dealt([there[head.uid] for head in ours if head.uid in there], deal, mailbox.shelve)
        for each in walk.passed if to_the_end else ():
            with waited_for(self._locks, *each.about):
                _dealt([*mailbox.fetch([each.head])], deal, mailbox.shelve)

    def _sorted(self, heads: Iterable[RawLetter]) -> Iterator[Sorted]:
        rest = iter(heads)
        while some := [(head, self._read(head.raw)) for head in islice(rest, _AT_ONCE)]:
            yield from self._games.do(partial(self._each_about, some))

    def _each_about(self, some: Iterable[tuple[RawLetter, Letter]], work: UnitOfWork) -> list[Sorted]:
        return [Sorted(head, self._about(work, letter)) for head, letter in some]

    def _about(self, work: UnitOfWork, letter: Letter) -> tuple[str, ...]:
        """Its game or season, its sender, and where no game is named what else of that kind there is."""
        about = self._identity.about_of(letter)
        game = None if about else find_game(work, self._identity, letter)
        named = about.partition(".")[0] if about else game.id if game else None
        found = (of_game(named) if named else None, f"sender {letter.sender.lower()}", None if about else _NEW)
        return tuple(each for each in found if each)


def _dealt(some: Sequence[RawLetter], deal: Deal, shelve: Callable[[Sequence[Placed]], None]) -> None:
    """They are shelved while they are ours, so that no other worker takes them up again."""
    done: list[Placed] = []
    try:
        for each in deal(some):
            done.append(each)
    finally:
        if done:
            shelve(done)


def _in_hand(letters: Iterable[RawLetter]) -> Iterator[Sequence[RawLetter]]:
    """Some at a time; where the mailbox is gone on the way, those that have come before."""
    some: list[RawLetter] = []
    try:
        for letter in letters:
            some.append(letter)
            if len(some) == ALONE:
                yield some
                some = []
    except MailboxDown:
        if some:
            yield some
        raise
    if some:
        yield some


class _Walk:
    """Once along all that waits."""

    def __init__(self, locks: Locks, waiting: Iterator[Sorted]) -> None:
        self._locks = locks
        self._waiting = waiting
        self._busy: set[str] = set()  # what the letters are about that were passed over
        self.passed: list[Sorted] = []

    def take(self, hand: ExitStack) -> list[RawLetter]:
        """The headers of the next few that are free; `hand` lets go of their locks."""
        ours: list[RawLetter] = []
        for each in self._waiting:
            if self._busy.isdisjoint(each.about) and self._locks.take(each.about):
                hand.callback(self._locks.release, each.about)
                ours.append(each.head)
            else:
                self.passed.append(each)
                self._busy.update(each.about)
            if len(ours) == IN_HAND:
                break
        return ours
