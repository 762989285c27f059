"""What we propose to a moderator of whose powers not all were used, and what a yes to it says."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from typing import Literal

from pbem.host.play.results import Result
from pbem.host.session.proposal import Proposal
from pbem.host.session.session import Session
from pbem.language.moderators import ModeratorCommands, Power
from pbem.language.words import HEADS

MOST = 8  # lines of a letter that may be slips of a power: each is tried with all that stands below it

Try = Callable[[Sequence[str]], Sequence[Result]]  # what would become of these lines


def propose_powers(
    session: Session, seat: str | None, read: tuple[Sequence[Power], Sequence[str]], became: Sequence[str], try_: Try
) -> Proposal | None:
    """One text in the place of all that was not done; None where it is not certain.

    `became`: the outcomes of the powers. `seat`: where whoever wrote them plays, too.
    """
    powers, prose = read
    tried = bool(became) and all(each == "tried" for each in became)
    refused = became.index("refused") if "refused" in became else None
    lines: Sequence[str] | None = None
    if tried:
        lines = [line for power in powers for line in _lines(power)]
    elif refused is not None:
        lines = _mended(session, powers[refused:], try_)
    elif not became:
        lines = _meant(session, prose, try_)
    if lines is None:
        return None
    head = [f"{HEADS['moderator'][0]}:"] if seat else []
    now, text = session.position, "\n".join([*head, *lines])
    kind: Literal["preview", "mended"] = "preview" if tried else "mended"
    return Proposal(text=text, kind=kind, serials=(), seq=now.seq, turn=now.turn, plays=False, presides=True)


def _lines(power: Power) -> Sequence[str]:
    return [power.text, *power.below]


def _mended(session: Session, powers: Sequence[Power], try_: Try) -> Sequence[str] | None:
    """The powers from one that was refused on, which is put right."""
    first, *more = powers
    rest = [line for each in more for line in _lines(each)]
    return _only([line, *first.below, *rest] for line in _respelled(session, first.text, try_, [*first.below, *rest]))


def _meant(session: Session, prose: Sequence[str], try_: Try) -> Sequence[str] | None:
    """The line that is meant for a power, in a letter that has none; what stands below may belong to it."""
    commands, seats = session.parser.commands.moderators, session.parser.seats
    slips = (place for place, said in enumerate(prose) if any(commands.respelled(said, seats)))
    places = [*islice(slips, MOST + 1)]
    if len(places) > MOST:
        return None
    parted = ((prose[place], prose[place + 1 :]) for place in places)
    return _only([line, *below] for said, below in parted for line in _respelled(session, said, try_, below))


def _only(found: Iterator[Sequence[str]]) -> Sequence[str] | None:
    meant = [*found]
    return meant[0] if len(meant) == 1 else None


def _respelled(session: Session, line: str, try_: Try, below: Sequence[str]) -> Sequence[str]:
    commands: ModeratorCommands = session.parser.commands.moderators
    for lines in commands.respelled(line, session.parser.seats):
        found = [each for each in lines if {one.outcome for one in try_([each, *below])} <= {"tried", "passed"}]
        if found:
            return found
    return ()
