"""The powers of a moderator over a game under way: each use is an act in its log, with who, what and why.

They work on a session and its record, so that letters, the command line and play files use the same ones.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any

from msgspec.structs import replace

from pbem.core.log import Entry, live
from pbem.core.refusal import DieNeeded, Illegal, Impossible, NotAwaited, Refusal, Unreadable
from pbem.core.seat import Seat
from pbem.host.clock.slots import note
from pbem.host.clock.time_sheet import sheet
from pbem.host.governance import petition_validity, silence
from pbem.host.governance.bot_seats import begin, end
from pbem.host.governance.remarks import rule
from pbem.host.moderation.consent import consent_of
from pbem.host.moderation.impartial import awaited_seats, check_impartial
from pbem.host.moderation.timekeeping import Timekeeper
from pbem.host.play.adjudicator import Adjudicator
from pbem.host.play.hearing import hear, rehearse
from pbem.host.play.results import Outcome, Result, Submission
from pbem.host.session.acts import Act
from pbem.host.session.acts.course import ActedFor, Announced, Closed, Corrected, Ended, OptionSet, Rewound, Struck
from pbem.host.session.bots import held
from pbem.host.session.budget import check_words
from pbem.host.session.position import Position
from pbem.host.session.session import Session
from pbem.host.session.terms import Terms, changed, value_now
from pbem.language.powers import WITHOUT, IsOrder, Power, number_in, read_powers
from pbem.language.words import PRESS_WORDS

MOST = 20  # powers of one letter
_PARTS = re.compile(r"\s*;\s*")

Use = Callable[[Power], Outcome | None]  # of a power; None: it is done. It raises `Refusal`
Resolution = Callable[[], tuple[Sequence[Entry[Any, Any]], Sequence[Position]]]  # the whole log, and each position


def use_powers(lines: Sequence[str], do: Use, is_order: IsOrder | None = None) -> list[Result]:
    """Use the powers in these lines, in this order, up to the first that can't be; prose stands last."""
    written, prose = read_powers(lines, is_order)
    powers = [replace(power, refusal=power.refusal or _too_much(written[:n])) for n, power in enumerate(written, 1)]
    passed = [Result(outcome="passed", text=text, line=0) for text in prose]
    if any(power.refusal for power in powers):
        return [*map(_held, powers), *passed]
    verdicts: list[Result] = []
    for power in powers:
        is_stopped = any(verdict.refusal for verdict in verdicts)
        verdicts.append(_held(power) if is_stopped else used(power, do))
    return [*verdicts, *passed]


def _too_much(powers: Sequence[Power]) -> Refusal | None:
    """Why one letter can't hold all of these."""
    try:
        if len(powers) > MOST:
            raise Illegal("power.too_many", most=MOST)
        check_words("press.too_long", *(text for power in powers for text in power.says))
    except Illegal as refusal:
        return refusal
    return None


def used(power: Power, do: Use) -> Result:
    """What becomes of a power when it is used so."""
    try:
        outcome = do(power) or "done"
    except Refusal as refusal:
        return Result(outcome="refused", text=power.text, line=power.line, refusal=refusal)
    return Result(outcome=outcome, text=power.text, line=power.line)


class Chair:
    """Somebody who presides over a game, for the length of one letter.

    `terms` are those in force, `course` tells the whole log with the blank position and the one after each entry.
    """

    def __init__(
        self,
        session: Session,
        terms: Callable[[], Terms],
        course: Resolution,
        *,
        by: str,
        now: int,
        zone: str = "UTC",
        seat: str = "",
    ) -> None:
        self.session = session
        self._time = Timekeeper(session, by=by, now=now, zone=zone)
        self.by = by
        self.now = now
        self._own = seat  # where whoever presides plays
        self._terms = terms
        self._course = course

    def hear(self, lines: Sequence[str]) -> list[Result]:
        """Use the powers in these lines."""
        return use_powers(lines, self.do, self.session.reader.is_order)

    def do(self, power: Power) -> None:
        """Raises `Refusal`; then nothing has changed."""
        check_impartial(self.session, power, self._own)
        match power.name:
            case "announce":
                self.announce("\n".join(power.says))
            case "act_for":
                self.act_for(power.fields["seat"], power.says, power.fields.get("reason", ""))
            case "validate":
                self._check_running()
                petition_validity.validate(self.session, number_in(power.fields["petition"]), self.by, self.now)
            case _:
                self._with_reason(power)

    def _with_reason(self, power: Power) -> None:
        if not power.why:
            raise Illegal("power.why")
        fields = power.fields
        self._check_running()
        match power.name:
            case "pause" | "resume" | "extend" | "deadline":
                self._keep_time(power)
            case "strike":
                self.strike(self._seat(fields["seat"]), int(fields["turn"]), power.why)
            case "close":
                self.close(int(fields["turn"]), power.why)
            case "rewind":
                self.rewind(int(fields["turn"]), power.why)
            case "forward":
                self.forward(power.why)
            case "correct":
                self.correct(_PARTS.split(fields["given"]), power.why)
            case "option":
                self.set_option(fields["key"], fields["value"], power.why, fields.get("consent", ""))
            case "reject":
                number = number_in(power.fields["petition"])
                petition_validity.reject(self.session, number, self.by, self.now, power.why)
            case "uphold" | "dismiss":
                number, upheld = number_in(power.fields["objection"]), power.name == "uphold"
                rule(self.session, number, self.by, self.now, power.why, upheld=upheld)
            case "end":
                self.end(power.why, scored=not fields.get("scoring", "").lower().startswith(WITHOUT))
            case "bot":
                self.seat_bot(self._seat(fields["seat"]), power.why)
            case "no_bot":
                self.dismiss_bot(self._seat(fields["seat"]), power.why)
            case _:
                raise Illegal("power.not_here")

    def _keep_time(self, power: Power) -> None:
        fields = power.fields
        match power.name:
            case "pause":
                self._time.pause(fields.get("length", ""), power.why, fields.get("start", ""), fields.get("until", ""))
            case "resume":
                self._time.resume(power.why)
            case "extend":
                self._time.extend(self._seats(fields["seat"]), fields["length"], power.why)
            case "deadline":
                self._time.set_deadline(self._seats(fields["seat"]), fields["time"], power.why)

    def _seats(self, written: str) -> Sequence[Seat]:
        """One, or all whose time runs. Raises `Illegal`."""
        if written.casefold() not in PRESS_WORDS["EVERYBODY"]:
            return (self._seat(written),)
        running = [Seat(seat) for seat in awaited_seats(self.session)]
        if not running:
            raise Illegal("deadline.nobody")
        return running

    # -- words ---

    def announce(self, text: str) -> None:
        """Tell everybody something. Raises `Illegal`."""
        if not text.strip():
            raise Illegal("press.empty")
        check_words("press.too_long", text)
        self._note(Announced(by=self.by, text=text))

    # -- in the place of players ---

    def act_for(self, seat: str, lines: Sequence[str], why: str = "") -> None:
        """Give orders in the place of a player: all of them, or none. Raises `Refusal`."""
        self._check_running()
        player = self._seat(seat)
        text = "\n".join(lines)
        refused = self._tried(player, lines)
        if isinstance(refused, NotAwaited):
            raise Illegal("act.not_awaited", seat=player)
        if refused is not None:
            raise refused
        self._note(ActedFor(by=self.by, seat=player, text=text, why=why))
        hear(self.session, player, lines, Submission(at=self.now, cause="moderator"))

    def _tried(self, seat: Seat, lines: Sequence[str]) -> Refusal | None:
        """What would be refused of these orders; those from the first die on are not tried."""
        verdicts = rehearse(self.session, seat, lines, self.now)
        if any(verdict.aside for verdict in verdicts):
            return Illegal("power.only_orders")
        refusal = next((verdict.refusal for verdict in verdicts if verdict.refusal), None)
        if isinstance(refusal, DieNeeded):
            return None
        played = any(verdict.outcome in ("played", "filed", "drafted", "withdrawn") for verdict in verdicts)
        return refusal or (None if played else Illegal("letter.empty"))

    def close(self, turn: int, why: str) -> None:
        """End the time of all that is awaited. The turn is named, so that none is closed that has just begun."""
        self._check_running()
        if turn != self.session.position.turn:
            raise Illegal("close.other_turn", read=turn, now=self.session.position.turn)
        self._note(Closed(by=self.by, turn=turn, why=why))
        adjudicator = Adjudicator(self.session)
        for decision in self.session.pending():
            adjudicator.lapse(decision, self.now, by=self.by, why=why)

    def strike(self, seat: Seat, turn: int, why: str) -> None:
        """Let what the move order sheet tells of a seat in a turn count for nothing. Raises `Illegal`."""
        rows = [row for row in sheet(self.session.position.done) if row.closing.seat == seat and row.turn == turn]
        if not rows:
            raise Illegal("strike.nothing", seat=seat, turn=turn)
        if all(row.void for row in rows):
            raise Illegal("strike.void", seat=seat, turn=turn)
        self._note(Struck(by=self.by, seat=seat, turn=turn, why=why))
        silence.reconsider(self.session, self.now)

    def seat_bot(self, seat: Seat, why: str) -> None:
        """Let a bot answer for a seat, till its player writes or somebody else sits down. Raises `Illegal`."""
        if seat in held(self.session.position.done):
            raise Illegal("bot.already", seat=seat)
        begin(self.session, seat, self.now, by=self.by, why=why)

    def dismiss_bot(self, seat: Seat, why: str) -> None:
        """Let no bot answer there any more. Raises `Illegal`."""
        if seat not in held(self.session.position.done):
            raise Illegal("bot.none", seat=seat)
        end(self.session, seat, self.now, by=self.by, why=why)

    # -- the course of the game ---

    def rewind(self, turn: int, why: str) -> None:
        """Go back to the beginning of a turn. Raises `Illegal`."""
        entries, positions = self._course()
        now = self.session.position
        then = next((each for each in _begun(entries, positions) if each.turn == turn), None)
        if then is None or turn < 1:
            raise Illegal("rewind.unknown", read=turn, now=now.turn)
        if not _moves(entries, then.seq):
            raise Illegal("rewind.nothing", turn=turn)
        adjudicator = Adjudicator(self.session)
        adjudicator.rewind(self.now, then, Rewound(by=self.by, turn=turn, why=why))
        adjudicator.drop(entries[then.seq].at)
        silence.reconsider(self.session, self.now)

    def forward(self, why: str) -> None:
        """Take the last rewinding back, unless something has been played since. Raises `Illegal`."""
        entries, positions = self._course()
        last = next((entry for entry in reversed(entries) if entry.rewind_to is not None or _is_move(entry)), None)
        if last is None or last.rewind_to is None or (last.act and last.act.get("forward")):
            raise Illegal("forward.nothing")
        then = positions[last.seq]
        Adjudicator(self.session).rewind(self.now, then, Rewound(by=self.by, turn=then.turn, why=why, forward=True))

    def correct(self, lines: Sequence[str], why: str) -> None:
        """Put the position right, as lines of a play file's `given` do. Raises `Refusal`."""
        self._check_running()
        given = [self.session.reader.given(line, 1) for line in lines]
        try:
            Adjudicator(self.session).correct(self.now, given, Corrected(by=self.by, lines=tuple(lines), why=why))
        except Impossible as impossible:
            raise impossible.refusal from None

    def set_option(self, key: str, value: str, why: str, consent: str = "") -> None:
        """Let an option have another value from now on. A running game needs the players' consent, on record."""
        self._check_running()
        if not consent:
            raise Illegal("option.consent", key=key, value=value)
        terms, rules = self._terms(), self.session.rules
        changed(terms, rules, key, value)
        agreed = consent_of(self.session, consent, key, value)
        was = value_now(terms, rules, key)
        self._note(OptionSet(by=self.by, key=key, value=value, was=was, why=why, consent=agreed))

    def end(self, why: str, *, scored: bool) -> None:
        """End the game before its end, with the scores as they stand or without."""
        self._check_running()
        self._note(Ended(by=self.by, why=why, scored=scored))
        if scored:
            self.session.stop(self.now)

    # -- what they share ---

    def _note(self, act: Act) -> None:
        note(self.session, self.now, act)

    def _check_running(self) -> None:
        if self.session.has_ended:
            raise Illegal("game.over")

    def _seat(self, name: str) -> Seat:
        try:
            return Seat(self.session.reader.seat(name))
        except Unreadable as problem:
            raise Illegal(problem.code, **problem.facts) from None


def _held(power: Power) -> Result:
    outcome: Outcome = "refused" if power.refusal else "held"
    return Result(outcome=outcome, text=power.text, line=power.line, refusal=power.refusal)


def _begun(entries: Sequence[Entry[Any, Any]], positions: Sequence[Position]) -> list[Position]:
    """The positions in which a turn began that still counts, each once."""
    kept = [positions[entry.seq + 1] for entry in live(entries)]
    return [position for position in kept if position.since == position.seq + 1]


def _is_move(entry: Entry[Any, Any]) -> bool:
    return bool(entry.events) or bool(entry.answers)


def _moves(entries: Sequence[Entry[Any, Any]], after: int) -> bool:
    """Is there anything to take back behind this entry?"""
    return any(_is_move(entry) for entry in live(entries) if entry.seq > after)
