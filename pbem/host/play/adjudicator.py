"""The adjudicator: plays what is ordered, lets the clock answer, and sees what follows.

There is one: letters, play files and the clock all come to it.
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from pbem.core.chance import Chance
from pbem.core.decision import MODERATOR, Answer, Decision
from pbem.core.game import AnyOrder, AnyState, Lots
from pbem.core.log import Cause
from pbem.core.refusal import Illegal
from pbem.core.seat import Seat
from pbem.host.clock.slots import asked_in, close_answered, first_due, reckoned, recount
from pbem.host.clock.time_sheet import Ending, time_kept, timed
from pbem.host.clock.timing import is_petition, slot_of
from pbem.host.governance import silence, voting
from pbem.host.ports import FiledOrder, Slot
from pbem.host.session.actors import CLOCK
from pbem.host.session.acts import Act, Dealt
from pbem.host.session.filed_orders import binding, drafts, filed, order_of
from pbem.host.session.position import Position
from pbem.host.session.session import Session
from pbem.host.session.veils import Drawn, resolve


class Adjudicator:
    """Does what is ordered in one game. It changes nothing but that session."""

    def __init__(self, session: Session) -> None:
        self.session = session

    # -- the beginning ---

    def open(self, at: int, chance: Chance, lots: Lots, dealt: Dealt | None = None) -> None:
        events = self.session.rules.open(self.session.state, chance, lots)
        self.session.enter(at, Cause(kind="opening"), events=events, chance=chance, act=dealt)

    def lay_out(self, at: int, lines: Sequence[AnyOrder]) -> None:
        """Put a given position on the table. Raises `Impossible`."""
        self.session.enter(at, Cause(kind="given"), events=self.session.rules.given(self.session.state, lines))

    # -- moves ---

    def play(
        self,
        seat: Seat,
        order: AnyOrder,
        decisions: Sequence[Decision],
        at: int,
        cause: Cause,
        ending: Ending | None = None,
    ) -> int:
        """Resolve an order and write the entry; its number. Raises `Illegal`; then nothing has changed.

        `ending`: how the time of the questions ends, if not by the seat itself.
        """
        answers = tuple(Answer(seat=seat, order=order, decision=d) for d in decisions) or (
            Answer(seat=seat, order=order),
        )
        session, ending = self.session, ending or Ending(by=seat)
        asked = session.pending()
        kept = time_kept(session, decisions, at, ending)
        timely, answers = answers, timed(answers, kept)
        drawn = self._resolved(answers)
        left = session.rules.pending(drawn.state)
        closed = [decision for decision in decisions if decision not in left]
        ended = [each for each in decisions if each in closed or self._is_ended(drawn.state, each, order)]
        if len(ended) < len(decisions):  # the time of the others runs on, and has cost nothing yet
            kept = time_kept(session, ended, at, ending)
            if answers != timed(timely, kept):
                answers = timed(timely, kept)
                drawn = self._resolved(answers)
        step = session.step(at, cause, answers=answers, act=kept, drawn=drawn)
        session.append(step)
        if step.entry.act is not None or step.before.stood != step.after.stood:
            recount(session)
        for draft in [each for decision in closed for each in drafts(session, decision)]:
            session.record.discard(draft)
        for paper in [each for decision in asked if decision not in left for each in binding(session, decision)]:
            self._not_used(paper, Illegal("binding.over"))
        voting.roll_out(session, closed, at)
        return step.entry.seq

    def _is_ended(self, after: AnyState, decision: Decision, order: AnyOrder) -> bool:
        """Has its player rolled out, and only what that brings waits for answers of others?"""
        session = self.session
        return order == session.rules.closing(session.state, decision) and session.rules.stands_still(after, decision)

    def _resolved(self, answers: Sequence[Answer[AnyOrder]]) -> Drawn:
        """What happens of these answers, and what was drawn. Raises `Illegal`, before anything is drawn."""
        return resolve(self.session.rules, self.session.state, answers, self.session.chance)

    # -- what answers by itself ---

    def serve_filed(self, at: int) -> None:
        """Let advance and standing orders answer, until a question is left that none of them answers."""
        served = [True]
        while any(served) and self.session.record.filed():
            served = [self._serve(decision, at) for decision in self.session.pending()]

    def _serve(self, decision: Decision, at: int) -> bool:
        session = self.session
        if decision not in session.pending() or binding(session, decision):
            return False
        if session.rules.stands_still(session.state, decision):
            return False
        return any(self._serve_kind(decision, kind, at) for kind in ("advance", "standing"))

    def _serve_kind(self, decision: Decision, kind: str, at: int) -> bool:
        session, files = self.session, self.session.rules.files
        known = [(order_of(session, each), each) for each in filed(session, decision.seat, kind)]
        slot = slot_of(session.record.slots(), decision) if kind == "advance" else None
        if slot is not None:  # of many orders, those that were written since it was asked are for the next time
            known = [(order, each) for order, each in known if each.at < slot.opened or not files.is_numbered(order)]
        found = files.serve(session.state, decision, [order for order, _ in known])
        if found is None:
            return False
        used = next(each for order, each in known if order is found[0])
        try:
            self.play(decision.seat, found[1], [decision], at, Cause(kind=kind))
        except Illegal as refusal:
            self._not_used(used, refusal)
            return kind == "advance" and files.is_numbered(found[0])  # those behind it are tried, too
        if kind == "advance":
            session.record.discard(used)
        return kind == "advance" or decision not in session.pending()  # it would serve again for ever

    def _not_used(self, kept: FiledOrder, refusal: Illegal) -> None:
        """It is spent; a standing order waits for a better time."""
        if kept.kind != "standing":
            self.session.record.discard(kept)
            self.session.unused.append((kept, refusal))

    # -- what could be taken back up to now ---

    def bind(self, decision: Decision, at: int) -> None:
        """Play what is on file for a question to be played at an instant of its own: it counts from its filing."""
        session, papers = self.session, binding(self.session, decision)
        for kept in papers:
            if not session.rules.stands_still(session.state, decision):
                self._bind(kept, at)
        if papers:
            close_answered(self.session)
            recount(self.session)
            self.serve_filed(at)

    def _bind(self, kept: FiledOrder, at: int) -> None:
        """One order, as one answer to all the questions that it was filed for."""
        session, slots = self.session, self.session.record.slots()
        known = [(each, one) for each in session.pending() for one in binding(session, each) if _is_one(kept, one)]
        decisions = list(dict.fromkeys(each for each, _ in known))
        starts = [slot.started or 0 for each in decisions if (slot := slot_of(slots, each))]
        ending = Ending(by=kept.seat, deputy=kept.deputy, filed=max([kept.at, *starts]))
        cause = Cause(kind="letter", letter=kept.letter or None)
        try:
            if known:
                self.play(Seat(kept.seat), order_of(session, kept), decisions, at, cause, ending)
        except Illegal as refusal:
            self._not_used(kept, refusal)
        for _, one in known:
            session.record.discard(one)

    # -- the clock ---

    def lapse(self, decision: Decision, at: int, by: str = CLOCK, witness: str = "", why: str = "") -> None:
        """The time for this decision is ended: what was written stands, order by order; nothing new is made up.

        `why` is the reason of who presides, if the time was ended by hand: then it tells nothing of the player.
        """
        session = self.session
        self.bind(decision, at)
        if decision not in session.pending():
            return
        written: Sequence[AnyOrder] = [order_of(session, each) for each in drafts(session, decision)]
        ending = Ending(by=by, witness=witness, written=bool(written), why=why)
        kept = time_kept(session, [decision], at, ending)
        late = kept.closings[0].late if kept else 0
        while decision in session.pending():
            held_up = self._held_up_by(decision)
            if held_up is not None:  # the defaults answer, as often as the order asks
                self.lapse(held_up, at, by=by, why=why)
                continue
            lapse = session.rules.lapse(session.state, decision, written, late)
            ending, written = replace(ending, lapsed=(*ending.lapsed, *lapse.notes)), lapse.left
            self.play(decision.seat, lapse.order, [decision], at, Cause(kind="lapse"), ending)
        if not why and decision.seat != MODERATOR:
            silence.notice(session, decision.seat, at)
        self.serve_filed(at)

    def _held_up_by(self, turn: Decision) -> Decision | None:
        """What is asked first, where an order of a turn that is ended hangs on answers."""
        if not turn.is_turn or not self.session.rules.stands_still(self.session.state, turn):
            return None
        return next((each for each in self.session.pending() if each != turn), None)

    def run_out(self, until: int) -> list[Slot]:
        """Do all that the clock has to do before an instant; returns the slots that are overdue since, and open.

        A slot is deemed to be closed at the first instant after its end, whatever the daemon's lag. What is asked in
        the place of what was closed has no slot yet.
        """
        overdue: dict[str, Slot] = {}
        while (slot := first_due(self.session, until)) is not None:
            decision = asked_in(self.session, slot)
            if decision is not None and slot.due is not None and binding(self.session, decision):
                self.bind(decision, slot.due + 1)
            elif slot.closes is not None and slot.due == slot.closes - 1:
                overdue.pop(slot.key, None)
                self._close(slot, slot.closes)
            else:
                overdue[slot.key] = reckoned(self.session, replace(slot, overdue=slot.deadline))
                self.session.record.put_slot(overdue[slot.key])
        return list(overdue.values())

    def _close(self, slot: Slot, at: int) -> None:
        decision = asked_in(self.session, slot)
        if decision is not None:
            self.lapse(decision, at)
        elif is_petition(slot):
            voting.count(self.session, at)
        self.session.record.close_slot(slot.key)

    # -- putting right ---

    def correct(self, at: int, lines: Sequence[AnyOrder], act: Act) -> None:
        """Put the position right as a play file's `given` lines do. Raises `Impossible`; then nothing has changed."""
        self.session.enter(at, Cause(kind="given"), events=self.session.rules.given(self.session.state, lines), act=act)
        self._drop([each for each in self.session.record.filed() if each.binds is not None])
        recount(self.session)

    def rewind(self, at: int, then: Position, act: Act) -> None:
        """Take the game to a position that it has been in."""
        self.session.go_back(at, then, act)
        self._drop([each for each in self.session.record.filed() if each.binds is not None])
        recount(self.session)

    def drop(self, since: int) -> None:
        """Throw away what was put on file for one time after an instant that the game has gone back to."""
        self._drop([each for each in self.session.record.filed() if each.kind != "standing" and each.at > since])

    def _drop(self, papers: Sequence[FiledOrder]) -> None:
        for each in papers:
            self.session.record.discard(each)
        self.session.dropped += papers


def _is_one(kept: FiledOrder, other: FiledOrder) -> bool:
    """Are they one answer of one letter to several questions? Those to the same one are played one after another."""
    alike = (kept.seat, kept.text, kept.letter, kept.at) == (other.seat, other.text, other.letter, other.at)
    return kept == other or (alike and kept.key.split("#")[0] != other.key.split("#")[0])
