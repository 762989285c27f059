"""What somebody writes who leads a league: their powers over its season, one a line."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from pbem.host.leagues.naming import called
from pbem.host.lobby.policy import LobbyPolicy
from pbem.host.messages.replies import Reply
from pbem.host.messages.rows import mark, problem
from pbem.host.moderation.powers import use_powers
from pbem.host.organising.commands import ORGANISER_COMMANDS
from pbem.host.organising.organising import Organising
from pbem.host.play.results import Result
from pbem.host.ports import Letter, Person
from pbem.host.reporting.answers import verdict_line
from pbem.host.session.unit_of_work import UnitOfWork
from pbem.language.moderators import Power, part_moderator
from pbem.league.log import OPERATOR, organiser
from pbem.league.powers import is_expected


def leads(work: UnitOfWork, tag: str, person: Person, operator: str) -> bool:
    """May they lead that season? Whoever runs the server may lead all."""
    return person.id in work.season(tag).season.leaders or person.address == operator.lower()


def powers_in(
    work: UnitOfWork, tag: str, person: Person, lines: Sequence[str]
) -> tuple[Sequence[Power], Sequence[str]]:
    """What a letter of theirs says as an organiser, and the prose: who plays in the season, does so below the head."""
    own, presiding = part_moderator(lines)
    plays = is_expected(work.season(tag).season, person.id)
    return ORGANISER_COMMANDS.read(presiding or (() if plays else own))


def answer_organiser(
    work: UnitOfWork, policy: LobbyPolicy, tag: str, person: Person, operator: str, letter: Letter, now: int
) -> Reply:
    """The answer to powers, each with what became of it."""
    by = OPERATOR if person.address == operator.lower() else organiser(called(work, person.id))
    leading = Organising(work, work.season(tag), policy, now, by=by, person=person, via=mark(letter.id))
    results = use_powers(powers_in(work, tag, person, letter.lines), leading.do)
    return replace(answer_of(tag, results), told=tuple(leading.told))


def answer_of(tag: str, results: Sequence[Result]) -> Reply:
    return replace(problem(""), problem=None, season=tag, lines=tuple(map(verdict_line, results)))
