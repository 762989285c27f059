"""Why a bot has answered as it did, for a player who writes to it.

It thinks once more, as it did then, about its last answer in a turn that is over; of what that player may not know yet
there are no reasons.
"""

from __future__ import annotations

from pbem.core.bot import Reason
from pbem.core.game import AnyEntry, game_of
from pbem.core.seat import Seat
from pbem.host.messages.sections import Told
from pbem.host.play.bots import bot_picks
from pbem.host.ports import Game
from pbem.host.reporting.chapters import whole
from pbem.host.session.absences import held
from pbem.host.session.unit_of_work import UnitOfWork, dice_of, read_entries

NOTHING, MUTE = Reason(code="nothing"), Reason(code="mute")


def reasons_for(work: UnitOfWork, game: Game, seat: str, reader: str) -> Told | None:
    """What the bot that holds a seat has to say to the player of another; None where none holds it."""
    if game.status == "inviting" or seat not in held(work.session(game).position.done):
        return None
    found = _reason(work, game, seat, Seat(reader))
    return Told(command="press", facts={"seat": seat, "code": found.code, "reason": found.facts})


def _reason(work: UnitOfWork, game: Game, seat: str, reader: Seat) -> Reason:
    entry = _last_answer(work, game, seat, reader)
    if entry is None:
        return NOTHING
    before = work.games.positions(work.repository, game, entry.seq)[entry.seq]
    loaded, (answer, *_) = work.games.load(game, before.done), entry.answers
    reasoning = game_of(work.games.registry, loaded.terms.setup).reasoning.get(loaded.terms.level)
    if reasoning is None or answer.decision is None:
        return MUTE
    pick = bot_picks(dice_of(game)(before.count.next()), answer.decision)
    try:
        return reasoning(loaded.rules, before.state, answer.decision, answer.order, pick)
    except Exception:  # noqa: BLE001 - an older program may have played otherwise; the letter is answered all the same
        return MUTE


def _last_answer(work: UnitOfWork, game: Game, seat: str, reader: Seat) -> AnyEntry | None:
    """The last one in a turn that is over, as its reader may know it."""
    loaded = work.games.load(game)
    run = whole(loaded, read_entries(loaded.rules, work.repository, game.id)).shown(loaded.rules, reader)
    return next(
        (
            entry
            for chapter in reversed(run.over)
            for entry in reversed(chapter.entries)
            if entry.cause.kind == "bot" and any(answer.seat == seat for answer in entry.answers)
        ),
        None,
    )
