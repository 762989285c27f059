"""Letters about who plays, leads and writes for whom, and from where, before anybody words them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from msgspec import Struct

from pbem.core.presenter import View
from pbem.host.messages.parts import (
    Awaited,
    Line,
    OnFile,
    Petition,
    Remark,
    TurnReport,
)
from pbem.host.messages.sections import OpenGame
from pbem.host.session.identity import Place


class Invitation(Struct, frozen=True, kw_only=True, tag="invitation"):
    game: str
    seat: str  # who is invited
    title: str  # of the game that is played
    edition: str
    players: tuple[str, ...]  # everybody invited; in an anonymous game nobody
    others: int  # how many they are beside the reader
    slot_hours: int
    commitment: str  # SHA-256 of the secret from which the lots will be drawn
    press: str = "all"  # all public none
    anonymous: str = "no"  # no until_end always
    policy: str = "auto"  # who ends an answer's time: auto on_request lenient
    grace_hours: int = 0  # after that time, before it is ended
    again: bool = False  # they have been asked before, and said nothing


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


class AddressCheck(Struct, frozen=True, kw_only=True, tag="address_check"):
    """To an address that a person says is theirs: is it? Who that is, and what they write, is none of its business."""

    address: str


class AddressChanged(Struct, frozen=True, kw_only=True, tag="address_changed"):
    """To the address our letters went to before."""

    address: str  # where they go now
    until: int | None  # can be taken back; None: it went back to an older address, and can't


class Substitute(Struct, frozen=True, kw_only=True, tag="substitute"):
    """The reader takes a seat over: all that has happened, and where the game stands."""

    game: str
    place: Place
    seat: str
    title: str
    edition: str
    players: tuple[str, ...]
    turns: tuple[TurnReport, ...]
    after: View
    awaited: tuple[Awaited, ...]
    facts: tuple[Mapping[str, Any], ...]
    slot_hours: int
    on_file: tuple[OnFile, ...]  # what was written before them
    record: str | None  # the play file; None while something is hidden in it
    petitions: tuple[Petition, ...] = ()  # that are open
    rulings: tuple[Petition, ...] = ()  # what the players have ruled
    remarks: tuple[Remark, ...] = ()
    policy: str = "auto"  # who ends an answer's time: auto on_request lenient
    grace_hours: int = 0  # after that time, before it is ended


class Offer(Struct, frozen=True, kw_only=True, tag="offer"):
    """To somebody who does not play: would they take a seat over?"""

    game: str
    name: str  # of the petition, P-1
    seat: str
    title: str
    edition: str
    players: int
    slot_hours: int
    decided: bool  # do the players wait for somebody, or do they still vote?
    named: bool  # were they named, or is it whoever accepts first?
    anonymous: str  # no until_end always
    view: View  # as anybody may see it
    policy: str = "auto"  # who ends an answer's time: auto on_request lenient
    grace_hours: int = 0  # after that time, before it is ended


class Nomination(Struct, frozen=True, kw_only=True, tag="nomination"):
    """To somebody whom we don't know yet: would they moderate a game, or play in it?"""

    game: str
    by: str  # who asks, as the log calls them
    why: str
    alone: bool  # in the place of whoever asks
    seat: str = ""  # that they are to play; "": they are to moderate


class Deputy(Struct, frozen=True, kw_only=True, tag="deputy"):
    """To whoever was named as a deputy: would they write for a player who is away?"""

    game: str
    seat: str  # whose player is away
    start: int
    end: int
    plays: bool  # does the reader play in the game, too? Else they must agree first
    over: bool = False  # the player is there again
    title: str
    players: int


class Deputised(Struct, frozen=True, kw_only=True, tag="deputised"):
    """To a player who is away: somebody has written for them."""

    game: str
    seat: str  # who reads it
    by: str  # a seat, or "deputy"
    lines: tuple[Line, ...]


class Gathers(Struct, frozen=True, kw_only=True, tag="gathers"):
    """A game looks for players: to somebody on the waiting list, or whom a player of an anonymous game has invited."""

    game: str
    open: OpenGame
    listed: bool = True  # are they on the waiting list?


class NotNeeded(Struct, frozen=True, kw_only=True, tag="not_needed"):
    """To somebody who would have taken a seat: it stays with who has it."""

    game: str
    name: str  # of the petition, P-1
    seat: str
