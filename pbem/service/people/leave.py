"""A person's absence in the books: it counts in all games he plays, and every answer to him says that it does."""

from __future__ import annotations

from msgspec.structs import replace

from pbem.service.clock.absences import away_now
from pbem.service.letters import correspondence as co
from pbem.service.letters.publish import publish
from pbem.service.play.acts import Away, Back, read_act
from pbem.service.play.games import Desk
from pbem.service.ports import Game, Member


def spread(desk: Desk, game: Game, member: Member, now: int) -> None:
    """What he has just said in one game is so in the others he plays, too."""
    said = [read_act(step.entry.act) for step in desk.referee(game).steps if step.entry.act]
    acts = [act for act in said if isinstance(act, Away | Back)]
    others = [each for each in desk.books.games_of(member.person.id) if each.status == "running" and each.id != game.id]
    for other in others if acts else ():
        for mine in other.members:
            if mine.person.id == member.person.id:
                _note(desk, other, replace(acts[-1], by=mine.seat), now)
        publish(desk, other, now)


def _note(desk: Desk, game: Game, act: Away | Back, now: int) -> None:
    referee = desk.referee(game)
    if isinstance(act, Away) or away_now(referee.position.done, act.by, now):
        referee.note(now, act)


def on_leave(desk: Desk, game: Game, seat: str, now: int) -> co.Leave | None:
    """What there is of an absence that runs or is to come; None when there is none."""
    referee = desk.referee(game)
    found = away_now(referee.position.done, seat, now)
    if found is None:
        return None
    papers = [paper.text for paper in referee.record.papers() if (paper.seat, paper.kind) == (seat, "standing")]
    return co.Leave(start=found.start, end=found.end, days=referee.terms.away_days, standing=tuple(papers))
