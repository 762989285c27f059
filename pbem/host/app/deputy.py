"""What somebody writes for a player who is away: the answers to their letters, and the copies the player gets."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import zip_longest

from msgspec.structs import replace

from pbem.core.game import AnyOrder
from pbem.core.refusal import Illegal
from pbem.core.seat import Seat
from pbem.host.app.asked import answer_asked
from pbem.host.app.received import Received, context_of, filed_at
from pbem.host.commands.aside import Asides
from pbem.host.lobby.absences import called
from pbem.host.messages import letters, replies
from pbem.host.messages.rows import content_job, mark, problem, to_member
from pbem.host.play.absences import as_deputy
from pbem.host.play.results import Result, Submission
from pbem.host.ports import Game, Letter, Member, Person
from pbem.host.reporting.answers import proposed, refused, reply, verdict_line
from pbem.host.session.absences import absences
from pbem.host.session.budget import refuse_mail
from pbem.host.session.session import Session
from pbem.host.session.unit_of_work import UnitOfWork
from pbem.language.absences import part_deputy
from pbem.language.answers import DEPUTY
from pbem.language.parser import Parser

COPIED = ("played", "binds", "undone", "drafted")  # outcomes of which the absent player gets a copy


def answer_deputy(work: UnitOfWork, game: Game, person: Person, seat: str, received: Received) -> replies.Reply:
    """The answer to a letter in the place of a seat."""
    if game.status == "finished":
        return problem("game.over", game.id)
    at, now, seen = filed_at(work, game, received), received.now, context_of(work, game, received)
    session = work.session(game)
    by, number = called(game, person)
    letter = received.saying(_without_head(session.parser, seat, received.letter.lines)).letter
    try:
        submission = Submission(
            at=at,
            letter=mark(letter.id),
            seen=seen,
            deputy=by,
            holds=True,
            proposed=lambda: proposed(work, game, seat, person, letter),
        )
        verdicts = as_deputy(session, number, Seat(seat), letter.lines, submission)
    except Illegal as refusal:
        asked = answer_asked(work, game, person, received) if refusal.code == "deputy.not_agreed" else None
        return asked or refused(refusal, game.id, seat)
    said = None if verdicts else DEPUTY.answer(letter.lines)
    if said is not None and not said.yes:
        refuse_mail(work.repository, person, now)
    if said is not None:
        return _agreed(session, game, seat, yes=said.yes)
    asides = Asides(work, game, Member(person=person, seat=seat), letter, now)
    settled = asides.settle(verdicts)
    _copy(work, game, by, seat, letter, settled, now)
    answered = reply(work, game, seat, letter, settled)
    return replace(answered, stead=True, told=(*answered.told, *asides.told))


def part_stead(
    work: UnitOfWork, game: Game, member: Member, letter: Letter
) -> tuple[Sequence[str], dict[str, list[str]]]:
    """What of a player's letter is for themselves, and what in the place of others."""
    if game.status != "running":
        return letter.lines, {}
    parser = work.session(game).parser
    others = [seat for seat in parser.seats if seat != member.seat]
    return part_deputy(letter.lines, parser.without_press(letter.lines), others)


def _without_head(parser: Parser[AnyOrder], seat: str, lines: Sequence[str]) -> tuple[str, ...]:
    """In a reply that is for the seat anyhow, `as SEAT:` says nothing new."""
    own, parts = part_deputy(lines, parser.without_press(lines), [seat])
    return tuple(mine or theirs for mine, theirs in zip_longest(own, parts.get(seat, ()), fillvalue=""))


def joined(first: replies.Reply, more: replies.Reply) -> replies.Reply:
    """One answer to the parts of a letter."""
    lines, told = (*first.lines, *more.lines), (*first.told, *more.told)
    return replace(first, lines=lines, told=told, events=(*first.events, *more.events))


def _agreed(session: Session, game: Game, seat: str, *, yes: bool) -> replies.Reply:
    one = next(each for each in reversed(absences(session.position.done)) if each.seat == seat)
    code = "deputy.accepted" if yes else "deputy.declined"
    return problem(code, game.id, seat, start=one.start, end=one.end)


def _copy(
    work: UnitOfWork, game: Game, by: str, seat: str, letter: Letter, verdicts: Sequence[Result], now: int
) -> None:
    """Who is away hears at once what was written for them."""
    lines = tuple(verdict_line(verdict) for verdict in verdicts if verdict.outcome in COPIED)
    absent = next((member for member in game.members if member.seat == seat), None)
    if lines and absent is not None:
        told = letters.Deputised(game=game.id, seat=seat, by=by, lines=lines)
        work.repository.post([to_member(game, absent, f"{mark(letter.id)}.deputised", content_job(told), now)])
