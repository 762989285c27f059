"""Petitions: what the players ask each other, and what they have said to it (docs/reference/procedure.md, section 5).

All of it follows from what was done in the game. Nothing is retroactive: what is decided binds from then on.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from pbem.core.refusal import Illegal
from pbem.core.voting import Majority, decided
from pbem.host.session import acts
from pbem.host.session.actors import petition_number
from pbem.host.session.acts import Done, standing
from pbem.host.session.effect import beside_time, follows
from pbem.language.ballots import Vote

Status = Literal["open", "passed", "failed", "withdrawn", "rejected"]

ABSOLUTE = ("change", "remove", "finish", "abort")  # more than half of all electors, not only of those who take sides
ABOUT_PERSONS = ("replace", "remove")


class Petition(Struct, frozen=True, kw_only=True):
    """A petition as it stands."""

    asked: acts.Petitioned
    seq: int  # of the entry that posted it
    at: int
    turn: int  # during which it was posted
    votes: Mapping[str, acts.Voted]  # by seat
    frozen: frozenset[str] = frozenset()  # seats whose votes stay as they are
    status: Status = "open"
    ended: int | None = None
    validated: bool = False  # it is in order, as whoever presides has found
    rejected: str = ""  # why it was not
    offered: frozenset[int] = frozenset()  # people who have been asked to take the seat
    candidate: int | None = None  # who would take it
    filled: bool = False  # have they sat down?

    @property
    def vacant(self) -> bool:
        """Was it decided that somebody else is to have the seat, who has not sat down yet?"""
        return self.asked.kind == "replace" and self.status == "passed" and not self.filled

    @property
    def about_person(self) -> bool:
        """Does it name somebody, who is to have the time to say something?"""
        return self.asked.kind in ABOUT_PERSONS

    @property
    def majority(self) -> Majority:
        return "all" if self.asked.unanimous else "half" if self.asked.kind in ABSOLUTE else "more"

    @property
    def number(self) -> int:
        return self.asked.number

    @property
    def name(self) -> str:
        """How letters call it."""
        return name(self.number)

    @property
    def silent(self) -> tuple[str, ...]:
        """The electors who may still vote and have not."""
        return tuple(seat for seat in self.asked.electors if seat not in self.votes and seat not in self.frozen)

    def side(self, vote: Vote) -> tuple[str, ...]:
        """The electors who count for this vote; a frozen seat that has said nothing is Quorum."""
        return tuple(seat for seat in self.asked.electors if self.counted(seat) == vote)

    def counted(self, seat: str) -> Vote | None:
        """What an elector counts as; None while that is open."""
        if seat not in self.votes:
            return "quorum" if seat in self.frozen else None
        return self.standing(seat) or "quorum"

    def standing(self, seat: str) -> Vote | None:
        """The last vote of an elector from there: who takes the seat over speaks beside it, and does not wipe it."""
        vote = self.votes.get(seat)
        return None if vote is None else vote.vote if vote.counts else vote.stands

    def result(self, at: int, closes: int) -> bool | None:
        """Has it passed or failed? None while that depends on those who have not voted, and there is time left."""
        silent = 0 if at >= closes else len(self.silent)
        pro, contra = len(self.side("for")), len(self.side("against"))
        return decided(self.majority, pro, contra, len(self.asked.electors), silent)


@follows
def petitions(done: Sequence[Done]) -> tuple[Petition, ...]:
    """All there have been, by number."""
    found: dict[int, Petition] = {}
    for place, each in enumerate(done := beside_time(done)):
        match each.act:
            case acts.Petitioned(number=number) as asked:
                own = acts.Voted(by=asked.by, number=number, vote="for", counts=asked.counts)
                votes = {asked.by: own} if asked.by in asked.electors else {}
                found[number] = Petition(asked=asked, seq=each.seq, at=each.at, turn=each.turn, votes=votes)
                if asked.is_vacancy:
                    found[number] = replace(found[number], status="passed", ended=each.at)
            case acts.Voted(number=number) as vote:
                found[number] = replace(found[number], votes={**found[number].votes, vote.by: vote})
            case acts.Deemed() as deemed:
                for number in deemed.numbers:
                    found[number] = replace(found[number], frozen=found[number].frozen | {deemed.seat})
            case acts.Rewound():
                found = {number: _thawed(one, done[: place + 1]) for number, one in found.items()}
            case acts.Withdrawn(number=number):
                found[number] = replace(found[number], status="withdrawn", ended=each.at)
            case acts.Validated(number=number):
                found[number] = replace(found[number], validated=True)
            case acts.Rejected(number=number) as rejected:
                found[number] = replace(found[number], status="rejected", ended=each.at, rejected=rejected.why)
            case acts.Decided(number=number) as decided:
                status: Status = "passed" if decided.passed else "failed"
                found[number] = replace(found[number], status=status, ended=each.at)
            case acts.Offered(number=number) as offer:
                found[number] = replace(found[number], offered=found[number].offered | {*offer.people})
            case acts.Accepted(number=number) as answer:
                found[number] = replace(found[number], candidate=answer.person if answer.yes else None)
            case acts.Seated(by=by) if (brought := petition_number(by)) is not None:
                found[brought] = replace(found[brought], filled=True)
            case _:
                pass
    return tuple(found.values())


def _thawed(petition: Petition, done: Sequence[Done]) -> Petition:
    """While it is open, only those stay frozen whose rolling out still counts after the game has been rewound."""
    if petition.status != "open":
        return petition
    kept = [each.act for each in standing(done) if isinstance(each.act, acts.Deemed)]
    return replace(petition, frozen=frozenset(act.seat for act in kept if petition.number in act.numbers))


def name(number: int) -> str:
    return f"P-{number}"


def petition_of(done: Sequence[Done], number: int) -> Petition:
    """The one of that number. Raises `Illegal`."""
    known = {petition.number: petition for petition in petitions(done)}
    if number not in known:
        open_ = tuple(each.name for each in known.values() if each.status == "open")
        raise Illegal("petition.unknown", read=name(number), open=open_)
    return known[number]


def check_open(petition: Petition) -> None:
    """Raises `Illegal` for one that is over."""
    if petition.status != "open":
        votes = {"pro": len(petition.side("for")), "contra": len(petition.side("against"))}
        raise Illegal("petition.over", name=petition.name, status=petition.status, ended=petition.ended, **votes)


def about_seat(done: Sequence[Done], seat: str | None = None) -> tuple[Petition, ...]:
    """Those to replace somebody that are not settled: open, or passed without anybody sitting there yet."""
    return tuple(
        petition
        for petition in petitions(done)
        if petition.asked.kind == "replace"
        and seat in (None, petition.asked.seat)
        and (petition.status == "open" or petition.vacant)
    )


def open_petitions(done: Sequence[Done]) -> tuple[Petition, ...]:
    return tuple(petition for petition in petitions(done) if petition.status == "open")
