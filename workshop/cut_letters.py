"""Cut the outlines of the letters that pictures are written with: `templates/pictures/letters.json`.

    npm pack @fontsource/fira-sans-condensed@5.3.0 && tar xzf fontsource-fira-sans-condensed-5.3.0.tgz
    python workshop/cut_letters.py package/files

Fira Sans Condensed, © The Mozilla Foundation and others, SIL Open Font License 1.1 (`templates/pictures/OFL.txt`).
A renderer without fonts silently draws no text, so pictures carry the outlines themselves.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

from fontTools.pens.svgPathPen import SVGPathPen
from fontTools.pens.transformPen import TransformPen
from fontTools.ttLib import TTFont

TARGET = Path(__file__).resolve().parent.parent / "templates/pictures/letters.json"
HANDS = {"plain": "500-normal", "bold": "700-normal", "slanted": "500-italic"}
LATIN = [*range(0x20, 0x7F), *range(0xA1, 0x180), 0x218, 0x219, 0x21A, 0x21B, 0x1E9E]
SIGNS = [0x2013, 0x2014, 0x2018, 0x2019, 0x201C, 0x201D, 0x201E, 0x2026, 0x2022, 0x20AC, 0x2212, 0xD7]
GREEK_AND_CYRILLIC = [*range(0x386, 0x3CF), *range(0x400, 0x460), 0x490, 0x491]
ALPHABETS = {"plain": LATIN + SIGNS + GREEK_AND_CYRILLIC, "bold": LATIN + SIGNS, "slanted": LATIN + SIGNS}


def cut(folder: Path, weight: str, wanted: list[int]) -> dict[str, Any]:
    """Of each letter the width and the outline, in thousandths of the size, y downwards."""
    letters: dict[str, Any] = {}
    for part in ("latin", "latin-ext", "greek", "cyrillic", "cyrillic-ext"):
        font = TTFont(folder / f"fira-sans-condensed-{part}-{weight}.woff")
        glyphs, names = font.getGlyphSet(), font.getBestCmap()
        for code in wanted:
            if code in names and chr(code) not in letters:
                pen = SVGPathPen(glyphs, ntos=lambda number: str(round(number)))
                glyphs[names[code]].draw(TransformPen(pen, (1, 0, 0, -1, 0, 0)))
                letters[chr(code)] = [round(glyphs[names[code]].width), pen.getCommands()]
    return dict(sorted(letters.items()))


def main() -> None:
    folder = Path(sys.argv[1])
    hands = {hand: cut(folder, weight, ALPHABETS[hand]) for hand, weight in HANDS.items()}
    TARGET.write_text(json.dumps(hands, ensure_ascii=False, separators=(",", ":"), indent=0) + "\n", "utf-8")


if __name__ == "__main__":
    main()
