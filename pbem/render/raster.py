"""An SVG as PNG: few colours, so that it is small enough for the mail; the same picture gives the same bytes."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from io import BytesIO
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from PIL.Image import Image

LIMIT = 60_000  # bytes; a letter may carry so much
SHARES = 1, 0.85, 0.7, 0.6  # how large, the best first
COLOURS, APART = 32, 36  # how many, and how far they are apart: the sum over red, green and blue
MORE = 1 << 16  # different colours than any picture of ours has
CRISP, SMOOTH = 2, 256


class Layer(NamedTuple):
    """A transparent picture; all of those that lie upon one another are of one size.

    Its shades are the steps from clear to covered: every step at a rim makes the file larger, and at two pixels to each
    of the screen's hardly one is seen.
    """

    svg: str
    is_kept: bool = False  # it will be wanted again
    shades: int = SMOOTH
    is_upon: bool = False  # seen only where the one below it has something


@lru_cache(maxsize=16)
def png(layers: tuple[Layer, ...], width: int) -> bytes:
    """At most so many bytes: so many pixels across if that allows it, else fewer. A letter goes to several people."""
    for share in SHARES:
        made = _packed(_laid(layers, round(width * share)))
        if len(made) <= LIMIT:
            break
    return made


def _packed(picture: Image) -> bytes:
    """Level 9 of compression takes twice as long as 8, for one byte of a hundred."""
    from PIL import Image  # noqa: PLC0415

    few = picture.quantize(palette=_palette(picture), dither=Image.Dither.NONE)
    target = BytesIO()
    few.save(target, "PNG", compress_level=8)
    return target.getvalue()


def _laid(layers: Sequence[Layer], width: int) -> Image:
    """All layers, on white."""
    from PIL import Image  # noqa: PLC0415

    drawn = [(_kept if one.is_kept else _drawn)(one.svg, width, one.shades) for one in layers]
    picture = Image.alpha_composite(Image.new("RGBA", drawn[0].size, "white"), drawn[0])
    for layer, below, own in zip(layers[1:], drawn, drawn[1:], strict=False):
        picture.alpha_composite(_upon(own, below) if layer.is_upon else own)
    return picture.convert("RGB")


def _upon(picture: Image, below: Image) -> Image:
    from PIL import ImageChops  # noqa: PLC0415

    seen = picture.copy()
    seen.putalpha(ImageChops.multiply(picture.getchannel("A"), below.getchannel("A")))
    return seen


def _palette(picture: Image) -> Image:
    """The commonest colours: large plain areas keep theirs, and only the rims between them are approximated."""
    from PIL import Image  # noqa: PLC0415

    chosen: list[tuple[int, int, int]] = []
    counted: Any = picture.getcolors(MORE) or ()
    for _, colour in sorted(counted, reverse=True):
        if all(sum(abs(a - b) for a, b in zip(colour, other, strict=True)) > APART for other in chosen):
            chosen.append(colour)
        if len(chosen) == COLOURS:
            break
    palette = Image.new("P", (1, 1))
    palette.putpalette([part for colour in chosen for part in colour] + [*chosen[0]] * (256 - len(chosen)))
    return palette


def _drawn(svg: str, width: int, shades: int) -> Image:
    """By resvg, without any font of the machine."""
    import resvg_py  # noqa: PLC0415  slow to load, and only pictures need it
    from PIL import Image  # noqa: PLC0415

    made = resvg_py.svg_to_bytes(
        svg_string=svg,
        width=width,
        skip_system_fonts=True,
        shape_rendering="crisp_edges" if shades == CRISP else "geometric_precision",
    )
    picture = Image.open(BytesIO(made)).convert("RGBA")
    if shades not in (CRISP, SMOOTH):
        steps = shades - 1
        covered = [round(round(a * steps / 255) * 255 / steps) for a in range(256)]
        picture.putalpha(picture.getchannel("A").point(covered))
    return picture


_kept = lru_cache(maxsize=8)(_drawn)
