"""`reports`: which reports of a game its reader gets."""

from __future__ import annotations

import re

from msgspec.structs import replace

from pbem.core.game import AnyOrder
from pbem.core.refusal import Illegal
from pbem.host.commands.aside import Asides, Preference
from pbem.host.play.results import Outcome
from pbem.language.statements import Statement
from pbem.language.tokens import fold

# What may be chosen, in English, German, Italian; the first is the word that we use.
CHOICES = {
    "all": ("all", "alle", "alles", "tutti", "tutto"),
    "round": ("round", "rounds", "Runde", "Runden", "giro", "giri"),
    "mine": ("mine", "my", "own", "eigene", "meine", "miei", "mie"),
    "digest": ("digest", "daily", "täglich", "giornaliero", "giornalieri", "quotidiano"),
}
WRITTEN = re.compile(
    r"[: ]*(?P<mode>\w+)[: ]*"
    r"(?:(?:at |um |alle |ore |alle ore )?(?P<hour>\d{1,2})(?: ?[:h]? ?(?P<minute>\d{2}))?(?: ?(?:h|uhr|ore))?)?"
)


def chosen(written: str) -> str:
    """What `Member.reports` is to be after these words. Raises `Illegal`."""
    found = WRITTEN.fullmatch(" ".join(fold(written).split()))
    mode = _meant(found["mode"]) if found else None
    if found is None or mode is None or (mode == "digest") != bool(found["hour"]):
        raise Illegal("reports.unknown", read=written)
    if mode != "digest":
        return mode
    hour, minute = int(found["hour"]), int(found["minute"] or 0)
    if hour > 23 or minute > 59:
        raise Illegal("reports.unknown", read=written)
    return f"digest {hour:02}:{minute:02}"


def _meant(word: str) -> str | None:
    meant = {id_ for id_, names in CHOICES.items() if any(fold(name).startswith(word) for name in names)}
    return meant.pop() if len(meant) == 1 else None


def _choose(asides: Asides, said: Statement[AnyOrder]) -> Outcome:
    member = asides.member
    if member.person.id not in {reader.person.id for reader in asides.game.readers}:
        raise Illegal("reports.operator")
    return asides.choose("reports", replace(member, reports=chosen(said.rest)) if said.rest else None)


REPORTS = Preference(
    name="reports",
    words=("reports|report", "Berichte|Bericht", "resoconti|resoconto|rapporti|rapporto"),
    behind="_time*",
    choose=_choose,
)
