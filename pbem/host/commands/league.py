"""The words about leagues: which there are, to enter one and to leave it, and how a season stands."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from msgspec.structs import replace

from pbem.core.refusal import Illegal
from pbem.host.commands.personal import REPORTS, chosen
from pbem.host.leagues.entries import Entry
from pbem.host.leagues.naming import among, named, people_of
from pbem.host.leagues.telling import (
    league_list,
    league_told,
    own_tables,
    standings,
    tables_told,
)
from pbem.host.messages.replies import Reply
from pbem.host.messages.rows import mark, problem
from pbem.host.messages.sections import Section
from pbem.host.ports import Entrant, Letter, Person
from pbem.host.session.season import SeasonDesk
from pbem.host.session.unit_of_work import UnitOfWork
from pbem.language.command import Command
from pbem.language.leagues import Wish
from pbem.language.openings import Request, RequestCommand
from pbem.language.tokens import fold
from pbem.league.calendar import HOUR
from pbem.league.limits import House
from pbem.league.powers import check_entered, check_leave, cost_of_leaving, table_of
from pbem.league.state import Season
from pbem.league.veil import veiled

CONFIRMED = 7 * 24 * HOUR  # till then what was asked can be confirmed


class LeagueCommand(RequestCommand, frozen=True, kw_only=True):
    """Does something in a season for somebody who is known, or tells anybody something of it."""

    do: Callable[[LeagueContext], Reply]  # it raises `Refusal`
    of_leagues: bool = True


class LeagueContext:
    """Somebody's words about leagues; `season` is the tag of the one that their letter answers, "" for none."""

    def __init__(
        self,
        work: UnitOfWork,
        request: Request,
        person: Person | None,
        now: int,
        letter: Letter,
        season: str,
        operator: str,
        house: Callable[[], House],
    ) -> None:
        self.work = work
        self.operator = operator
        self.request = request
        self.person = person
        self.now = now
        self.via = mark(letter.id)
        self.letter = letter
        self.house = house
        self._season = season

    @property
    def wish(self) -> Wish:
        return self.request.wish

    def desk(self, fits: Callable[[Season], bool] = lambda _: True, league: str = "") -> SeasonDesk:
        """The season that is meant: of the league that is named, else of the answered letter, else the only one.

        `fits`: what the season should be; where none of the league is so, it is the newest. Raises `Illegal`.
        """
        said = league or self.wish.league
        name = said or self._season.rpartition("-")[0] or self._only()
        if self.work.repository.league(name) is None:
            known = [each.name for each in self.work.repository.leagues()]
            raise Illegal("league.unknown", read=name, known=known)
        seasons = [self.work.season(each.tag) for each in reversed(self.work.repository.seasons(name))]
        answered = [each for each in seasons if each.tag == self._season and not said]
        return next((each for each in (*answered, *seasons) if fits(each.season)), seasons[0])

    def _only(self) -> str:
        """The league that they are in, or that there is."""
        own = self.work.repository.seasons_of(self.person.id) if self.person else ()
        mine = sorted({each.season.rpartition("-")[0] for each in own})
        known = mine or [each.name for each in self.work.repository.leagues()]
        if len(known) != 1:
            raise Illegal("league.which" if known else "league.none", known=known)
        return known[0]

    def seen(self, desk: SeasonDesk) -> Season:
        """As whoever asks may see it."""
        return veiled(desk.season, self.reader)

    def entry(self, desk: SeasonDesk) -> Entry:
        return Entry(self.work, desk, self.somebody, self.now, via=self.via)

    @property
    def somebody(self) -> Person:
        assert self.person is not None, "what changes something is asked by somebody who is known"
        return self.person

    def check_open(self) -> None:
        """May they enter, by what the league says? Raises `Illegal`."""
        open_to = self.desk().season.settings.entry.open_to
        if open_to == "invited" and self.request.command.name == "enter":
            raise Illegal("league.invited_only")
        if open_to != "anyone" and self.person is None:
            raise Illegal("league.known_only")

    @property
    def reader(self) -> int | None:
        return self.person.id if self.person else None


def done(desk: SeasonDesk, code: str, *told: Section, **facts: Any) -> Reply:
    return replace(problem(code, tag=desk.tag, **facts), season=desk.tag, told=told)


def _told(desk: SeasonDesk, *told: Section) -> Reply:
    return replace(problem(""), problem=None, season=desk.tag, told=told)


# -- what anybody may know ---


def _leagues(context: LeagueContext) -> Reply:
    return replace(problem(""), problem=None, told=(league_list(context.work),))


def _league(context: LeagueContext) -> Reply:
    desk = context.desk()
    return _told(desk, league_told(desk, context.reader))


def _ranking(context: LeagueContext) -> Reply:
    """Their own group, the one that is named, or all."""
    desk, what = context.desk(lambda season: season.is_drawn), context.wish.what
    season = context.seen(desk)
    if not season.groups:
        raise Illegal("league.not_drawn", closes=season.calendar.closes)
    own = season.group_of(context.reader) if context.reader is not None else None
    if what and what != "all" and what not in season.groups:
        raise Illegal("league.no_group", read=what, known=[*filter(None, season.groups)] or ["all"])
    groups = [*season.groups] if what == "all" or not (what or own) else [what or own or ""]
    return _told(desk, *(standings(context.work, season, group, context.reader, whole=True) for group in groups))


def _schedule(context: LeagueContext) -> Reply:
    """The tables of whoever asks, or of somebody else; of all where whoever asks has none."""
    league, whom = _league_and_name(context)
    desk = context.desk(lambda season: season.is_drawn, league)
    season = context.seen(desk)
    if not season.tables:
        raise Illegal("league.not_drawn", closes=season.calendar.closes)
    person = named(context.work, season, whom) if whom else context.reader
    own = own_tables(season, person) if person is not None else []
    return _told(desk, tables_told(context.work, season, own or [*season.tables], person))


def _league_and_name(context: LeagueContext) -> tuple[str, str]:
    """What is said of both; "" for what is not."""
    words = context.wish.whom.split()
    for place in {0, len(words) - 1} if words else ():
        if context.work.repository.league(fold(words[place])) is not None:
            return fold(words[place]), " ".join(words[:place] + words[place + 1 :])
    return "", " ".join(words)


def _table(context: LeagueContext) -> Reply:
    desk = context.desk(lambda season: season.is_drawn)
    if not context.wish.what.startswith("T-"):
        raise Illegal("league.no_table", table=0, tables=len(desk.season.tables))
    table = table_of(desk.season, int(context.wish.what.removeprefix("T-")))
    return _told(desk, tables_told(context.work, context.seen(desk), [table.number], context.reader))


# -- what people do ---


def _enter(context: LeagueContext) -> Reply:
    desk = context.desk(lambda season: season.phase in ("entries", "muster"))
    context.entry(desk).enter(context.wish.luck, _people(context, desk, context.wish.apart))
    return done(desk, "league.in", league_told(desk, context.reader), phase=desk.season.phase, luck=context.wish.luck)


def _people(context: LeagueContext, desk: SeasonDesk, names: Sequence[str]) -> list[int]:
    """Who is meant, among those who are or were in the league. Raises `Illegal`."""
    known = people_of(context.work, desk.book.league)
    return [among(context.work, known - {context.reader}, name) for name in names]


def _withdraw(context: LeagueContext) -> Reply:
    """Before the first draw at once; after it others have to play on, so they are told what it costs, and confirm."""
    desk = context.desk(lambda season: season.phase in ("entries", "muster", "drawn", "playing"))
    if not desk.season.is_drawn:
        context.entry(desk).withdraw(context.wish.why)
        return done(desk, "league.out")
    person = context.somebody.id
    check_leave(desk.season, person)
    context.work.repository.set_mark(_asked_to_leave(desk, person), context.now)
    cost, seats = cost_of_leaving(desk.season, person), len(desk.season.running(person))
    why = context.wish.why or "…"
    return done(desk, "league.leaving", cost=cost, seats=seats, bar=desk.season.settings.leaving.bar, why=why)


def _confirm(context: LeagueContext) -> Reply:
    """Leave, as they have asked to."""
    desk = context.desk(lambda season: season.phase in ("drawn", "playing"))
    person = context.somebody.id
    asked = context.work.repository.mark(_asked_to_leave(desk, person))
    if asked is None or context.now > asked + CONFIRMED:
        raise Illegal("league.nothing_asked", league=desk.book.league)
    context.entry(desk).leave(context.wish.why.strip(" …"))
    return done(desk, "league.out")


def _asked_to_leave(desk: SeasonDesk, person: int) -> str:
    return f"leaving.{desk.tag}.{person}"


def _mustered(context: LeagueContext) -> Reply:
    desk = context.desk(lambda season: season.phase == "muster")
    entry, said = context.entry(desk), context.wish.what
    if said == "rest":
        entry.rest()
    else:
        entry.muster(plays=said == "yes")
    return done(desk, f"league.said_{said}", closes=desk.season.calendar.closes)


def as_in_games(command: Command) -> tuple[str, str, str]:
    """The words of a command that is given in answer to a letter about a game too."""
    english, german, italian = command.words
    return english, german, italian


def _reports(context: LeagueContext) -> Reply:
    """Which letters about a season they get beside those that always come."""
    desk = context.desk(lambda season: not season.ended)
    person = context.somebody.id
    check_entered(desk.season, person)
    mode = chosen(context.wish.what)
    own = context.work.repository.entrant(desk.tag, person) or Entrant(season=desk.tag, person=person)
    context.work.repository.save_entrant(replace(own, reports=mode))
    return done(desk, "league.reports", mode=mode)


LEAGUE_COMMANDS = (
    LeagueCommand(name="muster", words=("", "", ""), do=_mustered),  # said in answer to the question alone
    LeagueCommand(name="leagues", words=("leagues", "Ligen", "leghe"), do=_leagues, tells=True),
    LeagueCommand(name="league", words=("league", "Liga", "lega"), takes="league", do=_league, tells=True),
    LeagueCommand(
        name="enter",
        words=("enter", "teilnehmen an|teilnehmen", "iscrivimi a|iscrivimi"),
        takes="entry",
        do=_enter,
    ),
    LeagueCommand(
        name="withdraw_entry",
        words=("withdraw from|withdraw", "abmelden von|abmelden", "mi ritiro da|mi ritiro"),
        takes="league",
        do=_withdraw,
    ),
    LeagueCommand(name="confirm_leaving", words=("confirm", "bestätige", "confermo"), takes="league", do=_confirm),
    LeagueCommand(name="league_reports", words=as_in_games(REPORTS), takes="choice", do=_reports),
    LeagueCommand(
        name="ranking",
        words=("ranking|standings", "Rangliste", "classifica"),
        takes="season",
        do=_ranking,
        tells=True,
    ),
    LeagueCommand(
        name="schedule", words=("schedule", "Terminplan", "programma"), takes="whom", do=_schedule, tells=True
    ),
    LeagueCommand(name="table", words=("table", "Tisch", "tavolo"), takes="season", do=_table, tells=True),
)
