"""How a game went: small line charts of power, treasuries and running scores, for a letter on a phone."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from msgspec import Struct

from pbem.core.presenter import Series, View
from pbem.games.imperial.presentation.pictures.pieces import NATIONS, disc
from pbem.games.imperial.presentation.pictures.speech import Speech, speech
from pbem.render.canvas import Canvas, fitting
from pbem.render.lettering import width
from pbem.render.raster import Layer, png

Kind = str  # power treasury score
WIDE, HIGH = 360, 230
LEFT, TOP, BOTTOM = 34, 34, 24  # px around the lines; on the right the names stand
NAMES = 124  # px for the names
NAME = 10.5
APART = 13.0  # px from name to name
BESIDE = 0.9  # px from line to line where they have the same value
GROUND, GRID, FAINT = "#fbf7ee", "#e2d8c4", "#6b6257"
STEPS = (1, 2, 5, 10, 20, 25, 50, 100, 200, 250, 500, 1000)  # between lines of the grid
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
    """A chart of 360 by 230, complete in itself. Each line has its name at its end."""
    words, paper = speech(language), Canvas(WIDE, HIGH)
    field = Field.around(over)
    paper.draw(f'<rect width="{WIDE}" height="{HIGH}" rx="6" fill="{GROUND}"/>')
    paper.write(words.say(f"charts.{kind}"), 10, 20, 13, hand="bold")
    _grid(paper, over, field, words)
    ends = dict(_ends(over, field))
    for number, (name, values) in enumerate(over.lines.items()):
        _line(paper, field, values, (number - len(over.lines) / 2 + 0.5) * BESIDE, _style(name, number))
    for (name, (x, y)), at in zip(ends.items(), _spread([y for _, y in ends.values()]), strict=True):
        _name(paper, name, list(over.lines).index(name), x, y, at, words, _last(over.lines[name]))
    return paper.svg(words.say(f"charts.{kind}"), chart_alt(kind, over, language))


def chart_alt(kind: Kind, over: Series, language: str = "en") -> str:
    """What the chart shows, for who can't see it: where each line has come to, the highest first, and who leads."""
    words = speech(language)
    last = {_called(name, words): _last(values) for name, values in over.lines.items()}
    ends = sorted(((name, value) for name, value in last.items() if value is not None), key=lambda one: -one[1])
    ahead = [name for name, value in ends if value == ends[0][1]]
    return words.say(
        "chart_told",
        title=words.say(f"charts.{kind}"),
        round=over.rounds[-1] if over.rounds else 1,
        ends=[f"{name} {_amount(value)}" for name, value in ends],
        ahead=ahead if len(ahead) < len(ends) else [],
    )


def chart_png(kind: Kind, over: Series, language: str = "en") -> bytes:
    """The same chart for the mail; the same bytes for the same values."""
    return png((Layer(chart_svg(kind, over, language)),), 2 * WIDE)


# -- the field of the lines ---


class Field(Struct, frozen=True, kw_only=True):
    """Where a moment and a value lie."""

    moments: int
    least: int
    step: int  # between lines of the grid
    steps: int

    @classmethod
    def around(cls, over: Series) -> Field:
        values = [v for line in over.lines.values() for v in line if v is not None] or [0]
        least, most = min(0, *values), max(1, *values)
        step = next((s for s in STEPS if (most - least) / s <= 5), STEPS[-1])
        least = least // step * step
        return cls(moments=len(over.rounds), least=least, step=step, steps=-(-(most - least) // step))

    def x(self, moment: int) -> float:
        return LEFT + (WIDE - LEFT - NAMES) * moment / max(1, self.moments - 1)

    def y(self, value: float) -> float:
        high = HIGH - TOP - BOTTOM
        return TOP + high * (1 - (value - self.least) / (self.step * self.steps))


def _grid(paper: Canvas, over: Series, field: Field, words: Speech) -> None:
    for number in range(field.steps + 1):
        value = field.least + number * field.step
        y = field.y(value)
        paper.draw(f'<path d="M{LEFT} {y:.1f}H{WIDE - NAMES}" stroke="{GRID}"/>')
        paper.write(str(value).replace("-", "−"), LEFT - 4, y + 3.2, 9, ink=FAINT, at="end")
    base = HIGH - BOTTOM
    for moment, label in _round_marks(over):
        x = field.x(moment)
        paper.draw(f'<path d="M{x:.1f} {base}v3" stroke="{FAINT}"/>')
        paper.write(label, x, base + 12, 9, ink=FAINT, at="middle")
    paper.write(words.say("charts.round"), LEFT - 7, base + 12, 9, ink=FAINT, at="end")


def _round_marks(over: Series) -> Iterator[tuple[int, str]]:
    """Some rounds, as many as have room for their number."""
    room = (WIDE - LEFT - NAMES) / 26
    every = next((step for step in STEPS if len(over.rounds) / step <= room), STEPS[-1])
    for moment, number in enumerate(over.rounds):
        if number % every == 0 or (number == 1 and every < 3):
            yield moment, str(number)


# -- lines and their names ---


class Style(Struct, frozen=True, kw_only=True):
    colour: str
    edge: str  # around it, so that a pale line is seen
    dashes: str = ""


def _style(name: str, number: int) -> Style:
    if name in NATIONS:
        return Style(colour=NATIONS[name].fill, edge=NATIONS[name].edge)
    colour, dashes = PLAYERS[number % len(PLAYERS)]
    return Style(colour=colour, edge=GROUND, dashes=dashes)


def _line(paper: Canvas, field: Field, values: Sequence[int | None], aside: float, style: Style) -> None:
    known = [(field.x(moment), field.y(value) + aside) for moment, value in enumerate(values) if value is not None]
    if not known:
        return
    path = "M" + "L".join(f"{x:.1f} {y:.1f}" for x, y in known)
    dashed = f' stroke-dasharray="{style.dashes}"' if style.dashes else ""
    paper.draw(
        f'<g fill="none" stroke-linejoin="round"><path d="{path}" stroke="{style.edge}" stroke-width="2.6"/>'
        f'<path d="{path}" stroke="{style.colour}" stroke-width="1.8"{dashed}/></g>'
    )


def _last(values: Sequence[int | None]) -> int | None:
    return next((value for value in reversed(values) if value is not None), None)


def _ends(over: Series, field: Field) -> Iterator[tuple[str, tuple[float, float]]]:
    """Where each line ends, from above downwards."""
    found = {name: _last(values) for name, values in over.lines.items()}
    known = [(name, value) for name, value in found.items() if value is not None]
    for name, value in sorted(known, key=lambda one: -one[1]):
        yield name, (field.x(field.moments - 1), field.y(value))


def _spread(wished: Sequence[float]) -> list[float]:
    """Heights for the names, in order, as near to the ends of their lines as they can be without touching."""
    placed: list[float] = []
    for y in wished:
        placed.append(max(y, placed[-1] + APART) if placed else y)
    over = max(0.0, placed[-1] - (HIGH - BOTTOM)) if placed else 0.0
    placed = [y - over for y in placed]
    for number in range(len(placed) - 2, -1, -1):
        placed[number] = min(placed[number], placed[number + 1] - APART)
    return placed


def _name(
    paper: Canvas, name: str, number: int, x: float, y: float, at: float, words: Speech, value: int | None
) -> None:
    style = _style(name, number)
    dashed = f' stroke-dasharray="{style.dashes}"' if style.dashes else ""
    paper.draw(f'<path d="M{x:.1f} {y:.1f}L{x + 8:.1f} {at:.1f}" stroke="{style.colour}" fill="none"/>')
    if name in NATIONS:
        disc(paper, name, words.letters[name], x + 14, at, 5.5)
    else:
        paper.draw(
            f'<path d="M{x + 8:.1f} {at:.1f}h12" stroke="{style.colour}" stroke-width="2.4" fill="none"{dashed}/>'
        )
    amount = _amount(value)
    room = NAMES - 28 - width(amount, NAME, "bold") - 4
    paper.write(fitting(_called(name, words), NAME, room), x + 23, at + 3.6, NAME)
    paper.write(amount, WIDE - 5, at + 3.6, NAME, hand="bold", at="end")


def _amount(value: int | None) -> str:
    return str(value).replace("-", "−")


def _called(name: str, words: Speech) -> str:
    return words.names["nations"].get(name, name)
