"""Advisory locks of PostgreSQL's: each worker has a session of its own for them, with whose end they are free again.

https://www.postgresql.org/docs/current/explicit-locking.html#ADVISORY-LOCKS
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from contextlib import suppress
from hashlib import blake2b
from typing import Any

from pbem.adapters.store.connections import Connection
from pbem.host.ports import Conflict, StoreDown

_PATIENCE = 60  # seconds that we wait for another worker, which has a few letters in hand
# What every worker shares, so that they can be counted: a key of two numbers, which no name becomes.
_COME = "SELECT pg_advisory_lock_shared(1886545261, 1)"
_COUNT = (
    "SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND mode = 'ShareLock' AND granted"
    " AND classid = 1886545261 AND objid = 1 AND objsubid = 2"
    " AND database = (SELECT oid FROM pg_database WHERE datname = current_database())"
)
_TAKE = "SELECT pg_try_advisory_lock(id) FROM unnest(CAST(:ids AS bigint[])) AS id"
_WAIT = "SELECT pg_advisory_lock(id) FROM unnest(CAST(:ids AS bigint[])) AS id"
_RELEASE = "SELECT pg_advisory_unlock(id) FROM unnest(CAST(:ids AS bigint[])) AS id"


class AdvisoryLocks:
    """Fulfils `ports.Locks`. Where the session breaks another takes up all that was held, or the round is over."""

    is_alone = False

    def __init__(self, connect: Callable[[], Connection]) -> None:
        self._connect = connect
        self._session: Connection | None = None
        self._held: list[int] = []

    def take(self, names: Collection[str]) -> bool:
        ids = _ids(names)
        got = self._ask(_TAKE, ids)
        if all(got):
            self._held += ids
            return True
        ours = [each for each, is_ours in zip(ids, got, strict=True) if is_ours]
        if ours:
            self._ask(_RELEASE, ours)
        return False

    def wait(self, names: Collection[str]) -> None:
        ids = _ids(names)
        try:
            self._ask(_WAIT, ids)
        except StoreDown as late:  # some of them may be ours by now: all are given up
            self.close()
            raise Conflict(str(late)) from late
        self._held += ids

    def release(self, names: Collection[str]) -> None:
        """Where the session is gone they are free already."""
        ids = [each for each in _ids(names) if each in self._held]
        for each in ids:
            self._held.remove(each)
        if ids and self._session is not None:
            with suppress(StoreDown):
                self._ask(_RELEASE, ids)

    def workers(self) -> int:
        return max(1, int(self._ask(_COUNT)[0]))

    def close(self) -> None:
        """Let go of everything."""
        self._held.clear()
        self._hang_up()

    def _ask(self, statement: str, ids: Sequence[int] | None = None) -> Sequence[Any]:
        is_new = self._session is None
        try:
            return self._opened().run(statement, _given(ids)).scalars()
        except StoreDown:
            self._hang_up()
            if is_new or statement == _WAIT:
                self._held.clear()
                raise
        return self._opened().run(statement, _given(ids)).scalars()

    def _opened(self) -> Connection:
        if self._session is None:
            self._session = self._connect()
            self._session.run(f"SET lock_timeout = '{_PATIENCE}s'")
            self._session.run(_COME)
            if self._held and not all(self._session.run(_TAKE, _given(self._held)).scalars()):
                self.close()
                raise StoreDown("another worker has taken up what this one had in hand when its connection broke")
        return self._session

    def _hang_up(self) -> None:
        session, self._session = self._session, None
        if session is not None:
            session.close()


def _given(ids: Sequence[int] | None) -> dict[str, str]:
    """As an array is written."""
    return {} if ids is None else {"ids": f"{{{','.join(map(str, ids))}}}"}


def _ids(names: Collection[str]) -> list[int]:
    """64 bits of each name, in an order that all workers keep, so that no two wait for each other."""
    return sorted(int.from_bytes(blake2b(name.encode(), digest_size=8).digest(), signed=True) for name in names)
