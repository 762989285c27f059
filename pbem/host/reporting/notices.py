"""What is done beside the orders is told to everybody: who, what and why, and where the game stands now."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from pbem.core.decision import Decision
from pbem.host.calendar.zones import DAY
from pbem.host.clock.timing import slot_key
from pbem.host.messages.rows import NoticeJob, TallyJob, post_once, to_member
from pbem.host.messages.sections import Deed
from pbem.host.ports import FiledOrder, Game, Member, OutboxRow, Repository
from pbem.host.session import acts
from pbem.host.session.actors import petition_number
from pbem.host.session.acts import Act, Done, entered
from pbem.host.session.session import Step

SILENT = (  # which no notice tells: of some there are other letters
    acts.Dealt,
    acts.Deemed,
    acts.Offered,
    acts.Paused,
    acts.Resumed,
    acts.TimeKept,
    acts.Validated,
    acts.Voted,
)


def changes_position(step: Step) -> bool:
    """Is the position after it another than orders have led to? An opening, whoever has dealt for it, is the first."""
    entry = step.entry
    has_moved = entry.rewind_to is not None or bool(entry.events)
    return entry.act is not None and entry.cause.kind != "opening" and not entry.answers and has_moved


def notices(
    game: Game, steps: Sequence[Step], opened: Sequence[Decision], dropped: Sequence[FiledOrder], now: int
) -> Iterator[OutboxRow]:
    """A letter for each of these acts to each player and each moderator; the last begins what is opened."""
    told = [step for step in steps if step.act is not None and is_told(step.act)]
    for step in told:
        is_last = step is told[-1]
        yield from _notice(game, step, opened if is_last else (), dropped if is_last else (), now)


def is_told(act: Act) -> bool:
    """Does each player get a letter? What follows from a petition is told with its result, but for the game's end.

    That a seat is empty has been told when it became so.
    """
    follows = isinstance(act, acts.OptionSet) and petition_number(act.by) is not None
    agreed = isinstance(act, acts.BotSeated) and act.agreed
    return (
        not isinstance(act, SILENT)
        and not follows
        and not agreed
        and not (isinstance(act, acts.Petitioned) and act.is_vacancy)
    )


def _notice(
    game: Game, step: Step, opened: Sequence[Decision], dropped: Sequence[FiledOrder], now: int
) -> Iterator[OutboxRow]:
    seq, act, what = step.entry.seq, step.after.done[-1].act, f"{step.after.name}.notice"
    for member in game.readers:
        if member.told >= seq:
            continue  # who has just sat down is told all in one letter
        starts = tuple(slot_key(decision) for decision in opened if decision.seat == member.seat)
        gone = tuple(paper.text for paper in dropped if paper.seat == member.seat)
        if _has_said_so(member, act) and not starts and not gone:
            continue
        yield to_member(game, member, what, NoticeJob(seq=seq, starts=starts, dropped=gone), now)


def _has_said_so(member: Member, act: Act) -> bool:
    """Is it about this player's own absence? The answer to the letter that said so has told all of it."""
    return isinstance(act, acts.Away | acts.Back) and act.by == member.seat


def deeds(done: Iterable[Done]) -> tuple[Deed, ...]:
    """What all were told of that is no order."""
    told = (each for each in done if is_told(each.act) or isinstance(each.act, acts.Paused | acts.Resumed))
    return tuple(Deed(at=each.at, turn=each.turn, kind=_tag(each.act), act=entered(each.act)) for each in told)


def _tag(act: Act) -> str:
    return str(type(act).__struct_config__.tag)


# -- how the votes stand ---


def queue_tallies(repository: Repository, game: Game, steps: Sequence[Step], now: int) -> None:
    """For each day of the petitions that were just posted: one letter tells of all that are open by then.

    See docs/reference/procedure.md, section 10.
    """
    closings = [step.act.closes for step in steps if isinstance(step.act, acts.Petitioned)]
    for due in range(now + DAY, max(closings, default=now), DAY):
        name = f"tally.{due // DAY}"  # a day has one, by whichever petition was first to ask for it
        post_once(repository, (to_member(game, member, name, TallyJob(), now, due) for member in game.readers))
