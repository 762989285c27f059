"""A yes to what we proposed: it says just that, once, while it stands and nothing else is said."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from msgspec import Struct
from msgspec.structs import replace

from pbem.core.game import AnyOrder
from pbem.core.refusal import Illegal
from pbem.host.clock.time_sheet import sheet
from pbem.host.governance import voting
from pbem.host.play.results import TooLate
from pbem.host.session.acts import Rewound
from pbem.host.session.proposal import Found, Proposal
from pbem.host.session.session import Session
from pbem.language.answers import Question
from pbem.language.ballots import Ballot
from pbem.language.closings import says_nothing
from pbem.language.command import UNREAD
from pbem.language.statements import Reading, Statement
from pbem.language.tokens import fold, tokenize
from pbem.language.words import TABLES

_YES = frozenset(fold(way) for way in TABLES["implied"]["for"])

_QUESTION = Question({}, freely="alone")

Proposed = Callable[[], Found | None]  # what a yes in the letter may be about


class Agreement(Struct, frozen=True, kw_only=True):
    """A line that begins with a yes, in a letter that may be about a proposal."""

    yes: Statement[AnyOrder]
    proposal: Proposal
    alone: bool  # does the letter say nothing else?
    refusal: Illegal | None = None  # None: what is proposed is to be done

    @property
    def lines(self) -> Sequence[str]:
        """What it says."""
        return self.proposal.text.splitlines()


def agreement(
    session: Session,
    seat: str,
    reading: Reading[AnyOrder],
    proposed: Proposed | None,
    *,
    votes: bool,
    presides: bool = False,
) -> Agreement | None:
    """None where the letter is about no proposal of that kind.

    `votes`: it answers a petition, on which a yes may be a vote. `presides`: what was proposed are a moderator's words.
    """
    yes = _yes_in(reading)
    found = proposed() if proposed and yes else None
    if yes is None or found is None or found.proposal.presides != presides or (votes and found.named is False):
        return None
    alone = len(reading.statements) == 1
    said = Agreement(yes=yes, proposal=found.proposal, alone=alone)
    over = _why_not(session, seat, found)
    if over or (votes and not found.named):
        which = Illegal("proposal.or_vote", read=yes.text, open=voting.names_open(session))
        return replace(said, refusal=over or which) if alone else None
    if alone and (yes.motion or assents(yes)) and all(says_nothing(line, seat) for line in reading.passed):
        return said
    facts = {"kind": found.proposal.kind, "plays": found.proposal.plays} if alone else {}
    return replace(said, refusal=Illegal("proposal.noted", read=yes.text, **facts))


def _yes_in(reading: Reading[AnyOrder]) -> Statement[AnyOrder] | None:
    """The line that is a yes or begins with one, and names no petition."""
    return next((each for each in reading.statements if _is_yes(each)), None)


def _is_yes(statement: Statement[AnyOrder]) -> bool:
    said = statement.motion
    if isinstance(said, Ballot):
        return said.implied and said.vote == "for"
    return statement.command is UNREAD and (tokenize(statement.text, 1)[0].text in _YES or assents(statement))


def assents(statement: Statement[AnyOrder]) -> bool:
    """Is it what people say for yes, whatever was asked?"""
    said = _QUESTION.answer([statement.text]) if statement.command is UNREAD else None
    return said is not None and said.yes


def _why_not(session: Session, seat: str, found: Found) -> Illegal | None:
    """Why it stands no more."""
    proposal, done = found.proposal, session.position.done
    back = any(isinstance(each.act, Rewound) and each.seq > proposal.seq for each in done)
    if _is_open(session, seat, proposal) and not back and not found.used:
        return None
    rows = [row for row in sheet(done) if (row.seat, row.turn) == (seat, proposal.turn) and row.seq > proposal.seq]
    end = rows[-1].end if rows and proposal.serials else None
    return TooLate("proposal.over", turn=proposal.turn, end=end, used=found.used and not back)


def _is_open(session: Session, seat: str, proposal: Proposal) -> bool:
    """What answers questions stands while they are open; what counts at once, while nothing has happened."""
    if proposal.serials:
        return {each.serial for each in session.pending() if each.seat == seat}.issuperset(proposal.serials)
    return session.position.seq == proposal.seq or not (proposal.plays or proposal.presides)
