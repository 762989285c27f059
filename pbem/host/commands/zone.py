"""`zone`: in which time zone our letters tell the times."""

from __future__ import annotations

from functools import cache
from typing import Any
from zoneinfo import available_timezones

from rapidfuzz import fuzz, process

from pbem.core.refusal import Illegal
from pbem.host.commands.aside import Asides, Preference
from pbem.host.play.results import Outcome
from pbem.language.statements import Statement
from pbem.language.tokens import fold

FEW = 3  # names that the writer may have meant
NEAR = 70  # rapidfuzz's score from which a name is worth suggesting
LONGEST = 100  # letters of a name that are compared


def zone(written: str) -> str:
    """The time zone of that name, or of the one city of that name. Raises `Illegal`."""
    known = zones_by_key()
    meant = known.get(_key(written), ())
    if len(meant) != 1:
        found = process.extract(_key(written)[:LONGEST], known.keys(), scorer=fuzz.ratio, score_cutoff=NEAR, limit=FEW)
        near = dict.fromkeys(name for key, *_ in found for name in known[key])
        raise Illegal("zone.unknown", read=written, candidates=meant or tuple(near)[:FEW])
    return meant[0]


@cache
def zones_by_key() -> dict[str, tuple[str, ...]]:
    """Time zones by what may be written for them: the whole name, or the city alone."""
    names = sorted(available_timezones())
    by_city: dict[str, tuple[str, ...]] = {}
    for name in names:
        city = _key(name.rpartition("/")[2])
        by_city[city] = (*by_city.get(city, ()), name)
    return {**by_city, **{_key(name): (name,) for name in names}}


def _key(written: str) -> str:
    return "".join(c for c in fold(written) if c not in " _:")


def _choose(asides: Asides, said: Statement[Any]) -> Outcome:
    return asides.choose_for_person(zone=zone(said.rest))


COMMAND = Preference(
    name="zone",
    words=("zone", "Zeitzone", "fuso"),
    behind="[COLON] _anything",
    kept_from_deputies="own",
    choose=_choose,
)
