"""What one player says to all the others beside orders and press has a limit in one letter, and in a day."""

from __future__ import annotations

from pbem.core.refusal import Illegal
from pbem.host.calendar.zones import DAY
from pbem.host.play.results import Submission
from pbem.host.session.acts import Act, Away, Back, Interpreted, Objected, Petitioned, Withdrawn, read_act
from pbem.host.session.budget import TOLD, TOLD_A_DAY, check_words
from pbem.host.session.session import Session


def check_telling(session: Session, seat: str, submission: Submission, words: str = "") -> None:
    """Raises `Illegal` when all the others have had letters enough because of this player, where that is limited.

    `words`: what they shall read.
    """
    if not submission.is_limited:
        return
    acts = [read_act(step.entry.act) for step in session.steps if step.entry.act]
    told = [act for act in acts if _tells(act, seat)]
    if len(told) >= TOLD:
        raise Illegal("told.letter", most=TOLD)
    if words:
        before = (text for act in told for text in _words(act))
        code = "petition.too_long"
        check_words(code, *before, words, further=len(told))
    mine = [each.at for each in session.position.done if _tells(each.act, seat)][-TOLD_A_DAY:]
    if len(mine) == TOLD_A_DAY and mine[0] > submission.at - DAY:
        raise Illegal("told.day", most=TOLD_A_DAY, at=mine[0] + DAY)


def _tells(act: Act, seat: str) -> bool:
    return isinstance(act, Away | Back | Petitioned | Withdrawn | Interpreted | Objected) and act.by == seat


def _words(act: Act) -> tuple[str, ...]:
    match act:
        case Petitioned(title=title, text=text):
            return title, text
        case Interpreted(text=text) | Objected(text=text):
            return (text,)
        case _:
            return ()
