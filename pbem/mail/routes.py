"""The ways that a letter can take: who writes, proved how, and about what decides who answers it."""

from __future__ import annotations

from collections.abc import Callable

from msgspec.structs import replace

from pbem.host.app import App
from pbem.host.app.asked import answer_asked
from pbem.host.app.player import only_asks
from pbem.host.lobby.addresses import answer_about_address
from pbem.host.lobby.offers import asked_about, sits_already
from pbem.host.lobby.policy import LobbyPolicy
from pbem.host.lobby.tickets import renewed_by_copies
from pbem.host.messages.replies import Reply
from pbem.host.messages.rows import problem
from pbem.host.ports import Game
from pbem.language.answers import SEAT
from pbem.mail.bounces import take_back
from pbem.mail.incoming import Dealt, Incoming, Writer, games_of
from pbem.mail.openings import Openings
from pbem.mail.rate_limit import FLOOD


class Routes:
    """Takes each letter the first way that is its own."""

    def __init__(self, app: App, policy: LobbyPolicy) -> None:
        self._app = app
        self._policy = policy
        self._ways: tuple[Callable[[Incoming], Dealt | None], ...] = (
            self._of_machine,  # is never answered, whatever it says
            self._too_long,  # has no words: only its header was read
            self._resent,  # may be anything that was dealt with before
            self._about_address,  # has a ticket that is good for nothing else
            self._opening,  # begins with words that concern no game which is known yet
            self._in_game,  # is about the game of its ticket, of its subject, or of its sender
        )
        self._ways_in_game: tuple[Callable[[Incoming, Game, Writer], Reply | None], ...] = (
            self._sits_already,  # by the ticket of an offer: whoever plays here must hear so, and nobody else
            self._unproved,  # changes nothing
            self._asked,  # says yes or no, and has no seat from which to say anything else
            self._chooses,  # has one of our first letters, and would read it in another language or know more
            self._stranger,  # has nothing to say here
        )

    def deal_with(self, incoming: Incoming) -> Dealt:
        """What became of the letter, and whose game it was."""
        for way in self._ways:
            dealt = way(incoming)
            if dealt is not None:
                return dealt
        return incoming.say(self._no_game(incoming)), None

    # -- about no game ---

    def _of_machine(self, incoming: Incoming) -> Dealt | None:
        """A player who can't be reached is the operator's business all the same."""
        letter = incoming.letter
        if letter.ignored is None:
            return None
        take_back(incoming)
        game = incoming.game
        is_players = game is not None and game.id in {each.id for each in games_of(incoming.work, letter)}
        return f"ignored {letter.ignored}", game.id if game and is_players else None

    def _too_long(self, incoming: Incoming) -> Dealt | None:
        """Somebody we know is told so, nobody else."""
        raw, game = incoming.raw, incoming.game
        if raw.cut is None:
            return None
        if not incoming.is_from_known:
            return "ignored too_long", None
        sizes = {"size": -(-raw.size // 1024), "limit": raw.cut // 1024}
        said = problem("letter.too_long", game.id if game else None, incoming.seat, **sizes)
        return incoming.say(said), said.game

    def _resent(self, incoming: Incoming) -> Dealt | None:
        return (incoming.say(problem("letter.resent")), None) if incoming.is_resent else None

    def _about_address(self, incoming: Incoming) -> Dealt | None:
        said = answer_about_address(incoming.work, incoming.identity, incoming.letter, incoming.now)
        return None if said is None else (incoming.say(said), None)

    def _opening(self, incoming: Incoming) -> Dealt | None:
        """Asks for a game, or for those that gather."""
        return Openings(self._app, self._policy, incoming).hear()

    def _no_game(self, incoming: Incoming) -> Reply:
        """Whoever may start games here is told how."""
        letter, open_to = incoming.letter, self._policy.open_to
        about = incoming.identity.about_of(letter)
        if about and incoming.work.repository.season(about):
            return replace(problem("league.unclear", tag=about), season=about)
        mine, tag = [game.id for game in games_of(incoming.work, letter)], about
        starts = open_to == "anyone" or (open_to == "known" and incoming.is_from_known)
        return problem("letter.no_game", tag=tag, games=mine, starts=starts and not mine and not tag)

    # -- about a game ---

    def _in_game(self, incoming: Incoming) -> Dealt | None:
        game, writer, work = incoming.game, incoming.writer, incoming.work
        if game is None or writer is None:
            return None
        said = self._answer_in(incoming, game, writer)
        is_asked = writer.is_asked and said.seat is None  # who has just sat down is no longer
        about = asked_about(work, game, writer.person) if is_asked and writer.person else None
        about = about or (game.id if writer.asked_to_join else None)
        if writer.person and writer.problem is None:
            said = renewed_by_copies(work, incoming.identity, incoming.letter, writer.person, game, said)
        fate = incoming.say(said, writer.address, about)
        if game.status == "running":
            self._app.conclude(work, game, incoming.letter.id)
        return fate, game.id if fate != FLOOD else None

    def _answer_in(self, incoming: Incoming, game: Game, writer: Writer) -> Reply:
        for way in self._ways_in_game:
            said = way(incoming, game, writer)
            if said is not None:
                return said
        assert writer.person is not None, "strangers have been answered"
        writer.verify()
        return self._app.submit(incoming.work, game, writer.speaker(writer.person), incoming.received)

    def _sits_already(self, incoming: Incoming, game: Game, writer: Writer) -> Reply | None:
        return sits_already(game, incoming.ticket, incoming.letter) if writer.member else None

    def _unproved(self, incoming: Incoming, game: Game, writer: Writer) -> Reply | None:
        """What only asks is answered: to the player's own address, whoever has asked."""
        if writer.problem is None:
            return None
        plays = writer.member is not None and writer.stead is None and game.status == "running"
        asks = writer.is_late and plays and any(incoming.letter.lines)
        return None if asks and only_asks(incoming.work, game, incoming.letter) else writer.problem

    def _asked(self, incoming: Incoming, game: Game, writer: Writer) -> Reply | None:
        """Was asked to lead the game, or to play in it."""
        if writer.member is not None or writer.stead is not None or writer.person is None:
            return None
        if SEAT.answer(incoming.letter.lines) is not None:  # before it is done: a no outlasts the letter that says it
            writer.verify()
        return self._app.consent(incoming.work, game, writer.speaker(writer.person), incoming.received)

    def _chooses(self, incoming: Incoming, game: Game, writer: Writer) -> Reply | None:
        if writer.member is not None or writer.stead is not None or writer.presides is not None:
            return None
        person = writer.person or writer.asked_to_join
        return None if person is None else answer_asked(incoming.work, game, person, incoming.received)

    def _stranger(self, incoming: Incoming, game: Game, writer: Writer) -> Reply | None:
        if writer.member is not None or writer.stead is not None or writer.presides is not None:
            return None
        return problem("accept.unclear" if writer.is_asked else "letter.stranger", game.id)
