"""A moderator's words about a game of the books: read, used, told. Letters and the command line both come here."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from msgspec.structs import replace

from pbem.service.answers import reply
from pbem.service.correspondence import Reply
from pbem.service.games import Desk, read_entries
from pbem.service.moderation import Chair
from pbem.service.ports import Game, Letter, Member
from pbem.service.post import problem
from pbem.service.referee import Verdict
from pbem.table.refusal import Illegal

OPERATOR = "operator"  # how the log calls him


class Presiding(Protocol):
    """Somebody who writes about a game, perhaps to preside over it."""

    @property
    def member(self) -> Member | None: ...
    @property
    def presides(self) -> str | None: ...


def preside(desk: Desk, game: Game, by: str, lines: Sequence[str], now: int) -> list[Verdict]:
    """What became of each power; the letters about them are for `publish`."""
    return _chair(desk, game, by, now).hear(lines)


def presided(desk: Desk, game: Game, writer: Presiding, letter: Letter, lines: Sequence[str], now: int) -> Reply:
    """The answer to what somebody has written as a moderator."""
    seat = writer.member.seat if writer.member else None
    if game.status != "running":
        return problem("game.over" if game.status == "finished" else "letter.not_begun", game.id, seat)
    if writer.presides is None:
        heard = [_not_his(line) for line in lines if line.strip()]
    else:
        heard = preside(desk, game, writer.presides, lines, now)
    used = any(verdict.outcome != "passed" for verdict in heard)
    said = reply(desk, game, seat or "", letter, heard)
    return replace(said, seat=seat, problem=None if used else "power.none")


def _not_his(line: str) -> Verdict:
    return Verdict(outcome="refused", text=line, line=0, refusal=Illegal("power.not_yours"))


def _chair(desk: Desk, game: Game, by: str, now: int) -> Chair:
    rules = desk.games.table(game).rules
    return Chair(
        desk.referee(game),
        lambda: desk.table(game).terms,
        lambda: (read_entries(rules, desk.books, game.id), desk.games.positions(desk.books, game)),
        by=by,
        now=now,
    )
