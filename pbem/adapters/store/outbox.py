"""The books: what goes out, in SQL."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import chain, repeat

from msgspec.structs import asdict
from sqlalchemy import Connection, bindparam, func, or_, select, update

from pbem.adapters.store.rows import Rows, columns, like
from pbem.adapters.store.schema import outbox
from pbem.host.messages.row_ids import ANSWER, numbered
from pbem.host.ports import OutboxRow

_POSTED = select(outbox.c.id).where(*like(outbox, "id"))
_TAKEN = select(outbox.c.id).where(outbox.c.id.in_(bindparam("ids", expanding=True)))
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
    .limit(bindparam("limit"))
    .offset(bindparam("passed"))
    .with_for_update(skip_locked=True)
)
_FIRST, _PAGE = 3, 20  # rows that are read at first, and at once then: mostly the second is of another letter
_SETTLE = update(outbox).where(outbox.c.id == bindparam("post"), _QUEUED)
_GATHER = _SETTLE.values(data=bindparam("told"))
_CLAIM = _SETTLE.values(due=bindparam("until"), attempts=outbox.c.attempts + 1)
_DELIVERED = _SETTLE.values(state="sent", sent=bindparam("at"))
_PUT_AWAY = _SETTLE.values(state="dropped")
_POSTPONE = _SETTLE.values(due=bindparam("until"))
_PUT_BACK = _SETTLE.values(due=bindparam("until"), attempts=outbox.c.attempts - 1)
_BURY = _SETTLE.values(state="dead", reason=bindparam("why"))


class SqlOutbox(Rows):
    """Inside one transaction."""

    def __init__(self, connection: Connection) -> None:
        super().__init__(connection)
        self.fresh: list[OutboxRow] = []

    def post(self, rows: Iterable[OutboxRow]) -> None:
        posted = [*rows]
        if not posted:
            return
        asked = [row.id for row in posted]
        taken = self._run(_TAKEN, ids=asked).scalars()
        fresh = [*numbered(posted, lambda id_: id_ in taken if id_ in asked else self.posted(id_))]
        self._add(outbox, *({**asdict(row), "state": "queued"} for row in fresh))
        self.fresh += fresh

    def answers(self, game: str, seat: str | None, to: Sequence[str]) -> Sequence[OutboxRow]:
        return self._values(OutboxRow, _ANSWERS, game=game, seat=seat, to=[*to])

    def posted(self, post: str) -> bool:
        return bool(self._run(_POSTED, id=post).first())

    def due(self, now: int, limit: int = 100, matter: str | None = None) -> Sequence[OutboxRow]:
        """Another daemon's rows are passed over."""
        of = {} if matter is None else {"matter": matter}
        return self._values(OutboxRow, _DUE_POST_OF if of else _DUE_POST, now=now, limit=limit, **of)

    def claim(self, now: int, until: int, limit: int = 100, matter: str | None = None) -> Sequence[OutboxRow]:
        due = self.due(now, limit, matter)
        if due:
            self._run_all(_CLAIM, [{"post": row.id, "until": until} for row in due])
        return due

    def next_matter(self, now: int, apart: Collection[str]) -> str | None:
        matter: str | None = self._run(_NEXT_MATTER, now=now, apart=[*apart]).scalar()
        return matter

    def waiting_with(self, row: OutboxRow, until: int) -> Iterator[OutboxRow]:
        """Another daemon's rows are passed over."""
        facts = {"game": row.game, "to": row.to, "at": row.seat or "", "post": row.id, "until": until}
        passed = 0
        for limit in chain([_FIRST], repeat(_PAGE)):
            found = self._values(OutboxRow, _WAITING_WITH, **facts, limit=limit, passed=passed)
            yield from found
            if len(found) < limit:
                return
            passed += limit

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
