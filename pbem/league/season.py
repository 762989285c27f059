"""A season as the fold of its log: what each act makes of it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from msgspec.structs import replace

from pbem.league import acts
from pbem.league.calendar import shifted
from pbem.league.changes import with_key
from pbem.league.log import Entry, live
from pbem.league.settings import FIXED
from pbem.league.state import Beacon, Draw, Objection, Person, Petition, Search, Season, Table


def folded(entries: Iterable[Entry]) -> Season | None:
    """The season that these entries make; None before it is founded."""
    season: Season | None = None
    for entry in live(entries):
        season = applied(season, entry)
    return season


def applied(season: Season | None, entry: Entry) -> Season:
    """Raises `ValueError` for a log that does not begin with its founding."""
    act = entry.act
    if isinstance(act, acts.Founded):
        return Season(founded=act, settings=act.settings, calendar=act.calendar, links=(act.commitment,))
    if season is None:
        raise ValueError("a season begins with its founding")
    for of_kind in (_calendar, _people, _draws, _tables, _words, _petitions):
        found = of_kind(season, act, entry)
        if found is not None:
            return found
    return season


def _calendar(season: Season, act: acts.Act, entry: Entry) -> Season | None:
    match act:
        case acts.Opened(people=people):
            entered = {person: Person(since=entry.seq) for person in people}
            return replace(season, opened=True, people={**season.people, **entered})
        case acts.Called():
            return replace(season, called=True)
        case acts.Closed(entrants=entrants):
            return replace(season, closed_at=entry.at, entrants=entrants, groups=_whole(season, entrants))
        case acts.CalledOff():
            return replace(season, called_off=True)
        case acts.Paused():
            later = act.end - act.start if act.season and act.end is not None else 0
            calendar = replace(season.calendar, ends=season.calendar.ends + later)
            return replace(season, pauses=(*season.pauses, act), calendar=calendar)
        case acts.Resumed():
            return replace(
                season, pauses=tuple(_cut(pause, entry.at) for pause in season.pauses if pause.start < entry.at)
            )
        case acts.Extended(table=None, until=until):
            return replace(season, calendar=replace(season.calendar, ends=until))
        case acts.Deciding(until=until):
            return replace(season, until=until)
        case acts.Ended():
            return replace(season, ended=act)
    return None


def _whole(season: Season, entrants: tuple[acts.Entrant, ...]) -> dict[str, tuple[int, ...]]:
    """Where tables are drawn again and again all are one group without a name; others are divided yet."""
    return {"": tuple(each.person for each in entrants)} if season.settings.format not in FIXED else {}


def _cut(pause: acts.Paused, at: int) -> acts.Paused:
    return pause if pause.end is not None and pause.end <= at else replace(pause, end=at)


def _people(season: Season, act: acts.Act, entry: Entry) -> Season | None:
    match act:
        case acts.Entered(person=person, luck=luck, apart=apart):
            answer = True if season.called else None  # who comes behind the muster has just said so
            joined = entry.at if season.closed_at is not None else None
            new = Person(since=entry.seq, luck=luck, apart=apart, answer=answer, joined=joined)
            return _person(season if joined is None else _joined(season, person), person, new)
        case acts.Mustered(person=person, plays=plays):
            return _person(season, person, replace(season.people[person], answer=plays))
        case acts.Rested(person=person):
            return _person(season, person, replace(season.people[person], answer=False, resting=True))
        case acts.Admitted(person=person):
            was = season.people.get(person, Person(since=entry.seq))
            return _person(season, person, replace(was, answer=True, gone=""))
        case acts.Withdrawn(person=person):
            return _person(season, person, replace(season.people[person], gone="withdrawn"))
        case acts.Refused(person=person):
            return _person(season, person, replace(season.people[person], gone="refused"))
        case acts.Expelled(person=person):
            return _person(season, person, replace(season.people[person], gone="expelled"))
        case acts.Excused(person=person):
            return _person(season, person, replace(season.people[person], excused=True))
        case acts.Penalised(person=person, points=points):
            was = season.people[person]
            return _person(season, person, replace(was, penalty=was.penalty + points))
        case acts.Forgiven(person=person, periods=periods):
            was = season.people[person]
            return _person(season, person, replace(was, forgiven=was.forgiven + periods))
        case acts.Late(person=person, periods=periods):
            was = season.people.get(person, Person(since=entry.seq))
            return _person(season, person, replace(was, late=was.late + periods))
        case acts.Moved():
            return replace(season, placed={**season.placed, act.person: act.division})
    return None


def _joined(season: Season, person: int) -> Season:
    """A pool has one more entrant; the time for words of luck is over."""
    people = (*season.groups[""], person)
    return replace(season, entrants=(*season.entrants, acts.Entrant(person=person)), groups={"": people})


def _person(season: Season, number: int, now: Person) -> Season:
    return replace(season, people={**season.people, number: now})


def _draws(season: Season, act: acts.Act, entry: Entry) -> Season | None:
    match act:
        case acts.BeaconAsked(draw=number):
            return replace(season, beacons={**season.beacons, number: Beacon(asked_at=entry.at)})
        case acts.BeaconTold(draw=number, value=value):
            return replace(season, beacons={**season.beacons, number: replace(season.beacons[number], value=value)})
        case acts.Divided(groups=groups, link=link):
            made = {group.name: group.people for group in groups}
            season = _regrouped(replace(season, groups=made))
            if season.settings.table.anonymous == "no":
                return season
            return replace(season, links=(*season.links, link))  # the tables need one that is not told
        case acts.Drawn(number=number, link=link, drawings=drawings) if _is_closed(season, number):
            return _opened(season, replace(season.draws[number], link=link, drawings=drawings))
        case acts.Drawn(number=number, link=link, drawings=drawings, again=again):
            tables = [table for drawing in drawings for table in drawing.tables]
            numbers = tuple(each.number for each in tables)
            draw = Draw(number=number, link=link, at=entry.at, drawings=drawings, tables=numbers, again=again)
            return _drawn(
                season, draw, {each.number: Table(drawn=each, number=each.number, draw=number) for each in tables}
            )
        case acts.Sealed(number=number, digest=digest, tables=tables, again=again):
            draw = Draw(number=number, link="", at=entry.at, digest=digest, tables=tables, again=again)
            return _drawn(season, draw, {each: Table(drawn=None, number=each, draw=number) for each in tables})
        case acts.Imported():
            return _imported(season, act, entry)
        case acts.Adopted(drawn=drawn):
            table = Table(drawn=_in_group(season, drawn), number=drawn.number, draw=0)
            return replace(season, tables={**season.tables, drawn.number: table})
        case acts.Shrunk(drawn=drawn):
            return _table(season, drawn.number, drawn=drawn, holders={}, vacated=None)
        case acts.Unmatched():
            return replace(season, unmatched_at=entry.at)
        case acts.Committed(commitment=commitment):
            return replace(season, chains=(*season.chains, commitment))
        case acts.Unsealed(number=number):
            return replace(season, draws={**season.draws, number: replace(season.draws[number], opened=True)})
    return None


def _imported(season: Season, act: acts.Imported, entry: Entry) -> Season:
    people = sorted(person for group in act.groups for person in group.people)
    tables = {
        each.drawn.number: Table(
            drawn=each.drawn,
            number=each.drawn.number,
            draw=each.draw,
            holders={seat.seat: seat.person for seat in each.noted.seats if seat.person != seat.seat},
            begun=each.began,
            noted=each.noted,
            noted_at=each.ended,
        )
        for each in act.tables
    }
    return replace(
        season,
        closed_at=entry.at,
        imported=act,
        people={person: Person(since=entry.seq, answer=True) for person in people},
        entrants=tuple(acts.Entrant(person=person) for person in people),
        groups={group.name: group.people for group in act.groups},
        tables=tables,
    )


def _regrouped(season: Season) -> Season:
    """Tables that were adopted before there were groups are of the one that all their players are in."""
    tables = {
        number: replace(table, drawn=_in_group(season, table.drawn)) if table.draw == 0 and table.drawn else table
        for number, table in season.tables.items()
    }
    return replace(season, tables=tables)


def _in_group(season: Season, drawn: acts.TableDrawn) -> acts.TableDrawn:
    groups = {season.group_of(chair.person) or "" for chair in drawn.chairs}
    return replace(drawn, group=groups.pop() if len(groups) == 1 else "")


def _is_closed(season: Season, number: int) -> bool:
    """Was it sealed, and its drawing not told yet?"""
    return number in season.draws and season.draws[number].is_closed


def _opened(season: Season, draw: Draw) -> Season:
    """With what a sealed draw is: for the host at once, for everybody else when it is unsealed."""
    told = {
        each.number: replace(season.tables[each.number], drawn=each)
        for drawing in draw.drawings
        for each in drawing.tables
    }
    tables = {**season.tables, **told}
    return replace(season, draws={**season.draws, draw.number: draw}, tables=tables, links=(*season.links, draw.link))


def _drawn(season: Season, draw: Draw, tables: Mapping[int, Table]) -> Season:
    """A draw that is made again takes the place of the one before, whose tables are no more."""
    gone = {*season.draws[draw.again].tables} if draw.again is not None else set()
    kept = {number: table for number, table in season.tables.items() if number not in gone}
    links = season.links if not draw.link or draw.link in season.links else (*season.links, draw.link)
    return replace(season, draws={**season.draws, draw.number: draw}, tables={**kept, **tables}, links=links)


def _tables(season: Season, act: acts.Act, entry: Entry) -> Season | None:
    match act:
        case acts.Begun(table=number, game=game):
            return _table(season, number, game=game, begun=entry.at)
        case acts.Warned(table=number, hours=hours):
            return _table(season, number, warned=season.tables[number].warned | {hours})
        case acts.Extended(table=number, until=until) if number is not None:
            return _table(season, number, limit=until)
        case acts.ChangedHands(table=number, seat=seat, leaves=leaves, comes=comes):
            was = season.tables[number]
            since = entry.at if comes is None and was.begun is None else None
            season = _table(season, number, holders={**was.holders, seat: comes}, left=(*was.left, act), vacated=since)
            if leaves is None or leaves not in season.people or leaves != seat or act.leave:
                return season
            person = season.people[leaves]
            return _person(season, leaves, replace(person, left=person.left + 1))
        case acts.SeatSought(table=number, search=search):
            known = season.tables[number].searches
            since = known[search].since if search in known else entry.at
            now = Search(since=since, at=entry.at, asked=act.asked, over=act.over, filled=act.filled)
            return _table(season, number, searches={**known, search: now})
        case acts.Noted(table=number):
            return _table(season, number, noted=act, noted_at=entry.at, drawn=_told_by(season, act))
        case acts.Scored(table=number) | acts.Voided(table=number):
            return _table(season, number, by_hand=act)
        case acts.Replayed(table=number):
            was = season.tables[number]
            new = Table(drawn=was.drawn, number=number, draw=was.draw, holders=was.holders, left=was.left)
            return replace(season, tables={**season.tables, number: new})
    return None


def _told_by(season: Season, act: acts.Noted) -> acts.TableDrawn | None:
    """Who sat at an anonymous table is told with its result."""
    drawn = season.tables[act.table].drawn
    if drawn is not None or not act.seats:
        return drawn
    chairs = tuple(acts.Chair(person=seat.seat) for seat in act.seats)
    return acts.TableDrawn(number=act.table, group=season.group_of(chairs[0].person) or "", chairs=chairs)


def _table(season: Season, number: int, **now: Any) -> Season:
    return replace(season, tables={**season.tables, number: replace(season.tables[number], **now)})


def _words(season: Season, act: acts.Act, entry: Entry) -> Season | None:
    match act:
        case acts.Set(key=key, value=value):
            settings = with_key(season.settings, key, value)
            return replace(season, settings=settings, calendar=shifted(season.calendar, season.settings, settings))
        case acts.Promoted(person=person):
            return replace(season, leaders=(*season.leaders, person))
        case acts.HandedOver(person=person, leaves=leaves):
            left = (each for each in season.leaders if each not in (person, leaves))
            return replace(season, leaders=(*left, person))
        case acts.Objected(number=number, person=person, about=about, text=text):
            new = Objection(person=person, about=about, text=text, at=entry.at)
            return replace(season, objections={**season.objections, number: new})
        case acts.Upheld(number=number) | acts.Dismissed(number=number):
            ruled = replace(season.objections[number], upheld=isinstance(act, acts.Upheld))
            return replace(season, objections={**season.objections, number: ruled})
    return None


def _petitions(season: Season, act: acts.Act, entry: Entry) -> Season | None:
    match act:
        case acts.Petitioned(number=number, person=person):
            own = {person: acts.Voted(number=number, person=person, vote="for")} if person in act.electors else {}
            return _petition(season, number, Petition(asked=act, at=entry.at, votes=own))
        case acts.Voted(number=number, person=person):
            was = season.petitions[number]
            return _petition(season, number, replace(was, votes={**was.votes, person: act}))
        case acts.Decided(number=number, passed=passed):
            status = "passed" if passed else "failed"
            return _petition(season, number, replace(season.petitions[number], status=status, ended=entry.at))
        case acts.Rejected(number=number, why=why):
            now = replace(season.petitions[number], status="rejected", ended=entry.at, why=why)
            return _petition(season, number, now)
        case acts.TakenBack(number=number):
            return _petition(season, number, replace(season.petitions[number], status="withdrawn", ended=entry.at))
    return None


def _petition(season: Season, number: int, now: Petition) -> Season:
    return replace(season, petitions={**season.petitions, number: now})
