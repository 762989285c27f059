"""The books: letters as they came, dead mail, counts, in SQL."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Sequence

from sqlalchemy import BindParameter, and_, bindparam, case, delete, func, or_, select, update
from sqlalchemy.sql import Executable

from pbem.adapters.store.rows import Rows, columns, counting, every, like
from pbem.adapters.store.schema import games, letters, marks, outbox, raws, slots, tallies
from pbem.host.calendar.zones import HOUR
from pbem.host.ports import Dead, Mailed, Noted, RawLetter, Vitals

_EXPIRE = delete(raws).where(
    or_(
        and_(raws.c.kept.is_(False), raws.c.at < bindparam("before")),
        and_(raws.c.kept.is_(True), raws.c.at < bindparam("kept_before")),
    )
)
_BYTES = raws.c.letter == letters.c.id
_NOTED = select(*columns(Noted, letters), func.coalesce(raws.c.kept, False).label("kept")).outerjoin_from(
    letters, raws, _BYTES
)
_ONE_NOTED = _NOTED.where(*like(letters, "id"))
_KEPT = _NOTED.where(raws.c.kept.is_(True)).order_by(letters.c.arrived, letters.c.id)
_LAST = _NOTED.where(*like(letters, "game")).order_by(letters.c.arrived.desc(), letters.c.id).limit(bindparam("most"))
_RAW = (
    select(*columns(RawLetter, letters), *columns(RawLetter, raws))
    .join_from(letters, raws, _BYTES)
    .where(*like(letters, "id"))
)
_FILED_SINCE = (
    select(letters.c.sender, letters.c.arrived)
    .where(letters.c.fate.in_(bindparam("fates", expanding=True)), letters.c.arrived > bindparam("after"))
    .order_by(letters.c.arrived, letters.c.id)
)
_FROM = func.lower(letters.c.sender) == bindparam("address")
_LETTERS_FROM = _NOTED.where(_FROM).order_by(letters.c.arrived, letters.c.id)
_ERASE_RAWS = delete(raws).where(raws.c.letter.in_(select(letters.c.id).where(_FROM)))
_ERASE_LETTERS = update(letters).where(_FROM).values(sender="", subject="")
_TO = func.lower(outbox.c.to) == bindparam("address")
_MAIL_TO = every(Mailed).where(_TO)
_MAIL_ABOUT = every(Mailed, "game").where(_TO)
_STOP_MAIL = update(outbox).where(_TO, outbox.c.state.in_(["queued", "dead"])).values(state="dropped", reason=None)
_ERASE_MAIL = update(outbox).where(_TO).values(to="", data=b"{}", seat=None)

_NOW: BindParameter[int] = bindparam("this")
_BACK = (  # what a clock that was ahead has left in the books
    update(marks).where(marks.c.at > _NOW).values(at=_NOW),
    update(outbox).where(outbox.c.sent > _NOW).values(sent=_NOW),
    update(outbox).where(outbox.c.created > _NOW).values(due=outbox.c.due - (outbox.c.created - _NOW), created=_NOW),
)
_SOONER = (
    update(outbox)
    .where(outbox.c.state == "queued", outbox.c.kind != "reminder", outbox.c.due > bindparam("later"))
    .values(due=_NOW)
)

_DEAD = outbox.c.state == "dead"
_SETTLE = update(outbox).where(outbox.c.id == bindparam("post"), _DEAD)
_REVIVE = _SETTLE.values(state="queued", due=bindparam("until"), attempts=0, reason=None)
_CLEAR_AWAY = _SETTLE.values(state="dropped")

_ROWS = 64  # for one count, where several processes count
_TALLY = counting(tallies, "number")
_TALLIES = select(tallies).order_by(tallies.c.name)
_DOWN = ".down"

# No count looks at what is over and done with: each goes along an index.
_GAMES = (
    select(games.c.status.label("name"), func.count().label("number")).group_by(games.c.status).order_by(games.c.status)
)
_AWAITED = select(
    func.count().label("awaited"),
    func.min(slots.c.deadline).label("next_deadline"),
).select_from(slots)
_TRIED = outbox.c.attempts > 0
_QUEUED = select(
    func.count().label("queued"),
    func.min(case((_TRIED, outbox.c.created), else_=outbox.c.due)).label("oldest"),
).where(
    outbox.c.state == "queued",
    outbox.c.due <= bindparam("soon"),  # so far along the index: what was tried is tried again within an hour
    or_(_TRIED, outbox.c.due <= bindparam("now")),  # what is planned for later does not wait
)
_COUNT_DEAD = select(func.count()).where(_DEAD)
_COUNT_KEPT = select(func.count()).select_from(raws).where(raws.c.kept.is_(True))
_MARK = select(marks.c.at).where(*like(marks, "name"))
_LAST_SENT = select(func.max(outbox.c.sent))
_TROUBLES = select(marks.c.name, marks.c.at.label("number")).where(marks.c.name.endswith(_DOWN)).order_by(marks.c.name)


class SqlKeeping(Rows):
    """Inside one transaction."""

    def filed_since(self, fates: Sequence[str], after: int) -> Sequence[tuple[str, int]]:
        return [(row.sender, row.arrived) for row in self._run(_FILED_SINCE, fates=list(fates), after=after)]

    def keep(self, letter: str, raw: RawLetter, at: int, *, kept: bool) -> None:
        facts = {"raw": raw.raw, "size": raw.size, "cut": raw.cut, "again": raw.again}
        self._replace(raws, {"letter": letter, "at": at, "kept": kept, **facts})

    def kept(self) -> Sequence[Noted]:
        return self._values(Noted, _KEPT)

    def last(self, game: str, most: int) -> Sequence[Noted]:
        return self._values(Noted, _LAST, game=game, most=most)

    def noted(self, letter: str) -> Noted | None:
        return next(iter(self._values(Noted, _ONE_NOTED, id=letter)), None)

    def raw(self, letter: str) -> RawLetter | None:
        return next(iter(self._values(RawLetter, _RAW, id=letter)), None)

    def forget(self, letter: str) -> None:
        self._remove(letters, id=letter)

    def drop(self, letter: str) -> None:
        self._remove(raws, letter=letter)

    def expire(self, before: int, kept_before: int) -> int:
        return self._run(_EXPIRE, before=before, kept_before=kept_before).rowcount

    def letters_from(self, address: str) -> Sequence[Noted]:
        return self._values(Noted, _LETTERS_FROM, address=address.lower())

    def mail_to(self, address: str, game: str | None = None) -> Sequence[Mailed]:
        of = {} if game is None else {"game": game}
        return self._values(Mailed, _MAIL_ABOUT if of else _MAIL_TO, address=address.lower(), **of)

    def erase_mail(self, address: str) -> None:
        for statement in (_ERASE_RAWS, _ERASE_LETTERS, _STOP_MAIL, _ERASE_MAIL):
            self._run(statement, address=address.lower())

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
        if self._driver.dialect.name == "postgresql":
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

    def _pairs(self, statement: Executable) -> dict[str, int]:
        return {row.name: row.number for row in self._run(statement)}
