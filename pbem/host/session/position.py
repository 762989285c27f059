"""Where a game stands: the fold of its log."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import reduce

from msgspec import Struct
from msgspec.structs import replace

from pbem.core.decision import Decision
from pbem.core.game import AnyEntry, AnyRules, AnyState
from pbem.core.log import START, Count
from pbem.host.calendar.counting import Pause
from pbem.host.session.acts import ClockSet, Done, Ended, read_act
from pbem.host.session.effect import since

NAME = 20  # digits of a digest, by which what has no number is called


class Stood(Struct, frozen=True, kw_only=True):
    """A time in which none counted for a question, since others were answered first."""

    decision: Decision
    pause: Pause


class Position(Struct, frozen=True, kw_only=True):
    """A state of the game and the end of the log that led there."""

    state: AnyState
    seq: int = -1  # of the last entry
    prev: str = START
    count: Count = Count()  # the numbers by which the entries are known
    at: int = 0  # the latest instant of that log
    turn: int = 0  # the number of the chapter that is under way; 0 is the opening
    since: int = 0  # the first entry of that chapter
    answered: frozenset[tuple[int, str]] = frozenset()  # in this chapter: which questions, by whom
    done: tuple[Done, ...] = ()  # all that was done beside the orders, before a rewinding, too
    stood: tuple[Stood, ...] = ()  # of the questions that are open
    ended: bool = False  # by hand

    @property
    def name(self) -> str:
        """What letters of that moment are called by. It must not tell how many sealed entries there are."""
        is_apart = self.seq in self.count.sealed[-1:]
        return self.prev[:NAME] if is_apart else str(self.count.last)


def advanced(rules: AnyRules, position: Position, entry: AnyEntry) -> Position:
    """The position after an entry."""
    return reached(rules, position, entry, reduce(rules.apply, entry.events, position.state))


def reached(rules: AnyRules, position: Position, entry: AnyEntry, state: AnyState) -> Position:
    """The position after an entry whose events lead to this state; a new chapter begins after it ended one."""
    turned = position.seq < 0 or rules.chapter(state) != rules.chapter(position.state)
    answers = {(answer.decision.serial, answer.seat) for answer in entry.answers if answer.decision}
    return Position(
        state=state,
        seq=entry.seq,
        prev=entry.hash,
        count=position.count.after(entry),
        at=_latest(position, entry),
        turn=position.turn + turned,
        since=entry.seq + 1 if turned else position.since,
        answered=frozenset() if turned else position.answered | answers,
        done=_done(position, entry),
        stood=_stood(rules, position.stood, state, entry.at),
        ended=_ended_by_hand(position, entry),
    )


def _stood(rules: AnyRules, stood: tuple[Stood, ...], state: AnyState, at: int) -> tuple[Stood, ...]:
    """With what stands still from now on, and what no longer does."""
    pending = rules.pending(state)
    still = [each for each in pending if rules.stands_still(state, each)]
    if not still and not stood:
        return ()
    kept = [_ended(each, still, at) for each in stood if each.decision in pending]
    running = [each.decision for each in kept if each.pause.end is None]
    begun = (Stood(decision=each, pause=Pause(start=at)) for each in still if each not in running)
    return (*kept, *begun)


def _ended(one: Stood, still: Sequence[Decision], at: int) -> Stood:
    goes_on = one.pause.end is not None or one.decision in still
    return one if goes_on else replace(one, pause=replace(one.pause, end=at))


def rewound(position: Position, then: Position, entry: AnyEntry) -> Position:
    """The position after an entry that takes back all there was after `then`; what was done beside stays done."""
    done, ended = _done(position, entry), _ended_by_hand(position, entry)
    count, at = position.count.after(entry), _latest(position, entry)
    return replace(then, seq=entry.seq, prev=entry.hash, count=count, at=at, done=done, ended=ended)


def settled(before: Position, after: Position, entry: AnyEntry) -> Position:
    """The position after an entry whose number, veil and digest are known now."""
    after = replace(after, count=before.count.after(entry))
    *earlier, own = after.done or (None,)
    if own is None or own.seq != entry.seq:
        return replace(after, prev=entry.hash)
    return replace(after, prev=entry.hash, done=(*earlier, replace(own, is_veiled=_is_veiled(entry))))


def positions(rules: AnyRules, start: Position, entries: Iterable[AnyEntry]) -> list[Position]:
    """The position the entries begin from, and the one after each; none may go back behind the first."""
    found = [start]
    for entry in entries:
        back = entry.rewind_to
        if back is None:
            found.append(advanced(rules, found[-1], entry))
        else:
            found.append(rewound(found[-1], found[back - start.seq], entry))
    return found


def _latest(position: Position, entry: AnyEntry) -> int:
    """The latest instant of the log; one that was ahead of all others may have been put right."""
    is_set = entry.act is not None and entry.act["type"] == ClockSet.__struct_config__.tag
    return entry.at if is_set else since(entry.at, position.at)


def _done(position: Position, entry: AnyEntry) -> tuple[Done, ...]:
    if entry.act is None:
        return position.done
    done = Done(
        seq=entry.seq,
        at=entry.at,
        turn=position.turn,
        act=read_act(entry.act),
        back=entry.rewind_to,
        is_veiled=_is_veiled(entry),
    )
    return (*position.done, done)


def _is_veiled(entry: AnyEntry) -> bool:
    return bool(entry.veil and entry.veil.whole)


def _ended_by_hand(position: Position, entry: AnyEntry) -> bool:
    return position.ended or (entry.act is not None and entry.act["type"] == Ended.__struct_config__.tag)
