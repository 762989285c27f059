"""Deputies: who may write for a player that is away, and what of it (procedure.md, 8.3).

It works on a referee and his record, so that letters and play files do alike. A deputy answers what is asked of the
seat, as its player would. What a player says of his own will is not the deputy's: votes, press, gifts, settings, and
orders that would go on answering when the player is back.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from msgspec.structs import replace

from pbem.core.refusal import Illegal
from pbem.core.seat import Seat
from pbem.host.play.results import ReplyContext, Result, verdict
from pbem.host.ports import Game, Member, Person, Repository
from pbem.host.session.absences import OUTSIDER, Absence, absences
from pbem.host.session.acts import Away, Consented, Done
from pbem.language.deputies import read_consent
from pbem.language.statements import Reading, Statement

if TYPE_CHECKING:
    from pbem.host.play.referee import Referee

ANSWERS = ("", "order", "draft", "play", "preview", "show")
ASKS = ("help", "status", "board", "history", "rules", "clock", "petitions", "records", "moveorder")


def deputised(done: Sequence[Done], by: str, person: int | None, seat: str, at: int) -> Absence:
    """The absence in which he may write for the seat now. Raises `Illegal`."""
    one = _named(done, by, person, seat, at)
    if one is None:
        raise Illegal("deputy.not", seat=seat, before=_was_named(done, by, person, seat))
    if not one.agreed:
        raise Illegal("deputy.not_agreed", seat=seat)
    if at < one.start:
        raise Illegal("deputy.early", seat=seat, start=one.start)
    return one


def acting(done: Sequence[Done], seat: str, at: int) -> Absence | None:
    """The absence of a seat for which somebody writes at that instant."""
    return next((one for one in absences(done) if one.seat == seat and one.covers(at) and one.agreed), None)


def consent(referee: Referee, by: str, person: int | None, seat: str, at: int, *, yes: bool) -> Absence:
    """Who was named says whether he would write for the seat; the absence. Raises `Illegal`."""
    one = _named(referee.position.done, by, person, seat, at)
    if one is None:
        raise Illegal("deputy.not", seat=seat, before=_was_named(referee.position.done, by, person, seat))
    if one.agreed != yes:
        referee.note(at, Consented(by=by, seat=seat, yes=yes))
    return one


def as_deputy(
    referee: Referee,
    by: str,
    person: int | None,
    seat: Seat,
    lines: Sequence[str],
    at: int,
    letter: str | None = None,
    seen: ReplyContext | None = None,
) -> list[Result]:
    """What became of a letter in the place of a seat: `by` is the writer's own, or `OUTSIDER`. Raises `Illegal`."""
    yes = read_consent(lines)
    if yes is not None:
        consent(referee, by, person, seat, at, yes=yes)
        return []
    deputised(referee.position.done, by, person, seat, at)
    return referee.hear_deputy(by, seat, lines, at, letter, seen)


def stead_of(done: Sequence[Done], by: str, person: int | None) -> frozenset[str]:
    """The seats for which somebody was ever named as a deputy."""
    return frozenset(each.act.by for each in done if isinstance(each.act, Away) and _is_he(each.act, by, person))


def stand_in(books: Repository, game: Game, done: Sequence[Done], seat: str, at: int) -> Member | None:
    """Who writes for the seat at that instant."""
    one = acting(done, seat, at)
    person = person_of(books, game, one.deputy, one.person) if one else None
    return Member(person=person, seat=seat, joined=at) if person else None


def person_of(books: Repository, game: Game, deputy: str, person: int | None) -> Person | None:
    if person is not None:
        return books.person(person)
    return next((member.person for member in game.members if member.seat == deputy), None)


def part_his(reading: Reading[Any], seat: str) -> tuple[Reading[Any], list[Result]]:
    """What of a letter a deputy may say, and the refusals of the rest."""
    his = tuple(each for each in reading.statements if _may_say(each))
    others = [each for each in reading.statements if not _may_say(each)]
    refusals = ((each, Illegal("deputy.not_his", seat=seat, kind=_kind(each))) for each in others)
    return replace(reading, statements=his), [verdict("refused", each, refusal=why) for each, why in refusals]


def _may_say(statement: Statement[Any]) -> bool:
    return statement.motion is None and statement.command in (*ANSWERS, *ASKS)


def _kind(statement: Statement[Any]) -> str:
    """What the sentence is about."""
    match statement.command:
        case "petition" | "press":
            return statement.command
        case "standing" | "standing_none" | "advance" | "cancel":
            return "file"
        case _:
            return "own"


def _named(done: Sequence[Done], by: str, person: int | None, seat: str, at: int) -> Absence | None:
    mine = (one for one in absences(done) if one.seat == seat and at < one.end and one.deputy == by)
    return next((one for one in mine if by != OUTSIDER or one.person == person), None)


def _was_named(done: Sequence[Done], by: str, person: int | None, seat: str) -> bool:
    return seat in stead_of(done, by, person)


def _is_he(act: Away, by: str, person: int | None) -> bool:
    return act.deputy == by and (by != OUTSIDER or act.person == person)
