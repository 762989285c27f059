"""A letter is carried out: its orders are played or kept, and whatever else it says is done, one after another."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence

from msgspec.structs import replace

from pbem.core.decision import Decision
from pbem.core.filing import Triage
from pbem.core.game import AnyOrder, AnyRules, AnyState
from pbem.core.log import Cause
from pbem.core.refusal import DieNeeded, Illegal, NotAwaited
from pbem.core.seat import Seat
from pbem.host.clock.time_sheet import Ending
from pbem.host.governance import silence, voting
from pbem.host.play.adjudicator import Adjudicator
from pbem.host.play.agreeing import agreement, assents
from pbem.host.play.filing import Filing
from pbem.host.play.proposals import propose
from pbem.host.play.results import (
    Result,
    Submission,
    TooLate,
    aside,
    check_present,
    check_telling,
    closed,
    result,
    tried,
)
from pbem.host.play.suggestions import narrowed
from pbem.host.session.filed_orders import filed, left_open
from pbem.host.session.position import Position
from pbem.host.session.proposal import Proposal
from pbem.host.session.session import Session
from pbem.language.ballots import Ballot
from pbem.language.command import Command
from pbem.language.statements import Reading, Statement


class GameCommand(Command, frozen=True, kw_only=True):
    """Does something in a game that is under way, beside its orders."""

    do: Callable[[CommandExecutor, Statement[AnyOrder]], Result]  # it raises `Illegal`
    parts: Callable[[CommandExecutor, Statement[AnyOrder]], Iterable[Statement[AnyOrder]]] = lambda _, said: [said]
    again: Illegal | None = None  # the refusal of all but the last one of a letter, where that counts alone


class CommandExecutor:
    """Does what one seat's letter says in a game."""

    def __init__(self, session: Session, seat: Seat, submission: Submission) -> None:
        self.session = session
        self.seat = seat
        self.submission = submission
        self.adjudicator = Adjudicator(session)
        self.filing = Filing(session, seat, submission)
        self.torn: frozenset[int] = frozenset()  # petitions on which the letter votes in several ways
        self.alone = False  # does the letter say one thing only?

    @property
    def at(self) -> int:
        return self.submission.at

    @property
    def holds(self) -> bool:
        """May an answer still be taken back for a while?"""
        return self.submission.holds and self.session.terms.hold_minutes > 0

    @property
    def rules(self) -> AnyRules:
        return self.session.rules

    @property
    def state(self) -> AnyState:
        return self.session.state

    def execute(self, reading: Reading[AnyOrder]) -> list[Result]:
        """Do what the letter says, or try it out where it asks for that."""
        self.session.tried = None
        tries = any(statement.command.mode == "preview" for statement in reading.statements)
        results = self._preview(reading) if tries else self.do(reading)
        if is_secret(self.session, self.session.position, self.seat):
            return results
        if any(each.outcome == "binds" for each in results):
            foreseen = self._foreseen()
            self.session.tried = foreseen if foreseen.steps else None
        if self.submission.letter:
            self.session.proposal = self.session.proposal or self._proposed(reading, results)
            return narrowed(self.session, self.seat, reading.statements, results, self._rehearse)
        return results

    def _rehearse(self, lines: Sequence[str]) -> Sequence[Result]:
        return rehearse(self.session, self.seat, lines, self.at)

    def _foreseen(self) -> Session:
        """What will have been played when all that is on file binds, as far as it hangs on no others and no die."""
        copy = self.session.copy(self.seat)
        adjudicator = Adjudicator(copy)
        for decision in copy.pending():
            adjudicator.bind(decision, self.at)
        return copy

    def _proposed(self, reading: Reading[AnyOrder], results: Sequence[Result]) -> Proposal | None:
        said = [each for each in reading.statements if each.command.mode != "draft"]
        if len(said) < len(reading.statements):
            return None
        play = self.session.parser.commands.by_name["play"]
        tried = _previewed(said, play) if any(each.command.mode == "preview" for each in said) else said
        return propose(self.session, self.seat, tried, results, self._rehearse)

    def agreed(self, reading: Reading[AnyOrder]) -> Reading[AnyOrder]:
        """A yes alone to what we proposed says just that; with more around it, it is not clear what it says."""
        votes = voting.answers_petition(self.session, self.answered) and not self.submission.deputy
        said = agreement(self.session, self.seat, reading, self.submission.proposed, votes=votes)
        if said is None:
            return self._unclear(reading)
        if said.refusal is None:
            self.session.agreed = True
            return self.session.parser.read(said.lines)
        is_noted = said.refusal.code == "proposal.noted" and said.alone
        self.session.proposal = said.proposal if is_noted else None
        return _refusing(reading, said.yes, said.refusal)

    def _unclear(self, reading: Reading[AnyOrder]) -> Reading[AnyOrder]:
        """A yes alone that answers nothing which we asked."""
        if len(reading.statements) != 1 or not assents(reading.statements[0]):
            return reading
        (yes,) = reading.statements
        return _refusing(reading, yes, Illegal("yes.unclear", read=yes.text, open=voting.names_open(self.session)))

    def do(self, reading: Reading[AnyOrder]) -> list[Result]:
        """Do what can be done; the results stand in the order written, prose last."""
        passed = [Result(outcome="passed", text=text, line=0) for text in reading.passed]
        if reading.stopped:
            return [*(self.filing.hold(statement) for statement in reading.statements), *passed]
        return [*self._do_all(reading.statements), *passed]

    def _preview(self, reading: Reading[AnyOrder]) -> list[Result]:
        """What the letter would do, on a copy with what the writer has on file: that of the others is sealed."""
        orders = _previewed(reading.statements, self.session.parser.commands.by_name["play"])
        refusal = self._why_no_preview(orders)
        if refusal:
            return [aside(o) if o.command.aside else result("refused", o, refusal=refusal) for o in orders]
        copy = self.session.copy(self.seat)
        self.session.tried = copy
        on_copy = CommandExecutor(copy, self.seat, replace(self.submission, letter=None, holds=False))
        return [tried(found) for found in on_copy.do(replace(reading, statements=orders))]

    def _why_no_preview(self, orders: Sequence[Statement[AnyOrder]]) -> Illegal | None:
        if is_secret(self.session, self.session.position, self.seat):
            return Illegal("preview.secret")
        asks_for_draft = [order.command.name for order in orders if not order.command.aside] == ["play"]
        return Illegal("preview.empty") if asks_for_draft and not filed(self.session, self.seat, "draft") else None

    def _do_all(self, statements: Sequence[Statement[AnyOrder]]) -> list[Result]:
        """In the order written, but for petitions and votes: those count before the writer rolls out."""
        self.alone = len(statements) == 1
        said = [each.motion for each in statements if isinstance(each.motion, Ballot)]
        self.torn = voting.torn(self.session, said, self.answered)
        motions = [self._do(each, drafting=False) for each in statements if each.motion]
        orders = self._do_orders([each for each in statements if not each.motion])
        return sorted([*motions, *orders], key=lambda each: each.line)

    def _do_orders(self, statements: Sequence[Statement[AnyOrder]]) -> list[Result]:
        drafting = False
        results: list[Result] = []
        for number, statement in enumerate(statements, 1):
            if results and isinstance(results[-1].refusal, DieNeeded):  # what follows hangs on it, too
                results.append(result("refused", statement, refusal=results[-1].refusal))
            elif statement.command.mode == "draft":
                drafting = True
            elif (again := _said_again(statement, statements[number:])) is not None:
                results.append(result("refused", statement, refusal=again))
            else:
                results += self._do_parts(statement, drafting=drafting)
        return results

    def _do_parts(self, statement: Statement[AnyOrder], *, drafting: bool) -> Iterator[Result]:
        """One after another, up to the first that is refused."""
        command = statement.command
        for part in command.parts(self, statement) if isinstance(command, GameCommand) else [statement]:
            done = self._do(part, drafting=drafting)
            self.adjudicator.serve_filed(self.at)
            yield done
            if done.outcome == "refused":
                return

    def _do(self, statement: Statement[AnyOrder], *, drafting: bool) -> Result:
        try:
            return self._carry_out(statement, drafting=drafting)
        except Illegal as refusal:
            return self.filing.refused(statement, refusal)

    def _carry_out(self, statement: Statement[AnyOrder], *, drafting: bool) -> Result:
        if self.session.has_ended and not statement.command.aside:
            raise TooLate("game.over")
        match statement.command:
            case GameCommand() as command:
                return command.do(self, statement)
            case Command(aside=True):
                return aside(statement)
            case _:
                return self._order(statement, drafting=drafting)

    def check_said(self, words: str, *, is_told: bool) -> None:
        """Raises `Illegal` for what the others must not read, and where a letter would tell them all too much."""
        if self.submission.check_words:
            self.submission.check_words(words)
        if is_told:
            self.check_telling(words)

    def check_telling(self, words: str = "") -> None:
        """Raises `Illegal` where a letter would tell all the others too much."""
        check_telling(self.session, self.seat, self.submission, words)

    @property
    def answered(self) -> int:
        """The last entry that the letter tells of which is answered; -1 for none."""
        return self.submission.seen.seq if self.submission.seen else -1

    def _order(self, statement: Statement[AnyOrder], *, drafting: bool) -> Result:
        """In some games an answer is played only when its writer says so, or by the clock."""
        waits = self.session.terms.finality == "on_rollout" and self.submission.cause == "letter"
        try:
            decisions = self.rules.address(self.state, self.seat, statement.ordered)
        except NotAwaited as refusal:
            if drafting:
                raise
            return self._early(statement, closed(self.session, self.seat, self.submission, refusal))
        if drafting or (waits and decisions):
            return self.filing.draft(statement, decisions or self._long())
        if self.holds and decisions:
            return self.filing.bind(statement, decisions)
        return self.played(statement, statement.ordered, decisions, self.submission.cause)

    def _long(self) -> Sequence[Decision]:
        """The writer's questions that stay open for many orders: what answers none may stand on their draft, too."""
        return [each for each, _ in left_open(self.session, self.seat)][:1]

    def played(
        self, statement: Statement[AnyOrder], order: AnyOrder, decisions: Sequence[Decision], kind: str
    ) -> Result:
        """Play an order as the answer to these questions. Raises `Illegal`."""
        check_present(self.session, self.submission, decisions)
        if self.submission.deputy and not decisions:
            raise Illegal("deputy.not_asked", seat=self.seat)
        cause = Cause(kind=kind, letter=self.submission.letter)
        ending = Ending(by=self.seat, deputy=self.submission.deputy)
        played = self.adjudicator.play(self.seat, order, decisions, self.at, cause, ending)
        return result("played", statement, seq=played)

    def _early(self, statement: Statement[AnyOrder], refusal: Illegal) -> Result:
        """Some orders need no word to wait for their question."""
        match self.rules.files.triage(self.state, statement.ordered):
            case Triage.FILE if not self.submission.deputy:
                return self.filing.file(statement, "advance")
            case Triage.IGNORE:
                return result("nothing", statement)
            case _:
                raise refusal


def hear(
    session: Session,
    seat: Seat,
    lines: Sequence[str],
    submission: Submission,
    is_power: Callable[[str], bool] | None = None,
) -> list[Result]:
    """Read a letter's lines and do what can be done; the results stand in the order written, prose last."""
    reading = session.parser.read(lines, is_power)
    if submission.cause == "letter":
        silence.broken(session, seat, submission.at)
    executor = CommandExecutor(session, seat, submission)
    return executor.execute(executor.agreed(reading))


def rehearse(session: Session, seat: Seat, lines: Sequence[str], at: int) -> list[Result]:
    """What these orders would do; nothing changes."""
    return CommandExecutor(session.copy(seat), seat, Submission(at=at)).do(session.parser.read(lines))


def _refusing(reading: Reading[AnyOrder], one: Statement[AnyOrder], refusal: Illegal) -> Reading[AnyOrder]:
    """The same with one of its lines refused."""
    statements = (replace(each, refusal=refusal) if each is one else each for each in reading.statements)
    return replace(reading, statements=tuple(statements))


def is_secret(session: Session, position: Position, seat: Seat | None) -> bool:
    """Has somebody else answered a question that is still open to others? A preview would tell that answer."""
    open_ = {decision.serial for decision in session.rules.pending(position.state)}
    return any(serial in open_ and who != seat for serial, who in position.answered)


def _previewed(statements: Sequence[Statement[AnyOrder]], play: Command) -> tuple[Statement[AnyOrder], ...]:
    """The orders that are tried; the word alone is about the draft on file."""
    orders = tuple(statement for statement in statements if statement.command.mode != "preview")
    if any(not order.command.aside for order in orders):
        return orders
    word = next(statement for statement in statements if statement.command.mode == "preview")
    return (replace(word, command=play), *orders)


def _said_again(statement: Statement[AnyOrder], later: Sequence[Statement[AnyOrder]]) -> Illegal | None:
    """Why it does not count: what is said later in the letter takes its place."""
    command = statement.command
    counts_once = isinstance(command, GameCommand) and any(each.command is command for each in later)
    return command.again if isinstance(command, GameCommand) and counts_once else None
