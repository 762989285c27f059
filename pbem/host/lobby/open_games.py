"""Games that gather their players by mail: how many there are to be, who asked for it, and what is free."""

from __future__ import annotations

from collections.abc import Sequence

from pbem.host.messages import Gathers, OpenGame, OpenGames
from pbem.host.messages.rows import content_job, mark, post
from pbem.host.ports import Game, Person
from pbem.host.session.unit_of_work import UnitOfWork


def open_games(desk: UnitOfWork) -> Sequence[Game]:
    """Those with seats that anybody may take."""
    return [game for game in desk.books.games("inviting") if free_seats(desk, game) > 0]


def free_seats(desk: UnitOfWork, game: Game) -> int:
    """How many nobody sits in or is invited to; 0 where those who play are all invited by the operator."""
    return max(0, desk.games.table(game).terms.places - len(game.members))


def has_opened(desk: UnitOfWork, game: Game, person: Person) -> bool:
    """Is it they who asked for the game by mail?"""
    is_by_mail = desk.games.table(game).terms.places > 0
    return is_by_mail and any(first.person.id == person.id for first in game.members[:1])


def gathering(desk: UnitOfWork) -> OpenGames:
    """What `games` tells: no names, so that it can be told to anybody."""
    return OpenGames(games=tuple(told_of(desk, game) for game in open_games(desk)))


def call_to(desk: UnitOfWork, game: Game, person: Person, now: int, *, listed: bool = False) -> None:
    """Tell somebody of a game that gathers, and that they may join it; `listed`: they wait for such a game."""
    told = content_job(Gathers(game=game.id, open=told_of(desk, game), listed=listed), about=game.id)
    what = f"{game.id}.gathers.{mark(str(person.id))}{'' if listed else f'.{now}'}"
    row = post(what, person.address, told, now=now, game=game.id)
    if not desk.books.posted(row.id):
        desk.books.post([row])


def told_of(desk: UnitOfWork, game: Game) -> OpenGame:
    terms = desk.games.table(game).terms
    return OpenGame(
        game=game.id,
        title=terms.setup.game,
        edition=terms.setup.edition,
        players=terms.places,
        free=free_seats(desk, game),
        slot_hours=terms.slot_hours,
        anonymous=terms.anonymous,
    )
