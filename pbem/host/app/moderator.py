"""What somebody writes who leads a game: their powers, what these would do, and what they ask the house."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from itertools import zip_longest

from msgspec.structs import replace

from pbem.core.game import AnyOrder
from pbem.core.refusal import Illegal
from pbem.host.app.received import Received, Speaker, context_of
from pbem.host.commands.aside import Asides
from pbem.host.governance import voting
from pbem.host.lobby.open_games import has_opened
from pbem.host.messages.replies import Reply
from pbem.host.messages.rows import problem
from pbem.host.moderation.powers import use_powers
from pbem.host.moderation.proposals import propose_powers
from pbem.host.moderation.seats import PeoplePower, Seats
from pbem.host.moderation.trial import Use, try_powers
from pbem.host.play.agreeing import Agreement, agreement
from pbem.host.play.results import Outcome, Result, aside, tried
from pbem.host.ports import Game, Letter, Member
from pbem.host.reporting.answers import proposed, reply, verdict_line
from pbem.host.session.unit_of_work import UnitOfWork
from pbem.language.moderators import Power, part_moderator
from pbem.language.parser import Parser
from pbem.language.statements import Statement


def answer_moderator(
    work: UnitOfWork, game: Game, speaker: Speaker, received: Received, *, tries: bool = False
) -> Reply:
    """The answer: powers first, then words such as "status" or "language"; `tries`: only what they would do."""
    parser = work.games.load(game).parser
    own, asks = parser.commands.moderators.part_preview(received.letter.lines)
    tries, (powers, prose) = tries or asks, parser.powers(own)
    asked = {line: _words(parser, line) for line in prose}
    words = [statement for line in prose for statement in asked[line]]
    said = _presided(work, game, speaker, received.saying(own), (powers, prose), tries=tries)
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


def _presided(
    work: UnitOfWork,
    game: Game,
    speaker: Speaker,
    received: Received,
    read: tuple[Sequence[Power], Sequence[str]],
    *,
    tries: bool,
) -> Reply:
    """The answer to what somebody has written as a moderator; `tries`: only what it would do.

    It counts from when it was filed: nothing that would run out between then and now does so.
    """
    at, by, lines = received.arrived, speaker.presides, received.letter.lines
    seat = speaker.member.seat if speaker.member else None
    if game.status == "finished":
        return problem("game.over", game.id, seat)

    def use(work: UnitOfWork) -> list[Result]:
        if by is None:
            return [_not_theirs(line) for line in lines if line.strip()]
        return use_powers(read, Seats(work, game, by, at, speaker.person).use)

    said = _of_powers(work, game, seat, received.letter, use, at, tries=tries)
    if by is None or game.status != "running":
        return said

    def try_(lines: Sequence[str]) -> Sequence[Result]:
        session = work.session(game)
        use = partial(use_powers, session.parser.powers(lines))
        return try_powers(work, game, lambda copy: use(Seats(copy, game, by, at, speaker.person).use), at, seat)[0]

    became = [line.outcome for line in said.lines if line.outcome != "passed"]
    return replace(said, proposal=propose_powers(work.session(game), seat, read, became, try_))


def agreed_to(work: UnitOfWork, game: Game, speaker: Speaker, received: Received) -> Agreement | None:
    """What a letter says to powers that we proposed; None where it says nothing to any."""
    if speaker.presides is None or game.status != "running":
        return None
    own, presiding = part_moderator(received.letter.lines)
    lines = [mine or theirs for mine, theirs in zip_longest(own, presiding, fillvalue="")]
    session, seat = work.session(game), speaker.member.seat if speaker.member else None
    told = context_of(work, game, received)
    return agreement(
        session,
        seat or "",
        session.parser.read(lines),
        lambda: proposed(work, game, seat, speaker.person, received.letter),
        votes=seat is not None and told is not None and voting.answers_petition(session, told.seq),
        presides=True,
    )


def not_agreed(work: UnitOfWork, game: Game, speaker: Speaker, letter: Letter, said: Agreement) -> Reply:
    """The answer where it is over, or not clear."""
    seat = speaker.member.seat if speaker.member else None
    one = Result(outcome="refused", text=said.yes.text, line=said.yes.line, refusal=said.refusal)
    noted = said.alone and said.refusal is not None and said.refusal.code == "proposal.noted"
    told = reply(work, game, seat or "", letter, [one])
    return replace(told, seat=seat, proposal=said.proposal if noted else None)


def _of_powers(
    work: UnitOfWork, game: Game, seat: str | None, letter: Letter, use: Use, at: int, *, tries: bool
) -> Reply:
    """The answer to powers that are used, or tried."""
    heard, told = try_powers(work, game, use, at, seat) if tries else (use(work), ())
    code = None if any(verdict.outcome != "passed" for verdict in heard) else "power.none"
    game = work.game(game.id)
    if game.status != "running":  # there is no position
        lines = tuple(verdict_line(verdict) for verdict in heard)
        answer = replace(problem("power.none", game.id, seat), lines=lines)
    else:
        answer = reply(work, game, seat or "", letter, heard)
    return replace(answer, seat=seat, problem=code, told=told)


def _not_theirs(line: str) -> Result:
    return Result(outcome="refused", text=line, line=0, refusal=Illegal("power.not_yours"))


def _leader(game: Game, speaker: Speaker) -> Member | None:
    """Whoever presides, with the seat they may have, as the books hold them now."""
    if speaker.presides is None or speaker.member is None:
        return speaker.leader
    return next((member for member in game.members if member.seat == speaker.member.seat), None)


def _words(parser: Parser[AnyOrder], line: str) -> list[Statement[AnyOrder]]:
    """What a line says to the house; press is for players."""
    read = parser.read([line]).statements
    return [each for each in read if each.command.aside and not each.to and not each.refusal]


# -- whoever has asked for a game by mail, until it begins ---


def opener_says(work: UnitOfWork, game: Game, member: Member, received: Received) -> Reply | None:
    """What becomes of the powers of whoever has asked for the game; None when their letter uses none."""
    if game.status != "inviting" or not has_opened(work, game, member.person):
        return None
    commands = work.games.commands.moderators
    lines, tries = commands.part_preview(received.letter.lines)
    powers, prose = commands.read(lines)
    if not any(map(_is_own, powers)):
        return None

    def use(work: UnitOfWork) -> list[Result]:
        seats = Seats(work, game, member.seat, received.now, member.person)
        return use_powers((powers, prose), partial(_use_own, seats))

    return _of_powers(work, game, member.seat, received.letter, use, received.now, tries=tries)


def _is_own(power: Power) -> bool:
    return isinstance(power.command, PeoplePower) and power.command.openers


def _use_own(seats: Seats, power: Power) -> Outcome | None:
    if not _is_own(power) or not seats.takes(power):
        raise Illegal("power.not_here")
    return seats.do(power)
