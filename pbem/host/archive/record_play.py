"""The game's record as a play file: `pbem replay` plays it to the same state document."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from pbem.core.decision import MODERATOR, Decision
from pbem.core.game import AnyEntry
from pbem.core.log import live
from pbem.host.calendar.counting import forced_late
from pbem.host.calendar.zones import HOUR, MINUTE
from pbem.host.clock.timing import Timing
from pbem.host.ports import Game, Slot, Unknown
from pbem.host.reporting.chapters import act_of, deputy_in, done_in, order_text, time_kept_in
from pbem.host.session.actors import BOT, CLOCK, DEPUTY
from pbem.host.session.acts import Act, Closed, Closing, Corrected, Done, Ended, OptionSet, TimeKept
from pbem.host.session.petitions import petitions
from pbem.host.session.session import LoadedGame
from pbem.host.session.terms import Terms, changes, in_force, setup_of
from pbem.host.session.unit_of_work import UnitOfWork, read_entries

PLAYED = (
    "finality",
    "bots",
    "hold_minutes",
)  # options that have done their work: a record says what was played, and when
# So have these: the hours of a record are those that counted.
COUNTED = ("clock_zone", "idle_days", "holidays", "quiet_hours", "away_days")
_REMARKS = {"lapse": "  # time ran out", "bot": "  # a bot"}  # by cause


def play_text(work: UnitOfWork, game: Game) -> str:
    """Raises `Unknown` for a game that has not begun."""
    loaded = work.games.load(game)
    entries = read_entries(loaded.rules, work.repository, game.id)
    if not entries:
        raise Unknown(f"{game.id} has not begun yet")
    return play_file(game.id, loaded, entries)


def play_file(game: str, loaded: LoadedGame, entries: Sequence[AnyEntry]) -> str:
    """The log of a game, or its beginning, as a play file; what was taken back is left out."""
    opening, *steps = _counting(entries)
    return "\n".join([*_header(game, loaded, opening), "", *_steps(loaded, steps)]) + "\n"


def _counting(entries: Sequence[AnyEntry]) -> list[AnyEntry]:
    """What was not taken back, and the options that were set: those stay in force."""
    kept = {entry.seq for entry in live(entries)}
    return [entry for entry in entries if entry.seq in kept or isinstance(act_of(entry), OptionSet)]


def _header(game: str, loaded: LoadedGame, opening: AnyEntry) -> Iterator[str]:
    setup = setup_of(loaded.terms)
    yield f"# The record of {game}."
    for word in ("game", "edition", "board", "setup"):
        if value := getattr(setup, word):
            yield f"{word:<8} {value}"
    yield f"seats    {' '.join(setup.seats)}"
    for word, text in loaded.rules.lots(opening.events).items():
        yield f"{word:<8} {text}"
    for key, value in sorted(setup.options.items()):
        if key in PLAYED:
            continue
        yield f"option   {key} {value}"


def _steps(loaded: LoadedGame, entries: list[AnyEntry]) -> Iterator[str]:
    said: dict[tuple[str, int, str], Decision | None] = {}
    done: list[Done] = []
    waited = -1  # the entry before which the hours have passed already
    for place, entry in enumerate(entries):
        act = act_of(entry)
        late = _late_over(act, entry, entries[place:])
        if late and late.seq != waited:
            waited = late.seq
            yield from _Time(loaded, [*done, *done_in([late])], time_kept_in(late)).until_late()
        done += done_in([entry])
        yield from _as_moderator(act, loaded)
        if entry.cause.kind == "stop" and not any(isinstance(each.act, Ended) for each in done):
            yield from _as_agreed(entries)
        for answer in entry.answers[:1]:
            text = order_text(loaded, answer.order)
            if entry.cause.kind == "lapse" and _is_our_word(loaded, text):
                text = ""
            serial = answer.decision.serial if answer.decision else -entry.seq
            before = said.setdefault((answer.seat, serial, text), answer.decision)
            if before in (None, answer.decision):  # one word may answer two questions that are asked at once
                time = _Time(loaded, done, time_kept_in(entry), has_passed=entry.seq == waited)
                later = entries[place + 1].answers if place + 1 < len(entries) else ()
                goes_on = any(each.decision == answer.decision for each in later)
                yield from _step(entry, answer.seat, text, time, goes_on=goes_on)


def _is_our_word(loaded: LoadedGame, text: str) -> bool:
    """Is it written as a word of the host? On a draft it would not stand."""
    said = loaded.parser.read(text.splitlines()).statements if text else ()
    return any(each.order is None for each in said)


def _late_over(act: Act | None, entry: AnyEntry, rest: Sequence[AnyEntry]) -> AnyEntry | None:
    """Which answer, while it was late already, was given to the clock to end: its hours come before that.

    Afterwards they could not pass without the clock's ending it at the first of them.
    """
    if not isinstance(act, OptionSet) or act.key != "policy" or act.value != "auto":
        return None
    late = next((each for each in rest if _is_turn(each)), None)
    kept = time_kept_in(late) if late else None
    began = kept.closings[0].start if kept and kept.closings else None
    return late if began is not None and began <= entry.at else None


def _is_turn(entry: AnyEntry) -> bool:
    return any(answer.decision and answer.decision.is_turn for answer in entry.answers)


def _as_agreed(entries: Sequence[AnyEntry]) -> Iterator[str]:
    """The petition by which the game was finished; of its votes, those that made it pass."""
    finish = next(p for p in reversed(petitions(done_in(entries))) if p.asked.kind == "finish" and p.status == "passed")
    yield f"{finish.asked.by}> petition finish"
    yield from (f"{seat}> for" for seat in finish.side("for") if seat != finish.asked.by)


def _as_moderator(act: Act | None, loaded: LoadedGame) -> Iterator[str]:
    """What was done beside the orders and changes how the game goes on."""
    seats = loaded.terms.setup.seats
    match act:
        case OptionSet() if act.key in loaded.rules.options.needs_petition:
            yield f"{seats[0]}> petition change"
            yield f"  SET {act.key} = {act.value}"
            yield from (f"{seat}> for" for seat in seats[1 : len(seats) // 2 + 1])
        case OptionSet() if act.key not in (*PLAYED, *COUNTED):
            yield f"moderator> option {act.key} = {act.value} with consent of all players: {act.why}"
        case Corrected():
            yield f"moderator> correct {'; '.join(act.lines)}: {act.why}"
        case Ended():
            yield f"moderator> end {'with' if act.scored else 'without'} scores: {act.why}"


def _step(entry: AnyEntry, seat: str, text: str, time: _Time, *, goes_on: bool) -> Iterator[str]:
    """Time that ran out over a turn is the clock's word; over a smaller question it is the answer it stood for.

    Of a turn that goes on after this order, the clock has the word at its end.
    """
    if entry.draws:
        yield f"dice> {' '.join(str(draw.result + 1) for draw in entry.draws)}"
    lapsed = entry.cause.kind == "lapse" or not text
    turn = _is_turn(entry)
    if not lapsed or not turn:
        yield from time.until_late() if turn else ()
        remark = _written_by(entry) or _REMARKS.get(entry.cause.kind, "")
        yield f"{seat}> {_indented(text)}" + (remark if seat != MODERATOR else "")  # powers have no remarks
        return
    if text:
        yield f"{seat}> draft"
        yield f"  {_indented(text)}"
    if not goes_on:
        yield from time.ended(seat, entry.at)


def _written_by(entry: AnyEntry) -> str:
    """A remark on who wrote it: a replay has no days, so nobody is away in it."""
    deputy = deputy_in(entry)
    return f"  # written by {deputy if deputy != DEPUTY else 'a deputy'}" if deputy else ""


class _Time:
    """The clock of a record: hours pass only where somebody was late, for the other times it need not be set."""

    def __init__(
        self, loaded: LoadedGame, done: Sequence[Done], kept: TimeKept | None, *, has_passed: bool = False
    ) -> None:
        self._agreed = loaded.terms
        self._timely = loaded.rules.timely
        self._done = done
        self._kept = kept
        self._has_passed = has_passed  # the hours before this answer have been written

    def until_late(self, *, after_grace: bool = False) -> Iterator[str]:
        """So many whole slots as the answer was late by; others may end its time when the grace is over, too."""
        closing = self._closing
        if closing and closing.late and not self._has_passed:
            terms = self._terms(closing)
            first = terms.slot_hours + terms.grace_hours if after_grace else 0
            yield f"clock> {self._late(max(first, closing.late * terms.slot_hours), closing)}"

    def ended(self, seat: str, at: int) -> Iterator[str]:
        """Who ended the time of a turn: another player, the moderator, or the clock itself."""
        kept = self._kept
        closed = next((each for each in reversed(self._done) if isinstance(each.act, Closed)), None)
        by = kept.by if kept else CLOCK
        if closed and closed.at == at and isinstance(closed.act, Closed) and by in (closed.act.by, CLOCK):
            yield from self.until_late()
            yield f"moderator> close turn {closed.act.turn}: {closed.act.why}"
        elif kept and by not in (seat, CLOCK, BOT):
            yield from self.until_late(after_grace=True)
            yield f"{by}> rollout {seat}" + (f" witness {kept.witness}" if kept.witness else "")
        else:
            yield f"clock> lapse{self._unlike_the_clock()}"

    def _unlike_the_clock(self) -> str:
        """After how many hours it lapsed, where that was not when slot and grace were over: a bot is never late."""
        closing = self._closing
        if closing is None or self._has_passed:
            return ""
        terms = self._terms(closing)
        if terms.policy == "auto" and closing.late == forced_late(terms.slot_hours, terms.grace_hours):
            return ""
        return f" {self._late(closing.late * terms.slot_hours, closing)}"

    def _late(self, hours: int, closing: Closing) -> str:
        """So many hours; the first that make it late, where a game leaves some seconds, are over by those."""
        if not self._timely or closing.late != 1:
            return f"+{hours}h"
        return f"+{hours * HOUR // MINUTE + -(-self._timely // MINUTE)}min"

    @property
    def _closing(self) -> Closing | None:
        return next(iter(self._kept.closings), None) if self._kept else None

    def _terms(self, closing: Closing) -> Terms:
        """The hours and the grace that it had."""
        slot = Slot(key="", seat=closing.seat, opened=0, started=closing.start)
        return Timing(terms=in_force(self._agreed, changes(self._done)), done=tuple(self._done)).terms_of(slot)


def _indented(text: str) -> str:
    first, *rest = text.split("\n")
    return "\n".join([first, *(f"  {line.strip()}" for line in rest)])
