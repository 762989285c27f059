"""`address`: from where a person may write, and where our letters go."""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from pbem.host.commands.aside import Asides, Preference
from pbem.host.lobby.addresses import change, listed
from pbem.host.play.results import Outcome
from pbem.language.statements import Statement


def _choose(asides: Asides, said: Statement[Any]) -> Outcome:
    person, outcome = change(asides.work, asides.member.person, said.text.partition(" ")[2].strip(), asides.now)
    asides.member = replace(asides.member, person=person)
    asides.tell(listed(asides.work, person))
    return outcome


COMMAND = Preference(
    name="address",
    words=("address", "Adresse", "indirizzo"),
    behind="[COLON] _anything?",
    kept_from_deputies="own",
    choose=_choose,
)
