"""What only the operator can see to in a game that nobody moderates: they must hear of it."""

from __future__ import annotations

from collections.abc import Sequence

from pbem.host.messages.alarms import Trouble
from pbem.host.ports import Game, Repository
from pbem.host.reporting.alarms import post_alarm
from pbem.host.session.acts import Objected, Removed, read_act
from pbem.host.session.session import Step


def tell_unheard(repository: Repository, game: Game, steps: Sequence[Step], operator: str, now: int) -> None:
    """An alarm for each objection, and for the removal of the last moderator; `game` as it was before these steps."""
    for said in (read_act(step.entry.act) for step in steps if step.entry.act is not None):
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
