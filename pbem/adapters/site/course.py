"""The course of a game, made of the list of its turns: a row for each round, and how fast the seats have answered."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from msgspec import Struct

from pbem.adapters.site.records import TurnLine
from pbem.core.presenter import PagePresenter


class Pace(Struct, frozen=True, kw_only=True):
    """How fast a seat has answered, in all turns that were told."""

    seat: str
    answers: int
    mean: int  # seconds that counted, of answers that were waited for
    late: int  # whole slots
    forced: int  # how often its time was ended by others


class Round(Struct, frozen=True, kw_only=True):
    """A row of the course of a game: the turns in each of its columns."""

    number: int
    cells: tuple[tuple[TurnLine, ...], ...]


def paces(turns: Iterable[TurnLine], seats: Sequence[str]) -> Iterable[Pace]:
    kept = [row for line in turns for row in line.kept]
    for seat in seats if kept else ():
        own = [row for row in kept if row.seat == seat]
        waited = [row.counted for row in own if row.start is not None]
        yield Pace(
            seat=seat,
            answers=len(own),
            mean=sum(waited) // max(1, len(waited)),
            late=sum(row.late for row in own),
            forced=sum(row.forced for row in own),
        )


def rounds(turns: Iterable[TurnLine], columns: Sequence[str], shown: PagePresenter) -> Iterable[Round]:
    by_round: dict[int, list[TurnLine]] = {}
    for line in turns:
        if shown.column(line.own) is not None:
            by_round.setdefault(line.round, []).append(line)
    for number, lines in by_round.items():
        cells = tuple(tuple(line for line in lines if shown.column(line.own) == column) for column in columns)
        yield Round(number=number, cells=cells)
