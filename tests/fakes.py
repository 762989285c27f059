"""Fulfilments of the service's ports that live in memory: for tests, and for nothing else."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, fields
from typing import Any

from msgspec.structs import replace

from pbem.adapters.mime import read_letter
from pbem.host.messages.outbox import numbered
from pbem.host.ports import (
    Address,
    Claim,
    Dead,
    FiledOrder,
    Game,
    Mail,
    MailboxDown,
    Mailed,
    MailFolder,
    Noted,
    OutboxRow,
    Person,
    PostDown,
    Press,
    RawLetter,
    Slot,
    StoreDown,
    Taken,
    Undelivered,
    Unknown,
    Vitals,
)


class FakeClock:
    """A clock that stands still until the test moves it."""

    def __init__(self, now: int = 1_800_000_000) -> None:
        self._now = now
        self._elapsed = 0.0

    def now(self) -> int:
        """The instant last set."""
        return self._now

    def set(self, now: int) -> None:
        """Let time pass up to this instant, or put the hands back to it."""
        self._elapsed += max(0, now - self._now)
        self._now = now

    def elapsed(self) -> float:
        """What has gone by, wherever the hands were put."""
        return self._elapsed

    def leap(self, seconds: int) -> None:
        """Put the hands forward or back, while no time passes."""
        self._now += seconds

    def advance(self, seconds: int) -> int:
        """Let time pass; returns the new instant."""
        self._now += seconds
        self._elapsed += seconds
        return self._now


class FakeMailbox:
    """An inbox that tests put letters into; `shelved` tells where they went."""

    def __init__(self) -> None:
        self.inbox: list[RawLetter] = []
        self.shelved: list[tuple[RawLetter, MailFolder]] = []
        self.waits: list[float] = []
        self.down = False
        self.stuck: str | None = None  # a reason why no letter leaves the inbox
        self.before_unread: Callable[[], object] = lambda: None
        self._last_uid = 0

    def add(self, raw: bytes, arrived: int, *, cut: int | None = None) -> RawLetter:
        """Let a letter arrive; one of more than `cut` bytes with its header alone."""
        self._last_uid += 1
        letter = RawLetter(uid=self._last_uid, uidvalidity=1, arrived=arrived, raw=raw, size=len(raw))
        if cut is not None and len(raw) > cut:
            letter = replace(letter, raw=raw.partition(b"\r\n\r\n")[0] + b"\r\n\r\n", cut=cut)
        self.inbox.append(letter)
        return letter

    def unread(self) -> Sequence[RawLetter]:
        """The letters in the inbox, by filing time, then UID."""
        self.before_unread()
        self._check_up()
        return sorted(self.inbox, key=lambda letter: (letter.arrived, letter.uid))

    def shelve(self, letter: RawLetter, shelf: MailFolder) -> None:
        """Move the letter out of the inbox; done twice, it stays where it is."""
        self._check_up()
        if letter in self.inbox and self.stuck is None:
            self.inbox.remove(letter)
            self.shelved.append((letter, shelf))

    def expire(self, shelf: MailFolder, before: int, known: Callable[[str], bool]) -> int:
        """Forget old letters on that shelf."""
        self._check_up()
        over = [each for each in self.on(shelf) if each.arrived < before and known(read_letter(each.raw).id)]
        self.shelved = [(each, where) for each, where in self.shelved if where is not shelf or each not in over]
        return len(over)

    def wait(self, seconds: float) -> None:
        """Return at once, and remember how long it might have been."""
        self._check_up()
        self.waits.append(seconds)

    def on(self, shelf: MailFolder) -> list[RawLetter]:
        """The letters on this shelf, in the order in which they came there."""
        return [letter for letter, where in self.shelved if where is shelf]

    def _check_up(self) -> None:
        if self.down:
            raise MailboxDown("the test took the mailbox down")


class FakePostman:
    """Collects what it is given, in `sent`, unless told to fail."""

    def __init__(self) -> None:
        self.sent: list[Mail] = []
        self._failures: list[Undelivered] = []
        self._unreachable: dict[str, Undelivered] = {}
        self.down = False

    def send(self, mail: Mail) -> None:
        """Hand the mail over; raises `Undelivered` or `PostDown` when the test wants it so."""
        if self.down:
            raise PostDown("the test took the server down")
        if self._failures:
            raise self._failures.pop(0)
        if mail.to in self._unreachable:
            raise self._unreachable[mail.to]
        self.sent.append(mail)

    def fail(self, reason: str = "451 try again", *, permanent: bool = False, times: int = 1) -> None:
        """Refuse the next mails."""
        self._failures += [Undelivered(reason, permanent=permanent) for _ in range(times)]

    def refuse(self, address: str, reason: str = "550 unknown", *, permanent: bool = True) -> None:
        """Refuse everything to this address from now on."""
        self._unreachable[address] = Undelivered(reason, permanent=permanent)

    @property
    def failures_left(self) -> int:
        """How many of the next mails will be refused."""
        return len(self._failures)

    def mend(self) -> None:
        """Take everything again."""
        self._failures.clear()
        self._unreachable.clear()

    def to(self, address: str) -> list[Mail]:
        """The mails that went to this address."""
        return [mail for mail in self.sent if mail.to == address]


@dataclass
class _Tables:
    """What the store holds. The values never change, so a copy of the tables is a copy of everything."""

    letters: dict[str, str] = field(default_factory=dict)
    games: dict[str, Game] = field(default_factory=dict)
    people: dict[int, Person] = field(default_factory=dict)
    addresses: dict[str, Address] = field(default_factory=dict)
    claims: dict[tuple[int, str], Claim] = field(default_factory=dict)
    waiting: dict[int, int] = field(default_factory=dict)
    entries: dict[tuple[str, int], bytes] = field(default_factory=dict)
    papers: dict[tuple[str, str, str, str], FiledOrder] = field(default_factory=dict)
    press: dict[tuple[str, int], Press] = field(default_factory=dict)
    slots: dict[tuple[str, str], Slot] = field(default_factory=dict)
    outbox: dict[str, OutboxRow] = field(default_factory=dict)
    settled: dict[str, int | str] = field(default_factory=dict)  # when a row went out, or why it never will
    marks: dict[str, int] = field(default_factory=dict)
    moves: dict[str, int] = field(default_factory=dict)
    notes: dict[str, tuple[Noted, RawLetter]] = field(default_factory=dict)
    raws: dict[str, tuple[RawLetter, int, bool]] = field(default_factory=dict)
    tallies: dict[str, int] = field(default_factory=dict)

    def copy(self) -> _Tables:
        return _Tables(**{table.name: dict(getattr(self, table.name)) for table in fields(self)})


class FakeStore:
    """A store in memory: a transaction works on a copy, which is kept when the block ends well."""

    def __init__(self) -> None:
        self._tables = _Tables()
        self._one_writer = threading.Lock()
        self.down = False
        self._thread = threading.local()

    @contextmanager
    def transaction(self) -> Iterator[FakeBooks]:
        """The books, for as long as the block lasts: all of it happens, or nothing."""
        if getattr(self._thread, "busy", False):
            raise RuntimeError("this thread already has a transaction open")
        if self.down:
            raise StoreDown("the test took the books away")
        with self._one_writer:
            self._thread.busy = True
            try:
                tables = self._tables.copy()
                yield FakeBooks(tables)
                self._tables = tables
            finally:
                self._thread.busy = False

    def close(self) -> None:
        """There is nothing to let go of."""

    def copy(self) -> FakeStore:
        """Another store that holds the same now."""
        made = FakeStore()
        made._tables = self._tables.copy()
        return made

    def fates(self) -> Mapping[str, str]:
        """What became of each letter."""
        return dict(self._tables.letters)

    def posted(self) -> Sequence[OutboxRow]:
        """Every row that was ever put into the outbox, in that order."""
        return list(self._tables.outbox.values())


class FakeBooks:
    """The books inside one transaction."""

    def __init__(self, tables: _Tables) -> None:
        self._tables = tables
        self.fresh: list[OutboxRow] = []

    @contextmanager
    def trial(self) -> Iterator[FakeBooks]:
        """Work on a copy that nobody keeps."""
        yield FakeBooks(self._tables.copy())

    def fate(self, letter: str) -> str | None:
        return self._tables.letters.get(letter)

    def note(self, letter: str, raw: RawLetter, *, sender: str, subject: str, game: str | None, fate: str) -> None:
        _check_free(letter, self._tables.letters)
        self._tables.letters[letter] = fate
        noted = Noted(id=letter, arrived=raw.arrived, sender=sender, subject=subject, game=game, fate=fate)
        self._tables.notes[letter] = noted, raw

    def filed_since(self, fates: Sequence[str], after: int) -> Sequence[tuple[str, int]]:
        notes = [note for letter in self._tables.letters if (note := self.noted(letter))]
        found = sorted((note.arrived, note.id, note.sender) for note in notes if note.fate in fates)
        return [(sender, at) for at, _, sender in found if at > after]

    def keep(self, letter: str, raw: RawLetter, at: int, *, kept: bool) -> None:
        self._tables.raws[letter] = raw, at, kept

    def kept(self) -> Sequence[Noted]:
        found = (self.noted(letter) for letter in self._tables.letters)
        return sorted((each for each in found if each and each.kept), key=lambda each: (each.arrived, each.id))

    def last(self, game: str, most: int) -> Sequence[Noted]:
        about = [note.id for note, _ in self._tables.notes.values() if note.game == game]
        found = (self.noted(letter) for letter in about)
        return sorted((one for one in found if one), key=lambda one: (-one.arrived, one.id))[:most]

    def noted(self, letter: str) -> Noted | None:
        if letter not in self._tables.notes:
            return None
        held = self._tables.raws.get(letter)
        return replace(self._tables.notes[letter][0], kept=held is not None and held[2])

    def raw(self, letter: str) -> RawLetter | None:
        held, noted = self._tables.raws.get(letter), self._tables.notes.get(letter)
        if held is None or noted is None:
            return None
        return replace(held[0], uid=noted[1].uid, uidvalidity=noted[1].uidvalidity, arrived=noted[1].arrived)

    def forget(self, letter: str) -> None:
        self._tables.letters.pop(letter, None)
        self._tables.notes.pop(letter, None)

    def drop(self, letter: str) -> None:
        self._tables.raws.pop(letter, None)

    def expire(self, before: int, kept_before: int) -> int:
        ends = {False: before, True: kept_before}
        old = [letter for letter, (_, at, kept) in self._tables.raws.items() if at < ends[kept]]
        for letter in old:
            self.drop(letter)
        return len(old)

    def letters_from(self, address: str) -> Sequence[Noted]:
        found = [note for letter in self._tables.letters if (note := self.noted(letter))]
        mine = [note for note in found if note.sender.lower() == address.lower()]
        return sorted(mine, key=lambda note: (note.arrived, note.id))

    def mail_to(self, address: str) -> Sequence[Mailed]:
        rows = [row for row in self._tables.outbox.values() if row.to.lower() == address.lower()]
        return [self._mailed(row) for row in rows]

    def _mailed(self, row: OutboxRow) -> Mailed:
        end = self._tables.settled.get(row.id)
        sent = end if isinstance(end, int) and end >= 0 else None
        return Mailed(id=row.id, kind=row.kind, game=row.game, created=row.created, sent=sent, data=row.data)

    def erase_mail(self, address: str) -> None:
        for note in self.letters_from(address):
            self.drop(note.id)
            raw = self._tables.notes[note.id][1]
            self._tables.notes[note.id] = replace(note, sender="", subject="", kept=False), raw
        for row in [*self.mail_to(address)]:
            if row.sent is None:
                self._tables.settled[row.id] = -1
            self._tables.outbox[row.id] = replace(self._tables.outbox[row.id], to="", data=b"{}", seat=None)

    def dead(self) -> Sequence[Dead]:
        reasons, rows = self.buried(), self._tables.outbox
        names = [name for name in Dead.__struct_fields__ if name != "reason"]
        return [Dead(**{name: getattr(rows[post], name) for name in names}, reason=reasons[post]) for post in reasons]

    def revive(self, post: str, due: int) -> None:
        if post in self.buried():
            del self._tables.settled[post]
            self._tables.outbox[post] = replace(self._tables.outbox[post], due=due, attempts=0)

    def clear_away(self, post: str) -> None:
        if post in self.buried():
            self._tables.settled[post] = -1

    def bring_back(self, now: int, later: int) -> None:
        marks, outbox, settled = self._tables.marks, self._tables.outbox, self._tables.settled
        marks.update({name: min(at, now) for name, at in marks.items()})
        settled.update({post: min(end, now) for post, end in settled.items() if isinstance(end, int)})
        for row in outbox.values():
            if row.created > now:
                outbox[row.id] = row = replace(row, created=now, due=row.due - (row.created - now))
            if row.due > later and row.kind != "reminder":
                outbox[row.id] = replace(row, due=now)

    def tally(self, name: str) -> None:
        self._tables.tallies[name] = self._tables.tallies.get(name, 0) + 1

    def vitals(self, now: int) -> Vitals:
        waiting = [row for row in self._tables.outbox.values() if self._is_queued(row.id)]
        queued = [row.created if row.attempts else row.due for row in waiting if row.attempts or row.due <= now]
        sent = [end for end in self._tables.settled.values() if isinstance(end, int) and end >= 0]
        return Vitals(
            games=dict(sorted(Counter(game.status for game in self._tables.games.values()).items())),
            awaited=len(self._tables.slots),
            next_deadline=min(
                (s.deadline for s in self._tables.slots.values() if s.deadline is not None), default=None
            ),
            queued=len(queued),
            oldest=min(queued, default=None),
            dead=len(self.buried()),
            kept=len(self.kept()),
            polled=self.polled(),
            delivered=max(sent, default=None),
            letters=dict(sorted(self._tables.tallies.items())),
            down={
                name.removesuffix(".down"): at
                for name, at in sorted(self._tables.marks.items())
                if name.endswith(".down")
            },
        )

    def add_game(self, game: Game) -> None:
        _check_free(game.id, self._tables.games)
        _check_seats(game)
        self._tables.games[game.id] = game

    def game(self, game: str) -> Game | None:
        found = self._tables.games.get(game)
        return self._today(found) if found else None

    def games(self, status: str | None = None) -> Sequence[Game]:
        found = (self._today(game) for game in self._tables.games.values() if status in (None, game.status))
        return sorted(found, key=lambda game: (game.created, game.id))

    def save_game(self, game: Game) -> None:
        self._check_game(game.id)
        _check_seats(game)
        old = self._tables.games[game.id]
        self._tables.games[game.id] = replace(game, secret=old.secret, created=old.created)

    def games_of(self, person: int) -> Sequence[Game]:
        return [game for game in self.games() if person in {m.person.id for m in game.members}]

    def moderated_by(self, person: int) -> Sequence[Game]:
        return [game for game in self.games() if person in {one.person.id for one in game.moderators}]

    def _today(self, game: Game) -> Game:
        """People as they are now, not as they were when the game was saved."""
        members = tuple(replace(m, person=self._tables.people[m.person.id]) for m in game.members)
        led = sorted(game.moderators, key=lambda one: one.person.id)
        moderators = tuple(replace(one, person=self._tables.people[one.person.id]) for one in led)
        return replace(game, members=members, moderators=moderators)

    def add_person(self, name: str, address: str, at: int, *, language: str = "en", zone: str = "UTC") -> Person:
        _check_free(address, self._tables.addresses)
        person = Person(id=len(self._tables.people) + 1, name=name, address=address, language=language, zone=zone)
        self._tables.people[person.id] = person
        self._tables.addresses[address] = Address(address=address, person=person.id, added=at)
        return person

    def person(self, person: int) -> Person | None:
        return self._tables.people.get(person)

    def person_at(self, address: str) -> Person | None:
        found = self._tables.addresses.get(address)
        return self._tables.people[found.person] if found else None

    def save_person(self, person: Person) -> None:
        if person.id not in self._tables.people:
            raise Unknown(f"there is no person {person.id}")
        self._tables.people[person.id] = person

    def addresses(self, person: int) -> Sequence[Address]:
        mine = (each for each in self._tables.addresses.values() if each.person == person)
        return sorted(mine, key=lambda each: (each.added, each.address))

    def save_address(self, address: Address) -> None:
        known = self._tables.addresses.get(address.address)
        if known is not None and known.person != address.person:
            raise Taken(f"{address.address} is somebody else's")
        self._tables.addresses[address.address] = address

    def remove_address(self, address: str) -> None:
        self._tables.addresses.pop(address, None)

    def claims(self, person: int) -> Sequence[Claim]:
        mine = (each for each in self._tables.claims.values() if each.person == person)
        return sorted(mine, key=lambda each: (each.at, each.address))

    def save_claim(self, claim: Claim) -> None:
        self._tables.claims[claim.person, claim.address] = claim

    def remove_claim(self, person: int, address: str) -> None:
        self._tables.claims.pop((person, address), None)

    def waiting(self) -> Sequence[Person]:
        order = sorted(self._tables.waiting, key=lambda person: (self._tables.waiting[person], person))
        return [self._tables.people[person] for person in order]

    def wait(self, person: int, since: int) -> None:
        self._tables.waiting.setdefault(person, since)

    def wait_no_more(self, person: int) -> None:
        self._tables.waiting.pop(person, None)

    def entries(self, game: str, after: int = -1) -> Sequence[bytes]:
        mine = sorted(key for key in self._tables.entries if key[0] == game and key[1] > after)
        return [self._tables.entries[key] for key in mine]

    def append(self, game: str, seq: int, entry: bytes) -> None:
        self._check_game(game)
        _check_free((game, seq), self._tables.entries)
        self._tables.entries[game, seq] = entry

    def filed(self, game: str) -> Sequence[FiledOrder]:
        return [order for key, order in sorted(self._tables.papers.items()) if key[0] == game]

    def file(self, game: str, order: FiledOrder) -> None:
        self._check_game(game)
        self._tables.papers[game, order.seat, order.kind, order.key] = order

    def discard(self, game: str, order: FiledOrder) -> None:
        self._tables.papers.pop((game, order.seat, order.kind, order.key), None)

    def press(self, game: str) -> Sequence[Press]:
        return [press for key, press in sorted(self._tables.press.items()) if key[0] == game]

    def add_press(self, game: str, press: Press) -> None:
        self._check_game(game)
        _check_free((game, press.number), self._tables.press)
        self._tables.press[game, press.number] = press

    def slots(self, game: str) -> Sequence[Slot]:
        mine = (slot for key, slot in self._tables.slots.items() if key[0] == game)
        return sorted(mine, key=lambda slot: (slot.opened, slot.key))

    def put_slot(self, game: str, slot: Slot) -> None:
        self._check_game(game)
        self._tables.slots[game, slot.key] = slot

    def close_slot(self, game: str, key: str) -> None:
        self._tables.slots.pop((game, key), None)

    def due_slots(self, before: int) -> Sequence[tuple[str, Slot]]:
        due = [
            (slot.due, game, key)
            for (game, key), slot in self._tables.slots.items()
            if slot.due is not None and slot.due < before
        ]
        return [(game, self._tables.slots[game, key]) for _, game, key in sorted(due)]

    def next_due(self) -> int | None:
        slots = self._tables.slots.values()
        return min((slot.due for slot in slots if slot.due is not None), default=None)

    def post(self, rows: Iterable[OutboxRow]) -> None:
        for row in numbered(rows, self.posted):
            self._tables.outbox[row.id] = row
            self.fresh.append(row)

    def posted(self, post: str) -> bool:
        return post in self._tables.outbox

    def claim(self, now: int, until: int, limit: int = 100) -> Sequence[OutboxRow]:
        queued = (row for row in self._tables.outbox.values() if self._is_queued(row.id) and row.due <= now)
        due = sorted(queued, key=lambda row: row.due)[:limit]
        for row in due:
            self._tables.outbox[row.id] = replace(row, due=until, attempts=row.attempts + 1)
        return due

    def next_post(self) -> int | None:
        queued = (row.due for row in self._tables.outbox.values() if self._is_queued(row.id))
        return min(queued, default=None)

    def delivered(self, post: str, at: int) -> None:
        if self._is_queued(post):
            self._tables.settled[post] = at

    def put_away(self, post: str) -> None:
        if self._is_queued(post):
            self._tables.settled[post] = -1

    def postpone(self, post: str, due: int) -> None:
        if self._is_queued(post):
            self._tables.outbox[post] = replace(self._tables.outbox[post], due=due)

    def put_back(self, post: str, due: int) -> None:
        if self._is_queued(post):
            row = self._tables.outbox[post]
            self._tables.outbox[post] = replace(row, due=due, attempts=row.attempts - 1)

    def bury(self, post: str, reason: str) -> None:
        if self._is_queued(post):
            self._tables.settled[post] = reason

    def buried(self) -> Mapping[str, str]:
        ends = ((post, self._tables.settled.get(post)) for post in self._tables.outbox)
        return {post: end for post, end in ends if isinstance(end, str)}

    def polled(self) -> int | None:
        return self._tables.marks.get("polled")

    def set_polled(self, at: int) -> None:
        self._tables.marks["polled"] = at

    def moved(self) -> Mapping[str, int]:
        return dict(sorted(self._tables.moves.items()))

    def set_moved(self, game: str, seq: int) -> None:
        self._tables.moves[game] = seq

    def settle_move(self, game: str, seq: int) -> None:
        if self._tables.moves.get(game) == seq:
            del self._tables.moves[game]

    def mark(self, name: str) -> int | None:
        return self._tables.marks.get(name)

    def set_mark(self, name: str, at: int | None) -> None:
        self._tables.marks.pop(name, None)
        if at is not None:
            self._tables.marks[name] = at

    def _is_queued(self, post: str) -> bool:
        return post in self._tables.outbox and post not in self._tables.settled

    def _check_game(self, game: str) -> None:
        if game not in self._tables.games:
            raise Unknown(f"there is no game {game}")


def _check_free(key: object, table: Mapping[Any, object]) -> None:
    if key in table:
        raise Taken(f"{key} is taken")


def _check_seats(game: Game) -> None:
    if len({member.seat for member in game.members}) < len(game.members):
        raise Taken(f"two members of {game.id} have one seat")
