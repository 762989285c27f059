"""Text into words, numbers and signs, with case, accents, dots and quotes out of the way."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import groupby

from msgspec import Struct

_QUOTES = "'\"`´‘’‚‛“”„‟«»‹›\xad\u200b\ufeff"
_SHADES = "\ufe0e\ufe0f\u200d\U0001f3fb\U0001f3fc\U0001f3fd\U0001f3fe\U0001f3ff"  # how a sign before them is drawn
_ELIDED = r"\b(?:l|un|d|all|dall|dell|nell|sull|dell|quell)"  # Italian articles before a quote are words of their own
_ACCENTS = "\u0300-\u036f\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f"  # written behind their letters
_DROPPED = str.maketrans(dict.fromkeys(_QUOTES + _SHADES) | {".": " ", "\u00a0": " "})
_PLAIN = str.maketrans(dict.fromkeys(_SHADES))
_LETTERS = str.maketrans({"ß": "ss", "ø": "o", "đ": "d", "ł": "l", "æ": "ae", "œ": "oe", "ı": "i"})
LINES = 100  # of letters that are remembered: each is asked for several times
_COMMENT = re.compile(r"//|#")
# Nine digits are more than any amount has; Python reads no number of thousands, and JSON none of twenty.
_TOKEN = re.compile(
    r"(?P<TO>[-=]+>|[→⇒⇨⟶➔➙➜➝➞➡⮕>‐‑‒–—―−-])|(?P<COMMA>,)|(?P<PLUS>[+&])|(?P<COLON>[:=])"
    # 9m is an amount as our letters print it, 2A and 2xA count
    r"|(?P<NUMBER>\d{1,9}(?=(?i:m|mio|mln)\b|[A-Z]\b|[x×]\s?[^\W\d_]|\b))"
    r"|(?P<TIMES>(?<=\d)[x×](?=\s?[^\W\d_])|(?<=\d\s)[x×](?=\s[^\W\d_]))"
    rf"|(?P<WORD>(?i:{_ELIDED})(?=[{_QUOTES}][^\W_])"
    rf"|\w+(?:[{_QUOTES}{_ACCENTS}](?=[^\W_])\w+)*)|(?P<STRANGE>.)",  # quotes within a word do not part it
    re.DOTALL,
)


class Token(Struct, frozen=True, kw_only=True):
    """One word or sign of a line; columns count from 1."""

    kind: str  # WORD NUMBER TO COMMA PLUS COLON, or STRANGE for what means nothing to us
    text: str  # folded
    written: str  # as the writer wrote it
    line: int
    column: int
    source: str = ""  # the piece that it stands in
    start: int = 0  # where in that
    end: int = 0

    @property
    def is_elided(self) -> bool:
        """Does a quote join it to the next word?"""
        return self.source[self.end : self.end + 1] in (*_QUOTES,)


def fold(text: str) -> str:
    """Lower case without accents, dots and quotes: what counts when names are compared."""
    if text.isascii():  # most of a letter is, and has few signs to look for
        low = text.lower()
        return low if low.isalnum() else low.replace("'", "").replace('"', "").replace("`", "").replace(".", " ")
    kept = text.translate(_DROPPED)
    plain = unicodedata.normalize("NFKD", kept).casefold().translate(_LETTERS)
    return "".join(c for c in plain if not unicodedata.combining(c))


def plain_signs(text: str) -> str:
    """The same with every sign drawn as it is by itself: a thumb has no colour."""
    return text if text.isascii() else text.translate(_PLAIN)


def without_comment(text: str) -> str:
    return _COMMENT.split(text, maxsplit=1)[0]


@lru_cache(LINES)
def ends_letter(line: str) -> bool:
    """What stands below END or above a signature is read, and nothing else."""
    return fold(without_comment(line)).strip() in ("end", "--")


def own_lines(lines: Sequence[str]) -> Iterator[tuple[int, str]]:
    """Those that say something, with their numbers: no blank and no quoted one, and none below the end."""
    for number, line in enumerate(lines, 1):
        if ends_letter(line):
            return
        if line.strip() and not line.lstrip().startswith(">"):
            yield number, line


def parted(line: str) -> Iterator[tuple[int, str]]:
    """The parts of a line between semicolons with their columns, without a comment; of a quoted line none."""
    column = 1
    for piece in ("" if line.lstrip().startswith(">") else without_comment(line)).split(";"):
        yield column, piece
        column += len(piece) + 1


def tokenize(text: str, line: int, column: int = 1) -> list[Token]:
    """The tokens of a piece of text that begins at this line and column."""
    return [
        Token(
            kind=found.lastgroup or "",
            text=part,
            written=found[0].strip("."),
            line=line,
            column=column + found.start(),
            source=text,
            start=found.start(),
            end=found.end(),
        )
        for found in _TOKEN.finditer(text)
        if found.lastgroup != "TIMES"
        for part in fold(found[0]).split()
    ]


def as_written(line: Sequence[Token]) -> str:
    """What its writer wrote from the first of these tokens to the last; other pieces follow behind a comma."""
    own = (token for token in line if token.source)
    pieces = [[*piece] for _, piece in groupby(own, key=lambda token: (token.line, token.source))]
    return ", ".join(piece[0].source[piece[0].start : piece[-1].end].strip() for piece in pieces)
