"""What a letter says to the house and not to the table: nothing of the game changes, and only its writer is told."""

from __future__ import annotations

from collections.abc import Sequence
from difflib import get_close_matches
from functools import cache
from zoneinfo import available_timezones

from msgspec.structs import replace

from pbem.language.commands import LANGUAGES
from pbem.language.signs import fold
from pbem.service.ports import Member
from pbem.service.referee import Verdict
from pbem.table.refusal import Illegal

FEW = 3  # names that the writer may have meant


class Asides:
    """One member's words to the house, in the order written."""

    def __init__(self, member: Member) -> None:
        self.member = member
        self.is_set = False  # has he chosen a language or a zone?

    def settle(self, verdicts: Sequence[Verdict]) -> list[Verdict]:
        """The verdicts with what became of the asides among them."""
        return [self._settle(verdict) for verdict in verdicts]

    def _settle(self, verdict: Verdict) -> Verdict:
        try:
            return replace(verdict, outcome="set") if self._sets(verdict) else verdict
        except Illegal as refusal:
            return replace(verdict, outcome="refused", refusal=refusal)

    def _sets(self, verdict: Verdict) -> bool:
        aside = verdict.aside
        if aside is None or aside.command not in ("language", "zone"):
            return False
        chosen = {"language": language, "zone": zone}[aside.command](aside.rest)
        self.member = replace(self.member, **{aside.command: chosen})
        self.is_set = True
        return True


def language(written: str) -> str:
    """The language that a beginning of one of its names means. Raises `Illegal`."""
    meant = {id_ for id_, names in LANGUAGES.items() if any(fold(n).startswith(fold(written).strip()) for n in names)}
    if len(meant) != 1:
        raise Illegal("language.unknown", read=written, candidates=tuple(names[0] for names in LANGUAGES.values()))
    return meant.pop()


def zone(written: str) -> str:
    """The time zone of that name, or of the one city of that name. Raises `Illegal`."""
    known = zones_by_key()
    meant = known.get(_key(written), ())
    if len(meant) != 1:
        near = dict.fromkeys(name for key in get_close_matches(_key(written), known, cutoff=0.7) for name in known[key])
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
