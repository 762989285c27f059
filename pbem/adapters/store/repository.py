"""The books: every question and every change, as SQL.

The statements are built once, here at the top: SQLAlchemy then knows them again and does not compile.
What replaces something deletes and inserts, which both databases understand alike.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import groupby
from operator import attrgetter
from typing import Any, TypeVar

from msgspec import Struct
from msgspec.structs import asdict, replace
from sqlalchemy import (
    Column,
    Connection,
    Row,
    Table,
    and_,
    bindparam,
    delete,
    func,
    insert,
    select,
    update,
)
from sqlalchemy.sql import ColumnElement, Executable

from pbem.adapters.store.letters import SqlKeeping
from pbem.adapters.store.schema import (
    addresses,
    claims,
    entries,
    games,
    letters,
    marks,
    members,
    moderators,
    outbox,
    papers,
    people,
    press,
    slots,
    waiting,
)
from pbem.host.messages.outbox import numbered
from pbem.host.ports import (
    Address,
    Claim,
    FiledOrder,
    Game,
    Member,
    OutboxRow,
    Person,
    Press,
    RawLetter,
    Slot,
    Taken,
    Unknown,
)

T = TypeVar("T", bound=Struct)


def _with(table: Table, *names: str) -> ColumnElement[bool]:
    """The rows of the table with the given values in these columns."""
    return and_(*(table.c[name] == bindparam(name) for name in names))


def _as(kind: type[Struct], table: Table) -> list[Column[Any]]:
    """The columns of the table that make such a value, in the order of its fields: see `_read`."""
    return [table.c[name] for name in kind.__struct_fields__]


_FATE = select(letters.c.fate).where(_with(letters, "id"))
_NOTE = insert(letters)

_MEMBER = (members.c.seat, members.c.joined, members.c.reports, members.c.told)
_GAMES = (
    select(*_as(Person, people), *_MEMBER, *(column.label(f"game_{column.name}") for column in games.c))
    .select_from(games)
    .outerjoin(members, members.c.game == games.c.id)
    .outerjoin(people, people.c.id == members.c.person)
    .order_by(games.c.created, games.c.id, members.c.place)
)
_GAMES_BY_STATUS = _GAMES.where(_with(games, "status"))
_GAME = _GAMES.where(_with(games, "id"))
_ADD_GAME = insert(games)
_GAMES_OF = _GAMES.where(games.c.id.in_(select(members.c.game).where(_with(members, "person"))))
_MODERATED_BY = _GAMES.where(games.c.id.in_(select(moderators.c.game).where(_with(moderators, "person"))))
_MODERATORS = (
    select(*_as(Person, people), moderators.c.game, moderators.c.reports, moderators.c.told)
    .join(moderators, moderators.c.person == people.c.id)
    .where(moderators.c.game.in_(bindparam("games", expanding=True)))
    .order_by(people.c.id)
)
_DISMISS = delete(moderators).where(_with(moderators, "game"))
_APPOINT = insert(moderators)
_CHANGE_GAME = update(games).where(games.c.id == bindparam("game"))
_SEND_AWAY = delete(members).where(_with(members, "game"))
_SIT_DOWN = insert(members)

_PEOPLE = select(*_as(Person, people))
_PERSON = _PEOPLE.where(_with(people, "id"))
_PERSON_AT = _PEOPLE.join(addresses, addresses.c.person == people.c.id).where(_with(addresses, "address"))
_ADD_PERSON = insert(people).returning(people.c.id)
_CHANGE_PERSON = update(people).where(people.c.id == bindparam("person"))
_ADDRESSES = (
    select(*_as(Address, addresses)).where(_with(addresses, "person")).order_by(addresses.c.added, addresses.c.address)
)
_ADD_ADDRESS = insert(addresses)
_REMOVE_ADDRESS = delete(addresses).where(_with(addresses, "address"))

_CLAIMS = select(*_as(Claim, claims)).where(_with(claims, "person")).order_by(claims.c.at, claims.c.address)
_SAVE_CLAIM = insert(claims)
_REMOVE_CLAIM = delete(claims).where(_with(claims, "person", "address"))

_WAITING = (
    select(*_as(Person, people))
    .join(waiting, waiting.c.person == people.c.id)
    .order_by(waiting.c.since, waiting.c.person)
)
_WAIT = insert(waiting)
_WAIT_NO_MORE = delete(waiting).where(_with(waiting, "person"))

_ENTRIES = (
    select(entries.c.entry).where(_with(entries, "game"), entries.c.seq > bindparam("after")).order_by(entries.c.seq)
)
_APPEND = insert(entries)

_PAPERS = (
    select(*_as(FiledOrder, papers)).where(_with(papers, "game")).order_by(papers.c.seat, papers.c.kind, papers.c.key)
)
_DISCARD = delete(papers).where(_with(papers, "game", "seat", "kind", "key"))
_FILE = insert(papers)

_PRESS = select(*_as(Press, press)).where(_with(press, "game")).order_by(press.c.number)
_ADD_PRESS = insert(press)

_SLOTS = select(*_as(Slot, slots)).where(_with(slots, "game")).order_by(slots.c.opened, slots.c.key)
_DUE_SLOTS = (
    select(*_as(Slot, slots), slots.c.game)
    .where(slots.c.due < bindparam("before"))
    .order_by(slots.c.due, slots.c.game, slots.c.key)
)
_NEXT_DUE = select(func.min(slots.c.due))
_CLOSE_SLOT = delete(slots).where(_with(slots, "game", "key"))
_OPEN_SLOT = insert(slots)

_POST = insert(outbox)
_POSTED = select(outbox.c.id).where(outbox.c.id == bindparam("post"))
_QUEUED = outbox.c.state == "queued"
_NEXT_POST = select(func.min(outbox.c.due)).where(_QUEUED)
_DUE_POST = (
    select(*_as(OutboxRow, outbox))
    .where(_QUEUED, outbox.c.due <= bindparam("now"))
    .order_by(outbox.c.due, outbox.c.number)
    .limit(bindparam("limit"))
    .with_for_update(skip_locked=True)  # SQLite leaves it out: there the whole transaction is the lock
)
_SETTLE = update(outbox).where(outbox.c.id == bindparam("post"), _QUEUED)
_CLAIM = _SETTLE.values(due=bindparam("until"), attempts=outbox.c.attempts + 1)
_DELIVERED = _SETTLE.values(state="sent", sent=bindparam("at"))
_PUT_AWAY = _SETTLE.values(state="dropped")
_POSTPONE = _SETTLE.values(due=bindparam("until"))
_PUT_BACK = _SETTLE.values(due=bindparam("until"), attempts=outbox.c.attempts - 1)
_BURY = _SETTLE.values(state="dead", reason=bindparam("why"))
_BURIED = select(outbox.c.id, outbox.c.reason).where(outbox.c.state == "dead").order_by(outbox.c.number)

_MARK = select(marks.c.at).where(_with(marks, "name"))
_UNMARK = delete(marks).where(_with(marks, "name"))
_SET_MARK = insert(marks)
_MOVED = "moved "
_MOVES = select(marks).where(marks.c.name.startswith(_MOVED)).order_by(marks.c.name)
_SETTLE_MOVE = delete(marks).where(_with(marks, "name", "at"))


class SqlBooks(SqlKeeping):
    """The books inside one transaction."""

    def __init__(self, connection: Connection) -> None:
        super().__init__(connection)
        self.fresh: list[OutboxRow] = []  # what has been posted in this transaction

    @contextmanager
    def trial(self) -> Iterator[SqlBooks]:
        """A savepoint, and back to it."""
        with self._connection.begin_nested() as savepoint:
            try:
                yield SqlBooks(self._connection)
            finally:
                savepoint.rollback()

    def fate(self, letter: str) -> str | None:
        """What became of a letter that has been dealt with; None when it has not."""
        fate: str | None = self._run(_FATE, id=letter).scalar()
        return fate

    def note(self, letter: str, raw: RawLetter, *, sender: str, subject: str, game: str | None, fate: str) -> None:
        """Mark the letter as dealt with; raises `Taken` when it already is."""
        where = {"uidvalidity": raw.uidvalidity, "uid": raw.uid, "arrived": raw.arrived}
        self._run(_NOTE, id=letter, sender=sender, subject=subject, game=game, fate=fate, **where)

    def add_game(self, game: Game) -> None:
        """Enter a new game with its members; raises `Taken` when the tag is taken."""
        facts = asdict(game)
        del facts["members"], facts["moderators"]
        self._run(_ADD_GAME, **facts)
        self._seat(game)

    def game(self, game: str) -> Game | None:
        """The game with this tag."""
        return next(iter(self._games(_GAME, id=game)), None)

    def games(self, status: str | None = None) -> Sequence[Game]:
        """The games, or those with this status, oldest first."""
        return self._games(_GAMES) if status is None else self._games(_GAMES_BY_STATUS, status=status)

    def save_game(self, game: Game) -> None:
        """Replace status, set-up, members and moderators of a game; raises `Unknown` when there is no such game."""
        if not self._run(_CHANGE_GAME, game=game.id, status=game.status, setup=game.setup).rowcount:
            raise Unknown(f"there is no game {game.id}")
        self._run(_SEND_AWAY, game=game.id)
        self._run(_DISMISS, game=game.id)
        self._seat(game)

    def games_of(self, person: int) -> Sequence[Game]:
        """The games this person is a member of, oldest first."""
        return self._games(_GAMES_OF, person=person)

    def moderated_by(self, person: int) -> Sequence[Game]:
        """The games this person moderates, oldest first."""
        return self._games(_MODERATED_BY, person=person)

    def add_person(self, name: str, address: str, at: int, *, language: str = "en", zone: str = "UTC") -> Person:
        """Enter somebody with their first address; raises `Taken` when it is somebody's."""
        person = Person(id=0, name=name, address=address, language=language, zone=zone)
        facts = asdict(person)
        del facts["id"]
        number: int = self._run(_ADD_PERSON, **facts).scalar_one()
        self._run(_ADD_ADDRESS, **asdict(Address(address=address, person=number, added=at)))
        return replace(person, id=number)

    def person(self, person: int) -> Person | None:
        """The person with this number."""
        return self._person(_PERSON, id=person)

    def person_at(self, address: str) -> Person | None:
        """Whose address this is."""
        return self._person(_PERSON_AT, address=address)

    def save_person(self, person: Person) -> None:
        """Replace what is known of a person; raises `Unknown` when there is no such person."""
        facts = asdict(person)
        if not self._run(_CHANGE_PERSON, person=facts.pop("id"), **facts).rowcount:
            raise Unknown(f"there is no person {person.id}")

    def addresses(self, person: int) -> Sequence[Address]:
        """All addresses of a person, the oldest first."""
        return [_read(Address, row) for row in self._run(_ADDRESSES, person=person)]

    def save_address(self, address: Address) -> None:
        """Enter an address, or replace what is known of it; raises `Taken` when it is somebody else's."""
        owner = self.person_at(address.address)
        if owner is not None and owner.id != address.person:
            raise Taken(f"{address.address} is somebody else's")
        self.remove_address(address.address)
        self._run(_ADD_ADDRESS, **asdict(address))

    def remove_address(self, address: str) -> None:
        """Forget an address."""
        self._run(_REMOVE_ADDRESS, address=address)

    def claims(self, person: int) -> Sequence[Claim]:
        """The addresses that a person has asked for, the oldest claim first."""
        return [_read(Claim, row) for row in self._run(_CLAIMS, person=person)]

    def save_claim(self, claim: Claim) -> None:
        """Enter that a person has asked for an address, in the place of an older claim to it."""
        self.remove_claim(claim.person, claim.address)
        self._run(_SAVE_CLAIM, **asdict(claim))

    def remove_claim(self, person: int, address: str) -> None:
        self._run(_REMOVE_CLAIM, person=person, address=address)

    def waiting(self) -> Sequence[Person]:
        """Who would take a seat that becomes free, in the order in which they came."""
        return [_read(Person, row) for row in self._run(_WAITING)]

    def wait(self, person: int, since: int) -> None:
        """Enter somebody behind the others, unless they wait already."""
        if all(each.id != person for each in self.waiting()):
            self._run(_WAIT, person=person, since=since)

    def wait_no_more(self, person: int) -> None:
        """Strike somebody off."""
        self._run(_WAIT_NO_MORE, person=person)

    def entries(self, game: str, after: int = -1) -> Sequence[bytes]:
        """The encoded entries with a sequence number above `after`, in order."""
        return self._run(_ENTRIES, game=game, after=after).scalars().all()

    def append(self, game: str, seq: int, entry: bytes) -> None:
        """Add an entry; raises `Taken` when the sequence number is taken."""
        self._run(_APPEND, game=game, seq=seq, entry=entry)

    def filed(self, game: str) -> Sequence[FiledOrder]:
        """What is on file, by seat, kind and key."""
        return [_read(FiledOrder, row) for row in self._run(_PAPERS, game=game)]

    def file(self, game: str, order: FiledOrder) -> None:
        """Put an order on file, in the place of an older one for the same thing."""
        self.discard(game, order)
        self._run(_FILE, game=game, **asdict(order))

    def discard(self, game: str, order: FiledOrder) -> None:
        """Take the order for this seat, kind and key off the file."""
        self._run(_DISCARD, game=game, seat=order.seat, kind=order.kind, key=order.key)

    def press(self, game: str) -> Sequence[Press]:
        """All press of a game, by number."""
        found = (_read(Press, row) for row in self._run(_PRESS, game=game))
        return [replace(each, to=tuple(str(each.to).split(","))) for each in found]

    def add_press(self, game: str, press: Press) -> None:
        """Keep press; raises `Taken` when the number is taken."""
        self._run(_ADD_PRESS, **{**asdict(press), "game": game, "to": ",".join(press.to)})

    def slots(self, game: str) -> Sequence[Slot]:
        """The open slots of a game, oldest first."""
        return [_read(Slot, row) for row in self._run(_SLOTS, game=game)]

    def put_slot(self, game: str, slot: Slot) -> None:
        """Open a slot, or replace what is known of it."""
        self.close_slot(game, slot.key)
        self._run(_OPEN_SLOT, game=game, **asdict(slot))

    def close_slot(self, game: str, key: str) -> None:
        """Forget the slot."""
        self._run(_CLOSE_SLOT, game=game, key=key)

    def due_slots(self, before: int) -> Sequence[tuple[str, Slot]]:
        """Slots that are due before the instant, with their games, earliest first."""
        return [(row.game, _read(Slot, row)) for row in self._run(_DUE_SLOTS, before=before)]

    def next_due(self) -> int | None:
        """When the first slot is due."""
        return self._instant(_NEXT_DUE)

    def post(self, rows: Iterable[OutboxRow]) -> None:
        """Queue letters, in this order; one whose id is taken gets the next that is free."""
        fresh = [*numbered(rows, self.posted)]
        if fresh:
            self._connection.execute(_POST, [{**asdict(row), "state": "queued"} for row in fresh])
            self.fresh += fresh

    def posted(self, post: str) -> bool:
        """Is there a row of this id, whatever became of it?"""
        return self._run(_POSTED, post=post).first() is not None

    def claim(self, now: int, until: int, limit: int = 100) -> Sequence[OutboxRow]:
        """What may go out now, the longest due first; another daemon's rows are passed over."""
        due = [_read(OutboxRow, row) for row in self._run(_DUE_POST, now=now, limit=limit)]
        if due:
            self._connection.execute(_CLAIM, [{"post": row.id, "until": until} for row in due])
        return due

    def next_post(self) -> int | None:
        """When the next row is due."""
        return self._instant(_NEXT_POST)

    def delivered(self, post: str, at: int) -> None:
        """The row has been handed over."""
        self._run(_DELIVERED, post=post, at=at)

    def put_away(self, post: str) -> None:
        """There is nothing to say any more: the row never goes out."""
        self._run(_PUT_AWAY, post=post)

    def postpone(self, post: str, due: int) -> None:
        """The attempt has failed; try again at `due`."""
        self._run(_POSTPONE, post=post, until=due)

    def put_back(self, post: str, due: int) -> None:
        """It was not tried after all: it is due then, and the attempt does not count."""
        self._run(_PUT_BACK, post=post, until=due)

    def bury(self, post: str, reason: str) -> None:
        """Give a row up; it stays in the books, dead, with the reason."""
        self._run(_BURY, post=post, why=reason)

    def buried(self) -> Mapping[str, str]:
        """The dead rows and why, oldest first."""
        return {row.id: row.reason for row in self._run(_BURIED)}

    def polled(self) -> int | None:
        """When the last completed poll of the mailbox began."""
        return self.mark("polled")

    def set_polled(self, at: int) -> None:
        """A poll that began then has been completed."""
        self.set_mark("polled", at)

    def moved(self) -> Mapping[str, int]:
        """Games with something new for the archive, and their last entries then."""
        return {row.name.removeprefix(_MOVED): row.at for row in self._run(_MOVES)}

    def set_moved(self, game: str, seq: int) -> None:
        """The game has something new for the archive, up to this entry."""
        self.set_mark(_MOVED + game, seq)

    def settle_move(self, game: str, seq: int) -> None:
        """The archive has the game up to that entry; what came after it stays noted."""
        self._run(_SETTLE_MOVE, name=_MOVED + game, at=seq)

    def mark(self, name: str) -> int | None:
        """An instant that was noted under this name."""
        return self._instant(_MARK, name=name)

    def set_mark(self, name: str, at: int | None) -> None:
        """Note an instant under this name, in the place of another; None: forget it."""
        self._run(_UNMARK, name=name)
        if at is not None:
            self._run(_SET_MARK, name=name, at=at)

    def _instant(self, statement: Executable, **facts: object) -> int | None:
        instant: int | None = self._run(statement, **facts).scalar()
        return instant

    def _games(self, statement: Executable, **facts: object) -> list[Game]:
        rows = self._run(statement, **facts)
        found = [_game(list(at_the_table)) for _, at_the_table in groupby(rows, attrgetter("game_id"))]
        led = self._moderators([game.id for game in found])
        return [replace(game, moderators=led[game.id]) if game.id in led else game for game in found]

    def _moderators(self, of: Sequence[str]) -> Mapping[str, tuple[Member, ...]]:
        found: dict[str, tuple[Member, ...]] = {}
        for row in self._run(_MODERATORS, games=list(of)) if of else ():
            found[row.game] = (*found.get(row.game, ()), _moderator(row))
        return found

    def _person(self, statement: Executable, **facts: object) -> Person | None:
        row = self._run(statement, **facts).first()
        return None if row is None else _read(Person, row)

    def _seat(self, game: Game) -> None:
        seated = [
            {**asdict(member), "game": game.id, "place": place, "person": member.person.id}
            for place, member in enumerate(game.members)
        ]
        if seated:
            self._connection.execute(_SIT_DOWN, seated)
        if game.moderators:
            self._connection.execute(_APPOINT, [_appointed(game, one) for one in game.moderators])


def _read(kind: type[T], row: Row[Any]) -> T:
    """The value that the first columns of the row make."""
    return kind(**dict(zip(kind.__struct_fields__, row, strict=False)))


def _game(rows: Sequence[Row[Any]]) -> Game:
    """A game from its rows, one for each member; a game without members has one row, and no seat in it."""
    first = rows[0]
    return Game(
        id=first.game_id,
        status=first.game_status,
        setup=first.game_setup,
        secret=first.game_secret,
        created=first.game_created,
        members=tuple(_member(row) for row in rows if row.seat is not None),
    )


def _appointed(game: Game, one: Member) -> dict[str, Any]:
    return {"game": game.id, "person": one.person.id, "reports": one.reports, "told": one.told}


def _moderator(row: Row[Any]) -> Member:
    return Member(person=_read(Person, row), seat="", reports=row.reports, told=row.told)


def _member(row: Row[Any]) -> Member:
    return Member(person=_read(Person, row), seat=row.seat, joined=row.joined, reports=row.reports, told=row.told)
