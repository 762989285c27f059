"""What our letters tell of petitions: what is asked, who has voted how, and what became of it."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from pbem.host.governance.remarks import Objection, interpretations, objections
from pbem.host.messages import parts, sections
from pbem.host.session.acts import Accepted, Act, Decided, Done, Petitioned, Rejected, Withdrawn
from pbem.host.session.petitions import ABSOLUTE, Petition, name, open_petitions, petitions

LAST = 5  # petitions that are over and bind nobody, in the answer to `petitions`
RULINGS = ("change", "clarify")


def tally(petition: Petition) -> parts.Petition:
    """A petition as a letter tells it."""
    asked = petition.asked
    return parts.Petition(
        name=name(petition.number),
        kind=asked.kind,
        by=asked.by,
        title=asked.title,
        text=asked.text,
        sets=asked.sets,
        start=max(petition.ended, asked.start or 0) if petition.ended and asked.length else asked.start,
        length=asked.length,
        closes=asked.closes,
        status=petition.status,
        ended=petition.ended,
        absolute=asked.kind in ABSOLUTE,
        unanimous=asked.unanimous,
        votes={vote: petition.side(vote) for vote in ("for", "against", "quorum")},
        silent=petition.silent,
        rejected=petition.rejected,
        comments=tuple((seat, vote.comment) for seat, vote in petition.votes.items() if vote.comment),
        seat=asked.seat,
        found=petition.candidate is not None,
        named=asked.substitute is not None,
        waits=_waits(petition),
        vacant=petition.vacant,
        empty=asked.is_vacancy,
    )


def _waits(petition: Petition) -> str:
    """For whom it stays open."""
    asked = petition.asked
    if petition.status != "open" or not petition.about_person or asked.by == asked.seat:
        return ""
    return asked.seat if asked.kind == "replace" else asked.title.partition(":")[0]


def told_of(act: Act, done: Sequence[Done], *, ended: bool = False) -> parts.Petition | None:
    """The petition that an act is about, if it is about one, as it stands after all that was done."""
    if not isinstance(act, Petitioned | Withdrawn | Rejected | Decided | Accepted):
        return None
    told = next(tally(petition) for petition in petitions(done) if petition.number == act.number)
    return replace(told, status="void") if ended and told.status == "open" else told


def still_open(done: Sequence[Done]) -> tuple[parts.Petition, ...]:
    return tuple(map(tally, open_petitions(done)))


def register(done: Sequence[Done]) -> tuple[parts.Petition, ...]:
    """What the players have ruled by petition."""
    return tuple(tally(petition) for petition in petitions(done) if _binds(petition))


def _binds(petition: Petition) -> bool:
    return petition.status == "passed" and petition.asked.kind in RULINGS


def remarks(done: Sequence[Done]) -> tuple[parts.Remark, ...]:
    """How orders are to be read, and the objections to reports."""
    read = (
        parts.Remark(name=f"I-{said.number}", by=said.by, seat=said.seat, turn=said.turn, text=said.text)
        for said in interpretations(done)
    )
    return (*read, *(_objection(each) for each in objections(done)))


def _objection(objection: Objection) -> parts.Remark:
    said = objection.said
    return parts.Remark(
        name=f"O-{said.number}",
        by=said.by,
        seat="",
        turn=said.turn,
        text=said.text,
        status=objection.status,
        ruled=objection.by,
        why=objection.why,
    )


def listed(done: Sequence[Done], *, ended: bool = False) -> sections.Petitions:
    """Those that are open, all that bind, the last of the others; with the game all are over.

    See docs/reference/procedure.md, section 8.3.
    """
    over = [petition for petition in petitions(done) if petition.status != "open"]
    others = [petition for petition in over if not _binds(petition)][-LAST:]
    told = tuple(tally(petition) for petition in over if _binds(petition) or petition in others)
    if ended:
        return sections.Petitions(open=(), over=(*told, *void(done)), remarks=remarks(done))
    return sections.Petitions(open=still_open(done), over=told, remarks=remarks(done))


def void(done: Sequence[Done]) -> tuple[parts.Petition, ...]:
    """Those that were open when the game ended: nobody decides them any more."""
    return tuple(replace(open_, status="void") for open_ in still_open(done))
