"""The commands about leagues: a league is founded from its file, people are entered, and what stands is shown."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from pbem.cli.main import main

SETTINGS = """\
mailbox: {host: 127.0.0.1, port: 1, security: none, user: pbem@pbem.test, password_env: PBEM_TEST_PASSWORD}
smtp: {host: 127.0.0.1, port: 1, security: none, from: pbem@pbem.test}
operator: operator@pbem.test
"""


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "pbem.yaml").write_text(SETTINGS)
    return tmp_path


def pbem(*words: str) -> Result:
    return CliRunner().invoke(main, [*words])


def founded(**keys: str) -> Result:
    """With values of the template that differ."""
    assert pbem("league", "init", "euro").exit_code == 0
    text = re.sub(r"start: [0-9-]+", "start: 2099-01-12", Path("euro.yaml").read_text())
    for key, value in keys.items():
        text, found = re.subn(rf"(?m)^(\s*){key}: .*$", rf"\g<1>{key}: {value}", text, count=1)
        assert found, key
    Path("euro.yaml").write_text(text)
    return pbem("league", "new", "euro.yaml")


def test_a_league_is_founded_from_the_file_that_init_writes() -> None:
    made = founded()
    assert made.exit_code == 0, made.output
    assert "euro-1: the league is founded" in made.output
    assert "Mon 22 Dec 2098 11:00 UTC  entries open" in made.output
    assert "Mon 11 May 2099 10:00 UTC  what is not over is decided" in made.output
    assert "euro-1  founded" in pbem("league", "list").output
    shown = pbem("league", "show", "euro-1")
    assert "due next: open" in shown.output
    assert json.loads(pbem("league", "show", "euro-1", "--json").output)["founded"]["league"] == "euro"


def test_a_file_is_never_written_over() -> None:
    pbem("league", "init", "euro")
    assert "is there already" in pbem("league", "init", "euro").output


def test_all_mistakes_are_told_and_nothing_is_founded() -> None:
    made = founded(format="rounds", name="imp", players="9", shape="[]")
    assert made.exit_code == 1
    assert all(code in made.output for code in ("euro.yaml:4:7: name", "league.table", "league.shape"))
    assert "option.value" not in made.output
    assert "no leagues yet" in pbem("league", "list").output


@pytest.mark.parametrize("name", ["withdraw", "join", "austria"])
def test_no_league_is_called_by_a_word_of_the_language(name: str) -> None:
    assert ("league.name" in founded(name=name).output) == (name != "austria")


@pytest.mark.parametrize("options", ["{edition: first}", "{slot_hours: 0}", "{bots: maybe}"])
def test_options_are_checked_when_the_league_is_founded(options: str) -> None:
    assert "euro.yaml:8:10: options: " in founded(options=options).output


def test_people_are_entered_from_a_file_or_none_of_them() -> None:
    founded()
    assert pbem("league", "open", "euro-1").exit_code == 0
    assert "already" in pbem("league", "open", "euro-1").output
    rows = [f"p{number}@players.test,P{number},de,Europe/Berlin,," for number in range(499)]
    Path("all.csv").write_text("\n".join(["address,name,language,zone,apart,note", *rows, "nobody,,,,,"]))
    refused = pbem("league", "enter", "euro-1", "all.csv")
    assert (refused.exit_code, refused.output.count("line")) == (1, 1)
    assert "line 501" in refused.output
    assert "entered: 0" in pbem("league", "show", "euro-1").output
    assert "499 entered" in pbem("league", "enter", "euro-1", "all.csv", "--skip").output
    assert "entered: 499" in pbem("league", "show", "euro-1").output


def test_what_there_is_not_is_said_so() -> None:
    assert pbem("league", "show", "euro-1").output == "there is no season euro-1\n"
    founded()
    assert "There is no group 7q" in pbem("league", "ranking", "euro-1", "7q").output
    assert pbem("league", "ranking", "euro-1").exit_code == 0


def test_a_season_is_exported_as_it_is_published() -> None:
    founded()
    whole = json.loads(pbem("league", "export", "euro-1").output)
    assert (whole["schema"], whole["season"], whole["acts"][0]["act"]["type"]) == ("pbem-league/1", 1, "founded")
    assert pbem("league", "export", "euro-1", "--csv").output == ""
    assert pbem("league", "export", "asia-1").exit_code == 1


def test_one_season_is_verified_by_its_tag() -> None:
    founded()
    assert pbem("archive", "build").exit_code == 0
    assert pbem("league", "verify", "euro-1").output.startswith("euro-1: 0 entrants")
    assert pbem("league", "verify", "euro-1", "archive").output.count("all follow") == 2
    assert "no season asia-1" in pbem("league", "verify", "asia-1").output


@pytest.mark.parametrize(("form", "said"), [("rounds", "round 3 is drawn\n"), ("cup", "round 3 is drawn, or later\n")])
def test_the_calendar_has_the_draws_that_will_be_made(form: str, said: str) -> None:
    made = founded(format=form, least="16").output
    assert said in made
    assert "round 4" not in made  # its tables would be void at once


def test_a_season_of_elsewhere_is_brought_here_and_the_league_goes_on() -> None:
    rows = ["table,group,name,place,score,points,ended"]
    rows += [f"{table},1a,{name},{place},{60 - place},{points},2026-03-0{table}" for table, names in enumerate(("ABCD", "BCDE"), 1) for place, (name, points) in enumerate(zip(names, (10, 6, 3, 1), strict=True), 1)]  # fmt: skip
    Path("results.csv").write_text("\n".join([*rows, "3,1a,A,first,9,10,2026-03-09"]))
    refused = pbem("league", "import", "euro-0", "results.csv")
    assert refused.exit_code == 1
    assert "line 10: place should be a number from 1 to 99, and is first" in refused.output
    assert pbem("league", "list").output.startswith("no leagues yet")
    Path("results.csv").write_text("\n".join(rows))
    made = pbem("league", "import", "euro-0", "results.csv")
    assert "euro-0: 5 players, 2 tables were brought here." in made.output, made.output
    assert "1" in pbem("league", "ranking", "euro-0").output
    assert "euro-1: the league is founded" in founded().output
    assert "There is euro-0 already" in pbem("league", "import", "euro-0", "results.csv").output
    exported = pbem("league", "export", "euro-0").output
    assert json.loads(exported)["standings"][0]["name"] == "B"
    assert pbem("league", "import", "euro", "results.csv").exit_code == 2


def test_what_is_no_file_of_results_is_told() -> None:
    Path("results.csv").write_text("name,place\nA,1\n")
    assert "table, name, place, points are needed" in pbem("league", "import", "euro-0", "results.csv").output
    Path("season.json").write_text("{}")
    assert "is no season.json" in pbem("league", "import", "euro-0", "season.json").output
    founded()
    assert "there is no game imp-1" in pbem("league", "adopt", "euro-1", "imp-1", "T-4").output.lower()
