"""Cut the outlines of the letters that pictures are written with: `templates/pictures/letters.json`.

    npm pack @fontsource/fira-sans-condensed@5.3.0 && tar xzf fontsource-fira-sans-condensed-5.3.0.tgz
    python .workshop/cut_letters.py package/files

Fira Sans Condensed, © The Mozilla Foundation and others, SIL Open Font License 1.1 (`templates/pictures/OFL.txt`).
A renderer without fonts silently draws no text, so pictures carry the outlines themselves.
"""

from __future__ import annotations

import json
import sys
from functools import partial
from pathlib import Path
from typing import Any

from fontTools.pens.basePen import BasePen
from fontTools.pens.transformPen import TransformPen
from fontTools.ttLib import TTFont

TARGET = Path(__file__).resolve().parent.parent / "templates/pictures/letters.json"
HANDS = {"plain": "500-normal", "bold": "700-normal", "slanted": "500-italic"}
LATIN = [*range(0x20, 0x7F), *range(0xA1, 0x180), 0x218, 0x219, 0x21A, 0x21B, 0x1E9E]
SIGNS = [0x2013, 0x2014, 0x2018, 0x2019, 0x201C, 0x201D, 0x201E, 0x2026, 0x2022, 0x20AC, 0x2212, 0xD7]
GREEK_AND_CYRILLIC = [*range(0x386, 0x3CF), *range(0x400, 0x460), 0x490, 0x491]
ALPHABETS = {
    "plain": LATIN + SIGNS + GREEK_AND_CYRILLIC,
    "bold": LATIN + SIGNS,
    "slanted": [code for code in LATIN if code < 0x100] + SIGNS,
}


def cut(folder: Path, weight: str, wanted: list[int]) -> dict[str, Any]:
    """Of each letter the width and the outline, in thousandths of the size, y downwards."""
    letters: dict[str, Any] = {}
    for part in ("latin", "latin-ext", "greek", "cyrillic", "cyrillic-ext"):
        font = TTFont(folder / f"fira-sans-condensed-{part}-{weight}.woff")
        glyphs, names = font.getGlyphSet(), font.getBestCmap()
        for code in wanted:
            if code in names and chr(code) not in letters:
                pen = StepPen(glyphs)
                glyphs[names[code]].draw(TransformPen(pen, (1, 0, 0, -1, 0, 0)))
                letters[chr(code)] = [round(glyphs[names[code]].width), "".join(pen.drawn)]
    return dict(sorted(letters.items()))


class StepPen(BasePen):  # type: ignore[misc]
    """The outline as steps from point to point, which are shorter to write than the points."""

    def __init__(self, glyphs: Any) -> None:
        super().__init__(glyphs)
        self.drawn: list[str] = []
        self.at = self.start = (0, 0)

    def _step(self, sign: str, *points: tuple[float, float]) -> None:
        whole = [(round(x), round(y)) for x, y in points]
        numbers = [str(one) for x, y in whole for one in (x - self.at[0], y - self.at[1])]
        self.drawn.append(sign + numbers[0] + "".join(n if n[0] == "-" else f" {n}" for n in numbers[1:]))
        self.at = whole[-1]

    def _moveTo(self, pt: tuple[float, float]) -> None:  # noqa: N802
        self._step("m" if self.drawn else "M", pt)
        self.start = self.at

    def _lineTo(self, pt: tuple[float, float]) -> None:  # noqa: N802
        x, y = round(pt[0]) - self.at[0], round(pt[1]) - self.at[1]
        if x and y:
            self._step("l", pt)
        elif x or y:
            self.drawn.append(f"h{x}" if x else f"v{y}")
            self.at = (round(pt[0]), round(pt[1]))

    def _qCurveToOne(self, pt1: tuple[float, float], pt2: tuple[float, float]) -> None:  # noqa: N802
        self._step("q", pt1, pt2)

    def _curveToOne(self, *points: tuple[float, float]) -> None:  # noqa: N802
        self._step("c", *points)

    def _closePath(self) -> None:  # noqa: N802
        self.drawn.append("z")
        self.at = self.start


def main() -> None:
    folder = Path(sys.argv[1])
    hands = {hand: cut(folder, weight, ALPHABETS[hand]) for hand, weight in HANDS.items()}
    lines = (f"{json.dumps(hand)}: {{\n{written(letters)}\n}}" for hand, letters in hands.items())
    TARGET.write_text("{" + ",\n".join(lines) + "}\n", "utf-8")


def written(letters: dict[str, Any]) -> str:
    """A line for each letter."""
    one = partial(json.dumps, ensure_ascii=False, separators=(",", ":"))
    return ",\n".join(f"{one(letter)}:{one(outline)}" for letter, outline in letters.items())


if __name__ == "__main__":
    main()
