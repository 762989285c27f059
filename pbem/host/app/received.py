"""What somebody says about a game, and as whom, as whoever has received it hands it over."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import Struct
from msgspec.structs import replace

from pbem.host.lobby.tickets import last_rewinding, turn_after
from pbem.host.play.results import ReplyContext
from pbem.host.ports import Game, Letter, Member, Person
from pbem.host.session.unit_of_work import UnitOfWork


class Speaker(Struct, frozen=True, kw_only=True):
    """Somebody who has proved who they are, and what they are in a game."""

    person: Person
    member: Member | None = None  # where they play
    stead: str | None = None  # the seat that they write for
    presides: str | None = None  # how the log calls them where they lead the game; None: they do not
    leader: Member | None = None  # as a moderator without a seat


class Moment(Struct, frozen=True, kw_only=True):
    """What of a game a letter of ours has told."""

    seq: int  # the last entry
    serial: int  # the last question that had been asked; 0: there was none


class Received(Struct, frozen=True, kw_only=True):
    """A letter about a game."""

    letter: Letter
    arrived: int  # when it reached the mailbox
    now: int
    answers: Moment | None = None  # what the letter of ours told that this one answers

    def saying(self, lines: Iterable[str]) -> Received:
        """The same with these lines alone."""
        return replace(self, letter=replace(self.letter, lines=tuple(lines)))


def filed_at(work: UnitOfWork, game: Game, received: Received) -> int:
    """When the letter counts as filed: not before the time it is about began."""
    starts = [slot.started for slot in work.repository.slots(game.id) if slot.started is not None]
    return max([received.arrived, *starts])


def context_of(work: UnitOfWork, game: Game, received: Received) -> ReplyContext | None:
    """What the writer had before their eyes; None where their letter answers none that told of a moment."""
    told = received.answers
    if told is None:
        return None
    now = work.session(game).position
    serial = -1 if last_rewinding(now) > told.seq else told.serial
    return ReplyContext(turn=turn_after(work, game, told.seq), serial=serial, seq=told.seq)
