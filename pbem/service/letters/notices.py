"""What is done beside the orders is told to everybody: who, what and why, and where the game stands now."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from pbem.service.clock.timing import slot_key
from pbem.service.letters.post import NoticeJob, to_member
from pbem.service.play.acts import (
    Accepted,
    Act,
    ActedFor,
    Announced,
    Away,
    Back,
    BotLeft,
    BotSeated,
    Closed,
    Consented,
    Corrected,
    DeadlineSet,
    Decided,
    Ejected,
    Ended,
    Interpreted,
    Objected,
    OptionSet,
    Petitioned,
    Promoted,
    Rejected,
    Rewound,
    Ruled,
    Seated,
    Withdrawn,
    read_act,
)
from pbem.service.play.referee import Step
from pbem.service.ports import Game, Paper, Post
from pbem.table.decision import Decision

TOLD = (
    Accepted,
    Away,
    Back,
    ActedFor,
    Announced,
    BotLeft,
    BotSeated,
    Closed,
    Consented,
    Corrected,
    DeadlineSet,
    Decided,
    Ejected,
    Ended,
    Interpreted,
    Objected,
    OptionSet,
    Petitioned,
    Promoted,
    Rejected,
    Rewound,
    Ruled,
    Seated,
    Withdrawn,
)


def changes_position(step: Step) -> bool:
    """Is the position after it another than orders have led to?"""
    entry = step.entry
    return entry.act is not None and not entry.answers and (entry.rewind_to is not None or bool(entry.events))


def notices(
    game: Game, steps: Sequence[Step], opened: Sequence[Decision], dropped: Sequence[Paper], now: int
) -> Iterator[Post]:
    """A letter for each of these acts to each player and each moderator; the last begins what is opened."""
    told = [step for step in steps if step.entry.act is not None and is_told(read_act(step.entry.act))]
    for step in told:
        is_last = step is told[-1]
        yield from _notice(game, step.entry.seq, opened if is_last else (), dropped if is_last else (), now)


def is_told(act: Act) -> bool:
    """Does each player get a letter? What follows from a petition is told with its result, but for the game's end."""
    return isinstance(act, TOLD) and not (isinstance(act, OptionSet) and act.by.startswith("petition "))


def _notice(game: Game, seq: int, opened: Sequence[Decision], dropped: Sequence[Paper], now: int) -> Iterator[Post]:
    for member in game.readers:
        if member.told >= seq:
            continue  # he has just sat down, and is told all in one letter
        job = NoticeJob(
            seq=seq,
            starts=tuple(slot_key(decision) for decision in opened if decision.seat == member.seat),
            dropped=tuple(paper.text for paper in dropped if paper.seat == member.seat),
        )
        yield to_member(game, member, f"{seq}.notice", job, now)
