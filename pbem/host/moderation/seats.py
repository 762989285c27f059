"""A moderator's powers over a game of the books, and over its people; in a running game each use is in its log."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial

from pbem.core.refusal import Illegal
from pbem.core.seat import Seat
from pbem.host.moderation.moderation import Moderation
from pbem.host.moderation.powers import check_explained, power
from pbem.host.play.results import Outcome
from pbem.host.ports import Game, Person
from pbem.host.session.actors import OPERATOR
from pbem.host.session.anonymity import is_hidden
from pbem.host.session.budget import check_approach, note_approach
from pbem.host.session.terms import Terms
from pbem.host.session.unit_of_work import UnitOfWork, read_entries
from pbem.language.moderators import ModeratorCommand, Power

ADDRESSED = ("address", "who", "whom")  # fields in which somebody may stand by their address


class PeoplePower(ModeratorCommand, frozen=True, kw_only=True):
    """Does something about who plays or leads a game."""

    do: Callable[[Seats, Power], Outcome | None]  # None: it is done. It raises `Refusal`; then nothing has changed
    when: tuple[str, ...] = ("inviting", "running")  # the states of a game in which it is of use
    openers: bool = False  # has whoever asked for the game by mail it, too, until that begins?


people_power = partial(power, PeoplePower)


class Seats:
    """A game and its people, for the length of one letter of whoever presides."""

    def __init__(self, work: UnitOfWork, game: Game, by: str, now: int, presiding: Person | None = None) -> None:
        self.work = work
        self.by = by
        self.now = now
        self.presiding = presiding
        self._id = game.id

    def use(self, power: Power) -> Outcome | None:
        """The letters about it are for `publish`. Raises `Refusal`; then nothing has changed."""
        if self.is_blind and any("@" in power.fields.get(field, "") for field in ADDRESSED):
            raise Illegal("power.hidden")  # what becomes of an address would tell who sits where
        if self.takes(power):
            return self.do(power)
        if self.game.status == "inviting":
            raise Illegal("letter.not_begun")
        self._moderation().do(power)
        return None

    def do(self, power: Power) -> Outcome | None:
        """Raises `Refusal`; then nothing has changed."""
        if not isinstance(power.command, PeoplePower):
            raise Illegal("power.not_here")
        check_explained(power, self.game.status)
        return power.command.do(self, power)

    def takes(self, power: Power) -> bool:
        """Is it about people, and can it be used now?"""
        return isinstance(power.command, PeoplePower) and self.game.status in power.command.when

    def _moderation(self) -> Moderation:
        work, game = self.work, self.game
        rules = work.games.load(game).rules
        return Moderation(
            work.session(game),
            lambda: work.loaded(game).terms,
            lambda: (read_entries(rules, work.repository, game.id), work.games.positions(work.repository, game)),
            by=self.by,
            now=self.now,
            zone=self.presiding.zone if self.presiding else "UTC",
            seat=self.own,
        )

    @property
    def game(self) -> Game:
        return self.work.game(self._id)

    @property
    def terms(self) -> Terms:
        return self.work.games.load(self.game).terms

    @property
    def own(self) -> str:
        """Where whoever presides plays; "" for nowhere."""
        own = self.presiding
        return next((member.seat for member in self.game.members if own and member.person.id == own.id), "")

    @property
    def is_blind(self) -> bool:
        """Does whoever asks play an anonymous game, in which they must not find out who the others are?"""
        return bool(self.own) and self.by != OPERATOR and is_hidden(self.game, self.terms.anonymous)

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
