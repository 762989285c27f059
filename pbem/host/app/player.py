"""What somebody at a seat says: orders while the game runs, yes or no before, and words to the house at any time."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial, reduce

from msgspec.structs import replace

from pbem.core.seat import Seat
from pbem.host.app.asked import ask_again
from pbem.host.app.deputy import answer_deputy, joined, part_stead
from pbem.host.app.moderator import answer_moderator, opener_says
from pbem.host.app.received import Received, Speaker, context_of, filed_at
from pbem.host.commands.aside import Asides
from pbem.host.lobby.absences import spread
from pbem.host.lobby.invitations import answer_invitation
from pbem.host.messages.replies import Reply
from pbem.host.messages.rows import mark, problem
from pbem.host.play.executor import hear, rehearse
from pbem.host.play.proposals import propose_subject
from pbem.host.play.results import Submission, aside
from pbem.host.ports import Game, Letter, Member
from pbem.host.reporting.answers import proposed, reply, verdict_line
from pbem.host.reporting.calendar_events import answered
from pbem.host.reporting.chapters import order_text
from pbem.host.reporting.press import replied_to
from pbem.host.session.anonymity import check_tells_nothing, is_hidden
from pbem.host.session.identity import bare_subject
from pbem.host.session.unit_of_work import UnitOfWork, read_entries
from pbem.language.answers import INVITATION
from pbem.language.moderators import part_moderator


def only_asks(work: UnitOfWork, game: Game, letter: Letter) -> bool:
    """Does a letter about a game that runs ask what changes nothing, and no more?"""
    statements = work.session(game).parser.read(letter.lines).statements
    return bool(statements) and all(each.command.kind == "query" and not each.refusal for each in statements)


def answer_player(work: UnitOfWork, game: Game, speaker: Speaker, member: Member, received: Received) -> Reply:
    """The answer to what a player writes, below a line `moderator` as one who leads the game."""
    own, presiding = part_moderator(received.letter.lines)
    rest, tries = work.games.commands.moderators.part_preview(own) if presiding else (own, False)
    if presiding and not any(rest):
        return answer_moderator(work, game, speaker, received.saying(presiding), tries=tries)
    opened = opener_says(work, game, member, received.saying(own))
    if opened is not None:
        return opened
    said = _with_steads(work, game, speaker, member, received.saying(own))
    if not presiding:
        return said
    more = answer_moderator(work, work.game(game.id), speaker, received.saying(presiding), tries=tries)
    return _both(said, more)


def _both(said: Reply, more: Reply) -> Reply:
    """One answer to what somebody has written as a player and then as a moderator."""
    return replace(
        more,
        lines=(*said.lines, *more.lines),
        settings=more.settings or said.settings,
        reports=more.reports or said.reports,
        calendar=more.calendar or said.calendar,
        told=(*said.told, *(each for each in more.told if each not in said.told)),
        events=said.events,
        answered=said.answered,
    )


def _with_steads(work: UnitOfWork, game: Game, speaker: Speaker, member: Member, received: Received) -> Reply:
    """What they write for themselves, and under `as SEAT:` for players who are away."""
    own, parts = part_stead(work, game, member, received.letter)
    replies = []
    if any(own) or not parts:
        say = _orders if game.status == "running" else _words
        replies.append(say(work, game, speaker, member, received.saying(own)))
    for seat, lines in parts.items():
        replies.append(answer_deputy(work, game, member.person, seat, received.saying(lines)))
    return reduce(joined, replies)


# -- while the game runs ---


def _orders(work: UnitOfWork, game: Game, speaker: Speaker, member: Member, received: Received) -> Reply:
    session, seat, letter = work.session(game), Seat(member.seat), received.letter
    asides = Asides(work, game, member, letter, received.now)
    verdicts = asides.settle(
        hear(
            session,
            seat,
            letter.lines,
            Submission(
                at=filed_at(work, game, received),
                letter=mark(letter.id),
                seen=context_of(work, game, received),
                zone=member.person.zone,
                check_words=_check_of_words(work, game, member, letter),
                is_limited=True,
                proposed=lambda: proposed(work, game, seat, member.person, letter),
                holds=True,
                answered=lambda seq: _answered(work, game, seat, seq),
            ),
            _powers_of(work, speaker),
        )
    )
    asides.keep()
    spread(work, game, member, received.now)
    if not verdicts:
        rehearsed = partial(rehearse, session, seat, at=filed_at(work, game, received))
        session.proposal = propose_subject(session, seat, bare_subject(letter.subject), rehearsed)
    told = asides.in_reply(reply(work, game, seat, letter, verdicts))
    if all(each.outcome in ("refused", "held", "passed") for each in verdicts):
        told = replace(told, press_to=replied_to(work, game, seat, letter))
    return replace(told, answered=answered((step.entry for step in session.steps), seat, oneself=True))


def _powers_of(work: UnitOfWork, speaker: Speaker) -> Callable[[str], bool] | None:
    """What reads as a power, for a player who has any."""
    return work.games.commands.moderators.reads if speaker.presides is not None else None


def _check_of_words(work: UnitOfWork, game: Game, member: Member, letter: Letter) -> Callable[[str], None] | None:
    """Where nobody may know who sits where, a petition must not tell it."""
    if not is_hidden(game, work.games.load(game).terms.anonymous):
        return None
    addresses = work.repository.addresses(member.person.id)
    return lambda words: check_tells_nothing(words, member.person, addresses, letter)


def _answered(work: UnitOfWork, game: Game, seat: Seat, seq: int) -> str:
    """What a question to this seat was answered with in that entry, in the order language; "" for nothing."""
    loaded = work.loaded(game)
    (entry,) = read_entries(loaded.rules, work.repository, game.id, seq - 1, seq)
    return next((order_text(loaded, answer.order) for answer in entry.answers if answer.seat == seat), "")


# -- before it begins, and after its end ---


def _words(work: UnitOfWork, game: Game, speaker: Speaker, member: Member, received: Received) -> Reply:
    """There are no orders, but what concerns the writer alone is done."""
    parser, letter = work.games.load(game).parser, received.letter
    statements = parser.read(letter.lines, _powers_of(work, speaker)).statements
    asides = Asides(work, game, member, letter, received.now)
    said = [statement for statement in statements if statement.command.aside]
    answers = game.status == "inviting"
    stopped = any(each.refusal and not (answers and INVITATION.answer([each.text])) for each in statements)
    verdicts = asides.settle([aside(statement, stopped=stopped) for statement in said])
    game = asides.keep()
    if game.status == "inviting":
        if member.joined is None:
            ask_again(work, game, member.person, asides.member.person, received.now)
        words = parser.without_press(letter.lines)
        told = answer_invitation(work, game, asides.member, words, received.now)
        nothing_else = told.problem == "invitation.unclear"
    else:
        told = problem("game.over", game.id, member.seat)
        nothing_else = len(said) == len(statements)
    lines = tuple(verdict_line(verdict) for verdict in verdicts)
    settled = replace(told, lines=lines, problem=None if verdicts and nothing_else else told.problem)
    return asides.in_reply(settled)
