"""Objections in a game that nobody moderates: the operator is over all, and must hear of them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from pbem.service.letters.post import alarm
from pbem.service.play.acts import Objected, read_act
from pbem.service.play.referee import Step
from pbem.service.ports import Game, Post


def unheard(game: Game, steps: Sequence[Step], operator: str, now: int) -> Iterator[Post]:
    """An alarm for each that these steps have brought, unless there is a moderator to decide it."""
    acts = [read_act(step.entry.act) for step in steps if step.entry.act is not None and not game.moderators]
    for said in acts:
        if isinstance(said, Objected):
            name = f"O-{said.number}"
            what = f"In {game.id}, which has no moderator, {said.by} objects to the report R-{said.turn} ({name})."
            detail = (
                f'Decide with `pbem game do {game.id} "uphold {name}: WHY"`, or dismiss. {said.by} writes: {said.text}'
            )
            yield alarm(what, detail, about=f"{game.id}.{name}", to=operator, now=now)
