"""The answers of somebody who was asked to lead a game, or to take a seat in it."""

from __future__ import annotations

from pbem.host.app.received import Received
from pbem.host.lobby.nominations import says_whether_to_lead
from pbem.host.lobby.offers import says_whether
from pbem.host.messages.replies import Reply
from pbem.host.ports import Game, Person
from pbem.host.session.unit_of_work import UnitOfWork


def answer_candidate(work: UnitOfWork, game: Game, person: Person, received: Received) -> Reply | None:
    """What is said to their yes or no; None when they write of all else."""
    said = says_whether_to_lead(work, game, person, received.letter, received.now)
    return said or says_whether(work, game, person, received.letter, received.now)
