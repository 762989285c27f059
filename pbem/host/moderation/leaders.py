"""Who leads a game: a moderator makes others moderators, or hands the game over; somebody unknown is asked first."""

from __future__ import annotations

from pbem.core.refusal import Illegal, Unreadable
from pbem.host.lobby.invitees import Invitee, check_invitee
from pbem.host.lobby.moderators import appoint
from pbem.host.lobby.nominations import ask, is_known
from pbem.host.play.results import Outcome
from pbem.host.ports import Game, Person
from pbem.host.session.acts import Nominated
from pbem.host.session.unit_of_work import UnitOfWork
from pbem.language.moderators import Power


class Leaders:
    """The moderators of one game, for the length of one letter about them. `own`: who presides, by number."""

    def __init__(self, work: UnitOfWork, game: Game, by: str, now: int, own: int | None) -> None:
        self._work = work
        self._game = game
        self._by = by
        self._now = now
        self._own = own

    def promote(self, power: Power) -> Outcome | None:
        """Let somebody moderate the game, too. Raises `Refusal`."""
        return self._appoint(power, alone=False)

    def hand_over(self, power: Power) -> Outcome | None:
        """Let somebody else moderate the game in one's place. Raises `Refusal`."""
        return self._appoint(power, alone=True)

    def _appoint(self, power: Power, *, alone: bool) -> Outcome | None:
        if not power.why and self._game.status == "running":
            raise Illegal("power.why")
        person = self._person(power.fields["who"])
        leads = person.id in {one.person.id for one in self._game.moderators}
        if leads and (not alone or person.id == self._own):
            raise Illegal("promote.already", read=power.fields["who"])
        own = self._own if alone else None
        if self._game.status == "running" and not is_known(self._work, self._game, person):
            asks = Nominated(by=self._by, person=person.id, alone=alone, why=power.why, leads=own)
            ask(self._work, self._game, asks, self._now)
            return "asked"
        appoint(self._work, self._game, person, self._now, self._by, power.why, own, alone=alone)
        return None

    def _person(self, who: str) -> Person:
        """A player by the seat, a moderator by the name, anybody by the address."""
        if "@" in who:
            check_invitee(Invitee(name="", address=who.lower(), seat="nobody"))
            return self._work.repository.person_at(who.lower()) or self._work.repository.add_person(
                "", who.lower(), self._now
            )
        named = [one.person for one in self._game.moderators if one.person.name.casefold() == who.casefold()]
        return named[0] if len(named) == 1 else self._player(who)

    def _player(self, who: str) -> Person:
        try:
            seat = self._work.games.load(self._game).parser.seat(who)
        except Unreadable:
            raise Illegal("promote.unknown", read=who, seats=tuple(m.seat for m in self._game.members)) from None
        found = next((member.person for member in self._game.members if member.seat == seat), None)
        if found is None:
            raise Illegal("seat.free", seat=seat)
        return found
