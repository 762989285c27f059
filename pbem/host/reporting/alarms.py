"""The one way in which the operator is told of what needs a person, and of a game those, too, who moderate it."""

from __future__ import annotations

from collections.abc import Iterator

from pbem.host.messages.alarms import Sentence
from pbem.host.messages.letters import Alarm
from pbem.host.messages.rows import LetterJob, content_job, post, to_member
from pbem.host.ports import Game, Member, OutboxRow, Repository


def post_alarm(
    repository: Repository,
    what: Sentence,
    detail: str,
    *,
    about: str,
    operator: str,
    now: int,
    game: Game | None = None,
    once: bool = False,
) -> None:
    """Queue an alarm. `about` names the occasion, and `once` that it has one alarm only, however often it comes.

    With `game` its moderators who do not play get it, too.
    """
    rows = _rows(game, content_job(Alarm(what=what, detail=detail)), about, operator, now)
    repository.post(row for row in rows if not (once and repository.posted(row.id)))


def moderators_without_seat(game: Game, operator: str) -> Iterator[Member]:
    """Those who hear of a game's troubles beside the operator."""
    return (one for one in game.readers if not one.seat and one.person.address != operator.lower())


def _rows(game: Game | None, job: LetterJob, about: str, operator: str, now: int) -> Iterator[OutboxRow]:
    yield post(f"alarm.{about}", operator, job, now=now)
    if game is not None:
        yield from (to_member(game, one, f"alarm.{about}", job, now) for one in moderators_without_seat(game, operator))
