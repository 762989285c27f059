"""What the archive counts over all finished games of Empire: how well one fares from where."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec import Struct, convert, to_builtins

from pbem.core.presenter import Facts, View


class CapitalTally(Struct, frozen=True, kw_only=True):
    """What became of those whose capital stood in a square of a map."""

    games: int = 0
    won: int = 0
    points: int = 0


class CapitalLine(Struct, frozen=True, kw_only=True):
    """A row of the table; `points` are the mean of its games."""

    board: str
    capital: str
    games: int
    won: int
    points: float


def begun(view: View) -> Iterator[Facts]:
    """Each player with the capital of the zero turn, as far as it is known still; nothing before the end."""
    scores = view["scores"] or {}
    for seat, points in scores.items():
        country = view["countries"].get(seat)  # the first country bears the name of its player
        if country is not None and country["capital"]:
            yield {"player": seat, "capital": country["capital"], "points": points}


def tallied(before: Facts, card: Facts, winners: Sequence[str]) -> Facts:
    """With one more game, in which each player had a first country."""
    known = convert(before.get("capitals", {}), dict[str, CapitalTally])
    for country in card["countries"]:
        key = f"{card['board']} {country['capital']}"
        tally = known.get(key, CapitalTally())
        won, points = tally.won + (country["player"] in winners), tally.points + country["points"]
        known[key] = CapitalTally(games=tally.games + 1, won=won, points=points)
    return {"games": before.get("games", 0) + 1, "capitals": to_builtins(known)}


def lines(tallies: Facts) -> list[CapitalLine]:
    """By map, the best capital first."""
    known = convert(tallies.get("capitals", {}), dict[str, CapitalTally])
    rows = [_line(key, tally) for key, tally in known.items()]
    return sorted(rows, key=lambda row: (row.board, -row.points, row.capital))


def _line(key: str, tally: CapitalTally) -> CapitalLine:
    board, capital = key.split(" ")
    points = tally.points / tally.games
    return CapitalLine(board=board, capital=capital, games=tally.games, won=tally.won, points=points)
