"""Each kind of letter, before anybody words it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar

from msgspec import Struct

from pbem.core.presenter import View
from pbem.core.reading import Reader
from pbem.host.messages.alarms import Sentence
from pbem.host.messages.parts import Asks, Awaited, PauseTold, Petition, Remark, Said, TurnReport
from pbem.host.messages.replies import Flaw, Line, OnFile, Reply
from pbem.host.messages.sections import OpenGame, Pressed, Section
from pbem.host.session.identity import Place

T = TypeVar("T")


class OfSeat(Struct, frozen=True, kw_only=True):
    """About a game: to somebody in it, or about a seat there."""

    game: str
    seat: str | None  # who reads it, unless it says otherwise; None or "": a moderator without one


class Asking(OfSeat, frozen=True, kw_only=True):
    """It tells who must answer what; perhaps its reader."""

    place: Place
    awaited: tuple[Awaited, ...]
    slot_hours: int
    questions: tuple[Asks, ...] = ()  # what the game says about each question to this reader
    standing: tuple[str, ...] = ()  # the reader's own, which answer by themselves
    idle: tuple[Flaw, ...] = ()  # the reader's standing orders that can't answer what is asked, and why


class Beginning(Asking, frozen=True, kw_only=True):
    """Its reader plays from here on."""

    title: str  # of the game that is played
    edition: str
    after: View
    policy: str = "auto"  # who ends an answer's time: auto on_request lenient
    grace_hours: int = 0  # after that time, before it is ended
    hold_minutes: int = 0  # before an order binds


class Asked(OfSeat, frozen=True, kw_only=True):
    """Its reader is asked to take the seat."""

    title: str  # of the game that is played
    edition: str
    slot_hours: int
    anonymous: str = "no"  # no until_end always
    policy: str = "auto"  # who ends an answer's time: auto on_request lenient
    grace_hours: int = 0  # after that time, before it is ended
    hold_minutes: int = 0  # before an order binds


# -- a game as it is played ---


class Opening(Beginning, frozen=True, kw_only=True, tag="opening"):
    """The game begins: seats and lots."""

    commitment: str
    draws: tuple[Mapping[str, Any], ...]  # purpose, among, result
    events: tuple[Mapping[str, Any], ...]
    turns: tuple[TurnReport, ...] = ()  # that are over already
    since: tuple[Mapping[str, Any], ...] = ()  # what has followed of the turn that is under way
    setup: str = ""  # as the players have agreed on it, with the board and what options were chosen
    board: str = ""
    options: Mapping[str, str] = {}


class Report(Asking, frozen=True, kw_only=True, tag="report"):
    """Turns are over that the reader has not been told of yet, one or several."""

    turns: tuple[TurnReport, ...]
    before: View  # as they were told last
    after: View
    events: tuple[Mapping[str, Any], ...] = ()  # what has followed of the turn that is under way
    course: tuple[View, ...] = ()  # the last of each round so far, as the reader may see them
    late: Mapping[str, int] = {}  # slots by which the seats were late so far
    bots: tuple[str, ...] = ()  # the seats for which one answers
    petitions: tuple[Petition, ...] = ()  # that are open
    rulings: tuple[Petition, ...] = ()  # what the players have ruled
    remarks: tuple[Remark, ...] = ()


class Question(Asking, frozen=True, kw_only=True, tag="question"):
    """Something is asked of this reader in the middle of a turn; what has happened of it so far."""

    turns: tuple[TurnReport, ...]  # that are over and that they have not been told of yet
    said: tuple[Said, ...]  # in the turn that is under way
    events: tuple[Mapping[str, Any], ...]
    before: View  # as they were told last
    now: View
    until: int | None = None  # the reader writes for the seat up to then, whose player is away


class Reminder(OfSeat, frozen=True, kw_only=True, tag="reminder"):
    place: Place
    awaited: Awaited
    asks: Asks
    hours: int  # left, rounded up
    on_file: tuple[OnFile, ...]
    until: int | None = None  # the reader writes for the seat up to then, whose player is away


class Overdue(OfSeat, frozen=True, kw_only=True, tag="overdue"):
    """Somebody's time is over, and they have not answered."""

    awaited: Awaited
    policy: str  # auto on_request lenient
    closes: int | None  # when the clock answers in their place
    grace: int | None = None  # from when on other players may end it; None: at once, or never
    days: int = 0  # that have counted since; 0: it is told for the first time
    turn: int = 0  # that is under way
    leads: bool = False  # does the reader moderate the game?
    asks: Asks | None = None  # where it is the reader


class Halt(OfSeat, frozen=True, kw_only=True, tag="halt"):
    """Time does not count for a while, or counts again."""

    cause: str | None  # petition moderator outage; None: any
    by: str
    why: str
    start: int
    end: int | None
    resumed: bool  # it counts again since `start`
    goes_on: tuple[PauseTold, ...] = ()  # other pauses, that run or are to come
    awaited: tuple[Awaited, ...]  # with the deadlines as they are now


class Unused(OfSeat, frozen=True, kw_only=True, tag="unused"):
    """An advance order was due and not possible."""

    lines: tuple[Line, ...]


class Tidings(OfSeat, frozen=True, kw_only=True, tag="tidings"):
    """What somebody learns at once while another's turn is under way."""

    events: tuple[Mapping[str, Any], ...]  # tagged by "type"


class Final(OfSeat, frozen=True, kw_only=True, tag="final"):
    """The game is over; it comes with the report of the last turns."""

    turns: tuple[TurnReport, ...]  # that they have not been told of yet, the last of the game among them
    before: View  # as they were told last
    after: View
    commitment: str
    secret: str  # from which the lots were drawn
    people: Mapping[str, str] = {}  # their names by seat, where they are told now
    course: tuple[View, ...] = ()  # the last of each round so far, as the reader may see them
    late: Mapping[str, int] = {}  # slots by which the seats were late


class Notice(Asking, frozen=True, kw_only=True, tag="notice"):
    """Something was done beside the orders: who, what and why."""

    kind: str  # the act's tag
    act: Mapping[str, Any]
    dropped: tuple[str, ...]  # what the reader had on file, and no longer has
    after: View | None  # the position, when it is another one now
    moved: bool = False  # is it another one than orders have led to?
    commitment: str | None = None  # with the secret from which the lots were drawn, when the game was ended
    secret: str | None = None
    petition: Petition | None = None  # that it is about


class Tally(Asking, frozen=True, kw_only=True, tag="tally"):
    """How the votes stand on what is open, once a day."""

    petitions: tuple[Petition, ...]


class Press(OfSeat, frozen=True, kw_only=True, tag="press"):
    """Another player has written."""

    said: Pressed
    answers: tuple[tuple[str, ...], ...]  # to whom they may want to answer: seats, or "all"


# -- who plays, leads and writes for whom, and from where ---


class Invitation(Asked, frozen=True, kw_only=True, tag="invitation"):
    players: tuple[str, ...]  # everybody invited; in an anonymous game nobody
    by: str = ""  # who invites, as the log calls them; "" where the reader must not know, or invites themselves
    others: int  # how many they are beside the reader
    commitment: str  # SHA-256 of the secret from which the lots will be drawn
    press: str = "all"  # all public none
    again: bool = False  # they have been asked before, and said nothing


class Unanswered(OfSeat, frozen=True, kw_only=True, tag="unanswered"):
    """To whoever can begin the game: some who are invited say nothing."""

    silent: tuple[str, ...]
    here: tuple[str, ...]  # who have said yes


class Arrivals(OfSeat, frozen=True, kw_only=True, tag="arrivals"):
    """To whoever can begin the game: somebody has joined it, or stays away."""

    came: int  # how many have joined
    gone: bool  # one stays away
    names: tuple[str, ...]  # who that is; () in an anonymous game
    here: tuple[str, ...]  # who have said yes; () in an anonymous game
    count: int  # how many those are
    silent: int  # how many are invited and have not said yes
    free: int  # seats for which nobody is invited


class AddressCheck(Struct, frozen=True, kw_only=True, tag="address_check"):
    """To an address that a person says is theirs: is it? Who that is, and what they write, is none of its business."""

    address: str


class AddressChanged(Struct, frozen=True, kw_only=True, tag="address_changed"):
    """To the address our letters went to before."""

    address: str  # where they go now
    until: int | None  # can be taken back; None: it went back to an older address, and can't


class Substitute(Beginning, frozen=True, kw_only=True, tag="substitute"):
    """The reader takes a seat over: all that has happened, and where the game stands."""

    players: tuple[str, ...]
    turns: tuple[TurnReport, ...]
    on_file: tuple[OnFile, ...]  # what was written before them
    record: str | None  # the play file; None while something is hidden in it
    petitions: tuple[Petition, ...] = ()  # that are open
    rulings: tuple[Petition, ...] = ()  # what the players have ruled
    remarks: tuple[Remark, ...] = ()


class SeasonSeat(Struct, frozen=True, kw_only=True):
    """A seat at a table of a league."""

    titles: Mapping[str, str]  # of the league, by language
    table: int
    ends: int  # when time ends the table at the latest
    asked: int  # questions that came to the seat so far, in so many days
    days: int
    par: bool  # does a record of services get at least the mean of a table?


class Offer(Asked, frozen=True, kw_only=True, tag="offer"):
    """To somebody who does not play: would they take a seat over?"""

    name: str  # of the petition, P-1
    players: int
    decided: bool  # do the players wait for somebody, or do they still vote?
    named: bool  # were they named, or is it whoever accepts first?
    by: str = ""  # the seat that named them; "" for any other, and in an anonymous game
    listed: bool = True  # are they on the waiting list?
    league: SeasonSeat | None = None
    view: View  # as anybody may see it


class Nomination(OfSeat, frozen=True, kw_only=True, tag="nomination"):
    """To somebody whom we don't know yet: would they moderate a game, or play in it?"""

    by: str  # who asks, as the log calls them
    why: str
    alone: bool  # in the place of whoever asks
    seat: str | None = ""  # that they are to play; "": they are to moderate


class Deputy(OfSeat, frozen=True, kw_only=True, tag="deputy"):
    """To whoever was named as a deputy: would they write for a player who is away?"""

    start: int
    end: int
    plays: bool  # does the reader play in the game, too? Else they must agree first
    over: bool = False  # the player is there again
    title: str
    players: int


class Deputised(OfSeat, frozen=True, kw_only=True, tag="deputised"):
    """To a player who is away: somebody has written for them."""

    by: str  # a seat, or "deputy"
    lines: tuple[Line, ...]


class Gathers(Struct, frozen=True, kw_only=True, tag="gathers"):
    """A game looks for players: to somebody on the waiting list, or whom a player of an anonymous game has invited."""

    game: str
    open: OpenGame
    by: str = ""  # the seat that has started it; "" in an anonymous game
    listed: bool = True  # are they on the waiting list?


class NotNeeded(OfSeat, frozen=True, kw_only=True, tag="not_needed"):
    """To somebody who would have taken a seat: it stays with who has it."""

    name: str  # of the petition, P-1


class Alarm(Struct, frozen=True, kw_only=True, tag="alarm"):
    """To the operator: something needs a person."""

    what: Sentence
    detail: str


class SeasonNews(Struct, frozen=True, kw_only=True, tag="season"):
    """What has happened in a season of a league, or will."""

    season: str  # its tag
    what: str  # as of the job
    title: str  # of the league, in the reader's language
    facts: Mapping[str, Any] = {}
    told: tuple[Section, ...] = ()
    answers: tuple[str, ...] = ()  # words to answer with
    game: None = None
    seat: None = None


class Gathered(OfSeat, frozen=True, kw_only=True, tag="gathered"):
    """Several at once, in one letter to their reader; none of them says what another says."""

    parts: tuple[Any, ...]  # what names the letter first, but for the answer to theirs that may stand before it

    @property
    def place(self) -> Place | None:
        return next((part.place for part in self.parts if isinstance(part, Asking)), None)


Message = (
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
    | Tidings
    | Final
    | Notice
    | Tally
    | Substitute
    | Unanswered
    | Arrivals
    | Offer
    | Nomination
    | Deputy
    | Deputised
    | NotNeeded
    | Gathers
    | Alarm
    | SeasonNews
    | Gathered
)
read_message = Reader[Message](Message)


def parts_of(content: Message) -> tuple[Message, ...]:
    """What a letter tells, one by one."""
    return content.parts if isinstance(content, Gathered) else (content,)


def part(content: Message, kind: type[T]) -> T | None:
    """What of that kind is in a letter, if anything is."""
    return next((each for each in parts_of(content) if isinstance(each, kind)), None)
