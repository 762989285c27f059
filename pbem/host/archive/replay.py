"""Play a play file through the session and compare what is expected."""

from __future__ import annotations

import re
from collections.abc import Callable, Container, Iterator, Mapping, Sequence

from pbem.core.chance import Chance, Lots, NoLots, Scripted, Undrawn
from pbem.core.game import AnyOrder, AnyRules, Registry, complete, game_of
from pbem.core.refusal import DieNeeded, Illegal, Impossible, Refusal
from pbem.core.seat import Seat
from pbem.host.archive.outcome import Outcome
from pbem.host.archive.playfile import (
    Expectation,
    Failed,
    PlayFile,
    PlayFileError,
    Step,
    lot_pairs,
    no_header,
    read_play,
    without_comment,
)
from pbem.host.calendar.zones import HOUR, MINUTE
from pbem.host.clock.slots import first_due, renew_slots, start_slots
from pbem.host.clock.timing import slot_key, slot_of
from pbem.host.commands.table import COMMANDS
from pbem.host.governance.substitutes import answer
from pbem.host.moderation.moderation import Moderation
from pbem.host.play.absences import as_deputy
from pbem.host.play.adjudicator import Adjudicator
from pbem.host.play.bots import answer as bot_answer
from pbem.host.play.executor import hear
from pbem.host.play.results import Result, Submission
from pbem.host.ports import Slot
from pbem.host.reporting.chapters import blank
from pbem.host.session.absences import is_bots
from pbem.host.session.actors import DEPUTY, moderator
from pbem.host.session.acts import Done
from pbem.host.session.position import positions
from pbem.host.session.record import Notebook
from pbem.host.session.session import LoadedGame, Session, load_game
from pbem.host.session.terms import Changes, Terms, changes, in_force, terms_of
from pbem.language.absences import part_deputy
from pbem.language.answers import SEAT, Consent
from pbem.language.parser import Parser

_MOVED = re.compile(r"\+([0-9]{1,7})(h|min)?")
_LAPSED = re.compile(r"lapse(?: \+([0-9]{1,7})(h|min)?)?")
Sentence = Callable[[Refusal], str]


class Replay:
    """One play file being played. `sentence` words refusals; `chance` draws lots the file does not give."""

    def __init__(self, text: str, games: Registry, sentence: Sentence, chance: Chance | None = None) -> None:
        self.play: PlayFile = read_play(text)
        self.sentence = sentence
        self.record = Notebook()
        self._games = games
        self._agreed = _agreed(self.play, games)
        self._tables: dict[Changes, LoadedGame] = {}
        self.now = 0
        self._dice: list[int] = []  # that no entry has drawn
        self._drawn = 0  # entries of which the dice are gone
        self.session = self._seated(chance or self._chance())
        self._check(self.play.expected, [], 0)

    def run(self) -> None:
        """Raises `Failed` at the first thing that is not as expected, `PlayFileError` for what can't be read."""
        for step in self.play.steps:
            before = len(self.record.entries)
            results = self._step(step)
            self._check_refusals(step, results)
            self._check(step.expected, results, before)
        left = self._left()
        if left:
            raise Failed(self.play.steps[-1].line, f"{len(left)} dice are left over")

    def document(self) -> Mapping[str, object]:
        return self.session.document()

    def equip(self, done: Sequence[Done]) -> LoadedGame:
        """The rules and terms that are in force after what was done."""
        changed = changes(done)
        if changed not in self._tables:
            self._tables[changed] = load_game(self._games, COMMANDS, in_force(self._agreed, changed))
        return self._tables[changed]

    # -- the beginning ---

    def _seated(self, chance: Chance) -> Session:
        try:
            loaded = self.equip(())
            self._check_lots(loaded.rules)
            self._blank = blank(loaded)
            session = Session(self.equip, loaded.parser, self.record, self._blank, self._chance)
            Adjudicator(session).open(0, chance, self._lots(loaded.parser, loaded.rules.notation.plain_lots))
        except ValueError as problem:
            raise PlayFileError(self._lots_line(), "; ".join(str(problem).splitlines())) from None
        except Refusal as refusal:
            raise PlayFileError(self._lots_line(), self.sentence(refusal)) from None
        self._lay_out(session)
        return session

    def _chance(self, entry: str | None = None) -> Chance:
        """What an entry draws, or the opening: from the file's secret, else as `dice>` and the header give it."""
        if self.play.secret:
            return Lots(self.play.secret, self._agreed.setup.game, entry)
        return NoLots() if entry is None else Scripted(self._left(), entry)

    def _left(self) -> Sequence[int]:
        """The dice that are left; of the secret's none is written down."""
        entries = self.record.entries
        if not self.play.secret:
            del self._dice[: sum(len(entry.draws) for entry in entries[max(1, self._drawn) :])]
        self._drawn = len(entries)
        return self._dice

    def _check_lots(self, rules: AnyRules) -> None:
        for word, line, _ in self.play.lots:
            if word not in (*rules.notation.lots, *rules.notation.plain_lots):
                raise no_header(line, word)

    def _lots(self, parser: Parser[AnyOrder], plain: Container[str]) -> dict[str, list[tuple[str, str]]]:
        return {
            word: [(seat, name if word in plain else " + ".join(_named(parser, name, line))) for seat, name in pairs]
            for word, line, pairs in ((word, line, lot_pairs(text)) for word, line, text in self.play.lots)
        }

    def _lots_line(self) -> int:
        return self.play.lots[0][1] if self.play.lots else 1

    def _lay_out(self, session: Session) -> None:
        if not self.play.given:
            return
        try:
            lines = [session.parser.given(text, line) for line, text in self.play.given]
            Adjudicator(session).lay_out(0, lines)
        except Impossible as impossible:
            line, text = self.play.given[impossible.line]
            raise PlayFileError(line, f"given {text}: {self.sentence(impossible.refusal)}") from None
        except Refusal as refusal:
            raise PlayFileError(getattr(refusal, "line", 1), self.sentence(refusal)) from None

    # -- steps ---

    def _step(self, step: Step) -> Sequence[Result]:
        if step.speaker == "dice":
            self._dice.extend(_faces(step))
            return []
        try:
            return self._said(step)
        except Undrawn as absent:
            said, refusal = "\n".join(step.lines), Illegal("dice.none", purpose=absent.purpose)
            return [Result(outcome="refused", text=said, line=step.line, refusal=refusal)]

    def _said(self, step: Step) -> Sequence[Result]:
        self._hand_over()
        self.now += 1
        if step.speaker == "clock":
            self._clock(step)
            return []
        if step.speaker == "moderator":
            return self._moderation().hear(step.lines)
        plays = step.speaker in self.play.setup.seats
        parser = self.session.parser
        own, parts = part_deputy(step.lines, parser.without_press(step.lines), parser.seats)
        if parts and (plays or not any(own)):
            results = self._hear(step, own) if any(own) else []
            return [*results, *(each for seat, lines in parts.items() for each in self._deputy(step, seat, lines))]
        consent = SEAT.answer(step.lines) if not plays else None
        if consent is not None:
            return [self._substitute(step, consent)]
        if not plays:
            raise PlayFileError(step.line, f"{step.speaker} has no seat here")
        if not step.lines:
            raise PlayFileError(step.line, f"{step.speaker} says nothing")
        return self._hear(step, step.lines)

    def _hear(self, step: Step, lines: Sequence[str]) -> Sequence[Result]:
        return hear(self.session, Seat(step.speaker), lines, Submission(at=self.now, holds=True))

    def _deputy(self, step: Step, seat: str, lines: Sequence[str]) -> Sequence[Result]:
        """Somebody writes for a player who is away; one who does not play here is called as before the @."""
        plays = step.speaker in self.play.setup.seats
        person = None if plays else self.record.candidate(step.speaker, self.now)
        by = step.speaker if plays else DEPUTY
        try:
            return as_deputy(self.session, person, Seat(seat), lines, Submission(at=self.now, deputy=by, holds=True))
        except Illegal as refusal:
            return [Result(outcome="refused", text="\n".join(step.lines), line=step.line, refusal=refusal)]

    def _substitute(self, step: Step, consent: Consent) -> Result:
        """Somebody who does not play yet would take a seat."""
        person = self.record.candidate(step.speaker, self.now)
        try:
            answer(self.session, person, consent, self.now)
        except Illegal as refusal:
            return Result(outcome="refused", text=step.lines[0], line=step.line, refusal=refusal)
        return Result(outcome="done", text=step.lines[0], line=step.line)

    def _moderation(self) -> Moderation:
        return Moderation(
            self.session,
            lambda: in_force(self._agreed, changes(self.session.position.done)),
            lambda: (self.record.entries, positions(self.session.rules, self._blank, self.record.entries)),
            by=moderator(),
            now=self.now,
        )

    def _clock(self, step: Step) -> None:
        text = " ".join(map(without_comment, step.lines)).strip()
        moved = _MOVED.fullmatch(text)
        lapsed = _LAPSED.fullmatch(text)
        if lapsed:
            self._lapse_all(_seconds(lapsed) if lapsed[1] else None)
        elif moved:
            self._move_clock(self.now + _seconds(moved))
        else:
            raise PlayFileError(
                step.line, f"{text!r}: the clock can `lapse`, also `lapse +0h`, or move, as in +25h or +5min"
            )

    def _lapse_all(self, after: int | None) -> None:
        """The time of all that is awaited runs out, whoever may end it: when it is over, or after so many seconds.

        What stands still meanwhile has no time that could.
        """
        self.now += after or 0
        rules, state = self.session.rules, self.session.state
        for decision in [each for each in self.session.pending() if not rules.stands_still(state, each)]:
            slot = slot_of(self.record.slots(), decision) if after is None else None
            self.now = max(self.now, self._end(slot) if slot else 0)
            Adjudicator(self.session).lapse(decision, self.now)

    def _end(self, slot: Slot) -> int:
        """When the clock ends it, or the first instant at which others may."""
        return slot.closes or (slot.deadline or 0) + self.session.rules.timely + 1

    def _move_clock(self, until: int) -> None:
        """Whatever runs out on the way lapses when it does."""
        while (due := self._next_due(until)) is not None:
            self.now = max(self.now, (due.due or 0) + 1)
            if is_bots(due):
                self._let_bot_answer(due)
            Adjudicator(self.session).run_out(self.now)
            self._hand_over()
        self.now = until

    def _next_due(self, until: int) -> Slot | None:
        due = filter(None, (first_due(self.session, until, by_bot=by_bot) for by_bot in (False, True)))
        return min(due, key=lambda slot: slot.due or 0, default=None)

    def _let_bot_answer(self, slot: Slot) -> None:
        bot = game_of(self._games, self.play.setup).bots[self.session.terms.level]
        fault = bot_answer(self.session, bot, slot.key, self.now)
        if fault:
            raise Failed(1, f"the bot could not answer for {slot.seat}: {fault}")

    def _hand_over(self) -> None:
        """Notices are handed over at once."""
        renew_slots(self.session, self.now)
        start_slots(self.session, [slot_key(decision) for decision in self.session.pending()], self.now)

    # -- what is expected ---

    def _check_refusals(self, step: Step, results: Sequence[Result]) -> None:
        refusals = (each.refusal for each in results if each.outcome == "refused")
        refused = next((each for each in refusals if not isinstance(each, DieNeeded)), None)  # that is a note
        if refused and not any(each.sign == "!" for each in step.expected):
            raise Failed(step.line, f"refused ({refused.code}): {self.sentence(refused)}")

    def _check(self, expected: Sequence[Expectation], results: Sequence[Result], before: int) -> None:
        found = Outcome(
            session=self.session,
            left_out=game_of(self._games, self.play.setup).left_out,
            entries=self.record.entries[before:],
            results=results,
        )
        for expectation in expected:
            problem = found.problem(expectation)
            if problem:
                raise Failed(expectation.line, problem)


def _faces(step: Step) -> Iterator[int]:
    """The results of the next dice, in the order in which they are drawn."""
    for word in " ".join(map(without_comment, step.lines)).split():
        if not word.isdecimal() or int(word) < 1:
            raise PlayFileError(step.line, f"{word!r} is no face of a die: they begin with 1")
        yield int(word) - 1


def _seconds(said: re.Match[str]) -> int:
    return int(said[1]) * (MINUTE if said[2] == "min" else HOUR)


def _agreed(play: PlayFile, games: Registry) -> Terms:
    try:
        setup = complete(games, play.setup)
    except ValueError as problem:
        raise PlayFileError(1, str(problem)) from None
    try:
        return terms_of(setup)
    except ValueError as problem:
        raise PlayFileError(1, f"option: {problem}") from None


def _named(parser: Parser[AnyOrder], names: str, line: int) -> list[str]:
    """The ids of what was drawn: one thing, several with a plus between, or none."""
    return [parser.name(name, line) for name in names.split("+") if name.strip()]
