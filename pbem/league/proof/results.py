"""V7 to V9: results, points, standings, and ratings."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from pbem.league import acts
from pbem.league.figures import ended, rated_tables
from pbem.league.log import Entry
from pbem.league.points import points
from pbem.league.proof.evidence import Fault, GameResult, Trial
from pbem.league.ratings import Step, steps

CLOSE = 1e-6  # of ratings


def result(trial: Trial, entry: Entry) -> Iterator[Fault]:
    act = entry.act
    if not isinstance(act, acts.Noted) or act.table not in trial.season.tables:
        return
    about, table = f"T-{act.table}", trial.season.tables[act.table]
    if any(table.holders.get(seat.seat, seat.seat) != seat.person for seat in act.seats):
        yield Fault("V7", about, "other people sat there at the end")
    if table.game in trial.published.games and not act.void:
        yield from _game(trial, about, act, trial.published.games[table.game])
    if not act.void:
        yield from _points(trial, about, act)


def _game(trial: Trial, about: str, act: acts.Noted, game: GameResult | None) -> Iterator[Fault]:
    if game is None:
        trial.given.append(f"{about} is sealed")
        return
    if game.places is None:
        trial.by_time.append(about)
    places, scores = ({seat.seat: getattr(seat, key) for seat in act.seats} for key in ("place", "score"))
    wrong = any(own is not None and noted != own for noted, own in ((places, game.places), (scores, game.scores)))
    if wrong or (game.digest and game.digest != act.digest):
        yield Fault("V7", about, "the result is not what the game's own log gives")
    drawn = trial.season.tables[act.table].drawn
    if drawn and game.dealt and game.dealt != {chair.person: chair.position for chair in drawn.chairs}:
        yield Fault("V4", about, "the game was begun with other people or positions than were drawn")


def _points(trial: Trial, about: str, act: acts.Noted) -> Iterator[Fault]:
    scoring = trial.season.settings.scoring
    places = {seat.seat: seat.place for seat in act.seats}
    scores = {seat.seat: seat.score for seat in act.seats if seat.score is not None}
    worth = points(scoring.system, places, scores if len(scores) == len(places) else None, scoring.places)
    if any(worth[seat.seat] != seat.points for seat in act.seats):
        yield Fault("V8", about, "the points are not what the places give")


def ending(trial: Trial, entry: Entry) -> Iterator[Fault]:
    act = entry.act
    if not isinstance(act, acts.Ended):
        return
    wanted = replace(ended(trial.season), digest=act.digest)
    for key in ("standings", "order", "borders", "honours"):
        if getattr(act, key) != getattr(wanted, key):
            yield Fault("V8", key, "it is not what the tables give")


def rated(trial: Trial) -> Iterator[Fault]:
    """From the first rated game on, wherever it was played."""
    rated = trial.published.rated
    if rated is None:
        return
    games = {number: trial.season.game_of(table) for number, table in trial.season.tables.items()}
    numbers = {game: number for number, game in games.items() if game}
    own = {table.game: table for table in rated_tables(trial.season)}
    told = {table.game: table for table in rated if table.game in numbers}
    for game in sorted({*own, *told}, key=numbers.__getitem__):
        if own.get(game) != told.get(game):
            yield Fault("V9", f"T-{numbers[game]}", "what it counts for in the ratings is not what it came to")
    wanted = {(step.person, step.game): step for step in steps({}, rated) if step.game in own}
    found = {(step.person, step.game): step for step in trial.published.steps}
    for key in sorted({*wanted, *found}):
        if not _are_close(wanted.get(key), found.get(key)):
            yield Fault("V9", f"player {key[0]}", f"the rating after {key[1]} is not what the games give")


def _are_close(one: Step | None, other: Step | None) -> bool:
    if one is None or other is None:
        return False
    same = (one.end, one.games) == (other.end, other.games)
    return same and abs(one.mu - other.mu) <= CLOSE and abs(one.sigma - other.sigma) <= CLOSE
