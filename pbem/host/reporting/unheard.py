"""What only the operator can see to in a game that nobody moderates: they must hear of it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from pbem.host.messages.alarms import Trouble
from pbem.host.messages.rows import alarm
from pbem.host.ports import Game, OutboxRow
from pbem.host.session.acts import read_act
from pbem.host.session.acts.seats import Removed
from pbem.host.session.acts.votes import Objected
from pbem.host.session.session import Step


def unheard(game: Game, steps: Sequence[Step], operator: str, now: int) -> Iterator[OutboxRow]:
    """An alarm for each objection, and for the removal of the last moderator; `game` as it was before these steps."""
    for said in (read_act(step.entry.act) for step in steps if step.entry.act is not None):
        leads = {one.person.id for one in game.moderators}
        if isinstance(said, Removed) and leads <= {said.person}:
            what = Trouble.removed.say(game=game.id)
            yield alarm(what, f"{said.by}: {said.why}", about=f"{game.id}.removed.{said.person}", to=operator, now=now)
        elif isinstance(said, Objected) and not leads:
            name = f"O-{said.number}"
            what = Trouble.objection.say(game=game.id, by=said.by, turn=said.turn, name=name)
            detail = (
                f'Decide with `pbem game do {game.id} "uphold {name}: WHY"`, or dismiss. {said.by} writes: {said.text}'
            )
            yield alarm(what, detail, about=f"{game.id}.{name}", to=operator, now=now)
