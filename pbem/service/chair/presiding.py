"""A moderator's words about a game of the books: read, used, told. Letters and the command line both come here."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol

from msgspec.structs import replace

from pbem.language.powers import Power
from pbem.service.chair.moderation import Chair, use_powers
from pbem.service.letters.answers import reply, verdict_line
from pbem.service.letters.correspondence import Reply
from pbem.service.letters.post import problem
from pbem.service.people.seats import Seats
from pbem.service.play.games import Desk, read_entries
from pbem.service.play.verdicts import Verdict
from pbem.service.ports import Game, Letter, Member, Person
from pbem.table.refusal import Illegal

OPERATOR = "operator"  # how the log calls him


def presides(game: Game, person: Person | None, operator: str) -> str | None:
    """How the log calls somebody who may preside over the game; None: he may not.

    Who plays has his seat's name: in an anonymous game the other would tell who sits there.
    """
    if person is not None and person.address == operator.lower():
        return OPERATOR
    if person is not None and person.id in {one.person.id for one in game.moderators}:
        seat = next((member.seat for member in game.members if member.person.id == person.id), None)
        return f"moderator {seat or person.name}".strip()
    return None


class Presiding(Protocol):
    """Somebody who writes about a game, perhaps to preside over it."""

    @property
    def member(self) -> Member | None: ...
    @property
    def person(self) -> Person | None: ...
    @property
    def presides(self) -> str | None: ...


def preside(
    desk: Desk, game: Game, by: str, lines: Sequence[str], now: int, person: Person | None = None
) -> list[Verdict]:
    """What became of each power; the letters about them are for `publish`."""
    return use_powers(lines, powers_over(desk, game, by, now, person))


def powers_over(desk: Desk, game: Game, by: str, now: int, person: Person | None = None) -> Callable[[Power], None]:
    """What uses a power over this game. It raises `Refusal`; then nothing has changed."""
    seats = Seats(desk, game, by, now, person)

    def do(power: Power) -> None:
        own = seats.powers.get(power.name)
        if own is not None:
            own(power)
        elif desk.game(game.id).status == "inviting":
            raise Illegal("letter.not_begun")
        else:
            _chair(desk, desk.game(game.id), by, now, person.zone if person else "UTC").do(power)

    return do


def presided(desk: Desk, game: Game, writer: Presiding, letter: Letter, lines: Sequence[str], now: int) -> Reply:
    """The answer to what somebody has written as a moderator."""
    seat = writer.member.seat if writer.member else None
    if game.status == "finished":
        return problem("game.over", game.id, seat)
    if writer.presides is None:
        heard = [_not_his(line) for line in lines if line.strip()]
    else:
        heard = preside(desk, game, writer.presides, lines, now, writer.person)
    used = any(verdict.outcome != "passed" for verdict in heard)
    return replace(
        told_of_powers(desk, desk.game(game.id), seat, letter, heard), problem=None if used else "power.none"
    )


def told_of_powers(desk: Desk, game: Game, seat: str | None, letter: Letter, heard: Sequence[Verdict]) -> Reply:
    """What became of each."""
    if game.status != "running":  # there is no position
        lines = tuple(verdict_line(verdict) for verdict in heard)
        return replace(problem("power.none", game.id, seat), lines=lines)
    return replace(reply(desk, game, seat or "", letter, heard), seat=seat)


def _not_his(line: str) -> Verdict:
    return Verdict(outcome="refused", text=line, line=0, refusal=Illegal("power.not_yours"))


def _chair(desk: Desk, game: Game, by: str, now: int, zone: str) -> Chair:
    rules = desk.games.table(game).rules
    return Chair(
        desk.referee(game),
        lambda: desk.table(game).terms,
        lambda: (read_entries(rules, desk.books, game.id), desk.games.positions(desk.books, game)),
        by=by,
        now=now,
        zone=zone,
    )
