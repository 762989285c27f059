"""Who sits where: what a moderator does about people. Each use in a running game is an act in its log."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

import msgspec
from msgspec.structs import replace

from pbem.core.refusal import Illegal
from pbem.core.seat import Seat
from pbem.host.clock.slots import note
from pbem.host.governance.bot_seats import hold
from pbem.host.governance.substitutes import open_vacancy
from pbem.host.lobby.beginning import begin
from pbem.host.lobby.invitations import invite_more
from pbem.host.lobby.invitees import Invitee, check_invitee, free_name
from pbem.host.lobby.nominations import ask, is_known
from pbem.host.lobby.offers import offer
from pbem.host.lobby.open_games import call_to
from pbem.host.lobby.substitution import substitute, tell_former
from pbem.host.moderation.leaders import Leaders
from pbem.host.play.results import Outcome
from pbem.host.ports import Game, Member, Person
from pbem.host.session.actors import OPERATOR
from pbem.host.session.acts import Act, Ejected, Nominated, Seated
from pbem.host.session.anonymity import is_hidden
from pbem.host.session.budget import approach, check_approach, note_approach
from pbem.host.session.petitions import Petition, about_seat
from pbem.host.session.terms import Terms
from pbem.host.session.unit_of_work import UnitOfWork
from pbem.language.moderators import NEXT, ModeratorCommand, Power


class PeoplePower(ModeratorCommand, frozen=True, kw_only=True):
    """Does something about who plays or leads a game."""

    do: Callable[[Seats, Power], Outcome | None]  # None: it is done. It raises `Refusal`; then nothing has changed
    when: tuple[str, ...] = ("inviting", "running")  # the states of a game in which it is of use
    openers: bool = False  # has whoever asked for the game by mail it, too, until that begins?


class Seats:
    """The people of one game, for the length of one letter about them."""

    def __init__(self, work: UnitOfWork, game: Game, by: str, now: int, presiding: Person | None = None) -> None:
        self._work = work
        self._id = game.id
        self._by = by
        self._now = now
        self._presiding = presiding

    def do(self, power: Power) -> Outcome | None:
        """Raises `Refusal`; then nothing has changed."""
        if not isinstance(power.command, PeoplePower):
            raise Illegal("power.not_here")
        if not power.why and power.command.explained:
            raise Illegal("power.why")
        return power.command.do(self, power)

    def takes(self, power: Power) -> bool:
        """Is it about people, and can it be used now?"""
        return isinstance(power.command, PeoplePower) and self._game.status in power.command.when

    @property
    def leaders(self) -> Leaders:
        own = self._presiding.id if self._presiding else None
        return Leaders(self._work, self._game, self._by, self._now, own)

    @property
    def _game(self) -> Game:
        return self._work.game(self._id)

    @property
    def _is_blind(self) -> bool:
        """Does whoever asks play an anonymous game, in which they must not find out who the others are?"""
        game, own = self._game, self._presiding
        plays = own is not None and any(member.person.id == own.id for member in game.members)
        return plays and self._by != OPERATOR and is_hidden(game, self._terms.anonymous)

    @property
    def _terms(self) -> Terms:
        return self._work.games.load(self._game).terms

    # -- before the beginning ---

    def invite(self, power: Power, *, joined: bool) -> None:
        """Ask somebody, or seat them at once."""
        game, address = self._game, power.fields["address"].lower()
        if self._is_blind:
            self._call(address)
            return
        named = power.fields.get("name", "") if self._terms.anonymous == "no" else ""
        seat = named.lower() or free_name(self._terms, address, [m.seat for m in game.members])
        invitee = Invitee(name=power.fields.get("name") or seat, address=address, seat=seat)
        check_invitee(invitee)
        with self._approaching(address):
            invite_more(self._work, game, invitee, self._now, joined=joined)

    def _call(self, address: str) -> None:
        """Ask somebody to take one of the free seats, and keep none: who plays already gets the same letter."""
        check_invitee(Invitee(name="", address=address, seat="nobody"))
        approach(self._work.repository, self._presiding, address, self._now, blindly=True)
        call_to(self._work, self._game, self._person_at(address), self._now)

    def start(self, power: Power) -> None:
        """Begin with those who have said yes; the others stay away."""
        game = self._game
        here = tuple(member for member in game.members if member.joined is not None)
        seats = tuple(Seat(member.seat) for member in here)
        terms = replace(self._terms, setup=replace(self._terms.setup, seats=seats))
        try:
            self._work.games.check(terms)
        except ValueError:
            raise Illegal("start.players", count=len(here)) from None
        game = replace(game, members=here, setup=msgspec.json.encode(terms))
        self._work.repository.save_game(game)
        begin(self._work, game, self._now)

    def cancel(self, power: Power) -> None:
        self._work.repository.save_game(replace(self._game, status="finished"))

    # -- while it runs ---

    def eject(self, power: Power) -> None:
        """Take a seat from its player; nobody is asked in their place until there is somebody."""
        member = self._member(power.fields["seat"])
        game = self._game
        others = tuple(each for each in game.members if each.seat != member.seat)
        self._note(Ejected(by=self._by, seat=member.seat, why=power.why))
        tell_former(self._work, game, member.seat, self._work.session(game).position.seq, self._now)
        self._free(member.seat)
        self._work.repository.save_game(replace(game, members=others))
        hold(self._work.session(game), member.seat, self._now)
        open_vacancy(self._work.session(game), member.seat, self._now)

    def offer(self, power: Power) -> None:
        """Offer a seat that is empty, or looks for a substitute: to the next who waits, to all of them, or to one."""
        game, seat = self._game, self._seat(power.fields["seat"])
        session = self._work.session(game)
        if not about_seat(session.position.done, seat):
            if any(member.seat == seat for member in game.members):
                raise Illegal("offer.taken", seat=seat)
            open_vacancy(session, seat, self._now)
        (petition, *_) = about_seat(session.position.done, seat)
        whom = power.fields["whom"].lower()
        count = self._offer_to(whom, petition) if "@" in whom else self._offer_list(whom, petition)
        if not count:
            raise Illegal("offer.nobody", seat=seat)

    def _offer_to(self, address: str, petition: Petition) -> int:
        check_invitee(Invitee(name="", address=address, seat="nobody"))
        by = None if self._by == OPERATOR else self._presiding
        approach(self._work.repository, by, address, self._now)
        return offer(self._work, self._game, petition, self._now, [self._person_at(address)])

    def _offer_list(self, whom: str, petition: Petition) -> int:
        people = self._meant(whom, petition)
        return offer(self._work, self._game, petition, self._now, people)

    def _meant(self, whom: str, petition: Petition) -> Sequence[Person]:
        """Those of the waiting list to whom a seat is offered."""
        sitting = {member.person.id for member in self._game.members}
        waiting = [p for p in self._work.repository.waiting() if p.id not in petition.offered and p.id not in sitting]
        return waiting[:1] if whom in NEXT else waiting

    def replace(self, power: Power) -> Outcome | None:
        """Give a seat to somebody else, with all of its time; somebody unknown is asked first."""
        game = self._game
        seat, address = self._seat(power.fields["seat"]), power.fields["address"].lower()
        check_invitee(Invitee(name=seat, address=address, seat=seat))
        with self._approaching(address):
            person = self._person_at(address)
            if person.id in {member.person.id for member in game.members}:
                raise Illegal("seat.sits_already", read=address)
            if not is_known(self._work, game, person):
                ask(self._work, game, Nominated(by=self._by, person=person.id, seat=seat, why=power.why), self._now)
                return "asked"
            substitute(self._work, game, Seated(by=self._by, seat=seat, person=person.id, why=power.why), self._now)
        return None

    def _free(self, seat: str) -> None:
        """The time of what was awaited of the former player ends, and counts for nobody."""
        for slot in self._work.repository.slots(self._id):
            if slot.seat == seat:
                self._work.repository.close_slot(self._id, slot.key)

    # -- what they share ---

    @contextmanager
    def _approaching(self, address: str) -> Iterator[None]:
        """Somebody gets a letter for which they have not asked. The operator knows whom to write to."""
        by = None if self._by == OPERATOR else self._presiding
        check_approach(self._work.repository, by, address, self._now)
        yield
        note_approach(self._work.repository, by, address, self._now)

    def _person_at(self, address: str) -> Person:
        return self._work.repository.person_at(address) or self._work.repository.add_person("", address, self._now)

    def _note(self, act: Act) -> None:
        """The log begins with the game."""
        if self._game.status == "running":
            note(self._work.session(self._game), self._now, act)

    def _seat(self, name: str) -> Seat:
        return Seat(self._work.games.load(self._game).parser.seat(name))

    def _member(self, name: str) -> Member:
        seat = self._seat(name)
        found = next((member for member in self._game.members if member.seat == seat), None)
        if found is None:
            raise Illegal("seat.free", seat=seat)
        return found
