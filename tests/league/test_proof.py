"""A season is verified from what is published; each planted fault is found, and named."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from msgspec.structs import replace

from pbem.core.log import START, seal
from pbem.league import acts
from pbem.league.figures import rated_tables
from pbem.league.log import Entry, written
from pbem.league.lots import sealed
from pbem.league.proof.evidence import GameResult, Published
from pbem.league.proof.verdict import verify
from pbem.league.ratings import steps
from pbem.league.settings import Divisions, Rounds, Tables
from pbem.league.settings import Entry as Entries
from tests.league.played import POSITIONS, Play, settings

SMALL = settings(divisions=Divisions(shape=(1, 2)))


@pytest.fixture(scope="module")
def played() -> Play:
    play = Play(SMALL, 20)
    play.play()
    return play


def published(play: Play, **more: Any) -> Published:
    games = {table.game: result_of(table.noted) for table in play.season.tables.values() if table.noted and table.game}
    log = [written(entry) for entry in play.entries]
    rated = rated_tables(play.season)
    return Published(
        **{
            "log": log,
            "settings": play.season.founded.settings,
            "games": games,
            "rated": rated,
            "steps": [*steps({}, rated)],
            **more,
        }
    )


def result_of(noted: acts.Noted) -> GameResult:
    return GameResult(
        places={seat.seat: seat.place for seat in noted.seats},
        scores={seat.seat: seat.score or 0 for seat in noted.seats},
    )


def test_all_follows(played: Play) -> None:
    verdict = verify(published(played))
    assert (
        verdict.sentence == "euro-1: 20 entrants, 20 tables, 1 draw, 0 acts by hand: all follow from what is published"
    )


def test_rounds_follow_and_acts_by_hand_are_counted() -> None:
    play = Play(settings(format="rounds", entry=Entries(least=16), rounds=Rounds(count=3)), 19)
    play.play(lambda what: what.what == "end")
    play.do(acts.Penalised(person=3, points=100), "organiser zoe")
    play.play()
    assert verify(published(play)).sentence.startswith("euro-1: 19 entrants, 15 tables, 3 draws, 1 act by hand: all")
    links = [entry for entry in play.entries if not (isinstance(entry.act, acts.Drawn) and entry.act.number == 2)]
    assert verify(published(play, log=chained(links))).fault is not None


def test_a_folder_that_is_nothing() -> None:
    assert verify(Published(log=[])).sentence == "the season: V1: A-0: the season was not founded first"
    assert (verify(Published(log=[b"{}"])).fault or "")[0] == "V1"


def chained(entries: list[Entry]) -> list[bytes]:
    """The same acts as a chain of their own: whoever forges a log can do that."""
    made: list[Entry] = []
    for entry in entries:
        made.append(seal(replace(entry, seq=len(made), prev=made[-1].hash if made else START)))
    return [written(entry) for entry in made]


def forged(play: Play, kind: type, change: Callable[[Any], Any]) -> Published:
    """The log with the first act of that kind changed."""
    place = next(place for place, entry in enumerate(play.entries) if isinstance(entry.act, kind))
    entries = [*play.entries]
    entries[place] = replace(entries[place], act=change(entries[place].act))
    return published(play, log=chained(entries))


def seats(change: Callable[[acts.SeatResult], acts.SeatResult]) -> Callable[[acts.Noted], acts.Noted]:
    return lambda act: replace(act, seats=(change(act.seats[0]), *act.seats[1:]))


def tables(change: Callable[[acts.TableDrawn], acts.TableDrawn]) -> Callable[[acts.Drawn], acts.Drawn]:
    def done(act: acts.Drawn) -> acts.Drawn:
        first = act.drawings[0]
        return replace(
            act, drawings=(replace(first, tables=(change(first.tables[0]), *first.tables[1:])), *act.drawings[1:])
        )

    return done


def swap(table: acts.TableDrawn) -> acts.TableDrawn:
    return replace(table, chairs=(table.chairs[1], table.chairs[0], *table.chairs[2:]))


def turn(table: acts.TableDrawn) -> acts.TableDrawn:
    """Other positions for the same people."""
    dealt = zip(table.chairs, reversed(table.chairs), strict=True)
    return replace(table, chairs=tuple(replace(chair, position=other.position) for chair, other in dealt))


def test_each_planted_fault_is_found_and_named(played: Play) -> None:
    end = played.season.ended
    assert end is not None
    faults: list[tuple[str, str, type, Callable[[Any], Any]]] = [
        ("V2", "table", acts.Founded, lambda act: replace(act, settings=replace(act.settings, table=Tables(load=3)))),
        ("V3", "", acts.Founded, lambda act: replace(act, commitment="0" * 64)),
        ("V4", "A-", acts.Divided, lambda act: replace(act, groups=act.groups[::-1])),
        ("V4", "A-", acts.Divided, lambda act: replace(act, link="1" * 64)),
        ("V4", "A-", acts.Divided, lambda act: replace(act, inputs={**act.inputs, "entries": act.inputs["entries"][1:]})),
        ("V4", "D-1", acts.Drawn, tables(swap)),
        ("V4", "D-1", acts.Drawn, tables(turn)),
        ("V4", "D-1", acts.Drawn, lambda act: replace(act, link=played.links[2])),
        ("V4", "D-1", acts.Drawn, lambda act: replace(act, drawings=(replace(act.drawings[0], cost=5), *act.drawings[1:]))),
        ("V6", "player 20", acts.Closed, lambda act: replace(act, entrants=act.entrants[:-1])),
        ("V6", "player 1", acts.Closed, lambda act: replace(act, entrants=(acts.Entrant(person=1, luck="x"), *act.entrants[1:]))),
        ("V6", "player 1", acts.Mustered, lambda act: replace(act, person=2, plays=False)),
        ("V7", "T-", acts.Noted, seats(lambda seat: replace(seat, score=(seat.score or 0) + 1))),
        ("V7", "T-", acts.Noted, seats(lambda seat: replace(seat, place=1 + seat.place % 2))),
        ("V7", "T-", acts.Noted, seats(lambda seat: replace(seat, person=99))),
        ("V8", "T-", acts.Noted, seats(lambda seat: replace(seat, points=seat.points + 1))),
        ("V8", "standings", acts.Ended, lambda act: replace(act, standings=act.standings[::-1])),
        ("V8", "order", acts.Ended, lambda act: replace(act, order=act.order[::-1])),
        ("V8", "borders", acts.Ended, lambda act: replace(act, borders=(3,))),
        ("V8", "honours", acts.Ended, lambda act: replace(act, honours={})),
        ("V2", "scoring.system", acts.Begun, lambda _: acts.Set(key="scoring.system", value="winner", was="places")),
        ("V2", "limits.game_days", acts.Begun, lambda _: acts.Set(key="limits.game_days", value=20, was=56, consent="P-1")),
    ]  # fmt: skip
    for check, about, kind, change in faults:
        fault = verify(forged(played, kind, change)).fault
        assert fault is not None, (check, kind)
        assert (fault.check, fault.about[: len(about)]) == (check, about), fault


def test_wrong_ratings_broken_chains_and_clocks_are_found(played: Play) -> None:
    told = published(played)
    one, *more = told.steps
    verdict = verify(replace(told, steps=[replace(one, mu=one.mu + 1e-5), *more]))
    assert (
        verdict.sentence == f"euro-1: V9: player {one.person}: the rating after {one.game} is not what the games give"
    )
    assert verify(replace(told, steps=[replace(one, mu=one.mu + 1e-7), *more])).fault is None
    assert told.rated is not None
    rated = [*told.rated]
    turned = replace(rated[0], seats=rated[0].seats[::-1])
    assert (verify(replace(told, rated=[turned, *rated[1:]])).fault or ("", ""))[:2] == ("V9", "T-1")
    assert verify(replace(told, log=told.log[:-1])).fault is None
    for log in (told.log[1:], [*told.log[:3], *told.log[4:]], [*told.log[:3], told.log[3][:-5], *told.log[4:]]):
        assert (verify(replace(told, log=log)).fault or "")[0] == "V1"
    back = [*played.entries[:3], replace(played.entries[3], at=0), *played.entries[4:]]
    assert (verify(replace(told, log=chained(back))).fault or "")[0] == "V1"


def test_a_sealed_draw_fits_its_digest() -> None:
    play = Play(SMALL, 12)
    play.play(lambda what: what.what == "draw")
    open_play = Play(SMALL, 12)
    open_play.play(lambda what: what.what == "begin")
    drawn = open_play.entries[-1].act
    assert isinstance(drawn, acts.Drawn)
    numbers = tuple(table.number for drawing in drawn.drawings for table in drawing.tables)
    play.do(acts.Sealed(number=1, digest=sealed(drawn.drawings, drawn.link), tables=numbers))
    assert play.season.tables[1].drawn is None
    assert "sealed: D-1" in verify(published(play)).sentence
    play.do(drawn)
    assert play.season.tables[1].drawn == drawn.drawings[0].tables[0]
    play.do(acts.Unsealed(number=1, link=drawn.link))
    assert verify(published(play)).fault is None
    wrong = (replace(drawn.drawings[0], cost=1), *drawn.drawings[1:])
    for place, act in ((-2, replace(drawn, drawings=wrong)), (-1, acts.Unsealed(number=1, link="ab" * 32))):
        entries = [*play.entries]
        entries[place] = replace(entries[place], act=act)
        fault = verify(published(play, log=chained(entries))).fault
        assert fault is not None
        assert fault.check == "V5"
    assert {*POSITIONS} == {3, 4, 5, 6}
