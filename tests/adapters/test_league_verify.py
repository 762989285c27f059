"""An archive proves its seasons from its files alone; whatever is changed in it is found."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner
from msgspec.structs import replace

from pbem.cli.main import main
from pbem.core.log import START, seal
from pbem.league import acts
from pbem.league.log import Entry, read, written
from tests.service.season import SeasonBureau

PLACE = "leagues/euro/1"
Change = Callable[[Path], None]


@pytest.fixture(scope="module")
def published(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A season that was played here, with its games."""
    root = tmp_path_factory.mktemp("archive")
    bureau = SeasonBureau()
    bureau.begun()
    bureau.to("ended")
    assert not bureau.server.archivist(root).build().failed
    return root


@pytest.fixture
def archive(published: Path, tmp_path: Path) -> Path:
    """A copy, at another place."""
    return Path(shutil.copytree(published, tmp_path / "moved"))


def verify(root: Path) -> tuple[int, str]:
    found = CliRunner().invoke(main, ["league", "verify", str(root)])
    return found.exit_code, found.output.splitlines()[0]


def test_all_follows_from_the_files_alone(archive: Path) -> None:
    told = "euro-1: 6 entrants, 6 tables, 1 draw, 13 acts by hand: all follow from what is published"
    assert verify(archive) == (0, told)


def text(name: str, old: str, new: str) -> Change:
    def change(root: Path) -> None:
        file = root / name
        before = file.read_text("utf-8")
        assert old in before
        file.write_text(before.replace(old, new, 1), "utf-8")

    return change


def forged(kind: type[acts.Act], change: Callable[..., acts.Act]) -> Change:
    """The log with an act changed, chained anew: whoever forges one can do that."""

    def done(root: Path) -> None:
        file = root / PLACE / "log.jsonl"
        entries = read(file.read_bytes().splitlines())
        place = next(place for place, entry in enumerate(entries) if isinstance(entry.act, kind))
        entries[place] = replace(entries[place], act=change(entries[place].act))
        made: list[Entry] = []
        for entry in entries:
            made.append(seal(replace(entry, prev=made[-1].hash if made else START)))
        file.write_bytes(b"".join(written(entry) + b"\n" for entry in made))

    return done


def first_seat(**changed: int) -> Callable[[acts.Noted], acts.Noted]:
    return lambda act: replace(act, seats=(replace(act.seats[0], **changed), *act.seats[1:]))


def positions_turned(act: acts.Drawn) -> acts.Drawn:
    drawing = act.drawings[0]
    table = drawing.tables[0]
    dealt = zip(table.chairs, reversed(table.chairs), strict=True)
    chairs = tuple(replace(chair, position=other.position) for chair, other in dealt)
    first = replace(drawing, tables=(replace(table, chairs=chairs), *drawing.tables[1:]))
    return replace(act, drawings=(first, *act.drawings[1:]))


def result_of_the_game(root: Path) -> None:
    """An entry of a game's own log."""
    game = min(root.glob("imp-*"))
    text(f"{game.name}/log.jsonl", '"seq":2', '"seq":3')(root)


def standing(root: Path) -> None:
    file = root / PLACE / "standings.json"
    rows = json.loads(file.read_bytes())
    rows[0]["points"], rows[1]["points"] = rows[1]["points"], "99.00"
    file.write_text(json.dumps(rows), "utf-8")


TAMPERED: dict[str, tuple[Change, str]] = {
    "an act of the log": (text(f"{PLACE}/log.jsonl", '"seq":3', '"seq":4'), "V1: log"),
    "a setting": (text(f"{PLACE}/league.yaml", "load: 2", "load: 3"), "V2: table"),
    "the promise of the lots": (forged(acts.Founded, lambda act: replace(act, commitment="0" * 64)), "V3: "),
    "the positions": (forged(acts.Drawn, positions_turned), "V4: D-1"),
    "who plays": (forged(acts.Closed, lambda act: replace(act, entrants=act.entrants[1:])), "V6: player"),
    "a score": (forged(acts.Noted, first_seat(score=77)), "V7: T-"),
    "the points": (forged(acts.Noted, first_seat(points=999)), "V8: T-"),
    "the movement": (forged(acts.Ended, lambda act: replace(act, borders=(3,))), "V8: borders"),
    "the honours": (forged(acts.Ended, lambda act: replace(act, honours={})), "V8: honours"),
    "a game's log": (result_of_the_game, "V7: T-"),
    "a game that is gone": (lambda root: shutil.rmtree(min(root.glob("imp-*"))), "V7: T-"),
    "the standings": (standing, "V8: standings.json"),
    "a sheet": (text(f"{PLACE}/results.csv", ",yes,", ",no,"), "V8: results.csv"),
    "the whole season": (text(f"{PLACE}/season.json", '"phase":"ended"', '"phase":"playing"'), "V8: season.json"),
}


@pytest.mark.parametrize("what", TAMPERED)
def test_what_was_tampered_with_is_found_and_named(what: str, archive: Path) -> None:
    change, named = TAMPERED[what]
    change(archive)
    code, told = verify(archive)
    assert code == 1
    assert told.partition(": ")[2].startswith(named), told


def test_a_file_that_can_t_be_read_is_said_so(archive: Path) -> None:
    (archive / PLACE / "league.yaml").write_bytes(b"\xff: [")
    code, told = verify(archive)
    assert code == 2
    assert told.startswith("leagues/euro/1/league.yaml can't be read")
