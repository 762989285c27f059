"""How a game went: small line charts for a letter on a phone. Each line has its name at its end."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TypeAlias

from msgspec import Struct

from pbem.render.canvas import Canvas, fitting
from pbem.render.lettering import width

WIDE, HIGH = 360, 230
LEFT, TOP, BOTTOM = 34, 34, 24  # px around the lines; on the right the names stand
NAMES = 124  # px for the names
ACROSS = LEFT / WIDE, 1 - NAMES / WIDE  # where the first moment lies, and the last, in parts of the width
NAME = 10.5
APART = 13.0  # px from name to name
BESIDE = 0.9  # px from line to line where they have the same value
GROUND, GRID, FAINT = "#fbf7ee", "#e2d8c4", "#6b6257"
STEPS = (1, 2, 5, 10, 20, 25, 50, 100, 200, 250, 500, 1000)  # between lines of the grid

Values: TypeAlias = Sequence[int | None]  # one in every round, None where it is not known


class Style(Struct, frozen=True, kw_only=True):
    colour: str
    edge: str = GROUND  # around it, so that a pale line is seen
    dashes: str = ""


class Line(Struct, frozen=True, kw_only=True):
    """A line of a chart; `sign`, if there is one, draws what stands before its name, about a point."""

    name: str
    values: Values
    style: Style
    sign: Callable[[Canvas, float, float], None] | None = None

    @property
    def last(self) -> int | None:
        return last(self.values)


def line_chart(title: str, axis: str, rounds: Sequence[int], lines: Sequence[Line], told: str) -> str:
    """A chart of 360 by 230, complete in itself; `axis` stands before the rounds, `told` says the same in words."""
    canvas = Canvas(WIDE, HIGH)
    field = Field.around(len(rounds), lines)
    canvas.draw(f'<rect width="{WIDE}" height="{HIGH}" rx="6" fill="{GROUND}"/>')
    canvas.write(title, 10, 20, 13, hand="bold")
    _grid(canvas, rounds, field, axis)
    for number, line in enumerate(lines):
        _line(canvas, field, line, (number - len(lines) / 2 + 0.5) * BESIDE)
    ends = [*_ends(lines, field)]
    for (line, x, y), at in zip(ends, _spread([y for _, _, y in ends]), strict=True):
        _name(canvas, line, x, y, at)
    return canvas.svg(title, told)


def last(values: Values) -> int | None:
    return next((value for value in reversed(values) if value is not None), None)


def amount(value: int | None) -> str:
    return str(value).replace("-", "−")


# -- the field of the lines ---


class Field(Struct, frozen=True, kw_only=True):
    """Where a moment and a value lie."""

    moments: int
    least: int
    step: int  # between lines of the grid
    steps: int

    @classmethod
    def around(cls, moments: int, lines: Sequence[Line]) -> Field:
        values = [v for line in lines for v in line.values if v is not None] or [0]
        least, most = min(0, *values), max(1, *values)
        step = next((s for s in STEPS if (most - least) / s <= 5), STEPS[-1])
        least = least // step * step
        return cls(moments=moments, least=least, step=step, steps=-(-(most - least) // step))

    def x(self, moment: int) -> float:
        return LEFT + (WIDE - LEFT - NAMES) * moment / max(1, self.moments - 1)

    def y(self, value: float) -> float:
        high = HIGH - TOP - BOTTOM
        return TOP + high * (1 - (value - self.least) / (self.step * self.steps))


def _grid(canvas: Canvas, rounds: Sequence[int], field: Field, axis: str) -> None:
    for number in range(field.steps + 1):
        value = field.least + number * field.step
        y = field.y(value)
        canvas.draw(f'<path d="M{LEFT} {y:.1f}H{WIDE - NAMES}" stroke="{GRID}"/>')
        canvas.write(amount(value), LEFT - 4, y + 3.2, 9, ink=FAINT, at="end")
    base = HIGH - BOTTOM
    for moment, label in _round_marks(rounds):
        x = field.x(moment)
        canvas.draw(f'<path d="M{x:.1f} {base}v3" stroke="{FAINT}"/>')
        canvas.write(label, x, base + 12, 9, ink=FAINT, at="middle")
    canvas.write(axis, LEFT - 7, base + 12, 9, ink=FAINT, at="end")


def _round_marks(rounds: Sequence[int]) -> Iterator[tuple[int, str]]:
    """Some rounds, as many as have room for their number."""
    room = (WIDE - LEFT - NAMES) / 26
    every = next((step for step in STEPS if len(rounds) / step <= room), STEPS[-1])
    for moment, number in enumerate(rounds):
        if number % every == 0 or (number == 1 and every < 3):
            yield moment, str(number)


# -- lines and their names ---


def _line(canvas: Canvas, field: Field, line: Line, aside: float) -> None:
    known = [(field.x(moment), field.y(v) + aside) for moment, v in enumerate(line.values) if v is not None]
    if not known:
        return
    path = "M" + "L".join(f"{x:.1f} {y:.1f}" for x, y in known)
    canvas.draw(
        f'<g fill="none" stroke-linejoin="round"><path d="{path}" stroke="{line.style.edge}" stroke-width="2.6"/>'
        f'<path d="{path}" stroke="{line.style.colour}" stroke-width="1.8"{_dashed(line.style)}/></g>'
    )


def _dashed(style: Style) -> str:
    return f' stroke-dasharray="{style.dashes}"' if style.dashes else ""


def _ends(lines: Sequence[Line], field: Field) -> Iterator[tuple[Line, float, float]]:
    """Where each line ends, from above downwards."""
    known = [(line, line.last) for line in lines]
    for line, value in sorted(((l, v) for l, v in known if v is not None), key=lambda one: -one[1]):
        yield line, field.x(field.moments - 1), field.y(value)


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


def _name(canvas: Canvas, line: Line, x: float, y: float, at: float) -> None:
    style = line.style
    canvas.draw(f'<path d="M{x:.1f} {y:.1f}L{x + 8:.1f} {at:.1f}" stroke="{style.colour}" fill="none"/>')
    if line.sign:
        line.sign(canvas, x + 14, at)
    else:
        key = f'stroke="{style.colour}" stroke-width="2.4" fill="none"{_dashed(style)}'
        canvas.draw(f'<path d="M{x + 8:.1f} {at:.1f}h12" {key}/>')
    told = amount(line.last)
    room = NAMES - 28 - width(told, NAME, "bold") - 4
    canvas.write(fitting(line.name, NAME, room), x + 23, at + 3.6, NAME)
    canvas.write(told, WIDE - 5, at + 3.6, NAME, hand="bold", at="end")
