"""Games that gather their players by mail: one asks for it, others join, and the last to come begins it."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from pbem.core.chance import commitment
from pbem.core.refusal import Illegal
from pbem.core.seat import Seat
from pbem.host.lobby.gathering import begin, tell_came
from pbem.host.lobby.invitations import answer_invitation, enter_game, invite_more
from pbem.host.lobby.invitees import Invitee, check_invitee, free_name
from pbem.host.lobby.offers import MOST_ASKED, put_on_list
from pbem.host.messages.letters import Gathers
from pbem.host.messages.replies import Reply
from pbem.host.messages.rows import content_job, mark, post, post_once, problem
from pbem.host.messages.sections import OpenGame, OpenGames
from pbem.host.ports import Game, Member, Person
from pbem.host.reporting.rules_in_force import rules_in_force
from pbem.host.session.terms import Terms
from pbem.host.session.unit_of_work import UnitOfWork

MOST_OPEN = 3  # games of one person that still gather

# -- those that gather ---


def open_games(work: UnitOfWork) -> Sequence[Game]:
    """Those with seats that anybody may take."""
    return [game for game in work.repository.games("inviting") if free_seats(work, game) > 0]


def free_seats(work: UnitOfWork, game: Game) -> int:
    """How many nobody sits in or is invited to; 0 where those who play are all invited by the operator."""
    return max(0, work.games.load(game).terms.for_people - len(game.members))


def has_opened(work: UnitOfWork, game: Game, person: Person) -> bool:
    """Is it they who asked for the game by mail?"""
    is_by_mail = work.games.load(game).terms.places > 0
    return is_by_mail and any(first.person.id == person.id for first in game.members[:1])


def gathering(work: UnitOfWork) -> OpenGames:
    """What `games` tells: no names, so that it can be told to anybody."""
    return OpenGames(games=tuple(told_of(work, game) for game in open_games(work)))


def call_to(work: UnitOfWork, game: Game, person: Person, now: int, *, listed: bool = False) -> None:
    """Tell somebody of a game that gathers, and that they may join it; `listed`: they wait for such a game."""
    open_ = told_of(work, game)
    by = game.members[0].seat if open_.anonymous == "no" else ""
    told = content_job(Gathers(game=game.id, open=open_, by=by, listed=listed), about=game.id)
    what = f"{game.id}.gathers.{mark(str(person.id))}{'' if listed else f'.{now}'}"
    post_once(work.repository, [post(what, person.address, told, now=now, game=game.id)])


def told_of(work: UnitOfWork, game: Game) -> OpenGame:
    terms = work.games.load(game).terms
    return OpenGame(
        game=game.id,
        title=terms.setup.game,
        edition=terms.setup.edition,
        players=terms.places,
        free=free_seats(work, game),
        slot_hours=terms.slot_hours,
        anonymous=terms.anonymous,
    )


# -- what people do with them ---


def open_game(work: UnitOfWork, terms: Terms, person: Person, now: int) -> Reply:
    """Enter a game that gathers, with them in its first seat. Raises `Illegal`."""
    mine = [game.id for game in open_games(work) if has_opened(work, game, person)]
    if len(mine) >= MOST_OPEN:
        raise Illegal("opening.too_many", most=MOST_OPEN, games=mine)
    seat = Seat(free_name(terms, person.address, (), work.games.secrets))
    terms = replace(terms, setup=replace(terms.setup, seats=(seat,)))
    game = enter_game(work, terms, [Member(person=person, seat=seat, joined=now)], now)
    told = _told(work, game, "opening.opened", seat)
    if told.facts["missing"]:
        _call(work, game, person, now)
    else:  # all others are bots
        begin(work, game, now)
    return told


def _call(work: UnitOfWork, game: Game, opener: Person, now: int) -> None:
    """Tell those who wait for a seat that this game has some."""
    for person in [person for person in work.repository.waiting() if person.id != opener.id][:MOST_ASKED]:
        call_to(work, game, person, now, listed=True)


def wait(work: UnitOfWork, person: Person, now: int, *, leaves: bool = False) -> Reply:
    """Enter them among those who would take a seat that becomes free, or strike them off."""
    if leaves:
        work.repository.wait_no_more(person.id)
        return problem("waiting.off")
    told = gathering(work)
    return replace(problem("waiting.on", offers=put_on_list(work, person, now)), told=(told,) if told.games else ())


def join(work: UnitOfWork, tag: str, person: Person, now: int) -> Reply:
    """Take a free seat, or the one they are invited to. Raises `Illegal`."""
    game = work.repository.game(tag)
    if game is None:
        raise Illegal("opening.unknown", tag=tag, games=[each.id for each in open_games(work)])
    member = next((m for m in game.members if m.person.id == person.id), None)
    if member is not None and game.status == "inviting":
        return answer_invitation(work, game, member, ("join",), now)
    if game.status != "inviting" or not free_seats(work, game):
        raise Illegal("opening.full", tag=tag, games=[each.id for each in open_games(work)])
    seat = free_name(work.games.load(game).terms, person.address, [m.seat for m in game.members], work.games.secrets)
    invitee = Invitee(name=person.name, address=person.address, seat=seat)
    check_invitee(invitee)
    invite_more(work, game, invitee, now, joined=True, told=False)
    work.repository.wait_no_more(person.id)
    before, game = game, work.game(tag)
    told = _told(work, game, "opening.joined", seat)
    if not told.facts["missing"]:
        begin(work, game, now)
    tell_came(work, before, game.members[-1], now)
    return told


def _told(work: UnitOfWork, game: Game, code: str, seat: str) -> Reply:
    terms = work.games.load(game).terms
    missing = terms.for_people - sum(member.joined is not None for member in game.members)
    facts = {"tag": game.id, "missing": missing, "players": terms.places, "commitment": commitment(game.secret)}
    return replace(problem(code, game.id, seat, **facts), told=(rules_in_force(work, game),))
