"""What a player says about others' turns: how they read an order, or that they object to a report.

See docs/reference/procedure.md, section 7.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Literal

from msgspec import Struct

from pbem.core.refusal import Unreadable
from pbem.language.words import HEADS, either

FORMS = {"interpret": "interpret NAME 3: …", "object": "object R-3: …"}

_HEAD = re.compile(
    rf"\s*(?:(?P<interpret>{either(HEADS['interpret'])})|(?P<object>{either(HEADS['object'])}))\s(?P<about>[^:]+):(?P<rest>.*)",
    re.IGNORECASE,
)
_WHO = re.compile(rf"(?P<seat>\S+?)[\s,]+(?:{either(HEADS['turn'])}\s+)?(?P<turn>\d{{1,6}})", re.IGNORECASE)
_REPORT = re.compile(r"(?:(?:to|gegen|a)\s+)?R(?:\s*[-‐‑–—])?\s*(?P<turn>\d{1,6})", re.IGNORECASE)


class Remark(Struct, frozen=True, kw_only=True):
    """A remark as it was written."""

    kind: Literal["interpret", "object"]
    seat: str = ""  # of an interpretation: whose words are meant, as written
    turn: int  # in which they were written, or whose report is objected to
    text: str

    @property
    def words(self) -> str:
        """What of it others read."""
        return self.text


def is_remark(line: str) -> bool:
    return _HEAD.fullmatch(line) is not None


def read_remark(head: str, line: int, below: Sequence[tuple[int, str]], is_order: Callable[[str], bool]) -> Remark:
    """Raises `Unreadable`; an order below a remark would be mailed to rivals."""
    found = _HEAD.fullmatch(head)
    assert found, "a remark begins with its word"
    for number, text in below:
        if is_order(text):
            raise Unreadable("remark.order_inside", line=number, column=1, read=text.strip())
    kind: Literal["interpret", "object"] = "interpret" if found["interpret"] else "object"
    about = (_WHO if kind == "interpret" else _REPORT).fullmatch(found["about"].strip())
    if about is None:
        raise Unreadable("remark.unreadable", line=line, column=1, read=head.strip(), form=FORMS[kind])
    said = "\n".join([found["rest"].strip(), *(text for _, text in below)]).strip()
    return Remark(kind=kind, seat=about.groupdict().get("seat") or "", turn=int(about["turn"]), text=said)
