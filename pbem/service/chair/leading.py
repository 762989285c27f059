"""A letter from somebody who leads a game and has no seat in it: what he does there, and what he asks the house."""

from __future__ import annotations

from typing import Any, Protocol

from msgspec.structs import replace

from pbem.language.powers import read_powers
from pbem.language.reader import ASIDES, Reader, Statement
from pbem.service.chair.presiding import Presiding, presided
from pbem.service.letters.answers import verdict_line
from pbem.service.letters.asides import Asides
from pbem.service.letters.correspondence import Reply
from pbem.service.play.games import Desk
from pbem.service.play.verdicts import aside
from pbem.service.ports import Game, Letter, Member


class Leading(Presiding, Protocol):
    """Somebody who may preside, and what the books hold of him as a moderator."""

    @property
    def leader(self) -> Member | None: ...


def led(desk: Desk, game: Game, writer: Leading, letter: Letter, now: int) -> Reply:
    """The answer: powers first, then words such as "status" or "language"."""
    powers, prose = read_powers(letter.lines)
    asked = {line: _words(desk.games.table(game).reader, line) for line in prose}
    words = [statement for line in prose for statement in asked[line]]
    said = presided(desk, game, writer, letter, letter.lines, now)
    if writer.leader is None or not words:
        return said
    asides = Asides(desk, desk.game(game.id), writer.leader, letter, now)
    verdicts = asides.settle([aside(statement) for statement in words])
    asides.keep()
    others = (line for line in said.lines if line.outcome != "passed" or not asked.get(line.text))
    lines = (*others, *map(verdict_line, verdicts))
    return asides.in_reply(replace(said, lines=lines, problem=said.problem if powers else None))


def _words(reader: Reader[Any], line: str) -> list[Statement[Any]]:
    """What a line says to the house; press is for players."""
    read = reader.read([line]).statements
    return [each for each in read if each.command in ASIDES and not each.to and not each.refusal]
