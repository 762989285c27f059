"""What the signs of the board mean, below it; and whose colours are whose."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from typing import NamedTuple

from pbem.games.empire.geography.map_file import TERRAINS
from pbem.games.empire.presentation.pictures.chips import Chip, city, counter, factories, item, workers
from pbem.games.empire.presentation.pictures.colours import INK, NOBODY
from pbem.games.empire.presentation.pictures.ground import swatch
from pbem.games.empire.presentation.pictures.standing import Sides
from pbem.render.canvas import Canvas
from pbem.render.lettering import width

ROW, PRINT, MARGIN, SIGN = 30.0, 17.0, 20.0, 24.0  # px


class Entry(NamedTuple):
    """A sign of that width with its word; `draw` draws it with its left upper corner there."""

    word: str
    wide: float
    draw: Callable[[Canvas, float, float], None]

    @property
    def room(self) -> float:
        return self.wide + 6 + width(self.word, PRINT) + 18


def rows(sides: Sides, terrains: Collection[str], words: Mapping[str, str] | None, wide: float) -> list[list[Entry]]:
    """In as many lines as they need: the countries, and with words for them the terrains and signs."""
    found = _broken([*_countries(sides)], wide)
    if words:
        found += _broken([*_terrains(terrains, words)], wide)
        found += _broken([*_signs(words)], wide) if sides.letters else []
    return found


def draw_legend(canvas: Canvas, top: float, lines: list[list[Entry]]) -> None:
    for place, line in enumerate(lines):
        x, y = MARGIN, top + ROW * place
        for entry in line:
            entry.draw(canvas, x, y + 2)
            canvas.write(entry.word, x + entry.wide + 6, y + 19, PRINT)
            x += entry.room


def _broken(entries: list[Entry], wide: float) -> list[list[Entry]]:
    lines: list[list[Entry]] = []
    left = 0.0
    for entry in entries:
        if entry.room > left:
            lines.append([])
            left = wide - 2 * MARGIN + 18
        lines[-1].append(entry)
        left -= entry.room
    return lines


def _countries(sides: Sides) -> Iterator[Entry]:
    for country, letter in sides.letters.items():
        colours = sides.of(country)

        def draw(
            canvas: Canvas, x: float, y: float, fill: str = colours.fill, ink: str = colours.ink, letter: str = letter
        ) -> None:
            canvas.draw(f'<rect x="{x:.1f}" y="{y:.1f}" width="22" height="22" rx="4" fill="{fill}" stroke="{INK}"/>')
            canvas.write(letter, x + 11, y + 16.5, 15, hand="bold", ink=ink, at="middle")

        yield Entry(country, 22, draw)


def _terrains(terrains: Collection[str], words: Mapping[str, str]) -> Iterator[Entry]:
    for terrain in TERRAINS.values():
        if terrain in terrains:

            def draw(canvas: Canvas, x: float, y: float, terrain: str = terrain) -> None:
                swatch(canvas, terrain, x + 13, y + 11.5, 13)

            yield Entry(words[terrain], 26, draw)


def _signs(words: Mapping[str, str]) -> Iterator[Entry]:
    signs: Mapping[str, Chip] = {
        "city": city(NOBODY, "", capital=False),
        "capital": city(NOBODY, "", capital=True),
        "factories": factories(1),
        **{kind: item(kind) for kind in ("dock", "airport", "warehouse", "goods", "farm")},
        "workers": workers(NOBODY, 0),
        "officials": workers(NOBODY, 0, officials=1),
        **{sort: counter(sort, "", NOBODY, "1") for sort in ("army", "fleet", "wings", "wheels")},
    }
    for key, chip in signs.items():

        def draw(canvas: Canvas, x: float, y: float, chip: Chip = chip) -> None:
            chip.put(canvas, x, y, 22 / chip.high)

        yield Entry(words[f"sign_{key}"], chip.wide * 22 / chip.high, draw)
