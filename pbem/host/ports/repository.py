"""The store of all games and letters."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager
from typing import Protocol

from pbem.host.ports.leagues import LeagueBooks
from pbem.host.ports.locks import Locks
from pbem.host.ports.ratings import RatingBooks
from pbem.host.ports.records import (
    Address,
    Claim,
    Dead,
    FiledOrder,
    Game,
    Mailed,
    Noted,
    OutboxRow,
    Person,
    Press,
    RawLetter,
    Slot,
    Vitals,
)


class Repository(LeagueBooks, RatingBooks, Protocol):
    """The store inside one transaction: all of it happens, or nothing."""

    def anew(self) -> Repository:
        """The same books in the same transaction, as whoever comes behind finds them: nothing is `fresh`."""

    def trial(self) -> AbstractContextManager[Repository]:
        """Books with all that has been done so far; whatever is done in them is taken back when the block ends."""

    def fate(self, letter: str) -> str | None:
        """What became of a letter that has been dealt with; None when it has not."""

    def note(self, letter: str, raw: RawLetter, *, sender: str, subject: str, game: str | None, fate: str) -> None:
        """Keep the mark that this letter has been dealt with, where it lay, and what became of it."""

    def add_game(self, game: Game) -> None: ...
    def game(self, game: str) -> Game | None: ...
    def games(self, status: str | None = None) -> Sequence[Game]: ...
    def last_game(self, tag: str) -> int:
        """The highest number of a game with this tag before it; 0: there is none."""

    def save_game(self, game: Game) -> None:
        """Replace status, set-up, members and moderators of a game that exists."""

    def games_of(self, person: int) -> Sequence[Game]:
        """The games this person is a member of, oldest first."""

    def add_person(self, name: str, address: str, at: int, *, language: str = "en", zone: str = "UTC") -> Person:
        """Enter somebody with their first address. Raises `Taken` when it is somebody's."""

    def people_at(self, domain: str) -> int:
        """How many people have their letters sent to addresses there."""

    def add_stranger(self, name: str, number: int | None = None) -> Person:
        """Enter somebody of another server, without an address; `number` where they are known by one."""

    def person(self, person: int) -> Person | None: ...
    def person_at(self, address: str) -> Person | None:
        """Whose address this is."""

    def save_person(self, person: Person) -> None:
        """Replace what is known of a person who exists."""

    def addresses(self, person: int) -> Sequence[Address]:
        """All they have, the oldest first."""

    def save_address(self, address: Address) -> None:
        """Enter an address, or replace what is known of it. Raises `Taken` when it is somebody else's."""

    def remove_address(self, address: str) -> None: ...

    def claims(self, person: int) -> Sequence[Claim]:
        """The addresses that a person has asked for, the oldest claim first."""

    def save_claim(self, claim: Claim) -> None:
        """Enter that a person has asked for an address, whoever has it; in the place of an older claim to it."""

    def remove_claim(self, person: int, address: str) -> None: ...

    def waiting(self) -> Sequence[Person]:
        """Who would take a seat that becomes free, in the order in which they came."""

    def wait(self, person: int, since: int) -> None:
        """Enter somebody behind the others, unless they wait already."""

    def wait_no_more(self, person: int) -> None: ...
    def entries(self, game: str, after: int = -1) -> Sequence[bytes]:
        """The encoded entries with a sequence number above `after`, in order."""

    def append(self, game: str, seq: int, entry: bytes) -> None:
        """Raises `Taken` when the sequence number is."""

    def filed(self, game: str) -> Sequence[FiledOrder]: ...
    def file(self, game: str, order: FiledOrder) -> None: ...
    def discard(self, game: str, order: FiledOrder) -> None: ...

    def press(self, game: str) -> Sequence[Press]:
        """All press of a game, by number."""

    def add_press(self, game: str, press: Press) -> None:
        """Raises `Taken` when the number is."""

    def slots(self, game: str) -> Sequence[Slot]: ...
    def put_slot(self, game: str, slot: Slot) -> None: ...
    def close_slot(self, game: str, key: str) -> None: ...
    def due_slots(self, before: int) -> Sequence[tuple[str, Slot]]:
        """Slots that are due before the instant, with their games, earliest first."""

    def next_due(self) -> int | None:
        """When the first slot is due."""

    def post(self, rows: Iterable[OutboxRow]) -> None:
        """Queue letters, in this order; one whose id is taken gets the next that is free: see `numbered`."""

    @property
    def fresh(self) -> Sequence[OutboxRow]:
        """What has been posted in this transaction, in this order."""

    def answers(self, game: str, seat: str | None, to: Sequence[str]) -> Iterable[OutboxRow]:
        """Our answers to letters about a seat that went to one of these addresses, the newest first."""

    def posted(self, posts: Sequence[str]) -> Collection[str]:
        """Of which of these ids is there a row, whatever became of it?"""

    def due(self, now: int, limit: int = 100, matter: str | None = None) -> Sequence[OutboxRow]:
        """Rows that are due (in that matter)."""

    def take(self, row: OutboxRow, until: int) -> bool:
        """One attempt more; nobody else gets it before `until`. Unless something has become of it since it was read.

        Is it ours now?
        """

    def next_matter(self, now: int, apart: Collection[str]) -> str | None:
        """What the first row is about that is due, apart from these: its game, else its reader's address."""

    def waiting_with(self, row: OutboxRow, until: int) -> Iterable[OutboxRow]:
        """That row and those for the same reader of the same game that are due by then and were never tried.

        In the order of their posting, a few at a time.
        """

    def gather(self, row: OutboxRow) -> None:
        """It tells something else from now on."""

    def next_post(self) -> int | None:
        """When the next row is due."""

    def delivered(self, post: str, at: int) -> None: ...
    def put_away(self, post: str) -> None:
        """There is nothing to say any more: the row never goes out."""

    def postpone(self, post: str, due: int) -> None:
        """The attempt has failed; try again at `due`."""

    def put_back(self, post: str, due: int) -> None:
        """It was not tried after all: it is due then, and the attempt does not count."""

    def bury(self, post: str, reason: str) -> None:
        """Give a row up; it stays in the books, dead, with the reason."""

    def polled(self) -> int | None:
        """When the last completed poll of the mailbox began."""

    def set_polled(self, at: int) -> None: ...

    def moved(self) -> Mapping[str, int]:
        """Games with something new for the archive, and their last entries then."""

    def set_moved(self, game: str, seq: int) -> None: ...
    def settle_move(self, game: str, seq: int) -> None:
        """The archive has the game up to that entry; what came after it stays noted."""

    def mark(self, name: str) -> int | None:
        """An instant that was noted under this name."""

    def set_mark(self, name: str, at: int | None) -> None:
        """Note an instant under this name, in the place of another; None: forget it."""

    def count(self, name: str) -> int:
        """Note one more in the place of the number under this name; how many they are then."""

    # -- what the games know nothing of: letters as they came, mail that was given up ---

    def filed_since(self, fates: Sequence[str], after: int) -> Sequence[tuple[str, int]]:
        """Senders and filing times of the letters filed after then of which one of these things became."""

    def keep(self, letter: str, raw: RawLetter, at: int, *, kept: bool) -> None:
        """Hold on to the bytes of a letter, in the place of what was held: for a time, or until it is dropped."""

    def kept(self) -> Sequence[Noted]:
        """The letters that a person should look at, in the order of filing."""

    def last(self, game: str, most: int) -> Sequence[Noted]:
        """The last letters about a game, the newest first."""

    def noted(self, letter: str) -> Noted | None:
        """What became of a letter."""

    def raw(self, letter: str) -> RawLetter | None:
        """A letter as it came, if its bytes are still there."""

    def forget(self, letter: str) -> None:
        """Take the mark away that it has been dealt with; its bytes stay."""

    def drop(self, letter: str) -> None:
        """Let go of its bytes; the mark stays."""

    def expire(self, before: int, kept_before: int) -> int:
        """Let go of bytes put by before then, of those kept for a person before the other instant; how many letters."""

    def letters_from(self, address: str) -> Sequence[Noted]:
        """All letters that came from there, in the order of filing."""

    def mail_to(self, address: str, game: str | None = None) -> Sequence[Mailed]:
        """All rows of the outbox that are for there (about that game), oldest first."""

    def erase_mail(self, address: str) -> None:
        """Forget what was written from there and to there; only that those letters were dealt with is remembered."""

    def shed(self, before: int, *, sent: bool, after: tuple[int, int] | None, most: int) -> tuple[int, int] | None:
        """Let go of mail that was due before then and is out (or never will be), where nobody asks for it.

        Of a game that people are still asked to, of a season that has something to come, of all that was posted since a
        game's oldest question was opened, and of what went out last, everything stays. It looks at no more than so many
        rows, in the order in which they were due, `after` the one at which it stopped last. Returns where it stops;
        None: at the end.
        """

    def dead(self) -> Sequence[Dead]:
        """The rows of the outbox that were given up, oldest first."""

    def revive(self, post: str, due: int) -> None:
        """A dead row is tried again from then on, as if for the first time."""

    def clear_away(self, post: str) -> None:
        """A dead row is of no interest any more; its id stays taken."""

    def later_than(self, then: int) -> Sequence[str]:
        """Running games that have an entry, a slot or a paper that binds of after then, in the order of their ids."""

    def bring_back(self, now: int, later: int) -> None:
        """No mark and no letter of ours is of after `now`, and none but reminders waits until after `later`."""

    def tally(self, name: str) -> None:
        """One more of these."""

    def vitals(self, now: int) -> Vitals: ...


class Unknown(LookupError):
    """There is nothing of that name; one sentence for whoever has asked for it."""


class Conflict(Exception):
    """Another writer was at work; the transaction is to be tried again."""


class Taken(Exception):
    """What must be unique is there already.

    Another writer was first, and then the transaction goes well when it is tried again; or we have made one key twice,
    and then it never does: a fault of ours.
    """


class StoreDown(Exception):
    """The books can't be used now: they are locked for long, the disk is full, their server is gone."""


class Store(Protocol):
    @property
    def locks(self) -> Locks:
        """Between the workers that serve these books."""

    def transaction(self, *, durable: bool = True) -> AbstractContextManager[Repository]:
        """All of the block happens, or nothing. Raises `Conflict`, `Taken` and `StoreDown`.

        However we end, what has happened stays so. Should the computer lose power, what is not `durable` has happened
        as far as it was followed by a write that is, or nothing of it and of what came behind it.
        """

    def secure(self) -> None:
        """What has happened until now is durable. Raises `Conflict`, `StoreDown`."""

    def close(self) -> None: ...
