"""Who is told what of a season: each act that somebody should hear of queues its letters, in its own transaction."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import datetime
from zoneinfo import ZoneInfo

from msgspec.structs import replace

from pbem.host.calendar.zones import DAY, HOUR, MINUTE, daily
from pbem.host.messages.rows import SeasonJob, post, post_once
from pbem.host.ports import Entrant, OutboxRow, Person
from pbem.host.season.rating import rate_season
from pbem.host.season.rulings import concerned
from pbem.host.session.names import public_name
from pbem.host.session.season import SeasonDesk
from pbem.host.session.unit_of_work import UnitOfWork
from pbem.league import acts
from pbem.league.calendar import REMINDER, later
from pbem.league.desk import matters, raises
from pbem.league.log import CLOCK, Entry
from pbem.league.state import Petition, Season

WEEKDAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")


def tell(work: UnitOfWork, desk: SeasonDesk, now: int) -> None:
    """Queue the letters of what was entered since they were queued last; results that it corrects are rated anew."""
    fresh, desk.untold = desk.untold, []
    rate_season(work, desk, fresh)
    if any(isinstance(entry.act, acts.Ended) for entry in fresh):
        _keep_names(work, desk)
    for entry in fresh:
        work.repository.post(_letters(work, desk, entry, now))
        if isinstance(entry.act, acts.Noted | acts.Drawn):
            _queue_rounds(work, desk, now)
    if any(raises(entry.act) for entry in fresh) and matters(desk.season, now):
        at_once = any(isinstance(entry.act, acts.Objected | acts.BeaconAsked) for entry in fresh)
        queue_desk(work, desk, now, at_once=at_once)


def _keep_names(work: UnitOfWork, desk: SeasonDesk) -> None:
    """Honours stay as they are, whatever people are called later."""
    for number in sorted(desk.season.people):
        said = work.repository.entrant(desk.tag, number) or Entrant(season=desk.tag, person=number)
        name = public_name(work.repository.person(number))
        work.repository.save_entrant(replace(said, called=name))


def _letters(work: UnitOfWork, desk: SeasonDesk, entry: Entry, now: int) -> Iterator[OutboxRow]:
    """Always told, whatever somebody wishes; the rounds are apart."""
    season, act = desk.season, entry.act
    ruling = SeasonJob(what="ruling", about=entry.seq)
    yield from _to(work, desk, concerned(season, act), f"ruling.{entry.seq}", ruling, now)
    match act:
        case acts.Expelled(person=person) if entry.by == CLOCK:
            yield from _to(work, desk, [person], "out", SeasonJob(what="out"), now)
        case acts.Opened():
            yield from _to(work, desk, _last(work, desk), "open", SeasonJob(what="open"), now)
        case acts.Called():
            yield from _to(work, desk, _here(season), "muster", SeasonJob(what="muster"), now)
            again = SeasonJob(what="muster_again")
            yield from _to(work, desk, _here(season), "muster_again", again, now, season.calendar.closes - REMINDER)
        case acts.CalledOff():
            yield from _to(work, desk, _here(season), "off", SeasonJob(what="off"), now)
        case acts.Closed(left_out=people):
            yield from _to(work, desk, people, "left_out", SeasonJob(what="left_out"), now)
        case acts.Drawn(number=number):
            job = SeasonJob(what="draw", about=number)
            yield from _to(work, desk, _drawn(season, number), f"draw.{number}", job, now)
        case acts.Warned(table=table, hours=hours):
            job = SeasonJob(what="ending", about=table, more=hours)
            yield from _to(work, desk, season.tables[table].seated, f"ending.{table}.{hours}", job, now)
        case acts.Noted(table=table):
            told = {*season.tables[table].people, *season.tables[table].seated, *_wanting_all(work, desk)}
            yield from _to(work, desk, told, f"table.{table}.{entry.seq}", SeasonJob(what="table", about=table), now)
        case acts.Petitioned(number=number, electors=electors):
            job = SeasonJob(what="petition", about=number)
            yield from _to(work, desk, _hearing(work, desk, electors), f"petition.{number}", job, now)
        case acts.Decided(number=number) | acts.Rejected(number=number):
            yield from _decided(work, desk, season.petitions[number], now)
        case acts.Ended():
            yield from _to(work, desk, _plays(season), "final", SeasonJob(what="final"), now)


def _decided(work: UnitOfWork, desk: SeasonDesk, petition: Petition, now: int) -> Iterator[OutboxRow]:
    """And whoever was voted to lead the league is asked whether they do."""
    asked = petition.asked
    job = SeasonJob(what="votes", about=asked.number)
    yield from _to(work, desk, _hearing(work, desk, asked.electors), f"votes.{asked.number}", job, now)
    if petition.status == "passed" and asked.whom is not None:
        yield from _to(
            work, desk, [asked.whom], f"leads.{asked.number}", SeasonJob(what="leads", about=asked.number), now
        )


def tell_absent(work: UnitOfWork, desk: SeasonDesk, person: int, days: int, now: int) -> None:
    """Once in a season: they will be away for so many days of it."""
    post_once(work.repository, _to(work, desk, [person], "away", SeasonJob(what="away", more=days), now))


# -- to whom ---


def _here(season: Season) -> list[int]:
    return sorted(number for number, person in season.people.items() if not person.gone)


def _plays(season: Season) -> list[int]:
    return [each.person for each in season.entrants]


def _drawn(season: Season, number: int) -> list[int]:
    tables = (season.tables[table] for table in season.draws[number].tables)
    return sorted({person for table in tables for person in table.seated})


def _last(work: UnitOfWork, desk: SeasonDesk) -> list[int]:
    """Who was in the season before, whether or not they are entered for this one."""
    before = work.repository.season(f"{desk.book.league}-{desk.book.number - 1}")
    last = work.season(before.tag).season.people if before else ()
    return sorted({*last, *_here(desk.season)})


def _wanting_all(work: UnitOfWork, desk: SeasonDesk) -> list[int]:
    return [person for person, wish in _wishes(work, desk).items() if wish == "all"]


def _hearing(work: UnitOfWork, desk: SeasonDesk, people: Iterable[int]) -> list[int]:
    """Those of them who have not said that they want to hear of their own tables alone."""
    wishes = _wishes(work, desk)
    return [person for person in people if wishes.get(person) != "mine"]


def _wishes(work: UnitOfWork, desk: SeasonDesk) -> dict[int, str]:
    """Which reports each entrant wants."""
    said = {each.person: each for each in work.repository.entrants(desk.tag)}
    return {person: wish_of(desk.season, said.get(person)) for person in _plays(desk.season)}


def wish_of(season: Season, said: Entrant | None) -> str:
    """Which reports somebody wants: as they said, else as the league says."""
    return (said.reports if said else "") or season.settings.mail.results


def _to(
    work: UnitOfWork,
    desk: SeasonDesk,
    people: Iterable[int],
    what: str,
    job: SeasonJob,
    now: int,
    due: int | None = None,
) -> Iterator[OutboxRow]:
    for number in sorted(people):
        person = work.repository.person(number)
        if person is not None and person.address:  # who is known from elsewhere has none
            yield _row(desk, person, what, job, now, due)


def _row(desk: SeasonDesk, person: Person, what: str, job: SeasonJob, now: int, due: int | None) -> OutboxRow:
    return post(f"{desk.tag}.{what}.{person.id}", person.address, job, now=now, due=due, game=desk.tag)


# -- what needs a decision ---

DESK, MORNINGS = 8 * HOUR, (0, 1, 2, 6, 13)  # when it is told, and on which mornings from the next on, while it is open


def queue_desk(work: UnitOfWork, desk: SeasonDesk, now: int, *, at_once: bool = False) -> None:
    """Whoever leads the season hears of what there is to decide; of what is decided by then, nothing is told."""
    zone = desk.season.calendar.zone
    first = daily(zone, DESK, now)
    for at in [*([now] if at_once else []), *(later(first, days, zone) for days in MORNINGS)]:
        rows = _to(work, desk, desk.season.leaders, f"desk.{at}", SeasonJob(what="desk"), now, at)
        post_once(work.repository, rows)


# -- how the season goes, once a week or once a day ---


def _queue_rounds(work: UnitOfWork, desk: SeasonDesk, now: int) -> None:
    """Something has happened: whoever wants to hear of it by the week or by the day does so at the next such hour."""
    weekly = next_weekly(desk.season, now)
    job = SeasonJob(what="audit")
    post_once(work.repository, _to(work, desk, desk.season.leaders, f"audit.{weekly}", job, now, weekly))
    for number, wish in _wishes(work, desk).items():
        person, days = work.repository.person(number), period(wish)
        if person is not None and days:
            at = daily(person.zone, _time(wish), now) if days == 1 else weekly
            job = SeasonJob(what="round", about=at - days * DAY, more=days)
            post_once(work.repository, [_row(desk, person, f"round.{at}", job, now, at)])


def period(wish: str) -> int:
    """After how many days somebody who wants these reports hears how it goes; 0: never."""
    return {"mine": 0, "digest": 1}.get(wish.partition(" ")[0], 7)


def _time(written: str) -> int:
    """Seconds since midnight of the hour that stands last there."""
    hours, minutes = written.rsplit(maxsplit=1)[-1].split(":")
    return int(hours) * HOUR + int(minutes) * MINUTE


def next_weekly(season: Season, now: int) -> int:
    """The next instant at which a week of the league is told."""
    weekly = season.settings.mail.weekly
    zone, at = season.calendar.zone, now
    for _ in WEEKDAYS:
        at = daily(zone, _time(weekly), at)
        if datetime.fromtimestamp(at, ZoneInfo(zone)).weekday() == WEEKDAYS.index(weekly.partition(" ")[0]):
            return at
    raise AssertionError("a week has each of its days")
