"""Databases that each released program has left, in the middle of a game: today's goes on with them.

The files of `released/` are such databases row by row, bytes in base64, with what the program of then said of the game:
three people play it, a second one gathers, and the mail server had been down, so that letters wait to go out.
"""

from __future__ import annotations

import json
from base64 import b64decode
from collections.abc import Iterator, Mapping
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import MetaData, inspect, text

from pbem.adapters.store import migrations, schema
from pbem.adapters.store.sql import SqlStore
from pbem.bootstrap import prove_archive, replay
from pbem.host.ports import Store
from tests import releasing
from tests.databases import url_of
from tests.service.bureau import HOUR, OPERATOR, Bureau, address

RELEASED = sorted((Path(__file__).parent / "released").glob("*.json"))
STEPS = Path(migrations.__file__).parent / "versions"

Left = Mapping[str, Any]


# The first release and today's, and those between among the slow.
BETWEEN = [pytest.param(file, marks=pytest.mark.slow) for file in RELEASED[1:]]


@pytest.fixture(scope="module", params=[RELEASED[0], *BETWEEN, None], ids=[*(file.stem for file in RELEASED), "today"])
def left(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Left:
    """What a released program has left behind, or this one leaves at its release."""
    file = request.param
    if file is None:
        file = tmp_path_factory.mktemp("released") / "today.json"
        releasing.main(file)
    found: Left = json.loads(file.read_text("utf-8"))
    return found


@pytest.fixture(params=["sqlite", pytest.param("postgres", marks=pytest.mark.slow)])
def database(request: pytest.FixtureRequest) -> str:
    """The url of a new database; its kind matters little to what an old one has left."""
    return url_of(request.param, request)


@pytest.fixture
def store(database: str, left: Left) -> Iterator[Store]:
    """A store over it, brought up to date."""
    put_back(database, left)
    with closing(SqlStore(database)) as opened:
        yield opened


def put_back(url: str, left: Left) -> None:
    with migrations.engine_at(url).begin() as connection:
        migrations.migrate(connection, left["version"])
        then = MetaData()
        then.reflect(connection)
        for table in then.sorted_tables:
            rows = left["tables"].get(table.name, [])
            if rows:
                connection.execute(
                    table.insert(), [{name: plain(value) for name, value in row.items()} for row in rows]
                )
        if connection.dialect.name == "postgresql":
            count_on(connection, then)


def plain(value: Any) -> Any:
    return b64decode(value["base64"]) if isinstance(value, dict) else value


def count_on(connection: Any, tables: MetaData) -> None:
    """Rows that were put in by number are not counted by PostgreSQL."""
    for table, column in (("outbox", "number"), ("people", "id")):
        if table in tables.tables:
            told = f"SELECT setval(pg_get_serial_sequence('{table}', '{column}'), max({column})) FROM {table}"
            connection.execute(text(told))


@pytest.fixture
def bureau(store: Store, left: Left) -> Bureau:
    made = Bureau(store)
    made.clock.set(left["now"])
    made.letters = 1_000  # other letters than those that have been written
    return made


def test_the_game_goes_on(bureau: Bureau, database: str, left: Left, tmp_path: Path) -> None:
    """It stands where it stood, what waited goes out, and then it is led as one that was begun today."""
    with migrations.engine_at(database).connect() as connection:
        found = {name for name in inspect(connection).get_table_names() if name != schema.stamp.name}
    assert found == {*schema.metadata.tables}
    check_what_was_left(bureau, left)
    check_letters_that_waited(bureau, left)
    bureau.write("anton", "join", subject="[imp-2] you are invited")
    with bureau.store.transaction() as repository:
        gathering = repository.game("imp-2")
    assert gathering is not None
    assert gathering.status == "running"
    play_on(bureau)
    check_record_and_pages(bureau, tmp_path)


def check_what_was_left(bureau: Bureau, left: Left) -> None:
    assert bureau.document == left["document"]
    assert [[*one] for one in bureau.awaited] == left["awaited"]
    assert [[*paper] for paper in bureau.papers] == left["papers"]
    with bureau.store.transaction() as repository:
        seats = {game.id: [member.seat for member in game.members] for game in repository.games()}
        assert seats == {"imp-1": ["anton", "bert", "claudia"], "imp-2": ["gerda", "anton"]}
        told = {row["id"]: row["fate"] for row in left["tables"]["letters"]}
        assert {letter: repository.fate(letter) for letter in told} == told
        assert repository.person_at(address("claudia"))


def check_letters_that_waited(bureau: Bureau, left: Left) -> None:
    queued = [row for row in left["tables"]["outbox"] if row["state"] == "queued"]
    waiting = {row["id"] for row in queued if row["due"] < left["now"] + HOUR}
    assert len(waiting) > 3
    sent = bureau.tick(after=HOUR)
    assert waiting <= {mail.message_id.partition("@")[0].strip("<") for mail in sent}
    assert {mail.to for mail in sent} >= {address(who) for who in ("anton", "bert", "claudia", "gerda")}
    assert OPERATOR not in {mail.to for mail in sent}


def play_on(bureau: Bureau) -> None:
    """An order, and silence until the clock has ended a turn."""
    seat, _, nation = bureau.awaited[0]
    sent = bureau.write(seat, f"{nation}: taxation")
    assert address(seat) in {mail.to for mail in sent if mail.answers}
    assert bureau.document["nations"][nation]["rondel"] == "taxation"
    before = len(bureau.entries)
    for _ in range(5):
        bureau.tick(after=8 * HOUR)
    assert len(bureau.entries) > before
    found = bureau.server.app.verify("imp-1")
    assert (found.honest, found.entries) == (True, len(bureau.entries))


def check_record_and_pages(bureau: Bureau, folder: Path) -> None:
    record = folder / "imp-1.play"
    record.write_text(bureau.server.app.record("imp-1"), "utf-8")
    assert replay(record).document() == bureau.document
    brought = bureau.server.archivist(folder / "archive").build()
    assert "imp-1" in brought.told
    assert brought.failed == {}
    assert {proof.fault for proof in prove_archive(folder / "archive")} == {""}


def test_each_release_has_left_a_database() -> None:
    """Named after its last step; the steps after the last of them are not released yet."""
    assert {file.stem for file in RELEASED} <= {file.name[:4] for file in STEPS.glob("0*.py")}
    assert len(RELEASED) >= 4
