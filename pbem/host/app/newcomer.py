"""What somebody who is known asks of the house: a game, a seat in one that gathers, a place on the waiting list."""

from __future__ import annotations

from pbem.core.refusal import Refusal
from pbem.host.lobby.open_games import join, open_game, wait
from pbem.host.lobby.policy import LobbyPolicy
from pbem.host.lobby.wishes import check_wishes, terms_wished
from pbem.host.messages import Reply
from pbem.host.ports import Person
from pbem.host.reporting.answers import refused
from pbem.host.session.unit_of_work import UnitOfWork
from pbem.language.openings import Request


def answer_request(work: UnitOfWork, policy: LobbyPolicy, person: Person, request: Request, now: int) -> Reply:
    """What is said to it, after it has been done."""
    try:
        if request.kind in ("wait", "leave"):
            return wait(work, person, now, leaves=request.kind == "leave")
        if request.kind == "join":
            return join(work, request.tag, person, now)
        terms = terms_wished(policy, request)
        check_wishes(work, policy, request, terms, person)
        return open_game(work, terms, person, now)
    except Refusal as refusal:
        return refused(refusal)
