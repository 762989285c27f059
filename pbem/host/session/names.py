"""How leagues call people: as they wish; by their number alone where they wish for no name."""

from __future__ import annotations

from pbem.host.ports import Entrant, Person

NAMELESS = ""  # the alias of whoever is to be known by their number


def public_name(person: Person | None) -> str:
    """Their alias, else their name; "" of whoever has none, or wants none to be told."""
    if person is None:
        return NAMELESS
    return person.name if person.alias is None else person.alias


def name_in(person: Person | None, said: Entrant | None, *, is_over: bool) -> str:
    """In a season that is over as they were called then, while they want to be called anything."""
    now = public_name(person)
    return said.called if now and is_over and said and said.called is not None else now
