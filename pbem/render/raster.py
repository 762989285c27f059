"""An SVG as PNG: few colours, so that it is small enough for the mail; the same picture gives the same bytes."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from io import BytesIO
from itertools import takewhile
from math import ceil, floor
from struct import pack
from typing import TYPE_CHECKING, Any, NamedTuple
from zlib import DEFLATED, compressobj, crc32

from pbem.render.canvas import Patch

if TYPE_CHECKING:
    from PIL.Image import Image

LIMIT = 60_000  # bytes; a letter may carry so much
SHARES = 1, 0.85, 0.7, 0.6  # how large, the best first
COLOURS, APART = 32, 36  # how many, and how far they are apart: the sum over red, green and blue
MORE = 1 << 16  # different colours than any picture of ours has
CRISP, SMOOTH = 2, 256
AWAY = 32  # pixels from the corner, where numbers are rounded more finely than far out on a sheet


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
def png(layers: tuple[Layer | Patch, ...], width: int, *, is_plain: bool = False) -> bytes:
    """At most so many bytes: so many pixels across if that allows it, else fewer. A letter goes to several people.

    The first is a layer. Patches are crisp, and drawn once for all pictures that have them at the same place.
    `is_plain`: large areas with little in them. What is like them lies just above, so that it takes a third of the time
    to look no further, and the bytes are fewer, as near things are named in fewer bits. Of others they are more.
    """
    for share in SHARES:
        made = _packed(_laid(layers, round(width * share)), is_plain=is_plain)
        if len(made) <= LIMIT:
            break
    return made


def _packed(picture: Image, *, is_plain: bool) -> bytes:
    """PNG (ISO/IEC 15948), lines unfiltered: that is best where there are few colours."""
    from PIL import Image  # noqa: PLC0415

    colours = _palette(picture)
    palette = Image.new("P", (1, 1))
    palette.putpalette([part for colour in colours for part in colour] + [*colours[0]] * (256 - len(colours)))
    pixels = picture.quantize(palette=palette, dither=Image.Dither.NONE).tobytes()
    wide, high = picture.size
    lines = b"".join(b"\0" + pixels[at : at + wide] for at in range(0, len(pixels), wide))
    level, window, memory = (9, (wide + 1).bit_length(), 5) if is_plain else (8, 15, 9)
    deflater = compressobj(level, DEFLATED, window, memory)
    chunks = {
        b"IHDR": pack(">IIBBBBB", wide, high, 8, 3, 0, 0, 0),
        b"PLTE": b"".join(map(bytes, colours)),
        b"IDAT": deflater.compress(lines) + deflater.flush(),
        b"IEND": b"",
    }
    parts = (pack(">I", len(data)) + name + data + pack(">I", crc32(name + data)) for name, data in chunks.items())
    return b"\x89PNG\r\n\x1a\n" + b"".join(parts)


def _laid(layers: Sequence[Layer | Patch], width: int) -> Image:
    """All of them, on white. What is kept and lies below all else is laid once."""
    kept = tuple(takewhile(_is_ground, layers))
    picture = _kept_ground(kept, width).copy() if kept else _ground(layers[:1], width)
    below = picture
    for layer in layers[len(kept) or 1 :]:
        if isinstance(layer, Patch):
            drawn, at = _patch(layer, width)
            picture.paste(drawn, at, drawn)
            continue
        drawn = _drawn(layer, width)
        picture.alpha_composite(_upon(drawn, below) if layer.is_upon else drawn)
        below = drawn
    return picture.convert("RGB")


def _is_ground(layer: Layer | Patch) -> bool:
    return isinstance(layer, Layer) and layer.is_kept and not layer.is_upon


def _ground(layers: Sequence[Layer | Patch], width: int) -> Image:
    from PIL import Image  # noqa: PLC0415

    drawn = [_drawn(layer, width) for layer in layers if isinstance(layer, Layer)]
    picture = Image.new("RGBA", drawn[0].size, "white")
    for each in drawn:
        picture.alpha_composite(each)
    return picture


_kept_ground = lru_cache(maxsize=4)(_ground)


def _upon(picture: Image, below: Image) -> Image:
    from PIL import ImageChops  # noqa: PLC0415

    seen = picture.copy()
    seen.putalpha(ImageChops.multiply(picture.getchannel("A"), below.getchannel("A")))
    return seen


def _palette(picture: Image) -> Sequence[tuple[int, int, int]]:
    """The commonest colours: large plain areas keep theirs, and only the rims between them are approximated."""
    chosen: list[tuple[int, int, int]] = []
    counted: Any = picture.getcolors(MORE) or ()
    for _, (red, green, blue) in sorted(counted, reverse=True):
        if all(abs(red - r) + abs(green - g) + abs(blue - b) > APART for r, g, b in chosen):
            chosen.append((red, green, blue))
        if len(chosen) == COLOURS:
            break
    return chosen


def _drawn(layer: Layer, width: int) -> Image:
    return (_kept if layer.is_kept else _rastered)(layer.svg, width, layer.shades)


def _rastered(svg: str, width: int, shades: int) -> Image:
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


_kept = lru_cache(maxsize=8)(_rastered)


@lru_cache(maxsize=500)
def _patch(patch: Patch, width: int) -> tuple[Image, tuple[int, int]]:
    """It, and where its upper left corner lies. It is moved by whole pixels, and looks as on a whole sheet."""
    box, (wide, high) = patch.box, patch.sheet
    tall = ceil(width * high / wide)  # as resvg has it
    across, down = width / wide, tall / high
    left, top = max(0, floor(box.x * across)), max(0, floor(box.y * down))
    right, bottom = min(width, ceil((box.x + box.w) * across)), min(tall, ceil((box.y + box.h) * down))
    sides = f'width="{AWAY + right - left}" height="{AWAY + bottom - top}"'
    moved = f"matrix({across:.9g} 0 0 {down:.9g} {AWAY - left} {AWAY - top})"
    svg = f'<svg xmlns="http://www.w3.org/2000/svg" {sides}><g transform="{moved}">{patch.drawn}</g></svg>'
    drawn = _rastered(svg, AWAY + right - left, CRISP)
    return drawn.crop((AWAY, AWAY, *drawn.size)), (left, top)
