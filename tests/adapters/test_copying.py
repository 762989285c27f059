"""Backups: taken while a server plays, looked at before they are put back, and as good as what they were taken of."""

from __future__ import annotations

import io
import shutil
import sqlite3
import tarfile
import threading
from contextlib import closing
from pathlib import Path

import pytest

from pbem.adapters.store.copying import BOOKS, KEY, NoCopy, back_up, restore
from pbem.adapters.store.keys import kept_secret
from pbem.adapters.store.sql import SqlStore
from pbem.host.session.identity import Identity
from tests.service.bureau import HOST, Bureau

IMPORT = "austria: import A lemberg"


class Place:
    """Where a server lies."""

    def __init__(self, folder: Path) -> None:
        folder.mkdir()
        self.database, self.key, self.file = folder / "pbem.sqlite", folder / "pbem.key", folder / "copy.tar"

    def bureau(self) -> Bureau:
        identity = Identity(key=kept_secret(self.key), address=HOST)
        return Bureau(SqlStore(f"sqlite:///{self.database}"), identity)

    def back_up(self) -> None:
        back_up(self.database, self.key, self.file, 1_800_000_000)


@pytest.fixture
def old(tmp_path: Path) -> Place:
    return Place(tmp_path / "old")


@pytest.fixture
def new(tmp_path: Path) -> Place:
    return Place(tmp_path / "new")


@pytest.fixture(scope="module")
def begun(tmp_path_factory: pytest.TempPathFactory) -> tuple[Place, Bureau]:
    """A game that has just begun, in files that nobody has open any more."""
    place = Place(tmp_path_factory.mktemp("begun") / "old")
    bureau = place.bureau()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("pbem.core.chance.draw", lambda *_: 0)
        bureau.open()
    bureau.store.close()
    return place, bureau


@pytest.fixture
def played(begun: tuple[Place, Bureau], old: Place, monkeypatch: pytest.MonkeyPatch) -> Bureau:
    """A copy of it, opened."""
    monkeypatch.setattr("pbem.core.chance.draw", lambda *_: 0)
    place, then = begun
    shutil.copy(place.database, old.database)
    shutil.copy(place.key, old.key)
    bureau = old.bureau()
    bureau.clock.set(then.clock.now())
    bureau.letters = then.letters
    bureau.postman.sent += then.postman.sent
    return bureau


def test_a_copy_taken_while_a_daemon_plays_goes_on_with_the_game_and_its_tokens(
    played: Bureau, old: Place, new: Place
) -> None:
    """The daemon goes on while it is copied: the copy is one instant of it, and the old tokens hold at the new place."""
    stopped = threading.Event()
    rounds: list[int] = []

    def play() -> None:
        while not stopped.is_set():
            played.write("anton", "status")
            rounds.append(1)

    daemon = threading.Thread(target=play)
    daemon.start()
    try:
        for _ in range(5):
            began = len(rounds)
            old.back_up()
            while len(rounds) == began and daemon.is_alive():
                pass
    finally:
        stopped.set()
        daemon.join()
    token = played.way_back("anton")
    restore(old.file, new.database, new.key)
    moved = new.bureau()
    moved.clock.set(played.clock.now())
    assert moved.entries == played.entries
    moved.letters = 10_000
    moved.write("anton", IMPORT, to=token)
    assert moved.document["nations"]["austria_hungary"]["armies"] == {"lemberg": 1}
    played.store.close()
    moved.store.close()


def test_a_backup_is_its_owners_alone_and_leaves_nothing_beside(played: Bureau, old: Place, new: Place) -> None:
    old.back_up()
    assert old.file.stat().st_mode & 0o777 == 0o600
    restore(old.file, new.database, new.key)
    assert new.database.stat().st_mode & 0o777 == new.key.stat().st_mode & 0o777 == 0o600
    assert sorted(path.name for path in new.database.parent.iterdir()) == ["pbem.key", "pbem.sqlite"]
    assert not [path.name for path in old.file.parent.iterdir() if path.name.startswith(".")]
    played.store.close()


def test_what_is_there_is_overwritten_only_with_force_and_then_put_aside(
    played: Bureau, old: Place, new: Place
) -> None:
    old.back_up()
    before = kept_secret(new.key)
    with pytest.raises(NoCopy, match="is there already"):
        restore(old.file, new.database, new.key)
    assert kept_secret(new.key) == before
    assert not new.database.exists()
    restore(old.file, new.database, new.key, force=True)
    assert kept_secret(new.key) == kept_secret(old.key) != before
    assert kept_secret(Path(f"{new.key}.replaced")) == before
    new.database.write_bytes(b"the game that went on")
    new.key.unlink()
    restore(old.file, new.database, new.key, force=True)
    assert kept_secret(Path(f"{new.key}.replaced")) == before
    assert Path(f"{new.database}.replaced.2").read_bytes() == b"the game that went on"
    played.store.close()


def spoiled(file: Path, name: str, content: bytes) -> None:
    """The same backup with another content of one of its files."""
    with tarfile.open(file) as packed:
        members = {each.name: packed.extractfile(each).read() for each in packed}  # type: ignore[union-attr]
    with tarfile.open(file, "w") as packed:
        for each, old in members.items():
            member, held = tarfile.TarInfo(each), content if each == name else old
            member.size = len(held)
            packed.addfile(member, io.BytesIO(held))


@pytest.mark.parametrize("what", ["no tar", "books", "version", "key", "half"])
def test_a_backup_that_is_damaged_or_newer_changes_nothing(played: Bureau, old: Place, new: Place, what: str) -> None:
    old.back_up()
    if what == "no tar":
        old.file.write_bytes(b"hello" * 300)
    elif what == "half":
        old.file.write_bytes(old.file.read_bytes()[:40_000])
    elif what == "key":
        spoiled(old.file, KEY, b"no key")
    elif what == "books":
        spoiled(old.file, BOOKS, b"SQLite format 3\0" + b"x" * 9_000)
    else:
        played.store.close()
        with closing(sqlite3.connect(old.database)) as database, database:
            database.execute("UPDATE alembic_version SET version_num = '0999'")
        with pytest.raises(NoCopy, match="0999"):
            old.back_up()
        spoiled(old.file, BOOKS, old.database.read_bytes())
    with pytest.raises((NoCopy, OSError)):
        restore(old.file, new.database, new.key)
    assert [*new.database.parent.iterdir()] == []
    played.store.close()


def test_without_a_database_there_is_nothing_to_copy(new: Place) -> None:
    with pytest.raises(NoCopy, match="nothing to copy"):
        new.back_up()
