"""An archive proves its seasons from its files alone; whatever is changed in it is found."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path

import pytest
from click.testing import CliRunner
from msgspec.structs import replace

from pbem.cli.main import main
from pbem.core.log import START, seal
from pbem.league import acts
from pbem.league.log import Entry, read, written
from tests.service.season import playing

PLACE = "leagues/euro/1"
Change = Callable[[Path], None]


@pytest.fixture(scope="module")
def published(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A season that was played here, with its games."""
    root = tmp_path_factory.mktemp("archive")
    bureau = playing()
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


def forged(kind: type[acts.Act], change: Callable[..., acts.Act], **facts: int) -> Change:
    """The log with an act changed, chained anew: whoever forges one can do that; `facts` are those of its entry."""

    def done(root: Path) -> None:
        file = root / PLACE / "log.jsonl"
        entries = read(file.read_bytes().splitlines())
        place = next(place for place, entry in enumerate(entries) if isinstance(entry.act, kind))
        entries[place] = replace(entries[place], act=change(entries[place].act), **facts)
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


def drawing_with(**changed: object) -> Callable[[acts.Drawn], acts.Drawn]:
    return lambda act: replace(act, drawings=(replace(act.drawings[0], **changed), *act.drawings[1:]))


def tables_turned(act: acts.Drawn) -> acts.Drawn:
    """The people of two tables."""
    one, two, *more = act.drawings[0].tables
    turned = (replace(one, chairs=two.chairs), replace(two, chairs=one.chairs), *more)
    return drawing_with(tables=turned)(act)


def lucky(act: acts.Closed) -> acts.Closed:
    return replace(act, entrants=(replace(act.entrants[0], luck="banana"), *act.entrants[1:]))


def figure(name: str, column: str, change: Callable[[str], str], row: int = 0) -> Change:
    """One figure of a sheet."""

    def done(root: Path) -> None:
        head, *rows = (root / name).read_text("utf-8").splitlines()
        cells, place = rows[row].split(","), head.split(",").index(column)
        cells[place] = change(cells[place])
        rows[row] = ",".join(cells)
        (root / name).write_bytes("".join(f"{line}\r\n" for line in (head, *rows)).encode())

    return done


def row_gone(name: str) -> Change:
    return lambda root: (root / name).write_bytes(b"".join((root / name).read_bytes().splitlines(keepends=True)[:-1]))


def page_and_digest(root: Path) -> None:
    """Whoever forges a page can forge what tells its digest."""
    page, whole = root / PLACE / "all/index.html", root / PLACE / "season.json"
    page = page if page.exists() else root / PLACE / "1a/index.html"
    before = sha256(page.read_bytes()).hexdigest()
    page.write_bytes(re.sub(rb"<td>\d+\.\d\d</td>", b"<td>99.00</td>", page.read_bytes(), count=1))
    whole.write_bytes(whole.read_bytes().replace(before.encode(), sha256(page.read_bytes()).hexdigest().encode()))


def more(written: str) -> str:
    return f"{float(written) + 0.0001:.9f}"


def another(written: str) -> str:
    return str(int(written) % 4 + 1)


RATED = "ratings/imperial"
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
    "an act unknown": (text(f"{PLACE}/log.jsonl", '"type":"called"', '"type":"culled"'), "V1: log"),
    "an instant": (forged(acts.Noted, lambda act: act, at=0), "V1: log"),
    "a link": (forged(acts.Drawn, lambda act: replace(act, link="0" * 64)), "V4: D-1"),
    "who sits together": (forged(acts.Drawn, tables_turned), "V4: D-1"),
    "the costs": (forged(acts.Drawn, drawing_with(cost=7)), "V4: D-1"),
    "a luck word": (forged(acts.Closed, lucky), "V6: player"),
    "who sat there": (forged(acts.Noted, first_seat(person=99)), "V7: T-"),
    "the end of a game": (forged(acts.Noted, lambda act: replace(act, digest="0" * 64)), "V7: T-"),
    "a tie": (forged(acts.Ended, lambda act: replace(act, standings=act.standings[::-1])), "V8: standings"),
    "the order": (forged(acts.Ended, lambda act: replace(act, order=tuple(each[::-1] for each in act.order))), "V8: o"),
    "the people": (figure(f"{PLACE}/entrants.csv", "plays", lambda _: "no"), "V8: entrants.csv"),
    "the tables": (row_gone(f"{PLACE}/tables.csv"), "V8: tables.csv"),
    "somebody's rating": (figure(f"{PLACE}/ratings.csv", "mu", more, 9), "V9: player"),
    "how often they were rated": (figure(f"{PLACE}/ratings.csv", "games", another, 9), "V9: player"),
    "a rating that is gone": (row_gone(f"{PLACE}/ratings.csv"), "V9: player"),
    "what a game counts for": (figure(f"{RATED}/games.csv", "place", another, 5), "V9: T-"),
    "a game that counts for nothing": (row_gone(f"{RATED}/games.csv"), "V9: T-"),
    "the list of ratings": (figure(f"{RATED}/ratings.csv", "sigma", more), "V9: player"),
    "who is in that list": (row_gone(f"{RATED}/ratings.csv"), "V9: ratings.csv"),
    "a page of ratings": (text(f"{RATED}/index.html", "<td>4</td>", "<td>5</td>"), "V10: ratings/imperial/"),
    "the page of a table": (text(f"{PLACE}/tables/1/index.html", "10.00", "11.00"), "V10: tables/1/index.html"),
    "a page that is gone": (lambda root: (root / PLACE / "draws/1/index.html").unlink(), "V10: draws/1/index.html"),
    "a page and its digest": (page_and_digest, "V10: 1a/index.html: the page tells other figures"),
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
