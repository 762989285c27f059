"""Letters of somebody who asks for a game, or for a seat in one that gathers.

Nobody is written to because of a letter that does not prove whose it is: its sender is asked once to send the same
words in answer to a letter of ours, which brings our ticket back.
"""

from __future__ import annotations

from functools import cached_property

from msgspec.structs import replace

from pbem.core.refusal import Illegal, Refusal
from pbem.host.app import App
from pbem.host.app.received import Speaker
from pbem.host.leagues.council import petition_answered
from pbem.host.leagues.tallies import voting_seasons
from pbem.host.lobby.open_games import free_seats, gathering
from pbem.host.lobby.policy import LobbyPolicy
from pbem.host.lobby.tickets import ASK, ASKED, flaw, is_spent, lives, spend
from pbem.host.lobby.whereabouts import away_between_games
from pbem.host.messages.replies import Reply
from pbem.host.messages.rows import answer, problem
from pbem.host.ports import Person, SeasonBook
from pbem.host.reporting.answers import refused
from pbem.host.session.budget import has_proved, welcome
from pbem.host.session.identity import Ticket
from pbem.language.answers import INVITATION
from pbem.language.leagues import Wish, mustered
from pbem.language.openings import Request
from pbem.language.petitions import Saying, part_petitions
from pbem.language.tokens import fold, own_lines
from pbem.mail.incoming import Dealt, Incoming
from pbem.mail.rate_limit import A_DAY, LISTED, is_flood

ASKING = f"{ASK}-0"  # what the ticket of such an answer is about: an address, whoever has it
MOST_ANSWERS = 3  # a day, to an address nobody has confirmed


class Openings:
    """What one letter asks that is about no game under way."""

    def __init__(self, app: App, policy: LobbyPolicy, incoming: Incoming) -> None:
        self._app = app
        self._policy = policy
        self._incoming = incoming
        self._work = incoming.work
        self._letter = incoming.letter
        self._sender = incoming.letter.sender.lower()
        self._person = incoming.work.repository.person_at(self._sender)

    def hear(self) -> Dealt | None:
        """Answer it, unless there were answers enough; None for a letter that does not begin with such words."""
        if self._organises():
            return self._organised()
        try:
            request = self._read() or self._called() or self._council() or self._mustered()
        except Refusal as refusal:
            return self._guarded(refused(refusal))
        if request:
            return self._asked(request)
        return self._absent() or (self._games() if self._incoming.game is None and self._asks_for_games() else None)

    def _read(self) -> Request | None:
        """What is asked; a word about leagues that names none is one only where no game can be meant."""
        request = self._work.games.commands.requests.read(self._letter.lines)
        if request is None or not request.command.of_leagues or not request.command.takes or request.wish.league:
            return request
        answers = self._season is not None
        alone = request.command.takes != "choice" and self._incoming.game is None and self._work.repository.leagues()
        return request if answers or alone else None

    @cached_property
    def _season(self) -> SeasonBook | None:
        """Which the letter of ours was about that theirs answers."""
        ticket = self._incoming.ticket
        return self._work.repository.season(ticket.about) if ticket else None

    def _organises(self) -> bool:
        """Does somebody answer a letter about a season that they lead, with powers?"""
        season, person = self._season, self._person
        if season is None or person is None:
            return False
        return self._app.leads(self._work, season.tag, person, self._letter.lines)

    def _organised(self) -> Dealt:
        assert self._person is not None, "somebody we know leads a season"
        if self._flaw(self._person, self._incoming.ticket):
            return self._unproven() or self._check()
        self._verify(self._person)
        return self._say(self._app.organise(self._work, self._tag, self._person, self._letter), None)

    def _mustered(self) -> Request | None:
        """A plain yes or no in answer to a letter about a season."""
        if self._incoming.game is not None or self._person is None or self._season is None:
            return None
        said = mustered(self._letter.lines)
        if said is None:
            return None
        command = self._work.games.commands.requests.by_name["muster"]
        return Request(command=command, text=said, language=self._person.language, wish=Wish(what=said))

    def _absent(self) -> Dealt | None:
        """Somebody says in answer to a letter about a season that they are away, or back: in all that they play."""
        if self._season is None or self._person is None:
            return None
        first = next((line for _, line in own_lines(self._letter.lines)), "")
        known = {fold(way) for way in self._work.games.commands.by_name["away"].ways}
        if fold(first).partition(" ")[0].strip(":,") not in known:
            return None
        if self._flaw(self._person, self._incoming.ticket):
            return self._unproven() or self._check()
        self._verify(self._person)
        playing = [game for game in self._work.repository.games_of(self._person.id) if game.status == "running"]
        if not playing:
            return self._say(away_between_games(self._work, self._person, first, self._incoming.now), None)
        game = playing[0]
        member = next(each for each in game.members if each.person.id == self._person.id)
        speaker = Speaker(person=self._person, member=member)
        reply = self._app.submit(self._work, game, speaker, self._incoming.received.saying([first]))
        self._app.conclude(self._work, game, self._letter.id)
        return self._say(reply, None)

    def _council(self) -> Request | None:
        """Petitions and votes of a season: of the one that is answered or named, else of the only one they play in."""
        lines = self._letter.lines
        said = [each for each in part_petitions(lines, lambda _: False)[1] if each.kind != "remark"]
        if self._season is not None:
            answered = petition_answered(self._letter.references, self._season.tag)
            said = [each for each in said if answered or not (each.vote and each.vote.implied)]
        elif not said or not self._is_of_season(said[0]):
            return None
        if not said:
            return None
        command = self._work.games.commands.requests.by_name["council"]
        language = self._person.language if self._person else "en"
        return Request(command=command, text=said[0].text, language=language, wish=Wish(said=tuple(said)))

    def _is_of_season(self, first: Saying) -> bool:
        """Out of the blue: is it about a season? Raises `Illegal` where it may be about a game, too."""
        begins = next((number for number, _ in own_lines(self._letter.lines)), 0) == first.line
        is_plain = first.kind == "petition" or (first.vote is not None and first.vote.names_one)
        if self._person is None or not (begins and is_plain) or self._named not in ("", ASKING):
            return False
        seasons = voting_seasons(self._work, self._person.id)
        games = [game.id for game in self._work.repository.games_of(self._person.id) if game.status == "running"]
        if seasons and games:
            raise Illegal("petition.whose", candidates=(*seasons, *games))
        return bool(seasons)

    @property
    def _named(self) -> str:
        """What its ticket or its subject names."""
        return self._incoming.identity.about_of(self._letter) or ""

    def _called(self) -> Request | None:
        """A plain yes in answer to a letter that told of a game which gathers, from somebody who has no seat there."""
        ticket = self._incoming.ticket
        game = self._work.repository.game(ticket.about) if ticket else None
        if game is None or self._person is None or not free_seats(self._work, game) or game.status != "inviting":
            return None
        sits = any(member.person.id == self._person.id for member in game.members)
        said = next((line for line in self._letter.lines if line.strip()), "")
        answer = INVITATION.answer([said])
        if sits or answer is None or not answer.yes:
            return None
        join = self._work.games.commands.requests.by_name["join"]
        return Request(command=join, text=said, language=self._person.language, tag=game.id)

    def _asks_for_games(self) -> bool:
        """Is the first line the word for the games that gather?"""
        first = next((fold(line).strip(" !?.") for line in self._letter.lines if line.strip()), "")
        return first in {fold(word) for word in self._work.games.commands.by_name["games"].ways}

    def _games(self) -> Dealt:
        """Which games have seats free, told to whoever may take one."""
        told = replace(problem(""), problem=None, told=(gathering(self._work),))
        return self._guarded(self._policy.closed(known=self._person is not None) or told)

    def _asked(self, request: Request) -> Dealt:
        ticket = self._incoming.ticket
        if request.command.tells:
            proven = self._person if self._person and not self._flaw(self._person, ticket) else None
            return self._guarded(self._answer(proven, request))
        closed = self._app.closed(self._work, self._person, request, self._letter, self._tag)
        if closed:
            return self._guarded(closed)
        if ticket is not None and self._is_asked(ticket):
            return self._unproven() or self._confirmed(ticket, request)
        if self._person is None or self._flaw(self._person, ticket):
            return self._unproven() or self._check()
        return self._heard(self._person, request)

    def _flaw(self, person: Person, ticket: Ticket | None) -> str:
        """Of an answer to a letter about a game, or a season."""
        about = self._season or (self._work.repository.game(ticket.about) if ticket else None)
        return flaw(self._work, self._incoming.identity, self._letter, person, about, self._incoming.now)

    def _unproven(self) -> Dealt | None:
        """Where the mailbox's server must vouch for the sender, asking again would bring nothing."""
        if self._incoming.identity.policy == "token" or self._letter.proven == "pass":
            return None
        return self._guarded(problem("identity.unproven", sender=self._letter.sender))

    def _is_asked(self, ticket: Ticket) -> bool:
        """Is it the answer to such a question, from the address that was asked?"""
        is_theirs = ticket.about == ASKING and self._incoming.identity.holds(ticket, None, address=self._sender)
        return is_theirs and lives(ticket, self._incoming.now, ASKED) and not is_spent(self._work.repository, ticket)

    def _confirmed(self, ticket: Ticket, request: Request) -> Dealt:
        """Once for each question: who has answered is known from now on."""
        spend(self._work.repository, ticket, self._incoming.now)
        name, language = self._letter.name, request.language
        added = self._person or self._work.repository.add_person(
            name, self._sender, self._incoming.now, language=language
        )
        return self._heard(added, request)

    def _heard(self, person: Person, request: Request) -> Dealt:
        """An answer that is about no game may be answered with another of these words."""
        self._verify(person)
        reply = self._answer(person, request)
        return self._say(reply, None if reply.game else ASKING)

    def _answer(self, person: Person | None, request: Request) -> Reply:
        return self._app.answer_request(self._work, person, request, self._letter, self._tag)

    @property
    def _tag(self) -> str:
        return self._season.tag if self._season else ""

    def _check(self) -> Dealt:
        """Ask for the same words once more, in answer to a letter that only this address gets.

        It repeats nothing of what was written, for anybody may have written it; and nobody is entered for it.
        """
        return self._guarded(problem("opening.confirm"), ASKING)

    def _guarded(self, reply: Reply, about: str | None = None) -> Dealt:
        """An address that never proved to be anybody's gets few answers: another may have put it into their letter."""
        repository, filed = self._work.repository, self._incoming.raw.arrived
        most = A_DAY if has_proved(repository, self._sender) else MOST_ANSWERS
        if is_flood(repository, self._letter, reply.problem or LISTED, filed, most):
            return self._incoming.flood(), None
        return self._say(reply, about)

    def _say(self, reply: Reply, about: str | None) -> Dealt:
        """`about` is what the answer's ticket is about, where that is neither a game nor a season."""
        about = reply.season or about
        self._work.repository.post([answer(self._letter, reply, self._incoming.now, about=about)])
        return reply.problem or LISTED, reply.game or reply.season

    def _verify(self, person: Person) -> None:
        welcome(self._work.repository, self._sender)
        for address in self._work.repository.addresses(person.id):
            if address.address == self._sender and address.verified is None:
                self._work.repository.save_address(replace(address, verified=self._incoming.now))
