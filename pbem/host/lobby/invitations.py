"""Invitations to a game: who is asked, what they say, and the last yes that begins it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import msgspec
from msgspec.structs import replace

from pbem.core.chance import Secrets, commitment
from pbem.core.game import game_of
from pbem.core.seat import Seat
from pbem.host.calendar.counting import Counting
from pbem.host.lobby.gathering import begin, hosts, inviter, tell_came, tell_declined
from pbem.host.lobby.invitees import Invitee, Unfit, check_invitee
from pbem.host.messages.letters import Invitation
from pbem.host.messages.replies import Reply
from pbem.host.messages.rows import InviteeJob, UnansweredJob, content_job, mark, problem, to_member
from pbem.host.ports import Game, Member, OutboxRow, Person
from pbem.host.reporting.rules_in_force import agreed
from pbem.host.session.anonymity import neutral_names
from pbem.host.session.budget import is_unwanted, refuse_mail
from pbem.host.session.terms import Terms
from pbem.host.session.unit_of_work import UnitOfWork
from pbem.language.answers import INVITATION

PATIENCE = 72  # counted hours, after which somebody who is invited is asked once more


def invite(
    work: UnitOfWork,
    terms: Terms,
    invitees: Sequence[Invitee],
    now: int,
    *,
    moderators: Sequence[Invitee] = (),
) -> Game:
    """Enter a new game and invite everybody. Raises `ValueError` for terms that can't be."""
    if terms.anonymous != "no":
        invitees = _masked(invitees, work.games.secrets)
    seats = tuple(Seat(invitee.seat) for invitee in invitees)
    terms = replace(terms, setup=replace(terms.setup, seats=seats))
    _check(work, invitees)
    members = [Member(person=_known(work, invitee, now), seat=invitee.seat) for invitee in invitees]
    _check_people(members)
    leaders = [Member(person=_known(work, each, now), seat="") for each in moderators]
    game = enter_game(work, terms, members, now, leaders)
    terms = work.games.load(game).terms
    work.games.check(terms)
    work.repository.post(_asked(game, terms, members, now))
    return game


def invite_more(
    work: UnitOfWork, game: Game, invitee: Invitee, now: int, *, joined: bool = False, told: bool = True
) -> None:
    """Invite one more, or seat them at once. Raises `Unfit`."""
    terms = work.games.load(game).terms
    if terms.places and len(game.members) >= terms.for_people:
        raise Unfit("seat.full", f"all {terms.for_people} seats of the game are taken", count=terms.for_people)
    seats = (*(Seat(member.seat) for member in game.members), Seat(invitee.seat))
    terms = replace(terms, setup=replace(terms.setup, seats=seats))
    if len(set(seats)) < len(seats):
        raise Unfit("seat.name_taken", f"{invitee.seat!r} is the name of another player", read=invitee.seat)
    try:
        work.games.check(terms)
    except ValueError as problem:
        raise Unfit("seat.too_many", str(problem), count=len(seats)) from None
    member = Member(person=_known(work, invitee, now), seat=invitee.seat, joined=now if joined else None)
    _check_people([*game.members, member])
    game = replace(game, members=(*game.members, member), setup=msgspec.json.encode(terms))
    work.repository.save_game(game)
    if told:
        work.repository.post(_asked(game, terms, [member], now))


def answer_invitation(work: UnitOfWork, game: Game, member: Member, lines: Sequence[str], now: int) -> Reply:
    """Yes, no, or neither: what the one answer to this letter says. The last yes begins the game."""
    said = INVITATION.answer(lines)
    if said is None:
        return problem("invitation.unclear", game.id, member.seat)
    terms = work.games.load(game).terms
    if not said.yes:
        refuse_mail(work.repository, member.person, now)
    if not said.yes and terms.places:
        return _left(work, game, member, terms, now)
    if not said.yes:
        work.repository.save_game(with_member(game, replace(member, joined=None)))
        tell_declined(work, game, member, now)
        return problem("invitation.declined", game.id, member.seat)
    if member.joined is not None:
        return problem("invitation.already", game.id, member.seat)
    tell_came(work, game, member, now)
    game = with_member(game, replace(member, joined=now))
    work.repository.save_game(game)
    missing = tuple(m.seat for m in game.members if m.joined is None)
    free = terms.for_people - len(game.members) + len(missing) if terms.places else 0
    if not missing and free <= 0:
        begin(work, game, now)
    told = missing if terms.anonymous == "no" else len(missing)
    return problem("invitation.joined", game.id, member.seat, missing=told, free=free)


def _filled(terms: Terms) -> Terms:
    """With somebody on each place: a game that is over is looked at like any other, whoever writes about it."""
    seats = terms.setup.seats
    names = (Seat(f"nobody{number}") for number in range(1, terms.places + 1))
    others = tuple(name for name in names if name not in seats)
    return replace(terms, setup=replace(terms.setup, seats=(*seats, *others[: terms.places - len(seats)])))


def _left(work: UnitOfWork, game: Game, member: Member, terms: Terms, now: int) -> Reply:
    """Their seat is free for others; a game that nobody is left in is none."""
    others = tuple(m for m in game.members if m.person.id != member.person.id)
    if not others:
        work.repository.save_game(replace(game, status="finished", setup=msgspec.json.encode(_filled(terms))))
        return problem("opening.given_up", game.id, member.seat, tag=game.id)
    setup = replace(terms.setup, seats=tuple(Seat(m.seat) for m in others))
    work.repository.save_game(replace(game, members=others, setup=msgspec.json.encode(replace(terms, setup=setup))))
    tell_declined(work, game, member, now)
    return problem("opening.left", game.id, tag=game.id)


def _masked(invitees: Sequence[Invitee], lots: Secrets) -> list[Invitee]:
    """Under neutral names, and in their order: that in which people were named tells who is who."""
    named = zip(neutral_names(len(invitees), lots), invitees, strict=True)
    return sorted((replace(invitee, seat=name) for name, invitee in named), key=lambda invitee: invitee.seat)


def _check(work: UnitOfWork, invitees: Sequence[Invitee]) -> None:
    for invitee in invitees:
        check_invitee(invitee)
        if is_unwanted(work.repository, invitee.address):
            raise ValueError(f"{invitee.address} wants no mail of ours: pbem person welcome {invitee.address}")
    if len({invitee.seat for invitee in invitees}) < len(invitees):
        raise ValueError("every player has their own name and their own address")


def _check_people(members: Sequence[Member]) -> None:
    """Two addresses of one person are one player."""
    if len({member.person.id for member in members}) < len(members):
        words = "every player has their own name and their own address"
        raise Unfit("seat.sits_already", words, read=members[-1].person.address)


def _known(work: UnitOfWork, invitee: Invitee, now: int) -> Person:
    """The person at that address, entered if we have not met."""
    found = work.repository.person_at(invitee.address)
    return found or work.repository.add_person(invitee.name, invitee.address, now)


def enter_game(
    work: UnitOfWork, terms: Terms, members: Sequence[Member], now: int, moderators: Sequence[Member] = ()
) -> Game:
    """Enter a new game that waits for its players, with the secret that all its lots will come from.

    Wherever a game comes from, what its set-up leaves to chance is drawn here.
    """
    terms = work.games.settled(terms)
    game = Game(
        id=_next_id(work, terms),
        status="inviting",
        setup=msgspec.json.encode(terms),
        secret=work.games.new_secret(),
        created=now,
        members=tuple(members),
        moderators=tuple(moderators),
    )
    work.repository.add_game(game)
    return game


def _next_id(work: UnitOfWork, terms: Terms) -> str:
    """What the next game of that kind is called."""
    tag = game_of(work.games.registry, terms.setup).tag
    return f"{tag}-{work.repository.last_game(tag) + 1}"


def _asked(game: Game, terms: Terms, asked: Sequence[Member], now: int) -> Iterator[OutboxRow]:
    """Their invitations; and when they say nothing, once more to them, and to those who can begin without them."""
    yield from (to_member(game, m, "invitation", content_job(invitation(game, terms, m)), now) for m in asked)
    due = Counting(calendar=terms.calendar).deadline(now, PATIENCE)
    asked = [member for member in asked if member.joined is None]
    for member in asked:
        yield to_member(game, member, f"invited_again.{now}", InviteeJob(), now, due)
    seats = tuple(member.seat for member in asked)
    for member in hosts(game, terms) if seats else ():
        what = f"unanswered.{now}.{mark(' '.join(seats))}"
        yield to_member(game, member, what, UnansweredJob(seats=seats), now, due)


def invitation(game: Game, terms: Terms, member: Member) -> Invitation:
    return Invitation(
        game=game.id,
        seat=member.seat,
        **agreed(terms),
        players=tuple(m.seat for m in game.members) if terms.anonymous == "no" else (),
        by=inviter(game, terms, member),
        others=len(game.members) - 1,
        slot_hours=terms.slot_hours,
        commitment=commitment(game.secret),
        press=terms.press,
        anonymous=terms.anonymous,
    )


def with_member(game: Game, member: Member) -> Game:
    """The game with what has changed of a member."""
    members = tuple(member if m.person.id == member.person.id else m for m in game.members)
    return replace(game, members=members)
