"""How a game of Empire went: charts of confidence and of what was developed, a line for each country."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from pbem.core.presenter import Chart, Series, View
from pbem.games.empire.presentation.forces import letters, player_of
from pbem.games.empire.presentation.pictures.standing import sides
from pbem.games.empire.presentation.words import VOICE
from pbem.render.charts import ACROSS, Line, Style, Values, amount, line_chart
from pbem.render.wording import wording

KINDS = ("confidence", "investment", "edu", "fund")
FEWEST = 2  # turns with which there is something to compare
DASHES = ("", "7 3", "2.5 2.5", "9 3 2 3", "5 2 1 2 1 2", "12 2")  # for the countries of one player


def chart(kind: str, over: Series, language: str, view: View) -> Chart | None:
    """The same colours as on the map; countries of one player differ in how their lines are dashed."""
    lines = [*_lines(over, view)]
    if not lines:
        return None
    say = wording(VOICE, language, html=False).say
    title = say(f"picture.charts.{kind}")
    told = say("picture.chart_told", title=title, turn=over.rounds[-1], ends=[*_ends(lines)])
    svg = line_chart(title, say("picture.charts.turn"), over.rounds, lines, told)
    return Chart(kind=kind, alt=told, svg=svg, across=ACROSS)


def _lines(over: Series, view: View) -> Iterator[Line]:
    """Of those that have had a few turns; one that is new, or was secret, has no course yet."""
    look, counts = sides(view), dict[str, int]()
    called: Mapping[str, str] = letters(view)
    for country, values in over.lines.items():
        if _known(values) >= FEWEST:
            player = player_of(view, country)
            colours, place = look.of(country if country in called else None), counts.get(player, 0)
            counts[player] = place + 1
            style = Style(colour=colours.fill, edge=colours.edge, dashes=DASHES[place % len(DASHES)])
            yield Line(name=country, values=values, style=style)


def _known(values: Values) -> int:
    return sum(value is not None for value in values)


def _ends(lines: list[Line]) -> Iterator[str]:
    """Where each line has come to, the highest first."""
    ends = ((line.name, line.last) for line in lines)
    for name, value in sorted(ends, key=lambda one: -(one[1] or 0)):
        yield f"{name} {amount(value)}"
