"""The acceptance suite: every play file under `plays`, and the command that plays them."""

from __future__ import annotations

import json
import re
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from pbem.cli.main import main
from pbem.core.log import write
from pbem.core.refusal import Refusal
from pbem.core.seat import Setup
from pbem.games import GAMES
from pbem.games.imperial.data.editions import editions, option_values
from pbem.games.imperial.rules.edition import CHANGEABLE
from pbem.games.imperial.rules.game import SETUPS
from pbem.host.archive.replay import Replay
from pbem.host.session.terms import FIXED, Terms
from tests.examples import examples
from tests.fakes import broken_link

PLAYS = Path(__file__).parent / "plays"
FILES = sorted(PLAYS.rglob("*.play"))
COMPLETE = sorted((PLAYS / "complete").glob("*.play"))
PLAY_FILE = PLAYS.parents[1] / "docs" / "reference" / "play-file.md"
(CODES,) = (example.text.split() for example in examples(PLAY_FILE.read_text("utf-8")) if example.kind == "codes")
RULINGS = [f"R{number}" for number in range(1, 28)]
PAGE = Path(__file__).parent.parent / "games" / "imperial" / "RULINGS.md"
# the rows of the comparison of the rule books
ROWS = [
    f"{letter}{number}"
    for letter, last in {"A": 16, "B": 12, "C": 15, "D": 13, "E": 6, "G": 6}.items()
    for number in range(1, last + 1)
]
ALL_BONDS = [
    *("anton austria_hungary 9", "anton austria_hungary 2", "bert italy 9", "anton italy 2", "anton france 9"),
    *("bert france 2", "bert great_britain 9", "bert great_britain 2", "anton germany 9", "anton germany 2"),
    *("bert russia 9", "bert russia 2"),
]
ELEVEN = ("algeria", "belgium", "bulgaria", "denmark", "greece", "holland", "morocco", "norway", "portugal", "spain")
ELEVEN_FLAGS = "".join(f"given flag {region} italy\n" for region in (*ELEVEN, "sweden"))
BIDS = "setup experienced\nseats anton bert\nfirst anton\n"
TABLE = "seats anton bert\nflags anton austria_hungary, bert italy\n"


def words(refusal: Refusal) -> str:
    return f"{refusal.code} {refusal.facts}"


def name(file: Path) -> str:
    return str(file.relative_to(PLAYS).with_suffix(""))


def lines(file: Path) -> list[str]:
    return file.read_text(encoding="utf-8").splitlines()


WHOLE = "complete"  # games from their beginning to their end; one of them shows quickly that they go at all
FOLDERS = sorted({file.parent.name for file in FILES})


@pytest.mark.parametrize(
    "plays",
    [f"{folder}/*" for folder in FOLDERS if folder != WHOLE]
    + [f"{WHOLE}/two_players", pytest.param(f"{WHOLE}/*", marks=pytest.mark.slow)],
)
def test_plays_go_as_they_say(plays: str, subtests: pytest.Subtests) -> None:
    """And a game that is over has scores as anybody would reckon them by hand."""
    for file in sorted(PLAYS.glob(f"{plays}.play")):
        with subtests.test(name(file)):
            replay = Replay(file.read_text(encoding="utf-8"), GAMES, words)
            replay.run()
            assert broken_link(map(write, replay.record.entries)) is None
            document: Any = replay.document()
            assert document["scores"] == (scores(document) if document["finished"] else None)


def scores(document: Any) -> dict[str, int]:
    """Interest times power factor, plus cash, reckoned from the state document alone."""
    interest = {2: 1, 4: 2, 6: 3, 9: 4, 12: 5, 16: 6, 20: 7, 25: 8, 30: 9}
    factors = {nation: facts["power"] // 5 for nation, facts in document["nations"].items()}
    return {
        seat: player["cash"]
        + sum(interest[p] * factors[nation] for nation, held in player["bonds"].items() for p in held)
        for seat, player in document["players"].items()
    }


def test_plays_are_titled() -> None:
    titles = {name(file): lines(file)[0] for file in FILES}
    assert [told for told in titles.items() if not re.fullmatch(r"# .{,156}\]", told[1])] == []


def test_every_public_code_is_played() -> None:
    played = {line for file in FILES for line in lines(file)}
    assert [code for code in CODES if f"  ! {code}" not in played] == []


# Of the options that may be set in a running game those that no play can show: test_petition_letters does.
SHOWN_BY_LETTERS = ("press", "remind_hours", "forced_limit", "away_days")


def test_every_option_that_a_petition_may_set_binds_in_a_play() -> None:
    for key in {*Terms.__struct_fields__, *CHANGEABLE} - {*FIXED, *SHOWN_BY_LETTERS}:
        file = PLAYS / "procedure" / f"set_{key}.play"
        assert f"SET {key} = " in file.read_text(encoding="utf-8")


def test_every_ruling_is_played() -> None:
    titles = [lines(file)[0] for file in FILES]
    cited = {word for title in titles for word in re.split(r"[ ;\]]", title[title.rindex("[") + 1 :])}
    assert [ruling for ruling in RULINGS if ruling not in cited] == []


def test_every_play_of_the_rulings_page_is_there() -> None:
    named = re.findall(r"`([\w/]+\.play)`", PAGE.read_text(encoding="utf-8"))
    assert len(named) > 150
    assert not [play for play in named if not (PLAYS / play).is_file()]


def test_every_row_has_its_line_on_the_rulings_page_and_every_ruling_a_play() -> None:
    told = {line.split("|")[1].strip(): line for line in lines(PAGE) if line.startswith("| ")}
    assert [row for row in (*RULINGS, *ROWS) if row not in told] == []
    assert [ruling for ruling in RULINGS if ".play`" not in told[ruling]] == []


def test_every_value_of_an_option_is_played() -> None:
    said = {tuple(line.split(maxsplit=2)[1:]) for file in FILES for line in lines(file) if line.startswith("option ")}
    for key, values in option_values().items():
        assert {value for named, value in said if named == key} >= {*values}
        assert key in {named for named, _ in said}


def test_a_complete_game_of_every_kind() -> None:
    played = {kind_of(Replay(file.read_text(encoding="utf-8"), GAMES, words).session.terms.setup) for file in COMPLETE}
    assert played == {*product(editions(), SETUPS, (True, False))}


def kind_of(setup: Setup) -> tuple[str, str, bool]:
    """The rule book, the set-up, and whether with the investor card."""
    return setup.edition, setup.setup, setup.options.get("investor_card", "yes") == "yes"


# -- pbem replay FILE… ---


def play(tmp_path: Path, *texts: str, as_json: bool = False) -> Result:
    files = []
    for number, text in enumerate(texts):
        files.append(str(tmp_path / f"{number}.play"))
        Path(files[-1]).write_text(text, encoding="utf-8")
    return CliRunner().invoke(main, ["replay", *files, *(["--json"] if as_json else [])])


def test_success_says_nothing_and_exits_0(tmp_path: Path) -> None:
    result = play(tmp_path, TABLE + "anton> austria: taxation\n  = nation italy\n")
    assert (result.exit_code, result.output) == (0, "")


@pytest.mark.parametrize(
    ("steps", "line"),
    [
        ("anton> austria: factory venice\n", 3),  # refused without a `!`
        ("anton> austria: taxation\n  !\n", 4),  # not refused
        ("anton> austria: factory venice\n  ! factory.exists\n", 4),  # another code
        ("  = nation italy\n", 3),
        ("anton> austria: taxation\n  = nation italy\n  = nation france\n", 5),
        ("  ? bert turn\n", 3),
        ("  ?! anton turn\n", 3),
        ("  = nations.austria_hungary.colour red\n", 3),
        ("  = scores.anton 3\n", 3),
        ("anton> austria: taxation\n  * FactoryBuilt nation=austria_hungary\n", 4),
    ],
)
def test_failure_names_file_and_line_and_exits_1(tmp_path: Path, steps: str, line: int) -> None:
    result = play(tmp_path, TABLE + steps)
    assert result.exit_code == 1
    assert result.stdout == ""
    (told,) = result.stderr.splitlines()
    assert told.startswith(f"{tmp_path / '0.play'}:{line}: ")


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("anton> austria: taxation\n", 1),  # no seats
        (TABLE + "hello there\n", 3),
        (TABLE + "given army austria_hungary venice 1\n", 3),  # without a status
        (TABLE + "given army austria_hungary vienna 1 hostile\n", 3),
        (TABLE + "given army austria_hungary vienna 11\n", 3),
        (TABLE + "given army austria_hungary ionian 1\n", 3),
        (TABLE + "given army austria_hungary switzerland 1\n", 3),
        (TABLE + "given fleet austria_hungary vienna 1\n", 3),
        (TABLE + "given fleet austria_hungary venice 1\n", 3),
        (TABLE + "given fleet austria_hungary tunis 1\n", 3),
        (TABLE + "given bond anton italy 7\n", 3),
        (TABLE + "given no bond anton italy 30\n", 3),
        (TABLE + "given government italy anton\n", 3),
        (TABLE + "given power italy 25\n", 3),
        (TABLE + "given tax italy 16\n", 3),
        (TABLE + "given factory tunis\n", 3),
        (TABLE + "given no factory trieste\n", 3),
        (TABLE + "given flag vienna italy\n", 3),
        (TABLE + "given rondel italy production\n", 3),
        (TABLE + "given round 0\n", 3),
        (TABLE + "given tresury italy 3\n", 3),
        (TABLE + "given treasury italy\n", 3),
        (TABLE + "given\n", 3),
        (TABLE + "given cash claudia 3\n", 3),
        (TABLE + "given treasury italy 3\ngiven treasury italia_ 3\n", 4),
        (TABLE + "carlo> austria: taxation\n", 3),
        (TABLE + "clock> tomorrow\n", 3),
        ("seats anton clock\n", 1),
        ("seats anton anton\n", 1),
        ("seats anton bert\nflags anton austria_hungary, bert france\n", 2),
        ("seats anton bert\nflags anton austria_hungary\n", 2),
        ("seats anton bert\nfirst anton\n", 2),
        ("setup experienced\nseats anton bert\nflags anton austria_hungary, bert italy\n", 3),
        ("setup experienced\nseats anton bert\nfirst carlo\n", 3),
        ("setup experienced\nseats anton bert\nfirst anton, bert\n", 3),
        (BIDS + "given investor anton\n", 4),
        (BIDS + "given cash anton 3\ngiven turn austria_hungary\n", 5),  # nobody governs it yet
        (BIDS + "given round 2\n", 4),
        (BIDS + "given government italy anton\n", 4),
        (BIDS + "given cash anton 1\ngiven cash bert 1\n", 5),  # nobody could ever lend
        (TABLE + "".join(f"given no bond {held}\n" for held in ALL_BONDS), 14),
        ("option investor_card no\n" + TABLE + "given investor anton\n", 4),
        ("edition first_2006\n" + TABLE + "given bond anton italy 30\n", 4),
        ("edition first_2006\n" + TABLE + ELEVEN_FLAGS, 4),
    ],
)
def test_what_cannot_be_read_or_given_exits_2(tmp_path: Path, text: str, line: int) -> None:
    result = play(tmp_path, text)
    assert result.exit_code == 2
    (told,) = result.stderr.splitlines()
    assert told.startswith(f"{tmp_path / '0.play'}:{line}: ")


@pytest.mark.parametrize(
    "header",
    [
        *("edition nova", "game chess", "board moon", "setup strange", "option flags 12", "option colour red"),
        *("option finality later", "option lateness fine", "option card_fallback france"),
        *("option small_bond 4", "option starting_money 32", "option starting_money much"),  # two players need 33
        *("option starting_money 1\nsetup experienced", "option cash", "option"),
    ],
)
def test_unknown_header_values_exit_2(tmp_path: Path, header: str) -> None:
    result = play(tmp_path, f"{header}\n{TABLE}")
    assert result.exit_code == 2
    assert result.stderr.startswith(f"{tmp_path / '0.play'}:")


def test_several_wrong_options_are_told_in_one_line(tmp_path: Path) -> None:
    result = play(tmp_path, f"option flags 12\noption cash none\n{TABLE}")
    (told,) = result.stderr.splitlines()
    assert "option flags: should be 10 or 15" in told
    assert "option cash: should be open or secret" in told


def test_windows_files_are_read(tmp_path: Path) -> None:
    file = tmp_path / "windows.play"
    file.write_bytes(
        ("\ufeff# A title.\n" + TABLE + "anton> taxation\n  = nation italy\n").replace("\n", "\r\n").encode()
    )
    assert CliRunner().invoke(main, ["replay", str(file)]).exit_code == 0


def test_no_such_file_exits_2(tmp_path: Path) -> None:
    result = CliRunner().invoke(main, ["replay", str(tmp_path / "absent.play")])
    assert result.exit_code == 2


def test_not_utf8_exits_2(tmp_path: Path) -> None:
    file = tmp_path / "latin.play"
    file.write_bytes(TABLE.encode() + b"# K\xf6ln\n")
    assert CliRunner().invoke(main, ["replay", str(file)]).exit_code == 2


def test_many_files_the_worst_exit_code(tmp_path: Path) -> None:
    good, failed = TABLE + "anton> austria: taxation\n", TABLE + "anton> italy: taxation\n"
    result = play(tmp_path, failed, good, failed)
    assert result.exit_code == 1
    assert len(result.stderr.splitlines()) == 2


def test_document(tmp_path: Path) -> None:
    text = TABLE + (
        "given army austria_hungary tunis 1\ngiven army austria_hungary munich 1 friendly\ngiven flag tunis austria_hungary\n"
        "given fleet austria_hungary trieste 1\ngiven round 3\nanton> austria: import none\n"
    )
    result = play(tmp_path, text, as_json=True)
    assert result.exit_code == 0
    document = json.loads(result.stdout)
    assert {k: document[k] for k in document if k not in ("nations", "players")} == {
        "game": "imperial",
        "edition": "new",
        "board": "europe",
        "round": 3,
        "nation": "italy",
        "awaiting": [{"seat": "bert", "kind": "turn", "nation": "italy"}],
        "investor": "bert",
        "finished": False,
        "scores": None,
        "winners": None,
    }
    assert document["nations"]["austria_hungary"] == {
        "government": "anton",
        "treasury": 11,
        "power": 0,
        "tax": 5,
        "rondel": "import",
        "factories": ["budapest", "vienna"],
        "flags": ["tunis"],
        "armies": {"munich": 1, "tunis": 1},
        "friendly_armies": {"munich": 1},
        "fleets": {"trieste": 1},
    }
    assert document["players"]["bert"] == {
        "cash": 2,
        "bonds": {"france": [2], "great_britain": [2, 9], "italy": [9], "russia": [2, 9]},
        "swiss_bank": False,
    }
    assert [*document["nations"]] == [
        "austria_hungary",
        "italy",
        "france",
        "great_britain",
        "germany",
        "russia",
    ]
