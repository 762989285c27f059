"""What is told to somebody who asks, within the answer to their letter."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from msgspec import Struct

from pbem.core.presenter import Sheet, View
from pbem.host.messages.leagues import LeagueList, LeagueTold, RatingTold, SeasonPetitions, SeasonTables, Standings
from pbem.host.messages.parts import Awaited, Hours, Kept, Petition, Remark, TurnReport


class Petitions(Struct, frozen=True, kw_only=True, tag="petitions"):
    open: tuple[Petition, ...]
    over: tuple[Petition, ...]  # the last of them
    remarks: tuple[Remark, ...] = ()


class Told(Struct, frozen=True, kw_only=True, tag="told"):
    """What a command answers in a sentence of its own, `answers.COMMAND`, each line of it a paragraph."""

    command: str
    facts: Mapping[str, Any] = {}


class Help(Struct, frozen=True, kw_only=True, tag="help"):
    topic: str | None  # a word of the order language; None: what there is


class Board(Struct, frozen=True, kw_only=True, tag="board"):
    view: View
    near: str | None = None  # a place of it; None: the whole board


class Deed(Struct, frozen=True, kw_only=True):
    """Something that was done beside the orders."""

    at: int
    turn: int
    kind: str  # the act's tag
    act: Mapping[str, Any]


class History(Struct, frozen=True, kw_only=True, tag="history"):
    turns: tuple[TurnReport, ...]
    more: int | None  # the round of the first turn left out
    deeds: tuple[Deed, ...] = ()  # during these turns, and since


class RulesInForce(Struct, frozen=True, kw_only=True, tag="rules"):
    """What was agreed on before the game began."""

    title: str
    edition: str
    setup: str
    board: str
    players: tuple[str, ...]
    options: Mapping[str, str]  # those chosen for this game
    slot_hours: int
    remind_hours: tuple[int, ...]
    press: str  # all public none
    anonymous: str  # no until_end always
    hours: Hours = Hours()
    rulings: tuple[Petition, ...] = ()  # what the players have ruled since
    remarks: tuple[Remark, ...] = ()


class Running(Struct, frozen=True, kw_only=True):
    """The time of one answer."""

    awaited: Awaited
    begun: int | None  # None until the notice has been handed over
    used: int  # seconds


class Timetable(Struct, frozen=True, kw_only=True, tag="clock"):
    running: tuple[Running, ...]
    slot_hours: int
    remind_hours: tuple[int, ...]
    hours: Hours = Hours()
    sheet: tuple[Kept, ...] = ()  # the last rows
    late: Mapping[str, int] = {}


class Pressed(Struct, frozen=True, kw_only=True):
    """What a player wrote to others."""

    at: int
    seat: str  # who wrote it
    to: tuple[str, ...]  # the seats it went to
    public: bool  # to all
    text: str


class PressRead(Struct, frozen=True, kw_only=True, tag="press"):
    letters: tuple[Pressed, ...]  # the last ones that the reader may see


class Preview(Struct, frozen=True, kw_only=True, tag="preview"):
    """What the orders of a letter would do; nothing was changed yet."""

    events: tuple[Mapping[str, Any], ...]
    before: View
    after: View
    asked: tuple[Awaited, ...]  # who would be asked next
    binds: bool = False  # will it be so, unless it is taken back?


class Trial(Struct, frozen=True, kw_only=True, tag="trial"):
    """What a moderator's powers would do; nothing was changed."""

    deeds: tuple[Deed, ...] = ()
    events: tuple[Mapping[str, Any], ...] = ()  # what would happen on the board
    before: View | None = None  # None: not to be told, or the game has not begun
    after: View | None = None
    awaited: tuple[Awaited, ...] = ()
    sealed: bool = False  # does time end, which may play what is on file?
    told: tuple[str, ...] = ()  # who of the game would get a letter
    others: int = 0  # how many others would


class Addresses(Struct, frozen=True, kw_only=True, tag="addresses"):
    """From where a person may write."""

    main: str  # where our letters go
    others: tuple[str, ...]
    waiting: tuple[str, ...]  # not confirmed yet


class OpenGame(Struct, frozen=True, kw_only=True):
    """A game that anybody may join."""

    game: str
    title: str
    edition: str
    players: int  # how many there are to be
    free: int
    slot_hours: int
    anonymous: str  # no until_end always


class OpenGames(Struct, frozen=True, kw_only=True, tag="games"):
    """Which games still gather."""

    games: tuple[OpenGame, ...]


class Recorded(Struct, frozen=True, kw_only=True):
    """An order of a turn that is over."""

    turn: int
    seat: str
    text: str  # in the order language; "" when nothing was written


class Records(Struct, frozen=True, kw_only=True, tag="records"):
    """What somebody has looked up."""

    about: str | None  # a seat, or a thing of the game; None: all of them
    sheet: str  # position orders moves, or one of the game's own
    turn: int | None  # after which the position was so, or whose orders and times these are; None: now, or the last
    view: View | None = None
    own: Sheet | None = None  # of the game's own
    said: tuple[Recorded, ...] = ()
    rows: tuple[Kept, ...] = ()
    late: Mapping[str, int] = {}


class Leave(Struct, frozen=True, kw_only=True, tag="away"):
    """The reader is away, or will be."""

    start: int
    end: int
    days: int  # of a game in which no time counts for somebody who is away
    standing: tuple[str, ...]  # their orders that answer by themselves
    deputy: str = ""  # who may write for them: a seat, or "deputy"
    agreed: bool = False  # has somebody who does not play said that they would?
    without: tuple[str, ...] = ()  # the other games in which nobody writes for them, though somebody does in this


class Sitting(Struct, frozen=True, kw_only=True):
    """How a player does."""

    seat: str
    address: str  # "" when the seat is free, or nobody may know it
    joined: bool
    late: int  # whole slots, all together
    forced: int  # in a row: their time was ended by others
    bot: bool = False  # does one answer for them?
    returned: Mapping[str, int]  # letters in a row that have come back, by address
    away: int | None = None  # till when
    deputy: str = ""  # who may write for them: a seat, or an address
    agreed: bool = False  # has whoever was named not declined, or accepted?
    free: bool | None = None  # None: as the address says

    @property
    def is_free(self) -> bool:
        return not self.address if self.free is None else self.free


class Filed(Struct, frozen=True, kw_only=True):
    """A paper without its text."""

    seat: str
    kind: str
    at: int


class Came(Struct, frozen=True, kw_only=True):
    """A letter to us."""

    at: int
    sender: str
    subject: str
    fate: str  # answered, "ignored" and why, fault, or the code of a problem


class Lost(Struct, frozen=True, kw_only=True):
    """A letter of ours that was given up."""

    id: str
    to: str
    at: int
    reason: str


class Overview(Struct, frozen=True, kw_only=True, tag="overview"):
    """All about a game, for whoever leads it."""

    status: str  # inviting running finished
    turn: int | None
    moderators: tuple[str, ...]
    seats: tuple[Sitting, ...]
    awaited: tuple[Awaited, ...]
    papers: tuple[Filed, ...]
    letters: tuple[Came, ...]  # the newest first
    lost: tuple[Lost, ...]
    open: tuple[Petition, ...] = ()  # what is voted on
    waiting: tuple[str, ...] = ()  # who would take a seat, in the order in which they came


Section = (
    Leave
    | LeagueList
    | LeagueTold
    | Standings
    | SeasonTables
    | RatingTold
    | SeasonPetitions
    | Overview
    | Records
    | OpenGames
    | Addresses
    | Preview
    | Trial
    | Told
    | Help
    | Board
    | History
    | RulesInForce
    | Petitions
    | Timetable
    | PressRead
)
