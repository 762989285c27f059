"""A player says that they are away, or back, and who may write for them; and what that one writes.

See docs/reference/procedure.md, section 8.3. It works on a session and its record, so that letters and play files do
alike.
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from pbem.core.game import AnyOrder
from pbem.core.refusal import Illegal
from pbem.core.seat import Seat
from pbem.host.calendar.moments import parse_range
from pbem.host.clock.slots import note
from pbem.host.play.executor import CommandExecutor
from pbem.host.play.results import Result, Submission, result
from pbem.host.session.absences import away_now, deputised, naming
from pbem.host.session.actors import DEPUTY
from pbem.host.session.acts import Away, Back, Consented
from pbem.host.session.session import Session
from pbem.language import answers
from pbem.language.absences import Leave
from pbem.language.statements import Reading


def declare(session: Session, seat: Seat, leave: Leave, at: int, zone: str) -> Away | Back | None:
    """They are away, or back; None for a word that only asks. Raises `Illegal`; then nothing has changed."""
    known = away_now(session.position.done, seat, at)
    if leave.back:
        if known is None:
            raise Illegal("away.not")
        note(session, at, back := Back(by=seat))
        return back
    if not leave.span and leave.deputy is None:
        return None
    if not leave.span and known is None:
        raise Illegal("deputy.when")
    start, end = (known.start, known.end) if known and not leave.span else parse_range(leave.span, zone, at)
    deputy, person = ("", None) if leave.deputy is None else _deputy(session, seat, leave.deputy, at)
    note(session, at, away := Away(by=seat, start=max(start, at), end=end, deputy=deputy, person=person))
    return away


def _deputy(session: Session, seat: Seat, written: str, at: int) -> tuple[str, int | None]:
    """How the log calls them, and the number of somebody who does not play. Raises `Illegal`."""
    if "@" in written:
        return _by_address(session, seat, written.lower(), at)
    try:
        named = session.parser.seat(written)
    except Illegal:
        others = tuple(each for each in session.seats if each != seat)
        raise Illegal("deputy.unknown", read=written, candidates=others) from None
    return _fellow(seat, named), None


def _by_address(session: Session, seat: Seat, address: str, at: int) -> tuple[str, int | None]:
    """In an anonymous game the answer would tell whether they play here, too."""
    if session.terms.anonymous != "no":
        raise Illegal("deputy.hidden", read=address)
    sits = session.record.place_of(address)
    if sits == "":
        raise Illegal("deputy.presides", read=address)
    if sits is not None:
        return _fellow(seat, sits), None
    return DEPUTY, session.record.candidate(address, at, seat)


def _fellow(seat: str, named: str) -> str:
    if named == seat:
        raise Illegal("deputy.self")
    return named


# -- what a deputy writes ---


def as_deputy(
    session: Session, person: int | None, seat: Seat, lines: Sequence[str], submission: Submission
) -> list[Result]:
    """What became of a letter in the place of a seat: it answers what is asked there, as its player would.

    What a player says of their own will is not the deputy's: votes, press, gifts, settings, and orders that would go on
    answering when the player is back. Raises `Illegal`.
    """
    done, by, at = session.position.done, submission.deputy, submission.at
    said = answers.DEPUTY.answer(lines)
    executor = CommandExecutor(session, seat, submission)
    reading = executor.agreed(session.parser.read(lines))
    if said is not None and not (reading.statements and reading.statements[0].command.name == "order"):
        if naming(done, by, person, seat, at).agreed != said.yes:
            note(session, at, Consented(by=by, seat=seat, yes=said.yes))
        return []
    deputised(done, by, person, seat, at)
    reading, refused = _part_own(reading, seat)
    heard = executor.execute(reading)
    return sorted([*heard, *refused], key=lambda each: (each.outcome == "passed", each.line))


def _part_own(reading: Reading[AnyOrder], seat: str) -> tuple[Reading[AnyOrder], list[Result]]:
    """What of a letter a deputy may say, and the refusals of the rest."""
    own = tuple(each for each in reading.statements if not each.command.kept_from_deputies)
    refusals = [
        result("refused", each, refusal=each.refusal or Illegal("deputy.not_his", seat=seat, kind=kind))
        for each in reading.statements
        if (kind := each.command.kept_from_deputies)
    ]
    return replace(reading, statements=own), refusals
