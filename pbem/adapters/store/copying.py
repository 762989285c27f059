"""A copy of a whole server in one file: its books and the key that its players' tokens hang on.

SQLite's online backup takes the books as they were at one instant, while a daemon goes on writing to them.
"""

from __future__ import annotations

import io
import json
import os
import sqlite3
import tarfile
from contextlib import closing, suppress
from itertools import chain, count
from pathlib import Path
from typing import IO

from msgspec import Struct

from pbem.adapters.store import VERSION
from pbem.adapters.store.keys import kept_secret
from pbem.files import beside

BOOKS, KEY, LABEL = "pbem.sqlite", "pbem.key", "backup.json"
_BESIDE = ("", "-wal", "-shm")  # the files of a database


class NoCopy(Exception):
    """It can't be copied, or not be put back; nothing was changed."""


class Copied(Struct, frozen=True, kw_only=True):
    """What is in a backup."""

    at: int  # seconds UTC
    version: str  # of the tables


def back_up(database: Path, key: Path, into: Path, now: int) -> Copied:
    """Write the backup: whole or not at all, and readable by its owner only. Raises `NoCopy`, `OSError`."""
    if not database.is_file():
        raise NoCopy(f"There is no database {database} yet: there is nothing to copy.")
    with beside(into) as copy, beside(into) as made:
        try:
            _copy(database, copy)
            told = Copied(at=now, version=_checked(copy))
        except sqlite3.Error as problem:
            raise NoCopy(f"The database {database} can't be copied: {problem}.") from None
        if not key.is_file():
            raise NoCopy(f"There is no key {key}: without it nobody's token would hold after a restore.")
        _pack(made, {BOOKS: copy, KEY: key}, told)
        os.replace(made, into)
    return told


def restore(source: Path, database: Path, key: Path, *, force: bool = False) -> Copied:
    """Put a backup in its place. Raises `NoCopy`, `OSError`; then all is as it was.

    What is there already stays, unless `force`; then it is put aside, with .replaced behind its name, and never over
    what was put aside before.
    """
    for file in (database, key):
        if file.exists() and not force:
            raise NoCopy(f"{file} is there already; stop the server and say --force to put it aside.")
    with beside(database) as repository, beside(key) as secret:
        told = _unpacked(source, repository, secret)
        ending = _free(database, key)
        for file in (database, key):
            _put_aside(file, ending)
        os.link(secret, key)
        os.link(repository, database)
    return told


def _copy(database: Path, into: Path) -> None:
    address = f"{database.absolute().as_uri()}?mode=ro"
    with closing(sqlite3.connect(address, uri=True, timeout=30)) as source, closing(sqlite3.connect(into)) as copy:
        source.backup(copy)
        copy.execute("PRAGMA journal_mode = DELETE")  # it is one file now; the server makes it WAL again


def _checked(repository: Path) -> str:
    """The version of the tables of a database that is whole. Raises `NoCopy`, `sqlite3.Error`."""
    with closing(sqlite3.connect(repository)) as database:
        (found,) = database.execute("PRAGMA integrity_check(1)").fetchone()
        if found != "ok":
            raise NoCopy(f"The database is damaged: {found}.")
        (version,) = database.execute("SELECT version_num FROM alembic_version").fetchone()
    if str(version) > VERSION:
        raise NoCopy(f"The database is at version {version} and this program knows only up to {VERSION}.")
    return str(version)


def _pack(archive: Path, files: dict[str, Path], told: Copied) -> None:
    label = json.dumps({"at": told.at, "version": told.version}).encode()
    with archive.open("wb") as out:
        with tarfile.open(fileobj=out, mode="w", format=tarfile.PAX_FORMAT) as packed:
            _add(packed, LABEL, io.BytesIO(label), len(label), told.at)
            for name, file in files.items():
                with file.open("rb") as content:
                    _add(packed, name, content, file.stat().st_size, told.at)
        out.flush()
        os.fsync(out.fileno())


def _add(packed: tarfile.TarFile, name: str, content: IO[bytes], size: int, at: int) -> None:
    """Only what has to be known of a file, and nothing of who made it."""
    member = tarfile.TarInfo(name)
    member.size, member.mtime, member.mode = size, at, 0o600
    packed.addfile(member, content)


def _unpacked(source: Path, repository: Path, secret: Path) -> Copied:
    """What is in a backup is taken by name: nothing else in it is looked at, and no path in it is believed."""
    try:
        with tarfile.open(source, "r:") as packed:
            label = json.loads(_content(packed, LABEL).read())
            for name, into in ((BOOKS, repository), (KEY, secret)):
                _write(_content(packed, name), into)
        version = _checked(repository)
        kept_secret(secret)
    except (tarfile.TarError, sqlite3.Error, KeyError, ValueError, TypeError) as problem:
        raise NoCopy(f"{source} is no backup of this program, or it is damaged: {problem}.") from None
    return Copied(at=int(label["at"]), version=version)


def _content(packed: tarfile.TarFile, name: str) -> IO[bytes]:
    content = packed.extractfile(name)
    if content is None:
        raise ValueError(f"{name} is no file")
    return content


def _write(content: IO[bytes], into: Path) -> None:
    with into.open("wb") as out:
        while some := content.read(1 << 20):
            out.write(some)
        out.flush()
        os.fsync(out.fileno())


def _free(*files: Path) -> str:
    """What can stand behind the names of these files without being the name of another."""
    endings = chain([".replaced"], (f".replaced.{number}" for number in count(2)))
    return next(
        ending
        for ending in endings
        if not any(Path(f"{file}{ending}{beside}").exists() for file in files for beside in _BESIDE)
    )


def _put_aside(file: Path, ending: str) -> None:
    for part in _BESIDE:
        with suppress(FileNotFoundError):
            os.rename(f"{file}{part}", f"{file}{ending}{part}")
