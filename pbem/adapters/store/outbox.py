"""The books: what goes out, in SQL."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import chain, repeat

from msgspec.structs import asdict

from pbem.adapters.store.connections import Transaction
from pbem.adapters.store.rows import Rows
from pbem.adapters.store.statements import UNLESS_TAKEN
from pbem.host.messages.row_ids import ANSWER, numbered
from pbem.host.ports import OutboxRow

_POSTED = "SELECT id FROM outbox WHERE id IN :ids"
_ROWS = 'SELECT id, "to", kind, data, game, seat, created, due, attempts FROM outbox '
_ANSWERS = (
    f"{_ROWS}WHERE game = :game AND coalesce(seat, '') = :seat AND \"to\" IN :to AND id LIKE '{ANSWER}%' "
    "ORDER BY number DESC"
)
_NEXT_POST = "SELECT min(due) FROM outbox WHERE state = 'queued'"
_DUE = "state = 'queued' AND due <= :now"
_MATTER = 'coalesce(game, "to")'
_DUE_POST = f"{_ROWS}WHERE {_DUE} ORDER BY due, number LIMIT :limit {UNLESS_TAKEN}"
_DUE_POST_OF = f"{_ROWS}WHERE {_DUE} AND {_MATTER} = :matter ORDER BY due, number LIMIT :limit {UNLESS_TAKEN}"
_NEXT_MATTER = f"SELECT {_MATTER} FROM outbox WHERE {_DUE} AND {_MATTER} NOT IN :apart ORDER BY due, number LIMIT 1"
_WAITING_WITH = (
    f"{_ROWS}WHERE state = 'queued' AND due <= :until AND game = :game AND \"to\" = :to AND coalesce(seat, '') = :seat "
    f"AND (attempts = 0 OR id = :post) ORDER BY number LIMIT :limit OFFSET :passed {UNLESS_TAKEN}"
)
_FIRST, _PAGE = 3, 20  # rows that are read at first, and at once then: mostly the second is of another letter


def _settling(change: str) -> str:
    """What becomes of a row that is in hand."""
    return f"UPDATE outbox SET {change} WHERE id = :post AND state = 'queued'"


_GATHER = _settling("data = :told")
_TAKE = (
    f"{_settling('due = :until, attempts = attempts + 1')} "
    "AND due = :was_due AND attempts = :was_tried AND data = :was_told"
)
_DELIVERED = _settling("state = 'sent', sent = :at")
_PUT_AWAY = _settling("state = 'dropped'")
_POSTPONE = _settling("due = :until")
_PUT_BACK = _settling("due = :until, attempts = attempts - 1")
_BURY = _settling("state = 'dead', reason = :why")


class SqlOutbox(Rows):
    """Inside one transaction."""

    def __init__(self, transaction: Transaction) -> None:
        super().__init__(transaction)
        self.fresh: list[OutboxRow] = []

    def post(self, rows: Iterable[OutboxRow]) -> None:
        posted = [*rows]
        if not posted:
            return
        asked = [row.id for row in posted]
        taken = self.posted(asked)
        fresh = [*numbered(posted, lambda id_: id_ in (taken if id_ in asked else self.posted([id_])))]
        self._add("outbox", *({**asdict(row), "state": "queued"} for row in fresh))
        self.fresh += fresh

    def answers(self, game: str, seat: str | None, to: Sequence[str]) -> Sequence[OutboxRow]:
        return self._values(OutboxRow, _ANSWERS, game=game, seat=seat or "", to=[*to])

    def posted(self, posts: Sequence[str]) -> Collection[str]:
        return self._run(_POSTED, ids=[*posts]).scalars() if posts else ()

    def due(self, now: int, limit: int = 100, matter: str | None = None) -> Sequence[OutboxRow]:
        """Another daemon's rows are passed over."""
        of = {} if matter is None else {"matter": matter}
        return self._values(OutboxRow, _DUE_POST_OF if of else _DUE_POST, now=now, limit=limit, **of)

    def take(self, row: OutboxRow, until: int) -> bool:
        as_read = {"post": row.id, "was_due": row.due, "was_tried": row.attempts, "was_told": row.data}
        return self._run(_TAKE, until=until, **as_read).rowcount == 1

    def next_matter(self, now: int, apart: Collection[str]) -> str | None:
        matter: str | None = self._run(_NEXT_MATTER, now=now, apart=[*apart]).scalar()
        return matter

    def waiting_with(self, row: OutboxRow, until: int) -> Iterator[OutboxRow]:
        """Another daemon's rows are passed over."""
        facts = {"game": row.game, "to": row.to, "seat": row.seat or "", "post": row.id, "until": until}
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
