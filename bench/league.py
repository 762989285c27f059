"""Leagues of 2,000: the sixth draw of a season of rounds, all groups of a season of divisions, and its site."""

from __future__ import annotations

import resource
import sys
import time
from collections.abc import Callable
from itertools import combinations
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import TypeVar

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from msgspec.structs import replace

from pbem.adapters.clock import FastClock
from pbem.adapters.site import Site
from pbem.adapters.store.sql import SqlStore
from pbem.bootstrap import Server
from pbem.core.chance import draw
from pbem.games import GAMES
from pbem.host.leagues.published import PublishedSeason
from pbem.host.messages.host_identity import HostIdentity
from pbem.host.session.identity import Identity
from pbem.league import acts
from pbem.league.calendar import calendar_of
from pbem.league.drawing import divide, dividing_inputs, draw_group, group_inputs
from pbem.league.due import due
from pbem.league.figures import group_standings
from pbem.league.log import CLOCK, Entry, behind, written
from pbem.league.lots import chain, key_of, shuffled
from pbem.league.points import by_places
from pbem.league.rounds import Drawn, Field, pair, round_tables
from pbem.league.season import folded
from pbem.league.settings import Season, Settings
from pbem.league.sizes import table_sizes
from pbem.league.state import Season as State

T = TypeVar("T")

NOW = 1_795_000_000  # some day in November 2026

PLAYERS, ROUNDS = 2000, 6
SETTINGS = Settings(name="euro", game="imperial", season=Season(start="2027-01-11"))
POSITIONS = {4: tuple(f"position {number}" for number in range(6))}
LINKS = chain("11" * 32, 64)


def timed(made: Callable[[], T]) -> tuple[float, T]:
    began = time.perf_counter()
    result = made()
    return time.perf_counter() - began, result


def after(field: Field, number: int, drawn: Drawn) -> Field:
    """The field after the round; results follow half from a fixed strength, half from lots."""
    met, short, score = {**field.met}, {**field.short}, {**field.score}
    for table in drawn.tables:
        for two in combinations(table, 2):
            met[pair(*two)] = met.get(pair(*two), 0) + 1
        for player in table if len(table) < field.wanted else ():
            short[player] = short.get(player, 0) + 1
        order = sorted(table, key=lambda own: (-draw(b"s", str(own), 1000) - draw(b"r", f"{number} {own}", 1000), own))
        places = {player: place for place, player in enumerate(order, 1)}
        for player, points in by_places(places, SETTINGS.scoring.places[len(table)]).items():
            score[player] += points
    return replace(field, met=met, short=short, score=score)


def rounds() -> tuple[Field, bytes]:
    """What the last round is drawn from."""
    everybody = range(PLAYERS)
    field = Field(
        players=tuple(everybody),
        sizes=table_sizes(PLAYERS, 4, (3, 4, 5)),
        wanted=4,
        score=dict.fromkeys(everybody, 0),
    )
    for number in range(1, ROUNDS):
        field = after(field, number, round_tables(field, key_of(LINKS[number], {"draw": number})))
    return field, key_of(LINKS[ROUNDS], {"draw": ROUNDS})


def entered() -> list[acts.Act]:
    calendar = calendar_of(SETTINGS)
    people = tuple(acts.Entrant(person=number) for number in range(1, PLAYERS + 1))
    founded = acts.Founded(
        league="euro",
        season=1,
        settings=SETTINGS,
        calendar=calendar,
        commitment=LINKS[0],
        rules="1",
        positions=POSITIONS,
    )
    return [founded, acts.Opened(people=tuple(each.person for each in people)), acts.Closed(entrants=people)]


def groups(given: list[acts.Act]) -> list[acts.Act]:
    """The season with its groups and all its tables."""
    season = fold(given)
    inputs = dividing_inputs(season, {}, ())
    given = [*given, acts.Divided(link=LINKS[1], inputs=inputs, groups=tuple(divide(SETTINGS, LINKS[1], inputs)))]
    season, made, first = fold(given), [], 1
    for name in season.groups:
        made.append(draw_group(SETTINGS, LINKS[1], group_inputs(season, name, ()), POSITIONS, first))
        first += len(made[-1].tables)
    return [*given, acts.Drawn(number=1, link=LINKS[1], drawings=tuple(made))]


def logged(given: list[acts.Act]) -> list[Entry]:
    log: list[Entry] = []
    for number, act in enumerate(given):
        log.append(behind(log[-1] if log else None, number, CLOCK, act))
    return log


def fold(given: list[acts.Act]) -> State:
    season = folded(logged(given))
    assert season is not None
    return season


def site(given: list[acts.Act]) -> tuple[float, int]:
    """Seconds and files for one more result, when everything else is there."""
    season = fold(given)
    begun = [acts.Begun(table=number, game=f"imp-{number}") for number in season.tables]
    seats = enumerate(season.tables[1].people, 1)
    points = by_places({place: place for place in range(1, 5)}, SETTINGS.scoring.places[4])
    came = [acts.SeatResult(seat=who, person=who, place=at, score=60 - at, points=points[at]) for at, who in seats]
    result = acts.Noted(table=1, how="played", seats=tuple(came))
    log = [*map(written, logged([*given, *begun, result]))]
    with TemporaryDirectory() as root:
        kept(Path(root), log[:-1])
        return timed(lambda: kept(Path(root), log))


def kept(root: Path, log: list[bytes]) -> int:
    """How many files were written."""
    names = {number: f"Player {number}" for number in range(1, PLAYERS + 1)}
    season = PublishedSeason(tag="euro-1", league="euro", number=1, settings=SETTINGS, log=tuple(log), names=names)
    place = Site(root, GAMES)
    with place.writing() as shelves:
        shelves.keep_season(season)
    return place.folder.written


def quiet() -> tuple[float, float]:
    """Milliseconds that a round's look at the leagues takes, with none and with 200 in which nothing is due."""
    with TemporaryDirectory() as root:
        clock = FastClock(NOW, 0)
        store = SqlStore(f"sqlite:///{Path(root) / 'pbem.sqlite'}")
        identity = Identity(key=b"k" * 32, address="pbem@pbem.test")
        server = Server(store, clock, HostIdentity(domain="pbem.test", operator="operator@pbem.test"), identity)
        alone = _look(server)
        for number in range(200):
            name = "".join(chr(ord("a") + int(digit)) for digit in f"{number:03}")
            server.leagues.found(replace(SETTINGS, name=f"liga{name}"))
        among = _look(server)
        store.close()
        return alone, among


def _look(server: Server) -> float:
    """The median of a hundred."""
    service = server.season_service()
    return 1000 * median(timed(service.look)[0] for _ in range(100))


def main() -> None:
    field, key = rounds()
    lots, _ = timed(lambda: [shuffled(field.players, key, f"order {attempt}") for attempt in range(8)])
    took, drawn = timed(lambda: round_tables(field, key))
    again = sum(pair(*two) in field.met for table in drawn.tables for two in combinations(table, 2))
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"yardstick: {PLAYERS} players in lot order, eight times: {lots:.2f} s")
    print(f"draw {ROUNDS} of {PLAYERS} players: {took:.2f} s (bar 2), {took / lots:.1f} yardsticks")
    print(f"the whole process so far: {memory:.0f} MB (bar 200)")
    print(f"meetings again: {again}; attempts: {drawn.attempt + 1}")
    given = entered()
    took, given = timed(lambda: groups(given))
    season = fold(given)
    print(
        f"{len(season.groups)} groups, {len(season.tables)} tables: {took:.2f} s (bar 5), {took / lots:.1f} yardsticks"
    )
    took, coming = timed(lambda: due(season))
    print(f"what is due, {len(coming)} things: {took:.2f} s, {took / lots:.1f} yardsticks")
    took, _ = timed(lambda: [group_standings(season, name) for name in season.groups])
    print(f"all standings: {took:.2f} s, {took / lots:.1f} yardsticks")
    took, files = site(given)
    print(f"the site after one result: {files} files (bar 12), {took:.2f} s (bar 1), {took / lots:.1f} yardsticks")
    alone, among = quiet()
    more, times = among - alone, among / alone
    print(f"a round among 200 quiet leagues: {more:.2f} ms more (bar 2), {times:.2f} times without any")


if __name__ == "__main__":
    main()
