"""Which reports a member wants: everybody is told everything, but some of it later and in fewer letters."""

from __future__ import annotations

from collections.abc import Callable

from msgspec.structs import replace

from pbem.host.calendar.zones import HOUR, MINUTE, daily
from pbem.host.messages.rows import DigestJob, post_once, to_member
from pbem.host.ports import Game, Member, Person, Repository


def digest_after(member: Member, after: int) -> int | None:
    """When this member's next daily report is due; None when they want none."""
    mode, _, time = member.reports.partition(" ")
    if mode != "digest":
        return None
    hours, minutes = time.split(":")
    return daily(member.person.zone, int(hours) * HOUR + int(minutes) * MINUTE, after)


def queue_digest(repository: Repository, game: Game, member: Member, now: int) -> None:
    """There is, or may be, something for their next daily report; what it says is seen when it goes out."""
    at = digest_after(member, now)
    if at is None:
        return
    post_once(repository, [to_member(game, member, f"digest.{at}", DigestJob(at=at), now, due=at)])


def queue_digests(repository: Repository, game: Game, person: Person, now: int) -> None:
    """The same for a person who has chosen another time or zone."""
    for member in game.readers:
        if game.status == "running" and member.person.id == person.id:
            queue_digest(repository, game, member, now)


def wanting(game: Game, reader: Member, reports: str) -> Game:
    """The game with the reports that they want."""
    return _with(game, reader, lambda member: replace(member, reports=reports))


def having_told(game: Game, reader: Member, seq: int) -> Game:
    """The game after they have been told all up to an entry."""
    return _with(game, reader, lambda member: replace(member, told=max(member.told, seq)))


def _with(game: Game, reader: Member, change: Callable[[Member], Member]) -> Game:
    """The game with what has changed of a player, or of a moderator who has no seat."""
    kind = "members" if reader.seat else "moderators"
    own = (reader.seat, reader.person.id)
    changed = (change(one) if (one.seat, one.person.id) == own else one for one in getattr(game, kind))
    return replace(game, **{kind: tuple(changed)})
