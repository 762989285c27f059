"""Seasons that were played elsewhere, and games that become tables of one."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import msgspec
import pytest

from pbem.bootstrap import prove_seasons, season_file
from pbem.core.refusal import Illegal
from pbem.host.leagues.importing import Exported
from pbem.league.figures import group_standings
from tests.service.bureau import OPERATOR, Bureau, address
from tests.service.season import DAY, PEOPLE, SeasonBureau, playing, settings
from tests.service.test_season_rounds import verdict

NAMES = ("Anton", "Bert", "Claudia", "Daniel", "Emil", "Frieda")


def row(table: int, name: str, place: int, points: str, **more: str) -> dict[str, str]:
    return {"table": str(table), "name": name, "place": str(place), "points": points, **more}


def results(groups: tuple[str, ...] = ("1a",)) -> Iterator[dict[str, str]]:
    """Two tables of four in each group."""
    for number, group in enumerate(groups):
        names = [f"{name} {group}" for name in NAMES]
        for table, people in enumerate((names[:4], names[2:]), 1 + 2 * number):
            for place, (name, points) in enumerate(zip(people, ("10.00", "6", "3", "1"), strict=True), 1):
                yield row(table, name, place, points, group=group, ended=f"2026-0{table}-01T12:00:00Z")


# -- results ---


def test_results_of_elsewhere_are_a_season_that_is_over() -> None:
    bureau = Bureau()
    found = bureau.server.leagues.import_results("euro-0", [*results()], "imperial", rated=False)
    assert found.wrong == ()
    season = bureau.server.leagues.season("euro-0")
    names = bureau.server.leagues.names("euro-0")
    assert [(names[each.line], each.points) for each in group_standings(season, "1a")][:3] == [
        ("Claudia 1a", 1300), ("Anton 1a", 1000), ("Daniel 1a", 700),
    ]  # fmt: skip
    assert season.ended is not None
    assert names[season.ended.honours["champion"][0]] == "Claudia 1a"
    assert bureau.tick(DAY) == []


def test_they_count_for_movement_where_the_league_goes_on() -> None:
    bureau = Bureau()
    rows = [*results(("1a", "2a", "2b"))]
    bureau.server.leagues.import_results("euro-0", rows, "imperial", rated=False)
    bureau.clock.set(SeasonBureau().clock.now())
    season = bureau.server.leagues.found(settings())
    assert season.tag == "euro-1"
    assert season.founded.borders == (2,)
    assert [len(level) for level in season.founded.last] == [6, 12]
    with pytest.raises(Illegal, match="there_already"):
        bureau.server.leagues.import_results("euro-0", rows, "imperial", rated=False)


def test_the_same_people_are_known_again_in_the_next_file() -> None:
    bureau = Bureau()
    for tag in ("euro-1", "euro-2"):
        bureau.server.leagues.import_results(tag, [*results()], "imperial", rated=False)
    assert bureau.server.leagues.names("euro-1") == bureau.server.leagues.names("euro-2")


WRONG = (
    ({"table": "x"}, "table should be a number"),
    ({"place": "0"}, "place should be a number"),
    ({"points": "many"}, "points should be a number"),
    ({"points": "1.005"}, "two decimals"),
    ({"game": "imp-1"}, "game should be empty"),
    ({"how": "won"}, "how should be one of"),
    ({"ended": "yesterday"}, "ended should be an instant"),
    ({"group": "1b"}, "is in group"),
    ({"name": "Anton 1a"}, "twice"),
)


@pytest.mark.parametrize(("change", "told"), WRONG)
def test_every_row_that_is_wrong_is_told_and_nothing_is_brought(change: dict[str, str], told: str) -> None:
    bureau = Bureau()
    rows = [*results()]
    rows[3] |= change
    found = bureau.server.leagues.import_results("euro-0", rows, "imperial", rated=False)
    assert found.season is None
    assert any(told in why for _, why in found.wrong)
    assert bureau.server.leagues.leagues() == []


def test_they_are_rated_only_if_that_is_said(tmp_path: Path) -> None:
    bureau = Bureau()
    bureau.server.leagues.import_results("euro-0", [*results()], "imperial", rated=False)
    bureau.server.leagues.import_results("asia-0", [*results()], "imperial", rated=True)
    with bureau.server.games.work() as work:
        rated = work.repository.newest_steps("imperial")
    names = bureau.server.leagues.names("asia-0")
    assert {names[person] for person in rated} == {f"{name} 1a" for name in NAMES}
    bureau.server.archivist(tmp_path, language="en").build()
    told = [each.sentence for each in prove_seasons(tmp_path)]
    assert len(told) == 2
    assert all("all follow" in each and "imported" in each for each in told), told
    page = (tmp_path / "leagues/euro/0/index.html").read_text("utf-8")
    assert "Played elsewhere" in page
    assert "Claudia 1a" in (tmp_path / "ratings/imperial/index.html").read_text("utf-8")


# -- what a server has exported ---


@pytest.fixture(scope="module")
def exported() -> bytes:
    bureau = playing()
    bureau.to("ended")
    return season_file(bureau.server.leagues.published("euro-1"), "season.json")


def told(raw: bytes) -> dict[str, Any]:
    plain: dict[str, Any] = msgspec.json.decode(raw)
    return plain


def test_what_one_server_exports_another_one_brings_up_again(exported: bytes, tmp_path: Path) -> None:
    empty = Bureau()
    season = empty.server.leagues.import_exported("euro-1", msgspec.json.decode(exported, type=Exported))
    assert season.ended is not None
    again = told(season_file(empty.server.leagues.published("euro-1"), "season.json"))
    assert again.pop("imported")
    first = told(exported)
    assert first.pop("imported") == ""
    assert again == first
    empty.server.archivist(tmp_path, language="en").build()
    (found,) = prove_seasons(tmp_path)
    assert "all follow from what is published" in found.sentence
    assert "imported" in found.sentence
    assert {mail.to for mail in empty.tick(400 * DAY)} <= {OPERATOR}  # nobody there has an address


def test_people_keep_their_numbers_or_the_season_stays_away(exported: bytes) -> None:
    bureau = Bureau()
    bureau.know("zoe@players.test")
    with pytest.raises(Illegal, match="person_taken"):
        bureau.server.leagues.import_exported("euro-1", msgspec.json.decode(exported, type=Exported))
    assert bureau.server.leagues.leagues() == []


@pytest.mark.parametrize("spoil", ["tag", "acts"])
def test_what_is_no_export_is_refused(exported: bytes, spoil: str) -> None:
    plain = told(exported)
    if spoil == "acts":
        plain["acts"] = plain["acts"][:-1]
    file = msgspec.convert(plain, Exported)
    with pytest.raises(Illegal, match="no_export"):
        Bureau().server.leagues.import_exported("euro-2" if spoil == "tag" else "euro-1", file)


# -- games of this server ---


def entered() -> SeasonBureau:
    bureau = SeasonBureau()
    bureau.to("entries")
    bureau.enter()
    return bureau


def game_of(bureau: SeasonBureau, people: Sequence[str], *, over: bool = False) -> str:
    """One that they play beside the season."""
    terms = bureau.terms(policy="lenient", slot_hours=8000)
    game = bureau.server.new_game(terms, [f"{name}={address(name)}" for name in people]).id
    for name in people:
        bureau.write(name, "join", subject=f"[{game}] you are invited")
    if over:
        bureau.server.app.moderate(game, ["end: enough was seen"])
    return game


@pytest.mark.parametrize("over", [True, pytest.param(False, marks=pytest.mark.slow)])
def test_a_game_that_was_played_becomes_a_table_of_its_own(tmp_path: Path, *, over: bool) -> None:
    bureau = entered()
    game = game_of(bureau, PEOPLE[:4], over=over)
    season = bureau.server.leagues.adopt(bureau.tag, game, None)
    assert season.tables[1].game == game
    assert season.tables[1].is_over == over
    bureau.to("muster")
    bureau.muster()
    bureau.to("playing")
    assert [*bureau.season.tables] == [1, 2, 3, 4, 5, 6, 7]
    assert bureau.season.tables[1].drawn is not None
    assert bureau.season.tables[1].drawn.group == "1a"
    bureau.to("ended")
    assert sum(row.played for row in group_standings(bureau.season, "1a")) == 4 * 7
    bureau.server.archivist(tmp_path, language="en").build()
    (found, _) = prove_seasons(tmp_path)
    assert "all follow from what is published" in found.sentence, found.sentence


def test_a_game_takes_the_place_of_a_table_that_has_not_begun() -> None:
    bureau = playing()
    waits = next(table for table in bureau.season.tables.values() if table.begun is None)
    people = [who for who in bureau.people if bureau.number(who) in waits.people]
    game = game_of(bureau, people, over=True)
    bureau.server.leagues.adopt(bureau.tag, game, waits.number)
    noted = bureau.season.tables[waits.number].noted
    assert noted is not None
    assert {seat.seat for seat in noted.seats} == {*waits.people}
    assert "follow from what is published" in verdict(bureau)
    with pytest.raises(Illegal, match="not_adopted"):
        bureau.server.leagues.adopt(bureau.tag, game, None)  # it is a table already


def test_a_game_of_others_is_none() -> None:
    bureau = playing()
    waits = next(table for table in bureau.season.tables.values() if table.begun is None)
    others = [who for who in bureau.people if bureau.number(who) not in waits.people]
    bureau.know("zoe@players.test")
    game = game_of(bureau, [*others, "zoe"], over=True)
    for number in (waits.number, None, 1):
        with pytest.raises(Illegal, match="not_adopted") as refused:
            bureau.server.leagues.adopt(bureau.tag, game, number)
        assert refused.value.facts["why"] == ("begun" if number == 1 else "people")


def test_a_table_that_is_adopted_while_it_runs_is_noted_when_it_ends() -> None:
    bureau = entered()
    game = game_of(bureau, PEOPLE[:4])
    bureau.server.leagues.adopt(bureau.tag, game, None)
    bureau.server.app.moderate(game, ["end: enough was seen"])
    assert bureau.season.tables[1].is_over
