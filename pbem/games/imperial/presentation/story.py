"""How a game of Imperial came to its end, told from one view of each round: what turned, and the running scores."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any

from pbem.core.presenter import Round, Series, Turning, View
from pbem.games.imperial.presentation.pictures.charts import series

HEIGHTS = (10, 20)  # power points that are worth a word when a nation is the first to reach them
COLUMNS = 6  # rounds in the table of scores: more are too wide for a phone


def story(course: Sequence[View]) -> list[Round]:
    """From views in the order of the game, the last of each round."""
    told = [Round(number=now["round"], turnings=tuple(_turnings(was, now))) for was, now in pairwise(course)]
    return [each for each in told if each.turnings]


def scores(course: Sequence[View]) -> Series | None:
    """The running scores of a few rounds, the last among them; None where they are secret or there is one round."""
    whole = series("score", course)
    if len(whole.rounds) < 2 or any(value is None for line in whole.lines.values() for value in line):
        return None
    kept = _spread(len(whole.rounds))
    lines = {seat: [line[place] for place in kept] for seat, line in whole.lines.items()}
    return Series(rounds=[whole.rounds[place] for place in kept], lines=lines)


def _spread(count: int) -> list[int]:
    """So many places, at most a few of them, from the first to the last."""
    few = min(count, COLUMNS)
    return [round(step * (count - 1) / (few - 1)) for step in range(few)]


def _turnings(was: View, now: View) -> Iterator[Turning]:
    for nation, row in now["nations"].items():
        yield from _of_nation(nation, was["nations"][nation], row)
    for height in HEIGHTS:
        yield from _first_to_reach(height, was, now)
    yield from _of_players(was, now)


def _of_nation(nation: str, was: Mapping[str, Any], now: Mapping[str, Any]) -> Iterator[Turning]:
    if now["government"] != was["government"]:
        facts = {"nation": nation, "seat": now["government"], "was": was["government"]}
        yield Turning(kind="government", facts=facts)
    lost = [region for region in was["factories"] if region not in now["factories"]]
    if lost:
        yield Turning(kind="factories_lost", facts={"nation": nation, "regions": lost})


def _first_to_reach(height: int, was: View, now: View) -> Iterator[Turning]:
    if max(row["power"] for row in was["nations"].values()) >= height:
        return
    power = {nation: row["power"] for nation, row in now["nations"].items() if row["power"] >= height}
    if power:  # who was the first of several in one round the positions after the rounds don't tell
        facts = {"nations": sorted(power, key=power.__getitem__, reverse=True), "height": height}
        yield Turning(kind="power", facts={**facts, "power": max(power.values())})


def _of_players(was: View, now: View) -> Iterator[Turning]:
    for seat in now["players"]:
        if _governs(was, seat) and not _governs(now, seat):
            yield Turning(kind="powerless", facts={"seat": seat})
    leads = _leader(now)
    if leads is not None and leads != _leader(was):
        yield Turning(kind="leads", facts={"seat": leads, "points": _points(now)[leads]})


def _governs(view: View, seat: str) -> bool:
    return any(row["government"] == seat for row in view["nations"].values())


def _points(view: View) -> Mapping[str, int]:
    return view.get("scores") or view.get("running") or {}


def _leader(view: View) -> str | None:
    """Who alone has most points."""
    points = _points(view)
    first = [seat for seat in points if points[seat] == max(points.values())]
    return first[0] if len(first) == 1 else None
