"""What somebody who is known asks of the host: a game, a seat in one that gathers, a place on the waiting list."""

from __future__ import annotations

from pbem.core.refusal import Refusal
from pbem.host.commands.requests import LobbyCommand
from pbem.host.lobby.policy import LobbyPolicy
from pbem.host.messages.replies import Reply
from pbem.host.ports import Person
from pbem.host.reporting.answers import refused
from pbem.host.session.unit_of_work import UnitOfWork
from pbem.language.openings import Request


def answer_request(work: UnitOfWork, policy: LobbyPolicy, person: Person, request: Request, now: int) -> Reply:
    """What is said to it, after it has been done."""
    try:
        assert isinstance(request.command, LobbyCommand), "it was read by the table of them"
        return request.command.do(work, policy, person, request, now)
    except Refusal as refusal:
        return refused(refusal)
