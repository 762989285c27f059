"""A letter while it is dealt with: what is known of it and of who wrote it, and the answer to it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property

from msgspec.structs import replace

from pbem.host.app.received import Moment, Received, Speaker
from pbem.host.calendar.zones import DAY
from pbem.host.lobby.absences import outsiders, stead_in
from pbem.host.lobby.moderators import asked_to_lead, presides
from pbem.host.lobby.offers import asked_to_play
from pbem.host.lobby.tickets import LATE, flaw, is_of, seq_of, turn_of
from pbem.host.messages.alarms import Sentence, Trouble
from pbem.host.messages.replies import Reply
from pbem.host.messages.rows import answer, problem
from pbem.host.ports import Address, Game, Letter, Member, Person, RawLetter, Repository
from pbem.host.reporting.alarms import post_alarm
from pbem.host.session.budget import welcome
from pbem.host.session.identity import Identity, Ticket
from pbem.host.session.unit_of_work import UnitOfWork
from pbem.mail.context import Context
from pbem.mail.rate_limit import FLOOD, IDLE, MISREAD, idle_left, is_flood
from pbem.mail.seen import Known

Dealt = tuple[str, str | None]  # what became of a letter, and whose game it was

SHOWN, WIDTH = 40, 200  # lines of a letter that are told to its supposed writer, and characters of each


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
        self.host = context.host

    @cached_property
    def game(self) -> Game | None:
        """Which it is about."""
        return find_game(self.work, self.identity, self.letter)

    @cached_property
    def writer(self) -> Writer | None:
        """Who they are in that game."""
        return Writer(self, self.game) if self.game else None

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
        if self.game and told is not None and told.number is not None and told.serial is not None:
            answers = Moment(seq=seq_of(self.work, self.game, told.number), serial=told.serial)
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

    def tell_once_a_day(self, about: str, what: Sentence, detail: str, game: Game | None = None) -> None:
        """Tell whoever sees to it what anybody can bring about: it would else be a flood, too."""
        day, repository = f"{about}.{self.now // DAY}", self.work.repository
        operator = self.host.operator
        post_alarm(repository, what, detail, about=day, operator=operator, now=self.now, game=game, once=True)


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


# -- who wrote it ---


class Writer:
    """The sender of one letter about a game.

    A letter that does not prove whose it is changes nothing, and only the registered address hears of it.
    """

    def __init__(self, incoming: Incoming, game: Game) -> None:
        work, letter, operator = incoming.work, incoming.letter, incoming.host.operator
        self._incoming = incoming
        self._game = game
        self.address = letter.sender  # who gets the answer
        self.problem: Reply | None = None
        self._known = self._known_address(letter.sender.lower())
        self.person = self._among(_people(work.repository, game, operator)) or self._among(
            [*asked_to_play(work, game), *asked_to_lead(work, game), *outsiders(work, game)]
        )
        self.member = next((m for m in game.members if self.person and m.person.id == self.person.id), None)
        self.stead = stead_in(work, game, self.person, incoming.ticket) if self.person else None
        self.presides = presides(game, self.person, operator)
        code = self._flaw(self.person) if self.person else ""
        self.is_late = code == LATE  # is it theirs for certain, in answer to one of ours that proves nothing any more?
        if self.person and code:
            self.address = self.person.address
            seat = self.member.seat if self.member else None
            turns = _turns(work, game, incoming.ticket) if self.is_late else {}
            self.problem = problem(code, game.id, seat, sender=letter.sender, lines=_beginning(letter.lines), **turns)

    def _known_address(self, sender: str) -> Address | None:
        """The address in the books; one that has not been confirmed is nobody's yet, unless our letters go there.

        An operator need not have been in a game: they are entered when they first write, and prove themselves as all.
        """
        incoming, repository = self._incoming, self._incoming.work.repository
        person = repository.person_at(sender)
        if person is None and sender == incoming.host.operator.lower():
            person = repository.add_person("", sender, incoming.now)
        if person is None:
            return None
        (known,) = (address for address in repository.addresses(person.id) if address.address == sender)
        return known if known.verified is not None or person.address == sender else None

    def _among(self, people: Sequence[Person]) -> Person | None:
        """Whose address it is, else whose ticket, wherever the letter came from."""
        incoming, known = self._incoming, self._known
        owner = next((person for person in people if known and person.id == known.person), None)
        holders = (one for one in people if is_of(incoming.work.repository, incoming.identity, incoming.ticket, one))
        return owner or next(holders, None)

    def _flaw(self, person: Person) -> str:
        """Why the letter does not prove to be theirs; "" if it does."""
        if self._known is None:
            return "identity.unknown_address"
        incoming = self._incoming
        return flaw(incoming.work, incoming.identity, incoming.letter, person, self._game, incoming.now)

    @property
    def is_asked(self) -> bool:
        """Do they not play, and were asked to?"""
        return self.person is not None and self.member is None and self.presides is None

    @cached_property
    def asked_to_join(self) -> Person | None:
        """Whoever has no seat in a game that gathers, and answers the letter that told them of it."""
        work, incoming = self._incoming.work, self._incoming
        if self.person is not None or self._game.status != "inviting":
            return None
        person = work.repository.person_at(incoming.letter.sender.lower())
        return None if person is None or self._flaw(person) else person

    def speaker(self, person: Person) -> Speaker:
        """Who they are, for the application."""
        leader = None
        if self.member is None and self.presides is not None:
            mine = (one for one in self._game.moderators if one.person.id == person.id)
            leader = next(mine, Member(person=person, seat=""))
        return Speaker(person=person, member=self.member, stead=self.stead, presides=self.presides, leader=leader)

    def verify(self) -> None:
        """The address has proved to be theirs, and they to be there."""
        known, repository = self._known, self._incoming.work.repository
        if known is None:
            return
        welcome(repository, known.address)
        if known.verified is None or known.failures:
            repository.save_address(replace(known, verified=known.verified or self._incoming.now, failures=0))


def _turns(work: UnitOfWork, game: Game, ticket: Ticket | None) -> Mapping[str, int | None]:
    """Which turn the letter told of that is answered, and which it is now; none where those are the same."""
    then = now = None
    if game.status == "running" and ticket is not None and ticket.number is not None:
        then, now = turn_of(work, game, seq_of(work, game, ticket.number)), work.session(game).position.turn
    return {"then": then, "now": now} if then != now else {"then": None, "now": None}


def _beginning(lines: Sequence[str]) -> tuple[str, ...]:
    return tuple(line if len(line) <= WIDTH else f"{line[:WIDTH]} …" for line in lines[:SHOWN])


def _people(repository: Repository, game: Game, operator: str) -> list[Person]:
    """All who have something to say in a game."""
    over_all = repository.person_at(operator.lower())
    readers = [member.person for member in (*game.members, *game.moderators)]
    return [*readers, *([over_all] if over_all else [])]
