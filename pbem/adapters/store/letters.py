"""The books: letters as they came, dead mail, counts, in SQL."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Sequence

from pbem.adapters.store.rows import Rows, counting
from pbem.host.calendar.zones import HOUR
from pbem.host.ports import Dead, Mailed, Noted, RawLetter, Vitals

_EXPIRE = "DELETE FROM raws WHERE (kept = FALSE AND at < :before) OR (kept = TRUE AND at < :kept_before)"
_NOTED = (
    "SELECT letters.id, arrived, sender, subject, game, fate, coalesce(raws.kept, FALSE) AS kept "
    "FROM letters LEFT JOIN raws ON raws.letter = letters.id "
)
_ONE_NOTED = f"{_NOTED}WHERE letters.id = :id"
_KEPT = f"{_NOTED}WHERE raws.kept = TRUE ORDER BY arrived, letters.id"
_LAST = f"{_NOTED}WHERE game = :game ORDER BY arrived DESC, letters.id LIMIT :most"
_RAW = (
    "SELECT uid, uidvalidity, arrived, raw, size, cut, again FROM letters JOIN raws ON raws.letter = letters.id "
    "WHERE letters.id = :id"
)
_FILED_SINCE = "SELECT sender, arrived FROM letters WHERE fate IN :fates AND arrived > :after ORDER BY arrived, id"
_FROM = "lower(sender) = :address"
_LETTERS_FROM = f"{_NOTED}WHERE {_FROM} ORDER BY arrived, letters.id"
_ERASE_RAWS = f"DELETE FROM raws WHERE letter IN (SELECT id FROM letters WHERE {_FROM})"
_ERASE_LETTERS = f"UPDATE letters SET sender = '', subject = '' WHERE {_FROM}"
_TO = 'lower("to") = :address'
_MAIL_TO = f"SELECT id, kind, game, seat, created, sent, data FROM outbox WHERE {_TO}"
_IN_ORDER = " ORDER BY number"
_STOP_MAIL = f"UPDATE outbox SET state = 'dropped', reason = NULL WHERE {_TO} AND state IN ('queued', 'dead')"
_ERASE_MAIL = f"UPDATE outbox SET \"to\" = '', data = :nothing, seat = NULL WHERE {_TO}"
_NO_JOB = b"{}"

_PAGE = (
    "SELECT due, number FROM outbox WHERE state = :state AND due < :before AND (due, number) > (:due, :number) "
    "ORDER BY due, number LIMIT :most"
)
_SHED = (
    "DELETE FROM outbox WHERE number IN :numbers "
    "AND NOT EXISTS (SELECT 1 FROM games WHERE games.id = outbox.game AND games.status = 'inviting') "
    "AND NOT EXISTS (SELECT 1 FROM seasons WHERE seasons.tag = outbox.game AND seasons.due IS NOT NULL) "
    "AND NOT EXISTS (SELECT 1 FROM slots WHERE slots.game = outbox.game AND slots.opened <= outbox.created) "
    "AND (sent IS NULL OR sent < (SELECT max(sent) FROM outbox))"
)

_BACK = (  # what a clock that was ahead has left in the books
    "UPDATE marks SET at = :this WHERE at > :this",
    "UPDATE outbox SET sent = :this WHERE sent > :this",
    "UPDATE outbox SET due = due - (created - :this), created = :this WHERE created > :this",
)
_SOONER = "UPDATE outbox SET due = :this WHERE state = 'queued' AND kind <> 'reminder' AND due > :later"

_REVIVE = (
    "UPDATE outbox SET state = 'queued', due = :until, attempts = 0, reason = NULL WHERE id = :post AND state = 'dead'"
)
_CLEAR_AWAY = "UPDATE outbox SET state = 'dropped' WHERE id = :post AND state = 'dead'"

_ROWS = 64  # for one count, where several processes count
_TALLY = counting("tallies", "number")
_TALLIES = "SELECT name, number FROM tallies ORDER BY name"
_DOWN = ".down"

# No count looks at what is over and done with: each goes along an index.
_GAMES = "SELECT status AS name, count(*) AS number FROM games GROUP BY status ORDER BY status"
_AWAITED = "SELECT count(*) AS awaited, min(deadline) AS next_deadline FROM slots"
# What was tried is tried again within an hour (`soon`: so far along the index); what is planned does not wait.
_QUEUED = (
    "SELECT count(*) AS queued, min(CASE WHEN attempts > 0 THEN created ELSE due END) AS oldest FROM outbox "
    "WHERE state = 'queued' AND due <= :soon AND (attempts > 0 OR due <= :now)"
)
_COUNT_DEAD = "SELECT count(*) FROM outbox WHERE state = 'dead'"
_COUNT_KEPT = "SELECT count(*) FROM raws WHERE kept = TRUE"
_MARK = "SELECT at FROM marks WHERE name = :name"
_LAST_SENT = "SELECT max(sent) FROM outbox"
_TROUBLES = f"SELECT name, at AS number FROM marks WHERE name LIKE '%{_DOWN}' ORDER BY name"


class SqlKeeping(Rows):
    """Inside one transaction."""

    def filed_since(self, fates: Sequence[str], after: int) -> Sequence[tuple[str, int]]:
        return [(row.sender, row.arrived) for row in self._run(_FILED_SINCE, fates=list(fates), after=after)]

    def keep(self, letter: str, raw: RawLetter, at: int, *, kept: bool) -> None:
        facts = {"raw": raw.raw, "size": raw.size, "cut": raw.cut, "again": raw.again}
        self._replace("raws", {"letter": letter, "at": at, "kept": kept, **facts})

    def kept(self) -> Sequence[Noted]:
        return self._values(Noted, _KEPT)

    def last(self, game: str, most: int) -> Sequence[Noted]:
        return self._values(Noted, _LAST, game=game, most=most)

    def noted(self, letter: str) -> Noted | None:
        return next(iter(self._values(Noted, _ONE_NOTED, id=letter)), None)

    def raw(self, letter: str) -> RawLetter | None:
        return next(iter(self._values(RawLetter, _RAW, id=letter)), None)

    def forget(self, letter: str) -> None:
        self._remove("letters", id=letter)

    def drop(self, letter: str) -> None:
        self._remove("raws", letter=letter)

    def expire(self, before: int, kept_before: int) -> int:
        return self._run(_EXPIRE, before=before, kept_before=kept_before).rowcount

    def letters_from(self, address: str) -> Sequence[Noted]:
        return self._values(Noted, _LETTERS_FROM, address=address.lower())

    def mail_to(self, address: str, game: str | None = None) -> Sequence[Mailed]:
        of = {} if game is None else {"game": game}
        about = " AND game = :game" if of else ""
        return self._values(Mailed, f"{_MAIL_TO}{about}{_IN_ORDER}", address=address.lower(), **of)

    def erase_mail(self, address: str) -> None:
        for statement in (_ERASE_RAWS, _ERASE_LETTERS, _STOP_MAIL):
            self._run(statement, address=address.lower())
        self._run(_ERASE_MAIL, address=address.lower(), nothing=_NO_JOB)

    def shed(self, before: int, *, sent: bool, after: tuple[int, int] | None, most: int) -> tuple[int, int] | None:
        due, number = after or (-1, -1)
        state = "sent" if sent else "dropped"
        page = [*self._run(_PAGE, state=state, before=before, due=due, number=number, most=most)]
        if page:
            self._run(_SHED, numbers=[row.number for row in page])
        return (page[-1].due, page[-1].number) if len(page) == most else None

    def dead(self) -> Sequence[Dead]:
        return self._find(Dead, state="dead")

    def revive(self, post: str, due: int) -> None:
        self._run(_REVIVE, post=post, until=due)

    def clear_away(self, post: str) -> None:
        self._run(_CLEAR_AWAY, post=post)

    def bring_back(self, now: int, later: int) -> None:
        for statement in _BACK:
            self._run(statement, this=now)
        self._run(_SOONER, this=now, later=later)

    def tally(self, name: str) -> None:
        """On PostgreSQL each process counts in a row of its own: two would else refuse each other for each letter."""
        if self._transaction.kind == "postgresql":
            name = f"{name} {os.getpid() % _ROWS}"
        self._run(_TALLY, name=name, number=1)

    def vitals(self, now: int) -> Vitals:
        return Vitals(
            games=self._pairs(_GAMES),
            **self._run(_AWAITED).first()._asdict(),
            **self._run(_QUEUED, now=now, soon=now + HOUR).first()._asdict(),
            dead=self._run(_COUNT_DEAD).scalar(),
            kept=self._run(_COUNT_KEPT).scalar(),
            polled=self.mark("polled"),
            delivered=self._instant(_LAST_SENT),
            letters=self._tallied(),
            down={name.removesuffix(_DOWN): at for name, at in self._pairs(_TROUBLES).items()},
        )

    def _tallied(self) -> dict[str, int]:
        found = Counter[str]()
        for name, number in self._pairs(_TALLIES).items():
            found[name.partition(" ")[0]] += number
        return dict(found)

    def mark(self, name: str) -> int | None:
        return self._instant(_MARK, name=name)

    def _pairs(self, statement: str) -> dict[str, int]:
        return {row.name: row.number for row in self._run(statement)}
