"""The application: what people say, ask and do who have proved who they are, whichever way it has come."""

from __future__ import annotations

from pbem.host.app.candidate import answer_candidate
from pbem.host.app.deputy import answer_deputy
from pbem.host.app.moderator import answer_moderator
from pbem.host.app.player import answer_player
from pbem.host.app.received import Received, Speaker
from pbem.host.housekeeping.lapsing import lapse_due
from pbem.host.lobby.conclusion import alarm_operator, conclude
from pbem.host.messages import Reply
from pbem.host.messages.host_identity import HostIdentity
from pbem.host.messages.rows import problem
from pbem.host.ports import Clock, Game
from pbem.host.session.unit_of_work import UnitOfWork


class App:
    """All that can be done with the games of a server. Whoever calls has seen who it is that speaks.

    What people write is heard in the transaction of whoever has received it, since its answer, and the mark that it was
    dealt with, stand or fall with it.
    """

    def __init__(self, clock: Clock, host: HostIdentity) -> None:
        self._clock = clock
        self._host = host

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
        if speaker.member is None:
            return answer_moderator(work, game, speaker, received)
        return answer_player(work, game, speaker, speaker.member, received)

    def consent(self, work: UnitOfWork, game: Game, speaker: Speaker, received: Received) -> Reply | None:
        """The answer to somebody who was asked to lead a game, or to play in it; None when they write of all else."""
        if speaker.presides is None and game.status == "running":
            lapse_due(work, game, received.arrived)
        return answer_candidate(work, game, speaker.person, received)

    def conclude(self, work: UnitOfWork, before: Game, letter: str = "") -> None:
        """Tell everybody what was done in a game that runs; `before`: as it was then. `letter`: what did it."""
        now = self._clock.now()
        alarm_operator(work, before, self._host.operator, now)
        conclude(work, work.game(before.id), now, letter)
