"""`calendar`: whether letters that ask something bring a file for the reader's calendar."""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from pbem.core.refusal import Illegal
from pbem.host.commands.aside import Asides, Preference
from pbem.host.play.results import Outcome
from pbem.language.answers import CALENDAR
from pbem.language.statements import Statement


def _choose(asides: Asides, said: Statement[Any]) -> Outcome:
    person = replace(asides.member.person, calendar=_chosen(said.rest)) if said.rest else None
    return asides.choose("calendar", replace(asides.member, person=person) if person else None)


def _chosen(written: str) -> bool:
    """Are there to be files, by these words? Raises `Illegal`."""
    said = CALENDAR.answer([written])
    if said is None:
        raise Illegal("calendar.unclear", read=written)
    return said.yes


COMMAND = Preference(
    name="calendar",
    words=("calendar", "Kalender", "calendario"),
    behind="[COLON] _anything?",
    kept_from_deputies="own",
    choose=_choose,
)
