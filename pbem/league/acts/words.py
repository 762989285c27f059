"""What is asked, said and decided in a season, and set by it."""

from __future__ import annotations

from typing import Any, Literal

from pbem.league.acts.base import BaseAct


class Petitioned(BaseAct, frozen=True, kw_only=True, tag="petitioned"):
    number: int
    person: int | None = None  # who asks; None: the clock
    kind: Literal["change", "clarify", "suspend", "replace", "abort"]
    title: str
    text: str = ""
    sets: tuple[tuple[str, str], ...] = ()
    start: int | None = None
    length: int = 0
    whom: int | None = None  # who would lead the league; None: whom the votes name by its text
    electors: tuple[int, ...]
    closes: int


class Voted(BaseAct, frozen=True, kw_only=True, tag="voted"):
    number: int
    person: int
    vote: Literal["for", "against", "abstain"]
    comment: str = ""
    salt: str = ""  # so that nobody finds the vote by its digest, which is published before the decision


class Withheld(BaseAct, frozen=True, kw_only=True, tag="withheld"):
    """An act of which nothing but the digest is published yet, as of a vote till its petition is decided; no log holds
    it in words."""


class Decided(BaseAct, frozen=True, kw_only=True, tag="decided"):
    number: int
    passed: bool


class Rejected(BaseAct, frozen=True, kw_only=True, tag="rejected"):
    number: int
    why: str = ""


class TakenBack(BaseAct, frozen=True, kw_only=True, tag="taken_back"):
    """A petition, by whoever made it."""

    number: int


class Objected(BaseAct, frozen=True, kw_only=True, tag="objected"):
    number: int
    person: int
    about: str  # T-12, D-2, A-41
    text: str


class Upheld(BaseAct, frozen=True, kw_only=True, tag="upheld"):
    number: int
    why: str = ""


class Dismissed(BaseAct, frozen=True, kw_only=True, tag="dismissed"):
    number: int
    why: str = ""


class Announced(BaseAct, frozen=True, kw_only=True, tag="announced"):
    text: str


class Promoted(BaseAct, frozen=True, kw_only=True, tag="promoted"):
    person: int


class HandedOver(BaseAct, frozen=True, kw_only=True, tag="handed_over"):
    person: int
    leaves: int | None = None  # who led it till now; None: nobody of those who lead it


class Set(BaseAct, frozen=True, kw_only=True, tag="set"):
    key: str  # "limits.game_days"
    value: Any
    was: Any
    consent: str = ""  # the petition it follows from
    why: str = ""


class Rewound(BaseAct, frozen=True, kw_only=True, tag="rewound"):
    """Every act above that number is taken back; taking a rewinding back counts them again."""

    to: int
    forward: bool = False
    why: str = ""


WordAct = (
    Petitioned
    | Voted
    | Withheld
    | Decided
    | Rejected
    | TakenBack
    | Objected
    | Upheld
    | Dismissed
    | Announced
    | Promoted
    | HandedOver
    | Set
    | Rewound
)
