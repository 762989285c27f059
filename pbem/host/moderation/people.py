"""Who sits where, and who leads: what a moderator does about people, before a game begins and while it runs."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec
from msgspec.structs import replace

from pbem.core.refusal import Illegal
from pbem.core.seat import Seat
from pbem.host.governance.substitutes import open_vacancy
from pbem.host.lobby.gathering import begin
from pbem.host.lobby.invitations import invite_more
from pbem.host.lobby.invitees import Invitee, check_invitee, free_name
from pbem.host.lobby.moderators import appoint, ask, is_known
from pbem.host.lobby.offers import check_rival
from pbem.host.lobby.offers import offer as offer_seat
from pbem.host.lobby.open_games import call_to
from pbem.host.lobby.seats import substitute, vacate
from pbem.host.moderation.seats import Seats, people_power
from pbem.host.play.results import Outcome
from pbem.host.ports import Person
from pbem.host.session.acts import Ejected, Nominated, Seated
from pbem.host.session.budget import approach
from pbem.host.session.petitions import Petition, about_seat
from pbem.language.moderators import Power
from pbem.language.words import HEADS

# -- before the beginning ---


@people_power(
    "invite|invita {address} as|come {name}",
    "invite|invita {address}",
    "lade {address} ein als {name}",
    "lade {address} ein",
    explained="",
    when=("inviting",),
    openers=True,
)
def invite(s: Seats, power: Power) -> None:
    """Ask somebody to play, before the game begins."""
    _invite(s, power, joined=False)


@people_power("seat|setze|siedi {name} {address}", begins_prose=True, explained="", when=("inviting",))
def seat(s: Seats, power: Power) -> None:
    """Let somebody play under a name without being asked, before the game begins."""
    _invite(s, power, joined=True)


def _invite(s: Seats, power: Power, *, joined: bool) -> None:
    game, address = s.game, power.fields["address"].lower()
    if s.is_blind:
        _call(s, address)
        return
    named = power.fields.get("name", "") if s.terms.anonymous == "no" else ""
    name = named.lower() or free_name(s.terms, address, [m.seat for m in game.members], s.work.games.secrets)
    invitee = Invitee(name=power.fields.get("name") or name, address=address, seat=name)
    check_invitee(invitee)
    with s.approaching(address):
        invite_more(s.work, game, invitee, s.now, joined=joined)


def _call(s: Seats, address: str) -> None:
    """Ask somebody to take one of the free seats, and keep none: who plays already gets the same letter."""
    check_invitee(Invitee(name="", address=address, seat="nobody"))
    approach(s.work.repository, s.presiding, address, s.now, blindly=True)
    call_to(s.work, s.game, s.person_at(address), s.now)


@people_power("start|starte", "avvia", begins_prose=True, explained="", when=("inviting",), openers=True)
def start(s: Seats, _power: Power) -> None:
    """Begin with those who have said yes."""
    game = s.game
    here = tuple(member for member in game.members if member.joined is not None)
    seats = tuple(Seat(member.seat) for member in here)
    terms = replace(s.terms, setup=replace(s.terms.setup, seats=seats))
    try:
        s.work.games.check(terms)
    except ValueError:
        raise Illegal("start.players", count=len(here)) from None
    game = replace(game, members=here, setup=msgspec.json.encode(terms))
    s.work.repository.save_game(game)
    begin(s.work, game, s.now)


@people_power(
    "cancel the game",
    "sage die Partie ab",
    "annulla la partita",
    begins_prose=True,
    when=("inviting",),
    openers=True,
)
def cancel(s: Seats, _power: Power) -> None:
    """Call a game off that has not begun."""
    s.work.repository.save_game(replace(s.game, status="finished"))


# -- while it runs ---


@people_power("eject {seat}", "entferne {seat}", "espelli {seat}", when=("running",))
def eject(s: Seats, power: Power) -> None:
    """Take a seat from its player; it is kept free for somebody else."""
    game, empty = s.game, s.seat(power)
    if all(each.seat != empty for each in game.members):
        raise Illegal("seat.free", seat=empty)
    vacate(s.work, game, Ejected(by=s.by, seat=empty, why=power.why), s.now)


@people_power(
    "offer {seat} to {whom}",
    "biete {seat} {whom} an",
    "offri {seat} a|ad {whom}",
    "offri {seat} {whom}",
    explained="",
    when=("running",),
)
def offer(s: Seats, power: Power) -> None:
    """Offer an empty SEAT: to the “next” who waits, to “all” of them, or to an address."""
    game, wanted = s.game, s.seat(power)
    session = s.work.session(game)
    if not about_seat(session.position.done, wanted):
        if any(member.seat == wanted for member in game.members):
            raise Illegal("offer.taken", seat=wanted)
        open_vacancy(session, wanted, s.now)
    (petition, *_) = about_seat(session.position.done, wanted)
    whom = power.fields["whom"].lower()
    people = _addressed(s, whom) if "@" in whom else _waiting(s, whom, petition)
    if not offer_seat(s.work, s.game, petition, s.now, people):
        raise Illegal("offer.nobody", seat=wanted)


def _addressed(s: Seats, address: str) -> Sequence[Person]:
    check_invitee(Invitee(name="", address=address, seat="nobody"))
    approach(s.work.repository, s.asking, address, s.now)
    person = s.person_at(address)
    check_rival(s.work, s.game, person)
    return [person]


def _waiting(s: Seats, whom: str, petition: Petition) -> Sequence[Person]:
    """Those of the waiting list to whom a seat is offered."""
    sitting = {member.person.id for member in s.game.members}
    waiting = [p for p in s.work.repository.waiting() if p.id not in petition.offered and p.id not in sitting]
    return waiting[:1] if whom in HEADS["next"] else waiting


@people_power(
    "replace {seat} by|with {address}",
    "ersetze {seat} durch {address}",
    "sostituisci {seat} con {address}",
    when=("running",),
)
def replace_(s: Seats, power: Power) -> Outcome | None:
    """Give a seat to somebody else, with the history and a fresh clock."""
    game, wanted, address = s.game, s.seat(power), power.fields["address"].lower()
    check_invitee(Invitee(name=wanted, address=address, seat=wanted))
    with s.approaching(address):
        person = s.person_at(address)
        if person.id in {member.person.id for member in game.members}:
            raise Illegal("seat.sits_already", read=address)
        check_rival(s.work, game, person)
        if not is_known(s.work, game, person):
            ask(s.work, game, Nominated(by=s.by, person=person.id, seat=wanted, why=power.why), s.now)
            return "asked"
        substitute(s.work, game, Seated(by=s.by, seat=wanted, person=person.id, why=power.why), s.now)
    return None


# -- who leads; somebody unknown is asked first ---


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
