"""An SVG as PNG: few colours, so that it is small enough for the mail; the same picture gives the same bytes."""

from __future__ import annotations

from functools import lru_cache
from io import BytesIO

LIMIT = 120_000  # bytes; a letter may carry so much
# how large and in how many colours, the best first
WAYS = ((1, 64), (1, 48), (0.8, 64), (0.8, 32), (0.67, 32), (0.5, 32))


def png(svg: str, width: int) -> bytes:
    """At most `LIMIT` bytes: so many pixels across if that allows it, else fewer."""
    for share, colours in WAYS:
        if len(made := _png(svg, round(width * share), colours)) <= LIMIT:
            break
    return made


def _png(svg: str, width: int, colours: int) -> bytes:
    """Drawn by resvg without any font of the machine."""
    from PIL import Image  # noqa: PLC0415

    picture = Image.open(BytesIO(_drawn(svg, width))).convert("RGB")
    few = picture.quantize(colours, method=Image.Quantize.MAXCOVERAGE, dither=Image.Dither.NONE)
    target = BytesIO()
    few.save(target, "PNG", optimize=True)
    return target.getvalue()


@lru_cache(maxsize=1)
def _drawn(svg: str, width: int) -> bytes:
    import resvg_py  # noqa: PLC0415  slow to load, and only pictures need it

    return bytes(resvg_py.svg_to_bytes(svg_string=svg, width=width, skip_system_fonts=True))
