"""What a deputy writes in the place of a player who is away (docs/reference/procedure.md, section 8.3).

It works on a session and its record, so that letters and play files do alike. A deputy answers what is asked of the
seat, as its player would. What a player says of their own will is not the deputy's: votes, press, gifts, settings, and
orders that would go on answering when the player is back.
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from pbem.core.game import AnyOrder
from pbem.core.refusal import Illegal
from pbem.core.seat import Seat
from pbem.host.clock.slots import note
from pbem.host.play.executor import CommandExecutor
from pbem.host.play.results import Result, result
from pbem.host.play.submission import Submission
from pbem.host.session.absences import deputised, naming
from pbem.host.session.acts import Consented
from pbem.host.session.session import Session
from pbem.language.answers import DEPUTY
from pbem.language.statements import Reading


def as_deputy(
    session: Session, person: int | None, seat: Seat, lines: Sequence[str], submission: Submission
) -> list[Result]:
    """What became of a letter in the place of a seat. Raises `Illegal`."""
    done, by, at = session.position.done, submission.deputy, submission.at
    said = DEPUTY.answer(lines)
    if said is not None:
        if naming(done, by, person, seat, at).agreed != said.yes:
            note(session, at, Consented(by=by, seat=seat, yes=said.yes))
        return []
    deputised(done, by, person, seat, at)
    reading, refused = _part_own(session.parser.read(lines), seat)
    heard = CommandExecutor(session, seat, submission).execute(reading)
    return sorted([*heard, *refused], key=lambda each: (each.outcome == "passed", each.line))


def _part_own(reading: Reading[AnyOrder], seat: str) -> tuple[Reading[AnyOrder], list[Result]]:
    """What of a letter a deputy may say, and the refusals of the rest."""
    own = tuple(each for each in reading.statements if not each.command.kept_from_deputies)
    refusals = [
        result("refused", each, refusal=Illegal("deputy.not_his", seat=seat, kind=kind))
        for each in reading.statements
        if (kind := each.command.kept_from_deputies)
    ]
    return replace(reading, statements=own), refusals
