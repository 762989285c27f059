"""Maps from a seed, and the commands about map files."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import msgspec
import pytest
from click.testing import CliRunner, Result
from hypothesis import given, settings
from hypothesis import strategies as st

from pbem.cli.main import main
from pbem.games import GAMES
from pbem.games.empire.geography.board import board
from pbem.games.empire.geography.checking import mistakes
from pbem.games.empire.geography.generating.limits import broken
from pbem.games.empire.geography.generator import SIZES, NoMap, generate
from pbem.games.empire.geography.map_file import read
from pbem.games.empire.geography.walking import apart, farmable, walk
from pbem.games.empire.maps import MAPS
from tests.depth import examples_of

FOLDER = Path(__file__).resolve().parents[2] / "games" / "empire" / "maps"
TRAINING = FOLDER / "training.map"
ANY = st.sampled_from([("small", 3), ("small", 4), ("medium", 4), ("medium", 6), ("nominal", 5), ("nominal", 8)])


@cache
def small(seed: str) -> str:
    return generate("x", SIZES["small"], 3, seed)


def holds(size: str, players: int, seed: str) -> None:
    """It is a map and keeps all limits."""
    text = generate("drawn", SIZES[size], players, seed)
    file = read(text)
    assert mistakes(file) == []
    built = board(file)
    assert broken(file, built, players) == []
    assert len(built.starts) == players + 2
    assert all(len(farmable(built, start, 6)) >= 10 for start in built.starts)


@settings(max_examples=examples_of(1))
@given(ANY, st.text(max_size=20))
def test_maps_from_a_seed_keep_the_limits(wanted: tuple[str, int], seed: str) -> None:
    holds(*wanted, seed)


@pytest.mark.slow
@settings(max_examples=examples_of(6))
@given(ANY, st.text(max_size=20))
def test_many_maps_from_a_seed_keep_the_limits(wanted: tuple[str, int], seed: str) -> None:
    holds(*wanted, seed)


def test_another_seed_makes_another_map() -> None:
    assert small("a") != small("b")


@pytest.mark.parametrize(
    ("size", "players"), [((10, 11), 2), ((20, 20), 7), ((3, 60), 2), ((79, 20), 2), ((40, 40), 9)]
)
def test_a_map_that_is_too_small_or_too_large(size: tuple[int, int], players: int) -> None:
    with pytest.raises(NoMap):
        generate("drawn", size, players, "a")


def test_no_map_within_the_tries(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pbem.games.empire.geography.generator.TRIES", 20)
    with pytest.raises(NoMap, match="within 20 tries"):
        generate("drawn", (10, 12), 2, "a")


def test_ways_of_a_worker() -> None:
    built = board(read(TRAINING.read_text("utf-8")))
    assert walk(built, "C3", 2)["D3"] == 2
    assert walk(built, "D6", 12).get("E6") is None  # walls
    assert walk(built, "E2", 2)["E3"] == 2
    assert walk(built, "E3", 4)["E2"] == 4  # into the forest
    assert apart(built, "C3", "J3", 12) is None  # over water
    roads = board(read(TRAINING.read_text("utf-8") + "\nroad C3 - C4 - C5\nmountain road D6 - E6\nmountain road D8\n"))
    assert walk(roads, "C3", 2)["C5"] == 2
    assert walk(roads, "D6", 2)["E6"] == 2
    assert walk(roads, "D8a", 0) == {"D8a": 0, "D8b": 0}


# -- the commands ---


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder, where the first game has these maps."""
    monkeypatch.chdir(tmp_path)
    id_, game = next(iter(GAMES.items()))
    monkeypatch.setitem(GAMES, id_, msgspec.structs.replace(game, maps=MAPS))  # type: ignore[arg-type]
    return tmp_path


def run(*words: str) -> Result:
    return CliRunner().invoke(main, ["map", *words])


def test_a_map_is_made_checked_and_shown(folder: Path) -> None:
    """And made so again from the same seed."""
    made = run("generate", "x", "--size", "small", "--players", "3", "--seed", "a")
    assert made.exit_code == 0, made.output
    text = (folder / "x.map").read_bytes()
    assert text.decode() == small("a")
    assert run("generate", "x", "--size", "small", "--players", "3", "--seed", "b").exit_code == 1
    assert (folder / "x.map").read_bytes() == text
    assert run("check", "x.map").output == "x.map: no mistakes\n"
    assert len(run("show", "x.map").output.splitlines()) > 24


def test_all_mistakes_have_their_line_and_end_with_2(folder: Path) -> None:
    (folder / "y.map").write_text(TRAINING.read_text("utf-8") + "lake C3\nmark gold 1 C3\n", "utf-8")
    (folder / "z.map").write_bytes(b"\xff")
    done = run("check", str(TRAINING), "y.map", "z.map", "none.map")
    assert done.exit_code == 2
    lines = done.output.splitlines()
    assert [line.rsplit("/")[-1].split(": ")[:2] for line in lines] == [
        ["training.map", "no mistakes"],
        ["y.map:2", "map.word"],
        ["y.map:47", "map.word"],
        ["y.map:48", "map.mark"],
        ["z.map:1", "it is no text in UTF-8"],
        ["none.map:1", "it can't be read"],
    ]


def test_what_can_not_be_made_is_told(folder: Path) -> None:
    for words in (("X", "small", "3"), ("x", "tiny", "3"), ("x", "12x10", "8")):
        name, size, players = words
        done = run("generate", name, "--size", size, "--players", players, "--seed", "a")
        assert done.exit_code == 1, done.output
        assert len(done.output.splitlines()) == 1


def test_an_excerpt_of_a_map(folder: Path) -> None:
    shown = run("show", str(TRAINING), "c3").output.splitlines()
    assert shown[0].split() == ["A", "B", "C", "D", "E", "F"]
    assert shown[3].split() == ["3", "o", "o", "o", "m", "o", "."]
    assert run("show", str(TRAINING), "Z3").exit_code == 1
    assert run("show", "none.map").exit_code == 2
