"""Who would take seats over in a league says so, and how many offers they want at once."""

from __future__ import annotations

from pbem.host.commands.league import LeagueCommand, LeagueContext, done
from pbem.host.lobby.offers import offer_in
from pbem.host.messages.replies import Reply
from pbem.host.ports import Reserve
from pbem.host.session.season import SeasonDesk


def _reserve(context: LeagueContext) -> Reply:
    """They are asked at once about the seats that are free now."""
    desk = context.desk()
    if context.wish.what == "leave":
        return _off(context, desk)
    person, repository = context.somebody, context.work.repository
    known = next((each for each in repository.reserves(desk.book.league) if each.person == person.id), None)
    since = known.since if known else context.now
    repository.keep_reserve(Reserve(league=desk.book.league, person=person.id, since=since, most=context.wish.count))
    offers = offer_in(context.work, desk, person, context.now)
    return done(desk, "league.reserve_on", league=desk.book.league, offers=offers, most=context.wish.count)


def _leave(context: LeagueContext) -> Reply:
    return _off(context, context.desk())


def _off(context: LeagueContext, desk: SeasonDesk) -> Reply:
    context.work.repository.drop_reserve(desk.book.league, context.somebody.id)
    return done(desk, "league.reserve_off", league=desk.book.league)


RESERVE_COMMANDS = (
    LeagueCommand(
        name="leave_reserve",
        words=(
            "leave the waiting list|leave waiting list",
            "Warteliste verlassen",
            "lascia la lista d'attesa|lascio la lista d'attesa",
        ),
        takes="reserve",
        do=_leave,
    ),
    LeagueCommand(
        name="reserve",
        words=("waiting list", "Warteliste", "lista d'attesa|lista di attesa"),
        takes="reserve",
        do=_reserve,
    ),
)
