"""The one way in which the operator is told of what needs a person, and of a game those, too, who moderate it.

What only the operator can see to in a game that nobody moderates they must hear of. And a seat that nobody plays is not
forgotten: whoever leads the game hears of it, and again while it stays empty.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from pbem.core.decision import MODERATOR
from pbem.host.calendar.zones import DAY
from pbem.host.messages.alarms import Sentence, Trouble
from pbem.host.messages.letters import Alarm
from pbem.host.messages.rows import EmptySeatJob, LetterJob, content_job, post, post_once, to_member
from pbem.host.ports import Game, Member, OutboxRow, Repository
from pbem.host.reporting.answers import is_asked
from pbem.host.session.acts import Ejected, Objected, Removed
from pbem.host.session.session import Session, Step

DAYS = (0, 1, 3, 7, 14, 28)  # after which it is told that a seat is empty


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
    if once:
        post_once(repository, rows)
    else:
        repository.post(rows)


def _rows(game: Game | None, job: LetterJob, about: str, operator: str, now: int) -> Iterator[OutboxRow]:
    yield post(f"alarm.{about}", operator, job, now=now)
    if game is not None:
        yield from (
            to_member(game, one, f"alarm.{about}", job, now) for one in _moderators_without_seat(game, operator)
        )


def tell_unheard(repository: Repository, game: Game, steps: Sequence[Step], operator: str, now: int) -> None:
    """An alarm for each objection, and for the removal of the last moderator; `game` as it was before these steps."""
    for said in (step.act for step in steps):
        leads = {one.person.id for one in game.moderators}
        if isinstance(said, Removed) and leads <= {said.person}:
            what = Trouble.removed.say(game=game.id)
            detail, about = f"{said.by}: {said.why}", f"{game.id}.removed.{said.person}"
            post_alarm(repository, what, detail, about=about, operator=operator, now=now)
        elif isinstance(said, Objected) and not leads:
            name = f"O-{said.number}"
            what = Trouble.objection.say(game=game.id, by=said.by, turn=said.turn, name=name)
            detail = (
                f'Decide with `pbem game do {game.id} "uphold {name}: WHY"`, or dismiss. {said.by} writes: {said.text}'
            )
            post_alarm(repository, what, detail, about=f"{game.id}.{name}", operator=operator, now=now)


def tell_unruled(repository: Repository, game: Game, session: Session, operator: str, now: int) -> None:
    """An alarm where a game asks the moderator for what none of them may answer."""
    for decision in session.pending():
        is_new = any(decision not in session.rules.pending(step.before.state) for step in session.steps)
        asked = (is_asked(session.rules, session.state, game, decision, one) for one in _leading(game))
        if decision.seat == MODERATOR and is_new and not any(asked):
            facts = session.rules.ask(session.state, decision)
            ways = " or ".join(f"`{each}`" for each in facts.get("examples", ()))  # type: ignore[attr-defined]
            told = "; ".join(f"{key}: {said}" for key, said in facts.items() if key not in ("examples", "choices"))
            detail = f"Rule with `pbem game do {game.id} …`: {ways}. {told}"
            about = f"{game.id}.ruling.{decision.serial}.{session.position.seq}"
            what = Trouble.ruling.say(game=game.id)
            post_alarm(repository, what, detail, about=about, operator=operator, now=now)


def _leading(game: Game) -> Iterator[Member]:
    """Those who moderate it, where they sit."""
    seats = {member.person.id: member for member in game.members}
    return (seats.get(one.person.id, one) for one in game.moderators)


def alarms_of_empty_seats(game: Game, steps: Sequence[Step], operator: str, now: int) -> Iterator[OutboxRow]:
    """For each seat that was emptied by these steps: to the operator and to the moderators who do not play."""
    for step in steps:
        if isinstance(step.act, Ejected):
            for days in DAYS:
                job = EmptySeatJob(seat=step.act.seat, seq=step.entry.seq, days=days)
                yield from _of_empty_seat(game, job, operator, now)


def _of_empty_seat(game: Game, job: EmptySeatJob, operator: str, now: int) -> Iterator[OutboxRow]:
    what, due = f"{job.seq}.empty.{job.seat}.{job.days}", now + job.days * DAY
    yield post(f"alarm.{game.id}.{what}", operator, job, now=now, due=due, game=game.id)
    for one in _moderators_without_seat(game, operator):
        yield to_member(game, one, f"alarm.{what}", job, now, due)


def _moderators_without_seat(game: Game, operator: str) -> Iterator[Member]:
    """Those who hear of a game's troubles beside the operator."""
    return (one for one in game.readers if not one.seat and one.person.address != operator.lower())
