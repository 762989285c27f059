"""How a game of Imperial went: charts of power, treasuries and running scores."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial

from pbem.core.presenter import Series, View
from pbem.games.imperial.presentation.pictures.pieces import NATIONS, disc
from pbem.games.imperial.presentation.pictures.speech import Speech, speech
from pbem.render.canvas import Canvas
from pbem.render.charts import WIDE, Line, Style, Values, amount, last, line_chart
from pbem.render.raster import Layer, png

Kind = str  # power treasury score
PLAYERS = (  # a colour and a kind of line for each seat
    ("#0a62a6", ""),
    ("#c8501e", "7 3"),
    ("#0f8a67", "2.5 2.5"),
    ("#8d3f8f", "9 3 2 3"),
    ("#b8860b", "5 2 1 2 1 2"),
    ("#333333", "12 2"),
)


def series(kind: Kind, views: Sequence[View]) -> Series:
    """From views in the order of the game, the last of each round; `score` needs their running scores."""
    last = list({view["round"]: view for view in views}.values())
    rounds = [view["round"] for view in last]
    if kind == "score":
        seats = sorted({seat for view in last for seat in view["players"]})
        return Series(rounds=rounds, lines={seat: [_score(view, seat) for view in last] for seat in seats})
    nations = list(last[0]["nations"]) if last else []
    return Series(rounds=rounds, lines={n: [view["nations"][n][kind] for view in last] for n in nations})


def _score(view: View, seat: str) -> int | None:
    points: Mapping[str, int] = view.get("scores") or view.get("running") or {}
    return points.get(seat)


def chart_svg(kind: Kind, over: Series, language: str = "en") -> str:
    """A chart, complete in itself. Each line has its name at its end."""
    words = speech(language)
    lines = [_line(name, values, number, words) for number, (name, values) in enumerate(over.lines.items())]
    title, axis = words.say(f"charts.{kind}"), words.say("charts.round")
    return line_chart(title, axis, over.rounds, lines, chart_alt(kind, over, language))


def _line(name: str, values: Values, number: int, words: Speech) -> Line:
    if name not in NATIONS:
        colour, dashes = PLAYERS[number % len(PLAYERS)]
        return Line(name=name, values=values, style=Style(colour=colour, dashes=dashes))
    style = Style(colour=NATIONS[name].fill, edge=NATIONS[name].edge)
    return Line(name=_called(name, words), values=values, style=style, sign=partial(_sign, name, words.letters[name]))


def _sign(nation: str, letter: str, canvas: Canvas, x: float, y: float) -> None:
    disc(canvas, nation, letter, x, y, 5.5)


def chart_alt(kind: Kind, over: Series, language: str = "en") -> str:
    """What the chart shows, for who can't see it: where each line has come to, the highest first, and who leads."""
    words = speech(language)
    come_to = {_called(name, words): last(values) for name, values in over.lines.items()}
    ends = sorted(((name, value) for name, value in come_to.items() if value is not None), key=lambda one: -one[1])
    ahead = [name for name, value in ends if value == ends[0][1]]
    return words.say(
        "chart_told",
        title=words.say(f"charts.{kind}"),
        round=over.rounds[-1] if over.rounds else 1,
        ends=[f"{name} {amount(value)}" for name, value in ends],
        ahead=ahead if len(ahead) < len(ends) else [],
    )


def chart_png(kind: Kind, over: Series, language: str = "en") -> bytes:
    """The same chart for the mail; the same bytes for the same values."""
    return png((Layer(chart_svg(kind, over, language)),), 2 * WIDE)


def _called(name: str, words: Speech) -> str:
    return words.names["nations"].get(name, name)
