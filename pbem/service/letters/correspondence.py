"""What our letters say, before anybody words it: plain values that the pages turn into text and HTML.

Views are the state documents of language.md, as the reader may see them, with `running` scores by seat.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from msgspec import Struct

from pbem.service.people.identity import Place
from pbem.service.play.bots import BOT
from pbem.table.lapsed import Lapsed

View = Mapping[str, Any]


class Awaited(Struct, frozen=True, kw_only=True):
    """Somebody who must answer something."""

    seat: str
    kind: str  # in the game's words
    about: str | None
    deadline: int | None  # seconds UTC; None until the notice has been handed over
    begun: int | None = None  # when the time up to the deadline began, or begins with this letter
    held: bool = False  # time does not count now, and nobody knows when it will
    bot: bool = False  # a bot answers, and has no deadline


class Said(Struct, frozen=True, kw_only=True):
    """An order that was carried out."""

    seat: str
    text: str  # in the order language; "" when the clock answered with nothing written
    cause: str  # letter draft advance standing lapse bot deputy
    deputy: str = ""  # who wrote it: a seat, or "deputy"; "": the player himself


class Invitation(Struct, frozen=True, kw_only=True, tag="invitation"):
    game: str
    seat: str  # who is invited
    title: str  # "Imperial"
    edition: str
    players: tuple[str, ...]  # everybody invited; in an anonymous game nobody
    others: int  # how many they are beside the reader
    slot_hours: int
    commitment: str  # SHA-256 of the secret from which the lots will be drawn
    press: str = "all"  # all public none
    anonymous: str = "no"  # no until_end always
    policy: str = "auto"  # who ends an answer's time: auto on_request lenient
    grace_hours: int = 0  # after that time, before it is ended
    again: bool = False  # he has been asked before, and said nothing


class Unanswered(Struct, frozen=True, kw_only=True, tag="unanswered"):
    """To whoever can begin the game: some who are invited say nothing."""

    game: str
    seat: str | None  # who reads it; None: a moderator
    silent: tuple[str, ...]
    here: tuple[str, ...]  # who have said yes


class Arrivals(Struct, frozen=True, kw_only=True, tag="arrivals"):
    """To whoever can begin the game: somebody has joined it, or stays away."""

    game: str
    seat: str | None  # who reads it; None: a moderator
    came: int  # how many have joined
    gone: bool  # one stays away
    names: tuple[str, ...]  # who that is; () in an anonymous game
    here: tuple[str, ...]  # who have said yes; () in an anonymous game
    count: int  # how many those are
    silent: int  # how many are invited and have not said yes
    free: int  # seats for which nobody is invited


class Opening(Struct, frozen=True, kw_only=True, tag="opening"):
    """The game begins: seats and lots."""

    game: str
    place: Place
    seat: str
    title: str
    edition: str
    commitment: str
    draws: tuple[Mapping[str, Any], ...]  # purpose, among, result
    events: tuple[Mapping[str, Any], ...]
    after: View
    awaited: tuple[Awaited, ...]
    slot_hours: int
    facts: tuple[Mapping[str, Any], ...] = ()  # what the game says about each question to this reader
    standing: tuple[str, ...] = ()  # the reader's own, which answer by themselves
    policy: str = "auto"  # who ends an answer's time: auto on_request lenient
    grace_hours: int = 0  # after that time, before it is ended


class Kept(Struct, frozen=True, kw_only=True):
    """A row of the move order sheet."""

    seat: str
    kind: str
    about: str | None
    start: int | None  # None: it was answered before its time began
    end: int
    counted: int  # seconds
    late: int  # whole slots
    by: str  # who ended its time: a seat, "clock", or "bot" where one answered
    witness: str  # of an end by somebody else; "" when there is none
    written: bool  # had he written anything?
    lapsed: tuple[Lapsed, ...] = ()  # what was void of it, and what followed of itself

    @property
    def forced(self) -> bool:
        return self.by not in (self.seat, BOT)

    @property
    def facts(self) -> Mapping[str, Any]:
        """What its sentences need, but for what it is about."""
        told = ("seat", "start", "end", "counted", "late", "by", "witness", "written")
        return {name: getattr(self, name) for name in told}


class Hours(Struct, frozen=True, kw_only=True):
    """What was agreed on about time, but for the length of a slot."""

    policy: str = "auto"  # on_request lenient
    grace_hours: int = 0
    zone: str = "UTC"
    idle_days: str = ""  # what does not count, as it was written
    holidays: str = ""
    quiet_hours: str = ""
    bots: str = "no"  # does a bot hold the seat of somebody silent?
    away_days: int = 0  # of a game in which no time counts for somebody who is away


class Turn(Struct, frozen=True, kw_only=True):
    """A turn that is over."""

    number: int = 0
    round: int
    said: tuple[Said, ...]
    events: tuple[Mapping[str, Any], ...]  # tagged by "type"
    kept: tuple[Kept, ...] = ()


class Petition(Struct, frozen=True, kw_only=True):
    """What the players were asked to vote on, and how that stands or ended."""

    name: str  # P-1
    kind: str  # change clarify suspend replace finish abort
    by: str
    title: str
    text: str
    sets: tuple[tuple[str, str], ...]  # options, and the values they are to have
    start: int | None  # of a suspension: not before then
    length: int  # of a suspension, in seconds
    closes: int
    status: str  # open passed failed withdrawn rejected void
    ended: int | None
    absolute: bool  # does it need more than half of all?
    votes: Mapping[str, tuple[str, ...]]  # seats by vote: for against quorum
    silent: tuple[str, ...]  # who may still vote
    comments: tuple[tuple[str, str], ...]  # seats, and what they said to it
    seat: str = ""  # of a replacement: whose
    found: bool = False  # of a replacement: has somebody accepted?
    named: bool = False  # of a replacement: or else it is whoever accepts first
    vacant: bool = False  # it has passed, and nobody has accepted yet
    rejected: str = ""  # why it was not in order


class Remark(Struct, frozen=True, kw_only=True):
    """How a player reads another's order, or his objection to a report."""

    name: str  # I-1, O-1
    by: str
    seat: str  # whose order it is; "" of an objection
    turn: int
    text: str
    status: str = ""  # of an objection: open upheld dismissed settled
    ruled: str = ""  # by whom, as the log calls him, or by a petition such as "P-1"
    why: str = ""

    @property
    def facts(self) -> Mapping[str, Any]:
        """What its sentence needs."""
        return {key: getattr(self, key) for key in ("name", "by", "seat", "turn", "status", "ruled", "why")}


class Petitions(Struct, frozen=True, kw_only=True, tag="petitions"):
    open: tuple[Petition, ...]
    over: tuple[Petition, ...]  # the last of them
    remarks: tuple[Remark, ...] = ()


class Report(Struct, frozen=True, kw_only=True, tag="report"):
    """Turns are over that the reader has not been told of yet, one or several."""

    game: str
    place: Place
    seat: str  # who reads it
    turns: tuple[Turn, ...]
    before: View  # as he was told last
    after: View
    awaited: tuple[Awaited, ...]
    slot_hours: int
    facts: tuple[Mapping[str, Any], ...] = ()  # what the game says about each question to this reader
    standing: tuple[str, ...] = ()  # the reader's own, which answer by themselves
    course: tuple[View, ...] = ()  # the last of each round so far, as the reader may see them
    late: Mapping[str, int] = {}  # slots by which the seats were late so far
    bots: tuple[str, ...] = ()  # the seats for which one answers
    petitions: tuple[Petition, ...] = ()  # that are open
    rulings: tuple[Petition, ...] = ()  # what the players have ruled
    remarks: tuple[Remark, ...] = ()


class Question(Struct, frozen=True, kw_only=True, tag="question"):
    """Something is asked of this reader in the middle of a turn; what has happened of it so far."""

    game: str
    place: Place
    seat: str
    turns: tuple[Turn, ...]  # that are over and that he has not been told of yet
    said: tuple[Said, ...]  # in the turn that is under way
    events: tuple[Mapping[str, Any], ...]
    before: View  # as he was told last
    now: View
    awaited: tuple[Awaited, ...]  # all who are asked; his own among them
    facts: tuple[Mapping[str, Any], ...]  # what the game says about each of his questions
    slot_hours: int
    standing: tuple[str, ...] = ()  # the reader's own, which answer by themselves
    until: int | None = None  # the reader writes for the seat up to then, whose player is away


class Line(Struct, frozen=True, kw_only=True):
    """One line of a letter, and what became of it."""

    text: str
    outcome: str  # played filed drafted refused held shown set withdrawn nothing unused passed tried sent unsent done
    code: str | None = None
    facts: Mapping[str, Any] = {}  # of the refusal
    line: int | None = None  # where in the letter
    column: int | None = None
    kept: str | None = None  # what of it is on file now
    to: tuple[str, ...] = ()  # the seats that press has gone to


class OnFile(Struct, frozen=True, kw_only=True):
    kind: str  # draft advance standing
    text: str


class Help(Struct, frozen=True, kw_only=True, tag="help"):
    topic: str | None  # a word of the order language; None: what there is


class Board(Struct, frozen=True, kw_only=True, tag="board"):
    view: View


class Deed(Struct, frozen=True, kw_only=True):
    """Something that was done beside the orders."""

    at: int
    turn: int
    kind: str  # the act's tag
    act: Mapping[str, Any]


class History(Struct, frozen=True, kw_only=True, tag="history"):
    turns: tuple[Turn, ...]
    more: int | None  # the round of the first turn left out
    deeds: tuple[Deed, ...] = ()  # during these turns, and since


class Rules(Struct, frozen=True, kw_only=True, tag="rules"):
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
    """What the orders of a letter would do; nothing was changed."""

    events: tuple[Mapping[str, Any], ...]
    before: View
    after: View
    asked: tuple[Awaited, ...]  # who would be asked next


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
    sheet: str  # position orders moves
    turn: int | None  # after which the position was so, or whose orders and times these are; None: now, or the last
    view: View | None = None
    said: tuple[Recorded, ...] = ()
    rows: tuple[Kept, ...] = ()
    late: Mapping[str, int] = {}


class Leave(Struct, frozen=True, kw_only=True, tag="away"):
    """The reader is away, or will be."""

    start: int
    end: int
    days: int  # of a game in which no time counts for somebody who is away
    standing: tuple[str, ...]  # his orders that answer by themselves
    deputy: str = ""  # who may write for him: a seat, or "deputy"
    agreed: bool = False  # has somebody who does not play said that he would?
    without: tuple[str, ...] = ()  # the other games in which nobody writes for him, though somebody does in this


class Sitting(Struct, frozen=True, kw_only=True):
    """How a player does."""

    seat: str
    address: str  # "" when the seat is free
    joined: bool
    late: int  # whole slots, all together
    forced: int  # in a row: his time was ended by others
    bot: bool = False  # does one answer for him?
    returned: Mapping[str, int]  # letters in a row that have come back, by address
    away: int | None = None  # till when
    deputy: str = ""  # who may write for him: a seat, or an address
    agreed: bool = False  # has he who was named not declined, or accepted?


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


Told = (
    Leave
    | Overview
    | Records
    | OpenGames
    | Addresses
    | Preview
    | Help
    | Board
    | History
    | Rules
    | Petitions
    | Timetable
    | PressRead
)


class Settings(Struct, frozen=True, kw_only=True):
    """How our letters to a member are from now on."""

    zone: str
    at: int  # the time now


class Reports(Struct, frozen=True, kw_only=True):
    """Which reports a member gets."""

    mode: str  # all round mine digest
    time: str  # of the day, as HH:MM, for a digest
    zone: str  # its


class Answered(Struct, frozen=True, kw_only=True):
    """A question whose time is over, because it has been answered."""

    key: str  # of its slot
    kind: str
    about: str | None
    at: int


class Reply(Struct, frozen=True, kw_only=True, tag="reply"):
    """The one answer to a letter."""

    game: str | None
    seat: str | None  # None: somebody we do not know in this game
    lines: tuple[Line, ...]
    cut: tuple[Mapping[str, Any], ...]  # why, lines
    on_file: tuple[OnFile, ...]
    awaited: tuple[Awaited, ...]
    problem: str | None = None  # a code for what concerns the whole letter, such as letter.empty
    facts: Mapping[str, Any] = {}
    events: tuple[Mapping[str, Any], ...] = ()  # what his orders did at once
    settings: Settings | None = None  # when he has chosen any
    reports: Reports | None = None  # when he has chosen, or asked
    told: tuple[Told, ...] = ()  # what he asked
    answered: tuple[Answered, ...] = ()  # what of him is awaited no more
    calendar: bool | None = None  # does he get files for his calendar? When he has chosen, or asked
    stead: bool = False  # he wrote for the seat, whose player is away


class Press(Struct, frozen=True, kw_only=True, tag="press"):
    """Another player has written."""

    game: str
    seat: str  # who reads it
    said: Pressed
    answers: tuple[tuple[str, ...], ...]  # to whom he may want to answer: seats, or "all"


class AddressCheck(Struct, frozen=True, kw_only=True, tag="address_check"):
    """To an address that a person says is his: is it?"""

    name: str
    address: str


class AddressChanged(Struct, frozen=True, kw_only=True, tag="address_changed"):
    """To the address our letters went to before."""

    name: str
    address: str  # where they go now
    until: int  # can be taken back


class Reminder(Struct, frozen=True, kw_only=True, tag="reminder"):
    game: str
    place: Place
    seat: str
    awaited: Awaited
    hours: int  # left, rounded up
    on_file: tuple[OnFile, ...]
    until: int | None = None  # the reader writes for the seat up to then, whose player is away


class Overdue(Struct, frozen=True, kw_only=True, tag="overdue"):
    """Somebody's time is over, and he has not answered."""

    game: str
    seat: str  # who reads it
    awaited: Awaited
    policy: str  # auto on_request lenient
    closes: int | None  # when the clock answers in his place
    grace: int | None = None  # from when on other players may end it; None: at once, or never


class Halt(Struct, frozen=True, kw_only=True, tag="halt"):
    """Time does not count for a while, or counts again."""

    game: str
    seat: str  # who reads it
    cause: str | None  # petition moderator outage; None: any
    by: str
    why: str
    start: int
    end: int | None
    resumed: bool  # it counts again since `start`
    awaited: tuple[Awaited, ...]  # with the deadlines as they are now


class Unused(Struct, frozen=True, kw_only=True, tag="unused"):
    """An advance order was due and not possible."""

    game: str
    seat: str
    lines: tuple[Line, ...]


class Final(Struct, frozen=True, kw_only=True, tag="final"):
    """The game is over; it comes with the report of the last turns."""

    game: str
    seat: str
    turns: tuple[Turn, ...]  # that he has not been told of yet, the last of the game among them
    before: View  # as he was told last
    after: View
    commitment: str
    secret: str  # from which the lots were drawn
    people: Mapping[str, str] = {}  # their names by seat, where they are told now
    course: tuple[View, ...] = ()  # the last of each round so far, as the reader may see them
    late: Mapping[str, int] = {}  # slots by which the seats were late


class Notice(Struct, frozen=True, kw_only=True, tag="notice"):
    """Something was done beside the orders: who, what and why."""

    game: str
    place: Place
    seat: str | None  # who reads it; None: a moderator
    kind: str  # the act's tag
    act: Mapping[str, Any]
    dropped: tuple[str, ...]  # what the reader had on file, and no longer has
    after: View | None  # the position, when it is another one now
    awaited: tuple[Awaited, ...]
    facts: tuple[Mapping[str, Any], ...]
    slot_hours: int
    commitment: str | None = None  # with the secret from which the lots were drawn, when the game was ended
    secret: str | None = None
    petition: Petition | None = None  # that it is about


class Tally(Struct, frozen=True, kw_only=True, tag="tally"):
    """How the votes stand on what is open, once a day."""

    game: str
    place: Place
    seat: str  # who reads it; "" of a moderator
    petitions: tuple[Petition, ...]


class Substitute(Struct, frozen=True, kw_only=True, tag="substitute"):
    """The reader takes a seat over: all that has happened, and where the game stands."""

    game: str
    place: Place
    seat: str
    title: str
    edition: str
    players: tuple[str, ...]
    turns: tuple[Turn, ...]
    after: View
    awaited: tuple[Awaited, ...]
    facts: tuple[Mapping[str, Any], ...]
    slot_hours: int
    on_file: tuple[OnFile, ...]  # what was written before him
    record: str | None  # the play file; None while something is hidden in it
    petitions: tuple[Petition, ...] = ()  # that are open
    rulings: tuple[Petition, ...] = ()  # what the players have ruled
    remarks: tuple[Remark, ...] = ()
    policy: str = "auto"  # who ends an answer's time: auto on_request lenient
    grace_hours: int = 0  # after that time, before it is ended


class Offer(Struct, frozen=True, kw_only=True, tag="offer"):
    """To somebody who does not play: would he take a seat over?"""

    game: str
    name: str  # of the petition, P-1
    seat: str
    title: str
    edition: str
    players: int
    slot_hours: int
    decided: bool  # do the players wait for somebody, or do they still vote?
    named: bool  # was he named, or is it whoever accepts first?
    anonymous: str  # no until_end always
    view: View  # as anybody may see it
    policy: str = "auto"  # who ends an answer's time: auto on_request lenient
    grace_hours: int = 0  # after that time, before it is ended


class Deputy(Struct, frozen=True, kw_only=True, tag="deputy"):
    """To whoever was named as a deputy: would he write for a player who is away?"""

    game: str
    seat: str  # whose player is away
    start: int
    end: int
    plays: bool  # does the reader play in the game, too? Else he must agree first
    over: bool = False  # the player is there again
    title: str
    players: int


class Deputised(Struct, frozen=True, kw_only=True, tag="deputised"):
    """To a player who is away: somebody has written for him."""

    game: str
    seat: str  # who reads it
    by: str  # a seat, or "deputy"
    lines: tuple[Line, ...]


class Gathers(Struct, frozen=True, kw_only=True, tag="gathers"):
    """To somebody on the waiting list: a game looks for players."""

    game: str
    open: OpenGame


class NotNeeded(Struct, frozen=True, kw_only=True, tag="not_needed"):
    """To somebody who would have taken a seat: it stays with who has it."""

    game: str
    name: str  # of the petition, P-1
    seat: str


class Alarm(Struct, frozen=True, kw_only=True, tag="alarm"):
    """To the operator: something needs a person."""

    what: str  # one sentence
    detail: str


Content = (
    AddressCheck
    | AddressChanged
    | Invitation
    | Opening
    | Report
    | Question
    | Reply
    | Press
    | Reminder
    | Overdue
    | Halt
    | Unused
    | Final
    | Notice
    | Tally
    | Substitute
    | Unanswered
    | Arrivals
    | Offer
    | Deputy
    | Deputised
    | NotNeeded
    | Gathers
    | Alarm
)
