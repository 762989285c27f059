"""What is due in a season is carried out: each thing in one transaction, with the act that says so.

Whatever is done changes the fold, so that nothing is done twice; killed in between, it is due again.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from pbem.core.refusal import Illegal
from pbem.host.calendar.zones import DAY
from pbem.host.leagues.council import count
from pbem.host.leagues.drawing import apart, close_entries, divide_entrants, draw_tables, match_waiting
from pbem.host.leagues.entries import open_entries
from pbem.host.leagues.founding import found_next
from pbem.host.leagues.leaving import free_seats
from pbem.host.leagues.tables import absent, begin_table, end_table
from pbem.host.lobby.offers import offer
from pbem.host.messages.alarms import Trouble
from pbem.host.ports import Clock, Conflict, Log, StoreDown
from pbem.host.reporting.alarms import post_alarm
from pbem.host.reporting.publish import publish
from pbem.host.season.telling import tell
from pbem.host.session.petitions import about_seat
from pbem.host.session.season import SeasonDesk
from pbem.host.session.unit_of_work import Games, UnitOfWork
from pbem.league import acts
from pbem.league.calendar import DECIDING
from pbem.league.council import electors
from pbem.league.drawing import smaller
from pbem.league.due import Due
from pbem.league.figures import ended
from pbem.league.log import CLOCK


class SeasonService:
    """Leads all seasons on. What it costs depends on what is due, not on how many leagues there are."""

    def __init__(self, games: Games, clock: Clock, operator: str, log: Log) -> None:
        self._games = games
        self._clock = clock
        self._operator = operator
        self._log = log
        self._stuck: set[str] = set()  # seasons the operator has been told of

    def look(self) -> None:
        """Do all that is due by now. Raises `Conflict`, `StoreDown`."""
        now = self._clock.now()
        with self._games.store.transaction() as repository:
            tags = repository.due_seasons(now)
        for tag in tags:
            self._guarded(tag, now)

    def _guarded(self, tag: str, now: int) -> None:
        """One season that can't go on does not hold up the others."""
        try:
            while self._games.do(lambda work: carry_on(work, tag, now, self._operator)):
                pass
        except (Conflict, StoreDown):
            raise
        except Exception as fault:  # noqa: BLE001 - whatever it is, a person must look at it
            if tag not in self._stuck:
                self._stuck.add(tag)
                self._log.exception("what is due in season %s can't be done", tag)
                self._alarm(tag, now, _told(fault))

    def _alarm(self, tag: str, now: int, fault: str) -> None:
        what, about, to = Trouble.season.say(season=tag), f"{tag}.season.{now}", self._operator
        self._games.do(lambda work: post_alarm(work.repository, what, fault, about=about, operator=to, now=now))

    def next_instant(self) -> int | None:
        """When something is due next."""
        with self._games.store.transaction() as repository:
            due, polled = repository.next_season(), repository.polled()
        if due is not None and polled is not None and due < polled:
            return None  # it should be done by now: hurrying does not help it
        return due


def _told(fault: Exception) -> str:
    """What can't be done by the rules is told by its code and facts."""
    return f"{fault.code}: {fault.facts}" if isinstance(fault, Illegal) else repr(fault)


def carry_on(work: UnitOfWork, tag: str, now: int, operator: str) -> bool:
    """Do the first thing that is due in the season; was there one? `operator`: the address of who hears what only they
    can see to."""
    desk = work.season(tag)
    what = _ready(work, desk, now)
    if what is None:
        return False
    _DO[what.what](work, desk, what, now)
    if what.what == "unanswered":
        told, about = Trouble.unanswered.say(season=tag, name=f"O-{what.about}"), f"{tag}.unanswered.{what.about}"
        post_alarm(work.repository, told, "", about=about, operator=operator, now=now)
    tell(work, desk, now)
    return True


def _ready(work: UnitOfWork, desk: SeasonDesk, now: int) -> Due | None:
    """The first that can be done: behind a whole look into the mailbox where that is needed, with nobody away."""
    polled = work.repository.polled()
    looked: set[int] = set()
    while True:
        what = next((each for each in desk.coming() if _is_ready(each, now, polled)), None)
        if what is None or what.what != "begin":
            return what
        fresh = {*desk.season.tables[what.about].seated} - looked
        if not fresh:
            return what
        looked |= fresh
        desk.away = {**desk.away, **absent(work, fresh, now)}


def _is_ready(what: Due, now: int, polled: int | None) -> bool:
    return what.at <= now and (not what.needs_poll or (polled is not None and what.at < polled))


# -- each thing that is due ---


def _open(work: UnitOfWork, desk: SeasonDesk, _what: Due, now: int) -> None:
    open_entries(work, desk, now, CLOCK)


def _call(_work: UnitOfWork, desk: SeasonDesk, _what: Due, now: int) -> None:
    desk.enter(now, CLOCK, acts.Called())


def _close(work: UnitOfWork, desk: SeasonDesk, _what: Due, now: int) -> None:
    close_entries(work, desk, now, CLOCK)


def _beacon(_work: UnitOfWork, desk: SeasonDesk, what: Due, now: int) -> None:
    desk.enter(now, CLOCK, acts.BeaconAsked(draw=what.about))


def _divide(work: UnitOfWork, desk: SeasonDesk, _what: Due, now: int) -> None:
    divide_entrants(work, desk, now, CLOCK)


def _draw(work: UnitOfWork, desk: SeasonDesk, what: Due, now: int) -> None:
    draw_tables(work, desk, what.about, now, CLOCK)


def _match(work: UnitOfWork, desk: SeasonDesk, _what: Due, now: int) -> None:
    match_waiting(work, desk, now)


def _begin(work: UnitOfWork, desk: SeasonDesk, what: Due, now: int) -> None:
    begin_table(work, desk, what.about, now)


def _ask(work: UnitOfWork, desk: SeasonDesk, what: Due, now: int) -> None:
    """Nobody has taken the seat: the next are asked, till there is nobody left."""
    game, table = work.game(desk.season.tables[what.about].game), what.about
    sought = (each for each in about_seat(work.session(game).position.done) if each.number == what.more)
    petition = next(sought, None)
    if petition and not petition.asked.substitute and offer(work, game, petition, now):
        publish(work, game, now)
        return
    asked = desk.season.tables[table].searches[what.more].asked
    desk.enter(now, CLOCK, acts.SeatSought(table=table, search=what.more, asked=asked, over=True))


def _warn(_work: UnitOfWork, desk: SeasonDesk, what: Due, now: int) -> None:
    desk.enter(now, CLOCK, acts.Warned(table=what.about, hours=what.more))


def _lacking(work: UnitOfWork, desk: SeasonDesk, what: Due, now: int) -> None:
    """Nobody was found for a table that has not begun: the others play without, or it is void."""
    drawn = smaller(desk.season, desk.season.tables[what.about])
    if drawn is not None:
        desk.enter(now, CLOCK, acts.Shrunk(drawn=drawn))
    else:
        end_table(work, desk, what.about, now)


def _limit(work: UnitOfWork, desk: SeasonDesk, what: Due, now: int) -> None:
    end_table(work, desk, what.about, now)


def _stop(work: UnitOfWork, desk: SeasonDesk, _what: Due, now: int) -> None:
    """One table after the other; the last that ends is the last time that this is due."""
    end_table(work, desk, next(each.number for each in desk.season.tables.values() if not each.is_over), now)


def _decide(_work: UnitOfWork, desk: SeasonDesk, _what: Due, now: int) -> None:
    desk.enter(now, CLOCK, acts.Deciding(until=now + DECIDING))


def _unanswered(_work: UnitOfWork, desk: SeasonDesk, _what: Due, now: int) -> None:
    """Whoever leads the season is gone: the entrants are asked whether somebody else should."""
    number, closes = max(desk.season.petitions, default=0) + 1, now + desk.season.settings.petitions.days * DAY
    people = electors(desk.season)
    act = acts.Petitioned(number=number, kind="replace", title="", electors=people, closes=closes)
    desk.enter(now, CLOCK, act)


def _out(work: UnitOfWork, desk: SeasonDesk, what: Due, now: int) -> None:
    """Somebody is silent at too many tables: others play on for them at all."""
    desk.enter(now, CLOCK, acts.Expelled(person=what.about))
    free_seats(work, desk, what.about, desk.tag, now)


def _unseal(_work: UnitOfWork, desk: SeasonDesk, what: Due, now: int) -> None:
    desk.enter(now, CLOCK, acts.Unsealed(number=what.about, link=desk.season.draws[what.about].link))


def _count(work: UnitOfWork, desk: SeasonDesk, _what: Due, now: int) -> None:
    count(work, desk, now)


def _end(work: UnitOfWork, desk: SeasonDesk, _what: Due, now: int) -> None:
    """What is voted on still is decided by what was said so far. Who was kept apart is told now; with `repeat` the next
    season is founded with the end of this one."""
    count(work, desk, now, over=True)
    pairs = apart(work, desk)
    if pairs:
        desk.enter(now, CLOCK, acts.KeptApart(pairs=tuple(sorted(pairs))))
    desk.enter(now, CLOCK, ended(desk.season))
    if desk.season.settings.season.repeat == "yes":
        found_next(work, desk, now)


_DO: Mapping[str, Callable[[UnitOfWork, SeasonDesk, Due, int], None]] = {
    "open": _open,
    "call": _call,
    "close": _close,
    "beacon": _beacon,
    "divide": _divide,
    "draw": _draw,
    "match": _match,
    "begin": _begin,
    "ask": _ask,
    "warn": _warn,
    "lacking": _lacking,
    "limit": _limit,
    "void": _limit,
    "stop": _stop,
    "count": _count,
    "out": _out,
    "unanswered": _unanswered,
    "unseal": _unseal,
    "decide": _decide,
    "end": _end,
}
