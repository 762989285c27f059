"""A season among bots: it ends in its calendar, follows from what is published, and is the same again by its seed."""

from __future__ import annotations

from collections.abc import Mapping
from hashlib import sha256
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from msgspec.structs import replace

from pbem.cli.main import main
from pbem.league.limits import House
from pbem.league.settings import Entry, Groups, Limits, Season, Settings
from pbem.simulation.season import Outcome, Stuck, friends, simulate

NOW = 1_795_435_200  # Mon 23 Nov 2026
THREE, DAYS = 3, 2


def short(house: House) -> Settings:
    """Three people, three tables at once, a few days: then time ends what is not over."""
    return replace(
        friends(house),
        entry=Entry(least=THREE, days=2, muster_days=1),
        groups=Groups(size=THREE, least=THREE),
        limits=Limits(game_days=DAYS),
        season=Season(start="2026-11-27", weeks=4, repeat="no"),
    )


def played(folder: Path, seed: int = 1) -> Outcome:
    return simulate(folder, short, players=THREE, now=NOW, seed=seed)


def digests(folder: Path) -> Mapping[str, str]:
    """Of all that it leaves but the books."""
    files = sorted(file for file in folder.rglob("*") if file.is_file() and not file.name.startswith("pbem.sqlite"))
    return {str(file.relative_to(folder)): sha256(file.read_bytes()).hexdigest() for file in files}


@pytest.fixture(scope="module")
def one(tmp_path_factory: pytest.TempPathFactory) -> Outcome:
    return played(tmp_path_factory.mktemp("simulation") / "one")


def test_a_season_ends_in_its_calendar_and_follows_from_its_pages(one: Outcome) -> None:
    (season,) = one.seasons
    assert (season.entrants, season.groups, season.tables) == (THREE, 1, THREE)
    assert sum(season.endings.values()) == THREE
    assert 0 < season.days <= DAYS + 1
    assert [verdict.fault for verdict in one.verdicts] == [None]


@pytest.mark.slow
def test_a_season_comes_again_by_its_seed(one: Outcome, tmp_path: Path) -> None:
    again = played(tmp_path / "again")
    assert one.seasons == again.seasons
    assert digests(one.folder) == digests(again.folder)


@pytest.mark.slow
def test_a_season_that_never_ends_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pbem.daemon.Daemon._lead_seasons", lambda _: True)
    monkeypatch.setattr("pbem.simulation.season.LATE", 2 * 86_400)
    with pytest.raises(Stuck, match="friends-1 is still entries"):
        played(tmp_path)


def pbem(*words: str) -> Result:
    return CliRunner().invoke(main, [*words])


def test_the_file_of_a_league_is_simulated_or_told_what_is_wrong(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    pbem("league", "init", "euro")
    wrong = Path("euro.yaml").read_text().replace("weeks: 17", "weeks: 0")
    Path("euro.yaml").write_text(wrong)
    told = pbem("league", "simulate", "euro.yaml")
    assert told.exit_code == 1
    assert "season.weeks: should be 1 to 104" in told.output
