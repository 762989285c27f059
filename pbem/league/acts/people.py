"""What is done by and about the people in a season."""

from __future__ import annotations

from pbem.league.acts.base import BaseAct


class Entered(BaseAct, frozen=True, kw_only=True, tag="entered"):
    person: int
    luck: str = ""  # the SHA-256 of the word, which is told when entries close
    apart: str = ""  # a salted digest of whom they won't sit with


class Mustered(BaseAct, frozen=True, kw_only=True, tag="mustered"):
    person: int
    plays: bool = True


class Rested(BaseAct, frozen=True, kw_only=True, tag="rested"):
    person: int


class Withdrawn(BaseAct, frozen=True, kw_only=True, tag="withdrawn"):
    person: int
    why: str = ""


class Admitted(BaseAct, frozen=True, kw_only=True, tag="admitted"):
    person: int
    why: str = ""


class Refused(BaseAct, frozen=True, kw_only=True, tag="refused"):
    person: int
    why: str = ""


class Expelled(BaseAct, frozen=True, kw_only=True, tag="expelled"):
    person: int
    why: str = ""


class Excused(BaseAct, frozen=True, kw_only=True, tag="excused"):
    """Who left, left with leave: it costs nothing."""

    person: int
    why: str = ""


class Penalised(BaseAct, frozen=True, kw_only=True, tag="penalised"):
    person: int
    points: int  # hundredths
    why: str = ""


class Forgiven(BaseAct, frozen=True, kw_only=True, tag="forgiven"):
    person: int
    periods: int
    why: str = ""


class Late(BaseAct, frozen=True, kw_only=True, tag="late"):
    person: int
    table: int
    periods: int


class Moved(BaseAct, frozen=True, kw_only=True, tag="moved"):
    """Somebody begins the next season in another division."""

    person: int
    division: int
    why: str = ""


PersonAct = (
    Entered
    | Mustered
    | Rested
    | Withdrawn
    | Admitted
    | Refused
    | Expelled
    | Excused
    | Penalised
    | Forgiven
    | Late
    | Moved
)
