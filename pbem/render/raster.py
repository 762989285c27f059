"""An SVG as PNG: few colours, so that it is small enough for the mail; the same picture gives the same bytes."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from io import BytesIO
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from PIL.Image import Image

LIMIT = 120_000  # bytes; a letter may carry so much
# how large, in how many colours, and how far these are apart (sum over red, green, blue); the best first
WAYS = ((1, 64, 16), (1, 48, 24), (0.85, 48, 24), (0.7, 48, 36), (0.6, 32, 48))


MORE = 1 << 16  # different colours than any picture of ours has


class Layer(NamedTuple):
    """A transparent picture; all of those that lie upon one another are of one size."""

    svg: str
    is_kept: bool = False  # it will be wanted again


@lru_cache(maxsize=16)
def png(layers: tuple[Layer, ...], width: int, limit: int = LIMIT) -> bytes:
    """At most so many bytes: so many pixels across if that allows it, else fewer. A letter goes to several people."""
    picture: Image | None = None
    for share, colours, apart in WAYS:
        wide = round(width * share)
        if picture is None or picture.width != wide:
            picture = _laid(layers, wide)
        if len(made := _packed(picture, colours, apart)) <= limit:
            break
    return made


def _packed(picture: Image, colours: int, apart: int) -> bytes:
    """Level 8 of compression takes twice as long as 7, for three bytes of a hundred; level 9 twice as long again."""
    from PIL import Image  # noqa: PLC0415

    few = picture.quantize(palette=_palette(picture, colours, apart), dither=Image.Dither.NONE)
    target = BytesIO()
    few.save(target, "PNG", compress_level=7)
    return target.getvalue()


def _laid(layers: Iterable[Layer], width: int) -> Image:
    """All layers, on white."""
    from PIL import Image  # noqa: PLC0415

    bottom, *others = (_kept(one.svg, width) if one.is_kept else _drawn(one.svg, width) for one in layers)
    picture = Image.alpha_composite(Image.new("RGBA", bottom.size, "white"), bottom)
    for other in others:
        picture.alpha_composite(other)
    return picture.convert("RGB")


def _palette(picture: Image, colours: int, apart: int) -> Image:
    """The commonest colours: large plain areas keep theirs, and only the rims between them are approximated."""
    from PIL import Image  # noqa: PLC0415

    chosen: list[tuple[int, int, int]] = []
    counted: Any = picture.getcolors(MORE) or ()
    for _, colour in sorted(counted, reverse=True):
        if all(sum(abs(a - b) for a, b in zip(colour, other, strict=True)) > apart for other in chosen):
            chosen.append(colour)
        if len(chosen) == colours:
            break
    palette = Image.new("P", (1, 1))
    palette.putpalette([part for colour in chosen for part in colour] + [*chosen[0]] * (256 - len(chosen)))
    return palette


def _drawn(svg: str, width: int) -> Image:
    """By resvg, without any font of the machine."""
    import resvg_py  # noqa: PLC0415  slow to load, and only pictures need it
    from PIL import Image  # noqa: PLC0415

    return Image.open(BytesIO(resvg_py.svg_to_bytes(svg_string=svg, width=width, skip_system_fonts=True))).convert(
        "RGBA"
    )


_kept = lru_cache(maxsize=6)(_drawn)
