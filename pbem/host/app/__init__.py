"""The application: what people say, ask and do who have proved who they are, whichever way it has come."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import NamedTuple

from msgspec.structs import replace

from pbem.core.refusal import Refusal
from pbem.host.app.deputy import answer_deputy
from pbem.host.app.moderator import agreed_to, answer_moderator, not_agreed
from pbem.host.app.organiser import answer_organiser, leads, powers_in
from pbem.host.app.player import answer_player
from pbem.host.app.received import Received, Speaker
from pbem.host.archive.record_play import play_text
from pbem.host.archive.verify import Finding, verify_game
from pbem.host.commands.league import LeagueCommand, LeagueContext
from pbem.host.commands.requests import LobbyCommand
from pbem.host.commands.status import overview
from pbem.host.housekeeping.lapsing import lapse_due
from pbem.host.housekeeping.mending import put_right
from pbem.host.housekeeping.monotonic_clock import MonotonicClock
from pbem.host.leagues.house import house
from pbem.host.lobby.invitations import invite
from pbem.host.lobby.invitees import Invitee
from pbem.host.lobby.moderators import says_whether_to_lead
from pbem.host.lobby.offers import says_whether
from pbem.host.lobby.policy import LobbyPolicy
from pbem.host.lobby.seats import alarm_operator, conclude
from pbem.host.messages.host_identity import HostIdentity
from pbem.host.messages.replies import Reply
from pbem.host.messages.rows import problem
from pbem.host.messages.sections import Deed, Overview, Trial
from pbem.host.moderation.commands import MODERATOR_COMMANDS as MODERATOR_COMMANDS
from pbem.host.moderation.powers import use_powers, used
from pbem.host.moderation.seats import Seats
from pbem.host.moderation.trial import try_powers
from pbem.host.play.results import Result
from pbem.host.ports import Game, Letter, Person, Vitals
from pbem.host.reporting.answers import refused
from pbem.host.reporting.notices import deeds
from pbem.host.session.actors import OPERATOR
from pbem.host.session.terms import Terms
from pbem.host.session.unit_of_work import Games, UnitOfWork
from pbem.language.moderators import Power
from pbem.language.openings import Request


class Moderated(NamedTuple):
    """What became of powers."""

    results: Sequence[Result]  # one of each
    trials: Sequence[Trial] = ()  # of a preview: what would follow


class App:
    """All that can be done with the games of a server. Whoever calls has seen who it is that speaks.

    What people write is heard in the transaction of whoever has received it, since its answer, and the mark that it was
    dealt with, stand or fall with it. All else is one transaction each, and raises `Unknown` for a game that there is
    not, `Conflict` and `StoreDown`.
    """

    def __init__(self, games: Games, clock: MonotonicClock, host: HostIdentity, policy: LobbyPolicy) -> None:
        self._games = games
        self._clock = clock
        self._host = host
        self._policy = policy

    # -- what is said ---

    def submit(self, work: UnitOfWork, game: Game, speaker: Speaker, received: Received) -> Reply:
        """The answer to what a player, a deputy or a moderator writes, after it has been done.

        What had run out before it was filed lapses first.
        """
        seat = speaker.stead or (speaker.member.seat if speaker.member else None)
        if received.letter.unreadable is not None:
            return problem("letter.unreadable", game.id, seat, why=received.letter.unreadable)
        if game.status == "running":
            lapse_due(work, game, received.arrived)
        if speaker.stead is not None:
            return answer_deputy(work, game, speaker.person, speaker.stead, received)
        agreed = agreed_to(work, game, speaker, received)
        if agreed is None:
            return self._answer(work, game, speaker, received)
        if agreed.refusal is not None:
            return not_agreed(work, game, speaker, received.letter, agreed)
        return replace(self._answer(work, game, speaker, received.saying(agreed.lines)), agreed=True)

    def _answer(self, work: UnitOfWork, game: Game, speaker: Speaker, received: Received) -> Reply:
        if speaker.member is None:
            return answer_moderator(work, game, speaker, received)
        return answer_player(work, game, speaker, speaker.member, received)

    def consent(self, work: UnitOfWork, game: Game, speaker: Speaker, received: Received) -> Reply | None:
        """The answer to somebody who was asked to lead a game, or to play in it; None when they write of all else."""
        if speaker.presides is None and game.status == "running":
            lapse_due(work, game, received.arrived)
        said = says_whether_to_lead(work, game, speaker.person, received.letter, received.now)
        return said or says_whether(work, game, speaker.person, received.letter, received.now)

    def answer_request(
        self, work: UnitOfWork, person: Person | None, request: Request, letter: Letter, season: str = ""
    ) -> Reply:
        """The answer to somebody who asks for a game, a seat or a place on a list, or says something about a league.

        `season`: what the letter of ours was about that theirs answers; strangers ask for what only tells.
        """
        try:
            if isinstance(request.command, LeagueCommand):
                return request.command.do(self._in_league(work, person, request, letter, season))
            assert isinstance(request.command, LobbyCommand), "it was read by the table of them"
            assert person is not None, "games are for people whom we know"
            return request.command.do(work, self._policy, person, request, self._clock.now())
        except Refusal as refusal:
            return refused(refusal)

    def leads(self, work: UnitOfWork, tag: str, person: Person, lines: Sequence[str]) -> bool:
        """Does somebody who leads that season use powers over it in these lines?"""
        return leads(work, tag, person, self._host.operator) and bool(powers_in(work, tag, person, lines)[0])

    def organise(self, work: UnitOfWork, tag: str, person: Person, letter: Letter) -> Reply:
        """The answer to whoever leads a season, after it has been done."""
        return answer_organiser(work, self._policy, tag, person, self._host.operator, letter, self._clock.now())

    def closed(
        self, work: UnitOfWork, person: Person | None, request: Request, letter: Letter, season: str = ""
    ) -> Reply | None:
        """Why they may not ask for that, whoever they are; None when they may."""
        if not request.command.of_leagues:
            return self._policy.closed(known=person is not None)
        try:
            self._in_league(work, person, request, letter, season).check_open()
        except Refusal as refusal:
            return refused(refusal)
        return None

    def _in_league(
        self, work: UnitOfWork, person: Person | None, request: Request, letter: Letter, season: str
    ) -> LeagueContext:
        now, operator = self._clock.now(), self._host.operator
        return LeagueContext(
            work, request, person, now, letter, season, operator, lambda: house(work, self._policy, now)
        )

    def conclude(self, work: UnitOfWork, before: Game, letter: str = "") -> None:
        """Tell everybody what was done in a game that runs; `before`: as it was then. `letter`: what did it."""
        now = self._clock.now()
        alarm_operator(work, before, self._host.operator, now)
        conclude(work, work.game(before.id), now, letter)

    # -- what is asked ---

    def list_games(self) -> Sequence[Game]:
        with self._games.work() as work:
            return work.repository.games()

    def query(self, game_id: str) -> tuple[Overview, Sequence[Deed]]:
        """All that whoever leads a game may know of it, and what was done in it beside the orders."""
        with self._games.work() as work:
            game = work.game(game_id)
            return overview(work, game, self._clock.now()), deeds(work.done(game))

    def document(self, game_id: str) -> Mapping[str, object] | None:
        """The state document; None before the game begins."""
        with self._games.work() as work:
            game = work.game(game_id)
            return None if game.status == "inviting" else work.session(game).document()

    def record(self, game_id: str) -> str:
        """The game so far as a play file."""
        with self._games.work() as work:
            return play_text(work, work.game(game_id))

    def verify(self, game_id: str) -> Finding:
        """The game decided once more with today's rules."""
        with self._games.work() as work:
            game = work.game(game_id)
            raws = work.repository.entries(game_id)
        return verify_game(game, raws, partial(self._games.load, game))

    # -- how the server does ---

    def vitals(self) -> Vitals:
        return self._games.do(lambda work: work.repository.vitals(self._clock.now()))

    def believe_clock(self) -> Sequence[Game]:
        """The computer's clock is right, somebody says: what lies after it in the books is put right; whose games."""
        self._clock.believe()
        return self._games.do(lambda work: put_right(work, self._clock.now(), OPERATOR))

    # -- what is decided ---

    def invite(self, terms: Terms, players: Sequence[Invitee], moderators: Sequence[Invitee] = ()) -> Game:
        """A new game, to which everybody is invited. Raises `ValueError` for what can't be."""
        with self._games.work() as work:
            return invite(work, terms, players, self._clock.now(), moderators=moderators)

    def moderate(self, game_id: str, powers: Power | Sequence[str], *, preview: bool = False) -> Moderated:
        """Use a power that is read already, or those in some lines, as the operator; a preview changes nothing."""

        def use(work: UnitOfWork) -> list[Result]:
            game = work.game(game_id)
            do = Seats(work, game, OPERATOR, self._clock.now()).use
            if isinstance(powers, Power):
                return [used(powers, do)]
            return use_powers(work.games.load(game).parser.powers(powers), do)

        if preview:
            with self._games.work() as work:
                return Moderated(*try_powers(work, work.game(game_id), use, self._clock.now()))
        return Moderated(self._games.do(lambda work: self._used(work, game_id, use)))

    def _used(self, work: UnitOfWork, game_id: str, use: Callable[[UnitOfWork], list[Result]]) -> list[Result]:
        self._clock.not_before(work.repository.polled() or 0)
        before = work.game(game_id)
        results = use(work)
        if work.game(game_id).status == "running":
            self.conclude(work, before)
        return results
