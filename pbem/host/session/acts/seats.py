"""Who plays, who leads, and who was asked to."""

from __future__ import annotations

from msgspec import Struct


class Seated(Struct, frozen=True, kw_only=True, tag="seated"):
    """Somebody else plays a seat from now on."""

    by: str
    seat: str
    person: int  # their number; logs are published, so there is no name in them
    why: str = ""


class Ejected(Struct, frozen=True, kw_only=True, tag="ejected"):
    """Somebody has lost the seat; it is kept free for a substitute."""

    by: str
    seat: str
    why: str = ""


class BotSeated(Struct, frozen=True, kw_only=True, tag="bot_seated"):
    """A bot answers for a seat, until its player writes again or somebody else sits down."""

    by: str
    seat: str
    why: str = ""


class BotLeft(Struct, frozen=True, kw_only=True, tag="bot_left"):
    """No bot answers for a seat any more."""

    by: str  # the seat itself, when its player has written
    seat: str
    why: str = ""


class Promoted(Struct, frozen=True, kw_only=True, tag="promoted"):
    """Somebody moderates the game, too; or alone, when it was handed over to them."""

    by: str
    whom: str  # how they are called
    alone: bool = False
    why: str = ""
    person: int | None = None  # who had been asked first, by their number


class Removed(Struct, frozen=True, kw_only=True, tag="removed"):
    """Somebody does not moderate the game any more, as the players have decided."""

    by: str
    person: int
    whom: str = ""  # how the log called that moderator
    why: str = ""


class Nominated(Struct, frozen=True, kw_only=True, tag="nominated"):
    """Somebody whom we don't know yet was asked to moderate, or to play; until the yes, everything stays as it is."""

    by: str
    person: int
    seat: str = ""  # that they are to play; "": they are to moderate
    alone: bool = False  # in the place of whoever asks
    why: str = ""
    leads: int | None = None  # the number of whoever hands the game over; None: the operator


class Unwilling(Struct, frozen=True, kw_only=True, tag="unwilling"):
    """Who was asked to moderate, or to play, would rather not."""

    by: str
    person: int
    seat: str = ""  # that they were to play


class Offered(Struct, frozen=True, kw_only=True, tag="offered"):
    """A seat was offered to people who do not play; by their numbers, for logs are published."""

    by: str
    number: int  # of the petition
    people: tuple[int, ...]


class Accepted(Struct, frozen=True, kw_only=True, tag="accepted"):
    """Somebody would take the seat that a petition is about, or would not any more."""

    by: str
    number: int
    person: int
    yes: bool = True


SeatAct = Seated | Ejected | BotSeated | BotLeft | Promoted | Removed | Nominated | Unwilling | Offered | Accepted
