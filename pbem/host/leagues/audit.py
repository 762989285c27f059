"""What could be an agreement across tables, or one person behind two: it proves nothing, and no player is told of it.

What is looked at are games and letters, no machines: gifts, purchases, the instants of answers, names and addresses.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from msgspec import Struct

from pbem.core.favour import Favour
from pbem.host.clock.time_sheet import sheet
from pbem.host.ports import Person
from pbem.host.season.hands import holders_of
from pbem.host.session.season import SeasonDesk
from pbem.host.session.unit_of_work import UnitOfWork, read_happened
from pbem.language.tokens import fold
from pbem.league.state import Season, Table

NEWEST = 200  # tables that are looked at
NEAR, OFTEN = 120, 10  # seconds between answers of two people, and how often that may be
PART = 3  # and that should be one in so many of the answers of one of them
FEW = 3  # people who share a domain
RARE = 500  # purchases that would be all for the same one once in so many tables, if they went by lot

Between = tuple[int, int]


class Suspicion(Struct, frozen=True, kw_only=True):
    """Something that whoever leads the season may want to look at."""

    kind: str  # gifts purchases instants name domain
    people: tuple[int, ...]
    facts: Mapping[str, Any] = {}


class AtTable(Struct, frozen=True, kw_only=True):
    """What is looked at of one game."""

    table: int
    people: Mapping[str, int]  # by seat, but for bots
    favours: tuple[Favour, ...]
    answers: tuple[tuple[int, int], ...]  # by whom, and when


def audit(work: UnitOfWork, desk: SeasonDesk) -> list[Suspicion]:
    """All that there is to suspect in a season, as far as its newest tables tell."""
    begun = [table for table in desk.season.tables.values() if table.game]
    tables = [_looked_at(work, table) for table in sorted(begun, key=_begun)[-NEWEST:]]
    people = [person for person in map(work.repository.person, _people(desk.season)) if person is not None]
    return [*suspicions(tables), *_names(people), *_domains(work, people)]


def suspicions(tables: Sequence[AtTable]) -> list[Suspicion]:
    """Of what was done at these tables."""
    return [*_gifts(tables), *_purchases(tables), *_instants(tables)]


def _begun(table: Table) -> int:
    return table.begun or 0


def _people(season: Season) -> list[int]:
    return sorted(each.person for each in season.entrants) or sorted(season.people)


def _looked_at(work: UnitOfWork, table: Table) -> AtTable:
    game = work.game(table.game)
    loaded, session = work.games.load(game), work.session(game)
    sitting = {seat: person for seat, person in holders_of(game, session).items() if person is not None}
    favours: list[Favour] = []
    state = loaded.rules.blank(loaded.terms.setup)
    for entry in read_happened(loaded.rules, work.repository, game.id):
        for event in entry.events:
            favours += loaded.rules.favours(state, event)
            state = loaded.rules.apply(state, event)
    rows = (row for row in sheet(session.position.done) if row.written and row.by == row.seat and row.seat in sitting)
    answers = tuple((sitting[row.seat], row.end) for row in rows)
    return AtTable(table=table.number, people=sitting, favours=tuple(favours), answers=answers)


# -- each thing ---


def _gifts(tables: Sequence[AtTable]) -> Iterator[Suspicion]:
    """To and fro between two people, at more than one table."""
    given: dict[Between, dict[int, set[int]]] = defaultdict(lambda: defaultdict(set))
    for table in tables:
        for by, to, _ in _among(table, "gift"):
            given[min(by, to), max(by, to)][table.table].add(by)
    for pair, where in sorted(given.items()):
        if len(where) > 1 and {by for people in where.values() for by in people} == {*pair}:
            yield Suspicion(kind="gifts", people=pair, facts={"tables": sorted(where)})


def _among(table: AtTable, kind: str) -> Iterator[tuple[int, int, int]]:
    for favour in table.favours:
        by, to = table.people.get(favour.by), table.people.get(favour.to)
        if favour.kind == kind and by is not None and to is not None and by != to:
            yield by, to, favour.worth


def _purchases(tables: Sequence[AtTable]) -> Iterator[Suspicion]:
    """Somebody bought again and again what served one other alone."""
    for table in tables:
        bought: dict[int, list[int]] = defaultdict(list)
        for by, to, _ in _among(table, "purchase"):
            bought[by].append(to)
        for by, served in sorted(bought.items()):
            others = len(table.people) - 1
            if len({*served}) == 1 and others > 1 and others ** (len(served) - 1) >= RARE:
                facts = {"table": table.table, "count": len(served)}
                yield Suspicion(kind="purchases", people=(by, served[0]), facts=facts)


def _instants(tables: Sequence[AtTable]) -> Iterator[Suspicion]:
    """Two people answer within two minutes of each other, many times, and often for how much they write: those who
    look at their letters on the hour meet now and then."""
    answers = sorted((at, person) for table in tables for person, at in table.answers)
    each = Counter(person for _, person in answers)
    near: Counter[Between] = Counter()
    for place, (at, person) in enumerate(answers):
        for later, other in answers[place + 1 :]:
            if later - at > NEAR:
                break
            if other != person:
                near[min(person, other), max(person, other)] += 1
    for pair, count in sorted(near.items()):
        if count > OFTEN and count * PART >= min(each[person] for person in pair):
            yield Suspicion(kind="instants", people=pair, facts={"count": count})


def _names(people: Sequence[Person]) -> Iterator[Suspicion]:
    yield from (Suspicion(kind="name", people=own, facts={"name": name}) for name, own in _alike(people, _name))


def _name(person: Person) -> str:
    return " ".join(fold(person.name).split())


def _domains(work: UnitOfWork, people: Sequence[Person]) -> Iterator[Suspicion]:
    """Of a domain that few share; what hundreds write from tells nothing."""
    for domain, own in _alike(people, lambda person: person.address.rpartition("@")[2]):
        if len(own) <= FEW and work.repository.people_at(domain) <= FEW:
            yield Suspicion(kind="domain", people=own, facts={"domain": domain})


def _alike(people: Iterable[Person], of: Any) -> Iterator[tuple[str, tuple[int, ...]]]:
    """What several have alike, and who they are."""
    found: dict[str, list[int]] = defaultdict(list)
    for person in people:
        found[of(person)].append(person.id)
    return ((what, tuple(own)) for what, own in sorted(found.items()) if what and len(own) > 1)
