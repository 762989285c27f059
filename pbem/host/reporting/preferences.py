"""Which reports a member wants: everybody is told everything, but some of it later and in fewer letters."""

from __future__ import annotations

import re
from collections.abc import Callable

from msgspec.structs import replace

from pbem.core.refusal import Illegal
from pbem.host.calendar.zones import HOUR, MINUTE, daily
from pbem.host.messages.rows import DigestJob, to_member
from pbem.host.ports import Game, Member, Person, Repository
from pbem.language.commands import REPORTS
from pbem.language.tokens import fold

WRITTEN = re.compile(
    r"[: ]*(?P<mode>\w+)[: ]*"
    r"(?:(?:at |um |alle |ore |alle ore )?(?P<hour>\d{1,2})(?: ?[:h]? ?(?P<minute>\d{2}))?(?: ?(?:h|uhr|ore))?)?"
)


def chosen(written: str) -> str:
    """What `Member.reports` is to be after these words. Raises `Illegal`."""
    found = WRITTEN.fullmatch(" ".join(fold(written).split()))
    mode = _meant(found["mode"]) if found else None
    if found is None or mode is None or (mode == "digest") != bool(found["hour"]):
        raise Illegal("reports.unknown", read=written)
    if mode != "digest":
        return mode
    hour, minute = int(found["hour"]), int(found["minute"] or 0)
    if hour > 23 or minute > 59:
        raise Illegal("reports.unknown", read=written)
    return f"digest {hour:02}:{minute:02}"


def _meant(word: str) -> str | None:
    meant = {id_ for id_, names in REPORTS.items() if any(fold(name).startswith(word) for name in names)}
    return meant.pop() if len(meant) == 1 else None


def digest_after(member: Member, after: int) -> int | None:
    """When this member's next daily report is due; None when he wants none."""
    mode, _, time = member.reports.partition(" ")
    if mode != "digest":
        return None
    hours, minutes = time.split(":")
    return daily(member.person.zone, int(hours) * HOUR + int(minutes) * MINUTE, after)


def queue_digest(books: Repository, game: Game, member: Member, now: int) -> None:
    """There is, or may be, something for his next daily report; what it says is seen when it goes out."""
    at = digest_after(member, now)
    if at is None:
        return
    row = to_member(game, member, f"digest.{at}", DigestJob(at=at), now, due=at)
    if not books.posted(row.id):
        books.post([row])


def queue_digests(books: Repository, game: Game, person: Person, now: int) -> None:
    """The same for a person who has chosen another time or zone."""
    for member in game.readers:
        if game.status == "running" and member.person.id == person.id:
            queue_digest(books, game, member, now)


def wanting(game: Game, reader: Member, reports: str) -> Game:
    """The game with the reports that he wants."""
    return _with(game, reader, lambda member: replace(member, reports=reports))


def having_told(game: Game, reader: Member, seq: int) -> Game:
    """The game after he has been told all up to an entry."""
    return _with(game, reader, lambda member: replace(member, told=max(member.told, seq)))


def _with(game: Game, reader: Member, change: Callable[[Member], Member]) -> Game:
    """The game with what has changed of a player, or of a moderator who has no seat."""
    kind = "members" if reader.seat else "moderators"
    own = (reader.seat, reader.person.id)
    changed = (change(one) if (one.seat, one.person.id) == own else one for one in getattr(game, kind))
    return replace(game, **{kind: tuple(changed)})
