"""What somebody writes who leads a game: their powers, what these would do, and what they ask the house."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

from msgspec.structs import replace

from pbem.core.refusal import Illegal
from pbem.host.app.received import Received, Speaker
from pbem.host.commands.aside import Asides
from pbem.host.messages.replies import Reply
from pbem.host.messages.rows import problem
from pbem.host.messages.sections import Section
from pbem.host.moderation.presiding import preside
from pbem.host.moderation.trial import try_powers
from pbem.host.play.results import Result, aside, tried
from pbem.host.ports import Game, Letter, Member
from pbem.host.reporting.answers import reply, verdict_line
from pbem.host.session.unit_of_work import UnitOfWork
from pbem.language.parser import Parser
from pbem.language.statements import Statement

# -- powers ---


def _presided(
    work: UnitOfWork, game: Game, speaker: Speaker, received: Received, lines: Sequence[str], *, tries: bool = False
) -> Reply:
    """The answer to what somebody has written as a moderator; `tries`: only what it would do.

    It counts from when it was filed: nothing that would run out between then and now does so.
    """
    at = received.arrived
    seat = speaker.member.seat if speaker.member else None
    if game.status == "finished":
        return problem("game.over", game.id, seat)
    lines, asks = work.games.commands.moderators.part_preview(lines)
    told: tuple[Section, ...] = ()
    if speaker.presides is None:
        heard = [_not_theirs(line) for line in lines if line.strip()]
    else:
        use = partial(preside, game=game, by=speaker.presides, lines=lines, now=at, person=speaker.person)
        heard, told = try_powers(work, game, use, at, seat) if asks or tries else (use(work), ())
    used = any(verdict.outcome != "passed" for verdict in heard)
    answer = told_of_powers(work, work.game(game.id), seat, received.letter, heard)
    return replace(answer, problem=None if used else "power.none", told=told)


def told_of_powers(work: UnitOfWork, game: Game, seat: str | None, letter: Letter, heard: Sequence[Result]) -> Reply:
    """What became of each."""
    if game.status != "running":  # there is no position
        lines = tuple(verdict_line(verdict) for verdict in heard)
        return replace(problem("power.none", game.id, seat), lines=lines)
    return replace(reply(work, game, seat or "", letter, heard), seat=seat)


def _not_theirs(line: str) -> Result:
    return Result(outcome="refused", text=line, line=0, refusal=Illegal("power.not_yours"))


# -- powers and words ---


def answer_moderator(
    work: UnitOfWork, game: Game, speaker: Speaker, received: Received, *, tries: bool = False
) -> Reply:
    """The answer: powers first, then words such as "status" or "language"; `tries`: only what they would do."""
    commands = work.games.commands.moderators
    own, asks = commands.part_preview(received.letter.lines)
    tries = tries or asks
    powers, prose = commands.read(own)
    asked = {line: _words(work.games.load(game).parser, line) for line in prose}
    words = [statement for line in prose for statement in asked[line]]
    said = _presided(work, game, speaker, received, own, tries=tries)
    leader = _leader(work.game(game.id), speaker)
    if leader is None or not words:
        return said
    asides = Asides(work, work.game(game.id), leader, received.letter, received.now, leads=True)
    heard = [aside(statement) for statement in words]
    verdicts = asides.settle([tried(each) for each in heard] if tries else heard)
    asides.keep()
    others = (line for line in said.lines if line.outcome != "passed" or not asked.get(line.text))
    lines = (*others, *map(verdict_line, verdicts))
    return asides.in_reply(replace(said, lines=lines, problem=said.problem if powers else None))


def _leader(game: Game, speaker: Speaker) -> Member | None:
    """Whoever presides, with the seat they may have, as the books hold them now."""
    if speaker.presides is None or speaker.member is None:
        return speaker.leader
    return next((member for member in game.members if member.seat == speaker.member.seat), None)


def _words(parser: Parser[Any], line: str) -> list[Statement[Any]]:
    """What a line says to the house; press is for players."""
    read = parser.read([line]).statements
    return [each for each in read if each.command.aside and not each.to and not each.refusal]
