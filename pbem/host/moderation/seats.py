"""A game's people, as whoever presides over it deals with them. Each use in a running game is an act in its log."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial

from pbem.core.refusal import Illegal
from pbem.core.seat import Seat
from pbem.host.moderation.powers import check_explained, power
from pbem.host.play.results import Outcome
from pbem.host.ports import Game, Person
from pbem.host.session.actors import OPERATOR
from pbem.host.session.anonymity import is_hidden
from pbem.host.session.budget import check_approach, note_approach
from pbem.host.session.terms import Terms
from pbem.host.session.unit_of_work import UnitOfWork
from pbem.language.moderators import ModeratorCommand, Power


class PeoplePower(ModeratorCommand, frozen=True, kw_only=True):
    """Does something about who plays or leads a game."""

    do: Callable[[Seats, Power], Outcome | None]  # None: it is done. It raises `Refusal`; then nothing has changed
    when: tuple[str, ...] = ("inviting", "running")  # the states of a game in which it is of use
    openers: bool = False  # has whoever asked for the game by mail it, too, until that begins?


people_power = partial(power, PeoplePower)


class Seats:
    """The people of one game, for the length of one letter about them."""

    def __init__(self, work: UnitOfWork, game: Game, by: str, now: int, presiding: Person | None = None) -> None:
        self.work = work
        self.by = by
        self.now = now
        self.presiding = presiding
        self._id = game.id

    def do(self, power: Power) -> Outcome | None:
        """Raises `Refusal`; then nothing has changed."""
        if not isinstance(power.command, PeoplePower):
            raise Illegal("power.not_here")
        check_explained(power, self.game.status)
        return power.command.do(self, power)

    def takes(self, power: Power) -> bool:
        """Is it about people, and can it be used now?"""
        return isinstance(power.command, PeoplePower) and self.game.status in power.command.when

    @property
    def game(self) -> Game:
        return self.work.game(self._id)

    @property
    def terms(self) -> Terms:
        return self.work.games.load(self.game).terms

    @property
    def is_blind(self) -> bool:
        """Does whoever asks play an anonymous game, in which they must not find out who the others are?"""
        game, own = self.game, self.presiding
        plays = own is not None and any(member.person.id == own.id for member in game.members)
        return plays and self.by != OPERATOR and is_hidden(game, self.terms.anonymous)

    @property
    def asking(self) -> Person | None:
        """Whose approaches to strangers are counted. The operator knows whom to write to."""
        return None if self.by == OPERATOR else self.presiding

    @contextmanager
    def approaching(self, address: str) -> Iterator[None]:
        """Somebody gets a letter for which they have not asked."""
        check_approach(self.work.repository, self.asking, address, self.now)
        yield
        note_approach(self.work.repository, self.asking, address, self.now)

    def person_at(self, address: str) -> Person:
        return self.work.repository.person_at(address) or self.work.repository.add_person("", address, self.now)

    def seat(self, power: Power) -> Seat:
        return self.work.games.load(self.game).parser.seat(power.fields["seat"])
