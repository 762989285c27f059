"""A picture of the board: milliseconds and bytes, as SVG and as PNG, over positions of a game between bots."""

from __future__ import annotations

import random
import statistics
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

import msgspec
import resvg_py

from pbem.core.chance import Lots, NoLots
from pbem.core.decision import Answer
from pbem.core.seat import Seat, Setup
from pbem.files import resource
from pbem.games.imperial.bots import BOTS
from pbem.games.imperial.data.editions import imperial
from pbem.games.imperial.presentation.pictures import board_svg, chart_png, chart_svg, map_png, series

PICTURES = 12
FINE = 780  # as wide as the pictures in the mail
NAMES = ("anton", "bert", "claudia", "daniel", "emma", "fritz")


def game(seed: int) -> list[tuple[dict[str, Any], list[dict[str, Any]]]]:
    """A whole random game: each position as all may see it, and the events that led there."""
    setup = Setup(seats=tuple(map(Seat, NAMES)))
    rules, dice = imperial(setup), random.Random(seed)
    state, found = rules.blank(setup), []
    for event in rules.open(state, Lots(str(seed), "bench"), {}):
        state = rules.apply(state, event)
    while not rules.finished(state):
        decision = rules.pending(state)[0]
        answer = Answer(
            seat=decision.seat, order=BOTS["random"](rules, state, decision, dice.randrange), decision=decision
        )
        resolved = rules.resolve(state, [answer], NoLots())
        state = resolved.state
        found.append((dict(rules.view(state, None)), [told(event) for event in resolved.events]))
    return found


def told(event: Any) -> dict[str, Any]:
    return {**msgspec.structs.asdict(event), "type": event.__struct_config__.tag}


def timed(make: Callable[[], Any]) -> tuple[float, int]:
    """Milliseconds and bytes."""
    began = time.perf_counter()
    made = make()
    return (time.perf_counter() - began) * 1e3, len(made.encode() if isinstance(made, str) else made)


def show(name: str, measured: list[tuple[float, int]], bare: float) -> None:
    times, sizes = [ms for ms, _ in measured], [size for _, size in measured]
    median = statistics.median(times)
    print(f"{name:<22}{median:>9.1f}{max(times):>9.1f}{median / bare:>8.2f}{max(sizes) / 1000:>10.1f}")


def main() -> None:
    played = game(7)
    every = max(1, len(played) // PICTURES)
    chosen = [(played[n - 1][0], *played[n]) for n in range(every, len(played), every)]
    board = (resource("games") / "imperial/boards/europe.svg").read_text("utf-8")
    map_png(chosen[0][1])  # loading is not what is measured
    bare = [timed(lambda: bytes(resvg_py.svg_to_bytes(svg_string=board, width=FINE))) for _ in chosen]
    yardstick = statistics.median(ms for ms, _ in bare)
    print(f"{'':<22}{'ms':>9}{'worst':>9}{'x bare':>8}{'kB, most':>10}")
    show("the bare board", bare, yardstick)
    show("board_svg", [timed(lambda: board_svg(v, before=b, events=e)) for b, v, e in chosen], yardstick)
    show("map_png", [timed(lambda: map_png(v, before=b, events=e)) for b, v, e in chosen], yardstick)
    views = [view for view, _ in played]
    show("chart_svg", [timed(lambda: chart_svg("score", series("score", views))) for _ in chosen], yardstick)
    show("chart_png", [timed(lambda: chart_png("score", series("score", views))) for _ in chosen], yardstick)


if __name__ == "__main__":
    main()
