"""Games that players start by mail: one asks for it, others join, and the last to come begins it.

Nobody is written to because of a letter that does not prove whose it is: its sender is asked once to send the same
words in answer to a letter of ours, which brings our ticket back.
"""

from __future__ import annotations

import secrets
from collections.abc import Iterator, Mapping, Sequence
from typing import Literal, cast, get_args

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from pbem.core.chance import commitment
from pbem.core.refusal import Illegal, Refusal
from pbem.core.seat import Seat, Setup
from pbem.host.lobby.arrivals import tell_came
from pbem.host.lobby.invitations import (
    Invitee,
    answer_invitation,
    begin,
    check_invitee,
    free_name,
    invite_more,
    next_id,
)
from pbem.host.lobby.open_games import call_to, free_seats, gathering, has_opened, open_games
from pbem.host.lobby.rate_limit import A_DAY, LISTED, is_flood
from pbem.host.lobby.substitution import MOST_ASKED, put_on_list
from pbem.host.lobby.tickets import ASK, ASKED, flaw, is_spent, lives, spend
from pbem.host.messages import Reply
from pbem.host.messages.rows import problem
from pbem.host.ports import Game, Letter, Member, Person
from pbem.host.reporting.answers import plain
from pbem.host.reporting.rules_in_force import rules_in_force
from pbem.host.session.anonymity import Anonymity
from pbem.host.session.budget import welcome
from pbem.host.session.identity import Identity, Ticket
from pbem.host.session.terms import FIXED, PressRule, Terms, terms_of
from pbem.host.session.unit_of_work import UnitOfWork
from pbem.language.invitations import invitation_answer
from pbem.language.openings import GAMES, Request, read_request
from pbem.language.tokens import fold

OpenTo = Literal["anyone", "known", "nobody"]
ASKING = f"{ASK}-0"  # what the ticket of such an answer is about: an address, whoever has it
MOST_ANSWERS = 3  # a day, to an address nobody has confirmed
MOST_OPEN = 3  # games of one person that still gather
PLAYERS = 6  # when nothing else is asked for


class LobbyPolicy(Struct, frozen=True, kw_only=True):
    """Who may start games here, and what they get that ask for nothing else."""

    open_to: OpenTo = "known"
    plain: Terms = Terms(setup=Setup())
    templates: Mapping[str, Terms] = {}


class Heard(Struct, frozen=True, kw_only=True):
    """What is said to a letter that asks for a game."""

    reply: Reply | None  # None: nothing is said, there were answers enough
    about: str | None = None  # what the answer's ticket is about, where that is no game


class Openings:
    """What one letter asks that is about no game under way."""

    def __init__(
        self, desk: UnitOfWork, identity: Identity, house: LobbyPolicy, letter: Letter, filed: int, now: int
    ) -> None:
        self._desk = desk
        self._identity = identity
        self._house = house
        self._letter = letter
        self._filed = filed
        self._now = now
        self._sender = letter.sender.lower()
        self._person = desk.books.person_at(self._sender)

    def hear(self) -> Heard | None:
        """The answer, None for a letter that does not begin with such words."""
        try:
            request = read_request(self._letter.lines) or self._called()
        except Refusal as refusal:
            return self._guarded(_refused(refusal))
        return self._asked(request) if request else None

    def _called(self) -> Request | None:
        """A plain yes in answer to a letter that told of a game which gathers, from somebody who has no seat there."""
        ticket = self._identity.ticket_of(self._letter)
        game = self._desk.books.game(ticket.about) if ticket else None
        if game is None or self._person is None or not free_seats(self._desk, game) or game.status != "inviting":
            return None
        sits = any(member.person.id == self._person.id for member in game.members)
        said = next((line for line in self._letter.lines if line.strip()), "")
        if sits or invitation_answer(said) != "yes":
            return None
        return Request(kind="join", text=said, language=self._person.language, tag=game.id)

    def games(self) -> Heard:
        """Which games have seats free, told to whoever may take one."""
        told = replace(problem(""), problem=None, told=(gathering(self._desk),))
        return self._guarded(self._closed() or told)

    def _asked(self, request: Request) -> Heard:
        closed = self._closed()
        if closed:
            return self._guarded(closed)
        ticket = self._identity.ticket_of(self._letter)
        if ticket is not None and self._is_asked(ticket):
            return self._unproven() or self._confirmed(ticket, request)
        if self._person is None or self._flaw(self._person, ticket):
            return self._unproven() or self._check()
        return self._heard(self._person, request)

    def _flaw(self, person: Person, ticket: Ticket | None) -> str:
        """Of an answer to a letter about a game."""
        game = self._desk.books.game(ticket.about) if ticket else None
        return flaw(self._desk, self._identity, self._letter, person, game, self._now)

    def _unproven(self) -> Heard | None:
        """Where the mailbox's server must vouch for the sender, asking again would bring nothing."""
        if self._identity.policy == "token" or self._letter.proven == "pass":
            return None
        return self._guarded(problem("identity.unproven", sender=self._letter.sender))

    def _is_asked(self, ticket: Ticket) -> bool:
        """Is it the answer to such a question, from the address that was asked?"""
        is_theirs = ticket.about == ASKING and self._identity.holds(ticket, None, address=self._sender)
        return is_theirs and lives(ticket, self._now, ASKED) and not is_spent(self._desk.books, ticket)

    def _confirmed(self, ticket: Ticket, request: Request) -> Heard:
        """Once for each question: who has answered is known from now on."""
        spend(self._desk.books, ticket, self._now)
        name, language = self._letter.name, request.language
        added = self._person or self._desk.books.add_person(name, self._sender, self._now, language=language)
        return self._heard(added, request)

    def _heard(self, person: Person, request: Request) -> Heard:
        """An answer that is about no game may be answered with another of these words."""
        self._verify(person)
        reply = self._done(person, request)
        return Heard(reply=reply, about=None if reply.game else ASKING)

    def _closed(self) -> Reply | None:
        if self._house.open_to == "nobody":
            return problem("opening.nobody")
        if self._house.open_to == "known" and self._person is None:
            return problem("opening.known_only")
        return None

    def _check(self) -> Heard:
        """Ask for the same words once more, in answer to a letter that only this address gets.

        It repeats nothing of what was written, for anybody may have written it; and nobody is entered for it.
        """
        if not self._may_answer("opening.confirm"):
            return Heard(reply=None)
        return Heard(reply=problem("opening.confirm"), about=ASKING)

    def _guarded(self, reply: Reply) -> Heard:
        return Heard(reply=reply if self._may_answer(reply.problem or LISTED) else None)

    def _may_answer(self, code: str) -> bool:
        """An address that never proved to be anybody's gets few answers: another may have put it into his letter."""
        mine = self._desk.books.addresses(self._person.id) if self._person else ()
        is_confirmed = any(each.address == self._sender and each.verified is not None for each in mine)
        most = A_DAY if is_confirmed else MOST_ANSWERS
        return not is_flood(self._desk.books, self._letter, code, self._filed, most)

    def _verify(self, person: Person) -> None:
        welcome(self._desk.books, self._sender)
        for address in self._desk.books.addresses(person.id):
            if address.address == self._sender and address.verified is None:
                self._desk.books.save_address(replace(address, verified=self._now))

    def _done(self, person: Person, request: Request) -> Reply:
        try:
            if request.kind in ("wait", "leave"):
                return wait(self._desk, person, self._now, leaves=request.kind == "leave")
            if request.kind == "join":
                return join(self._desk, request.tag, person, self._now)
            terms = self._terms(request)
            self._check_wishes(request, terms, person)
            return open_game(self._desk, terms, person, self._now)
        except Refusal as refusal:
            return _refused(refusal)

    def _terms(self, request: Request) -> Terms:
        """Raises `Illegal`."""
        wishes = request.wishes
        plain = self._template(wishes.get("template"))
        hours = int(wishes.get("hours", plain.slot_hours))
        if not 1 <= hours <= 24 * 365:
            raise Illegal("opening.hours", read=hours, most=24 * 365)
        setup = Setup(
            edition=wishes.get("edition", plain.setup.edition),
            setup=wishes.get("setup", plain.setup.setup),
            options={**plain.setup.options, **request.options},
        )
        base = replace(
            plain,
            slot_hours=hours,
            remind_hours=tuple(hour for hour in plain.remind_hours if hour < hours),
            press=cast("PressRule", _one_of(wishes, "press", get_args(PressRule), plain.press)),
            anonymous=cast("Anonymity", _one_of(wishes, "anonymous", get_args(Anonymity), plain.anonymous)),
            places=int(wishes.get("players", plain.places or PLAYERS)),
        )
        return _with_options(setup, base, request)

    def _check_wishes(self, request: Request, terms: Terms, person: Person) -> None:
        """Tell by name the wish that no game can have, or all of them that do not go together. Raises `Illegal`."""
        if _can_be(self._desk, terms, person):
            return
        each = [*({"wishes": {key: value}} for key, value in request.wishes.items())]
        each += [{"options": {key: value}} for key, value in request.options.items()]
        alone = [replace(request, **{"wishes": {}, "options": {}, **one}) for one in each]
        wrong = [one for one in alone if not _can_be(self._desk, self._terms(one), person)] or alone
        told = [*_said(request)] if wrong == alone else [words for one in wrong for words in _said(one)]
        raise Illegal("opening.impossible", read=told)

    def _template(self, name: str | None) -> Terms:
        if name is None:
            return self._house.plain
        if name not in self._house.templates:
            raise Illegal("opening.template", read=name, candidates=tuple(self._house.templates))
        return self._house.templates[name]


def _with_options(setup: Setup, base: Terms, request: Request) -> Terms:
    """Options may be those of the game, or of the terms as far as no other word is for them. Raises `Illegal`."""
    try:
        terms = terms_of(setup, base)
    except ValueError:
        raise Illegal("opening.impossible", read=[*_said(request)]) from None
    if any(key in FIXED for key in request.options):
        raise Illegal("opening.impossible", read=[*_said(request)])
    return terms


def _one_of(wishes: Mapping[str, str], key: str, known: Sequence[str], otherwise: str) -> str:
    value = wishes.get(key, otherwise)
    if value not in known:
        raise Illegal("option.value", key=key, read=value, candidates=tuple(known))
    return value


def _said(request: Request) -> Iterator[str]:
    """Its wishes as they may be written."""
    yield from (f"{key} {value}" for key, value in request.wishes.items())
    yield from (f"option {key}={value}" for key, value in request.options.items())


def _can_be(desk: UnitOfWork, terms: Terms, person: Person) -> bool:
    """Is there such a game, with all its places taken?"""
    first = Seat(free_name(terms, person.address, ()))
    full = (first, *(Seat(f"player{n}") for n in range(2, min(terms.places, 100) + 1)))
    try:
        desk.games.check(replace(terms, setup=replace(terms.setup, seats=full)))
    except ValueError:
        return False
    return True


def open_game(desk: UnitOfWork, terms: Terms, person: Person, now: int) -> Reply:
    """Enter a game that gathers, with him in its first seat. Raises `Illegal`."""
    mine = [game.id for game in open_games(desk) if has_opened(desk, game, person)]
    if len(mine) >= MOST_OPEN:
        raise Illegal("opening.too_many", most=MOST_OPEN, games=mine)
    seat = Seat(free_name(terms, person.address, ()))
    terms = replace(terms, setup=replace(terms.setup, seats=(seat,)))
    game = Game(
        id=next_id(desk, "imp"),
        status="inviting",
        setup=msgspec.json.encode(terms),
        secret=secrets.token_hex(32),
        created=now,
        members=(Member(person=person, seat=seat, joined=now),),
    )
    desk.books.add_game(game)
    _call(desk, game, person, now)
    return _told(desk, game, "opening.opened", seat)


def _call(desk: UnitOfWork, game: Game, opener: Person, now: int) -> None:
    """Tell those who wait for a seat that this game has some."""
    for person in [person for person in desk.books.waiting() if person.id != opener.id][:MOST_ASKED]:
        call_to(desk, game, person, now, listed=True)


def wait(desk: UnitOfWork, person: Person, now: int, *, leaves: bool = False) -> Reply:
    """Enter him among those who would take a seat that becomes free, or strike him off."""
    if leaves:
        desk.books.wait_no_more(person.id)
        return problem("waiting.off")
    told = gathering(desk)
    return replace(problem("waiting.on", offers=put_on_list(desk, person, now)), told=(told,) if told.games else ())


def join(desk: UnitOfWork, tag: str, person: Person, now: int) -> Reply:
    """Take a free seat, or the one he is invited to. Raises `Illegal`."""
    game = desk.books.game(tag)
    if game is None:
        raise Illegal("opening.unknown", tag=tag, games=[each.id for each in open_games(desk)])
    member = next((m for m in game.members if m.person.id == person.id), None)
    if member is not None and game.status == "inviting":
        return answer_invitation(desk, game, member, ("join",), now)
    if game.status != "inviting" or not free_seats(desk, game):
        raise Illegal("opening.full", tag=tag, games=[each.id for each in open_games(desk)])
    seat = free_name(desk.games.table(game).terms, person.address, [m.seat for m in game.members])
    invitee = Invitee(name=person.name, address=person.address, seat=seat)
    check_invitee(invitee)
    invite_more(desk, game, invitee, now, joined=True, told=False)
    desk.books.wait_no_more(person.id)
    before, game = game, desk.game(tag)
    told = _told(desk, game, "opening.joined", seat)
    if not told.facts["missing"]:
        begin(desk, game, now)
    tell_came(desk, before, game.members[-1], now)
    return told


def asks_for_games(lines: Sequence[str]) -> bool:
    """Is the first line the word for the games that gather?"""
    first = next((fold(line).strip(" !?.") for line in lines if line.strip()), "")
    return first in {fold(word) for word in GAMES}


def _told(desk: UnitOfWork, game: Game, code: str, seat: str) -> Reply:
    terms = desk.games.table(game).terms
    missing = terms.places - sum(member.joined is not None for member in game.members)
    facts = {"tag": game.id, "missing": missing, "players": terms.places, "commitment": commitment(game.secret)}
    return replace(problem(code, game.id, seat, **facts), told=(rules_in_force(desk, game),))


def _refused(refusal: Refusal) -> Reply:
    return replace(problem(refusal.code), facts=plain(refusal.facts))
