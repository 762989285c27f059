"""What a letter about a season says, looked up when it is delivered: with what its reader may know then."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from pbem.host.leagues.audit import Suspicion, audit
from pbem.host.leagues.naming import called
from pbem.host.leagues.tallies import petitions_told
from pbem.host.leagues.telling import league_told, own_tables, standings, tables_told
from pbem.host.messages.letters import SeasonNews
from pbem.host.messages.rows import SeasonJob
from pbem.host.messages.sections import Section
from pbem.host.ports import OutboxRow, Person
from pbem.host.season.results import waited
from pbem.host.season.telling import period, wish_of
from pbem.host.session.season import SeasonDesk
from pbem.host.session.unit_of_work import UnitOfWork
from pbem.league.acts import Ended
from pbem.league.desk import Matter, matters, may_rule
from pbem.league.due import end_of
from pbem.league.figures import group_standings
from pbem.league.powers import OBJECTION, is_expected
from pbem.league.state import Season, Table
from pbem.league.veil import veiled

MUSTER = ("yes", "rest", "no")
PERSONS = ("person", "leaves", "comes")  # fields of acts that tell of people
LATEST = 20  # tables that a week's letter tells


class _Told(Struct, frozen=True):
    """What stands in it beside the words of its kind."""

    facts: Mapping[str, Any] = {}
    told: tuple[Section, ...] = ()
    answers: tuple[str, ...] = ()


class _To(Struct, frozen=True):
    """A reader, and the season that they are told of."""

    work: UnitOfWork
    desk: SeasonDesk
    person: Person
    job: SeasonJob
    now: int

    @property
    def season(self) -> Season:
        """As the reader may see it."""
        return veiled(self.desk.season, self.person.id)

    @property
    def group(self) -> str | None:
        return self.season.group_of(self.person.id)

    def standings(self) -> tuple[Section, ...]:
        """Of the reader's own group."""
        own = self.group
        return (standings(self.work, self.season, own, self.person.id),) if own is not None else ()

    def tables(self, numbers: Sequence[int]) -> tuple[Section, ...]:
        return (tables_told(self.work, self.season, numbers, self.person.id),) if numbers else ()


def season_news(work: UnitOfWork, row: OutboxRow, job: SeasonJob, now: int) -> SeasonNews | None:
    """None when there is nothing to say any more, as to whoever has answered the muster."""
    person = work.repository.person_at(row.to.lower())
    if person is None or row.game is None:
        return None
    to = _To(work, work.season(row.game), person, job, now)
    found = _KINDS[job.what](to)
    if found is None:
        return None
    return SeasonNews(
        season=to.desk.tag,
        what=job.what,
        title=to.season.settings.titled(person.language),
        facts=found.facts,
        told=found.told,
        answers=found.answers,
    )


def _open(to: _To) -> _Told | None:
    season = to.season
    if season.phase not in ("entries", "muster"):
        return None
    is_in = to.person.id in season.people and not season.people[to.person.id].gone
    facts = {"closes": season.calendar.closes, "entered": is_in}
    return _Told(facts, (league_told(to.desk, to.person.id),))


def _muster(to: _To) -> _Told | None:
    own = to.season.people.get(to.person.id)
    if to.season.phase != "muster" or own is None or own.gone or own.answer is not None:
        return None
    return _Told({"closes": to.season.calendar.closes}, answers=MUSTER)


def _off(to: _To) -> _Told:
    count = sum(not person.gone and person.answer is not False for person in to.season.people.values())
    return _Told({"least": to.season.settings.entry.least, "count": count})


def _left_out(to: _To) -> _Told:
    own = to.season.people.get(to.person.id)
    return _Told({"answered": own is not None and own.answer is not None, "plays": bool(own and own.answer)})


def _draw(to: _To) -> _Told | None:
    """Their tables, with whom, and the link by which the lots can be drawn again; nothing to who plays no more."""
    season, settings = to.season, to.season.settings
    draw = season.draws[to.job.about or 1]
    numbers = [number for number in own_tables(season, to.person.id) if number in draw.tables]
    if not numbers:
        return None
    facts = {
        "draw": draw.number,
        "group": to.group or "",
        "tables": len(numbers),
        "load": settings.table.load,
        "leaving": settings.leaving.cost,
        "link": draw.link,
        "seal": draw.digest,
        "commitment": season.commitment_of(draw.link) if draw.link else "",
        "pool": settings.format == "pool",
        "chain": _next_chain(to.desk.season, draw.number),
    }
    return _Told(facts, to.tables(numbers))


def _next_chain(season: Season, draw: int) -> str:
    """What the last but one link of a chain brings along: by what those behind it are fixed; "" for others."""
    part, place = divmod(season.links.index(season.draws[draw].link), season.settings.draw.links)
    is_it = place == season.settings.draw.links - 1 and part < len(season.chains)
    return season.chains[part] if is_it else ""


def _table(to: _To) -> _Told:
    table = to.season.tables[to.job.about]
    result = table.by_hand or table.noted
    own = next((seat for seat in result.seats if seat.person == to.person.id), None) if result else None
    best = [seat for seat in result.seats if seat.place == 1] if result else []
    facts = {
        "table": table.number,
        "group": to.group,
        "winners": [called(to.work, seat.person) for seat in best if seat.person is not None],
        "place": own.place if own else None,
        "void": not best,
        "was": _line_of(to, without=table.number),
        "now": _line_of(to),
        "times": _times(to, table),
    }
    return _Told(facts, (*to.tables([table.number]), *to.standings()))


def _line_of(to: _To, without: int | None = None) -> tuple[int, int] | None:
    """The reader's place and points in their group, perhaps as they would be without a table; None of whoever is in
    none."""
    if to.group is None:
        return None
    tables = {number: table for number, table in to.season.tables.items() if number != without}
    rows = group_standings(replace(to.season, tables=tables), to.group)
    return next(((row.place, row.points) for row in rows if row.line == to.person.id), None)


def _times(to: _To, table: Table) -> Sequence[tuple[str, int]]:
    """How much of its time each seat has taken; nothing of a table that never began."""
    if not table.game or table.noted_at is None:
        return ()
    return sorted(waited(to.work.session(to.work.game(table.game)), table.noted_at).items())


def _ending(to: _To) -> _Told | None:
    """When its time ends it, and how much of that each seat has taken."""
    table = to.season.tables[to.job.about]
    if table.is_over or table.begun is None:
        return None
    session = to.work.session(to.work.game(table.game))
    facts = {
        "table": table.number,
        "game": table.game,
        "ends": end_of(to.season, table),
        "stall": to.season.settings.limits.stall,
        "unfinished": to.season.settings.limits.unfinished,
        "times": sorted(waited(session, to.now).items()),
    }
    return _Told(facts)


def _round(to: _To) -> _Told | None:
    """What has happened since: nothing is told of a week in which nothing has, or to who wants none any more."""
    said = to.work.repository.entrant(to.desk.tag, to.person.id)
    if period(wish_of(to.season, said)) != to.job.more or to.season.ended is not None:
        return None
    fresh = [
        each.number
        for each in to.season.tables.values()
        if each.noted_at is not None and each.noted_at > to.job.about and _is_of(each.drawn, to.group)
    ]
    if not fresh:
        return None
    return _Told({"count": len(fresh), "group": to.group}, (*to.standings(), *to.tables(fresh[-LATEST:])))


def _is_of(drawn: Any, group: str | None) -> bool:
    return drawn is not None and drawn.group == group


def _petition(to: _To) -> _Told | None:
    """Nothing where it was taken back before anybody heard of it."""
    petition = to.season.petitions[to.job.about]
    is_asked = to.job.what == "petition"
    if is_asked and petition.status != "open":
        return None
    facts = {"petition": to.job.about, "status": petition.status, "petition_title": petition.asked.title}
    return _Told(facts, (petitions_told(to.work, to.season, [to.job.about], to.person.id),))


def _leads(to: _To) -> _Told:
    return _Told({"petition": to.job.about})


def _final(to: _To) -> _Told | None:
    ended = to.season.ended
    if ended is None:
        return None
    own = next((each for each in ended.standings if each.person == to.person.id), None)
    after = to.work.repository.season(f"{to.desk.book.league}-{to.desk.book.number + 1}")
    champions = [called(to.work, person) for person in ended.honours.get("champion", ())]
    facts = {
        "place": own.place if own else None,
        "group": own.group if own else "",
        "moves": direction(ended, to.person.id),
        "champions": champions,
        "next": after.tag if after else "",
        "opens": to.work.season(after.tag).season.calendar.opens if after else None,
        "link": to.season.links[-1],
        "commitment": to.season.commitment_of(to.season.links[-1]),
    }
    return _Told(facts, to.standings())


def _ruling(to: _To) -> _Told:
    """What was done, by whom and why; whom it concerns may object to it."""
    entry = next(each for each in to.desk.entries if each.seq == to.job.about)
    fields = {key: value for key, value in msgspec.to_builtins(entry.act).items() if key != "type"}
    people = [fields[key] for key in PERSONS if fields.get(key) is not None]
    facts = {
        "number": entry.seq,
        "by": entry.by,
        "act": type(entry.act).__struct_config__.tag,
        "fields": {**dict.fromkeys(type(entry.act).__struct_fields__), **fields},
        "names": {str(person): called(to.work, person) for person in people},
        "until": entry.at + OBJECTION,
    }
    return _Told(facts)


def _away(to: _To) -> _Told:
    """What may be done about it."""
    return _Told({"days": to.job.more})


def _out(to: _To) -> _Told:
    """What their silence costs, and how they are heard."""
    leaving, own = to.season.settings.leaving, to.season.people[to.person.id]
    return _Told({"cost": leaving.cost, "seats": own.left, "bar": leaving.bar, "leads": bool(to.season.leaders)})


def _desk(to: _To) -> _Told | None:
    """What they may decide, each with lines to write back; below a head, where they play in the season themselves."""
    told = [_matter(to, each) for each in matters(to.season, to.now) if may_rule(to.season, to.person.id, each)]
    facts = {"matters": told, "count": len(told), "head": is_expected(to.season, to.person.id)}
    return _Told(facts) if told else None


def _audit(to: _To) -> _Told | None:
    """What could be an agreement across tables; nothing of their own group, and nothing that they know already."""
    known = f"audit.{to.desk.tag}.{to.person.id}"
    found = [each for each in audit(to.work, to.desk) if not _is_near(to, each)]
    if len(found) <= (to.work.repository.mark(known) or 0):
        return None
    to.work.repository.set_mark(known, len(found))
    told = [
        {**each.facts, "kind": each.kind, "names": [called(to.work, person) for person in each.people], "lines": ()}
        for each in found
    ]
    return _Told({"matters": told, "count": len(told), "head": False})


def _is_near(to: _To, suspicion: Suspicion) -> bool:
    """Is it about somebody whom they play against?"""
    own = to.group
    return own is not None and any(to.season.group_of(person) == own for person in suspicion.people)


def _matter(to: _To, matter: Matter) -> Mapping[str, Any]:
    facts = {**matter.facts, "about": matter.about, "kind": matter.kind, "lines": matter.lines}
    return {**facts, "who": called(to.work, facts["person"])} if "person" in facts else facts


def direction(ended: Ended, person: int) -> str:
    """up, down or stays: by the places alone; who leaves may yet spare or lift somebody."""
    for number, level in enumerate(ended.order):
        if person in level:
            place = level.index(person)
            above = ended.borders[number - 1] if number else 0
            below = ended.borders[number] if number < len(ended.borders) else 0
            return "up" if place < above else "down" if place >= len(level) - below else "stays"
    return "stays"


_KINDS: Mapping[str, Callable[[_To], _Told | None]] = {
    "open": _open,
    "muster": _muster,
    "muster_again": _muster,
    "off": _off,
    "left_out": _left_out,
    "draw": _draw,
    "table": _table,
    "ending": _ending,
    "round": _round,
    "final": _final,
    "ruling": _ruling,
    "desk": _desk,
    "audit": _audit,
    "out": _out,
    "away": _away,
    "petition": _petition,
    "votes": _petition,
    "leads": _leads,
}
