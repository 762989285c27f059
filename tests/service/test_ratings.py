"""Ratings in the books: games in leagues and others, in the transaction that ends them, and after corrections."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from lxml import html
from msgspec.structs import replace

from pbem.adapters.store.repository import SqlBooks
from pbem.adapters.store.schema import rated
from pbem.bootstrap import prove_seasons
from pbem.host.season.rating import rate_others
from pbem.host.season.telling import tell
from pbem.host.session.unit_of_work import UnitOfWork
from pbem.league.acts import Scored, Voided
from pbem.league.log import OPERATOR
from pbem.league.ratings import Ratings, counted
from tests.service.season import SeasonBureau, playing

KIND = "imperial"


def books(bureau: SeasonBureau) -> Ratings:
    with bureau.store.transaction() as repository:
        return {person: step.rating for person, step in repository.newest_steps(KIND).items()}


def anew(bureau: SeasonBureau) -> Ratings:
    with bureau.store.transaction() as repository:
        return counted({}, repository.rated_from(KIND, 0))


def played(tables: int = 3) -> SeasonBureau:
    bureau = playing()
    bureau.go(lambda season: sum(each.is_over for each in season.tables.values()) == tables)
    return bureau


def test_a_table_is_rated_in_the_transaction_that_ends_it() -> None:
    bureau = played(1)
    table = next(each for each in bureau.season.tables.values() if each.is_over)
    assert {*books(bureau)} == {*table.people}
    assert books(bureau) == anew(bureau)
    assert {each.games for each in books(bureau).values()} == {1}


def corrected(bureau: SeasonBureau, act: Scored | Voided) -> None:
    def do(work: UnitOfWork) -> None:
        desk = work.season(bureau.tag)
        desk.enter(bureau.clock.now(), OPERATOR, act)
        tell(work, desk, bureau.clock.now())

    bureau.server.games.do(do)


def test_a_correction_counts_everything_behind_it_anew() -> None:
    bureau = played(3)
    before, first = books(bureau), min(bureau.season.tables.values(), key=lambda each: each.noted_at or 1 << 60)
    assert first.noted is not None
    turned = tuple(replace(seat, place=5 - seat.place) for seat in first.noted.seats)
    corrected(bureau, Scored(table=first.number, seats=turned, why="the wrong way round"))
    assert books(bureau) == anew(bureau) != before
    corrected(bureau, Voided(table=first.number, why="a fault of ours"))
    assert books(bureau) == anew(bureau)
    assert sum(each.games for each in books(bureau).values()) == sum(each.games for each in before.values()) - 4


def test_games_that_ended_before_there_were_ratings_are_counted() -> None:
    bureau = played(2)
    wanted = books(bureau)
    with bureau.store.transaction() as repository:
        assert isinstance(repository, SqlBooks)
        repository._remove(rated, kind=KIND)
        repository.drop_steps(KIND, 0)
    assert books(bureau) == {}
    assert bureau.server.games.do(lambda work: rate_others(work, 1))
    assert not bureau.server.games.do(lambda work: rate_others(work, 5))
    assert books(bureau) == wanted


# -- pages ---


@pytest.fixture(scope="module")
def archive(tmp_path_factory: pytest.TempPathFactory) -> tuple[SeasonBureau, Path]:
    root = tmp_path_factory.mktemp("archive")
    bureau = playing()
    bureau.to("ended")
    assert not bureau.server.archivist(root).build().failed
    return bureau, root


def text(root: Path, page: str) -> str:
    return re.sub(r"\s+", " ", html.fromstring((root / page / "index.html").read_text("utf-8")).text_content())


@pytest.mark.slow
def test_the_list_has_everybody_and_leads_to_their_pages(archive: tuple[SeasonBureau, Path]) -> None:
    bureau, root = archive
    page = html.fromstring((root / "ratings/imperial/index.html").read_text("utf-8"))
    assert set(page.xpath("//tbody//a/@href")) == {f"../../players/{bureau.number(who)}/" for who in bureau.people}
    assert "(" in page.xpath("string(//tbody/tr[1]/td[2])")  # of four games it is provisional
    assert "ratings/imperial/" in (root / "players/index.html").read_text("utf-8")


def test_a_player_s_page_has_the_curve_and_the_lines_of_seasons(archive: tuple[SeasonBureau, Path]) -> None:
    bureau, root = archive
    number = bureau.number(bureau.people[0])
    told, page = text(root, f"players/{number}"), (root / f"players/{number}/index.html").read_text("utf-8")
    assert "still provisional" in told
    assert "<svg" in page
    own = [each.number for each in bureau.season.tables.values() if number in each.people]
    assert [link for link in own if f'../../leagues/euro/1/tables/{link}/"' not in page] == []
    (line,) = html.fromstring(page).xpath("//tr[th/a[contains(@href, 'leagues/euro/1/')]]")
    ended = bureau.season.ended
    assert ended is not None
    place = next(each for each in ended.standings if each.person == number)
    assert [cell.text_content().strip() for cell in line][1:5] == ["1a", str(place.place), "4", f"{place.points / 100:.2f}"]  # fmt: skip


def test_honours_name_all_that_is_honoured(archive: tuple[SeasonBureau, Path]) -> None:
    told = text(archive[1], "leagues/euro/honours")
    assert all(word in told for word in ("Champion", "Most wins", "Never late"))


def test_a_correction_reaches_the_pages(archive: tuple[SeasonBureau, Path], tmp_path: Path) -> None:
    bureau, root = played(3), tmp_path
    archivist = bureau.server.archivist(root)
    assert not archivist.build().failed
    before = (root / "ratings/imperial/ratings.csv").read_text("utf-8")
    first = next(each for each in bureau.season.tables.values() if each.is_over)
    corrected(bureau, Voided(table=first.number, why="a fault of ours"))
    archivist.update()
    assert (root / "ratings/imperial/ratings.csv").read_text("utf-8") != before
    assert f"\r\n{first.game}," not in (root / "ratings/imperial/games.csv").read_text("utf-8")
    (verdict,) = prove_seasons(root)
    assert verdict.fault is None
