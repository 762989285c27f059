"""The ledger of a game's lots: each with what followed, and how often each face of its dice has come up."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

from msgspec import Struct
from msgspec.structs import asdict

from pbem.adapters.site.records import Lot
from pbem.core.presenter import PagePresenter
from pbem.host.archive.published import ArchivedTurn


class Faces(Struct, frozen=True, kw_only=True):
    """Dice with that many faces."""

    faces: int
    counts: tuple[int, ...]  # of each face

    @property
    def dice(self) -> int:
        return sum(self.counts)

    @property
    def even(self) -> float:
        """How often each face would have come up if all had come up alike."""
        return self.dice / self.faces


def lots_of(turn: ArchivedTurn, shown: PagePresenter) -> tuple[Lot, ...]:
    """All that were drawn in a turn, as the game tells of them."""
    return tuple(
        Lot(entry=int(drawing.entry) if drawing.entry.isdecimal() else drawing.entry, **asdict(draw), **asdict(throw))
        for drawing in turn.drawings
        for draw, throw in zip(drawing.draws, shown.throws(drawing.draws, drawing.events), strict=True)
    )


def frequencies(lots: Iterable[Lot]) -> Iterator[Faces]:
    """Of dice, those with the fewest faces first."""
    thrown: dict[int, Counter[int]] = {}
    for lot in lots:
        if lot.face is not None:
            thrown.setdefault(lot.among, Counter())[lot.face] += 1
    for faces, counts in sorted(thrown.items()):
        yield Faces(faces=faces, counts=tuple(counts[face] for face in range(1, faces + 1)))
