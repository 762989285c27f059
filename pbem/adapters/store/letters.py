"""The part of the books that the games know nothing of: letters as they came, dead mail, counts."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sqlalchemy import (
    BindParameter,
    Connection,
    CursorResult,
    and_,
    bindparam,
    case,
    delete,
    func,
    insert,
    or_,
    select,
    update,
)
from sqlalchemy.sql import Executable

from pbem.adapters.store.schema import games, letters, marks, outbox, raws, slots, tallies
from pbem.host.ports import Dead, Mailed, Noted, RawLetter, Vitals

_THIS = raws.c.letter == bindparam("id")
_KEEP = insert(raws)
_DROP = delete(raws).where(_THIS)
_EXPIRE = delete(raws).where(
    or_(
        and_(raws.c.kept.is_(False), raws.c.at < bindparam("before")),
        and_(raws.c.kept.is_(True), raws.c.at < bindparam("kept_before")),
    )
)
_NOTED = select(
    letters.c.id,
    letters.c.arrived,
    letters.c.sender,
    letters.c.subject,
    letters.c.game,
    letters.c.fate,
    func.coalesce(raws.c.kept, False).label("kept"),
).select_from(letters.outerjoin(raws, raws.c.letter == letters.c.id))
_ONE_NOTED = _NOTED.where(letters.c.id == bindparam("id"))
_KEPT = _NOTED.where(raws.c.kept.is_(True)).order_by(letters.c.arrived, letters.c.id)
_LAST = (
    _NOTED.where(letters.c.game == bindparam("game"))
    .order_by(letters.c.arrived.desc(), letters.c.id)
    .limit(bindparam("most"))
)
_RAW = (
    select(letters.c.uid, letters.c.uidvalidity, letters.c.arrived, raws.c.raw, raws.c.size, raws.c.cut, raws.c.again)
    .select_from(letters.join(raws, raws.c.letter == letters.c.id))
    .where(letters.c.id == bindparam("id"))
)
_FILED_SINCE = (
    select(letters.c.sender, letters.c.arrived)
    .where(letters.c.fate.in_(bindparam("fates", expanding=True)), letters.c.arrived > bindparam("after"))
    .order_by(letters.c.arrived, letters.c.id)
)
_FORGET = delete(letters).where(letters.c.id == bindparam("id"))

_FROM = func.lower(letters.c.sender) == bindparam("address")
_LETTERS_FROM = _NOTED.where(_FROM).order_by(letters.c.arrived, letters.c.id)
_ERASE_RAWS = delete(raws).where(raws.c.letter.in_(select(letters.c.id).where(_FROM)))
_ERASE_LETTERS = update(letters).where(_FROM).values(sender="", subject="")
_TO = func.lower(outbox.c.to) == bindparam("address")
_MAIL_TO = select(*(outbox.c[name] for name in Mailed.__struct_fields__)).where(_TO).order_by(outbox.c.number)
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
_DEAD_POST = (
    select(*(outbox.c[name] for name in Dead.__struct_fields__)).where(_DEAD).order_by(outbox.c.number)
)  # in the order of its fields
_SETTLE = update(outbox).where(outbox.c.id == bindparam("post"), _DEAD)
_REVIVE = _SETTLE.values(state="queued", due=bindparam("until"), attempts=0, reason=None)
_CLEAR_AWAY = _SETTLE.values(state="dropped")

_TALLY = update(tallies).where(tallies.c.name == bindparam("which")).values(number=tallies.c.number + 1)
_FIRST = insert(tallies)
_TALLIES = select(tallies)
_DOWN = ".down"

# No count looks at what is over and done with: each goes along an index.
_GAMES = select(games.c.status, func.count()).group_by(games.c.status).order_by(games.c.status)
_AWAITED = select(func.count(), func.min(slots.c.deadline)).select_from(slots)
_TRIED = outbox.c.attempts > 0
_QUEUED = select(func.count(), func.min(case((_TRIED, outbox.c.created), else_=outbox.c.due))).where(
    outbox.c.state == "queued",
    or_(_TRIED, outbox.c.due <= bindparam("now")),  # what is planned for later does not wait
)
_COUNT_DEAD = select(func.count()).where(_DEAD)
_COUNT_KEPT = select(func.count()).select_from(raws).where(raws.c.kept.is_(True))
_POLLED = select(marks.c.at).where(marks.c.name == "polled")
_LAST_SENT = select(func.max(outbox.c.sent))
_TROUBLES = select(marks.c.name, marks.c.at).where(marks.c.name.endswith(_DOWN)).order_by(marks.c.name)


class SqlKeeping:
    """Inside one transaction."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def filed_since(self, fates: Sequence[str], after: int) -> Sequence[tuple[str, int]]:
        """Senders and filing times of the letters filed after then of which one of these things became."""
        return [(row.sender, row.arrived) for row in self._run(_FILED_SINCE, fates=list(fates), after=after)]

    def keep(self, letter: str, raw: RawLetter, at: int, *, kept: bool) -> None:
        """Hold on to the bytes of a letter, in the place of what was held."""
        self.drop(letter)
        facts = {"raw": raw.raw, "size": raw.size, "cut": raw.cut, "again": raw.again}
        self._run(_KEEP, letter=letter, at=at, kept=kept, **facts)

    def kept(self) -> Sequence[Noted]:
        """The letters that a person should look at, in the order of filing."""
        return [_noted(row) for row in self._run(_KEPT)]

    def last(self, game: str, most: int) -> Sequence[Noted]:
        """The last letters about a game, the newest first."""
        return [_noted(row) for row in self._run(_LAST, game=game, most=most)]

    def noted(self, letter: str) -> Noted | None:
        """What became of a letter."""
        row = self._run(_ONE_NOTED, id=letter).first()
        return None if row is None else _noted(row)

    def raw(self, letter: str) -> RawLetter | None:
        """A letter as it came, if its bytes are still there."""
        row = self._run(_RAW, id=letter).first()
        return None if row is None else RawLetter(**row._mapping)

    def forget(self, letter: str) -> None:
        """Take the mark away that it has been dealt with; its bytes stay."""
        self._run(_FORGET, id=letter)

    def drop(self, letter: str) -> None:
        """Let go of its bytes; the mark stays."""
        self._run(_DROP, id=letter)

    def expire(self, before: int, kept_before: int) -> int:
        """Let go of bytes that were put by before then, of those kept for a person before the other instant."""
        return self._run(_EXPIRE, before=before, kept_before=kept_before).rowcount

    def letters_from(self, address: str) -> Sequence[Noted]:
        """All letters that came from there, in the order of filing."""
        return [_noted(row) for row in self._run(_LETTERS_FROM, address=address.lower())]

    def mail_to(self, address: str) -> Sequence[Mailed]:
        """All rows of the outbox that are for there, oldest first."""
        return [Mailed(**row._mapping) for row in self._run(_MAIL_TO, address=address.lower())]

    def erase_mail(self, address: str) -> None:
        """Forget what was written from there and to there."""
        for statement in (_ERASE_RAWS, _ERASE_LETTERS, _STOP_MAIL, _ERASE_MAIL):
            self._run(statement, address=address.lower())

    def dead(self) -> Sequence[Dead]:
        """The rows of the outbox that were given up, oldest first."""
        return [Dead(**row._mapping) for row in self._run(_DEAD_POST)]

    def revive(self, post: str, due: int) -> None:
        """A dead row is tried again from then on, as if for the first time."""
        self._run(_REVIVE, post=post, until=due)

    def clear_away(self, post: str) -> None:
        """A dead row is of no interest any more; its id stays taken."""
        self._run(_CLEAR_AWAY, post=post)

    def bring_back(self, now: int, later: int) -> None:
        """No mark and no letter of ours is of after `now`, and none but reminders waits until after `later`."""
        for statement in _BACK:
            self._run(statement, this=now)
        self._run(_SOONER, this=now, later=later)

    def tally(self, name: str) -> None:
        """One more of these."""
        if not self._run(_TALLY, which=name).rowcount:
            self._run(_FIRST, name=name, number=1)

    def vitals(self, now: int) -> Vitals:
        """How the server does at that instant, in numbers."""
        (slots,), (queue,) = self._rows(_AWAITED), self._rows(_QUEUED, now=now)
        return Vitals(
            games=self._pairs(_GAMES),
            awaited=slots[0],
            next_deadline=slots[1],
            queued=queue[0],
            oldest=queue[1],
            dead=self._run(_COUNT_DEAD).scalar_one(),
            kept=self._run(_COUNT_KEPT).scalar_one(),
            polled=self._run(_POLLED).scalar(),
            delivered=self._run(_LAST_SENT).scalar(),
            letters=self._pairs(_TALLIES),
            down={name.removesuffix(_DOWN): at for name, at in self._pairs(_TROUBLES).items()},
        )

    def _pairs(self, statement: Executable) -> dict[str, int]:
        return dict(sorted((name, number) for name, number in self._rows(statement)))

    def _rows(self, statement: Executable, **facts: Any) -> list[list[Any]]:
        return [list(row) for row in self._run(statement, **facts)]

    def _run(self, statement: Executable, **facts: object) -> CursorResult[Any]:
        return self._connection.execute(statement, facts)


def _noted(row: Any) -> Noted:
    return Noted(**{**row._mapping, "kept": bool(row.kept)})
