"""The lines of a text letter: none too long, none blank twice."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Sequence
from functools import lru_cache

WIDTH = 72  # columns of a line: quoted twice it still keeps within 78 (RFC 5322 2.1.1, RFC 3676 4.2)
_HEAD = re.compile(r" *(?:[-–✓✗] )?")
_LINK = re.compile(r"\s*https?://\S+")  # it could not be followed if it were cut
_BROKEN = 500  # lines that are remembered: most of them go to several readers
_BLANKS = re.compile(r"\n{3,}")


def tidy(text: str) -> str:
    """No line too long, no blanks at its end, never two empty lines together."""
    lines = [line for whole in text.splitlines() for line in _wrapped(whole.rstrip())]
    return _BLANKS.sub("\n\n", "\n".join(lines)).strip() + "\n"


def _wrapped(line: str) -> Sequence[str]:
    return [line] if len(line) <= WIDTH or _LINK.fullmatch(line) else _broken(line)


@lru_cache(_BROKEN)
def _broken(line: str) -> Sequence[str]:
    """What does not fit goes on under the first word of its line."""
    found = _HEAD.match(line)
    hanging = " " * min(found.end() if found else 0, WIDTH // 2)
    return textwrap.wrap(line, WIDTH, subsequent_indent=hanging, break_on_hyphens=False)
