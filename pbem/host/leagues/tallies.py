"""What is told of the petitions of a season: before the decision nobody hears of another's vote."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from pbem.host.leagues.naming import called
from pbem.host.messages.leagues import PetitionTold, SeasonPetitions
from pbem.host.session.unit_of_work import UnitOfWork
from pbem.league.council import binds_at_once, electors, majority_of
from pbem.league.state import Petition, Season

LAST = 5  # that are over, in the answer to `petitions`
SIDES = ("for", "against", "abstain")


def petitions_told(work: UnitOfWork, season: Season, numbers: Sequence[int], reader: int | None) -> SeasonPetitions:
    known = [season.petitions[number] for number in numbers]
    told = tuple(_told(work, petition, reader) for petition in known)
    mine = tuple(each.asked.number for each in known if each.status == "open" and reader in each.asked.electors)
    return SeasonPetitions(season=season.tag, petitions=told, answers=mine)


def listed(season: Season) -> list[int]:
    """Those that are open, and the last of the others."""
    over = [number for number, each in season.petitions.items() if each.status != "open"]
    return [*(number for number, each in season.petitions.items() if each.status == "open"), *over[-LAST:]]


def voting_seasons(work: UnitOfWork, person: int) -> list[str]:
    """Those under way in which somebody has a vote."""
    known = (each.season for each in work.repository.seasons_of(person))
    return [tag for tag in known if person in electors(work.season(tag).season)]


def _told(work: UnitOfWork, petition: Petition, reader: int | None) -> PetitionTold:
    asked, own = petition.asked, petition.votes.get(reader) if reader is not None else None
    shows = petition.status in ("passed", "failed")
    comments = ((called(work, person), vote.comment) for person, vote in petition.votes.items() if vote.comment)
    return PetitionTold(
        number=asked.number,
        kind=asked.kind,
        by=called(work, asked.person) if asked.person is not None else "",
        title=asked.title,
        text=asked.text,
        sets=tuple((key, value, binds_at_once(key)) for key, value in asked.sets),
        length=asked.length,
        start=asked.start,
        whom=called(work, asked.whom) if asked.whom is not None else "",
        closes=asked.closes,
        status=petition.status,
        ended=petition.ended,
        majority=majority_of(asked),
        electors=len(asked.electors),
        said=len(petition.votes),
        own=own.vote if own else "",
        votes=_sides(work, petition) if shows else {},
        comments=tuple(comments) if shows else (),
        why=petition.why,
    )


def _sides(work: UnitOfWork, petition: Petition) -> Mapping[str, tuple[str, ...]]:
    return {side: tuple(called(work, person) for person in petition.side(side)) for side in SIDES}
