"""Who leads a game: a moderator makes others moderators, or hands the game over; somebody unknown is asked first."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from pbem.language.powers import Power
from pbem.language.substitutes import read_consent
from pbem.service.letters import correspondence as co
from pbem.service.letters.post import content_job, mark, post, problem
from pbem.service.people.league import Invitee, check_invitee
from pbem.service.play.acts import Done, Nominated, Promoted, Unwilling
from pbem.service.play.games import Desk
from pbem.service.ports import Game, Letter, Member, Person
from pbem.table.refusal import Illegal, Unreadable

NOMINEE = "nominee"  # how the log calls somebody who was asked


class Leaders:
    """The moderators of one game, for the length of one letter about them. `own`: who presides, by number."""

    def __init__(self, desk: Desk, game: Game, by: str, now: int, own: int | None) -> None:
        self._desk = desk
        self._game = game
        self._by = by
        self._now = now
        self._own = own

    def promote(self, power: Power) -> None:
        """Let somebody moderate the game, too. Raises `Refusal`."""
        self._appoint(power, alone=False)

    def hand_over(self, power: Power) -> None:
        """Let somebody else moderate the game in one's place. Raises `Refusal`."""
        self._appoint(power, alone=True)

    def _appoint(self, power: Power, *, alone: bool) -> None:
        if not power.why and self._game.status == "running":
            raise Illegal("power.why")
        person = self._person(power.fields["who"])
        leads = person.id in {one.person.id for one in self._game.moderators}
        if leads and (not alone or person.id == self._own):
            raise Illegal("promote.already", read=power.fields["who"])
        if self._game.status == "running" and not self._is_known(person):
            self._ask(person, power.why, alone=alone)
        else:
            appoint(
                self._desk,
                self._game,
                person,
                self._now,
                self._by,
                power.why,
                self._own if alone else None,
                alone=alone,
            )

    def _ask(self, person: Person, why: str, *, alone: bool) -> None:
        """A typing error must not hand the game to nobody."""
        if person.id in {each.person for each in nominations(self._desk.referee(self._game).position.done)}:
            raise Illegal("promote.asked", read=person.address)
        act = Nominated(by=self._by, person=person.id, alone=alone, why=why, leads=self._own if alone else None)
        self._desk.referee(self._game).note(self._now, act)
        told = co.Nomination(game=self._game.id, by=self._by, why=why, alone=alone)
        what = f"{self._game.id}.nomination.{self._desk.referee(self._game).position.seq}.{mark(str(person.id))}"
        row = post(what, person.address, content_job(told, about=self._game.id), now=self._now, game=self._game.id)
        self._desk.books.post([row])

    def _is_known(self, person: Person) -> bool:
        """Plays or leads he here, or has a letter of his proved whose it was?"""
        return person.id in {reader.person.id for reader in self._game.readers} or any(
            each.verified is not None for each in self._desk.books.addresses(person.id)
        )

    def _person(self, who: str) -> Person:
        """A player by his seat, a moderator by his name, anybody by his address."""
        if "@" in who:
            check_invitee(Invitee(name="", address=who.lower(), seat="nobody"))
            return self._desk.books.person_at(who.lower()) or self._desk.books.add_person("", who.lower(), self._now)
        named = [one.person for one in self._game.moderators if one.person.name.casefold() == who.casefold()]
        return named[0] if len(named) == 1 else self._player(who)

    def _player(self, who: str) -> Person:
        try:
            seat = self._desk.games.table(self._game).reader.seat(who)
        except Unreadable:
            raise Illegal("promote.unknown", read=who, seats=tuple(m.seat for m in self._game.members)) from None
        found = next((member.person for member in self._game.members if member.seat == seat), None)
        if found is None:
            raise Illegal("seat.free", seat=seat)
        return found


def appoint(
    desk: Desk, game: Game, person: Person, now: int, by: str, why: str, instead_of: int | None, *, alone: bool
) -> None:
    """Enter a moderator, who is told what happens from now on; in the place of another one, where that one goes."""
    running = game.status == "running"
    others = tuple(one for one in game.moderators if one.person.id not in (instead_of, person.id))
    known = (one for one in game.moderators if one.person.id == person.id)
    told = desk.referee(game).position.seq if running else -1
    led = next(known, Member(person=person, seat="", told=told))
    desk.books.save_game(replace(game, moderators=(*others, led)))
    if running:
        act = Promoted(by=by, whom=called(game, person), alone=alone, why=why, person=person.id)
        desk.referee(game).note(now, act)


def called(game: Game, person: Person) -> str:
    """By his seat, or by his name; never by his address, since logs are published."""
    seats = [member.seat for member in game.members if member.person.id == person.id]
    return seats[0] if seats else person.name or f"no. {person.id}"


# -- those who are asked ---


def nominations(done: Sequence[Done]) -> tuple[Nominated, ...]:
    """Those that nobody has answered yet."""
    found: dict[int, Nominated] = {}
    for each in done:
        match each.act:
            case Nominated() as act:
                found[act.person] = act
            case Promoted(person=int(person)) | Unwilling(person=person):
                found.pop(person, None)
            case _:
                pass
    return tuple(found.values())


def asked_to_lead(desk: Desk, game: Game) -> Sequence[Person]:
    """Who was asked to moderate, and has not answered."""
    open_ = nominations(desk.referee(game).position.done) if game.status == "running" else ()
    found = (desk.books.person(each.person) for each in open_)
    return [person for person in found if person is not None]


def says_whether_to_lead(desk: Desk, game: Game, person: Person, letter: Letter, now: int) -> co.Reply | None:
    """The answer to somebody who was asked to moderate; None when he writes of something else."""
    consent = read_consent(letter.lines)
    open_ = nominations(desk.referee(game).position.done) if game.status == "running" else ()
    asked = next((each for each in open_ if each.person == person.id), None)
    if consent is None or consent.number is not None or asked is None:
        return None
    if not consent.yes:
        desk.referee(game).note(now, Unwilling(by=NOMINEE, person=person.id))
        return problem("promote.declined", game.id)
    appoint(desk, game, person, now, asked.by, asked.why, asked.leads, alone=asked.alone)
    return problem("promote.accepted", game.id)
