"""An SVG as PNG: few colours, so that it is small enough for the mail; the same picture gives the same bytes."""

from __future__ import annotations

from functools import lru_cache
from io import BytesIO
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from PIL.Image import Image

LIMIT = 120_000  # bytes; a letter may carry so much
# how large, in how many colours, and how far these are apart (sum over red, green, blue); the best first
WAYS = ((1, 64, 16), (1, 48, 24), (0.85, 48, 24), (0.7, 48, 36), (0.6, 32, 48))


@lru_cache(maxsize=16)
def png(svg: str, width: int) -> bytes:
    """At most `LIMIT` bytes: so many pixels across if that allows it, else fewer. A letter goes to several people."""
    for share, colours, apart in WAYS:
        if len(made := _png(svg, round(width * share), colours, apart)) <= LIMIT:
            break
    return made


def _png(svg: str, width: int, colours: int, apart: int) -> bytes:
    """Drawn by resvg without any font of the machine."""
    from PIL import Image  # noqa: PLC0415

    picture = Image.open(BytesIO(_drawn(svg, width))).convert("RGB")
    few = picture.quantize(palette=_palette(picture, colours, apart), dither=Image.Dither.NONE)
    target = BytesIO()
    few.save(target, "PNG", compress_level=9)
    return target.getvalue()


def _palette(picture: Image, colours: int, apart: int) -> Image:
    """The commonest colours: large plain areas keep theirs, and only the rims between them are approximated."""
    from PIL import Image  # noqa: PLC0415

    chosen: list[tuple[int, int, int]] = []
    counted: Any = picture.getcolors(picture.width * picture.height)
    for _, colour in sorted(counted, reverse=True):
        if all(sum(abs(a - b) for a, b in zip(colour, other, strict=True)) > apart for other in chosen):
            chosen.append(colour)
        if len(chosen) == colours:
            break
    palette = Image.new("P", (1, 1))
    palette.putpalette([part for colour in chosen for part in colour] + [*chosen[0]] * (256 - len(chosen)))
    return palette


@lru_cache(maxsize=1)
def _drawn(svg: str, width: int) -> bytes:
    import resvg_py  # noqa: PLC0415  slow to load, and only pictures need it

    return bytes(resvg_py.svg_to_bytes(svg_string=svg, width=width, skip_system_fonts=True))
