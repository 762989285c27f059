"""How the votes stand, told once a day while a petition is open (docs/reference/procedure.md, section 10)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from pbem.host.calendar.zones import DAY
from pbem.host.messages.rows import TallyJob, to_member
from pbem.host.ports import Game, OutboxRow, Repository
from pbem.host.session.acts import Petitioned, read_act
from pbem.host.session.session import Step


def queue_tallies(repository: Repository, game: Game, steps: Sequence[Step], now: int) -> None:
    """For each day of the petitions that were just posted: one letter tells of all that are open by then."""
    acts = [read_act(step.entry.act) for step in steps if step.entry.act is not None]
    closings = [act.closes for act in acts if isinstance(act, Petitioned)]
    if closings:
        repository.post(row for row in _rows(game, max(closings), now) if not repository.posted(row.id))


def _rows(game: Game, closes: int, now: int) -> Iterator[OutboxRow]:
    """A day has one, by whichever petition was first to ask for it."""
    for due in range(now + DAY, closes, DAY):
        for member in game.readers:
            yield to_member(game, member, f"tally.{due // DAY}", TallyJob(), now, due)
