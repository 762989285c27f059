"""Whether all of a season follows from what is published, or the first thing that does not.

V10, that pages tell the figures of the files, is the site's.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec import Struct

from pbem.core.log import BrokenLink
from pbem.core.refusal import Illegal
from pbem.league import acts
from pbem.league.log import CLOCK, Entry, live, read
from pbem.league.proof import lots, people, results
from pbem.league.proof.evidence import Fault, Published, Trial
from pbem.league.season import applied
from pbem.league.state import Season


class Verdict(Struct, frozen=True, kw_only=True):
    season: Season | None
    fault: Fault | None = None
    given: tuple[str, ...] = ()  # what could not be looked at yet, and why
    by_hand: int = 0

    @property
    def sentence(self) -> str:
        name = self.season.tag if self.season else "the season"
        if self.fault is not None:
            return f"{name}: {self.fault.check}: {self.fault.about}: {self.fault.what}"
        assert self.season is not None
        own = self.season
        draws, by_hand = _many(len(own.draws), "draw"), _many(self.by_hand, "act")
        counts = f"{len(own.entrants)} entrants, {len(own.tables)} tables, {draws}, {by_hand} by hand"
        return "; ".join([f"{name}: {counts}: all follow from what is published", *self.given])


def _many(number: int, word: str) -> str:
    return f"{number} {word}" if number == 1 else f"{number} {word}s"


def verify(published: Published) -> Verdict:
    """The first thing that does not follow, or that all does."""
    try:
        entries = read(published.log)
    except BrokenLink as broken:
        return Verdict(season=None, fault=Fault("V1", "log", str(broken)))
    if not entries or not isinstance(entries[0].act, acts.Founded):
        return Verdict(season=None, fault=Fault("V1", "A-0", "the season was not founded first"))
    trial = Trial(published, live(entries))
    fault = next(_faults(trial, live(entries)), None)
    if published.imported:
        trial.given.append("results are taken as given, for the season was imported")
    by_hand = sum(each.by != CLOCK and not each.by.startswith("player ") for each in entries)
    given = dict.fromkeys(trial.given)
    if trial.by_time:
        given[f"who waited too long is taken as given where time ended a table ({', '.join(trial.by_time)})"] = None
    return Verdict(season=trial.season, fault=fault, given=tuple(given), by_hand=by_hand)


_CHECKS = (
    people.withholding,
    people.decision,
    people.setting,
    people.closing,
    lots.dividing,
    lots.drawing,
    results.result,
    results.ending,
)


def _faults(trial: Trial, entries: Sequence[Entry]) -> Iterator[Fault]:
    yield from people.file(trial)
    for entry in entries[1:]:
        for check in _CHECKS:
            yield from check(trial, entry)
        try:
            trial.season = applied(trial.season, entry)
        except (KeyError, ValueError, Illegal):
            yield Fault("V1", f"A-{entry.seq}", "it does not fit what was before it")
            return
    yield from people.left_out(trial)
    yield from lots.links(trial)
    yield from results.rated(trial)
