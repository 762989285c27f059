"""How people are called in a league, and who is meant by a name."""

from __future__ import annotations

import re
from collections.abc import Iterable

from pbem.core.refusal import Illegal
from pbem.host.session.names import public_name
from pbem.host.session.unit_of_work import UnitOfWork
from pbem.language.tokens import fold
from pbem.league.state import Season

_NUMBER = re.compile(r"(?:\D{0,12}\s)?(\d{1,9})")  # "17", "player 17", as no name is shown


def called(work: UnitOfWork, person: int) -> str:
    """How a league calls somebody."""
    return public_name(work.repository.person(person)) or f"player {person}"


def named(work: UnitOfWork, season: Season, read: str) -> int:
    """Who of a season is meant, by name, number or address. Raises `Illegal` with those there are."""
    here = {*season.people, *(person for table in season.tables.values() for person in table.seated)}
    return among(work, here, read)


def people_of(work: UnitOfWork, league: str) -> set[int]:
    """All who are or were in one of its seasons."""
    seasons = work.repository.seasons(league)
    return {person for each in seasons for person in work.season(each.tag).season.people}


def among(work: UnitOfWork, people: Iterable[int], read: str) -> int:
    """Raises `Illegal` where nobody of them is called so, or several."""
    known = {person: called(work, person) for person in people}
    written, number = fold(read).strip(), _NUMBER.fullmatch(read.strip())
    at = work.repository.person_at(read.strip().lower()) if "@" in read else None
    found = [person for person, name in known.items() if fold(name) == written]
    found = found or [person for person in known if (number and person == int(number[1])) or (at and person == at.id)]
    if len(found) != 1:
        raise Illegal("league.who", read=read.strip(), known=sorted(known.values()))
    return found[0]
