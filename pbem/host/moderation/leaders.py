"""Who leads a game: a moderator makes others moderators, or hands the game over; somebody unknown is asked first."""

from __future__ import annotations

from pbem.core.refusal import Illegal
from pbem.host.lobby.invitees import Invitee, check_invitee
from pbem.host.lobby.moderators import appoint, ask, is_known
from pbem.host.moderation.seats import Seats, people_power
from pbem.host.play.results import Outcome
from pbem.host.ports import Person
from pbem.host.session.acts import Nominated
from pbem.language.moderators import Power


@people_power("promote {who}", "ernenne {who}", "nomina {who}", explained="running")
def promote(s: Seats, power: Power) -> Outcome | None:
    """Let a player (SEAT) or anybody (ADDRESS) moderate the game, too."""
    return _appoint(s, power, alone=False)


@people_power("hand over to {who}", "übergib|uebergib an {who}", "cedi a|ad {who}", explained="running")
def hand_over(s: Seats, power: Power) -> Outcome | None:
    """Let somebody else moderate the game from now on."""
    return _appoint(s, power, alone=True)


def _appoint(s: Seats, power: Power, *, alone: bool) -> Outcome | None:
    """`alone`: in the place of whoever presides. Raises `Refusal`."""
    game, own = s.game, s.presiding.id if s.presiding else None
    person = _person(s, power.fields["who"])
    leads = person.id in {one.person.id for one in game.moderators}
    if leads and (not alone or person.id == own):
        raise Illegal("promote.already", read=power.fields["who"])
    left = own if alone else None
    if game.status == "running" and not is_known(s.work, game, person):
        asks = Nominated(by=s.by, person=person.id, alone=alone, why=power.why, leads=left)
        ask(s.work, game, asks, s.now)
        return "asked"
    appoint(s.work, game, person, s.now, s.by, power.why, left, alone=alone)
    return None


def _person(s: Seats, who: str) -> Person:
    """A player by the seat, a moderator by the name, anybody by the address."""
    if "@" in who:
        check_invitee(Invitee(name="", address=who.lower(), seat="nobody"))
        return s.person_at(who.lower())
    named = [one.person for one in s.game.moderators if one.person.name.casefold() == who.casefold()]
    return named[0] if len(named) == 1 else _player(s, who)


def _player(s: Seats, who: str) -> Person:
    try:
        seat = s.work.games.load(s.game).parser.seat(who)
    except Illegal:
        raise Illegal("promote.unknown", read=who, seats=tuple(m.seat for m in s.game.members)) from None
    found = next((member.person for member in s.game.members if member.seat == seat), None)
    if found is None:
        raise Illegal("seat.free", seat=seat)
    return found
