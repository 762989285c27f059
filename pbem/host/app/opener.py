"""What whoever has asked for a game by mail may do with it until it begins."""

from __future__ import annotations

from msgspec.structs import replace

from pbem.core.refusal import Illegal
from pbem.host.app.moderator import told_of_powers
from pbem.host.app.received import Received
from pbem.host.lobby.open_games import has_opened
from pbem.host.messages.replies import Reply
from pbem.host.moderation.powers import Use, use_powers
from pbem.host.moderation.seats import PeoplePower, Seats
from pbem.host.moderation.trial import try_powers
from pbem.host.play.results import Outcome, Result
from pbem.host.ports import Game, Member
from pbem.host.session.unit_of_work import UnitOfWork
from pbem.language.moderators import Power


def opener_says(work: UnitOfWork, game: Game, member: Member, received: Received) -> Reply | None:
    """What becomes of the powers of whoever has asked for the game; None when their letter uses none."""
    commands = work.games.commands.moderators
    lines, tries = commands.part_preview(received.letter.lines)
    powers, prose = commands.read(lines)
    is_theirs = game.status == "inviting" and has_opened(work, game, member.person)
    if not is_theirs or not any(map(_is_own, powers)):
        return None

    def use(work: UnitOfWork) -> list[Result]:
        return use_powers((powers, prose), _own_powers(work, game, member, received.now))

    verdicts, told = try_powers(work, game, use, received.now, member.seat) if tries else (use(work), ())
    answer = told_of_powers(work, work.game(game.id), member.seat, received.letter, verdicts)
    return replace(answer, problem=None, told=told)


def _is_own(power: Power) -> bool:
    return isinstance(power.command, PeoplePower) and power.command.openers


def _own_powers(work: UnitOfWork, game: Game, member: Member, now: int) -> Use:
    seats = Seats(work, game, member.seat, now, member.person)

    def do(power: Power) -> Outcome | None:
        if not _is_own(power) or not seats.takes(power):
            raise Illegal("power.not_here")
        return seats.do(power)

    return do
