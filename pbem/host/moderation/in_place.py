"""What a moderator does in the place of players: gives orders, ends their time, lets a bot answer."""

from __future__ import annotations

from collections.abc import Sequence

from pbem.core.refusal import DieNeeded, Illegal, NotAwaited, Refusal
from pbem.core.seat import Seat
from pbem.host.clock.slots import note
from pbem.host.clock.time_sheet import sheet
from pbem.host.governance import silence
from pbem.host.governance.bot_seats import begin, end
from pbem.host.play.adjudicator import Adjudicator
from pbem.host.play.hearing import hear, rehearse
from pbem.host.play.results import Submission
from pbem.host.session.acts import ActedFor, Closed, Struck
from pbem.host.session.bots import held
from pbem.host.session.session import Session


class InPlaceOfPlayers:
    """Somebody who presides over a game, for the length of one letter."""

    def __init__(self, session: Session, *, by: str, now: int) -> None:
        self._session = session
        self._by = by
        self._now = now

    def act_for(self, seat: Seat, lines: Sequence[str], why: str) -> None:
        """Give orders in the place of a player: all of them, or none. Raises `Refusal`."""
        refused = self._tried(seat, lines)
        if isinstance(refused, NotAwaited):
            raise Illegal("act.not_awaited", seat=seat)
        if refused is not None:
            raise refused
        note(self._session, self._now, ActedFor(by=self._by, seat=seat, text="\n".join(lines), why=why))
        hear(self._session, seat, lines, Submission(at=self._now, cause="moderator"))

    def _tried(self, seat: Seat, lines: Sequence[str]) -> Refusal | None:
        """What would be refused of these orders; those from the first die on are not tried."""
        verdicts = rehearse(self._session, seat, lines, self._now)
        if any(verdict.aside for verdict in verdicts):
            return Illegal("power.only_orders")
        refusal = next((verdict.refusal for verdict in verdicts if verdict.refusal), None)
        if isinstance(refusal, DieNeeded):
            return None
        played = any(verdict.outcome in ("played", "filed", "drafted", "withdrawn") for verdict in verdicts)
        return refusal or (None if played else Illegal("letter.empty"))

    def close(self, turn: int, why: str) -> None:
        """End the time of all that is awaited. The turn is named, so that none is closed that has just begun."""
        if turn != self._session.position.turn:
            raise Illegal("close.other_turn", read=turn, now=self._session.position.turn)
        note(self._session, self._now, Closed(by=self._by, turn=turn, why=why))
        adjudicator = Adjudicator(self._session)
        for decision in self._session.pending():
            adjudicator.lapse(decision, self._now, by=self._by, why=why)

    def strike(self, seat: Seat, turn: int, why: str) -> None:
        """Let what the move order sheet tells of a seat in a turn count for nothing. Raises `Illegal`."""
        rows = [row for row in sheet(self._session.position.done) if row.closing.seat == seat and row.turn == turn]
        if not rows:
            raise Illegal("strike.nothing", seat=seat, turn=turn)
        if all(row.void for row in rows):
            raise Illegal("strike.void", seat=seat, turn=turn)
        note(self._session, self._now, Struck(by=self._by, seat=seat, turn=turn, why=why))
        silence.reconsider(self._session, self._now)

    def seat_bot(self, seat: Seat, why: str) -> None:
        """Let a bot answer for a seat, till its player writes or somebody else sits down. Raises `Illegal`."""
        if seat in held(self._session.position.done):
            raise Illegal("bot.already", seat=seat)
        begin(self._session, seat, self._now, by=self._by, why=why)

    def dismiss_bot(self, seat: Seat, why: str) -> None:
        """Let no bot answer there any more. Raises `Illegal`."""
        if seat not in held(self._session.position.done):
            raise Illegal("bot.none", seat=seat)
        end(self._session, seat, self._now, by=self._by, why=why)
