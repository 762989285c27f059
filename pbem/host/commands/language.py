"""`language`: in which language our letters come."""

from __future__ import annotations

from typing import Any

from pbem.core.refusal import Illegal
from pbem.host.commands.aside import Asides, Preference
from pbem.host.play.results import Outcome
from pbem.language.statements import Statement
from pbem.language.tokens import fold
from pbem.language.words import LANGUAGES


def language(written: str) -> str:
    """The language that a beginning of one of its names means. Raises `Illegal`."""
    meant = {id_ for id_, names in LANGUAGES.items() if any(fold(n).startswith(fold(written).strip()) for n in names)}
    if len(meant) != 1:
        raise Illegal("language.unknown", read=written, candidates=tuple(names[0] for names in LANGUAGES.values()))
    return meant.pop()


def _choose(asides: Asides, said: Statement[Any]) -> Outcome:
    return asides.choose_for_person(language=language(said.rest))


COMMAND = Preference(
    name="language",
    words=("language", "Sprache", "lingua"),
    behind="[COLON] _anything",
    kept_from_deputies="own",
    choose=_choose,
)
