"""A letter while it is dealt with: what is known of it, and the answer to it."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

from msgspec.structs import replace

from pbem.host.app.received import Moment, Received
from pbem.host.calendar.zones import DAY
from pbem.host.messages.alarms import Sentence, Trouble
from pbem.host.messages.replies import Reply
from pbem.host.messages.rows import answer
from pbem.host.ports import Game, Letter, RawLetter
from pbem.host.reporting.alarms import post_alarm
from pbem.host.session.identity import Identity
from pbem.host.session.unit_of_work import UnitOfWork
from pbem.mail.context import Context
from pbem.mail.rate_limit import FLOOD, IDLE, MISREAD, idle_left, is_flood
from pbem.mail.seen import Known
from pbem.mail.writers import Writer

Dealt = tuple[str, str | None]  # what became of a letter, and whose game it was


class Incoming:
    """One letter in one transaction. What takes a look into the books is looked up when it is asked for."""

    def __init__(self, context: Context, work: UnitOfWork, raw: RawLetter, known: Known) -> None:
        self.work = work
        self.raw = raw
        self.letter = known.letter
        self.is_resent = known.is_resent
        self.now = context.clock.now()
        self.identity = context.identity
        self.ticket = context.identity.ticket_of(known.letter)
        self._operator = context.host.operator

    @cached_property
    def game(self) -> Game | None:
        """Which it is about."""
        return find_game(self.work, self.identity, self.letter)

    @cached_property
    def writer(self) -> Writer | None:
        """Who they are in that game."""
        if self.game is None:
            return None
        return Writer(self.work, self.identity, self.game, self.letter, self.now, self._operator)

    @property
    def seat(self) -> str | None:
        """Where they play."""
        return self.writer.member.seat if self.writer and self.writer.member else None

    @property
    def is_from_known(self) -> bool:
        """Is the address somebody's?"""
        return self.work.repository.person_at(self.letter.sender.lower()) is not None

    @property
    def received(self) -> Received:
        """For the application."""
        told = self.ticket if self.game and self.ticket and self.ticket.about == self.game.id else None
        answers = None
        if told is not None and told.seq is not None and told.serial is not None:
            answers = Moment(seq=told.seq, serial=told.serial)
        return Received(letter=self.letter, arrived=self.raw.arrived, now=self.now, answers=answers)

    def say(self, said: Reply, to: str | None = None, about: str | None = None) -> str:
        """Post the answer, unless such letters have been answered often enough; what became of the letter."""
        repository, fate = self.work.repository, said.problem or (MISREAD if said.is_vain else _fate_of(said))
        if is_flood(repository, self.letter, fate, self.raw.arrived):
            return self.flood()
        is_last = fate in IDLE and idle_left(repository, self.letter, fate, self.raw.arrived) == 1
        repository.post([answer(self.letter, replace(said, last=is_last), self.now, to, about)])
        return fate

    def flood(self) -> str:
        """Say nothing: there were answers enough; what became of the letter."""
        self.tell_once_a_day("flood", Trouble.flood.say(), "See pbem status.")
        return FLOOD

    def tell_once_a_day(self, about: str, what: Sentence, detail: str) -> None:
        """Tell the operator what anybody can bring about: it would else be a flood, too."""
        day, repository = f"{about}.{self.now // DAY}", self.work.repository
        post_alarm(repository, what, detail, about=day, operator=self._operator, now=self.now, once=True)


def find_game(work: UnitOfWork, identity: Identity, letter: Letter) -> Game | None:
    """The game of the ticket or the brackets; without either, the only one the sender is in."""
    about = identity.about_of(letter)
    if about:
        return work.repository.game(about)
    mine = [game for game in games_of(work, letter) if game.status != "finished"]
    return mine[0] if len(mine) == 1 else None


def games_of(work: UnitOfWork, letter: Letter) -> Sequence[Game]:
    """All games of the sender."""
    person = work.repository.person_at(letter.sender.lower())
    return work.repository.games_of(person.id) if person else ()


def _fate_of(said: Reply) -> str:
    """What became of a letter that was dealt with: was anything in it refused?"""
    return "answered refused" if any(line.outcome == "refused" for line in said.lines) else "answered"
