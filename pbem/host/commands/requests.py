"""What somebody may ask for who writes about no game under way: a game, a seat in one, a place on the waiting list."""

from __future__ import annotations

from collections.abc import Callable

from pbem.host.commands.choosing import CHOICE_COMMANDS
from pbem.host.commands.council import COUNCIL_COMMANDS
from pbem.host.commands.league import LEAGUE_COMMANDS
from pbem.host.commands.objecting import OBJECT
from pbem.host.commands.ratings import RATING_COMMANDS
from pbem.host.commands.reserving import RESERVE_COMMANDS
from pbem.host.lobby.open_games import join, open_game, wait
from pbem.host.lobby.policy import LobbyPolicy, check_wishes, terms_wished
from pbem.host.messages.replies import Reply
from pbem.host.ports import Person
from pbem.host.session.unit_of_work import UnitOfWork
from pbem.language.openings import Request, RequestCommand, RequestCommands


class LobbyCommand(RequestCommand, frozen=True, kw_only=True):
    """Does something for somebody who is known."""

    do: Callable[[UnitOfWork, LobbyPolicy, Person, Request, int], Reply]  # it raises `Refusal`


def _new(work: UnitOfWork, policy: LobbyPolicy, person: Person, request: Request, now: int) -> Reply:
    terms = terms_wished(policy, request)
    check_wishes(work, policy, request, terms, person)
    return open_game(work, terms, person, now)


REQUEST_COMMANDS = RequestCommands(
    (
        LobbyCommand(
            name="join",
            words=("join", "mitspielen|mitspielen bei", "partecipo a|partecipo"),
            takes="game",
            do=lambda work, _policy, person, request, now: join(work, request.tag, person, now),
        ),
        LobbyCommand(
            name="wait",
            words=("waiting list", "warteliste", "lista d'attesa|lista di attesa"),
            do=lambda work, _policy, person, _request, now: wait(work, person, now, leaves=False),
        ),
        LobbyCommand(
            name="leave",
            words=(
                "leave the waiting list|leave waiting list",
                "warteliste verlassen",
                "lascia la lista d'attesa|lascio la lista d'attesa",
            ),
            do=lambda work, _policy, person, _request, now: wait(work, person, now, leaves=True),
        ),
        LobbyCommand(
            name="new",
            words=("new game", "neue partie|neues spiel", "nuova partita"),
            takes="wishes",
            do=_new,
        ),
        *LEAGUE_COMMANDS,
        OBJECT,
        *COUNCIL_COMMANDS,
        *CHOICE_COMMANDS,
        *RATING_COMMANDS,
        *RESERVE_COMMANDS,
    )
)
