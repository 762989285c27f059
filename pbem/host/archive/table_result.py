"""What a game came to as a table of a season, from its published log."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import takewhile

from pbem.core.game import Registry
from pbem.core.log import beginning, number_of
from pbem.core.seat import Seat
from pbem.host.archive.proof import Published
from pbem.host.commands.table import COMMANDS
from pbem.host.reporting.chapters import blank
from pbem.host.session.acts import Dealt
from pbem.host.session.position import Position, positions
from pbem.host.session.session import LoadedGame, load_game
from pbem.host.session.terms import terms_of
from pbem.league.proof.evidence import GameResult


def table_result(published: Published, number: int, digest: str, games: Registry) -> GameResult | None:
    """As of the last entry that the season has noted; None while the log is sealed, or too short.

    `number`: of that entry, or of the last before it that has one; `digest`: its own.

    A game that time has ended has no places of its own: its scores are those before the turn that was under way.
    """
    known = published.log[: beginning(published.log)]
    upto = None if published.sealed else _place(known, number, digest)
    if upto is None:
        return None
    loaded = load_game(games, COMMANDS, terms_of(published.setup))
    entries = [loaded.rules.decoder().decode(raw) for raw in known[: upto + 1]]
    course = positions(loaded.rules, blank(loaded), entries)
    dealt = next((each.act for each in course[-1].done if isinstance(each.act, Dealt)), None)
    chairs = dealt.people if dealt else {}
    result = loaded.rules.result(course[-1].state)
    scores = result.scores if result else _running(loaded, course)
    return GameResult(
        places=_by_chair(result.places, chairs) if result else None,
        scores=None if scores is None else _by_chair(scores, chairs),
        digest=course[-1].prev,
        dealt={chairs[seat]: position for seat, position in dealt.positions.items()} if dealt else {},
    )


def _place(log: Sequence[bytes], number: int, digest: str) -> int | None:
    """Where the entry stands; that of the number, where none behind it fits the digest. None: there is no such."""
    numbers = [number_of(raw) for raw in log]
    if number not in numbers:
        return None
    first = numbers.index(number)
    behind = takewhile(lambda place: numbers[place] is None, range(first + 1, len(log)))
    own = f'"hash":"{digest}"'.encode()
    return next((place for place in behind if own in log[place]), first)


def _running(loaded: LoadedGame, course: list[Position]) -> Mapping[Seat, int] | None:
    return loaded.rules.standing(course[course[-1].since].state)


def _by_chair(amounts: Mapping[Seat, int], chairs: Mapping[str, int]) -> dict[int, int]:
    return {chairs[seat]: amount for seat, amount in amounts.items() if seat in chairs}
