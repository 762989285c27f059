"""The books: people, games and what goes out, in SQL."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from msgspec.structs import asdict, replace
from sqlalchemy import (
    BindParameter,
    CompoundSelect,
    Connection,
    Table,
    bindparam,
    func,
    insert,
    literal,
    null,
    or_,
    select,
    text,
    union,
    union_all,
    update,
)
from sqlalchemy.sql import ColumnElement, Executable

from pbem.adapters.store.leagues import SqlLeagues
from pbem.adapters.store.letters import SqlKeeping
from pbem.adapters.store.ratings import SqlRatings
from pbem.adapters.store.rows import columns, every, like, value
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
    slots,
    waiting,
)
from pbem.core.log import dated
from pbem.host.messages.row_ids import ANSWER, numbered
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

_FATE = select(letters.c.fate).where(*like(letters, "id"))

_GAMES_OF = every(Game).where(games.c.id.in_(select(members.c.game).where(*like(members, "person"))))
_GAME_IDS = select(games.c.id).where(games.c.id.startswith(bindparam("head")))
_CHANGE_GAME = update(games).where(games.c.id == bindparam("game"))

_LEADS = -1  # in the place of a place: of moderators, who sit behind the table


def _table(of: Callable[[Table], ColumnElement[bool]]) -> CompoundSelect[Any]:
    """Members and moderators of some games."""
    return union_all(
        *(
            select(*columns(Person, people), table.c.game, table.c.reports, table.c.told, *seat)
            .join(table, table.c.person == people.c.id)
            .where(of(table))
            for table, seat in (
                (members, (members.c.seat, members.c.joined, members.c.place)),
                (moderators, (literal("").label("seat"), null().label("joined"), literal(_LEADS).label("place"))),
            )
        )
    ).order_by("place", "id")


_AT_THE_TABLE = _table(lambda table: table.c.game == bindparam("game"))
_AT_THE_TABLES = _table(lambda table: table.c.game.in_(bindparam("games", expanding=True)))

_PERSON_AT = every(Person).join(addresses, addresses.c.person == people.c.id).where(*like(addresses, "address"))
_ADD_PERSON = insert(people).returning(people.c.id)
_PEOPLE_AT = select(func.count()).select_from(people).where(people.c.address.like(bindparam("ending")))
_COUNT_ON = text("SELECT setval(pg_get_serial_sequence('people', 'id'), (SELECT max(id) FROM people))")
_CHANGE_PERSON = update(people).where(people.c.id == bindparam("person"))
_WAITING = (
    select(*columns(Person, people))
    .join(waiting, waiting.c.person == people.c.id)
    .order_by(waiting.c.since, waiting.c.person)
)

_ENTRIES = (
    select(entries.c.entry).where(*like(entries, "game"), entries.c.seq > bindparam("after")).order_by(entries.c.seq)
)

_DUE_SLOTS = select(slots).where(slots.c.due < bindparam("before")).order_by(slots.c.due, slots.c.game, slots.c.key)
_NEXT_DUE = select(func.min(slots.c.due))

_POSTED = select(outbox.c.id).where(*like(outbox, "id"))
_ANSWERS = (
    select(*columns(OutboxRow, outbox))
    .where(
        *like(outbox, "game"),
        outbox.c.seat.is_not_distinct_from(bindparam("seat")),
        outbox.c.to.in_(bindparam("to", expanding=True)),
    )
    .where(outbox.c.id.startswith(ANSWER))
    .order_by(outbox.c.number.desc())
)
_QUEUED = outbox.c.state == "queued"
_NEXT_POST = select(func.min(outbox.c.due)).where(_QUEUED)
_DUE_POST = (
    select(*columns(OutboxRow, outbox))
    .where(_QUEUED, outbox.c.due <= bindparam("now"))
    .order_by(outbox.c.due, outbox.c.number)
    .limit(bindparam("limit"))
    .with_for_update(skip_locked=True)  # SQLite leaves it out: there the whole transaction is the lock
)
_MATTER = func.coalesce(outbox.c.game, outbox.c.to)
_DUE_POST_OF = _DUE_POST.where(_MATTER.is_not_distinct_from(bindparam("matter")))
_NEXT_MATTER = (
    select(_MATTER)
    .where(_QUEUED, outbox.c.due <= bindparam("now"), _MATTER.not_in(bindparam("apart", expanding=True)))
    .order_by(outbox.c.due, outbox.c.number)
    .limit(1)
)
_WAITING_WITH = (
    select(*columns(OutboxRow, outbox))
    .where(_QUEUED, outbox.c.due <= bindparam("until"))
    .where(*like(outbox, "game", "to"), func.coalesce(outbox.c.seat, "") == bindparam("at"))
    .where(or_(outbox.c.attempts == 0, outbox.c.id == bindparam("post")))
    .order_by(outbox.c.number)
    .with_for_update(skip_locked=True)
)
_SETTLE = update(outbox).where(outbox.c.id == bindparam("post"), _QUEUED)
_GATHER = _SETTLE.values(data=bindparam("told"))
_CLAIM = _SETTLE.values(due=bindparam("until"), attempts=outbox.c.attempts + 1)
_DELIVERED = _SETTLE.values(state="sent", sent=bindparam("at"))
_PUT_AWAY = _SETTLE.values(state="dropped")
_POSTPONE = _SETTLE.values(due=bindparam("until"))
_PUT_BACK = _SETTLE.values(due=bindparam("until"), attempts=outbox.c.attempts - 1)
_BURY = _SETTLE.values(state="dead", reason=bindparam("why"))

_MOVED, _SEASON_MOVED = "moved ", "moved.season "
_MOVES = select(marks).where(marks.c.name.startswith(bindparam("what"))).order_by(marks.c.name)


_RUNNING = games.c.status == "running"
_LAST = (
    select(func.max(entries.c.seq)).where(entries.c.game == games.c.id).correlate(games).scalar_subquery()
)  # entries are in order
_LAST_ENTRIES = select(entries.c.game, entries.c.entry).join(games).where(_RUNNING, entries.c.seq == _LAST)
_THEN: BindParameter[int] = bindparam("then")
_LATER = union(
    select(slots.c.game).join(games).where(_RUNNING, func.coalesce(slots.c.started, slots.c.opened) > _THEN),
    select(papers.c.game).join(games).where(_RUNNING, papers.c.binds.is_not(None), papers.c.at > _THEN),
)


class SqlBooks(SqlKeeping, SqlLeagues, SqlRatings):
    """The books inside one transaction; `ports.Repository` tells what each question means."""

    def __init__(self, connection: Connection) -> None:
        super().__init__(connection)
        self.fresh: list[OutboxRow] = []

    def anew(self) -> SqlBooks:
        return SqlBooks(self._connection)

    @contextmanager
    def trial(self) -> Iterator[SqlBooks]:
        """A savepoint, and back to it."""
        with self._connection.begin_nested() as savepoint:
            try:
                yield SqlBooks(self._connection)
            finally:
                savepoint.rollback()

    def fate(self, letter: str) -> str | None:
        fate: str | None = self._run(_FATE, id=letter).scalar()
        return fate

    def note(self, letter: str, raw: RawLetter, *, sender: str, subject: str, game: str | None, fate: str) -> None:
        where = {"uidvalidity": raw.uidvalidity, "uid": raw.uid, "arrived": raw.arrived}
        self._add(letters, {"id": letter, "sender": sender, "subject": subject, "game": game, "fate": fate, **where})

    # -- games ---

    def add_game(self, game: Game) -> None:
        facts = asdict(game)
        del facts["members"], facts["moderators"]
        self._add(games, facts)
        self._seat(game)

    def game(self, game: str) -> Game | None:
        return next(iter(self._games(every(Game, "id"), id=game)), None)

    def games(self, status: str | None = None) -> Sequence[Game]:
        of = {} if status is None else {"status": status}
        return self._games(every(Game, *of), **of)

    def later_than(self, then: int) -> Sequence[str]:
        found = {row.game for row in self._run(_LAST_ENTRIES) if dated(row.entry) > then}
        return sorted(found | set(self._run(_LATER, then=then).scalars()))

    def last_game(self, tag: str) -> int:
        found = self._run(_GAME_IDS, head=f"{tag}-").scalars()
        return max((int(game.rpartition("-")[2]) for game in found), default=0)

    def save_game(self, game: Game) -> None:
        if not self._run(_CHANGE_GAME, game=game.id, status=game.status, setup=game.setup).rowcount:
            raise Unknown(f"there is no game {game.id}")
        self._remove(members, game=game.id)
        self._remove(moderators, game=game.id)
        self._seat(game)

    def games_of(self, person: int) -> Sequence[Game]:
        return self._games(_GAMES_OF, person=person)

    def _games(self, statement: Executable, **facts: object) -> list[Game]:
        found = [*self._run(statement, **facts)]
        seated, leading = self._at_the_table([row.id for row in found]) if found else ({}, {})
        return [value(Game, row, members=tuple(seated[row.id]), moderators=tuple(leading[row.id])) for row in found]

    def _at_the_table(self, of: Sequence[str]) -> tuple[Mapping[str, list[Member]], Mapping[str, list[Member]]]:
        """Members and moderators of these games."""
        seated, leading = defaultdict[str, list[Member]](list), defaultdict[str, list[Member]](list)
        for row in self._run(_AT_THE_TABLE, game=of[0]) if len(of) == 1 else self._run(_AT_THE_TABLES, games=of):
            there = leading if row.place == _LEADS else seated
            there[row.game].append(value(Member, row, person=value(Person, row)))
        return seated, leading

    def _seat(self, game: Game) -> None:
        seated = [
            {**asdict(member), "game": game.id, "place": place, "person": member.person.id}
            for place, member in enumerate(game.members)
        ]
        leading = [
            {"game": game.id, "person": one.person.id, "reports": one.reports, "told": one.told}
            for one in game.moderators
        ]
        self._add(members, *seated)
        self._add(moderators, *leading)

    def entries(self, game: str, after: int = -1) -> Sequence[bytes]:
        return self._run(_ENTRIES, game=game, after=after).scalars()

    def append(self, game: str, seq: int, entry: bytes) -> None:
        self._decide(games, game)
        self._add(entries, {"game": game, "seq": seq, "entry": entry})

    def filed(self, game: str) -> Sequence[FiledOrder]:
        return self._find(FiledOrder, game=game)

    def file(self, game: str, order: FiledOrder) -> None:
        self._decide(games, game)
        self._put(order, game=game)

    def discard(self, game: str, order: FiledOrder) -> None:
        self._decide(games, game)
        self._remove(papers, game=game, seat=order.seat, kind=order.kind, key=order.key)

    def press(self, game: str) -> Sequence[Press]:
        return [replace(each, to=tuple(str(each.to).split(","))) for each in self._find(Press, game=game)]

    def add_press(self, game: str, press: Press) -> None:
        self._decide(games, game)
        self._enter(press, game=game, to=",".join(press.to))

    # -- people ---

    def add_person(self, name: str, address: str, at: int, *, language: str = "en", zone: str = "UTC") -> Person:
        person = Person(id=0, name=name, address=address, language=language, zone=zone)
        facts = asdict(person)
        del facts["id"]
        number: int = self._run(_ADD_PERSON, **facts).scalar()
        self._enter(Address(address=address, person=number, added=at))
        return replace(person, id=number)

    def people_at(self, domain: str) -> int:
        count: int = self._run(_PEOPLE_AT, ending=f"%@{domain}").scalar()
        return count

    def add_stranger(self, name: str, number: int | None = None) -> Person:
        person = Person(id=number or 0, name=name, address="")
        facts = asdict(person)
        if number is None:
            del facts["id"]
        made: int = self._run(_ADD_PERSON, **facts).scalar()
        if number is not None and self._connection.dialect.name == "postgresql":
            self._run(_COUNT_ON)
        return replace(person, id=made)

    def person(self, person: int) -> Person | None:
        return next(iter(self._find(Person, id=person)), None)

    def person_at(self, address: str) -> Person | None:
        return next(iter(self._values(Person, _PERSON_AT, address=address)), None)

    def save_person(self, person: Person) -> None:
        facts = asdict(person)
        if not self._run(_CHANGE_PERSON, person=facts.pop("id"), **facts).rowcount:
            raise Unknown(f"there is no person {person.id}")

    def addresses(self, person: int) -> Sequence[Address]:
        return self._find(Address, person=person)

    def save_address(self, address: Address) -> None:
        owner = self.person_at(address.address)
        if owner is not None and owner.id != address.person:
            raise Taken(f"{address.address} is somebody else's")
        self._put(address)

    def remove_address(self, address: str) -> None:
        self._remove(addresses, address=address)

    def claims(self, person: int) -> Sequence[Claim]:
        return self._find(Claim, person=person)

    def save_claim(self, claim: Claim) -> None:
        self._put(claim)

    def remove_claim(self, person: int, address: str) -> None:
        self._remove(claims, person=person, address=address)

    def waiting(self) -> Sequence[Person]:
        return self._values(Person, _WAITING)

    def wait(self, person: int, since: int) -> None:
        if all(each.id != person for each in self.waiting()):
            self._add(waiting, {"person": person, "since": since})

    def wait_no_more(self, person: int) -> None:
        self._remove(waiting, person=person)

    # -- the clock ---

    def slots(self, game: str) -> Sequence[Slot]:
        return self._find(Slot, game=game)

    def put_slot(self, game: str, slot: Slot) -> None:
        self._decide(games, game)
        self._put(slot, game=game)

    def close_slot(self, game: str, key: str) -> None:
        self._decide(games, game)
        self._remove(slots, game=game, key=key)

    def due_slots(self, before: int) -> Sequence[tuple[str, Slot]]:
        return [(row.game, value(Slot, row)) for row in self._run(_DUE_SLOTS, before=before)]

    def next_due(self) -> int | None:
        return self._instant(_NEXT_DUE)

    # -- what goes out ---

    def post(self, rows: Iterable[OutboxRow]) -> None:
        fresh = [*numbered(rows, self.posted)]
        self._add(outbox, *({**asdict(row), "state": "queued"} for row in fresh))
        self.fresh += fresh

    def answers(self, game: str, seat: str | None, to: Sequence[str]) -> Sequence[OutboxRow]:
        return self._values(OutboxRow, _ANSWERS, game=game, seat=seat, to=[*to])

    def posted(self, post: str) -> bool:
        return bool(self._run(_POSTED, id=post).first())

    def claim(self, now: int, until: int, limit: int = 100, matter: str | None = None) -> Sequence[OutboxRow]:
        """Another daemon's rows are passed over."""
        of = {} if matter is None else {"matter": matter}
        due = self._values(OutboxRow, _DUE_POST_OF if of else _DUE_POST, now=now, limit=limit, **of)
        if due:
            self._run_all(_CLAIM, [{"post": row.id, "until": until} for row in due])
        return due

    def next_matter(self, now: int, apart: Collection[str]) -> str | None:
        matter: str | None = self._run(_NEXT_MATTER, now=now, apart=[*apart]).scalar()
        return matter

    def waiting_with(self, row: OutboxRow, until: int) -> Sequence[OutboxRow]:
        """Another daemon's rows are passed over."""
        to = {"game": row.game, "to": row.to, "at": row.seat or ""}
        return self._values(OutboxRow, _WAITING_WITH, **to, post=row.id, until=until)

    def gather(self, row: OutboxRow) -> None:
        self._run(_GATHER, post=row.id, told=row.data)

    def next_post(self) -> int | None:
        return self._instant(_NEXT_POST)

    def delivered(self, post: str, at: int) -> None:
        self._run(_DELIVERED, post=post, at=at)

    def put_away(self, post: str) -> None:
        self._run(_PUT_AWAY, post=post)

    def postpone(self, post: str, due: int) -> None:
        self._run(_POSTPONE, post=post, until=due)

    def put_back(self, post: str, due: int) -> None:
        self._run(_PUT_BACK, post=post, until=due)

    def bury(self, post: str, reason: str) -> None:
        self._run(_BURY, post=post, why=reason)

    # -- instants ---

    def polled(self) -> int | None:
        return self.mark("polled")

    def set_polled(self, at: int) -> None:
        self.set_mark("polled", at)

    def moved(self) -> Mapping[str, int]:
        return self._marked(_MOVED)

    def set_moved(self, game: str, seq: int) -> None:
        self.set_mark(_MOVED + game, seq)

    def settle_move(self, game: str, seq: int) -> None:
        self._remove(marks, name=_MOVED + game, at=seq)

    def moved_seasons(self) -> Mapping[str, int]:
        return self._marked(_SEASON_MOVED)

    def set_season_moved(self, season: str, seq: int) -> None:
        self.set_mark(_SEASON_MOVED + season, seq)

    def settle_season(self, season: str, seq: int) -> None:
        self._remove(marks, name=_SEASON_MOVED + season, at=seq)

    def _marked(self, what: str) -> Mapping[str, int]:
        return {row.name.removeprefix(what): row.at for row in self._run(_MOVES, what=what)}

    def set_mark(self, name: str, at: int | None) -> None:
        self._remove(marks, name=name)
        if at is not None:
            self._add(marks, {"name": name, "at": at})
